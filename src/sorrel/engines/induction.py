"""k-induction: what k rounds without an error exclude in the next, told as an invariant of one round.

States from which an error is at most k steps away are computed backward, a step at a time, within facts that are known
to be inductive. When a step brings nothing new, all other states stay among themselves (docs/engines/induction.md).
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.engines.backward import Backward, search_backward
from sorrel.engines.engine import Circumstances
from sorrel.engines.one_call import no_paths
from sorrel.engines.options import INDUCTION, BackwardOptions
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Unknown, Verdict
from sorrel.logic import terms


class Induction:
    """Proofs of linear clauses; where it meets an error on the way it asks for the path to it."""

    def __init__(self, options: BackwardOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return no_paths(system)

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        found = search_backward(system, run, seeds, self._options.levels, _closed)
        return found if isinstance(found, Unknown) else replace(found, by=INDUCTION)


def _closed(backward: Backward, is_new: bool) -> Summaries | None:
    if is_new:
        return None
    return {
        name: terms.conjunction([backward.facts.get(name, terms.TRUE), terms.negation(backward.near(name))])
        for name in backward.system.predicate
    }
