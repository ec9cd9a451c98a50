"""Runs that never end though they never come back to a state: a loop and a set of states that it need not leave.

The set is a conjunction of conditions that the loop itself asks for, in the program's own machine integers: unsigned
ones wrap, and a round in which a signed operation has no value is no round. It starts with all that hold in a state
which a run reaches; those that a round does not keep are taken away. What is chosen is one value throughout. A loop
must come back to its head without passing the head of another.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.evidence.endless_loop import Recurrence, goes_on
from sorrel.evidence.loop_rounds import LoopRounds, Visit
from sorrel.horn.recurrence import Pairs, RecurrentSet, Round
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import value_in
from sorrel.logic.terms import Term
from sorrel.program.program import Program
from sorrel.smt.solver import Oracle, Sat, Unsat
from sorrel.testing.plan import PLAN

VALUES = (0, 1, 2, 5, 10)
"""What is chosen, throughout a run."""
MOST_WEAKENINGS = 60
VISITS = frozenset({1, 2, 3, 12, 60})
"""At which visits of a head its state is looked at."""


def find_recurrence(program: Program, oracle: Oracle) -> Recurrence | None:
    """Of a program without recursion, whose run goes on for long; whoever uses it as evidence checks it."""
    loops = LoopRounds.of(program)
    if loops is None:
        return None
    for value in VALUES:
        for visit in loops.visits(value):
            if oracle.clock.expired():
                return None
            if visit.number in VISITS:
                states = _states(loops, visit, value, oracle)
                if states is not None and goes_on(program, value):
                    return Recurrence(visit.head, value, visit.number, states)
    return None


def _states(loops: LoopRounds, visit: Visit, value: int, oracle: Oracle) -> tuple[Term, ...] | None:
    rounds = loops.rounds(visit.head, value)
    if not rounds:
        return None
    start = loops.state(visit)
    return _weakened(_held(rounds, start), rounds, start, oracle)


def _weakened(held: Sequence[Term], rounds: tuple[Round, ...], start: Pairs, oracle: Oracle) -> tuple[Term, ...] | None:
    """The conditions without those that a round does not keep; None if there is a state with no round at all."""
    kept = list(held)
    for _ in range(MOST_WEAKENINGS):
        claimed = RecurrentSet(terms.conjunction(kept), rounds, start)
        match oracle.check(claimed.leaving(), kind="recurrence", seconds=PLAN.recurrence_question):
            case Unsat():
                return tuple(kept)
            case Sat(model):
                taken = next((r for r in rounds if terms.is_true(value_in(model, r.condition))), None)
                if taken is None:
                    return None
                after = [terms.substitute(each, taken.after) for each in kept]
                kept = [e for e, there in zip(kept, after, strict=True) if terms.is_true(value_in(model, there))]
            case _:
                return None
    return None


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
