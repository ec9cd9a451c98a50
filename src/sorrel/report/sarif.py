"""Outcomes in SARIF 2.1.0, which editors and code-hosting sites show beside the code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, Assumption, Outcome, RunEvent
from sorrel.model.outline import SourceText
from sorrel.model.property import Property

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(outcomes: Sequence[Outcome], version: str) -> str:
    sources = {source.path: source for outcome in outcomes for source in outcome.sources}
    return written([_result(outcome) for outcome in outcomes], version, list(sources.values()))


def written(results: Sequence[dict[str, Any]], version: str, sources: Sequence[SourceText] = ()) -> str:
    """A log of one run with these results."""
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "Sorrel", "version": version, "rules": [_rule(goal) for goal in Property]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],  # it came to an end; what it found stands in the results
        "results": list(results),
    }
    if sources:
        run["artifacts"] = [_artifact(source) for source in sources]
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _artifact(source: SourceText) -> dict[str, Any]:
    return {
        "location": {"uri": _address(source.path)},
        "sourceLanguage": source.language,
        "hashes": {"sha-256": source.sha256},
    }


def _rule(goal: Property) -> dict[str, Any]:
    sentence = goal.sentence[0].upper() + goal.sentence[1:] + "."
    rule: dict[str, Any] = {
        "id": str(goal),
        "shortDescription": {"text": sentence},
        "defaultConfiguration": {"level": "error"},
    }
    if goal.weaknesses:
        rule["properties"] = {"tags": [f"external/cwe/cwe-{number:03}" for number in goal.weaknesses]}
    return rule


def _result(outcome: Outcome) -> dict[str, Any]:
    goal = Property(outcome.goal or Property.ASSERTIONS)
    match outcome.answer:
        case Answer.SAFE:
            kind, level, message = "pass", "none", f"In {goal.runs} {goal.said_of(outcome.source)}."
        case Answer.ASSUMING:
            given = "; ".join(each.text for each in outcome.assuming)
            kind, level, message = "review", "none", f"In {goal.runs} {goal.said_of(outcome.source)}, assuming: {given}"
        case Answer.UNSAFE:
            kind, level = "fail", "error"
            message = (
                outcome.violation.message
                if outcome.violation
                else f"Not in {goal.runs} {goal.said_of(outcome.source)}."
            )
        case Answer.UNKNOWN:
            kind, level = "open", "none"
            message = str(outcome.reason) if outcome.reason else "It is not known whether the property holds."
    result: dict[str, Any] = {
        "ruleId": str(goal),
        "ruleIndex": list(Property).index(goal),
        "kind": kind,
        "level": level,
        "message": {"text": message},
    }
    span = outcome.violation.span if outcome.violation else Span(outcome.source.split(" ")[0])
    result["locations"] = [{"physicalLocation": place(span)}]
    if outcome.answer is Answer.UNSAFE:
        result["partialFingerprints"] = {"sorrel/v1": _fingerprint(outcome)}
        flows = _flows(outcome)
        if flows:
            result["codeFlows"] = [{"threadFlows": flows}]
    if outcome.assumptions:
        result["properties"] = {"assumptions": [_assumption(each) for each in outcome.assumptions]}
    return result


def _fingerprint(outcome: Outcome) -> str:
    """The same for the same finding after lines have moved: it speaks of names and words, never of positions."""
    found = outcome.violation
    words = [outcome.goal]
    if found:
        said = found.message.removesuffix(found.detail)  # which values a run has may differ from one to the next
        words += [outcome.function, found.procedure, found.kind, said]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


def _flows(outcome: Outcome) -> list[dict[str, Any]]:
    """The run; or each of those that violate the property together, and each thread, as a flow of its own."""
    named = [(each.name, each.events) for each in outcome.runs] or [("", outcome.run)]
    flows = []
    for name, events in named:
        for thread in sorted({event.thread for event in events}):
            steps = [_step(event) for event in events if event.span.line and event.thread == thread]
            words = [word for word in (name, f"thread {thread}" if thread else "") if word]
            if steps:
                flows.append({**({"id": ", ".join(words)} if words else {}), "locations": steps})
    return flows


def _assumption(assumption: Assumption) -> dict[str, Any]:
    told = {"kind": str(assumption.kind), "text": assumption.text, "standing": str(assumption.standing)}
    return {**told, "needed": assumption.needed, "granted": assumption.granted}


def _step(event: RunEvent) -> dict[str, Any]:
    location = {"physicalLocation": place(event.span), "message": {"text": event.text}}
    return {"location": location, "nestingLevel": max(0, event.depth)}


def place(span: Span) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _address(span.file or "unknown")}}
    if span.line:
        region = {"startLine": span.line}
        if span.column:
            region["startColumn"] = span.column
        if span.end_line:
            region["endLine"] = span.end_line
        if span.end_column:
            region["endColumn"] = span.end_column
        place["region"] = region
    return place


def _address(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
