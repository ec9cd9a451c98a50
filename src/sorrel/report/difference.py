"""Differences between two versions: as text, as Markdown for a pull request, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from sorrel.model.outcome import RunEvent
from sorrel.project.difference import Behaviour, Difference, Example, FunctionDifference, Strength

_CONTRACT = {
    Strength.SAME: "the contract is the same",
    Strength.STRONGER: "the contract is stronger",
    Strength.WEAKER: "the contract is weaker",
    Strength.DIFFERENT: "the contract changed",
    Strength.UNKNOWN: "",
}
MOST_STEPS = 12
"""Lines of a run that are shown."""


def difference_json(found: Difference) -> str:
    return json.dumps(found.to_json(), ensure_ascii=False, indent=2)


def difference_lines(found: Difference) -> Iterator[str]:
    yield f"{found.old} -> {found.new}: {_summary(found)}"
    for each in found.functions:
        yield ""
        yield f"{_place(each)}{each.function}: {_headline(each)}"
        yield from (f"  {line}" for line in _details(each))
    yield from (f"at the start: {line}" for line in found.starting)
    yield from (f"no longer: {line}" for line in found.failing)
    yield from (f"note: {line}" for line in found.notes)


def difference_markdown(found: Difference) -> Iterator[str]:
    yield f"### Sorrel: `{found.old}` → `{found.new}`"
    yield ""
    yield f"{_summary(found)}."
    if found.functions:
        yield ""
        yield "| function | behaviour | contract |"
        yield "| --- | --- | --- |"
        for each in found.functions:
            place = f" ({_place(each).strip()})" if each.span.line else ""
            yield f"| `{each.function}`{place} | {each.behaviour} | {each.strength} |"
    for each in found.functions:
        lines = list(_details(each))
        if lines:
            yield ""
            yield f"<details><summary><code>{each.function}</code>: {_headline(each)}</summary>"
            yield ""
            yield "```"
            yield from lines
            yield "```"
            yield "</details>"
    if found.starting:
        yield ""
        yield "**Changed initial values**"
        yield ""
        yield from (f"- {line}" for line in found.starting)
    if found.failing:
        yield ""
        yield "**No longer proved**"
        yield ""
        yield from (f"- {line}" for line in found.failing)


def _place(each: FunctionDifference) -> str:
    return f"{each.span.file}:{each.span.line} " if each.span.line else ""


def _summary(found: Difference) -> str:
    counts = {b: sum(each.behaviour is b for each in found.functions) for b in Behaviour}
    told = ", ".join(f"{count} {behaviour}" for behaviour, count in counts.items() if count)
    return f"{told or 'no function differs'}; {found.unchanged} unchanged"


def _headline(each: FunctionDifference) -> str:
    parts = [str(each.behaviour), each.how]
    if each.behaviour not in (Behaviour.ADDED, Behaviour.REMOVED):
        parts.append(_CONTRACT[each.strength])
    return ", ".join(part for part in parts if part)


def _details(each: FunctionDifference) -> Iterator[str]:
    if each.old_contract != each.new_contract:
        yield from (f"- {line}" for line in each.old_contract)
        yield from (f"+ {line}" for line in each.new_contract)
    if each.example is not None:
        yield from _example(each.example)
    yield from (f"{caller} relied on a contract that no longer holds" for caller in each.relied)


def _example(example: Example) -> Iterator[str]:
    given = ", ".join(example.inputs) or "no inputs"
    yield f"with {given}: {example.differs} differs"
    yield f"  old: {', '.join(example.old) or 'returns'}"
    yield f"  new: {', '.join(example.new) or 'returns'}"
    rows = _side_by_side(_steps(example.old_run), _steps(example.new_run))
    yield from (f"  {row}" for row in rows)


def _steps(run: Sequence[RunEvent]) -> list[str]:
    lines = [f"{event.span.line}: {event.text}" for event in run if event.span.line]
    if len(lines) > MOST_STEPS:
        half = MOST_STEPS // 2
        lines = [*lines[:half], "…", *lines[-half:]]
    return lines


def _side_by_side(left: list[str], right: list[str]) -> Iterator[str]:
    width = max((len(line) for line in left), default=0)
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else ""
        other = right[number] if number < len(right) else ""
        yield f"{one:<{width}} | {other}".rstrip()
