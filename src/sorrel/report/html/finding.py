"""What one outcome says, arranged for reading: the answer, why, the run, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sorrel.model.errors import Span
from sorrel.model.explanation import Deduction
from sorrel.model.outcome import Answer, Assumption, ChosenValue, EventKind, FunctionValue, Outcome, RunEvent, TraceStep
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.report.columns import INPUT, differing_inputs
from sorrel.report.columns import rows as aligned
from sorrel.report.excerpt import is_shown, said, written_part
from sorrel.report.html.listing import Card, Listings
from sorrel.report.html.listing import rows as contract_rows
from sorrel.report.html.listing import title as contract_title
from sorrel.report.html.plot import Plot
from sorrel.report.verification import REPLAYED, assumption_line, how, next_steps, nothing_to_check

MOST_ROWS = 2000
"""Of two runs side by side; the rest is in the JSON."""
HEAP = -1
"""Where allocated memory is drawn, beside the frames of calls."""


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    value: str
    place: str
    origin: str


@dataclass(frozen=True, slots=True)
class Assumed:
    text: str
    standing: str


@dataclass(frozen=True, slots=True)
class SideRow:
    place: str
    line: str
    cells: tuple[str, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class LaneRow:
    lane: int
    line: str
    place: str
    text: str
    bad: bool


@dataclass(frozen=True, slots=True)
class Derived:
    """A fact of a derivation, and the clause that gives it from others."""

    fact: str
    clause: str
    place: str
    premises: tuple[int, ...]


@dataclass(frozen=True)
class Finding:
    """One answer; parts that it does not have are empty."""

    answer: str
    headline: str
    goal: str
    sentence: str
    message: str
    place: str
    how: str
    reasons: tuple[str, ...]
    next: tuple[str, ...]
    inputs: tuple[Value, ...]
    steps: tuple[dict[str, Any], ...]
    names: tuple[str, ...]
    sides: tuple[SideRow, ...]
    lanes: tuple[LaneRow, ...]
    threads: tuple[str, ...]
    functions: tuple[FunctionValue, ...]
    ranks: tuple[Plot, ...]
    proved: tuple[Card, ...]
    missing: tuple[Card, ...]
    summaries: tuple[Card, ...]
    assumptions: tuple[Assumed, ...]
    confirmations: tuple[str, ...]
    replay: str
    notes: tuple[str, ...]
    vacuous: str
    is_about_clauses: bool
    trace: tuple[Derived, ...]
    deductions: tuple[Deduction, ...]


def finding(outcome: Outcome, shown: Listings) -> Finding:
    unknown = outcome.answer is Answer.UNKNOWN
    violation = outcome.violation
    in_lanes = any(event.thread for event in outcome.run)
    return Finding(
        answer=str(outcome.answer),
        headline=_headline(outcome),
        goal=outcome.specification or outcome.goal,
        sentence=_sentence(outcome),
        message=violation.message if violation and outcome.answer is Answer.UNSAFE else "",
        place=shown.place(violation.span) if violation else "",
        how=how(outcome) if not unknown else "",
        reasons=tuple(str(outcome.reason).splitlines()) if outcome.reason and unknown else (),
        next=tuple(next_steps(outcome)) if unknown else (),
        inputs=tuple(_inputs(outcome, shown)),
        steps=() if in_lanes else tuple(_steps(outcome.run, shown)),
        names=tuple(run.name for run in outcome.runs),
        sides=tuple(_sides(outcome, shown)),
        lanes=tuple(_lanes(outcome.run, shown)) if in_lanes else (),
        threads=tuple(_threads(outcome.run).values()) if in_lanes else (),
        functions=outcome.functions,
        ranks=tuple(map(Plot.of, outcome.rankings)),
        proved=tuple(Card(contract_title(each), tuple(contract_rows(each))) for each in outcome.program_contracts),
        missing=tuple(Card(contract_title(each), tuple(contract_rows(each))) for each in outcome.missing),
        summaries=tuple(
            Card(f"{each.predicate}({', '.join(each.arguments)})", (each.infix,)) for each in outcome.contracts
        ),
        assumptions=tuple(_assumed(each) for each in outcome.assumptions),
        confirmations=tuple(
            f"{each.checker}: {each.detail or 'accepted'}" for each in outcome.confirmations if each.accepted
        ),
        replay=f"{REPLAYED[outcome.replay.result]}: {outcome.replay.detail}" if outcome.replay else "",
        notes=outcome.notes,
        vacuous=nothing_to_check(outcome),
        is_about_clauses=_is_about_clauses(outcome),
        trace=tuple(_derived(each, shown) for each in outcome.trace),
        deductions=outcome.explanation.deductions,
    )


def _headline(outcome: Outcome) -> str:
    if outcome.engine == "summarize" and outcome.answer.is_proof:
        return "contracts"
    if _is_about_clauses(outcome) and outcome.answer is not Answer.UNKNOWN:
        return f"{outcome.answer} ({outcome.answer.chc})"
    if outcome.answer is not Answer.ASSUMING:
        return str(outcome.answer)
    return f"safe, assuming {', '.join(dict.fromkeys(each.brief for each in outcome.assuming))}"


def _is_about_clauses(outcome: Outcome) -> bool:
    """And not about a program, of which a property is asked."""
    return not outcome.goal and outcome.engine != "summarize"


def _derived(step: TraceStep, shown: Listings) -> Derived:
    """The clause by its place in the text, where that is shown."""
    file, _, rest = step.origin.partition(":")
    line = rest.partition(":")[0]
    place = shown.place(Span(file, int(line))) if line.isdecimal() else ""
    return Derived(step.fact, f"line {line}" if place else step.clause, place, step.premises)


def _sentence(outcome: Outcome) -> str:
    if not outcome.goal:
        return ""
    goal = Property(outcome.goal)
    match outcome.answer:
        case Answer.SAFE | Answer.ASSUMING:
            return f"In {goal.runs} {goal.said_of(outcome.source)}."
        case Answer.UNSAFE:
            return f"Expected: in {goal.runs} {goal.said_of(outcome.source)}."
        case Answer.UNKNOWN:
            return f"It is not known whether in {goal.runs} {goal.said_of(outcome.source)}."


def _inputs(outcome: Outcome, shown: Listings) -> Iterator[Value]:
    for choice in outcome.choices:
        if choice.is_worth_telling:
            name = choice.variable or choice.source
            yield Value(name, choice.value, shown.place(choice.span), _origin(choice))


def _origin(choice: ChosenValue) -> str:
    is_named = choice.source and choice.source != choice.variable
    return f"{choice.source}()" if is_named and choice.source.isidentifier() else str(choice.origin)


def _steps(events: Sequence[RunEvent], shown: Listings) -> Iterator[dict[str, Any]]:
    yield from (_step(event, shown) for event in events if is_shown(event, _text(event, shown)))


def _step(event: RunEvent, shown: Listings) -> dict[str, Any]:
    """As the script on the page takes it: short names, and nothing that is empty."""
    place = shown.place(event.span)
    step: dict[str, Any] = {"at": place, "kind": str(event.kind), "text": _said(event, shown)}
    step |= {"line": f"line {event.span.line}" if place else ""}
    step |= {"depth": event.depth, "frame": event.frame, "in": event.procedure}
    if event.variable:
        name, part = _drawn_at(event, shown)
        step |= {"name": name, "value": event.value} | ({"index": part} if part else {})
    if event.is_in_block:
        step["frame"] = HEAP
    if event.array:
        step["array"] = _array(event.array.cells, event.array.others)
    if event.arguments:
        step["given"] = [
            {"name": each.name, "value": each.value}
            | ({"array": _array(each.array.cells, each.array.others)} if each.array else {})
            for each in event.arguments
        ]
    return step


def _drawn_at(event: RunEvent, shown: Listings) -> tuple[str, str]:
    """The array, structure or block whose part was written, and the part."""
    if event.is_in_block:
        return event.base, written_part(event, _text(event, shown))
    structure, _, member = event.variable.partition(".")
    is_member = member.isidentifier() and not event.base and not event.array
    return (structure, member) if is_member else (event.base or event.variable, event.index)


def _text(event: RunEvent, shown: Listings) -> str | None:
    line = shown.line(event.span)
    return None if line is None else "".join(piece.text for piece in line.pieces)


def _said(event: RunEvent, shown: Listings) -> str:
    return said(event, _text(event, shown))


def _array(cells: Sequence[Any], others: str) -> dict[str, Any]:
    return {"cells": {cell.index: cell.value for cell in cells}} | ({"others": others} if others else {})


def _sides(outcome: Outcome, shown: Listings) -> Iterator[SideRow]:
    for choices in differing_inputs(outcome.runs):
        cells = tuple(f"{choice.variable} = {choice.value}" for choice in choices)
        yield SideRow(shown.place(choices[0].span), INPUT, cells, True)
    for row in aligned(outcome.runs)[:MOST_ROWS] if outcome.runs else ():
        span = row.first.span
        cells = tuple(_said(event, shown) if event else "" for event in row.events)
        yield SideRow(shown.place(span), str(span.line or ""), cells, row.differs)


def _threads(events: Sequence[RunEvent]) -> dict[int, str]:
    """Those that do something, by their numbers."""
    return {number: f"thread {number} ({name})" for number, name in sorted({(e.thread, e.procedure) for e in events})}


def _lanes(events: Sequence[RunEvent], shown: Listings) -> Iterator[LaneRow]:
    columns = {number: column for column, number in enumerate(_threads(events))}
    for event in events:
        bad = event.kind is EventKind.VIOLATION
        line = str(event.span.line or "")
        yield LaneRow(columns[event.thread], line, shown.place(event.span), _said(event, shown), bad)


def _assumed(assumption: Assumption) -> Assumed:
    return Assumed(assumption_line(assumption), str(assumption.standing) if assumption.weakens else "settled")
