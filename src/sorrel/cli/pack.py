"""`sorrel pack`: the contracts of a library, for projects that have its headers and not its source."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sorrel.cli.console import EXIT_INTERNAL, complain, say, write_text
from sorrel.model.errors import InternalError, UsageError
from sorrel.process.project import Job, coordinate
from sorrel.project import settings


def add_pack(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="a library's project (default: this folder)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="default: NAME.pack in the folder, named after the folder"
    )


def run_pack(arguments: argparse.Namespace) -> int:
    path = settings.find(Path(arguments.folder))
    asked = settings.load(path)
    if asked.numbers != "ideal":
        raise UsageError('packs are made of contracts over unbounded integers: numbers = "ideal"')
    try:
        found = coordinate(Job("pack", asked))
    except InternalError as problem:
        return complain(problem, EXIT_INTERNAL)
    for line in found["left_out"]:
        print(f"left out: {line}", file=sys.stderr)
    if not found["functions"]:
        raise UsageError("no function is proved whose contract C can say; sorrel prove comes first")
    target = arguments.output or str(path.parent / f"{path.parent.name}.pack")
    write_text(target, found["text"])
    say(f'{target}: contracts of {len(found["functions"])} functions; packs = ["…"] in sorrel.toml uses them')
    return 0
