"""Invariants and variants of loops that a text suggests: each is looked at for itself, none is taken for granted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sorrel.contracts.annotations import Annotation, Clause, ClauseKind, Target
from sorrel.contracts.checks import Claim, with_claims
from sorrel.contracts.descending import with_rank
from sorrel.contracts.meaning import meaning, number
from sorrel.contracts.reading import Dialect
from sorrel.contracts.vocabulary import Vocabulary, vocabulary
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.horn.verdict import Safe
from sorrel.methods.annotated import NOT_LOOKED_AT, Texts
from sorrel.methods.clauses import decide
from sorrel.methods.plan import PLAN
from sorrel.methods.programs import ProgramQuestion
from sorrel.model.errors import InputError
from sorrel.model.outcome import Answer
from sorrel.model.values import dataclass
from sorrel.program.checks import instrument
from sorrel.program.effects import effects
from sorrel.program.flattening import flattened
from sorrel.program.interpreter import run
from sorrel.program.program import Procedure, Program
from sorrel.program.run import Run, Violated
from sorrel.program.statement import Assert, Block, Choice, Kind
from sorrel.program.threads import has_threads
from sorrel.replay.telling import chosen
from sorrel.testing.probe import choosers, constants_of

MOST_RUNS, MOST_STEPS, MOST_VALUES = 80, 5_000, 4


def told(question: ProgramQuestion, effort: Effort) -> tuple[str, ...]:
    """A note for each: proved, false with these values, or open."""
    task = question.task
    if task.is_java or task.is_program_text or task.goal.is_relational or has_threads(question.program):
        return ()
    texts = Texts.of(task)
    loops = [annotation for _, annotation in texts.annotations if annotation.target is Target.LOOP]
    if not loops:
        return ()
    limited = replace(effort, clock=PLAN.hints.of(effort.clock), proofs=[], report=lambda _: None)
    plain = instrument(_without_assertions(question.program), frozenset())
    return tuple(_Hint(plain, clause, *place).note(limited) for clause, place in _placed(plain, loops))


def _without_assertions(program: Program) -> Program:
    """What is asserted elsewhere need not hold, and is not to be taken for granted here."""

    def unasserted(block: Block) -> Block:
        kept = (each for each in block.statements if not (isinstance(each, Assert) and each.kind is Kind.ASSERTION))
        return replace(block, statements=tuple(kept))

    procedures = (replace(each, blocks=tuple(map(unasserted, each.blocks))) for each in program.procedures)
    return replace(program, procedures=tuple(procedures))


def _placed(program: Program, loops: Sequence[Annotation]) -> Iterator[tuple[Clause, tuple[Procedure, str]]]:
    """Each clause with the loop that it stands before, if the program has it."""
    for annotation in loops:
        for procedure in program.procedures:
            for label, scope in (procedure.scopes or {}).items():
                span, beginning = scope.span, annotation.beginning
                if label in procedure.block and (span.file, span.line, span.column) == (
                    beginning.file,
                    beginning.line,
                    beginning.column,
                ):
                    yield from ((clause, (procedure, label)) for clause in annotation.clauses)


@dataclass(frozen=True, slots=True)
class _Hint:
    program: Program
    clause: Clause
    procedure: Procedure
    label: str

    def note(self, effort: Effort) -> str:
        clause = self.clause
        what = f"{clause.span.file}:{clause.span.line}: {clause.word} {clause.text}"
        try:
            watched = self._watched()
        except InputError as problem:
            return f"{what} {NOT_LOOKED_AT}: {problem.message}"
        if watched is None:
            return f"{what} {NOT_LOOKED_AT}"
        wrong = _violating(watched)
        if wrong is not None:
            values = [f"{each.source} = {each.value}" for each in chosen(watched, wrong)[:MOST_VALUES]]
            return f"{what} is false{' with ' + ', '.join(values) if values else ''}"
        proved = "is proved for runs without signed overflow"
        return f"{what} {proved if self._is_proved(watched, effort) else 'is true in the runs tried, not proved'}"

    def _watched(self) -> Program | None:
        """The program that asserts the clause, and nothing else."""
        known = self._known()
        match self.clause.kind:
            case ClauseKind.INVARIANT:
                said = meaning(self.clause.text, Dialect.ACSL, known, self.clause.span)
                if said.witnesses:
                    raise InputError("that there is a zero cannot be asserted", self.clause.span)
                text = self.clause.text
                claim = Claim(self.procedure.name, self.label, said, text, self.clause.span, exact=True)
                return with_claims(self.program, [claim])
            case ClauseKind.VARIANT:
                rank = number(self.clause.text, Dialect.ACSL, known, self.clause.span)
                return with_rank(self.program, self.procedure.name, self.label, [rank], self.clause.span)
            case _:
                return None

    def _known(self) -> Vocabulary:
        known = vocabulary(self.program, self.procedure, self.label, effects(self.program)[self.procedure.name])
        if known is None:
            raise InputError("nothing can be said at this place", self.clause.span)
        return known

    def _is_proved(self, watched: Program, effort: Effort) -> bool:
        whole = flattened(watched) or watched
        options = replace(effort.options, engine="spacer", engine_options={})
        for arithmetic in (Arithmetic.IDEAL, Arithmetic.RANGED):
            own = replace(effort, options=options, clock=PLAN.hint.of(effort.clock))
            encoding = encode(whole, arithmetic)
            verdict = decide(encoding.system, own, {})
            if isinstance(verdict, Safe):
                return accept(Solution(encoding.system, verdict), effort).answer is Answer.SAFE
        return False


def _violating(program: Program) -> Run | None:
    """A run in which what is asserted is false."""
    for choose in choosers(constants_of(program), MOST_RUNS):
        found = run(program, choose, steps=MOST_STEPS)
        is_claim = not any(used.choice is Choice.ABSTRACTION for used in found.used)
        if isinstance(found.end, Violated) and is_claim:
            return found
    return None
