"""A program as its reader sees it: its text, its parts, and what a property asks for where."""

from __future__ import annotations

from enum import StrEnum

from sorrel.model.errors import Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file that the question is about, as it was read."""

    path: str
    language: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call in a procedure: which procedure is called, and where."""

    procedure: str
    span: Span


@dataclass(frozen=True, slots=True)
class ProcedureOutline:
    """A procedure of the program: where it stands, which ones it calls, where its loops are."""

    name: str
    span: Span
    calls: tuple[CallSite, ...] = ()
    loops: tuple[Span, ...] = ()


class ObligationStatus(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    OPEN = "open"
    UNREACHED = "unreached"  # it holds because no run gets there


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that the property asks for at one place of the program, and what became of it."""

    kind: str
    span: Span
    procedure: str
    status: ObligationStatus
    text: str = ""
