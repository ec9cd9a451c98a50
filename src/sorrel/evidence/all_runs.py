"""All runs of a program, loops written out and calls followed: evidence that it is safe, or a run that shows it is not.

Where no run is left out and none fails, there is nothing more to know of assertions. What says so is one question to a
fresh solver, without quantifiers; whoever followed the runs is not believed that some of them end somewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import field, replace
from random import Random

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.unrolled_choices import choices
from sorrel.encode.unrolled_operations import TooWide
from sorrel.encode.unrolling import Ending, Unrolled, unrolled
from sorrel.evidence.effort import Effort
from sorrel.evidence.error_run import accept_error_run
from sorrel.evidence.run import REPEATED_STEPS
from sorrel.logic.graph import Graph, Node, Truth
from sorrel.logic.graph_model import Model
from sorrel.model.budget import Clock
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, unknown
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.model.work import METER, NEVER
from sorrel.program.program import Program
from sorrel.program.shrinking import shrunk
from sorrel.smt.word_solver import SOLVER, WordSolver

STEP = 200
"""Units of work for a statement that is executed once for all runs."""
FOLLOWING_SHARE = 0.6
"""Of the time, for following runs; what is left is for the question whether one fails."""
POSSIBLE_SECONDS = 0.3
"""For the question whether a loop goes on. Not knowing that takes time, and is not wrong."""
ASKING_SECONDS, ASKING_SHARE = 1.0, 0.4
"""For all such questions together, beside that part of what following takes."""
FIRST_MODELS, MOST_MODELS = 4, 12
"""Runs that are made up at the start, and of which it is known what they do."""
FIRST_LOOK = 1 << 10
"""After so many steps it is asked whether a run fails; then after four times as many, until that is too hard."""


MORE = (
    "there are more rounds of loops, deeper calls or larger numbers than were followed; none of the runs that were"
    " followed fails"
)


class _Found(Exception):
    """Some run fails: the others need not be followed."""


@dataclass(slots=True, eq=False)
class _Search:
    """`models` are runs that are known to exist: what one of them does need not be asked about."""

    clock: Clock
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

    def going_on(self) -> bool:
        METER.add((self.runs.steps - self._counted) * STEP)
        self._counted = self.runs.steps
        if self.runs.steps >= self._next:
            self._next *= 4
            found = self._ask(_some(self.runs.graph, self.runs.failed))
            if found:
                raise _Found
            if found is None:
                self._next = NEVER
        return not self.clock.expired()

    def _ask(self, condition: Truth) -> bool | None:
        """Each time that the solver does not know, more rounds are followed before it is asked again."""
        begun = time.process_time()
        found = _asked(self.solver, [condition], self.clock, POSSIBLE_SECONDS)
        self._asking += time.process_time() - begun
        if found is None:
            self._doubts += 1
            self._pause = self._doubts
        if found:
            self.models = [self._model(self.solver.model()), *self.models[: MOST_MODELS - 1]]
        return found

    def _model(self, known: dict[Node, int]) -> Model:
        """What is chosen later is small, and any."""

        def choose(node: Node) -> int:
            found = known.get(node)
            return min(max(self._luck.randrange(-1, 12), node.low), node.high) if found is None else found

        return Model(choose)


def _asked(solver: WordSolver, conditions: list[Truth], clock: Clock, seconds: float) -> bool | None:
    """For so many seconds of the processor at most, and until the deadline."""
    end = time.process_time() + seconds
    return solver.ask(conditions, lambda: time.process_time() >= end or clock.late())


def _some(graph: Graph, endings: list[Ending]) -> Truth:
    found: Truth = False
    for ending in endings:
        found = graph.disjunction(found, ending.guard)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    program: Program
    task: Task
    about: Outcome


def accept_all_runs(program: Program, task: Task, arithmetic: Arithmetic, about: Outcome, effort: Effort) -> Outcome:
    """Safe if every run was followed to its end and none fails; unsafe if one fails that can be repeated."""
    search = _Search(effort.clock.share(FOLLOWING_SHARE))
    try:
        complete = _followed(program, arithmetic is Arithmetic.WRAPPED_BITS, search)
    except TooWide as problem:
        return unknown(Cause.UNSUPPORTED, f"{problem} are not modelled as bit-vectors")
    effort.sizes["steps"] = search.runs.steps
    return _judged(_Question(program, task, about), search.runs, complete, effort)


def _followed(program: Program, wraps: bool, search: _Search) -> bool:
    """Whether all runs were followed, but for those that the solver called impossible."""
    try:
        return unrolled(program, wraps, search.runs, search.possible, search.going_on)
    except _Found:
        return False


def _judged(question: _Question, runs: Unrolled, complete: bool, effort: Effort) -> Outcome:
    """One question if all runs were followed: whether one of them fails, or is one of those that were left out."""
    started = time.monotonic()
    solver, found = _fresh(runs, [*runs.failed, *runs.left_out] if complete else runs.failed, effort)
    if found is False and complete:
        detail = f"all runs were followed, {runs.steps} steps of all of them together, and none fails"
        confirmation = Confirmation(SOLVER, True, time.monotonic() - started, detail)
        done = replace(question.about, answer=Answer.SAFE, reason=None, confirmations=(confirmation,))
        return replace(done, notes=(detail,), missing=(), arithmetic="")
    model = Model(_chosen(solver)) if found else None
    ending = _ended(model, runs.failed)
    if found and ending is None:
        solver, found = _fresh(runs, runs.failed, effort)
        model = Model(_chosen(solver)) if found else None
        ending = _ended(model, runs.failed)
    if model is not None and ending is not None:
        values = shrunk(question.program, choices(ending.trace, model), REPEATED_STEPS)
        return accept_error_run(question.program, values, question.about, question.task, effort)
    if found is None:
        return unknown(Cause.TIME, "whether one of the runs fails was not decided in time")
    return unknown(Cause.INCOMPLETE, MORE)


def _fresh(runs: Unrolled, endings: list[Ending], effort: Effort) -> tuple[WordSolver, bool | None]:
    """Whether some run comes to one of the endings, by a solver that knows of nothing else."""
    solver = WordSolver()
    solver.add(_some(runs.graph, endings))
    return solver, _asked(solver, [], effort.clock, effort.clock.until_deadline())


def _chosen(solver: WordSolver) -> Callable[[Node], int]:
    """What the solver's model chooses; what it did not ask for may be anything."""
    known = solver.model()
    return lambda node: known[node] if node in known else max(0, node.low)


def _ended(model: Model | None, endings: list[Ending]) -> Ending | None:
    """The ending that the run of the model comes to; of several the one that was met first."""
    return next((ending for ending in endings if model is not None and model.holds(ending.guard)), None)
