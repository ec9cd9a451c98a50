"""Write the families of tasks: python bench/generate.py OUT [--family NAME] [--scale 10,30,100] [--widths 4,8]

Every file is OUT/FAMILY/NAME.smt2, and OUT/index.csv says which verdict is expected of it. The same call writes
the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.families import FAMILIES, entries, finite, scale
from bench.families.entries import EntriesTask
from bench.families.finite import FiniteTask
from bench.families.horn import Task, write

COLUMNS = ("family", "file", "expected_verdict", "verdict_source", "confidence")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    chosen = dict.fromkeys(options.family or [*FAMILIES, scale.FAMILY])
    tasks = [task for family in chosen for task in tasks_of(family, options.scale, options.widths)]
    write_suite(options.out, tasks)
    count = Counter(task.safe for task in tasks)
    unknown = f", {count[None]} not known" if count[None] else ""
    print(f"{len(tasks)} tasks in {options.out}: {count[True]} safe, {count[False]} unsafe{unknown}")
    return 0


def tasks_of(
    family: str, lengths: Sequence[int] = scale.LENGTHS, widths: Sequence[int] = finite.WIDTHS
) -> Sequence[Task | FiniteTask | EntriesTask]:
    if family == entries.FAMILY:
        return entries.tasks()
    if family in finite.FAMILIES:
        return finite.tasks(family, widths)
    return scale.tasks(lengths) if family == scale.FAMILY else FAMILIES[family]()


def write_suite(out: Path, tasks: Sequence[Task | FiniteTask | EntriesTask]) -> None:
    """The files of the tasks, and an index of exactly these."""
    rows = []
    for task in tasks:
        file = Path(task.family, f"{task.name}.smt2")
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        text = write(task) if isinstance(task, Task) else task.write()
        (out / file).write_text(text, encoding="utf-8")
        verdict = "unknown" if task.safe is None else "sat" if task.safe else "unsat"
        rows.append((task.family, file.as_posix(), verdict, task.reason, "high"))
    with (out / "index.csv").open("w", newline="", encoding="utf-8") as index:
        writer = csv.writer(index, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Write families of Horn tasks with known verdicts, and their index.")
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument(
        "--family",
        action="append",
        choices=[*FAMILIES, scale.FAMILY, entries.FAMILY, *finite.FAMILIES],
        help="only this family; may be repeated. The finite ones and entries are written only when they are named",
    )
    parser.add_argument(
        "--widths",
        type=_lengths,
        default=finite.WIDTHS,
        metavar="N,N,...",
        help=f"bits of a word in the finite families (default {','.join(map(str, finite.WIDTHS))})",
    )
    parser.add_argument(
        "--scale",
        type=_lengths,
        default=scale.LENGTHS,
        metavar="N,N,...",
        help=f"lengths of the chains of the scale family (default {','.join(map(str, scale.LENGTHS))})",
    )
    return parser


def _lengths(text: str) -> tuple[int, ...]:
    """Lengths as numbers, each once and in order."""
    try:
        lengths = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a list of numbers: {text}") from None
    if lengths[0] < 1:
        raise argparse.ArgumentTypeError("a chain has at least one procedure, a word one bit")
    return lengths


if __name__ == "__main__":
    sys.exit(main())
