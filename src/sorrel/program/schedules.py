"""All interleavings of a program with threads, where they are few.

Exploring is the truth that tests compare proofs with, for programs with few states, and a proof where it is complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from sorrel.model.values import dataclass
from sorrel.model.work import METER, STEP
from sorrel.program.expression import Constant
from sorrel.program.interleaving import (
    Configuration,
    Failed,
    Interleaving,
    Move,
    Moved,
    Open,
    Schedule,
    Taken,
    UndefinedInThread,
)
from sorrel.program.statement import Assert, Choice, Kind
from sorrel.program.threads import Threads
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.types import BOOLEAN, Array
from sorrel.program.value import Value, fits

Parents: TypeAlias = Mapping[Configuration, tuple[Configuration, Move] | None]


@dataclass(frozen=True, slots=True)
class Explored:
    """`reached` are the configurations met; `complete`: there are no others, for any values chosen, and no step from
    one of them is without a meaning."""

    reached: tuple[Configuration, ...]
    error: Schedule | None
    complete: bool


class Watcher(Protocol):
    """Looks on while interleavings are explored."""

    def __call__(self, here: Configuration, taken: Sequence[tuple[Move, Taken]], parents: Parents) -> None:
        """`taken` are all steps from here for the values that are tried; and `Open` ones where there are others."""


SMALL_VALUES: tuple[Value, ...] = (0, 1)
MOVE = 20
"""Steps of a program that take as long as one of a configuration."""
MOST_MENTIONED, LARGEST_MENTIONED = 4, 1_000


def mentioned_values(threads: Threads) -> tuple[Value, ...]:
    """Small values, and the smallest numbers that the program mentions: what it compares its inputs with."""
    numbers = {
        abs(part.value)
        for thread in threads.threads
        for block in thread.procedure.blocks
        for step in steps(block)
        for expression in expressions(step)
        for part in subexpressions(expression)
        if isinstance(part, Constant) and isinstance(part.value, int) and not isinstance(part.value, bool)
    }
    more = sorted(n for n in numbers | {2, 3} if 1 < n <= LARGEST_MENTIONED)
    return (*SMALL_VALUES, *more[:MOST_MENTIONED])


def explore(
    threads: Threads,
    *,
    most: int = 100_000,
    values: Sequence[Value] = SMALL_VALUES,
    go_on: Callable[[], bool] = lambda: True,
    watcher: Watcher | None = None,
) -> Explored:
    """Breadth-first, with the given values for each choice, until an error is found."""
    return Exploration(Interleaving(threads), values).run(most, go_on, watcher)


class Exploration:
    def __init__(self, interleaving: Interleaving, values: Sequence[Value] = SMALL_VALUES) -> None:
        self._interleaving = interleaving
        self._threads = range(len(interleaving.threads.threads))
        self._values = values

    def run(
        self,
        most: int,
        go_on: Callable[[], bool],
        watcher: Watcher | None = None,
        start: Configuration | None = None,
    ) -> Explored:
        first = start or self._interleaving.start()
        if isinstance(first, Open):
            return Explored((), None, False)
        parents: dict[Configuration, tuple[Configuration, Move] | None] = {first: None}
        waiting, complete = deque([first]), True
        while waiting:
            if len(parents) > most or not go_on():
                return self._explored(parents, None, False)
            here = waiting.popleft()
            steps = [each for thread in self._threads for each in self._moves(here, thread)]
            for move, taken in steps:
                match taken:
                    case Failed(Assert(kind=Kind.POSSIBLE_RACE)):
                        complete = False
                    case Failed():
                        return self._explored(parents, (*way(parents, here), move), False)
                    case Open() | UndefinedInThread():
                        complete = False
                    case Moved(configuration) if configuration not in parents:
                        parents[configuration] = (here, move)
                        waiting.append(configuration)
                    case _:
                        pass
            if watcher is not None:
                watcher(here, steps, parents)
        return self._explored(parents, None, complete)

    def _explored(self, parents: Parents, error: Schedule | None, complete: bool) -> Explored:
        return Explored(tuple(dict.fromkeys(map(self._interleaving.completed, parents))), error, complete)

    def _moves(self, here: Configuration, thread: int) -> Iterator[tuple[Move, Taken]]:
        """The steps of a thread, for all values that are tried; and `Open` where there are others."""
        waiting: list[tuple[Value, ...]] = [()]
        while waiting:
            choices = waiting.pop()
            move = Move(thread, choices)
            taken = self._interleaving.step(here, move)
            METER.add(MOVE * STEP)
            if not isinstance(taken, Open):
                yield move, taken
                continue
            waiting += [(*choices, value) for value in self._options(taken)]
            if taken.type != BOOLEAN or taken.choice is Choice.ABSTRACTION:
                yield move, taken

    def _options(self, open_: Open) -> list[Value]:
        if open_.choice is Choice.ABSTRACTION or isinstance(open_.type, Array):
            return []
        if open_.type == BOOLEAN:
            return [False, True]
        return [value for value in self._values if fits(value, open_.type)]


def way(parents: Parents, here: Configuration) -> Schedule:
    moves: list[Move] = []
    known = parents[here]
    while known is not None:
        here, move = known
        moves.append(move)
        known = parents[here]
    return tuple(reversed(moves))
