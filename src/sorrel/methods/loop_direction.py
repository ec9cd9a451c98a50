"""Which guesses about loops a proof needs: those that exclude states from which something fails, and those that
exclude states from which a round breaks one of these.

All runs are followed once, with nothing but what is known; a model of what may go wrong is a state at the head of a
loop. Guesses that are false of it are taken, those that some round breaks from a state of which all guesses are true
are given up. What is given up is no part of any set of guesses that rounds keep (as with Houdini: Flanagan and Leino,
FME 2001), but what nobody needs is not looked at (as with IC3: Bradley, VMCAI 2011).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from sorrel.encode.unrolling import Arrival, Unrolled
from sorrel.evidence.following import asked
from sorrel.logic.graph import Truth
from sorrel.logic.graph_model import Model
from sorrel.methods.loop_facts import EACH_SECONDS, QUESTION_SECONDS
from sorrel.model.budget import Clock
from sorrel.program.cutting import Fact
from sorrel.smt.word_solver import WordSolver

AT_ONCE = 4
"""So many guesses that exclude a state are taken."""

Guess = tuple[str, Fact]
"""A fact at the head of a loop."""


class _Claim:
    """A guess among the runs that were followed: when it is true before any round, and which runs break it."""

    def __init__(self, guess: Guess, runs: Unrolled) -> None:
        self.guess = guess
        self._runs = runs

    def _all(self, arrival: Arrival) -> Truth:
        found: Truth = True
        for part in self.guess[1]:
            found = self._runs.graph.conjunction(found, self._runs.claim(arrival.state, part))
        return found

    def _arrivals(self, begins: bool) -> Iterable[Arrival]:
        return (each for each in self._runs.arrivals if each.label == self.guess[0] and each.begins is begins)

    @cached_property
    def holds(self) -> Truth:
        found: Truth = True
        for each in self._arrivals(begins=True):
            here = self._runs.graph.implication(each.state.path.guard, self._all(each))
            found = self._runs.graph.conjunction(found, here)
        return found

    @cached_property
    def breaks(self) -> Truth:
        found: Truth = False
        for each in self._arrivals(begins=False):
            here = self._runs.graph.conjunction(each.state.path.guard, self._runs.graph.negation(self._all(each)))
            found = self._runs.graph.disjunction(found, here)
        return found


class Direction:
    """A search among guesses, which is told what has been followed."""

    def __init__(self, runs: Unrolled, guesses: Iterable[Guess]) -> None:
        self._runs = runs
        self._left = [_Claim(each, runs) for each in guesses]
        self._taken: list[_Claim] = []
        self._goals = [each.guard for each in (*runs.failed, *runs.left_out)]
        self._solver = WordSolver()

    def search(self, clock: Clock) -> tuple[Guess, ...] | None:
        """Guesses with which nothing fails and that every round keeps; None if there are none, or not in time.

        Whoever asks about them next knows them while runs are followed, and may decide what was not decided here.
        """
        while not clock.expired():
            found = self._model(clock)
            if found is None:
                return tuple(each.guess for each in self._taken)
            excluding = [each for each in self._left if not found.holds(each.holds)]
            if excluding:
                self._take(excluding[:AT_ONCE])
            elif not self._give_up(found):
                return None
        return None

    def _take(self, claims: list[_Claim]) -> None:
        self._taken += claims
        self._left = [each for each in self._left if each not in claims]

    def _give_up(self, model: Model) -> bool:
        """What is broken from a state that nothing excludes; whether that is anything but what was to be shown."""
        broken = {each for each in (*self._taken, *self._left) if model.holds(each.breaks)}
        if broken.isdisjoint(self._taken):
            return False
        self._taken = [each for each in self._taken if each not in broken]
        self._left = [each for each in self._left if each not in broken]
        return True

    def _model(self, clock: Clock) -> Model | None:
        """A run that fails, or breaks what was taken, from a state of which all of that is true."""
        known = [each.holds for each in self._taken]
        goal: Truth = False
        for each in (*self._goals, *(claim.breaks for claim in self._taken)):
            goal = self._runs.graph.disjunction(goal, each)
        found = asked(self._solver, [*known, goal], clock, QUESTION_SECONDS)
        if found is None:
            return self._one_by_one(known, clock)
        return self._read() if found else None

    def _one_by_one(self, known: list[Truth], clock: Clock) -> Model | None:
        """What is not clear soon is given up if it is a guess, and left to others if it was to be shown."""
        unclear = set[_Claim]()
        for goal in list(self._goals):
            found = asked(self._solver, [*known, goal], clock, EACH_SECONDS)
            if found:
                return self._read()
            if found is None:
                self._goals.remove(goal)
        for claim in self._taken:
            found = asked(self._solver, [*known, claim.breaks], clock, EACH_SECONDS)
            if found:
                return self._read()
            if found is None:
                unclear.add(claim)
        if not unclear:
            return None
        self._taken = [each for each in self._taken if each not in unclear]
        return self._model(clock)

    def _read(self) -> Model:
        known = self._solver.model()
        return Model(lambda node: known[node] if node in known else max(0, node.low))
