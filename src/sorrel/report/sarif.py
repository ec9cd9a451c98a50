"""Outcomes in SARIF 2.1.0, which editors and code-hosting sites show beside the code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, Assumption, Outcome, RunEvent
from sorrel.model.property import Property

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(outcomes: Sequence[Outcome], version: str) -> str:
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "Sorrel", "version": version, "rules": [_rule(goal) for goal in Property]}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(outcome) for outcome in outcomes],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(goal: Property) -> dict[str, Any]:
    sentence = goal.sentence[0].upper() + goal.sentence[1:] + "."
    return {"id": str(goal), "shortDescription": {"text": sentence}, "defaultConfiguration": {"level": "error"}}


def _result(outcome: Outcome) -> dict[str, Any]:
    goal = Property(outcome.goal or Property.ASSERTIONS)
    match outcome.answer:
        case Answer.SAFE:
            kind, level, message = "pass", "none", f"In {goal.runs} {goal.sentence}."
        case Answer.ASSUMING:
            given = "; ".join(each.text for each in outcome.assuming)
            kind, level, message = "review", "none", f"In {goal.runs} {goal.sentence}, assuming: {given}"
        case Answer.UNSAFE:
            kind, level = "fail", "error"
            message = outcome.violation.message if outcome.violation else f"Not in {goal.runs} {goal.sentence}."
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
    result["locations"] = [{"physicalLocation": _place(span)}]
    if outcome.answer is Answer.UNSAFE and outcome.run:
        steps = [_step(event) for event in outcome.run if event.span.line]
        if steps:
            result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if outcome.assumptions:
        result["properties"] = {"assumptions": [_assumption(each) for each in outcome.assumptions]}
    return result


def _assumption(assumption: Assumption) -> dict[str, Any]:
    told = {"kind": str(assumption.kind), "text": assumption.text, "standing": str(assumption.standing)}
    return {**told, "needed": assumption.needed, "granted": assumption.granted}


def _step(event: RunEvent) -> dict[str, Any]:
    location = {"physicalLocation": _place(event.span), "message": {"text": event.text}}
    return {"location": location, "nestingLevel": max(0, event.depth)}


def _place(span: Span) -> dict[str, Any]:
    path = PurePath(span.file or "unknown")
    address = path.as_uri() if path.is_absolute() else str(path.as_posix())
    place: dict[str, Any] = {"artifactLocation": {"uri": address}}
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
