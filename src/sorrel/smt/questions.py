"""A log of what solvers are asked and what they answer, as text: two searches with the same log are the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import z3

from sorrel.logic.terms import Term

_logs: list[list[str]] = []


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Every question that this process asks in the meantime, one entry each."""
    log: list[str] = []
    _logs.append(log)
    try:
        yield log
    finally:
        _logs.remove(log)


def note(kind: str, solver: z3.Solver, assumptions: Sequence[Term], answer: object) -> None:
    if _logs:
        note_text(kind, f"{solver.sexpr()} {[each.sexpr() for each in assumptions]}", answer)


def note_lines(kind: str, questions: Iterable[object]) -> None:
    """Printed only if somebody keeps a log: that takes longer than most answers."""
    if _logs:
        note_text(kind, "\n".join(map(str, questions)), "")


def note_text(kind: str, question: str, answer: object) -> None:
    for log in _logs:
        log.append(f"{kind}: {question}\n{type(answer).__name__}")
