"""What a component's contract is worth: whether it is one, and what it then says about each procedure.

Nothing here looks at how a contract was found or where it was kept. The theorem is in docs/modular-evidence.md.
"""

from __future__ import annotations

from enum import StrEnum

from sorrel.evidence.result import Result
from sorrel.evidence.summaries import check_summaries, contradictory
from sorrel.horn.clause import Predicate, Role
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.printing import infix
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.values import dataclass
from sorrel.modular.component import Component
from sorrel.modular.plan import PLAN
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Oracle, Sat, Unsat

CHECK_SECONDS = 20.0
"""The longest time for the clauses of one component: real seconds, since evidence is checked."""


class Standing(StrEnum):
    """What is known of a procedure, in every state that it may be called in."""

    PROVED = "proved"  # nothing goes wrong in it, nor in what it calls
    CONDITIONAL = "conditional"  # nothing goes wrong if callers grant what its contract requires
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Judged:
    """`requires`: over the inputs, in words for people, where the standing is conditional."""

    standing: Standing
    requires: str = ""


def accepted(component: Component, contracts: Summaries, seconds: float = CHECK_SECONDS) -> Result:
    """Whether all clauses of the component are valid under the contracts, its own and those of its callees."""
    return check_summaries(component.system, contracts, seconds)


def standing(predicate: Predicate, summary: Term) -> Judged:
    """What an accepted summary says about failures."""
    ok = [formal for formal, a in zip(predicate.formals, predicate.arguments, strict=True) if a.role is Role.OK]
    if not ok:
        return Judged(Standing.PROVED)
    failing = terms.simplify(terms.substitute(summary, [(flag, terms.FALSE) for flag in ok]))
    if terms.is_false(failing) or contradictory(failing):
        return Judged(Standing.PROVED)
    oracle = Oracle(Budget(seconds=PLAN.standing).start(), query_seconds=PLAN.standing, measure_sizes=False)
    match oracle.check(failing, kind="standing"):
        case Unsat():
            return Judged(Standing.PROVED)
        case Sat():
            return _conditional(predicate, failing, oracle)
    return Judged(Standing.UNKNOWN)


def standings(component: Component, contracts: Summaries) -> dict[str, Judged]:
    """What accepted summaries say about each procedure of the component."""
    return {name: standing(predicate, contracts[predicate.name]) for name, predicate in component.functions.items()}


def _conditional(predicate: Predicate, failing: Term, oracle: Oracle) -> Judged:
    """Whether there are inputs for which the summary excludes a failure."""
    roles = zip(predicate.formals, predicate.arguments, strict=True)
    outputs = [formal for formal, argument in roles if argument.role is not Role.INPUT]
    blamed = project_exact(oracle, failing, outputs, seconds=PLAN.standing_projection)
    if blamed is None:
        return Judged(Standing.UNKNOWN)
    requires = terms.simplify(terms.negation(blamed))
    if isinstance(oracle.check(requires, kind="standing"), Sat):
        return Judged(Standing.CONDITIONAL, infix(requires))
    return Judged(Standing.UNKNOWN)
