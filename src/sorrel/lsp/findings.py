"""What an outcome says about one document, in the terms of the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol import types as lsp

from sorrel.lsp.positions import range_of
from sorrel.lsp.stored import title
from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, Cause, ContractKind, Outcome, ProgramContract, RunEvent
from sorrel.model.source import lines_of
from sorrel.model.values import dataclass
from sorrel.project.result import FunctionResult
from sorrel.report.acsl import annotated
from sorrel.report.verification import next_steps

SOURCE = "sorrel"
MOST_RELATED = 40
"""Steps of a run that are handed to the editor: it shows them as a list."""
PROVE, WHY, SHOW = "sorrel.prove", "sorrel.why", "sorrel.showRun"


@dataclass(frozen=True, slots=True)
class Document:
    """A text as the editor has it; `path` is what spans of its outcome name it by."""

    uri: str
    path: str
    version: int
    lines: Sequence[str]

    def holds(self, span: Span) -> bool:
        return span.file == self.path and bool(span.line)

    def range(self, span: Span) -> lsp.Range:
        return range_of(span, self.lines)


def diagnostics(document: Document, outcome: Outcome) -> Iterator[lsp.Diagnostic]:
    """What is violated as an error with its run, what could not be settled as information; a proof has none."""
    violation = outcome.violation
    if outcome.answer is Answer.UNSAFE and violation is not None:
        yield lsp.Diagnostic(
            range=document.range(violation.span) if document.holds(violation.span) else _top(document),
            message=_violated(outcome, violation.message),
            severity=lsp.DiagnosticSeverity.Error,
            source=SOURCE,
            code=outcome.goal,
            related_information=[_related(document, event) for event in outcome.run[-MOST_RELATED:] if event.span.line],
        )
    elif outcome.reason is not None and outcome.reason.cause is Cause.INPUT and violation is not None:
        yield lsp.Diagnostic(
            range=document.range(violation.span),
            message=outcome.reason.message,
            severity=lsp.DiagnosticSeverity.Warning,
            source=SOURCE,
        )
    elif outcome.answer is Answer.UNKNOWN and outcome.reason is not None:
        advice = " ".join(next_steps(outcome))
        yield lsp.Diagnostic(
            range=_top(document),
            message=f"undecided: {outcome.reason.message}" + (f"\n{advice}" if advice else ""),
            severity=lsp.DiagnosticSeverity.Information,
            source=SOURCE,
            code=outcome.goal,
        )
    elif outcome.answer is Answer.ASSUMING:
        given = "; ".join(each.text for each in outcome.assuming)
        yield lsp.Diagnostic(
            range=_top(document),
            message=f"safe, assuming: {given}",
            severity=lsp.DiagnosticSeverity.Hint,
            source=SOURCE,
            code=outcome.goal,
        )


def _violated(outcome: Outcome, message: str) -> str:
    inputs = ", ".join(f"{choice.variable or choice.source} = {choice.value}" for choice in outcome.choices[:6])
    return f"{message} (with {inputs})" if inputs else message


def _top(document: Document) -> lsp.Range:
    return range_of(Span(document.path, 1), document.lines)


def _related(document: Document, event: RunEvent) -> lsp.DiagnosticRelatedInformation:
    own = document.holds(event.span)
    place = document.range(event.span) if own else range_of(event.span, ())
    uri = document.uri if own else Path(event.span.file).absolute().as_uri()
    return lsp.DiagnosticRelatedInformation(location=lsp.Location(uri=uri, range=place), message=event.text)


def contracts(document: Document, outcome: Outcome) -> Iterator[ProgramContract]:
    for contract in outcome.program_contracts:
        if document.holds(contract.span) and contract.says_something:
            yield contract


def clauses(contract: ProgramContract) -> Iterator[str]:
    """The contract, one clause a line."""
    yield from (f"{word} {text}".strip() for word, text in contract.clauses)


def hints(document: Document, outcome: Outcome) -> Iterator[lsp.InlayHint]:
    """Contracts at the end of the line where their function or loop begins."""
    for contract in contracts(document, outcome):
        line = contract.span.line - 1
        end = len(document.lines[line].rstrip("\r\n")) if line < len(document.lines) else 0
        yield lsp.InlayHint(
            position=lsp.Position(line=line, character=end),
            label="  " + "; ".join(clauses(contract)),
            kind=lsp.InlayHintKind.Type,
            padding_left=True,
        )


def hover(document: Document, outcome: Outcome, line: int) -> lsp.Hover | None:
    """The contract of what begins in the line."""
    found = [each for each in contracts(document, outcome) if each.span.line - 1 == line]
    if not found:
        return None
    text = "\n".join(clause for contract in found for clause in clauses(contract))
    return lsp.Hover(contents=lsp.MarkupContent(kind=lsp.MarkupKind.Markdown, value=f"```c\n{text}\n```"))


def lenses(document: Document, outcome: Outcome | None, kept: Sequence[FunctionResult] = ()) -> Iterator[lsp.CodeLens]:
    """What can be asked, what was answered, and what the project's store has, above each function."""
    for line, name in _functions(document):
        at = lsp.Position(line=line, character=0)
        place = lsp.Range(start=at, end=at)
        yield _lens(place, "prove", PROVE, document.uri, name)
        yield from (_lens(place, title(each), PROVE, document.uri, name) for each in kept if each.function == name)
        if outcome is None or (outcome.function or "main") != name:
            continue
        if outcome.answer is Answer.UNSAFE:
            yield _lens(place, "show run", SHOW, document.uri)
        if outcome.answer is not Answer.SAFE:
            yield _lens(place, "why?", WHY, document.uri)


