"""Whether a run comes to one of a few places, case by case: what runs choose is halved again and again.

Where a number that is chosen lies in a smaller range, much is decided that was not, and is no part of the condition any
more: of a loop over years those rounds alone are left in which the year may be found. So a half of the range often
needs half of the condition, and all halves together are made in little more time than the first. A solver is asked
about what is small enough for it to say no soon.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sorrel.encode.bounds import Bounds
from sorrel.evidence.following import asked
from sorrel.logic.graph import Graph
from sorrel.logic.narrowed import Narrowed, between
from sorrel.logic.node import Node, Truth
from sorrel.logic.whole import Range
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.smt.word_solver import WordSolver

CASE_SECONDS = 0.1
"""For the question about a case, which is halved again if that is too little."""
AGAIN = 30
"""Units of work for a node that is made again."""
FIRST_SIZE, LESS, MORE = 300.0, 0.9, 1.02
"""Nodes that a solver is asked about at first; fewer once that was too hard, and more once it was not."""
MOST_CHOSEN = 8
"""Numbers that are chosen, of which that one is halved which leaves the least; with more there are too many cases."""
SOON, LEAST = 200, 0.001
"""After so many cases that part of all has to be settled."""


@dataclass(slots=True, eq=False)
class CaseByCase:
    """`size`: so many nodes at most may be asked about."""

    graph: Graph
    clock: Clock
    size: float = FIRST_SIZE
    cases: int = 0

    def excluded(self, guards: Iterable[Truth]) -> bool:
        """Whether no run satisfies any of these conditions; false also if that was not found out."""
        work = [(tuple(guards), 1.0)]
        settled = 0.0
        while work:
            if self.clock.late() or (self.cases >= SOON and settled < LEAST):
                return False
            case, part = work.pop()
            halves = self._left_of(case)
            if halves is None:
                return False
            work += [(half, part / 2) for half in halves]
            settled += 0.0 if halves else part
        return True

    def _left_of(self, case: tuple[Truth, ...]) -> list[tuple[Truth, ...]] | None:
        """No case if none is left, else its halves; None if it is possible, or cannot be halved."""
        self.cases += 1
        left = self._tightened(case)
        if not left:
            return []
        nodes = _below(left)
        if nodes is None:
            return None
        found = self._ask(left, nodes) if len(nodes) <= self.size else None
        if found is None:
            return self._halved(left, nodes)
        return None if found else []

    def _tightened(self, guards: tuple[Truth, ...]) -> tuple[Truth, ...]:
        """With what is chosen between the numbers that the conditions themselves leave; without what cannot be."""
        while True:
            known = [(guard, Bounds()) for guard in guards if guard is not False]
            known = [(guard, bounds) for guard, bounds in known if bounds.learn(guard)]
            guards = tuple(guard for guard, _ in known)
            nodes = _below(guards)
            if not nodes:
                return guards
            ranges = {each: _hull([bounds.of(each) for _, bounds in known]) for each in _chosen(nodes)}
            nearer = {each: found for each, found in ranges.items() if found != (each.low, each.high)}
            if not nearer:
                return guards
            guards = self._narrowed(guards, nearer)

    def _narrowed(self, guards: tuple[Truth, ...], ranges: dict[Node, Range]) -> tuple[Truth, ...]:
        narrowed = Narrowed(self.graph, ranges)
        made = tuple(found for found in map(narrowed.truth, guards) if found is not False)
        METER.add(AGAIN * len(narrowed))
        return made

    def _ask(self, guards: tuple[Truth, ...], nodes: set[Node]) -> bool | None:
        solver, goal = WordSolver(), self.graph.disjunction(False, False)
        for each in guards:
            goal = self.graph.disjunction(goal, each)
        solver.add(goal)
        for variable in _chosen(nodes):
            for limit in between(variable):
                solver.add(limit)
        found = asked(solver, [], self.clock, CASE_SECONDS)
        self.size = min(self.size, len(nodes)) * LESS if found is None else self.size * MORE
        return found

    def _halved(self, guards: tuple[Truth, ...], nodes: set[Node]) -> list[tuple[Truth, ...]] | None:
        """By the number whose halves leave the least; None if there is none, or there are too many."""
        best: tuple[int, list[tuple[Truth, ...]]] | None = None
        wide = [each for each in _chosen(nodes) if each.low < each.high]
        if len(wide) > MOST_CHOSEN:
            return None
        for each in wide:
            middle = (each.low + each.high) // 2
            halves = [self._narrowed(guards, {each: found}) for found in ((each.low, middle), (middle + 1, each.high))]
            left = sum(len(_below(half) or ()) for half in halves)
            if best is None or left < best[0]:
                best = left, halves
        return None if best is None else best[1]


def _below(guards: Sequence[Truth]) -> set[Node] | None:
    """All that the conditions are made of; None if one of them holds whatever is chosen."""
    if any(guard is True for guard in guards):
        return None
    seen = {guard for guard in guards if isinstance(guard, Node)}
    stack = list(seen)
    while stack:
        for part in stack.pop().parts:
            if isinstance(part, Node) and part not in seen:
                seen.add(part)
                stack.append(part)
    return seen


def _chosen(nodes: Iterable[Node]) -> list[Node]:
    return sorted((each for each in nodes if each.kind == "variable"), key=lambda each: str(each.parts[0]))


def _hull(ranges: Sequence[Range]) -> Range:
    return min(low for low, _ in ranges), max(high for _, high in ranges)
