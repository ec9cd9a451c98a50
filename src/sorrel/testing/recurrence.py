"""Runs that never end though they never come back to a state: a loop and a set of states that it need not leave.

The set is a conjunction of conditions that the loop itself asks for, in the program's own machine integers: unsigned
ones wrap, and a round in which a signed operation has no value is no round. It starts with all that hold in a state
which a run reaches; those that a round does not keep are taken away. What is chosen is one value throughout. A loop
must come back to its head without passing the head of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.readback import told_states
from sorrel.encode.steps import Step
from sorrel.encode.trace import Applied, Called, Chosen, Joined, Trace
from sorrel.encode.transition import ThreadView, thread_view
from sorrel.evidence.endless_loop import Recurrence, as_choice, goes_on
from sorrel.evidence.lasso import span_of
from sorrel.horn.recurrence import Pairs, RecurrentSet, Round
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import value_in
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.program.creation import UnsupportedThreads
from sorrel.program.expression import Variable
from sorrel.program.inline import Recursive
from sorrel.program.interleaving import Configuration, Interleaving, Move, Moved, Open, Taken
from sorrel.program.program import Procedure, Program
from sorrel.program.shared import AtomicLoop
from sorrel.program.statement import Choice
from sorrel.program.threads import threads_of
from sorrel.program.types import Array, Type
from sorrel.program.value import Value
from sorrel.smt.solver import Oracle, Sat, Unsat
from sorrel.testing.plan import PLAN

VALUES = (0, 1, 2, 5, 10)
"""What is chosen, throughout a run."""
MOST_MOVES, MOST_WEAKENINGS = 300, 60
VISITS = frozenset({1, 2, 3, 12, 60})
"""At which visits of a head its state is looked at."""


def find_recurrence(program: Program, oracle: Oracle) -> Recurrence | None:
    """Of a program without recursion, whose run goes on for long; whoever uses the evidence checks it."""
    try:
        threads = threads_of(program)
    except (Recursive, AtomicLoop, UnsupportedThreads):
        return None
    variables = [*threads.globals, *(each for thread in threads.threads for each in thread.locals)]
    if len(threads.threads) != 1 or any(isinstance(each.type, Array) for each in variables):
        return None
    view = thread_view(threads, Arithmetic.EXACT)
    search = _Search(view, oracle)
    for value in VALUES:
        for head, visits, here in _visited(view, value, oracle.clock):
            found = search.at(head, value, here, visits)
            if found is not None and goes_on(program, value):
                return found
    return None


def _visited(view: ThreadView, value: int, clock: Clock) -> Iterator[tuple[str, int, Configuration]]:
    """States at heads along the run that chooses this value."""
    interleaving = Interleaving(view.threads, late=False)
    times: dict[str, int] = {}
    here = _answered(interleaving.start, value)
    for _ in range(MOST_MOVES):
        if not isinstance(here, Configuration) or clock.expired():
            return
        (place,) = here.places
        times[place] = times.get(place, 0) + 1
        if times[place] in VISITS:
            yield place, times[place], here
        taken = _answered(_Taking(interleaving, here), value)
        if not isinstance(taken, Moved):
            return
        here = taken.configuration


@dataclass(frozen=True, slots=True, eq=False)
class _Taking:
    """A step from a state, given what is chosen in it."""

    interleaving: Interleaving
    here: Configuration

    def __call__(self, choices: Sequence[Value]) -> Taken:
        return self.interleaving.step(self.here, Move(0, tuple(choices)))


def _answered(ask: Callable[[Sequence[Value]], Configuration | Taken], value: int) -> Configuration | Taken:
    """What comes of it if everything that is left open gets this value."""
    choices: tuple[Value, ...] = ()
    while True:
        answer = ask(choices)
        if not isinstance(answer, Open) or answer.choice is Choice.ABSTRACTION:
            return answer
        choices = (*choices, as_choice(value, answer.type))


class _Search:
    def __init__(self, view: ThreadView, oracle: Oracle) -> None:
        self._view = view
        self._oracle = oracle

    def at(self, head: str, value: int, here: Configuration, visits: int) -> Recurrence | None:
        steps = [step for step in self._view.steps[0] if step.source == step.target == head]
        rounds = tuple(made for step in steps if (made := self._round(step, value)) is not None)
        if not rounds:
            return None
        start = self._state(steps[0], here)
        kept = self._weakened(_held(rounds, start), rounds, start)
        if kept is None:
            return None
        (thread,) = self._view.threads.threads
        spoken = {variable.get_id() for variable in walk.free_variables(*kept)}
        variables = (*thread.locals, *self._view.threads.globals)
        known = _named(thread.procedure, variables)
        state = zip(variables, (*here.locals[0], *here.globals), strict=True)
        at = steps[0].start
        values = tuple((known[v], value) for v, value in state if v in known and at[v.name].get_id() in spoken)
        named = [(text, variable, at[variable.name]) for variable, text in known.items()]
        told = told_states(kept, named, self._view.semantics, self._oracle)
        span = span_of(thread.procedure, head)
        evidence = RecurrentSet(terms.conjunction(kept), rounds, start)
        return Recurrence(thread.name, span, value, visits, tuple(kept), told, values, evidence)

    def _round(self, step: Step, value: int) -> Round | None:
        """None if it depends on something that is not modelled, or that is no choice of a value."""
        chosen = _choices(step.trace)
        if step.abstractions or chosen is None:
            return None
        pairs = [(term, self._constant(as_choice(value, type), type)) for term, type in chosen]
        conditions = terms.substitute_all(step.conditions, pairs)
        after = [(step.start[name], terms.substitute(term, pairs)) for name, term in step.values.items()]
        return Round(terms.conjunction(map(terms.simplify, conditions)), after)

    def _constant(self, value: Value, type: Type) -> Term:
        return self._view.semantics.constant(value, type)  # type: ignore[arg-type]

    def _state(self, step: Step, here: Configuration) -> Pairs:
        """The state as values of the step's variables."""
        (thread,) = self._view.threads.threads
        variables = [*thread.locals, *self._view.threads.globals]
        values = [*here.locals[0], *here.globals]
        pairs = zip(variables, values, strict=True)
        return [(step.start[each.name], self._constant(value, each.type)) for each, value in pairs]

    def _weakened(self, held: Sequence[Term], rounds: tuple[Round, ...], start: Pairs) -> list[Term] | None:
        """The conditions without those that a round does not keep; None if there is a state with no round at all."""
        kept = list(held)
        for _ in range(MOST_WEAKENINGS):
            claimed = RecurrentSet(terms.conjunction(kept), rounds, start)
            match self._oracle.check(claimed.leaving(), kind="recurrence", seconds=PLAN.recurrence_question):
                case Unsat():
                    return kept
                case Sat(model):
                    taken = next((r for r in rounds if terms.is_true(value_in(model, r.condition))), None)
                    if taken is None:
                        return None
                    after = [terms.substitute(each, taken.after) for each in kept]
                    kept = [e for e, there in zip(kept, after, strict=True) if terms.is_true(value_in(model, there))]
                case _:
                    return None
        return None


