"""Which guesses about loops a proof needs: those that exclude states from which something fails, and those that
exclude states from which a round breaks one of these.

All runs are followed once, with nothing but what is known; a model of what may go wrong is a state at the head of a
loop. Guesses that are false of it are taken, those that some round breaks from a state of which all guesses are true
are given up. What is given up is no part of any set of guesses that rounds keep (as with Houdini: Flanagan and Leino,
FME 2001), but what nobody needs is not looked at (as with IC3: Bradley, VMCAI 2011).
"""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.encode.unrolling import Unrolled
from sorrel.evidence.following import asked
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Truth
from sorrel.methods.loop_claims import Claim, Guess, any_of, model_of
from sorrel.methods.plan import LOOPS
from sorrel.model.budget import Clock
from sorrel.smt.word_solver import WordSolver


class Direction:
    """A search among guesses, which is told what has been followed."""

    def __init__(self, runs: Unrolled, guesses: Iterable[Guess]) -> None:
        self._runs = runs
        self._left = [Claim(each, runs) for each in guesses]
        self._taken: list[Claim] = []
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
            excluding = next((each for each in self._left if not found.holds(each.holds)), None)
            if excluding is not None:
                self._take(excluding)  # more of them would have to be kept, too
            elif not self._give_up(found):
                return None
        return None

    def _take(self, claim: Claim) -> None:
        self._taken.append(claim)
        self._left.remove(claim)

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
        goal = any_of(self._runs.graph, (*self._goals, *(claim.breaks for claim in self._taken)))
        found = asked(self._solver, [*known, goal], clock, LOOPS.needed_question)
        if found is None:
            return self._one_by_one(known, clock)
        return model_of(self._solver) if found else None

    def _one_by_one(self, known: list[Truth], clock: Clock) -> Model | None:
        """What is not clear soon is given up if it is a guess, and left to others if it was to be shown."""
        unclear = set[Claim]()
        for goal in list(self._goals):
            found = asked(self._solver, [*known, goal], clock, LOOPS.needed_each)
            if found:
                return model_of(self._solver)
            if found is None:
                self._goals.remove(goal)
        for claim in self._taken:
            found = asked(self._solver, [*known, claim.breaks], clock, LOOPS.needed_each)
            if found:
                return model_of(self._solver)
            if found is None:
                unclear.add(claim)
        if not unclear:
            return None
        self._taken = [each for each in self._taken if each not in unclear]
        return self._model(clock)
