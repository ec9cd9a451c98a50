"""From what a tool printed to what it said: a verdict, or the reason why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from sorrel.bench.process import Execution, Limits
from sorrel.bench.tool import Patterns, Tool
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Answer, Cause
from sorrel.model.values import dataclass

# Reasons that a tool cannot give itself, beside those of `Cause`.
CPU = "cpu"
OUTPUT = "output"  # it printed more than the disk should hold
CRASH = "crash"  # it ended with an error code or a signal, without an answer
NO_ANSWER = "no-answer"  # it ended well, but said nothing that the patterns know
AMBIGUOUS = "ambiguous"  # it said both
ERROR = "error"  # it complained about the input before it answered
GAVE_UP = "gave-up"  # it said unknown

USAGE_CODE = 1  # of our own command line
MISFIT = "does not fit"  # what our command line says of an engine that was named and cannot be asked
SIGNAL_CPU = -24


@dataclass(frozen=True, slots=True)
class Reading:
    """`verdict` is what counts; `claimed` is what the tool said, confirmed or not, in time or not."""

    verdict: Answer
    cause: str = ""
    claimed: Answer = Answer.UNKNOWN
    engine: str = ""
    decided_by: str = ""
    checkers: tuple[str, ...] = ()  # those that accepted the evidence
    detail: str = ""
    statistics: Mapping[str, Any] = field(default_factory=dict)


def read_execution(tool: Tool, execution: Execution, limits: Limits, *, rule_dialect: bool) -> Reading:
    """What a run counts for: an answer that comes too late, or from a run that was ended, for nothing."""
    if tool.own:
        said = read_outcome(tool, execution)
    else:
        said = read_output(tool.patterns, execution, inverted=tool.invert_in_rule_dialect and rule_dialect)
    if execution.stopped:
        cause = execution.stopped
    elif execution.exit_code == SIGNAL_CPU:
        cause = CPU
    elif tool.too_late(execution.wall, limits):
        cause = Cause.TIME.value
    else:
        return said
    return replace(said, verdict=Answer.UNKNOWN, cause=cause)


def unknown(cause: str, detail: str = "") -> Reading:
    return Reading(Answer.UNKNOWN, cause, detail=one_line(detail))


def one_line(text: str) -> str:
    return " ".join(text.split())[:200]


def read_output(patterns: Patterns, execution: Execution, *, inverted: bool) -> Reading:
    """The answer of a peer."""
    if execution.failure:
        return unknown(CRASH, execution.failure)
    text = execution.stdout
    safe, unsafe, unclear, error = (
        first_match(pattern, text) for pattern in (patterns.safe, patterns.unsafe, patterns.unknown, patterns.error)
    )
    if inverted:
        safe, unsafe = unsafe, safe
    answers = [place for place in (safe, unsafe, unclear) if place is not None]
    if error is not None and (not answers or error < min(answers)):
        return unknown(memory_or(ERROR, patterns, execution), text[error : error + 400])
    if safe is not None and unsafe is not None and not inverted:
        return unknown(AMBIGUOUS)
    # With several queries, each has its answer: one that is reachable is enough, and all must be known
    # before the file is safe.
    if unsafe is not None:
        return Reading(Answer.UNSAFE, claimed=Answer.UNSAFE)
    if unclear is not None:
        return unknown(GAVE_UP)
    if safe is not None:
        return Reading(Answer.SAFE, claimed=Answer.SAFE)
    ending = NO_ANSWER if execution.exit_code == 0 else CRASH
    return unknown(memory_or(ending, patterns, execution), execution.stderr[-400:] or text[-400:])


def first_match(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text, re.MULTILINE) if pattern else None
    return found.start() if found else None


def memory_or(cause: str, patterns: Patterns, execution: Execution) -> str:
    text = execution.stdout + execution.stderr
    return cause if first_match(patterns.memory, text) is None else Cause.MEMORY.value


def read_outcome(tool: Tool, execution: Execution) -> Reading:
    """The answer of one of our engines. Without accepted evidence it counts as unknown."""
    outcome = find_outcome(execution.stdout)
    if outcome is None:
        return read_failure(tool, execution)
    try:
        return read_fields(outcome)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return unknown(Cause.INTERNAL.value, f"the outcome has an unexpected form: {error!r}")


def find_outcome(text: str) -> dict[str, Any] | None:
    """The JSON object, which is all of the output or its last line."""
    for candidate in (text, text.strip().rpartition("\n")[2]):
        try:
            data = json.loads(candidate)
        except ValueError:
            continue
        if isinstance(data, dict) and "answer" in data:
            return data
    return None


def read_fields(outcome: Mapping[str, Any]) -> Reading:
    claimed = Answer(outcome["answer"])
    checkers = tuple(item["checker"] for item in outcome["confirmations"] if item["accepted"] is True)
    reason = outcome.get("reason") or {}
    verdict, cause = claimed, ""
    if claimed is Answer.UNKNOWN:
        cause = str(reason.get("cause", "")) or GAVE_UP
    elif not checkers:
        verdict, cause = Answer.UNKNOWN, Cause.UNCONFIRMED.value
    return Reading(
        verdict,
        cause,
        claimed,
        str(outcome.get("engine", "")),
        str(outcome.get("decided_by", "")),
        checkers,
        one_line(str(reason.get("message", ""))),
        {"seconds": outcome.get("seconds", 0.0), **outcome.get("statistics", {})},
    )


def read_failure(tool: Tool, execution: Execution) -> Reading:
    """There is no outcome: the call was refused, or the run broke."""
    trouble = execution.failure or execution.stderr
    refused = execution.exit_code == USAGE_CODE and "Traceback" not in trouble and not execution.stopped
    if refused and MISFIT in trouble:
        return unknown(Cause.UNSUPPORTED.value, one_line(trouble[-400:]))
    if refused:
        raise UsageError(
            f"sorrel does not accept the tool {tool.name}: {one_line(trouble[-400:])}\n"
            "  A name that the configuration file does not define is an engine of Sorrel; "
            "`sorrel solve --help` lists them."
        )
    cause = {2: Cause.INPUT.value, 6: Cause.INTERNAL.value}.get(execution.exit_code or 0, CRASH)
    return unknown(memory_or(cause, tool.patterns, execution), trouble[-400:])