def _named(procedure: Procedure, variables: Sequence[Variable]) -> dict[Variable, str]:
    """The variables that a name of the user's means, and no other one does."""
    texts = {variable: procedure.user_name(variable.name) for variable in variables}
    count = Counter(texts.values())
    return {variable: text for variable, text in texts.items() if text and count[text] == 1}


def _held(rounds: Sequence[Round], start: Pairs) -> list[Term]:
    """Comparisons that the rounds ask for, or their negations, and whether numbers are odd, as it is in the state."""
    asked = [node for each in rounds for node in walk.subterms(each.condition) if _is_atom(node)]
    numbers = [v for v in walk.free_variables(*(r.condition for r in rounds)) if terms.is_bitvector(v)]
    asked += [terms.equal(v & 1, terms.bitvector(1, terms.width(v))) for v in numbers]
    found: dict[int, Term] = {}
    for node in asked:
        holds = terms.is_true(terms.simplify(terms.substitute(node, start)))
        claim = node if holds else terms.negation(node)
        found[claim.get_id()] = claim
    return list(found.values())


def _is_atom(node: Term) -> bool:
    if not terms.is_boolean(node) or terms.is_and(node) or terms.is_or(node) or terms.is_not(node):
        return False
    return bool(walk.free_variables(node))


def _choices(trace: Trace | None) -> list[tuple[Term, Type]] | None:
    """What was chosen on the way, on all branches; None if something else was asked for."""
    found: list[tuple[Term, Type]] = []
    work = [trace]
    while work:
        match work.pop():
            case None:
                pass
            case Chosen(before, value, type):
                found.append((value, type))
                work.append(before)
            case Joined(_, then, otherwise):
                work += [then, otherwise]
            case Called() | Applied():
                return None
    return found
