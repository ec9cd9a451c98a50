"""The runs of a program, followed for a while: which of them are known to exist, and when to stop."""

from __future__ import annotations

import time
from dataclasses import field
from random import Random

from sorrel.encode.unrolling import Ending, Unrolled, unrolled
from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Truth
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER, NEVER
from sorrel.program.cutting import Cuts
from sorrel.program.program import Program
from sorrel.smt.word_solver import WordSolver

STEP = 120
"""Units of work for a statement that is executed once for all runs."""
POSSIBLE_SECONDS = 0.3
"""For the question whether a loop goes on. Not knowing that takes time, and is not wrong."""
ASKING_SECONDS, ASKING_SHARE = 1.0, 0.25
"""For all such questions together, beside that part of what following takes."""
FIRST_MODELS, MOST_MODELS = 4, 12
"""Runs that are made up at the start, and of which it is known what they do."""
FIRST_LOOK = 1 << 10
"""After so many steps it is asked whether a run fails; then after four times as many, until that is too hard."""


class _Found(Exception):
    """Some run fails: the others need not be followed."""


@dataclass(slots=True, eq=False)
class Following:
    """`models` are runs that are known to exist: what one of them does need not be asked about."""

    clock: Clock
    looking: bool = True
    """Whether to stop as soon as some run fails."""
    runs: Unrolled = field(default_factory=Unrolled)
    solver: WordSolver = field(default_factory=WordSolver)
    models: list[Model] = field(default_factory=list)
    _luck: Random = field(default_factory=lambda: Random(1))
    _started: float = field(default_factory=time.process_time)
    _asking: float = 0.0
    _pause: int = 0
    _doubts: int = 0
    _counted: int = 0
    _next: int = FIRST_LOOK

    def __post_init__(self) -> None:
        self.models = [self._model({}) for _ in range(FIRST_MODELS)]

    def follow(self, program: Program, wraps: bool, cuts: Cuts, apart: bool = False) -> bool:
        """Whether all runs were followed, but for those that the solver called impossible."""
        try:
            return unrolled(program, wraps, self.runs, self.possible, self._going_on, cuts, apart)
        except _Found:
            return False

    def possible(self, condition: Truth) -> bool:
        """Unless the solver says no, in the time that it has."""
        for position, model in enumerate(self.models):
            if model.holds(condition):
                self.models.insert(0, self.models.pop(position))
                return True
        if self._pause:
            self._pause -= 1
            return True
        if self._asking > ASKING_SECONDS + ASKING_SHARE * (time.process_time() - self._started):
            return True
        return self._ask(condition) is not False

    def _going_on(self) -> bool:
        METER.add((self.runs.steps - self._counted) * STEP)
        self._counted = self.runs.steps
        if self.looking and self.runs.steps >= self._next:
            self._next *= 4
            found = self._ask(some(self.runs.graph, self.runs.failed))
            if found:
                raise _Found
            if found is None:
                self._next = NEVER
        return not self.clock.expired()

    def _ask(self, condition: Truth) -> bool | None:
        """Each time that the solver does not know, more rounds are followed before it is asked again."""
        begun = time.process_time()
        found = asked(self.solver, [condition], self.clock, POSSIBLE_SECONDS)
        self._asking += time.process_time() - begun
        if found is None:
            self._doubts += 1
            self._pause = 3 * self._doubts
        if found:
            self.models = [self._model(self.solver.model()), *self.models[: MOST_MODELS - 1]]
        return found

    def _model(self, known: dict[Node, int]) -> Model:
        """What is chosen later is small, and any."""

        def choose(node: Node) -> int:
            found = known.get(node)
            return min(max(self._luck.randrange(-1, 12), node.low), node.high) if found is None else found

        return Model(choose)


def asked(solver: WordSolver, conditions: list[Truth], clock: Clock, seconds: float) -> bool | None:
    """For so many seconds of the processor at most, and until the deadline."""
    end = time.process_time() + seconds
    return solver.ask(conditions, lambda: time.process_time() >= end or clock.late())


def some(graph: Graph, endings: list[Ending]) -> Truth:
    found: Truth = False
    for ending in endings:
        found = graph.disjunction(found, ending.guard)
    return found
