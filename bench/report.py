"""Tables and plots of the papers' own questions, from what `sorrel bench` recorded:

python bench/report.py bounds bench-results/clover-bounds    solved, queries and time against the bound k
python bench/report.py scale bench-results/clover-scale      time and largest query against the number of procedures
python bench/report.py synonym bench-results/pick-P13        explored triples with and without synchrony and symmetry
python bench/report.py sweep bench-results/flower-sweep      time of each tool against the bound of the array
python bench/report.py families docs/benchmarks/default      one tool on every family: a file of results for each
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from sorrel.bench import plots, summary
from sorrel.bench.record import Ledger, Record
from sorrel.bench.summary import table
from sorrel.bench.tally import tally as tallied

KINDS = {
    "over (OO, UO, induction, lemmas)": ("OO", "OOI", "OOIL", "UO", "discharge", "redundant", "safe", "houdini"),
    "under (OU, UU, forward)": ("UU", "unwind", "rebuild"),
    "projection and samples": ("project", "sample", "tidy", "weaker", "solution", "spacer"),
}
GROWTH_ALLOWED = 1.5


@dataclass(frozen=True, slots=True)
class Cost:
    """Questions of one kind at one bound, over all tasks."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Length:
    """One chain of the `scale` family."""

    procedures: int
    solved: bool
    seconds: float
    largest: int


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", choices=("bounds", "scale", "synonym", "sweep", "families"))
    parser.add_argument("folder", type=Path, help="a folder of results of `sorrel bench`")
    options = parser.parse_args(arguments)
    if options.report == "families":
        print(families(options.folder))
        return 0
    records = Ledger(options.folder).read()
    write: Callable[[Path, Sequence[Record]], str] = {
        "bounds": bounds,
        "scale": scale,
        "synonym": synonym,
        "sweep": sweep,
    }[options.report]
    text = write(options.folder, records)
    (options.folder / f"{options.report}.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


# Families


def families(folder: Path) -> str:
    """What was decided of each family, in which time, and by whom; `folder` has a folder of results for each."""
    rows, deciders = [], []
    for path in sorted(each.parent for each in folder.glob("*/results.csv")):
        records = Ledger(path).read()
        item = tallied(path.name, records, _wall_limit(records))
        counts = (item.tasks, item.solved, item.safe, item.assuming, item.unsafe, item.unsolved, item.wrong)
        rows.append((item.tool, *counts, summary.seconds(item.median), summary.seconds(item.par2)))
        by = Counter(record.decided_by for record in records if record.solved)
        deciders.append((path.name, ", ".join(f"{name} {count}" for name, count in by.most_common())))
    columns = ("family", "tasks", "decided", "safe", "safe, assuming", "unsafe", "unknown", "wrong", "median (s)")
    return table((*columns, "PAR-2 (s)"), rows) + "\n\n" + table(("family", "decided by"), deciders)


def _wall_limit(records: Sequence[Record]) -> float:
    (limit,) = {re.findall(r"wall=([\d.]+)", record.limits)[0] for record in records}
    return float(limit)


# Bounds


def bound_of(tool: str) -> int | None:
    """The k of a tool named like clover-k4."""
    found = re.search(r"-k(\d+)$", tool)
    return int(found[1]) if found else None


def cost(records: Iterable[Record], kinds: Sequence[str]) -> Cost:
    """`project` stands for project.model and the like."""
    count, seconds = 0, 0.0
    for record in records:
        for kind, tally in record.statistics.get("queries", {}).items():
            if kind in kinds or kind.split(".")[0] in kinds:
                count += tally["count"]
                seconds += tally["seconds"]
    return Cost(count, seconds)


def bounds(folder: Path, records: Sequence[Record]) -> str:
    by_bound: dict[int, list[Record]] = {}
    for record in records:
        k = bound_of(record.tool)
        if k is not None:
            by_bound.setdefault(k, []).append(record)
    found = dict(sorted(by_bound.items()))
    rows = [
        (k, len(own), sum(r.solved for r in own), f"{_median(r.wall for r in own if r.solved):.2f}")
        for k, own in found.items()
    ]
    costs = {name: [cost(own, kinds) for own in found.values()] for name, kinds in KINDS.items()}
    kind_rows = [
        (k, name, costs[name][at].count, f"{costs[name][at].seconds:.1f}")
        for at, k in enumerate(found)
        for name in KINDS
    ]
    pictures = _draw_bounds(folder, found, costs) if plots.available() else []
    sections = [
        "# CLOVER against the bound k",
        table(("k", "tasks", "solved", "median of solved (s)"), rows),
        table(("k", "queries", "number", "seconds"), kind_rows),
        *(f"![{Path(name).stem}]({name})" for name in pictures),
    ]
    return "\n\n".join(sections) + "\n"


def _draw_bounds(folder: Path, found: dict[int, list[Record]], costs: dict[str, list[Cost]]) -> list[str]:
    ks = list(found)
    drawing, axes = plots.figure(6, 4)
    axes.plot(ks, [sum(r.solved for r in own) for own in found.values()], marker="o")
    _label(axes, "bound k", "tasks solved")
    axes.set_ylim(bottom=0)
    names = [plots.save(drawing, folder, "solved-by-bound.png")]
    for what in ("queries", "seconds"):
        drawing, axes = plots.figure(6, 4)
        for name, own in costs.items():
            axes.plot(ks, [c.count if what == "queries" else c.seconds for c in own], marker="o", label=name)
        _label(axes, "bound k", f"{what}, all tasks")
        axes.legend(fontsize="small")
        names.append(plots.save(drawing, folder, f"{what}-by-bound.png"))
    return names


# Sweep


def sweep(folder: Path, records: Sequence[Record]) -> str:
    """Seconds of each tool for each task, or why there is no answer; tasks in order of their bound."""
    tools = list(dict.fromkeys(record.tool for record in records))
    found = {(record.task, record.tool): record for record in records}
    tasks = sorted(dict.fromkeys(record.task for record in records), key=_array_bound)
    rows = [(Path(task).stem, *(_told(found.get((task, tool))) for tool in tools)) for task in tasks]
    return "\n\n".join(["# Time against the bound of the array", table(("task", *tools), rows)]) + "\n"


def _array_bound(task: str) -> tuple[int, str]:
    digits = re.search(r"_(\d+)\D*$", task)
    return (int(digits[1]), task) if digits else (sys.maxsize, task)


def _told(record: Record | None) -> str:
    if record is None:
        return ""
    return f"{record.cpu:.2f}" if record.solved else record.cause


# Scale


def length_of(record: Record) -> Length | None:
    found = re.search(r"chain_(\d+)", record.task)
    if not found:
        return None
    queries = record.statistics.get("queries", {})
    largest = max((tally["largest"] for tally in queries.values()), default=0)
    return Length(int(found[1]), record.solved, record.wall, largest)


def line_through(lengths: Sequence[Length]) -> tuple[float, float]:
    """Slope and intercept of the least squares line of seconds against procedures."""
    xs, ys = [x.procedures for x in lengths], [x.seconds for x in lengths]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0
    return slope, mean_y - slope * mean_x


def scale(folder: Path, records: Sequence[Record]) -> str:
    lengths = sorted(filter(None, map(length_of, records)), key=lambda x: x.procedures)
    solved = [x for x in lengths if x.solved]
    rows = [
        (
            x.procedures,
            "yes" if x.solved else "no",
            f"{x.seconds:.2f}",
            f"{1000 * x.seconds / x.procedures:.1f}",
            x.largest,
        )
        for x in lengths
    ]
    sections = [
        "# CLOVER against the number of procedures",
        table(("procedures", "solved", "seconds", "ms per procedure", "largest query (nodes)"), rows),
    ]
    if len(solved) > 1:
        growth = solved[-1].largest / max(1, solved[0].largest)
        slope, start = line_through(solved)
        sections.append(
            f"From {solved[0].procedures} to {solved[-1].procedures} procedures the largest query grows by a factor "
            f"of {growth:.2f} ({GROWTH_ALLOWED} allowed). Linear fit of the time: {start:.2f} s and "
            f"{1000 * slope:.1f} ms for each procedure."
        )
    pictures = _draw_scale(folder, solved) if solved and plots.available() else []
    sections += [f"![{Path(name).stem}]({name})" for name in pictures]
    return "\n\n".join(sections) + "\n"


def _draw_scale(folder: Path, lengths: Sequence[Length]) -> list[str]:
    ns = [x.procedures for x in lengths]
    slope, start = line_through(lengths)
    drawing, axes = plots.figure(6, 4)
    axes.plot(ns, [x.seconds for x in lengths], marker="o", linestyle="", label="measured")
    axes.plot(ns, [start + slope * n for n in ns], linewidth=0.8, label="linear fit")
    _label(axes, "procedures", "seconds")
    axes.legend()
    names = [plots.save(drawing, folder, "time-by-length.png")]
    drawing, axes = plots.figure(6, 4)
    axes.plot(ns, [x.largest for x in lengths], marker="o")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    _label(axes, "procedures", "nodes of the largest query")
    names.append(plots.save(drawing, folder, "largest-query-by-length.png"))
    return names


# Synonym

VARIANTS = {"-neither": "neither", "-synchrony": "synchrony", "": "both"}
BASELINE = "-neither"


@dataclass(frozen=True, slots=True)
class Explored:
    """What one variant did with one program; seconds are those of the processor."""

    verdict: str
    seconds: float
    triples: int
    group: int

    @property
    def is_solved(self) -> bool:
        return self.verdict != "unknown"


Explorations = dict[str, dict[str, Explored]]
"""By program and variant."""


def explored(record: Record) -> Explored:
    found = record.statistics.get("explored", {})
    return Explored(record.verdict.value, record.cpu, found.get("triples", 0), found.get("group", 1))


def variant_of(tool: str) -> str:
    return next((ending for ending in ("-neither", "-synchrony") if tool.endswith(ending)), "")


def synonym(folder: Path, records: Sequence[Record]) -> str:
    """Tables 3.1 to 3.3 of Pick's dissertation, one section for each property that was asked about."""
    asked: dict[str, Explorations] = {}
    for record in records:
        named = re.search(r" (P\d+)$", record.task)
        found = asked.setdefault(named[1] if named else "", {})
        found.setdefault(record.task, {})[variant_of(record.tool)] = explored(record)
    sections = ["# Explored triples", "Seconds of the processor. Neither: one run after the other."]
    for name, found in sorted(asked.items()):
        sections += [f"## {name}"] if name else []
        sections += [_explorations(found), _against_baseline(found), *_factors(found)]
    return "\n\n".join(filter(None, sections)) + "\n"


def _explorations(found: Explorations) -> str:
    """The form of tables 3.2 and 3.3: each program, sums over those that all variants solve, and their factors."""
    header = ["program", "verdict", "orders of the runs"]
    for name in VARIANTS.values():
        header += [f"{name}: s", "triples"]
    rows = [_explored_row(task, own) for task, own in found.items()]
    common = _solved_by(found, *VARIANTS)
    if common:
        sums = {variant: _sums([own[variant] for own in common]) for variant in VARIANTS}
        total: list[Any] = [f"all {len(common)} that each solves", "", ""]
        factors: list[Any] = ["divided by", "", ""]
        for variant in VARIANTS:
            total += [f"{sums[variant][0]:.2f}", sums[variant][1]]
            factors += [f"{quotient:.2f}" for quotient in _quotients(sums[BASELINE], sums[variant])]
        rows += [tuple(total), tuple(factors)]
    return table(tuple(header), rows)


def _explored_row(task: str, own: dict[str, Explored]) -> tuple[Any, ...]:
    verdicts = dict.fromkeys(each.verdict for each in own.values() if each.is_solved)
    row: list[Any] = [task, ", ".join(verdicts) or "unknown", own[""].group if "" in own else ""]
    for variant in VARIANTS:
        known = own.get(variant)
        row += [f"{known.seconds:.2f}" if known else "", known.triples if known and known.is_solved else "-"]
    return tuple(row)


def _solved_by(found: Explorations, *variants: str) -> list[dict[str, Explored]]:
    return [own for own in found.values() if all(v in own and own[v].is_solved for v in variants)]


def _sums(explored: Iterable[Explored]) -> tuple[float, int]:
    own = list(explored)
    return sum(each.seconds for each in own), sum(each.triples for each in own)


def _quotients(before: tuple[float, int], after: tuple[float, int]) -> tuple[float, float]:
    return before[0] / max(after[0], 0.01), before[1] / max(after[1], 1)


def _against_baseline(found: Explorations) -> str:
    """The form of table 3.1: programs that a variant improves on and those that it does not, by time and triples."""
    rows = []
    for variant, name in VARIANTS.items():
        pairs = [(own[BASELINE], own[variant]) for own in _solved_by(found, BASELINE, variant)]
        for better in (True, False) if variant != BASELINE else ():
            row: list[Any] = [name, "as good or better" if better else "worse"]
            for measure in (0, 1):
                chosen = [
                    (_sums([one]), _sums([other]))
                    for one, other in pairs
                    if (_sums([one])[measure] >= _sums([other])[measure]) is better
                ]
                before, after = (sum(sides[at][measure] for sides in chosen) for at in (0, 1))
                shown = f"{after:.2f}" if measure == 0 else f"{after:.0f}"
                row += [shown, f"{before / after:.2f} ({len(chosen)})" if after else "(0)"]
            rows.append(tuple(row))
    columns = ("against neither", "programs", "s", "divided by (programs)", "triples", "divided by (programs)")
    return table(columns, rows) if _solved_by(found, BASELINE) else ""


def _factors(found: Explorations) -> list[str]:
    """Of symmetry, over programs that both variants solve; also over the larger half of these."""
    both = [(own[""], own["-synchrony"]) for own in _solved_by(found, "", "-synchrony")]
    both.sort(key=lambda pair: pair[1].triples)
    texts = []
    for name, pairs in (("all", both), ("the larger half", both[len(both) // 2 :])):
        if pairs:
            seconds, triples = _quotients(_sums(pair[1] for pair in pairs), _sums(pair[0] for pair in pairs))
            texts.append(
                f"{len(pairs)} programs ({name}): symmetry divides the explored triples by {triples:.2f} and the time "
                f"by {seconds:.2f}."
            )
    return texts


def _label(axes: Any, across: str, up: str) -> None:
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.3)


def _median(values: Iterable[float]) -> float:
    found = list(values)
    return median(found) if found else float("nan")


if __name__ == "__main__":
    sys.exit(main())
