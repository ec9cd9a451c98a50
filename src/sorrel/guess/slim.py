"""A proof without what it does not need: of the conjuncts of its summaries, a part that is a proof by itself."""

from __future__ import annotations

from sorrel.guess.houdini import Houdini
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.smt.solver import Oracle

MOST_CLAUSES = 300


def slim(system: HornSystem, summaries: Summaries, oracle: Oracle) -> Summaries:
    """The same summaries if nothing can be dropped, or if that cannot be decided; the caller checks them as any."""
    if len(system.clauses) > MOST_CLAUSES or not system.queries:
        return summaries
    conjuncts = {name: terms.conjuncts(summary) for name, summary in summaries.items()}
    needed = Houdini(system, conjuncts, oracle, {}).support()
    if needed is None:
        return summaries
    return {name: terms.conjunction(found) for name, found in needed.items()}
