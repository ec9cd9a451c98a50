"""Files that `sorrel verify` and `sorrel summarize` are asked to write."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sorrel import __version__
from sorrel.cli.console import complain, read_text, write_text
from sorrel.cli.report import write_html
from sorrel.model.errors import InputError, UsageError
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.task import Task
from sorrel.report.excerpt import Texts


def write_files(outcomes: Sequence[Outcome], task: Task, arguments: argparse.Namespace) -> None:
    outcome = outcomes[0]
    if arguments.html:
        write_html(arguments.html, outcomes)
    if arguments.sarif:
        from sorrel.report.sarif import sarif

        write_text(arguments.sarif, sarif(outcomes, __version__))
    if arguments.witness and outcome.answer is not Answer.UNKNOWN:
        from sorrel.report.witness import Format, witness

        form = Format(arguments.witness_format)
        write_text(arguments.witness, witness(outcome, task, Texts.of(task.sources), __version__, form))
    if arguments.harness and outcome.harness:
        write_text(arguments.harness, outcome.harness)
    if arguments.horn and (outcome.horn or outcome.answer is not Answer.UNKNOWN):
        _write_if_any(arguments.horn, outcome.horn)
    if arguments.certificate and outcome.answer is not Answer.UNKNOWN:
        _write_if_any(arguments.certificate, outcome.certificate)
    if arguments.acsl:
        known = tuple(each for one in outcomes for each in one.program_contracts)
        write_annotated(replace(outcome, program_contracts=known), task, arguments.acsl)
    if arguments.mli:
        write_interface(outcome, arguments.mli)


def write_summary_files(outcome: Outcome, task: Task, arguments: argparse.Namespace) -> None:
    if arguments.html:
        write_html(arguments.html, [outcome])
    if arguments.acsl:
        write_annotated(outcome, task, arguments.acsl)
    if arguments.mli:
        write_interface(outcome, arguments.mli)


def _write_if_any(path: str, content: str) -> None:
    """An answer that comes from running the program needs no clauses and no evidence about them."""
    if content:
        write_text(path, content)
    else:
        complain(InputError(f"{path}: not written, the answer does not come from Horn clauses but from running"), 0)


def write_interface(outcome: Outcome, path: str) -> None:
    if outcome.interface:
        write_text(path, outcome.interface)
    else:
        complain(InputError(f"{path}: not written, there are no types to write"), 0)


def write_annotated(outcome: Outcome, task: Task, path: str) -> None:
    """One source to a file; several into a folder, each under its name."""
    from sorrel.report.acsl import annotated

    for source in task.sources:
        content = source.text if source.text is not None else read_text(source.path)
        target = path
        if len(task.sources) > 1:
            target = str(_folder(path) / Path(source.name).name)
        write_text(target, annotated(content, source.name, outcome.program_contracts))


def _folder(path: str) -> Path:
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"{path}: cannot be made: {problem.strerror}") from None
    return Path(path)
