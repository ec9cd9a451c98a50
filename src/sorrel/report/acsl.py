"""Contracts written into a copy of the source, in the specification language of Frama-C (ACSL)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.source import lines_of
from sorrel.report.excerpt import word


def annotated(text: str, file: str, contracts: Sequence[ProgramContract]) -> str:
    """The text with a comment above each function and loop that something is known about.

    Only whole comments are inserted, so the annotated program is the same program.
    """
    lines = lines_of(text, keep_ends=True)
    places: dict[tuple[int, int], list[ProgramContract]] = defaultdict(list)
    for contract in contracts:
        if contract.span.file == file and 1 <= contract.span.line <= len(lines) and _fits(contract, lines):
            places[contract.span.line, contract.span.column].append(contract)
    for (line, column), found in sorted(places.items(), reverse=True):
        lines[line - 1] = _insert(lines[line - 1], column, [_comment(contract) for contract in found])
    return "".join(lines)


def _fits(contract: ProgramContract, lines: Sequence[str]) -> bool:
    """Whether there is something to say, and what it is about stands there; a macro may stand for more than a loop."""
    is_there = contract.kind is ContractKind.FUNCTION or word(lines[contract.span.line - 1], contract.span.column) in (
        "for",
        "while",
        "do",
    )
    return is_there and bool(_comment(contract))


def _insert(line: str, column: int, comments: list[list[str]]) -> str:
    """Above the line if only blanks stand before the place, otherwise at the place, on one line."""
    before, after = line[: max(0, column - 1)], line[max(0, column - 1) :]
    if before.strip():
        joined = " ".join(f"/*@ {' '.join(comment)} */" for comment in comments)
        return f"{before}{joined} {after}"
    above = []
    for comment in comments:
        first, *rest = comment
        above.append(f"{before}/*@ {first}")
        above.extend(f"{before}  @ {clause}" for clause in rest)
        above[-1] += " */"
    return "\n".join([*above, line])


def _comment(contract: ProgramContract) -> list[str]:
    return [f"{word} {text};" for word, text in contract.clauses]
