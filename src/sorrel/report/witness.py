"""Witnesses of SV-COMP: invariants and contracts for a safe program, the way to the error for an unsafe one.

Format 2.0 has invariants of loops; 2.1 adds contracts of functions (Heizmann et al., Correctness Witnesses with
Function Contracts), in expressions that may speak of results and of values at the entry.
"""

from __future__ import annotations

import hashlib
import os
import time
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sorrel.contracts.witness import end_of_call
from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, ContractKind, Outcome, ValueOrigin
from sorrel.model.task import Task
from sorrel.report.excerpt import Texts

_LARGEST = (1 << 63) - 1
"""The largest number of a signed type."""


class Format(StrEnum):
    LOOPS = "2.0"
    CONTRACTS = "2.1"


def witness(outcome: Outcome, task: Task, texts: Texts, version: str, form: Format = Format.CONTRACTS) -> str:
    """The witness as YAML; nothing for an outcome that claims nothing."""
    import yaml  # most runs write no witness

    match outcome.answer:
        case Answer.SAFE | Answer.ASSUMING:
            kind, content = "invariant_set", [*_invariants(outcome, texts), *_contracts(outcome, form)]
        case Answer.UNSAFE:
            kind, content = "violation_sequence", list(_segments(outcome, texts))
        case Answer.UNKNOWN:
            return ""
    entry = {"entry_type": kind, "metadata": _metadata(outcome, task, version, form), "content": content}
    written: str = yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=1000)
    return written


def _metadata(outcome: Outcome, task: Task, version: str, form: Format) -> dict[str, Any]:
    hashes = {source.name: hashlib.sha256(_bytes(source.path, source.text)).hexdigest() for source in task.sources}
    identity = f"{sorted(hashes.items())} {task.goal} {outcome.answer} {outcome.certificate}"
    return {
        "format_version": str(form),
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, identity)),
        "creation_time": _now().isoformat(timespec="seconds"),
        "producer": {"name": "Sorrel", "version": version},
        "task": {
            "input_files": list(hashes),
            "input_file_hashes": hashes,
            "specification": task.goal.specification.replace("main()", f"{task.function}()"),
            "data_model": task.data_model,
            "language": "C",
        },
    }


def _now() -> datetime:
    """SOURCE_DATE_EPOCH (reproducible-builds.org) makes the same run give the same bytes."""
    return datetime.fromtimestamp(float(os.environ.get("SOURCE_DATE_EPOCH", time.time())), UTC)


def _bytes(path: str, text: str | None) -> bytes:
    if text is not None:
        return text.encode()
    with open(path, "rb") as file:
        return file.read()


# Safe


def _invariants(outcome: Outcome, texts: Texts) -> Iterator[dict[str, Any]]:
    """Of loops with a condition in front; formats differ in when an invariant of the others is looked at."""
    for contract in outcome.program_contracts:
        said = [text for text in contract.in_c if "\\" not in text]
        if said and contract.kind is ContractKind.LOOP and texts.word(contract.span) in ("for", "while"):
            location = _location(contract.span, contract.procedure)
            kind = "loop_invariant"
            yield {"invariant": {"type": kind, "location": location, "value": _all(said), "format": "c_expression"}}


def _contracts(outcome: Outcome, form: Format) -> Iterator[dict[str, Any]]:
    """Of functions that may be called with anything: a condition on callers is exact, which C need not be."""
    for contract in outcome.program_contracts:
        if (
            contract.kind is ContractKind.FUNCTION
            and contract.in_c
            and not contract.requires
            and form is not Format.LOOPS
        ):
            said = {
                "type": "function_contract",
                "location": _location(contract.span, contract.procedure),
                "requires": "1",
                "ensures": _all(contract.in_c),
                "format": "ext_c_expression",
            }
            yield {"contract": said}


def _all(conditions: Sequence[str]) -> str:
    return " && ".join(f"({each})" for each in conditions) if len(conditions) > 1 else conditions[0]


# Unsafe


def _segments(outcome: Outcome, texts: Texts) -> Iterator[dict[str, Any]]:
    procedures = {(e.span.file, e.span.line, e.span.column): e.procedure for e in outcome.run}
    for choice in outcome.choices:
        place = end_of_call(texts.lines(choice.span.file), choice.span, choice.source)
        if choice.origin is not ValueOrigin.INPUT or place is None:
            continue
        procedure = procedures.get((choice.span.file, choice.span.line, choice.span.column), "")
        yield _segment(
            {
                "type": "function_return",
                "action": "follow",
                "constraint": {"value": f"\\result == {_number(choice.value)}", "format": "ext_c_expression"},
                "location": _location(place, procedure),
            }
        )
    if outcome.violation is not None:
        location = _location(outcome.violation.span, outcome.violation.procedure)
        yield _segment({"type": "target", "action": "follow", "location": location})


def _segment(waypoint: dict[str, Any]) -> dict[str, Any]:
    return {"segment": [{"waypoint": waypoint}]}


def _number(value: str) -> str:
    """As C writes it: what no signed type holds is unsigned."""
    if value.isdecimal() and int(value) > _LARGEST:
        return f"{value}u"
    return {"true": "1", "false": "0"}.get(value, value)


def _location(span: Span, function: str) -> dict[str, Any]:
    location: dict[str, Any] = {"file_name": span.file, "line": span.line}
    if span.column:
        location["column"] = span.column
    if function:
        location["function"] = function
    return location
