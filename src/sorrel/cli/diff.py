"""`sorrel diff`: what changed between two versions of a project, in what functions do and in what is proved of them."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

from sorrel.cli.console import EXIT_INTERNAL, complain, say
from sorrel.cli.project import progress_bar
from sorrel.model.errors import InternalError
from sorrel.process.project import Job, coordinate
from sorrel.project import settings
from sorrel.project.difference import Behaviour, Difference
from sorrel.project.revisions import version
from sorrel.report.difference import difference_json, difference_lines, difference_markdown

EXIT_DIFFERENT, EXIT_NOT_SHOWN = 10, 5


def add_diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", nargs="?", default="HEAD", metavar="OLD", help="a folder or a git revision (HEAD)")
    parser.add_argument("new", nargs="?", default="", metavar="NEW", help="the same (default: the project here)")
    parser.add_argument("--markdown", action="store_true", help="for a pull request")
    parser.add_argument("--json", action="store_true", help="print the differences as JSON and nothing else")
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds for each function that changed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (default: all)")


def run_diff(arguments: argparse.Namespace) -> int:
    here = settings.find(Path(".")).parent if not Path(arguments.old).is_dir() or not arguments.new else Path(".")
    newer = arguments.new or str(here)
    with version(newer, here, None) as new, version(arguments.old, here, new) as old:
        if arguments.timeout is not None:
            new = replace(new, limits=replace(new.limits, seconds=arguments.timeout))
        names = [arguments.old, arguments.new or "the work tree"]
        extra = {"old_settings": old.to_json(), "names": names}
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


def _code(found: Difference) -> int:
    """10 if something is proved no longer or differs, 5 if that is not known, else 0."""
    behaviours = {each.behaviour for each in found.functions}
    if found.failing or Behaviour.DIFFERENT in behaviours:
        return EXIT_DIFFERENT
    return EXIT_NOT_SHOWN if Behaviour.NOT_SHOWN in behaviours else 0