_FUNCTION = re.compile(r"^[A-Za-z_][\w \t*]*?\b(?P<name>[A-Za-z_]\w*)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
_KEYWORDS = frozenset({"if", "for", "while", "switch", "return", "else", "do"})


def _functions(document: Document) -> Iterator[tuple[int, str]]:
    """Definitions of functions, as far as their form shows: what is asked about is what the reader makes of them."""
    text = "".join(document.lines)
    for found in _FUNCTION.finditer(text):
        if found["name"] not in _KEYWORDS:
            yield text.count("\n", 0, found.start()), found["name"]


def _lens(place: lsp.Range, title: str, command: str, *arguments: str) -> lsp.CodeLens:
    return lsp.CodeLens(range=place, command=lsp.Command(title=title, command=command, arguments=list(arguments)))


def actions(document: Document, outcome: Outcome, wanted: lsp.Range) -> Iterator[lsp.CodeAction]:
    """Contracts as comments where they hold; a test from a counterexample."""
    for contract in contracts(document, outcome):
        line = contract.span.line - 1
        if contract.kind is not ContractKind.TYPE and wanted.start.line <= line <= wanted.end.line:
            yield lsp.CodeAction(
                title="Insert the contract as ACSL",
                kind=lsp.CodeActionKind.Refactor,
                edit=lsp.WorkspaceEdit(changes={document.uri: [_insertion(document, contract)]}),
            )
    if outcome.harness and outcome.answer is Answer.UNSAFE:
        target = Path(document.path).with_name(f"{Path(document.path).stem}_counterexample.c").absolute().as_uri()
        start = lsp.Position(line=0, character=0)
        yield lsp.CodeAction(
            title="Make a test from this counterexample",
            kind=lsp.CodeActionKind.QuickFix,
            edit=lsp.WorkspaceEdit(
                document_changes=[
                    lsp.CreateFile(uri=target, options=lsp.CreateFileOptions(overwrite=True)),
                    lsp.TextDocumentEdit(
                        text_document=lsp.OptionalVersionedTextDocumentIdentifier(uri=target),
                        edits=[lsp.TextEdit(range=lsp.Range(start=start, end=start), new_text=outcome.harness)],
                    ),
                ]
            ),
        )


def _insertion(document: Document, contract: ProgramContract) -> lsp.TextEdit:
    """The line of the contract, with the comment above it."""
    line = contract.span.line - 1
    after = lines_of(annotated("".join(document.lines), document.path, [contract]), keep_ends=True)
    more = len(after) - len(document.lines)
    place = lsp.Range(
        start=lsp.Position(line=line, character=0), end=lsp.Position(line=line, character=len(document.lines[line]))
    )
    return lsp.TextEdit(range=place, new_text="".join(after[line : line + 1 + more]))
