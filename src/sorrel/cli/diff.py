"""`sorrel diff`: what changed between two versions of a project, in what functions do and in what is proved of them."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from sorrel.cli.console import EXIT_INTERNAL, complain, positive, say
from sorrel.cli.project import progress_bar
from sorrel.model.errors import InternalError, UsageError
from sorrel.process.project import Job, coordinate
from sorrel.project import settings
from sorrel.project.difference import Behaviour, Difference
from sorrel.project.revisions import version
from sorrel.project.settings import Settings
from sorrel.report.difference import difference_json, difference_lines, difference_markdown

HEAD = "HEAD"
EXIT_DIFFERENT, EXIT_NOT_SHOWN = 10, 5


def add_diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", nargs="?", default=HEAD, metavar="OLD", help="a folder or a git revision (HEAD)")
    parser.add_argument(
        "new",
        nargs="?",
        default="",
        metavar="NEW",
        help="a folder or a git revision (default: the project in this folder)",
    )
    parser.add_argument("--store", action="store_true", help="compare sorrel.lock with the project in this folder")
    parser.add_argument("--markdown", action="store_true", help="print Markdown, for a pull request")
    parser.add_argument("--json", action="store_true", help="print the differences as JSON and nothing else")
    parser.add_argument(
        "--timeout", type=positive, metavar="S", help="time limit in seconds for each function that changed"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="number of processes (default: all)"
    )


def run_diff(arguments: argparse.Namespace) -> int:
    with ExitStack() as stack:
        old, new, names = _stored(arguments) if arguments.store else _versions(arguments, stack)
        if arguments.timeout is not None:
            new = replace(new, limits=replace(new.limits, seconds=arguments.timeout))
        extra = {"old_settings": old.to_json() if old else None, "names": names}
        try:
            with progress_bar() as show:
                found = Difference.from_json(coordinate(Job("diff", new, jobs=arguments.jobs, extra=extra), show))
        except InternalError as problem:
            return complain(problem, EXIT_INTERNAL)
    if arguments.json:
        say(difference_json(found))
    else:
        for line in difference_markdown(found) if arguments.markdown else difference_lines(found):
            say(line)
    return _code(found)


def _stored(arguments: argparse.Namespace) -> tuple[Settings | None, Settings, list[str]]:
    """The project, against its own store; a folder may be named."""
    if arguments.new:
        raise UsageError("--store compares one project with its own store: name its folder, or nothing")
    folder = Path("." if arguments.old == HEAD else arguments.old)
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; --store compares a project with its own store")
    return None, settings.load(settings.find(folder)), ["the store", "the work tree"]


def _versions(arguments: argparse.Namespace, stack: ExitStack) -> tuple[Settings | None, Settings, list[str]]:
    here = settings.find(Path(".")).parent if not Path(arguments.old).is_dir() or not arguments.new else Path(".")
    new = stack.enter_context(version(arguments.new or str(here), here, None))
    old = stack.enter_context(version(arguments.old, here, new))
    return old, new, [arguments.old, arguments.new or "the work tree"]


def _code(found: Difference) -> int:
    """10 if something is proved no longer or differs, 5 if that is not known, else 0."""
    behaviours = {each.behaviour for each in found.functions}
    if found.failing or found.starting or Behaviour.DIFFERENT in behaviours:
        return EXIT_DIFFERENT
    return EXIT_NOT_SHOWN if Behaviour.NOT_SHOWN in behaviours else 0
