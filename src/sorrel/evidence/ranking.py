"""Do these ranks show that every obligation is disjunctively well-founded?

Two things make it so. Each rank is a well-founded relation: that is a theorem about relations of this form (see
`horn.verdict.Rank`), so the relation is built here, from the components, and the components are looked at: they
must be numbers that depend on the variables before the step alone. And the union of the ranks contains the
relation of the obligation under the summaries: that is asked.
"""

from __future__ import annotations

import time

import z3

from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.evidence.seconds import CHECKING
from sorrel.horn.clause import WellFounded
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Rank, Ranks, Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term


def check_ranks(system: HornSystem, summaries: Summaries, ranks: Ranks, seconds: float = CHECKING) -> Result:
    known = {obligation.name for obligation in system.obligations}
    for name in ranks:
        if name not in known:
            return Rejected(f"there are ranks for {name}, which is not an obligation")
    deadline = time.monotonic() + seconds
    for obligation in system.obligations:
        own = ranks.get(obligation.name, ())
        problem = _shape_problem(obligation, own)
        if problem:
            return Rejected(problem)
        result = _check_inclusion(obligation, summaries, own, deadline - time.monotonic())
        if not isinstance(result, Accepted):
            return result
    count = sum(map(len, ranks.values()))
    return Accepted(f"{len(system.obligations)} obligations within {count} well-founded relations")


def _shape_problem(obligation: WellFounded, ranks: tuple[Rank, ...]) -> str:
    """Why some rank is not one of this obligation."""
    variables = [*obligation.before, *obligation.after]
    if len({v.get_id() for v in variables}) != len(variables) or len(obligation.before) != len(obligation.after):
        return f"obligation {obligation.name} does not relate distinct variables place by place"
    if not all(b.sort() == a.sort() for b, a in zip(obligation.before, obligation.after, strict=True)):
        return f"obligation {obligation.name} relates variables of different sorts"
    allowed = {variable.get_id() for variable in obligation.before}
    for rank in ranks:
        for component in rank.components:
            if not terms.is_arithmetic(component):
                return f"a component of a rank of {obligation.name} is not a number"
            if any(v.get_id() not in allowed for v in walk.free_variables(component)):
                return f"a rank of {obligation.name} speaks of something else than the variables before a step"
            if walk.uninterpreted_applications(component):
                return f"a rank of {obligation.name} uses a symbol without a meaning"
    return ""


def _check_inclusion(obligation: WellFounded, summaries: Summaries, ranks: tuple[Rank, ...], seconds: float) -> Result:
    if seconds <= 0:
        return NotConfirmed("time ran out while the ranks were checked")
    relation = [terms.substitute(summaries[atom.predicate.name], atom.bind()) for atom in obligation.relation]
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(*relation, z3.Not(union(obligation, ranks)))
    try:
        answer = solver.check()
    except z3.Z3Exception as problem:
        return NotConfirmed(f"the solver failed on obligation {obligation.name}: {problem}")
    if answer == z3.unsat:
        return Accepted()
    if answer == z3.sat:
        return Rejected(f"the relation of obligation {obligation.name} has steps outside its ranks")
    return NotConfirmed(f"the solver could not decide obligation {obligation.name}: {solver.reason_unknown()}")


def union(obligation: WellFounded, ranks: tuple[Rank, ...]) -> Term:
    """The union of the ranks as a formula; bound and decrease of a component stand in the same disjunct."""
    step = list(zip(obligation.before, obligation.after, strict=True))
    cases = []
    for rank in ranks:
        not_increased: list[Term] = []
        for here in rank.components:
            there = terms.substitute(here, step)
            cases.append(z3.And(*not_increased, here >= 0, there <= here - 1))
            not_increased.append(there <= here)
    return terms.disjunction(cases)
