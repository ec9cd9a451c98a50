"""A loop that a run reaches and a set of states that it need not leave: evidence that a program does not end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from sorrel.encode.readback import told_states
from sorrel.evidence.clauses import confirmation_by
from sorrel.evidence.effort import Effort
from sorrel.evidence.lasso import span_of
from sorrel.evidence.loop_rounds import LoopRounds, Visit, as_choice
from sorrel.evidence.recheck import recheck_recurrent
from sorrel.evidence.recurrence import check_recurrent
from sorrel.evidence.result import Accepted, NotConfirmed, Result
from sorrel.evidence.seconds import RECURRENT
from sorrel.horn.recurrence import RecurrentSet
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.outcome import Answer, Cause, Confirmation, EventKind, Outcome, RunEvent, Violation, unknown
from sorrel.model.values import dataclass
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.expression import Variable
from sorrel.program.interpreter import Ended, Interpreter
from sorrel.program.program import Program
from sorrel.program.statement import Choice
from sorrel.smt.solver import Oracle

STEPS = 20_000
"""How long the whole program is run in confirmation."""


@dataclass(frozen=True, slots=True, eq=False)
class Recurrence:
    """With `value` for everything that is chosen, a run comes to `head` so often and can stay within `states`."""

    head: str
    value: int
    visits: int
    states: tuple[Term, ...]


def accept_recurrence(program: Program, found: Recurrence, effort: Effort) -> Outcome:
    """A run that need not come back: where it gets to, and the set of states that it can stay in."""
    loops = LoopRounds.of(program)
    visit = _visit(loops, found) if loops else None
    if loops is None or visit is None:
        return unknown(Cause.UNCONFIRMED, f"the run does not come to the loop for visit {found.visits}")
    evidence = RecurrentSet(terms.conjunction(found.states), loops.rounds(found.head, found.value), loops.state(visit))
    confirmations = _confirmed(program, found.value, evidence, effort)
    refused = [each for each in confirmations if not each.accepted]
    if refused:
        return unknown(
            Cause.UNCONFIRMED, f"{refused[0].checker} does not confirm the recurrent set: {refused[0].detail}"
        )
    told = _in_words(loops, found, effort)
    states = "" if told is None else f" while {' and '.join(told) or 'true'}"
    values = _values(loops, visit, found)
    span = span_of(loops.thread.procedure, found.head)
    said = f"the loop at {span} can be repeated forever{states}"
    reached = f"with {found.value} for every input, visit {found.visits} of the loop" + (
        f": {values}" if values else ""
    )
    return Outcome(
        Answer.UNSAFE,
        violation=Violation("termination", f"the program does not terminate: {said}", span, loops.thread.name),
        notes=(f"the loop is reached {reached}: {values}" if values else f"the loop is reached {reached}",),
        certificate=evidence.script(),
        confirmations=confirmations,
        run=(RunEvent(EventKind.VIOLATION, span, loops.thread.name, 0, said),),
    )


def _visit(loops: LoopRounds, found: Recurrence) -> Visit | None:
    claimed = (found.head, found.visits)
    visit = next((each for each in loops.visits(found.value) if (each.head, each.number) == claimed), None)
    return visit if visit is not None and loops.rounds(found.head, found.value) else None


def _confirmed(program: Program, value: int, evidence: RecurrentSet, effort: Effort) -> tuple[Confirmation, ...]:
    seconds, second = effort.clock.until_deadline(RECURRENT), effort.options.recheck
    asked: dict[str, Callable[[], Result]] = {"z3": lambda: check_recurrent(evidence, seconds)}
    if second:
        asked[f"{second} on the saved text"] = lambda: recheck_recurrent(evidence, second, seconds)
    asked["the interpreter"] = lambda: _repeated(program, value)
    return tuple(confirmation_by(name, ask)[0] for name, ask in asked.items())


def _repeated(program: Program, value: int) -> Result:
    if goes_on(program, value):
        return Accepted(f"the run goes on for {STEPS} steps")
    return NotConfirmed("the run ends when it is repeated")


def goes_on(program: Program, value: int) -> bool:
    """Whether the program itself is still running after many steps with these choices."""
    machine = Interpreter(program, lambda type: as_choice(value, type), 2 * STEPS, record=False)
    try:
        machine.start()
        for _ in range(STEPS):
            machine.step()
    except (Ended, UndefinedOperation):
        return False
    return not any(used.choice is Choice.ABSTRACTION for used in machine.used)


def _in_words(loops: LoopRounds, found: Recurrence, effort: Effort) -> tuple[str, ...] | None:
    """The states in the user's words, if there are words for them."""
    at = loops.terms_of(found.head)
    named = [(text, variable, at[variable]) for variable, text in _named(loops).items()]
    return told_states(found.states, named, loops.view.semantics, Oracle(effort.clock, effort.statistics))


def _values(loops: LoopRounds, visit: Visit, found: Recurrence) -> str:
    """Of the variables that the states speak of and the user knows, at that visit of the loop."""
    spoken = {variable.get_id() for variable in walk.free_variables(*found.states)}
    at, known = loops.terms_of(found.head), _named(loops)
    pairs = zip(loops.variables, loops.values(visit), strict=True)
    return ", ".join(f"{known[v]} = {value}" for v, value in pairs if v in known and at[v].get_id() in spoken)


def _named(loops: LoopRounds) -> dict[Variable, str]:
    """The variables that a name of the user's means, and no other one does."""
    texts = {variable: loops.thread.procedure.user_name(variable.name) for variable in loops.variables}
    count = Counter(texts.values())
    return {variable: text for variable, text in texts.items() if text and count[text] == 1}
