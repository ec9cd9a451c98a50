"""The program as a reader sees it: texts, procedures with their calls and loops, and what became of each check."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.outline import CallSite, Obligation, ObligationStatus, ProcedureOutline, SourceText
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.program.loops import known_loops
from sorrel.program.program import LIBRARY, Procedure, Program
from sorrel.program.statement import Assert, Call

_LANGUAGES = {".c": "c", ".h": "c", ".i": "c", ".java": "java", ".ml": "ocaml", ".smt2": "smtlib"}


def source_texts(sources: Sequence[Source]) -> tuple[SourceText, ...]:
    """The texts of what was asked about; a file that cannot be read any more has none."""
    return tuple(_text(source) for source in sources)


def _text(source: Source) -> SourceText:
    data = source.text.encode() if source.text is not None else _bytes(source.path)
    language = _LANGUAGES.get(PurePath(source.path).suffix, "" if source.path else "c")
    digest = hashlib.sha256(data).hexdigest()
    return SourceText(source.name, language, digest, data.decode("utf-8", errors="replace"))


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def outlined(outcome: Outcome, checked: Program, goal: Property) -> Outcome:
    """The outcome with the parts of the program that it is about, and what became of what the property asks for."""
    own = [procedure for procedure in checked.procedures if _is_own(procedure)]
    procedures = tuple(_outline(procedure, {each.name for each in own}) for procedure in own)
    unreached = {(each.kind, each.span) for each in outcome.obligations}
    is_about_ends = goal is Property.TERMINATION
    found = dict.fromkeys(_ends(outcome, procedures) if is_about_ends else _obligations(outcome, own, unreached))
    found.update(dict.fromkeys(_violated(outcome, found)))
    return replace(outcome, procedures=procedures, obligations=tuple(found))


def _violated(outcome: Outcome, known: Collection[Obligation]) -> Iterator[Obligation]:
    """What is violated where no assertion of the program says so: a race, for example."""
    bad = outcome.violation
    if bad is None or outcome.answer is not Answer.UNSAFE or not bad.span.line:
        return
    if not any(each.status is ObligationStatus.REFUTED for each in known):
        yield Obligation(bad.kind, bad.span, bad.procedure, ObligationStatus.REFUTED, bad.message)


def _is_own(procedure: Procedure) -> bool:
    """Whether the user has written it; names that begin so are SV-COMP's."""
    is_model = procedure.name.startswith((LIBRARY, "__VERIFIER_")) or "." in procedure.name
    return not is_model and bool(procedure.span.line)


def _outline(procedure: Procedure, own: set[str]) -> ProcedureOutline:
    statements = (statement for block in procedure.blocks for statement in block.statements)
    calls = (CallSite(each.procedure, each.span) for each in statements if isinstance(each, Call))
    within = tuple(dict.fromkeys(loop.span for loop in known_loops(procedure)))
    return ProcedureOutline(
        procedure.name, procedure.span, tuple(call for call in calls if call.procedure in own), within
    )


def _ends(outcome: Outcome, procedures: Sequence[ProcedureOutline]) -> Iterator[Obligation]:
    """Loops, and procedures that call themselves: whatever a run might stay in."""
    for procedure in procedures:
        recursive = any(call.procedure == procedure.name for call in procedure.calls)
        for span, what in (*((loop, "this loop") for loop in procedure.loops), (procedure.span, "this recursion")):
            if recursive or span != procedure.span:
                status = _end(outcome, span)
                yield Obligation(str(Property.TERMINATION), span, procedure.name, status, f"{what} terminates")


def _end(outcome: Outcome, span: Span) -> ObligationStatus:
    if outcome.answer.is_proof:
        return ObligationStatus.PROVED
    violated = outcome.violation.span if outcome.violation and outcome.answer is Answer.UNSAFE else None
    is_it = violated is not None and (violated.file, violated.line) == (span.file, span.line)
    return ObligationStatus.REFUTED if is_it else ObligationStatus.OPEN


def _obligations(
    outcome: Outcome, procedures: Sequence[Procedure], unreached: set[tuple[str, Span]]
) -> Iterator[Obligation]:
    for procedure in procedures:
        for block in procedure.blocks:
            for statement in block.statements:
                if isinstance(statement, Assert) and statement.span.line:
                    status = _status(outcome, statement, unreached)
                    yield Obligation(str(statement.kind), statement.span, procedure.name, status, statement.message)


def _status(outcome: Outcome, assertion: Assert, unreached: set[tuple[str, Span]]) -> ObligationStatus:
    """Of an unsafe program nothing is known but the check that fails."""
    if outcome.answer.is_proof:
        never = (str(assertion.kind), assertion.span) in unreached
        return ObligationStatus.UNREACHED if never else ObligationStatus.PROVED
    violated = outcome.violation
    is_it = violated is not None and (violated.kind, violated.span) == (str(assertion.kind), assertion.span)
    return ObligationStatus.REFUTED if is_it and outcome.answer is Answer.UNSAFE else ObligationStatus.OPEN
