"""Is a set of states recurrent: does it contain the given state, and does every state in it have a step back into it?

Then a run from the state never has to leave the set, whatever grows on the way (Gupta, Henzinger, Majumdar,
Rybalchenko, Xu, Proving non-termination, POPL 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from sorrel.checking.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

Pairs = Sequence[tuple[Term, Term]]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """One way to come back: where `condition` holds of the variables, they get the values in `after`."""

    condition: Term
    after: Pairs


def check_recurrent(states: Term, rounds: Sequence[Round], start: Pairs, seconds: float = 60.0) -> Result:
    """`start` gives each variable its value; nothing but these variables may occur."""
    known = {variable.get_id() for variable, _ in start}
    spoken = [states, *(r.condition for r in rounds), *(value for r in rounds for _, value in r.after)]
    if any(variable.get_id() not in known for variable in walk.free_variables(*spoken)):
        return Rejected("the set or a round speaks of something that is no variable of the loop")
    if any(walk.uninterpreted_applications(term) for term in spoken):
        return Rejected("the set or a round uses a symbol without a meaning")
    if not terms.is_true(terms.simplify(terms.substitute(states, start))):
        return Rejected("the run does not reach the set")
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(leaving(states, rounds))
    answer = solver.check()
    if answer == z3.unsat:
        return Accepted("every state of the set has a step back into it")
    return Rejected("a state of the set has no step back") if answer == z3.sat else NotConfirmed(solver.reason_unknown())


def leaving(states: Term, rounds: Sequence[Round]) -> Term:
    """Of a state of the set: no round leads back into it."""
    back = [terms.conjunction([r.condition, terms.substitute(states, r.after)]) for r in rounds]
    return terms.conjunction([states, terms.negation(terms.disjunction(back))])
