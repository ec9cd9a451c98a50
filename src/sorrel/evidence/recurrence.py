"""Is a set of states recurrent: does it contain the given state, and does every state in it have a step back into it?

Then a run from the state never has to leave the set, whatever grows on the way (Gupta, Henzinger, Majumdar,
Rybalchenko, Xu, Proving non-termination, POPL 2008).
"""

from __future__ import annotations

import z3

from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.evidence.seconds import CHECKING
from sorrel.horn.recurrence import RecurrentSet
from sorrel.logic import terms, walk


def check_recurrent(claimed: RecurrentSet, seconds: float = CHECKING) -> Result:
    """Nothing but the variables of the start may occur: what a round leaves open would have to be chosen."""
    known = {variable.get_id() for variable, _ in claimed.start}
    rounds = claimed.rounds
    spoken = [claimed.states, *(r.condition for r in rounds), *(value for r in rounds for _, value in r.after)]
    if any(variable.get_id() not in known for variable in walk.free_variables(*spoken)):
        return Rejected("the set or a round speaks of something that is not a variable of the loop")
    if any(walk.uninterpreted_applications(term) or walk.has_quantifier(term) for term in spoken):
        return Rejected("the set or a round uses a symbol without a meaning, or a quantifier")
    if not terms.is_true(terms.simplify(terms.substitute(claimed.states, claimed.start))):
        return Rejected("the run does not reach the set")
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(claimed.leaving())
    answer = solver.check()
    if answer == z3.unsat:
        return Accepted("every state of the set has a step back into it")
    if answer == z3.sat:
        return Rejected("a state of the set has no step back")
    return NotConfirmed(f"the solver could not decide whether the set can be left: {solver.reason_unknown()}")
