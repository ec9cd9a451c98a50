"""Which guesses about loops a proof needs: those that exclude states from which something fails, and those that
exclude states from which a round breaks one of these.

All runs are followed once, with nothing but what is known; a model of what may go wrong is a state at the head of a
loop. Guesses that are false of it are taken, those that some round breaks from a state of which all guesses are true
are given up. What is given up is no part of any set of guesses that rounds keep (as with Houdini: Flanagan and Leino,
FME 2001), but what nobody needs is not looked at (as with IC3: Bradley, VMCAI 2011).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from sorrel.encode.unrolling import Unrolled
from sorrel.evidence.following import asked
from sorrel.logic.graph_model import Model
from sorrel.methods.loop_claims import Claim, Guess, any_of, is_excluded_near, model_of
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

    def search(self, clock: Clock) -> Iterator[tuple[Guess, ...]]:
        """Guesses with which nothing fails and that every round keeps, or may be such as far as is clear soon.

        Whoever asks about them next knows them while runs are followed, and may decide what was not decided here.
        """
        self._goals = [each for each in self._goals if not is_excluded_near(each, clock)]
        while not clock.expired():
            is_clear, model = self._ask(clock)
            if is_clear and model is None:
                yield self._guesses()
                return
            if not is_clear:
                yield self._guesses()
                before = len(self._taken)
                model = self._one_by_one(clock)
                if model is None and len(self._taken) == before:
                    return
            if model is None:
                continue
            excluding = next((each for each in self._left if not model.holds(each.holds)), None)
            if excluding is not None:
                self._take(excluding)  # more of them would have to be kept, too
            elif not self._give_up(model):
                return

    def _guesses(self) -> tuple[Guess, ...]:
        return tuple(each.guess for each in self._taken)

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

    def _ask(self, clock: Clock) -> tuple[bool, Model | None]:
        """Whether it is clear if something fails, or breaks what was taken, where all that is true; a run that does."""
        known = [each.holds for each in self._taken]
        goal = any_of(self._runs.graph, (*self._goals, *(claim.breaks for claim in self._taken)))
        found = asked(self._solver, [*known, goal], clock, LOOPS.needed_question)
        return found is not None, model_of(self._solver) if found else None

    def _one_by_one(self, clock: Clock) -> Model | None:
        """What is not clear soon is given up if it is a guess, and left to others if it was to be shown."""
        known = [each.holds for each in self._taken]
        unclear = set[Claim]()
        begun = time.process_time()
        for goal in list(self._goals):
            if time.process_time() - begun >= LOOPS.needed_left:
                self._goals.remove(goal)
                continue
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
        self._taken = [each for each in self._taken if each not in unclear]
        return None
