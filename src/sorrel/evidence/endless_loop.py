"""A loop that a run reaches and a set of states that it need not leave: evidence that a program does not end."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.evidence.clauses import confirmation_by
from sorrel.evidence.effort import Effort
from sorrel.evidence.recheck import recheck_recurrent
from sorrel.evidence.recurrence import check_recurrent
from sorrel.evidence.result import Accepted, NotConfirmed, Result
from sorrel.evidence.seconds import RECURRENT
from sorrel.horn.recurrence import RecurrentSet
from sorrel.logic.terms import Term
from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, Cause, Confirmation, EventKind, Outcome, RunEvent, Violation, unknown
from sorrel.model.values import dataclass
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.interpreter import Ended, Machine
from sorrel.program.program import Program
from sorrel.program.statement import Choice
from sorrel.program.types import Array, Float, Real, Type
from sorrel.program.value import Value, fits, zero

STEPS = 20_000
"""How long the whole program is run in confirmation."""


@dataclass(frozen=True, slots=True, eq=False)
class Recurrence:
    """With `value` for everything that is chosen, a run comes to the loop at `span` and can stay within `states`.

    `told` are the states in the user's words, if there are words for them; `values` are those of the variables that
    `states` speak of and the user knows, at that visit of the loop.
    """

    procedure: str
    span: Span
    value: int
    visits: int
    states: tuple[Term, ...]
    told: tuple[str, ...] | None
    values: tuple[tuple[str, Value], ...]
    evidence: RecurrentSet


def accept_recurrence(program: Program, found: Recurrence, effort: Effort) -> Outcome:
    """A run that need not come back: where it gets to, and the set of states that it can stay in."""
    confirmations = _confirmed(program, found, effort)
    refused = [each for each in confirmations if not each.accepted]
    if refused:
        return unknown(
            Cause.UNCONFIRMED, f"{refused[0].checker} does not confirm the recurrent set: {refused[0].detail}"
        )
    states = "" if found.told is None else f" while {' and '.join(found.told) or 'true'}"
    values = ", ".join(f"{name} = {value}" for name, value in found.values)
    said = f"the loop at {found.span} can be repeated forever{states}"
    reached = f"with {found.value} for every input, visit {found.visits} of the loop" + (
        f": {values}" if values else ""
    )
    return Outcome(
        Answer.UNSAFE,
        violation=Violation("termination", f"the program does not terminate: {said}", found.span, found.procedure),
        notes=(f"the loop is reached {reached}",),
        certificate=found.evidence.script(),
        confirmations=confirmations,
        run=(RunEvent(EventKind.VIOLATION, found.span, found.procedure, 0, said),),
    )


def _confirmed(program: Program, found: Recurrence, effort: Effort) -> tuple[Confirmation, ...]:
    seconds, second = effort.clock.until_deadline(RECURRENT), effort.options.recheck
    asked: dict[str, Callable[[], Result]] = {"z3": lambda: check_recurrent(found.evidence, seconds)}
    if second:
        asked[f"{second} on the saved text"] = lambda: recheck_recurrent(found.evidence, second, seconds)
    asked["the interpreter"] = lambda: _repeated(program, found)
    return tuple(confirmation_by(name, ask)[0] for name, ask in asked.items())


def _repeated(program: Program, found: Recurrence) -> Result:
    if goes_on(program, found.value):
        return Accepted(f"the run goes on for {STEPS} steps")
    return NotConfirmed("the run ends when it is repeated")


def goes_on(program: Program, value: int) -> bool:
    """Whether the program itself is still running after many steps with these choices."""
    machine = Machine(program, lambda type: as_choice(value, type), 2 * STEPS, record=False)
    try:
        machine.start()
        for _ in range(STEPS):
            machine.step()
    except (Ended, UndefinedOperation):
        return False
    return not any(used.choice is Choice.ABSTRACTION for used in machine.used)


def as_choice(value: int, type: Type) -> Value:
    if isinstance(type, Array | Real | Float) or not fits(value, type):
        return bool(value) if fits(bool(value), type) else zero(type)
    return value
