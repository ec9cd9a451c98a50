"""Ranks for the steps of one group of calls, by whoever searches: claims that become assertions."""

from __future__ import annotations

from sorrel.encode.descent import REACHED, Descent, Group
from sorrel.evidence.effort import Effort
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Rank, Ranks
from sorrel.methods.termination.obligations import simplified
from sorrel.methods.termination.ranks import Search
from sorrel.model.budget import Clock
from sorrel.model.options import Options


def find_ranks(system: HornSystem, clock: Clock) -> tuple[Ranks, bool]:
    """A rank for each obligation, and whether they are for all steps; else they are for some."""
    groups = tuple(Group((), each.relation[0].predicate, (), (), each) for each in system.obligations)
    reached = frozenset(each.name for each in system.predicates if each.name.startswith(REACHED))
    made = Descent({}, system, groups, reached)
    search = Search(made, simplified(made).system, Effort(Options(), clock, lambda _: None))
    search.run()
    found: dict[str, tuple[Rank, ...]] = {}
    for group in groups:
        name = group.obligation.name
        found[name] = (search.found[name] if name in search.found else search.part(group),)
    return found, len(search.found) == len(groups)
