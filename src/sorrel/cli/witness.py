"""`sorrel check PROGRAM WITNESS`: what another verifier says of a program, checked."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from sorrel.cli.console import budget, exit_code, read_text, say
from sorrel.model.options import Options
from sorrel.model.outcome import FOLLOWED, Answer, Outcome
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import supervise

_REFUSED = 10
"""As for a property that does not hold: the witness says what is false."""


def is_witness(name: str) -> bool:
    """By its content: a task file of SV-COMP is YAML, too."""
    path = Path(name)
    return path.suffix in (".yml", ".yaml") and path.is_file() and "entry_type" in read_text(name)


def run_check_witness(program: str, witness: str, arguments: argparse.Namespace) -> int:
    from sorrel.process.request import request  # solving Horn clauses needs nothing of this

    options = Options(
        budget=budget(arguments), recheck=arguments.recheck, witness=read_text(witness), witness_name=witness
    )
    asked = request([Source(program)])
    outcomes = [(task, supervise.verify(task, options)) for task in asked.tasks]
    if arguments.json:
        say(json.dumps([outcome.to_json() for _, outcome in outcomes], ensure_ascii=False, indent=2))
        return max(_code(outcome) for _, outcome in outcomes)
    for task, outcome in outcomes:
        for line in _lines(task, outcome):
            say(line)
    return max(_code(outcome) for _, outcome in outcomes)


def _lines(task: Task, outcome: Outcome) -> list[str]:
    match outcome.answer:
        case Answer.SAFE | Answer.ASSUMING:
            given = "".join(f", assuming {each.brief}" for each in outcome.assuming)
            return [f"accepted: {task.goal} holds, and so does everything that the witness states{given}"]
        case Answer.UNSAFE if _is_followed(outcome) and outcome.violation:
            return [f"accepted: {outcome.violation.span}: {outcome.violation.message}"]
        case Answer.UNSAFE if outcome.violation:
            found = outcome.violation
            inputs = ", ".join(f"{choice.variable} = {choice.value}" for choice in outcome.choices)
            return [f"rejected: {found.span}: {found.message}{f', with {inputs}' if inputs else ''}"]
        case _:
            return ["not confirmed", f"; {outcome.reason}"]


def _code(outcome: Outcome) -> int:
    if outcome.answer is Answer.UNSAFE:
        return 0 if _is_followed(outcome) else _REFUSED
    return exit_code(outcome)


def _is_followed(outcome: Outcome) -> bool:
    """Whether the error was found where the witness leads, rather than in what it says."""
    return outcome.decided_by == FOLLOWED
