"""Programs with what a witness says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

from sorrel.contracts.checks import with_claims
from sorrel.contracts.witness import Input, Witness, claims, end_of_call, is_on_line, read_witness
from sorrel.evidence.door import ErrorRun, accept
from sorrel.evidence.effort import Effort
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.reading import instrumented, read_program
from sorrel.model.errors import Span, UsageError
from sorrel.model.outcome import FOLLOWED, Answer, Cause, Outcome, unknown
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Used, Violated
from sorrel.program.statement import Choice
from sorrel.program.types import Type
from sorrel.program.value import Value, zero

MOST_STEPS, MOST_VALUES = 200_000, 500
"""Of a run that follows a witness, and of the values that it takes."""
FOUND = Outcome(Answer.UNKNOWN, engine="witness", decided_by=FOLLOWED)
_CLAIMED = (Property.ASSERTIONS, Property.UNREACH_CALL)


@dataclass(eq=False)
class PartlyWitnessed(ProgramQuestion):
    """The program with the claims of a witness that says more: it can be refuted, and not be accepted."""

    ignored: tuple[str, ...] = ()

    def completed(self, outcome: Outcome) -> Outcome:
        return _unseen(self.ignored) if outcome.answer in (Answer.SAFE, Answer.ASSUMING) else outcome

    def report(self, outcome: Outcome, effort: Effort) -> None:
        """A proof of a part is no answer, and nothing better than none."""


def _unseen(kinds: Sequence[str]) -> Outcome:
    return unknown(Cause.UNSUPPORTED, f"parts of the witness are not checked: {', '.join(kinds)}")


def witnessed(task: Task, effort: Effort) -> ProgramQuestion | Outcome:
    """The question whether the program with the claims of the witness is safe; or where its inputs lead to."""
    witness = read_witness(effort.options.witness, effort.options.witness_name)
    program = read_program(task)
    if witness.is_violation:
        return _followed(instrumented(program, task), task, witness, effort)
    if task.goal not in _CLAIMED:
        raise UsageError(f"correctness witnesses are checked for {' and '.join(_CLAIMED)}, not for {task.goal}")
    claimed = with_claims(program, claims(program, witness))
    if witness.ignored:
        return PartlyWitnessed(claimed, task, ignored=witness.ignored)
    return ProgramQuestion(claimed, task)


def _followed(checked: Program, task: Task, witness: Witness, effort: Effort) -> Outcome:
    """The run whose inputs are those of the witness, in its order, and zero where it says nothing."""
    texts = {source.name: source.read_as_compilers_do().split("\n") for source in task.sources}
    values: list[Value] = []
    waiting = list(witness.inputs)
    while len(values) < MOST_VALUES:
        tried = run(checked, _then_zero(values), steps=MOST_STEPS)
        if len(tried.used) <= len(values):
            if not isinstance(tried.end, Violated):
                break
            if problem := _other_way(tried.end, witness, waiting, texts):
                return unknown(Cause.UNCONFIRMED, f"the run with the inputs of the witness {problem}")
            if witness.ignored:
                return _unseen(witness.ignored)
            return accept(ErrorRun(checked, task, values, FOUND), effort)
        used = tried.used[len(values)]
        value = waiting[0].fitting(used.type) if waiting and _returns_at(used, waiting[0], texts) else None
        values.append(zero(used.type) if value is None else value)
        waiting = waiting if value is None else waiting[1:]
    return unknown(Cause.UNCONFIRMED, "the run with the inputs of the witness does not violate the property")


def _other_way(end: Violated, witness: Witness, waiting: Sequence[Input], texts: Mapping[str, list[str]]) -> str:
    """What the run does that the witness does not say, although it violates the property."""
    if waiting:
        return f"has no call that returns {waiting[0].value} at {waiting[0].place}"
    if not is_on_line(end.span, witness.target) and not _is_one_statement(witness.target, end.span, texts):
        return f"violates the property at {end.span}, and not at {witness.target}"
    return ""


def _is_one_statement(start: Span, end: Span, texts: Mapping[str, list[str]]) -> bool:
    """Whether what begins at the one place goes on to the other: then nothing that ends a statement is between."""
    if PurePath(start.file).name != PurePath(end.file).name or start.line > end.line:
        return False
    first, *more = texts.get(end.file, [""])[start.line - 1 : end.line] or [""]
    between = "\n".join([first[max(0, start.column - 1) :], *more[:-1], *(line[: end.column] for line in more[-1:])])
    return bool(between) and not any(mark in between for mark in ";{}")


def _returns_at(used: Used, said: Input, texts: Mapping[str, list[str]]) -> bool:
    """Whether the value is what the call returns that the witness names."""
    if used.choice is not Choice.INPUT:
        return False
    start, place = used.span, said.place
    end = end_of_call(texts.get(start.file, []), start, used.source) or Span(start.file, start.line, place.column)
    if not place.column:
        return is_on_line(start, place) or is_on_line(end, place)
    first = start.column if start.line == end.line else 0
    return is_on_line(end, place) and first <= place.column <= end.column


def _then_zero(values: Sequence[Value]) -> Callable[[Type], Value]:
    left = iter(values)

    def choose(type: Type) -> Value:
        found = next(left, None)
        return zero(type) if found is None else found

    return choose
