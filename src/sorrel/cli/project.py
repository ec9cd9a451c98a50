"""`sorrel init`, `sorrel prove`, and what `sorrel check` does with a project."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sorrel import __version__
from sorrel.cli.console import (
    EXIT_INPUT,
    EXIT_INTERNAL,
    add_assuming,
    complain,
    demand_writable,
    positive,
    say,
    worst,
    write_text,
    written,
)
from sorrel.model.errors import InputError, InternalError, UsageError
from sorrel.model.outcome import Answer
from sorrel.process.project import Job, News
from sorrel.process.project import run_project as supervised
from sorrel.project import discovery, settings
from sorrel.project.result import ProjectResult, Verdict
from sorrel.report.excerpt import Paint
from sorrel.report.project import baseline, finding_lines, project_json, project_sarif, summary_line, table_lines

_WORDS = {
    Answer.SAFE: "safe",
    Answer.ASSUMING: "safe, assuming what is listed",
    Answer.UNSAFE: "unsafe",
    Answer.UNKNOWN: "unknown",
}


def add_init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="the project's folder (default: this folder)"
    )
    parser.add_argument("--force", action="store_true", help=f"overwrite {settings.NAME} if there is one")


def add_prove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="*",
        metavar="PATH",
        help="a project's folder, or files and folders of it: only their functions and what these call",
    )
    parser.add_argument(
        "--timeout",
        type=positive,
        metavar="S",
        help="time limit in seconds for each component (a function, or functions that call each other); "
        "default: the limit in sorrel.toml",
    )
    parser.add_argument("--retry", action="store_true", help="search again for proofs that were not found before")
    parser.add_argument("--cluster", default="", metavar="ADDRESS", help="let workers of a Dask cluster search")
    parser.add_argument("--json", action="store_true", help="print the result as JSON and nothing else")
    parser.add_argument("-v", "--verbose", action="store_true", help="a row for every function")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the answer")
    add_findings(parser)


def add_findings(parser: argparse.ArgumentParser) -> None:
    """What is common to whoever reports about a project."""
    project = parser.add_argument_group("projects")
    project.add_argument(
        "--jobs",
        type=_jobs,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of processes (default: all)",
    )
    project.add_argument("--sarif", metavar="FILE", help="write all findings as SARIF 2.1.0")
    project.add_argument("--html", metavar="FILE", help="write an HTML report")
    project.add_argument("--baseline", metavar="FILE", help="SARIF file with findings to leave out")
    project.add_argument("--strict", action="store_true", help="answer unknown if a proof rests on an open assumption")
    add_assuming(project, "assume this without proof (repeatable)")


def _jobs(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= 1024:
        raise argparse.ArgumentTypeError("must be a number from 1 to 1024")
    return int(word)


def run_init(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    path = folder / settings.NAME
    if path.exists() and not arguments.force:
        raise UsageError(f"{path} exists already; --force overwrites it")
    write_text(str(path), discovery.settings_text(folder))
    say(f"{path} written; next: sorrel prove")
    return 0


def run_prove(arguments: argparse.Namespace) -> int:
    return run_project("prove", arguments.names, arguments)


def run_project(kind: str, names: Sequence[str], arguments: argparse.Namespace) -> int:
    """Prove or check the project that the names belong to."""
    path, paths = _located(names)
    asked = settings.load(path)
    if arguments.timeout is not None:
        asked = replace(asked, limits=replace(asked.limits, seconds=arguments.timeout))
    known = baseline(arguments.baseline) if arguments.baseline else None
    demand_writable(arguments.sarif, arguments.html)
    searching = kind == "prove"
    job = Job(
        kind,
        asked,
        jobs=arguments.jobs,
        paths=paths,
        retry=searching and arguments.retry,
        cluster=arguments.cluster if searching else "",
        extra={"assuming": arguments.assuming, "contracts": bool(arguments.html)},
    )
    try:
        with progress_bar() as show:
            result = supervised(job, show)
    except InternalError as problem:
        return complain(problem, EXIT_INTERNAL)
    failed = written(lambda: _write_files(result, path.parent, known, arguments))
    if known is not None:
        result = result.without(known)
    _print(result, arguments)
    if result.interrupted:
        return 130
    return failed or worst([EXIT_INPUT if result.problems else 0, _code(result, arguments.strict, known is not None)])


def _write_files(
    result: ProjectResult, folder: Path, known: Mapping[str, str] | None, arguments: argparse.Namespace
) -> None:
    if arguments.sarif:
        write_text(arguments.sarif, project_sarif(result, __version__, known))
    if arguments.html:
        from sorrel.report.project_page import project_page  # takes time to load, and few runs need it

        write_text(arguments.html, project_page(result, folder, __version__))


def _code(result: ProjectResult, strict: bool, compared: bool) -> int:
    if compared and not any(each.is_finding for each in result.functions):
        return 0
    if strict and result.answer is Answer.ASSUMING:
        return Answer.UNKNOWN.exit_code
    return result.answer.exit_code


def _located(names: Sequence[str]) -> tuple[Path, tuple[str, ...]]:
    """The settings that the names belong to, and the names of files and folders inside."""
    for name in names:
        if not Path(name).exists():
            raise InputError(f"{name}: no such file or folder")
    first = Path(names[0]) if names else Path(".")
    if first.name == settings.NAME or (first / settings.NAME).is_file():
        path, rest = settings.find(first if first.is_dir() else first.parent), names[1:]
    else:
        path, rest = settings.find(first if first.is_dir() else first.parent), names
    folder = path.parent
    inside = []
    for name in rest:
        place = Path(name).resolve()
        if not place.is_relative_to(folder):
            raise UsageError(f"{name} is not part of the project in {folder}")
        inside.append(place.relative_to(folder).as_posix())
    return path, tuple(each for each in inside if each != ".")


def _print(result: ProjectResult, arguments: argparse.Namespace) -> None:
    if arguments.json:
        say(project_json(result))
        return
    paint = Paint.for_stream(sys.stdout)
    interrupted = " (interrupted; what was found is stored)" if result.interrupted else ""
    left_out = f" ({len(result.left_out)} of it known from the baseline)" if result.left_out else ""
    say(f"{_WORDS[result.answer]}{interrupted}{left_out}")
    if arguments.quiet:
        return
    for line in table_lines(result, paint, everything=arguments.verbose):
        say(line)
    say(summary_line(result))
    for line in finding_lines(result):
        print(line, file=sys.stderr)
    for note in result.notes:
        print(f"note: {note}", file=sys.stderr)
    if result.open and result.answer in (Answer.ASSUMING, Answer.SAFE):
        say("assuming:")
        for each in result.open:
            say(f"  {each}")


@contextmanager
def progress_bar() -> Iterator[Callable[[News], None]]:
    """One line on the terminal that is rewritten; nothing at all elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return

    def show(news: News) -> None:
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        sys.stderr.write("\r\x1b[K" + _progress(news)[: width - 1])
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _progress(news: News) -> str:
    if not news.total:
        return f"{time.monotonic() - news.started:.0f} s | reading"
    filled = 20 * news.done // news.total
    counts = dict.fromkeys(Verdict, 0)
    for each in news.functions.values():
        counts[each.verdict] += 1
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    passed = time.monotonic() - news.started
    left = f", about {passed / news.done * (news.total - news.done):.0f} s left" if news.done else ""
    now = f" | {', '.join(news.running)}" if news.running else ""
    return f"[{'#' * filled:<20}] {news.done} of {news.total}{left} | {told}{now}"
