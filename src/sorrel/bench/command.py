"""The subcommand `sorrel bench`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sorrel.bench import plots, summary
from sorrel.bench.preset import Preset, builtin_presets, read_presets
from sorrel.bench.process import Limits
from sorrel.bench.record import CORRECT, WRONG
from sorrel.bench.remote import Remote
from sorrel.bench.runner import Progress, Report, report, run_suite
from sorrel.bench.suite import VARIABLE, Selection, default_folder, locate, read_tasks, suite_name
from sorrel.bench.tally import contradictions, wrong
from sorrel.bench.tool import builtin_tools, choose_tools, read_tools
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Answer

DEFAULT_TOOLS = ("z3", "spacer")
RESULTS = Path("bench-results")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run tools on a suite of tasks under limits; write results.csv, summary.md and plots. "
        "A run that is already recorded is not repeated: call again to go on after an interruption."
    )
    parser.add_argument(
        "suites",
        metavar="SUITE",
        nargs="*",
        help="a folder with an index.csv, an index file, either with :family,family, or a preset "
        "(default: the folder that SORREL_BENCH names)",
    )
    tasks = parser.add_argument_group("tasks")
    tasks.add_argument("--family", metavar="NAME,…", help="only rows of these families")
    tasks.add_argument("--filter", metavar="GLOB", default="", help="only files that match")
    tasks.add_argument("--sample", metavar="N", type=int, help="only N tasks, always the same")
    tasks.add_argument("--property", metavar="NAME", help="for an index with a verdict for each property")
    tools = parser.add_argument_group("tools")
    tools.add_argument("--tools", metavar="NAME,…", help=f"(default: {','.join(DEFAULT_TOOLS)})")
    tools.add_argument("--config", metavar="FILE", type=Path, help="TOML file with more tools and presets")
    limits = parser.add_argument_group("limits of each run")
    limits.add_argument("--timeout", metavar="SECONDS", type=float, help="wall-clock time (default: 30)")
    limits.add_argument("--cpu-time", metavar="SECONDS", type=float, help="(default: none)")
    limits.add_argument("--memory", metavar="MIB", type=int, help="(default: 4096)")
    limits.add_argument("--jobs", metavar="N", type=int, default=1, help="runs at a time (default: 1)")
    limits.add_argument(
        "--cluster", metavar="ADDRESS", default="", help="make the runs on a Dask cluster that sees the same files"
    )
    results = parser.add_argument_group("results")
    results.add_argument("--output", metavar="DIR", type=Path, help="(default: bench-results/SUITE)")
    results.add_argument("--fresh", action="store_true", help="forget recorded runs and start over")
    results.add_argument("--report", metavar="DIR", type=Path, help="only rebuild summary and plots of DIR")


def run(arguments: argparse.Namespace) -> int:
    """0 when all runs were made, 128 and the number of the signal when one ended them early."""
    if arguments.report is not None:
        if arguments.suites:
            raise UsageError("--report rebuilds what a folder holds; give it without a suite")
        show(report(arguments.report))
        return 0
    preset = complete(arguments)
    tasks = read_tasks(preset.suites, Selection(preset.families, arguments.filter, preset.property), arguments.sample)
    configured = builtin_tools() | (read_tools(arguments.config) if arguments.config else {})
    finished = run_suite(
        tasks,
        choose_tools(preset.tools, configured),
        limits_of(preset),
        arguments.output or RESULTS / preset.name,
        jobs=arguments.jobs,
        remote=Remote(arguments.cluster) if arguments.cluster else None,
        fresh=arguments.fresh,
        wanted=preset.property,
        on_progress=ProgressLine(),
    )
    show(finished)
    return 128 + finished.interrupted if finished.interrupted else 0


def complete(arguments: argparse.Namespace) -> Preset:
    """The run that is wanted: the preset, with what the command line says instead."""
    presets = builtin_presets() | (read_presets(arguments.config) if arguments.config else {})
    suites: Sequence[str] = arguments.suites
    preset = presets[suites[0]] if len(suites) == 1 and suites[0] in presets else None
    if preset is None:
        texts = tuple(suites) or (default_folder(),)
        name = "+".join(dict.fromkeys(suite_name(locate(text)[0]) for text in texts))
        preset = Preset(name, texts)
    else:
        preset = replace(preset, suites=available(preset.suites) or (default_folder(),))
    return replace(
        preset,
        families=names(arguments.family) or preset.families,
        tools=names(arguments.tools) or preset.tools or DEFAULT_TOOLS,
        property=arguments.property or preset.property,
        timeout=arguments.timeout if arguments.timeout is not None else preset.timeout,
        cpu_time=arguments.cpu_time if arguments.cpu_time is not None else preset.cpu_time,
        memory=arguments.memory if arguments.memory is not None else preset.memory,
    )


def available(suites: Sequence[str]) -> tuple[str, ...]:
    """The suites with the folder that SORREL_BENCH names in its place; without it those outside of it."""
    folder = os.environ.get(VARIABLE, "")
    inside = f"${VARIABLE}"
    return tuple(suite.replace(inside, folder) for suite in suites if folder or inside not in suite)


def names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def limits_of(preset: Preset) -> Limits:
    defaults = Limits()
    return Limits(
        defaults.wall if preset.timeout is None else preset.timeout,
        preset.cpu_time,
        defaults.memory if preset.memory is None else preset.memory,
    )


class ProgressLine:
    """A line for each run on standard error; in colour on a terminal."""

    def __init__(self) -> None:
        self.colour = sys.stderr.isatty()

    def __call__(self, progress: Progress) -> None:
        record = progress.record
        width = len(str(progress.total))
        remark = record.correctness if record.verdict is not Answer.UNKNOWN else record.cause
        if record.confirmed and record.solved:
            remark += ", confirmed"
        line = (
            f"[{progress.done:{width}}/{progress.total}] {record.task} {record.tool}: "
            f"{record.verdict} ({remark}) {record.wall:.2f} s"
        )
        code = {CORRECT: "32", WRONG: "31;1"}.get(record.correctness, "")
        print(f"\x1b[{code}m{line}\x1b[0m" if self.colour and code else line, file=sys.stderr, flush=True)


def show(finished: Report) -> None:
    """The total on standard output; everything else is in the files."""
    provenance, records = finished.provenance, finished.records
    tools = list(provenance.tools)
    print(summary.tally_table(summary.tallies_of(records, tools, provenance)))
    if decided := summary.decided_table(records):
        print(f"\n{decided}")
    print(f"\nRuns skipped: {finished.skipped}.")
    print(f"Written: {finished.folder / summary.FILE}")
    if finished.repeated:
        print(f"{finished.repeated} runs were already recorded; --fresh makes them again.")
    if not plots.available():
        print("There are no plots: they need matplotlib, pip install 'sorrel[plots]'.")
    trouble = len(wrong(records)), len(contradictions(records))
    if any(trouble):
        print(f"{trouble[0]} wrong answers and {trouble[1]} contradictions: see the summary.", file=sys.stderr)
    if finished.interrupted:
        print("Interrupted: call again with the same arguments to go on.", file=sys.stderr)
