"""A project as a page: its files with what is known of each function, and each finding as an answer of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    ContractKind,
    Outcome,
    ProgramContract,
    Reason,
    Violation,
)
from sorrel.model.outline import CallSite, Obligation, ObligationStatus, ProcedureOutline, SourceText
from sorrel.project.result import FunctionResult, ProjectResult, Verdict
from sorrel.report.html import page

_STATUSES = {
    Verdict.PROVED: ObligationStatus.PROVED,
    Verdict.CONDITIONAL: ObligationStatus.PROVED,
    Verdict.REFUTED: ObligationStatus.REFUTED,
    Verdict.UNKNOWN: ObligationStatus.OPEN,
}


_ANSWERS = {Verdict.REFUTED: Answer.UNSAFE, Verdict.UNKNOWN: Answer.UNKNOWN}
"""What was decided about a function that is a finding, as the page says it."""


def project_page(result: ProjectResult, folder: Path, version: str) -> str:
    sources = tuple(_sources(result, folder))
    outcomes: list[Outcome] = []
    for goal in dict.fromkeys(each.goal for each in result.functions):
        whole = _whole(result, goal, sources)
        findings = [each for each in result.functions if each.goal == goal and each.is_finding]
        outcomes.append(replace(whole, violation=_violation(findings[0])) if _is_all(findings) else whole)
        outcomes += [_finding(each) for each in findings if not _is_all(findings)]
    files = "1 file" if len(sources) == 1 else f"{len(sources)} files"
    return page(outcomes or [Outcome(result.answer)], version, f"{folder.resolve().name}: {files}")


def _is_all(findings: Sequence[FunctionResult]) -> bool:
    """One violation is what the answer about all functions says."""
    return len(findings) == 1 and findings[0].verdict is Verdict.REFUTED


def _sources(result: ProjectResult, folder: Path) -> Iterator[SourceText]:
    for name in sorted({each.span.file for each in result.functions if each.span.file}):
        try:
            data = (folder / name).read_bytes()
        except OSError:
            continue  # a header of the system, or a file that went away: findings in it stand without their text
        text = data.decode("utf-8", errors="replace")
        yield SourceText(name, "c", hashlib.sha256(data).hexdigest(), text)


def _whole(result: ProjectResult, goal: str, sources: tuple[SourceText, ...]) -> Outcome:
    """What is known of one property in all functions."""
    functions = [each for each in result.functions if each.goal == goal]
    answer = _answer(functions, bool(result.open))
    said = f"{sum(each.verdict is Verdict.UNKNOWN for each in functions)} of {len(functions)} functions are undecided"
    return Outcome(
        answer,
        goal=goal,
        reason=Reason(Cause.INCOMPLETE, said) if answer is Answer.UNKNOWN else None,
        sources=sources,
        procedures=tuple(_outline(each) for each in functions),
        obligations=tuple(map(_obligation, functions)),
        program_contracts=tuple(_contract(each) for each in functions if _has_contract(each)),
        assumptions=tuple(Assumption(AssumptionKind.OTHER, text, words=text) for text in result.open),
        notes=result.notes,
    )


def _outline(each: FunctionResult) -> ProcedureOutline:
    return ProcedureOutline(each.function, each.span, tuple(CallSite(name, each.span) for name in each.calls))


def _answer(functions: Sequence[FunctionResult], assuming: bool) -> Answer:
    found = {each.verdict for each in functions if each.entry}
    if Verdict.REFUTED in found:
        return Answer.UNSAFE
    if Verdict.UNKNOWN in found or not found:
        return Answer.UNKNOWN
    return Answer.ASSUMING if assuming else Answer.SAFE


def _obligation(each: FunctionResult) -> Obligation:
    place = each.place if each.verdict is Verdict.REFUTED and each.place.line else each.span
    words = f"{each.function}, {each.goal}"
    text = f"{words}: {each.message.splitlines()[0]}" if each.message else words
    return Obligation(each.goal, place, each.function, _STATUSES[each.verdict], text)


def _has_contract(each: FunctionResult) -> bool:
    return bool(each.requires or each.ensures or each.assigns is not None)


def _contract(each: FunctionResult) -> ProgramContract:
    requires = (each.requires,) if each.requires else ()
    return ProgramContract(
        each.function, ContractKind.FUNCTION, each.span, each.ensures, requires=requires, assigns=each.assigns
    )


def _finding(each: FunctionResult) -> Outcome:
    found = Outcome(_ANSWERS[each.verdict], source=each.function, goal=each.goal)
    found = replace(found, specification=f"{each.goal} in {each.function}")
    if each.verdict is Verdict.REFUTED:
        return replace(found, violation=_violation(each))
    return replace(found, reason=Reason(Cause.INCOMPLETE, f"{each.function}: {each.message or 'not known'}"))


def _violation(each: FunctionResult) -> Violation:
    place = each.place if each.place.line else each.span
    given = f" with {', '.join(each.values)}" if each.values else ""
    return Violation(each.goal, f"{each.function}: {each.message}{given}", place, each.function)
