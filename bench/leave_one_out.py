"""What each method of the default is worth: the tasks that it decided, asked again of the default without it.

python -m bench.leave_one_out RESULTS SUITE [--property P] [--tool portfolio] [--timeout 20] [--cpu-time S] [--most 4]
                              --output FOLDER

RESULTS is a folder in which `sorrel bench` recorded the default. Whoever decides a task without a method that had not
decided it decides it as before, so only the others are asked: of each method at most so many, evenly chosen, of those
that the default decided within the limit. The default is asked beside, under the same limits on the same machine, and
lost is what it decides and the default without the method does not. FOLDER keeps the runs: none is made twice.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sorrel.bench.process import Limits
from sorrel.bench.record import Ledger, Record
from sorrel.bench.runner import run_suite
from sorrel.bench.suite import Selection, Task, read_tasks
from sorrel.bench.summary import table
from sorrel.bench.tool import Tool, builtin_tools, choose_tools

HEADINGS = (
    *("left out", "it had decided", "asked", "decided with it", "lost"),
    *("median with it (CPU s)", "median without it (CPU s)", "lost are"),
)


@dataclass(frozen=True, slots=True)
class Worth:
    """What became of the tasks that a method had decided, once it was left out."""

    method: str
    decided: int
    before: tuple[Record, ...]
    after: tuple[Record, ...]

    @property
    def lost(self) -> tuple[Record, ...]:
        known = {record.task for record in self.before if record.solved}
        return tuple(record for record in self.after if record.task in known and not record.solved)

    def row(self) -> tuple[str, ...]:
        numbers = (self.decided, len(self.after), sum(record.solved for record in self.before), len(self.lost))
        names = ", ".join(Path(record.task).stem for record in self.lost)
        return (self.method, *map(str, numbers), _median(self.before), _median(self.after), names)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("suite", nargs="+")
    parser.add_argument("--property", default="")
    parser.add_argument("--tool", default="portfolio", help="the tool that was recorded")
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--cpu-time", type=float, help="of all processes of a run together; none by default")
    parser.add_argument("--most", type=int, default=4, help="tasks for each method")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    known = {task.name: task for task in read_tasks(options.suite, Selection(property=options.property))}
    recorded = [each for each in Ledger(options.results).read() if each.tool == options.tool]
    limits = Limits(options.timeout, options.cpu_time)
    (whole,) = choose_tools([options.tool], builtin_tools())
    found = []
    for method, (decided, chosen) in by_method(recorded, known, limits, options.most).items():
        tools = [whole, without(whole, method)]
        report = run_suite([known[name] for name in chosen], tools, limits, options.output, wanted=options.property)
        runs = [each for each in report.records if each.task in chosen]
        both = [tuple(each for each in runs if each.tool == tool.name) for tool in tools]
        found.append(Worth(method, decided, *both))
        print(table(HEADINGS, [found[-1].row()]), file=sys.stderr, flush=True)
    print(table(HEADINGS, [each.row() for each in found]))
    return 0


def without(tool: Tool, method: str) -> Tool:
    """The same tool with a schedule in which the method has no step."""
    return replace(tool, name=f"{tool.name}-without-{method}", engine=f"{tool.engine}-{method}")


def by_method(
    recorded: Iterable[Record], known: Mapping[str, Task], limits: Limits, most: int
) -> dict[str, tuple[int, list[str]]]:
    """How many tasks each method decided, and which of them are asked again."""
    decided: dict[str, list[Record]] = {}
    for record in recorded:
        if record.solved and record.task in known:
            decided.setdefault(record.engine, []).append(record)
    return {
        method: (len(records), evenly([each.task for each in records if _is_within(each, limits)], most))
        for method, records in decided.items()
    }


def _is_within(record: Record, limits: Limits) -> bool:
    return record.wall <= limits.wall and (limits.cpu is None or record.cpu <= limits.cpu)


def evenly(tasks: Sequence[str], most: int) -> list[str]:
    """Some of them, always the same, from the first to the last."""
    if len(tasks) <= most:
        return list(tasks)
    return [tasks[number * len(tasks) // most] for number in range(most)]


def _median(records: Sequence[Record]) -> str:
    times = sorted(record.cpu for record in records)
    return f"{times[len(times) // 2]:.1f}" if times else ""


if __name__ == "__main__":
    sys.exit(main())
