"""What was found out about a program, as lines of text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.errors import Span
from sorrel.outcome import (
    Answer,
    ChosenValue,
    EventKind,
    Outcome,
    ProgramContract,
    ReplayResult,
    RunEvent,
)
from sorrel.property import Property
from sorrel.report.excerpt import Paint, Texts, excerpt

MOST_EVENTS = 60
"""Longer runs are shown without their middle."""

_PROOFS = {
    "ideal": "over unbounded integers",
    "ranged": "over integers that stay within their types",
    "exact": "over bit-vectors",
}


def verification_lines(outcome: Outcome, texts: Texts, paint: Paint, *, verbose: bool = False) -> Iterator[str]:
    """Everything below the first line."""
    match outcome.answer:
        case Answer.SAFE:
            yield from _safe(outcome, paint)
        case Answer.UNSAFE:
            yield from _unsafe(outcome, texts, paint, verbose)
        case Answer.UNKNOWN:
            yield from _unknown(outcome, paint)
    yield from _assumptions(outcome, paint)
    if outcome.answer is not Answer.UNKNOWN:
        yield paint("faint", _how(outcome))
    yield from (paint("faint", f"note: {note}") for note in outcome.notes)


def answer_line(answer: Answer, paint: Paint) -> str:
    meaning = {Answer.SAFE: "good", Answer.UNSAFE: "bad", Answer.UNKNOWN: "doubt"}[answer]
    return paint(meaning, str(answer))


def contract_lines(contracts: Sequence[ProgramContract], paint: Paint) -> Iterator[str]:
    for contract in contracts:
        what = f"function {contract.procedure}" if contract.kind == "function" else f"loop in {contract.procedure}"
        yield paint("place", f"{what} ({_short(contract.span)})")
        for conjunct in contract.conjuncts or ("nothing",):
            yield f"  {paint('code', conjunct)}"


def _short(span: Span) -> str:
    return f"{span.file}:{span.line}" if span.line else span.file or "no place"


def _safe(outcome: Outcome, paint: Paint) -> Iterator[str]:
    if outcome.goal:
        yield f"In every run {Property(outcome.goal).sentence}."
    if outcome.program_contracts:
        yield ""
        yield from contract_lines(outcome.program_contracts, paint)
        yield ""


def _unsafe(outcome: Outcome, texts: Texts, paint: Paint, verbose: bool) -> Iterator[str]:
    if outcome.violation is not None:
        yield f"{paint('place', str(outcome.violation.span))}: {paint('bad', 'error:')} {outcome.violation.message}"
        yield from excerpt(texts, outcome.violation.span, paint)
    inputs = [choice for choice in outcome.choices if choice.origin != "uninitialised" or choice.value != "0"]
    if inputs:
        yield ""
        yield paint("place", "with these values")
        yield from (_value(choice, paint) for choice in inputs[: None if verbose else MOST_EVENTS])
        if len(inputs) > MOST_EVENTS and not verbose:
            yield f"  … {len(inputs) - MOST_EVENTS} more"
    if outcome.run:
        yield ""
        yield paint("place", "the run")
        yield from _run(outcome.run, paint, verbose)
        yield ""
    yield from _replay(outcome, paint)


def _value(choice: ChosenValue, paint: Paint) -> str:
    source = f"{choice.source}()" if choice.source and choice.origin in ("input", "external") else choice.source
    origin = f" ({choice.origin})" if choice.origin != "input" else ""
    name = choice.variable or source
    by = f"  {paint('faint', f'{source}, {_short(choice.span)}')}" if choice.span.line else ""
    return f"  {name} = {paint('code', choice.value)}{origin}{by}"


def _run(events: Sequence[RunEvent], paint: Paint, verbose: bool) -> Iterator[str]:
    shown: list[RunEvent | None] = list(events)
    if len(events) > MOST_EVENTS and not verbose:
        half = MOST_EVENTS // 2
        shown = [*events[:half], None, *events[-half:]]
    width = max((len(_short(event.span)) for event in shown if event is not None), default=0)
    for event in shown:
        if event is None:
            yield f"  {'…':<{width}}  {len(events) - MOST_EVENTS} steps are left out; -v shows them"
            continue
        indent = "  " * min(event.depth, 20)
        text = paint("bad", event.text) if event.kind is EventKind.VIOLATION else event.text
        yield f"  {paint('faint', f'{_short(event.span):<{width}}')}  {indent}{text}"


def _replay(outcome: Outcome, paint: Paint) -> Iterator[str]:
    if outcome.replay is None:
        return
    word = {
        ReplayResult.REACHED: paint("good", "The compiled program reaches the error"),
        ReplayResult.MISSED: paint("doubt", "The compiled program does not reach the error"),
        ReplayResult.IMPOSSIBLE: paint("doubt", "The run could not be tried with a compiler"),
    }[outcome.replay.result]
    yield f"{word}: {outcome.replay.detail}"


def _unknown(outcome: Outcome, paint: Paint) -> Iterator[str]:
    if outcome.reason is not None:
        yield from outcome.reason.message.splitlines()
    if outcome.program_contracts:
        yield ""
        yield "Proved so far:"
        yield from contract_lines(outcome.program_contracts, paint)
    if outcome.missing:
        yield ""
        yield "This would be enough, if it could be proved:"
        yield from contract_lines(outcome.missing, paint)
    if outcome.program_contracts or outcome.missing:
        yield ""
    yield from _replay(outcome, paint)


def _assumptions(outcome: Outcome, paint: Paint) -> Iterator[str]:
    if outcome.assumptions:
        yield paint("place", "taken for granted")
        yield from (f"  {assumption}" for assumption in outcome.assumptions)


def _how(outcome: Outcome) -> str:
    checkers = ", ".join(confirmation.checker for confirmation in outcome.confirmations if confirmation.accepted)
    verb = "proved" if outcome.answer is Answer.SAFE else "found"
    where = f" {_PROOFS[outcome.arithmetic]}" if outcome.arithmetic in _PROOFS else ""
    checked = f", confirmed by {checkers}" if checkers else ""
    return f"{verb}{where} by {outcome.engine} in {outcome.seconds:.2f} s{checked}"
