"""The program's text, line by line, with what was found out beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TypeVar

from sorrel.model.contract_lines import laid_out
from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, ContractKind, Outcome, ProgramContract
from sorrel.model.outline import ObligationStatus, SourceText
from sorrel.model.values import dataclass
from sorrel.report.html.highlighting import Piece, highlighted

T = TypeVar("T")
_WORST_FIRST = (ObligationStatus.REFUTED, ObligationStatus.OPEN, ObligationStatus.PROVED, ObligationStatus.UNREACHED)
_WORDS = {
    ObligationStatus.PROVED: "proved",
    ObligationStatus.REFUTED: "violated",
    ObligationStatus.OPEN: "undecided",
    ObligationStatus.UNREACHED: "holds: never reached",
}
_LEGEND = {**_WORDS, ObligationStatus.UNREACHED: "never reached"}


@dataclass(frozen=True, slots=True)
class Card:
    """A contract, shown above the function or loop that it is about."""

    title: str
    rows: tuple[str, ...]


@dataclass(slots=True)
class Line:
    number: int
    pieces: list[Piece]
    cards: list[Card] = field(default_factory=list)
    statuses: list[ObligationStatus] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        """The worst that is known of it; nothing where nothing is asked for."""
        return next((str(status) for status in _WORST_FIRST if status in self.statuses), "")


@dataclass(frozen=True, slots=True)
class Listing:
    path: str
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class Listings:
    """The files, each known by its number on the page."""

    files: list[Listing]

    @property
    def legend(self) -> list[tuple[str, str]]:
        """What the marks beside lines mean, of those that there are."""
        seen = {line.status for each in self.files for line in each.lines}
        return [(str(status), word) for status, word in _LEGEND.items() if str(status) in seen]

    def place(self, span: Span) -> str:
        """The name of the line on the page; nothing for what is not on it."""
        return next((f"f{n}-{span.line}" for n, each in enumerate(self.files) if _holds(each, span)), "")

    def line(self, span: Span) -> Line | None:
        return next((each.lines[span.line - 1] for each in self.files if _holds(each, span)), None)


def _holds(listing: Listing, span: Span) -> bool:
    return listing.path == span.file and 1 <= span.line <= len(listing.lines)


def listings(outcomes: Sequence[Outcome]) -> Listings:
    texts = {source.path: source for outcome in outcomes for source in outcome.sources}
    found = Listings([_listing(source) for source in texts.values() if source.text])
    for outcome in outcomes:
        for obligation in outcome.obligations:
            if line := found.line(obligation.span):
                line.statuses.append(obligation.status)
                what = obligation.text or obligation.kind
                _once(line.messages, f"{_WORDS[obligation.status]}: {what}")
        bad = outcome.violation if outcome.answer is Answer.UNSAFE else None
        if bad is not None and (line := found.line(bad.span)):
            line.statuses.append(ObligationStatus.REFUTED)
            _once(line.messages, f"{_WORDS[ObligationStatus.REFUTED]}: {bad.message}")
        for contract in outcome.program_contracts:
            line = found.line(contract.span)
            card = Card(title(contract), tuple(rows(contract)))
            if line and card.rows:
                _once(line.cards, card)
    return found


def _listing(source: SourceText) -> Listing:
    return Listing(source.path, [Line(number, pieces) for number, pieces in enumerate(highlighted(source), start=1)])


def _once(into: list[T], item: T) -> None:
    if item not in into:
        into.append(item)


def title(contract: ProgramContract) -> str:
    match contract.kind:
        case ContractKind.FUNCTION:
            return f"contract of {contract.procedure}"
        case ContractKind.LOOP:
            return f"loop invariant in {contract.procedure}"
        case ContractKind.TYPE:
            return f"type of {contract.procedure}"


def rows(contract: ProgramContract) -> Iterator[str]:
    """The contract, one clause a row, in the words of ACSL; a table of values has a line for each."""
    for word, text in contract.clauses:
        lines = "\n".join(laid_out(text))
        yield f"{word} {lines}".strip()
