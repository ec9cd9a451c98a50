"""Whether there was anything to prove: how many assertions there are, and whether runs get to them.

A proof about assertions that no run reaches is worth little, and one under assumptions that contradict each other is
worth nothing; both are told. A call of an error function is a check too, but to be reached is what it must not be.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.encoding import encode
from sorrel.evidence.certificate import check
from sorrel.evidence.effort import Effort
from sorrel.evidence.result import Accepted
from sorrel.horn.verdict import Safe
from sorrel.methods.assumptions import carried
from sorrel.methods.plan import PLAN
from sorrel.model.errors import Span
from sorrel.model.outcome import Outcome
from sorrel.model.outline import Obligation, ObligationStatus
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE
from sorrel.program.program import Procedure, Program
from sorrel.program.run import Violated
from sorrel.program.statement import Assert, Assume, Block, Kind, Observe, Purpose, Return, Statement
from sorrel.testing.probe import FIRST_STEPS, probe

MOST_ROUNDS = 20
END = "the end of the program"


def counted(outcome: Outcome, checked: Program, effort: Effort) -> Outcome:
    """The outcome of a proof with the number of checks, and of those that are reached or never are."""
    checks = list(dict.fromkeys(_places(checked)))
    targets = {place for place in checks if place.reachable}
    search = _Search(checked, replace(effort, clock=PLAN.vacuity.of(effort.clock)))
    reached = search.reached(targets) if targets else set()
    never = search.never(targets - reached)
    notes = [f"no run gets to the assertion at {place.span}" for place in sorted(never, key=str)]
    if not reached and checks and search.no_run_ends():
        notes.append("no run gets to an assertion or to the end: assumptions contradict each other, or no run ends")
    return replace(
        outcome,
        checks=len(checks),
        reached=len(reached),
        unreachable=len(never),
        notes=(*outcome.notes, *notes),
        obligations=tuple(place.unreached for place in sorted(never, key=str)),
    )


def compared(outcome: Outcome, program: Program) -> Outcome:
    """The outcome of a proof about pairs of runs with the number of places where they have to agree."""
    steps = (step for procedure in program.procedures for block in procedure.blocks for step in block.statements)
    places = {step.span for step in steps if isinstance(step, Observe) and step.purpose is Purpose.COMPARED}
    return replace(outcome, checks=len(places))


@dataclass(frozen=True, slots=True)
class _Place:
    """An assertion of the source; `reachable`: runs may get there without violating it."""

    span: Span
    kind: Kind
    reachable: bool

    @property
    def unreached(self) -> Obligation:
        return Obligation(str(self.kind), self.span, "", ObligationStatus.UNREACHED)


def _places(program: Program) -> list[_Place]:
    return [
        _place(statement)
        for procedure in program.procedures
        for block in procedure.blocks
        for statement in block.statements
        if isinstance(statement, Assert)
    ]


def _place(statement: Assert) -> _Place:
    return _Place(statement.span, statement.kind, statement.condition != FALSE)


@dataclass(frozen=True, slots=True)
class _Search:
    program: Program
    effort: Effort

    def reached(self, targets: set[_Place]) -> set[_Place]:
        """Those that some run gets to, found by runs with values that often make trouble."""
        found: set[_Place] = set()
        for _ in range(MOST_ROUNDS):
            left = targets - found
            if not left or self.effort.clock.expired():
                break
            looked = probe(
                self._marked(left), self.effort.clock.remaining(PLAN.vacuity_probe), most=FIRST_STEPS
            ).violated
            if looked is None or not isinstance(looked.end, Violated):
                break
            span, kind = looked.end.assertion.span, looked.end.assertion.kind
            found |= {place for place in left if (place.span, place.kind) == (span, kind)}
        return found

    def never(self, targets: set[_Place]) -> set[_Place]:
        """Those that the proof itself shows not to be reached."""
        return {place for place in targets if self._proved(self._marked({place}))}

    def no_run_ends(self) -> bool:
        """Whether the proof itself shows that nothing gets to the end of the program."""
        return self._proved(self._marked(set(), end=True))

    def _proved(self, marked: Program) -> bool:
        if not self.effort.proofs or self.effort.clock.expired():
            return False
        proof = self.effort.proofs[-1]
        system = encode(marked, proof.arithmetic).system
        summaries = carried(proof.verdict.summaries, system)
        return isinstance(check(system, Safe(summaries), self.effort.clock.remaining()), Accepted)

    def _marked(self, targets: set[_Place], *, end: bool = False) -> Program:
        """The program that fails where a run gets to a target, and only there."""
        procedures = [self._marked_procedure(each, targets, end) for each in self.program.procedures]
        return replace(self.program, procedures=tuple(procedures))

    def _marked_procedure(self, procedure: Procedure, targets: set[_Place], end: bool) -> Procedure:
        is_main = procedure.name == self.program.main
        return replace(
            procedure, blocks=tuple(_marked_block(block, targets, end and is_main) for block in procedure.blocks)
        )


def _marked_block(block: Block, targets: set[_Place], end: bool) -> Block:
    statements: list[Statement] = []
    for statement in block.statements:
        if not isinstance(statement, Assert):
            statements.append(statement)
        elif _place(statement) in targets:
            statements.append(replace(statement, condition=FALSE))
        else:
            statements.append(Assume(statement.condition, "", statement.span))
    if end and isinstance(block.terminator, Return):
        statements.append(Assert(FALSE, Kind.ASSERTION, END, block.terminator.span))
    return replace(block, statements=tuple(statements))
