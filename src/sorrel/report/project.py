"""Results of a project: a table for people, lines for continuous integration, SARIF for both."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sorrel.model.errors import InputError, Span
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.project.result import FunctionResult, ProjectResult, Verdict
from sorrel.report.excerpt import Paint
from sorrel.report.sarif import place, written

_COLOURS = {Verdict.PROVED: "good", Verdict.CONDITIONAL: "good", Verdict.REFUTED: "bad", Verdict.UNKNOWN: "doubt"}
LONGEST = 100
"""Characters of a message in a row of the table."""


def table_lines(result: ProjectResult, paint: Paint, *, everything: bool) -> Iterator[str]:
    """A row for each function; without `everything` only for those that are not proved."""
    rows = [each for each in result.functions if everything or each.verdict is not Verdict.PROVED]
    rows.sort(key=lambda each: (each.span.file, each.span.line, each.function, each.goal))
    several = len({each.goal for each in result.functions}) > 1
    names = [_name(each, several) for each in rows]
    width = max(map(len, names), default=0)
    for name, each in zip(names, rows, strict=True):
        verdict = paint(_COLOURS[each.verdict], f"{each.verdict!s:<11}")
        yield f"{name:<{width}}  {verdict}  {_cut(_told(each))}".rstrip()


def _name(each: FunctionResult, several: bool) -> str:
    where = f"{each.span.file}:{each.span.line}" if each.span.line else each.span.file
    role = " (entry)" if each.entry else "()"
    return f"{where} {each.function}{role}" + (f" {each.goal}" if several else "")


def _told(each: FunctionResult) -> str:
    first = each.message.split("\n")[0]
    if each.verdict is Verdict.CONDITIONAL:
        return f"requires {each.requires}"
    return f"{each.place}: {_told_there(each)}" if each.verdict is Verdict.REFUTED else first


def _told_there(each: FunctionResult) -> str:
    """Without its place, and with the values that lead to what is wrong."""
    first = each.message.split("\n")[0]
    if each.verdict is not Verdict.REFUTED:
        return f"undecided: {first}" if first else "undecided"
    return f"{first} with {', '.join(each.values)}" if each.values else first


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def summary_line(result: ProjectResult) -> str:
    counts = ", ".join(f"{result.count(verdict)} {verdict}" for verdict in Verdict if result.count(verdict))
    searched = f"{result.proved_anew} needed a search" if result.proved_anew else "no search needed"
    if result.interrupted and not result.proved_anew:
        searched = "stopped before the end"
    results = "1 result" if len(result.functions) == 1 else f"{len(result.functions)} results"
    told = f"{results}: {counts}" if counts else "no result"
    return f"{told}; {searched}; {result.seconds:.1f} s"


def finding_lines(result: ProjectResult) -> Iterator[str]:
    """One line for each problem, as compilers write them."""
    for each in result.functions:
        if each.is_finding:
            where = each.place if each.place.line else each.span
            level = "error" if each.verdict is Verdict.REFUTED else "warning"
            yield f"{where}: {level}: {_told_there(each)} [{each.function}, {each.goal}]"
    yield from (f"warning: {misfit}" for misfit in result.misfits)
    yield from (f"error: {problem}" for problem in result.problems)


def project_json(result: ProjectResult) -> str:
    return json.dumps({"answer": str(result.answer), **result.to_json()}, ensure_ascii=False, indent=2)


# SARIF


def project_sarif(result: ProjectResult, version: str, known: Mapping[str, str] | None = None) -> str:
    """All findings in one log; `known` are fingerprints of a baseline, which are marked as unchanged."""
    found = [_sarif_result(each, known) for each in result.functions if each.is_finding]
    return written(found, version)


def _sarif_result(each: FunctionResult, known: Mapping[str, str] | None) -> dict[str, Any]:
    refuted = each.verdict is Verdict.REFUTED
    goal = Property(each.goal)
    given = f" With {', '.join(each.values)}." if each.values else ""
    found: dict[str, Any] = {
        "ruleId": str(goal),
        "ruleIndex": list(Property).index(goal),
        "kind": "fail" if refuted else "open",
        "level": "error" if refuted else "none",
        "message": {"text": f"{each.function}: {each.message or 'not known'}{given}"},
        "locations": [{"physicalLocation": place(_where(each))}],
        "partialFingerprints": {"sorrel/v1": each.fingerprint},
    }
    if known is not None:
        found["baselineState"] = "unchanged" if each.fingerprint in known else "new"
    return found


def _where(each: FunctionResult) -> Span:
    return each.place if each.place.line else each.span


def baseline(path: str) -> Mapping[str, str]:
    """The fingerprints of the findings in a SARIF log that was written before."""
    content = Source(path).read()
    try:
        data = json.loads(content)
        results: Sequence[dict[str, Any]] = [result for run in data["runs"] for result in run.get("results", ())]
        return {each["partialFingerprints"]["sorrel/v1"]: "" for each in results if "partialFingerprints" in each}
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise InputError(f"{path}: this is not a baseline (SARIF written by sorrel): {problem}") from None
