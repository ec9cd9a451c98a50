"""`sorrel report`: saved outcomes as a page to look at; and `--html`, which writes the same page at once."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sorrel import __version__
from sorrel.cli.console import say, standard_input, write_text
from sorrel.model.errors import InputError, InternalError
from sorrel.model.outcome import Outcome
from sorrel.model.source import Source


def add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("outcome", metavar="OUTCOME", help="what --json printed; - is standard input")
    parser.add_argument("-o", "--output", metavar="FILE", help="the HTML file; default: OUTCOME with .html in its name")


def add_html(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--html", metavar="FILE", help="write a self-contained HTML report")


def run_report(arguments: argparse.Namespace) -> int:
    source = standard_input() if arguments.outcome == "-" else Source(arguments.outcome)
    outcomes = _outcomes(source.read(), source.name)
    target = arguments.output or ("report.html" if arguments.outcome == "-" else _beside(arguments.outcome))
    write_html(target, outcomes)
    say(target)
    return 0


def write_html(path: str, outcomes: Sequence[Outcome]) -> None:
    from sorrel.report.html import page  # takes time to load, and few runs need it

    write_text(path, page(outcomes, __version__))


def _beside(name: str) -> str:
    return str(Path(name).with_suffix(".html"))


def _outcomes(text: str, name: str) -> list[Outcome]:
    try:
        data: Any = json.loads(text)
    except ValueError as problem:
        raise InputError(
            f"{name}: this is not JSON: {problem}", hint="Save what sorrel verify --json prints."
        ) from None
    documents = data if isinstance(data, list) else [data]
    found = [_outcome(each, name) for each in documents]
    if not found:
        raise InputError(f"{name}: there is no outcome in it", hint="Save what sorrel verify --json prints.")
    return found


def _outcome(data: Any, name: str) -> Outcome:
    if isinstance(data, dict) and "error" in data:
        raise InputError(f"{name}: the input could not be read: {data['error']}")
    try:
        return Outcome.from_json(data)
    except (AttributeError, InternalError, KeyError, TypeError, ValueError) as problem:
        raise InputError(
            f"{name}: this is not an outcome of this version: {problem}", hint="Save what sorrel verify --json prints."
        ) from None
