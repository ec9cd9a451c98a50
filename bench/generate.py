"""Write the families of tasks: python bench/generate.py OUT [--family NAME] [--scale 10,30,100]

Every file is OUT/FAMILY/NAME.smt2, and OUT/index.csv says which verdict is expected of it. The same call writes
the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.families import FAMILIES, scale
from bench.families.horn import Task, write

COLUMNS = ("family", "file", "expected_verdict", "verdict_source", "confidence")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    chosen = dict.fromkeys(options.family or [*FAMILIES, scale.FAMILY])
    tasks = [task for family in chosen for task in tasks_of(family, options.scale)]
    write_suite(options.out, tasks)
    unsafe = sum(not task.safe for task in tasks)
    print(f"{len(tasks)} tasks in {options.out}: {len(tasks) - unsafe} safe, {unsafe} unsafe")
    return 0


def tasks_of(family: str, lengths: Sequence[int] = scale.LENGTHS) -> Sequence[Task]:
    return scale.tasks(lengths) if family == scale.FAMILY else FAMILIES[family]()


def write_suite(out: Path, tasks: Sequence[Task]) -> None:
    """The files of the tasks, and an index of exactly these."""
    rows = []
    for task in tasks:
        file = Path(task.family, f"{task.name}.smt2")
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        (out / file).write_text(write(task), encoding="utf-8")
        rows.append((task.family, file.as_posix(), "sat" if task.safe else "unsat", task.reason, "high"))
    with (out / "index.csv").open("w", newline="", encoding="utf-8") as index:
        writer = csv.writer(index, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Write families of Horn tasks with known verdicts, and their index.")
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument(
        "--family", action="append", choices=[*FAMILIES, scale.FAMILY], help="only this family; may be repeated"
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
        raise argparse.ArgumentTypeError("a chain has at least one procedure")
    return lengths


if __name__ == "__main__":
    sys.exit(main())
