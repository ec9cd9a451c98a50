"""Facts about a loop that is not written out: guessed from runs, and those kept that every round keeps (Houdini:
Flanagan and Leino, FME 2001), where a round is followed for all states at once."""

from __future__ import annotations

import time

from sorrel.encode.unrolling import Ending
from sorrel.evidence.following import Following, asked, some
from sorrel.logic.graph_model import Model
from sorrel.methods.loop_claims import kept_together, model_of
from sorrel.methods.loop_guesses import further_guesses, plain_guesses, sum_guesses
from sorrel.methods.loop_terms import Seen, numbers_of, seen
from sorrel.methods.plan import LOOPS
from sorrel.model.budget import Clock
from sorrel.program.cutting import Cut, Fact, cut_at, rounds_alone
from sorrel.program.program import Program
from sorrel.smt.word_solver import WordSolver
from sorrel.testing.loop_states import loop_states


class LoopGuesses:
    """A loop, what runs show of it, and the facts that were kept so far."""

    def __init__(self, program: Program, label: str, seed: int) -> None:
        cut = cut_at(program, label)
        if cut is None:
            raise ValueError(f"{label} is not a loop of which one round can stand for all")
        self.cut = cut
        self._rounds = rounds_alone(program, label)
        numbers = numbers_of(program)
        states = loop_states(program, label, numbers, seed)
        self._seen: Seen | None = seen(program, cut, states, numbers) if states else None
        self._plain: tuple[Fact, ...] = tuple(plain_guesses(self._seen)) if self._seen is not None else ()

    def further(self) -> tuple[Fact, ...]:
        """Facts under conditions, sums and counts, too; what was not kept alone may be kept with these."""
        if self._seen is None:
            return ()
        kept = frozenset(part for fact in self.cut.facts for part in fact)
        guesses = dict.fromkeys((*sum_guesses(self._seen), *self._plain, *further_guesses(self._seen, kept)))
        return tuple(fact for fact in guesses if fact not in self.cut.facts)

    def keep_plain(self, beside: tuple[Cut, ...], clock: Clock) -> bool:
        """Of bounds and comparisons, those that every round keeps; whether there was time to find them."""
        others, facts = {each.label: each for each in beside}, self._plain
        kept = self._kept_at_once(others, clock)
        if kept is not None:
            self.cut = Cut(self.cut.label, self.cut.changed, kept)
            return True
        while not clock.expired():
            search = Following(LOOPS.round.of(clock), looking=False)
            cut = Cut(self.cut.label, self.cut.changed, facts)
            if not search.follow(self._rounds, False, {**others, cut.label: cut}):
                return False
            lost = _lost(search, clock)
            if not lost:
                self.cut = cut
                return True
            facts = tuple(fact for fact in facts if fact not in lost)
        return False

    def _kept_at_once(self, others: dict[str, Cut], clock: Clock) -> tuple[Fact, ...] | None:
        """With one walk, which takes nothing for granted: None if rounds are too long for that."""
        search = Following(LOOPS.round_at_once.of(clock), looking=False)
        if not search.follow(self._rounds, False, {**others, self.cut.label: self.cut}):
            return None
        found = kept_together(search.runs, [(self.cut.label, fact) for fact in self._plain], clock)
        return None if found is None else tuple(fact for _, fact in found)


def _lost(search: Following, clock: Clock) -> set[Fact]:
    """Facts that some round does not keep, or of which that is not known in time."""
    left, lost = list(search.runs.broken), set[Fact]()

    def drop(model: Model) -> None:
        nonlocal left
        lost.update(fact for fact, ending in left if model.holds(ending.guard))
        left = [(fact, ending) for fact, ending in left if fact not in lost]

    for model in search.models:
        drop(model)
    solver, longest = WordSolver(), 0.0
    while left:
        seconds = max(LOOPS.lost_next, longest) if lost else LOOPS.lost_question
        begun = time.process_time()
        found = asked(solver, [some(search.runs.graph, [ending for _, ending in left])], clock, seconds)
        longest = max(longest, time.process_time() - begun)
        if found is False or (found is None and lost):
            return lost
        if found is None:
            return _unclear(left, clock)
        before = len(left)
        drop(model_of(solver))
        if len(left) == before:
            return lost | {fact for fact, _ in left}
    return lost


def _unclear(left: list[tuple[Fact, Ending]], clock: Clock) -> set[Fact]:
    """One by one, and those that are not clear soon are given up."""
    solver = WordSolver()
    return {fact for fact, each in left if asked(solver, [each.guard], clock, LOOPS.kept_each) is not False}
