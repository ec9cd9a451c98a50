"""Whether a run comes to one of many places: asked about one after the other, and first about what is near.

Assertions that were met on the way are part of the condition under which a run goes on. So most of them follow from the
few conditions and values that lie around them, and what was made before may be anything: that is a small question, and
a weaker one. What is left is asked of one solver, several places at a time, and what it has shown is a fact for what
comes later. What is too hard for it is looked at case by case. That no run comes to a place is never concluded from
anything but a solver's answer about a condition that holds in every such run, or from the ranges of what is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from sorrel.encode.unrolling import Ending
from sorrel.evidence.case_by_case import CaseByCase
from sorrel.evidence.following import asked
from sorrel.logic.graph import Graph
from sorrel.logic.nearby import nearby
from sorrel.logic.node import Node, Truth
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.smt.word_solver import WordSolver

NEAR = (100, 500)
"""Nodes around a place that are looked at first."""
NEAR_SECONDS = 1.0
PATIENCE = 4000
"""A distance is left out where so many nodes were looked at in vain, of which each success takes back two places."""
MOST_TOGETHER, TOGETHER_SECONDS = 16, 2.0
"""Places that are asked about together; where that is too little for one of them, it comes alone at the end."""
CASES_SHARE = 0.7
"""Of the time that is left then, for looking at these case by case."""
FEWER = 4
"""A part of them is asked about where there was not enough time, and no more of them from then on."""


@dataclass(slots=True, eq=False)
class LastQuestion:
    """Whether some run comes to one of the endings; `solver` knows a model if there is one."""

    graph: Graph
    endings: list[Ending]
    clock: Clock
    near: tuple[int, ...] = NEAR
    together: int = MOST_TOGETHER
    solver: WordSolver = field(default_factory=WordSolver)
    _failed: dict[int, int] = field(default_factory=dict)

    def answer(self) -> bool | None:
        """None: not decided in time."""
        left: list[Truth] = [each.guard for each in self.endings if not self._is_far_off(each.guard)]
        hard: list[Truth] = []
        together, most = 1, self.together
        while left:
            group = left[:together]
            found = self._ask_together(group)
            if found:
                return True
            if found is None and self.clock.late():
                return None
            if found is None and len(group) > 1:
                together = most = max(1, len(group) // FEWER)
                continue
            if found is None:
                hard += group
            left = left[len(group) :]
            together = min(most, 2 * together)
        return self._ask_alone(self._not_excluded(hard))

    def _is_far_off(self, guard: Truth) -> bool:
        """Whether what lies around it shows that no run comes there."""
        return any(self._ask_near(guard, most) is False for most in self._distances())

    def _distances(self) -> Iterator[int]:
        return (most for most in self.near if self._failed.get(most, 0) <= PATIENCE and not self.clock.late())

    def _ask_near(self, guard: Truth, most: int) -> bool | None:
        condition = nearby(guard, most) if isinstance(guard, Node) else None
        if condition is None:
            return None
        solver = WordSolver()
        solver.add(condition)
        found = asked(solver, [], self.clock, NEAR_SECONDS)
        failed = self._failed.get(most, 0)
        self._failed[most] = failed + most if found is not False else max(0, failed - 2 * most)
        return found

    def _ask_together(self, group: list[Truth]) -> bool | None:
        condition: Truth = False
        for each in group:
            condition = self.graph.disjunction(condition, each)
        found = asked(self.solver, [condition], self.clock, TOGETHER_SECONDS)
        if found is False:
            self.solver.add(self.graph.negation(condition))
        return found

    def _not_excluded(self, hard: list[Truth]) -> list[Truth]:
        """Those of which it is not shown, case by case, that no run comes there."""
        left: list[Truth] = []
        clock = self.clock.within(self.clock.until_deadline() * CASES_SHARE)
        for position, guard in enumerate(hard):
            own = clock.within(clock.until_deadline() / (len(hard) - position))
            if not CaseByCase(self.graph, own).excluded([guard]):
                left.append(guard)
        return left

    def _ask_alone(self, hard: list[Truth]) -> bool | None:
        """Each with as much of the time as the others, by a solver that knows of nothing else."""
        decided: bool | None = False
        for position, guard in enumerate(hard):
            self.solver = WordSolver()
            self.solver.add(guard)
            found = asked(self.solver, [], self.clock, self.clock.until_deadline() / (len(hard) - position))
            if found:
                return True
            decided = None if found is None else decided
        return decided
