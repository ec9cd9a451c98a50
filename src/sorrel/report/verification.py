"""What was found out about a program, as lines of text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from sorrel.model.assumption import APART, AssumptionKind
from sorrel.model.contract_lines import laid_out
from sorrel.model.errors import Span
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    ChosenValue,
    EventKind,
    FunctionValue,
    Outcome,
    ProgramContract,
    ReplayResult,
    RunEvent,
    Standing,
    ValueOrigin,
)
from sorrel.model.property import Property
from sorrel.report.columns import column_lines
from sorrel.report.excerpt import Paint, Texts, by_its_text, excerpt, is_shown, whose

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
        case Answer.SAFE | Answer.ASSUMING:
            yield from _safe(outcome, paint)
        case Answer.UNSAFE:
            yield from _unsafe(outcome, texts, paint, verbose)
        case Answer.UNKNOWN:
            yield from _unknown(outcome, paint)
    yield from _assumptions(outcome, texts, paint, verbose)
    if outcome.answer is not Answer.UNKNOWN:
        yield paint("faint", how(outcome))
    yield from (paint("faint", f"note: {note}") for note in outcome.notes)


def answer_line(outcomes: Sequence[Outcome], paint: Paint) -> str:
    """All properties hold, one does not, or it is not known whether all do; what is assumed for any of them."""
    answers = [outcome.answer for outcome in outcomes]
    worst = next(answer for answer in _WORST_FIRST if answer in answers)
    if worst is not Answer.ASSUMING:
        return paint(_MEANINGS[worst], str(worst))
    briefs = dict.fromkeys(each.brief for outcome in outcomes for each in outcome.assuming)
    return paint(_MEANINGS[worst], f"safe, assuming {', '.join(briefs)}")


_WORST_FIRST = (Answer.UNSAFE, Answer.UNKNOWN, Answer.ASSUMING, Answer.SAFE)
_MEANINGS = {Answer.SAFE: "good", Answer.ASSUMING: "doubt", Answer.UNSAFE: "bad", Answer.UNKNOWN: "doubt"}


def contract_lines(contracts: Sequence[ProgramContract], paint: Paint) -> Iterator[str]:
    for contract in contracts:
        if contract.kind == "type":
            yield from (paint("code", text) for text in contract.conjuncts)
            continue
        what = f"function {contract.procedure}" if contract.kind == "function" else f"loop in {contract.procedure}"
        if contract.says_something:
            yield paint("place", f"{what} ({_short(contract.span)})")
        for word, text in contract.clauses:
            named = f"{word} " if word in ("requires", "assigns") else ""
            first, *rest = laid_out(text)
            yield f"  {named}{paint('code', first)}"
            yield from (f"  {paint('code', line)}" for line in rest)


def summary_lines(outcome: Outcome, paint: Paint) -> Iterator[str]:
    """What is known of functions and loops, and what that rests on."""
    lines = list(contract_lines(outcome.program_contracts, paint))
    yield from lines or ["no contracts: no function is called, or nothing was proved about those that are"]
    # That pointers are apart is required where it matters.
    rest = [each for each in outcome.assumptions if APART not in each.text]
    briefs = dict.fromkeys(_in_sentence(each) for each in rest)
    is_about_types = any(each.kind == "type" for each in outcome.program_contracts)
    if lines and briefs and not is_about_types:
        yield paint("faint", f"assuming {', '.join(briefs)}")
    yield from (paint("faint", f"note: {note}") for note in outcome.notes)


def _in_sentence(assumption: Assumption) -> str:
    """In the middle of a sentence."""
    if assumption.kind is not AssumptionKind.ENTRY:
        return assumption.brief
    return assumption.text[:1].lower() + assumption.text[1:].rstrip(".")


def _short(span: Span) -> str:
    return f"{span.file}:{span.line}" if span.line else span.file or "no place"


def _line(span: Span) -> str:
    return f"{PurePath(span.file).name}:{span.line}"


def _safe(outcome: Outcome, paint: Paint) -> Iterator[str]:
    if outcome.goal:
        goal = Property(outcome.goal)
        named = f"{outcome.specification}: " if outcome.specification else ""
        yield (
            f"{named}in {goal.runs} {goal.said_of(outcome.source)}."
            if named
            else f"In {goal.runs} {goal.said_of(outcome.source)}."
        )
    yield from _rankings(outcome, paint)
    contracts = list(contract_lines(outcome.program_contracts, paint))
    if contracts:
        yield from ("", *contracts, "")


def _rankings(outcome: Outcome, paint: Paint) -> Iterator[str]:
    """Of several ranks of one loop, some one decreases from any visit to any later one."""
    if vacuous := nothing_to_check(outcome):
        yield vacuous
    texts: dict[str, list[str]] = {}
    for ranking in outcome.rankings:
        parts = ", ".join(ranking.components)
        several = len(ranking.components) > 1
        texts.setdefault(ranking.obligation, []).append(paint("code", f"({parts})" if several else parts))
    for place, found in texts.items():
        one = "one of " if len(found) > 1 else ""
        yield f"{paint('place', place)}: {one}{'; '.join(found)} decreases"


def nothing_to_check(outcome: Outcome) -> str:
    """Why a proof says nothing, if it does not; and what to do then."""
    if not outcome.answer.is_proof:
        return ""
    if outcome.checks == 0:
        none = {
            Property.UNREACH_CALL: "no error function is called in code that can be reached.",
            Property.NONINTERFERENCE: (
                "the program marks no value that an observer sees; mark some with sorrel_assert_low."
            ),
        }
        assertions = "there is no assertion and no call of an error function in code that can be reached."
        return f"There is nothing to check: {none.get(Property(outcome.goal), assertions)}"
    if outcome.checks and outcome.unreachable == outcome.checks:
        return "There is nothing to check: no run reaches an assertion."
    return ""


def _unsafe(outcome: Outcome, texts: Texts, paint: Paint, verbose: bool) -> Iterator[str]:
    if outcome.violation is not None:
        yield f"{paint('place', str(outcome.violation.span))}: {paint('bad', 'error:')} {outcome.violation.message}"
        yield from excerpt(texts, outcome.violation.span, paint)
    inputs = [choice for choice in outcome.choices if choice.is_worth_telling]
    if inputs:
        yield ""
        yield paint("place", "inputs")
        yield from (_value(choice, paint) for choice in inputs[: None if verbose else MOST_EVENTS])
        if len(inputs) > MOST_EVENTS and not verbose:
            yield f"  … {len(inputs) - MOST_EVENTS} more"
    if len(outcome.run) > 1:
        yield ""
        yield paint("place", "counterexample")
        yield from _run(outcome.run, texts, paint, verbose)
        yield ""
    if outcome.runs:
        yield ""
        yield from column_lines(outcome.runs, texts, paint, verbose=verbose)
        yield ""
    if outcome.functions:
        yield paint("place", "values of functions (the same in all runs)")
        yield from (_function(each, paint) for each in outcome.functions[: None if verbose else MOST_EVENTS])
        yield ""
    yield from _replay(outcome, paint)


def _function(value: FunctionValue, paint: Paint) -> str:
    arguments = f"({', '.join(value.arguments)})" if value.arguments else ""
    return f"  {value.function}{arguments} = {paint('code', value.value)}"


def _value(choice: ChosenValue, paint: Paint) -> str:
    by_call = choice.origin in (ValueOrigin.INPUT, ValueOrigin.EXTERNAL) and "()" not in choice.source
    source = f"{choice.source}()" if by_call and choice.source.isidentifier() else choice.source
    origin = f" ({choice.origin})" if choice.origin is not ValueOrigin.INPUT else ""
    own = choice.variable == choice.source or not choice.source.isidentifier()
    name = source if choice.variable.startswith(f"{choice.source}.") else choice.variable
    where = _short(choice.span) if own or name == source else f"{source}, {_short(choice.span)}"
    by = f"  {paint('faint', where)}" if choice.span.line else ""
    return f"  {name} = {paint('code', choice.value)}{origin}{by}"


def _run(run: Sequence[RunEvent], texts: Texts, paint: Paint, verbose: bool) -> Iterator[str]:
    events = [event for event in run if is_shown(event, texts.line(event.span.file, event.span.line))]
    shown: list[RunEvent | None] = list(events)
    if len(events) > MOST_EVENTS and not verbose:
        half = MOST_EVENTS // 2
        shown = [*events[:half], None, *events[-half:]]
    width = max((len(_line(event.span)) for event in shown if event is not None), default=0)
    for event in shown:
        if event is None:
            yield f"  {'…':<{width}}  {len(events) - MOST_EVENTS} steps are left out; -v shows them"
            continue
        indent = "  " * min(event.depth, 20)
        yield f"  {paint('faint', f'{_line(event.span):<{width}}')}  {indent}{_event(event, texts, paint)}"


def _event(event: RunEvent, texts: Texts, paint: Paint) -> str:
    text = by_its_text(event, texts.line(event.span.file, event.span.line))
    match event.kind:
        case EventKind.VIOLATION:
            return paint("bad", event.text)
        case EventKind.BRANCH if text is not None:
            return f"{whose(event)}{text}  {paint('faint', f'/* {event.value} */')}"
        case _:
            return event.text if text is None else whose(event) + text


REPLAYED = {
    ReplayResult.REACHED: "The compiled program reaches the error",
    ReplayResult.MISSED: "The compiled program does not reach the error",
    ReplayResult.IMPOSSIBLE: "The run could not be replayed with a compiler",
}


def _replay(outcome: Outcome, paint: Paint) -> Iterator[str]:
    if outcome.replay is None:
        return
    meaning = "good" if outcome.replay.result is ReplayResult.REACHED else "doubt"
    yield f"{paint(meaning, REPLAYED[outcome.replay.result])}: {outcome.replay.detail}"


def _unknown(outcome: Outcome, paint: Paint) -> Iterator[str]:
    if outcome.reason is not None:
        yield from outcome.reason.message.splitlines()
        if outcome.reason.cause in (Cause.TIME, Cause.MEMORY):
            yield _NEXT[outcome.reason.cause]
    for title, contracts in (
        ("Proved so far:", outcome.program_contracts),
        ("Missing: this would be sufficient for the next step, if it could be proved:", outcome.missing),
    ):
        lines = list(contract_lines(contracts, paint))
        if lines:
            yield from ("", title, *lines, "")
    yield from _replay(outcome, paint)


def _refuting_run(assumption: Assumption, texts: Texts, paint: Paint, verbose: bool) -> Iterator[str]:
    inputs = [choice for choice in assumption.choices if choice.is_worth_telling]
    yield from (f"  {_value(choice, paint)}" for choice in inputs[: None if verbose else MOST_EVENTS])
    if len(assumption.run) > 1:
        yield from (f"  {line}" for line in _run(assumption.run, texts, paint, verbose))


def _assumptions(outcome: Outcome, texts: Texts, paint: Paint, verbose: bool) -> Iterator[str]:
    if outcome.assumptions:
        yield paint("place", "assumptions")
    for assumption in outcome.assumptions:
        yield f"  {assumption_line(assumption)}"
        if assumption.kind is AssumptionKind.PRECONDITION and assumption.violation is not None:
            yield f"  Without it: {assumption.violation.message} at {assumption.violation.span}"
        is_refuted = assumption.standing is Standing.REFUTED and assumption.needed
        if is_refuted or assumption.kind is AssumptionKind.PRECONDITION:
            yield from _refuting_run(assumption, texts, paint, verbose)


def assumption_line(assumption: Assumption) -> str:
    """What is assumed, and what is known about it where something is."""
    known = [str(assumption.standing)] if assumption.needed else []
    known += ["not needed"] if not assumption.needed and assumption.kind is not AssumptionKind.QUESTION else []
    known += ["assumed on request"] if assumption.granted else []
    said = f" ({', '.join(known)})" if known else ""
    return f"{assumption.text}{said}{f': {assumption.detail}' if assumption.detail else ''}"


def next_steps(outcome: Outcome) -> Iterator[str]:
    """What a user can do about an answer that is none."""
    cause = outcome.reason.cause if outcome.reason else None
    if outcome.answer is Answer.UNKNOWN and cause in _NEXT:
        yield _NEXT[cause]


_NEXT = {
    Cause.TIME: "Give it more time with --timeout, ask about one function with --function, or narrow its inputs.",
    Cause.MEMORY: "Give it more memory with --memory, or ask about one function with --function.",
    Cause.INCOMPLETE: "Add an assertion that says what is missing, or try other methods: sorrel engines lists them.",
    Cause.UNCONFIRMED: "Run it with --replay, or give a body to the functions that the run depends on.",
    Cause.ASSUMPTION: "Accept the assumption with --assuming KIND, or fix what the counterexample to it shows.",
    Cause.INPUT: "Rewrite what is named, or leave it out with -D; docs/limitations.md lists what is not read.",
    Cause.UNSUPPORTED: "Ask for a property that is checked: sorrel verify --help lists them.",
}


def how(outcome: Outcome) -> str:
    *others, last = [each.checker for each in outcome.confirmations if each.accepted] or [""]
    checkers = f"{', '.join(others)} and {last}" if others else last
    verb = "proved" if outcome.answer.is_proof else "found"
    by = outcome.decided_by or outcome.engine
    how = f" {_PROOFS[outcome.arithmetic]} by {by}" if outcome.arithmetic in _PROOFS else ""
    checked = f", confirmed by {checkers}" if checkers else ""
    return f"{verb}{how} in {outcome.seconds:.2f} s{checked}"
