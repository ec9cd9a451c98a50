"""All runs of a program, loops written out and calls followed: evidence that it is safe, or a run that shows it is not.

Where no run is left out and none fails, there is nothing more to know of assertions. What says so is one question to a
fresh solver, without quantifiers; whoever followed the runs is not believed that some of them end somewhere.
"""

from __future__ import annotations

import time
from dataclasses import field, replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.unrolling import Ending, Unrolled, choices, unrolled
from sorrel.encode.words import TooWide, Words
from sorrel.evidence.effort import Effort
from sorrel.evidence.error_run import accept_error_run
from sorrel.evidence.run import REPEATED_STEPS
from sorrel.finite.overflow import Overflow
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, unknown
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.program.program import Program
from sorrel.program.shrinking import shrunk
from sorrel.smt.word_solver import SOLVER, WordSolver

STEP = 3_000
"""Units of work for a statement that is executed once for all runs."""
FOLLOWING_SHARE = 0.6
"""Of the time, for following runs; what is left is for the question whether one fails."""
POSSIBLE_SECONDS = 0.3
"""For the question whether a loop goes on. Not knowing that takes time, and is not wrong."""
FIRST_LOOK = 1 << 10
"""After so many steps it is asked whether a run fails; then after twice as many, and so on."""


MORE = (
    "there are more rounds of loops, deeper calls or larger numbers than were followed; none of the runs that were"
    " followed fails"
)


class _Found(Exception):
    """Some run fails: the others need not be followed."""


@dataclass(slots=True, eq=False)
class _Search:
    clock: Clock
    runs: Unrolled = field(default_factory=Unrolled)
    solver: WordSolver = field(default_factory=WordSolver)
    _told: int = 0
    _counted: int = 0
    _next: int = FIRST_LOOK

    def possible(self, condition: Term) -> bool:
        """Unless the solver says no, in the time that it has."""
        return self._ask(condition, POSSIBLE_SECONDS) is not False

    def going_on(self) -> bool:
        METER.add((self.runs.steps - self._counted) * STEP)
        self._counted = self.runs.steps
        if self.runs.steps >= self._next:
            self._next *= 2
            if self._ask(failing(self.runs), POSSIBLE_SECONDS):
                raise _Found
        return not self.clock.expired()

    def _ask(self, condition: Term, seconds: float) -> bool | None:
        for definition in self.runs.definitions[self._told :]:
            self.solver.add(definition)
        self._told = len(self.runs.definitions)
        return asked(self.solver, [condition], self.clock, seconds)


def asked(solver: WordSolver, conditions: list[Term], clock: Clock, seconds: float) -> bool | None:
    """For so many seconds of the processor at most, and until the deadline."""
    end = time.process_time() + seconds
    return solver.ask(conditions, lambda: time.process_time() >= end or clock.late())


def failing(runs: Unrolled) -> Term:
    return terms.disjunction(ending.guard for ending in runs.failed)


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    program: Program
    task: Task
    semantics: Words
    about: Outcome


def accept_all_runs(program: Program, task: Task, arithmetic: Arithmetic, about: Outcome, effort: Effort) -> Outcome:
    """Safe if every run was followed to its end and none fails; unsafe if one fails that can be repeated."""
    wraps = Overflow.WRAP if arithmetic is Arithmetic.WRAPPED_BITS else None
    search = _Search(effort.clock.share(FOLLOWING_SHARE))
    try:
        question = _Question(program, task, Words(program, wraps), about)
        complete = _followed(program, question.semantics, search)
    except TooWide as problem:
        return unknown(Cause.UNSUPPORTED, f"{problem} are not modelled as bit-vectors")
    effort.sizes["steps"] = search.runs.steps
    return _judged(question, search.runs, complete, effort)


def _followed(program: Program, semantics: Words, search: _Search) -> bool:
    """Whether all runs were followed, but for those that the solver called impossible."""
    try:
        return unrolled(program, semantics, search.runs, search.possible, search.going_on)
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
    ending = _ended(solver, runs.failed) if found else None
    if found and ending is None:
        solver, found = _fresh(runs, runs.failed, effort)
        ending = _ended(solver, runs.failed) if found else None
    if ending is not None:
        values = shrunk(question.program, choices(ending, question.semantics, solver.value), REPEATED_STEPS)
        return accept_error_run(question.program, values, question.about, question.task, effort)
    if found is None:
        return unknown(Cause.TIME, "whether one of the runs fails was not decided in time")
    return unknown(Cause.INCOMPLETE, MORE)


def _fresh(runs: Unrolled, endings: list[Ending], effort: Effort) -> tuple[WordSolver, bool | None]:
    """Whether some run comes to one of the endings, by a solver that knows of nothing else."""
    solver = WordSolver()
    for definition in runs.definitions:
        solver.add(definition)
    solver.add(terms.disjunction(ending.guard for ending in endings))
    return solver, asked(solver, [], effort.clock, effort.clock.until_deadline())


def _ended(solver: WordSolver, endings: list[Ending]) -> Ending | None:
    """The ending that the run of the solver's model comes to; of several the one that was met first."""
    return next((ending for ending in endings if terms.is_true(solver.value(ending.guard))), None)
