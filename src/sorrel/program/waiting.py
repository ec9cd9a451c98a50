"""A thread that waits forever while others go on: from some configuration on, what it waits for is never true again.

That is no matter of one state but of all that can come after it, whatever the other threads do and whatever is chosen.
So it is told of a set of configurations that is never left, in each of which the thread waits for what is false and
the program has not ended. That a thread was not scheduled, or that others took what it waited for time and again, is
something else: there it can go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.concurrency import STARTED
from sorrel.program.deadlocks import Blocked
from sorrel.program.interleaving import (
    RETURNED,
    STOPPED,
    Configuration,
    Impossible,
    Interleaving,
    Move,
    Moved,
    Schedule,
    Taken,
)
from sorrel.program.schedules import SMALL_VALUES, Exploration, Explored, Parents, explore, way
from sorrel.program.threads import Threads
from sorrel.program.value import Value


@dataclass(frozen=True, slots=True)
class WaitingForever:
    """After the schedule what the thread waits for is false, and stays so."""

    schedule: Schedule
    thread: int


class Waits:
    """Who waits for what is false, in which configuration."""

    def __init__(self, threads: Threads) -> None:
        self.interleaving = Interleaving(threads)
        self._threads = threads
        self._created = {
            each.name.removeprefix(STARTED): position
            for position, each in enumerate(threads.globals)
            if each.name.startswith(STARTED)
        }

    def place(self, thread: int, here: Configuration) -> Span | None:
        """Where the thread waits for what is false; None if it does not."""
        found = self._blocked(thread, here)
        return None if found is None else found.span

    def waiting(self, here: Configuration) -> Iterator[int]:
        return (thread for thread in range(len(self._threads.blocked)) if self._blocked(thread, here) is not None)

    def _blocked(self, thread: int, here: Configuration) -> Blocked | None:
        return next(
            (each for each in self._threads.blocked[thread] if self.interleaving.holds(each.condition, here)), None
        )

    def is_certain(self, here: Configuration, steps: Sequence[tuple[Move, Taken]]) -> bool:
        """Whether the steps are all that there are, and nothing is taken for granted in place of being looked at.

        A thread that cannot move has ended, was not created or waits; otherwise an assumption of the program cuts the
        run off, and nothing is known of those that it stands for.
        """
        return all(
            isinstance(taken, Moved) or (isinstance(taken, Impossible) and self._rests(move.thread, here))
            for move, taken in steps
        )

    def _rests(self, thread: int, here: Configuration) -> bool:
        created = self._created.get(str(thread))
        return (
            here.places[thread] == RETURNED
            or has_ended(here)
            or (created is not None and not here.globals[created])
            or self._blocked(thread, here) is not None
        )


def has_ended(here: Configuration) -> bool:
    """The return of main is the end of all."""
    return STOPPED in here.places or here.places[0] == RETURNED


@dataclass(slots=True, eq=False)
class Following:
    """What can come after each configuration, as numbers in the order in which they were met; a watcher."""

    waits: Waits
    numbers: dict[Configuration, int] = field(default_factory=dict)
    before: list[list[int]] = field(default_factory=list)
    uncertain: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)
    waiting: list[frozenset[int]] = field(default_factory=list)
    parents: Parents = field(default_factory=dict)

    def __call__(self, here: Configuration, taken: Sequence[tuple[Move, Taken]], parents: Parents) -> None:
        self.parents = parents
        number = self._number(here)
        self.uncertain.discard(number)
        if not self.waits.is_certain(here, taken):
            self.uncertain.add(number)
        for _, each in taken:
            if isinstance(each, Moved):
                self.before[self._number(each.configuration)].append(number)

    def _number(self, here: Configuration) -> int:
        """A configuration whose steps were not taken yet is uncertain."""
        number = self.numbers.setdefault(here, len(self.numbers))
        if number == len(self.before):
            self.before.append([])
            self.uncertain.add(number)
            self.waiting.append(frozenset(self.waits.waiting(here)))
            if has_ended(here):
                self.ended.add(number)
        return number

    def stuck(self, thread: int, escapes: set[int]) -> list[int]:
        """Where the thread waits, and nothing that can come leads to where it does not, or to those."""
        free = escapes | {number for number, waiting in enumerate(self.waiting) if thread not in waiting}
        work = list(free)
        while work:
            new = [each for each in self.before[work.pop()] if each not in free]
            free.update(new)
            work += new
        return [number for number in range(len(self.waiting)) if number not in free]

    def excludes(self, explored: Explored) -> bool:
        """Whether each thread that waits can still go on, or the program can end, wherever it is."""
        if explored.error is not None or not explored.complete or self.uncertain:
            return False
        return not any(self.stuck(each, self.ended) for each in range(len(self.waits.interleaving.threads.blocked)))

    def forever(self) -> WaitingForever | None:
        """The first configuration from which a thread waits forever for all that is known."""
        found = [
            (stuck[0], thread)
            for thread in range(len(self.waits.interleaving.threads.blocked))
            if (stuck := self.stuck(thread, self.ended | self.uncertain))
        ]
        if not found:
            return None
        number, thread = min(found)
        here = next(each for each, known in self.numbers.items() if known == number)
        return WaitingForever(way(self.parents, here), thread)


@dataclass(frozen=True, slots=True)
class Watched:
    """What was explored, and a thread that waits forever, if one was seen.

    `excluded`: in all configurations that there are, each thread that waits can still go on, or the program can end.
    """

    explored: Explored
    forever: WaitingForever | None = None
    excluded: bool = False


def watched(
    threads: Threads,
    *,
    most: int,
    values: Sequence[Value] = SMALL_VALUES,
    go_on: Callable[[], bool] = lambda: True,
) -> Watched:
    """Interleavings, as they are explored otherwise, and what they tell of threads that wait."""
    if not any(threads.blocked):
        return Watched(explore(threads, most=most, values=values, go_on=go_on))
    following = Following(Waits(threads))
    explored = explore(threads, most=most, values=values, go_on=go_on, watcher=following)
    if explored.error is not None:
        return Watched(explored)
    return Watched(explored, following.forever(), following.excludes(explored))


def nobody_waits_forever(threads: Threads, most: int) -> int | None:
    """How many configurations there are, if in each of them whoever waits can still go on or the program can end."""
    found = watched(threads, most=most)
    return len(found.explored.reached) if found.excluded else None


def stays_waiting(threads: Threads, start: Configuration, thread: int, most: int) -> int | None:
    """How many configurations can come after one, if the thread waits in each of them and the program never ends.

    None if it is not so, or if it is not known of `most` configurations.
    """
    waits = Waits(threads)
    sound = True

    def look(here: Configuration, taken: Sequence[tuple[Move, Taken]], parents: Parents) -> None:
        nonlocal sound
        sound = (
            sound and waits.place(thread, here) is not None and not has_ended(here) and waits.is_certain(here, taken)
        )

    explored = Exploration(waits.interleaving).run(most, lambda: sound, look, start)
    return len(explored.reached) if sound and explored.complete and explored.error is None else None
