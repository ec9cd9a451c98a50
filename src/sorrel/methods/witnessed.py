"""Programs with what a witness says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorrel.contracts.checks import with_claims
from sorrel.contracts.witness import Witness, claims, is_at, read_witness
from sorrel.evidence.door import ErrorRun, accept
from sorrel.evidence.effort import Effort
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.reading import instrumented, read_program
from sorrel.model.errors import UsageError
from sorrel.model.outcome import FOLLOWED, Answer, Cause, Outcome, unknown
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Used, Violated
from sorrel.program.statement import Choice
from sorrel.program.types import Boolean, Machine, Type
from sorrel.program.value import Value, zero

MOST_STEPS, MOST_VALUES = 200_000, 500
"""Of a run that follows a witness, and of the values that it takes."""
FOUND = Outcome(Answer.UNKNOWN, engine="witness", decided_by=FOLLOWED)
_CLAIMED = (Property.ASSERTIONS, Property.UNREACH_CALL)


def witnessed(task: Task, effort: Effort) -> ProgramQuestion | Outcome:
    """The question whether the program with the claims of the witness is safe; or where its inputs lead to."""
    witness = read_witness(effort.options.witness, effort.options.witness_name)
    program = read_program(task)
    if witness.is_violation:
        return _followed(instrumented(program, task), task, witness, effort)
    if task.goal not in _CLAIMED:
        raise UsageError(f"correctness witnesses are checked for {' and '.join(_CLAIMED)}, not for {task.goal}")
    return ProgramQuestion(with_claims(program, claims(program, witness)), task)


def _followed(checked: Program, task: Task, witness: Witness, effort: Effort) -> Outcome:
    """The run whose inputs are those of the witness, in its order, and zero where it says nothing."""
    values: list[Value] = []
    waiting = list(witness.inputs)
    while len(values) < MOST_VALUES:
        tried = run(checked, _then_zero(values), steps=MOST_STEPS)
        if len(tried.used) <= len(values):
            if not isinstance(tried.end, Violated):
                break
            return accept(ErrorRun(checked, task, values, FOUND), effort)
        used = tried.used[len(values)]
        follows = bool(waiting) and used.choice is Choice.INPUT and is_at(used.span, waiting[0].place, any_column=True)
        values.append(_fitting(waiting.pop(0).value, used) if follows else zero(used.type))
    return unknown(Cause.UNCONFIRMED, "the run with the inputs of the witness does not violate the property")


def _then_zero(values: Sequence[Value]) -> Callable[[Type], Value]:
    left = iter(values)

    def choose(type: Type) -> Value:
        found = next(left, None)
        return zero(type) if found is None else found

    return choose


def _fitting(value: int, used: Used) -> Value:
    """Witnesses write what C prints; a value out of its type is another way to write one inside."""
    match used.type:
        case Machine():
            return used.type.wrap(value)
        case Boolean():
            return bool(value)
        case _:
            return value
