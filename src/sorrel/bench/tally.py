"""Counting: what the tools solved, how long it took, and where they disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import median

from sorrel.bench.record import WRONG, Record
from sorrel.model.outcome import Answer
from sorrel.model.values import dataclass

QUICK = 1.0  # seconds; tasks below this show the overhead of a tool, not its method


@dataclass(frozen=True, slots=True)
class Tally:
    """One tool on some tasks; every task is safe, safe with something assumed, unsafe, unknown or wrong."""

    tool: str
    tasks: int
    safe: int
    assuming: int
    unsafe: int
    unknown: tuple[tuple[str, int], ...]  # cause and number, most frequent first
    wrong: int
    confirmed: int
    par2: float
    median: float | None  # seconds, of the solved

    @property
    def solved(self) -> int:
        return self.safe + self.assuming + self.unsafe

    @property
    def unsolved(self) -> int:
        return sum(number for _, number in self.unknown)


def tally(tool: str, records: Sequence[Record], wall_limit: float) -> Tally:
    solved = [record for record in records if record.solved]
    causes = Counter(record.cause for record in records if record.verdict is Answer.UNKNOWN)
    return Tally(
        tool,
        len(records),
        sum(record.verdict is Answer.SAFE for record in solved),
        sum(record.verdict is Answer.ASSUMING for record in solved),
        sum(record.verdict is Answer.UNSAFE for record in solved),
        tuple(sorted(causes.items(), key=lambda item: (-item[1], item[0]))),
        sum(record.correctness == WRONG for record in records),
        sum(record.confirmed for record in solved),
        par2(records, wall_limit),
        median(record.wall for record in solved) if solved else None,
    )


def par2(records: Sequence[Record], wall_limit: float) -> float:
    """The mean time for a task, where one that is not solved, or solved wrongly, counts twice the limit."""
    if not records:
        return 0.0
    times = (min(record.wall, wall_limit) if record.solved else 2 * wall_limit for record in records)
    return sum(times) / len(records)


def tools_of(records: Iterable[Record], order: Sequence[str] = ()) -> list[str]:
    """The tools that have records: first those in `order`, then by appearance."""
    present = dict.fromkeys(record.tool for record in records)
    return [tool for tool in order if tool in present] + [tool for tool in present if tool not in order]


def families_of(records: Iterable[Record]) -> list[tuple[str, str]]:
    """Suite and family, by appearance."""
    return list(dict.fromkeys((record.suite, record.family) for record in records))


def by_task(records: Iterable[Record]) -> list[list[Record]]:
    """The records of each task together, tasks by name."""

    def task(record: Record) -> tuple[str, str]:
        return record.suite, record.task

    return [list(group) for _, group in groupby(sorted(records, key=task), key=task)]


def missing(records: Sequence[Record]) -> int:
    """How many runs there would be more if each tool had run on each task."""
    return len(tools_of(records)) * len(by_task(records)) - len({record.key for record in records})


def wrong(records: Iterable[Record]) -> list[Record]:
    return [record for group in by_task(records) for record in group if record.correctness == WRONG]


def contradictions(records: Iterable[Record]) -> list[list[Record]]:
    """Tasks that one tool calls safe and another unsafe: one of them is wrong, whatever the index says."""
    return [
        [record for record in group if record.verdict is not Answer.UNKNOWN]
        for group in by_task(records)
        if {True, False} <= {record.verdict.is_proof for record in group if record.verdict is not Answer.UNKNOWN}
    ]


def solved_by_one(records: Iterable[Record]) -> list[Record]:
    """Tasks that several tools tried and one solved."""
    found = []
    for group in by_task(records):
        solvers = [record for record in group if record.solved]
        if len(group) > 1 and len(solvers) == 1:
            found.append(solvers[0])
    return found


@dataclass(frozen=True, slots=True)
class Overhead:
    """How much longer `tool` takes than the peer on tasks that the peer finds easy and both solve."""

    tool: str
    tasks: int
    median: float | None


def overheads(records: Sequence[Record], peer: str, tools: Iterable[str]) -> tuple[int, list[Overhead]]:
    """The number of tasks that the peer solves quickly, and the difference to each other tool on them."""
    quick = {
        (record.suite, record.task): record.wall
        for record in records
        if record.tool == peer and record.solved and record.wall < QUICK
    }
    rows = []
    for tool in tools:
        if tool != peer:
            differences = [
                record.wall - quick[record.suite, record.task]
                for record in records
                if record.tool == tool and record.solved and (record.suite, record.task) in quick
            ]
            rows.append(Overhead(tool, len(differences), median(differences) if differences else None))
    return len(quick), rows
