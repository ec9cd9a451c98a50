"""What is known about a project, as plain data that any process can hold."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import asdict, field, replace
from enum import StrEnum
from typing import Any

from sorrel.model.errors import Span
from sorrel.model.outcome import Answer
from sorrel.model.plain import from_plain
from sorrel.model.values import dataclass


class Verdict(StrEnum):
    """Of a function, for one property. `conditional`: proved for callers that grant what it requires."""

    PROVED = "proved"
    CONDITIONAL = "conditional"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class Source(StrEnum):
    """Where a contract comes from. None of these is a reason to believe it: all were checked in this run."""

    STORED = "stored"  # it stood in the store, for the same clauses
    KEPT = "kept"  # it stood in the store for other clauses, and holds for these as well
    FOUND = "found"  # it was looked for
    NOT_TRIED = "not tried"  # there was no contract, and nobody looked for one


@dataclass(frozen=True, slots=True)
class FunctionResult:
    """`entry`: the question is about runs that start here, else about calls in any state.

    `requires` is what callers must grant. `message` says why nothing is known, or what went wrong at `place`, with the
    values that lead there. `calls` are the functions that it calls, also from its loops. `ensures` and `assigns` are
    the rest of its contract in ACSL, if contracts were wanted; `assigns` is None if no frame is known.
    """

    function: str
    goal: str
    verdict: Verdict
    span: Span
    entry: bool = False
    requires: str = ""
    message: str = ""
    place: Span = field(default_factory=Span)
    values: tuple[str, ...] = ()
    source: Source = Source.FOUND
    seconds: float = 0.0
    calls: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()
    assigns: tuple[str, ...] | None = None

    @property
    def is_finding(self) -> bool:
        """Whether it is something that a person has to look at: runs that start here may go wrong."""
        return self.entry and self.verdict in (Verdict.REFUTED, Verdict.UNKNOWN)

    @property
    def fingerprint(self) -> str:
        """The same for the same finding after lines have moved."""
        text = "\x1f".join((self.span.file, self.function, self.goal, str(self.verdict), self.message))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ProjectResult:
    """`notes` say what was ignored, `problems` what could not be done, `misfits` what is stored and does not fit.

    `assumptions` are what all of it takes for granted; those in `open` weaken it. `left_out` are findings that are
    known from before and not told again: they are part of the answer all the same.
    """

    functions: tuple[FunctionResult, ...]
    assumptions: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    components: int = 0
    proved_anew: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    misfits: tuple[str, ...] = ()
    left_out: tuple[FunctionResult, ...] = ()

    def without(self, known: Collection[str]) -> ProjectResult:
        """The same with the findings of these fingerprints left out."""
        told = tuple(each for each in self.functions if each.fingerprint not in known)
        return replace(self, functions=told, left_out=tuple(e for e in self.functions if e.fingerprint in known))

    @property
    def answer(self) -> Answer:
        """About the runs from all entry points and all properties together."""
        found = {each.verdict for each in (*self.functions, *self.left_out) if each.entry}
        if Verdict.REFUTED in found:
            return Answer.UNSAFE
        if Verdict.UNKNOWN in found or not found or self.interrupted:
            return Answer.UNKNOWN
        return Answer.ASSUMING if self.open else Answer.SAFE

    def count(self, verdict: Verdict) -> int:
        return sum(1 for each in self.functions if each.verdict is verdict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> ProjectResult:
        return from_plain(ProjectResult, data)
