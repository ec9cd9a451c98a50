"""Whether a run comes to one of many places: asked about one after the other, and first about what is near.

Assertions that were met on the way are part of the condition under which a run goes on. So most of them follow from the
few conditions and values that lie around them, and what was made before may be anything: that is a small question, and
a weaker one. What is left is asked of one solver, several places at a time, and what it has shown is a fact for what
comes later. What is too hard for it is asked without words, or as sums and orders of integers, and then looked at case
by case. That no run comes to a place is never concluded from anything but a solver's answer about a condition that
holds in every such run, or from the ranges of what is chosen.
"""

from __future__ import annotations

import time
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
from sorrel.model.work import NEVER
from sorrel.smt.integer_solver import SOLVER as INTEGERS
from sorrel.smt.integer_solver import IntegerSolver
from sorrel.smt.word_solver import SOLVER as WORDS
from sorrel.smt.word_solver import WordSolver

NEAR = (100, 500)
"""Nodes around a place that are looked at first."""
NEAR_SECONDS = 1.0
PATIENCE = 4000
"""A distance is left out where so many nodes were looked at in vain, of which each success takes back two places."""
FEW = 8
"""Places that are looked at once more before it is said that they are not clear soon."""
SLOW_SECONDS, MOST_SLOW = 0.5, 3
"""After so many questions that took so long, the places that are left are asked about with less of what is known."""
LESS_SECONDS, MOST_FAILED = 1.5, 3
"""For a place of which less is known; and how many in vain, one after the other, are too many."""
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
    soon: bool = False
    """What takes long is left open."""
    solver: WordSolver = field(default_factory=WordSolver)
    solvers: tuple[str, ...] = (WORDS,)
    """Whose word it is that no run comes to any of them."""
    _failed: dict[int, int] = field(default_factory=dict)

    def answer(self) -> bool | None:
        """None: not decided in time."""
        left: list[Truth] = [each.guard for each in self.endings if not self._is_far_off(each.guard)]
        found, hard, left = self._ask_all(left, MOST_SLOW)
        if self.soon and not found and len(hard) + len(left) > FEW:
            return None
        if not found and not self.clock.late():
            unclear = set(self._not_excluded_by_less([*hard, *left]))
            hard, left = [each for each in hard if each in unclear], [each for each in left if each in unclear]
            if self.soon and unclear:
                return None
            found, more, left = self._ask_all(left, NEVER)
            hard += more
        if found or left:
            return found or None
        return self._ask_alone(self._not_excluded(hard))

    def _ask_all(self, left: list[Truth], patience: int) -> tuple[bool, list[Truth], list[Truth]]:
        """Whether there is a model of one of them; which are too hard; and all that are left once so many took long."""
        hard: list[Truth] = []
        together, most, slow = 1, self.together, 0
        while left and slow < patience:
            group = left[:together]
            begun = time.process_time()
            found = self._ask_together(group)
            slow += time.process_time() - begun >= SLOW_SECONDS
            if found or (found is None and self.clock.late()):
                return bool(found), hard, left
            if found is None and len(group) > 1:
                together = most = max(1, len(group) // FEWER)
                continue
            hard += group if found is None else ()
            left = left[len(group) :]
            together = min(most, 2 * together)
        return False, hard, left

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

    def _not_excluded_by_less(self, guards: list[Truth]) -> list[Truth]:
        """Those that are possible, or unclear, where words may be anything, and where all is sums and orders.

        A solver that knows of nothing else comes last; but what has shown the one before is asked first.
        """
        left: list[Truth] = []
        words, integers = WordSolver(open_words=True), IntegerSolver()

        def excluded_without_words(guard: Truth) -> bool:
            found = asked(words, [guard], self.clock, LESS_SECONDS) is False
            if found:
                words.add(self.graph.negation(guard))
            return found

        def excluded_as_integers(guard: Truth) -> bool:
            found = integers.excludes(guard, self.clock.until_deadline(LESS_SECONDS))
            self.solvers = (WORDS, INTEGERS) if found else self.solvers
            return found

        def excluded_alone(guard: Truth) -> bool:
            alone = WordSolver()
            alone.add(guard)
            return asked(alone, [], self.clock, 3 * LESS_SECONDS) is False

        ways = [excluded_without_words, excluded_as_integers, excluded_alone]
        failed = dict.fromkeys(ways, 0)
        for guard in guards:
            for way in [each for each in ways if failed[each] < MOST_FAILED and not self.clock.late()]:
                if way(guard):
                    failed[way] = 0
                    ways = [way, *(each for each in ways if each is not way)]
                    break
                failed[way] += 1
            else:
                left.append(guard)
        return left

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
