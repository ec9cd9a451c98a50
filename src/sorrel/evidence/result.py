"""What checking evidence can come to."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Accepted:
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The evidence is wrong, and where: some engine or transformation has a bug."""

    detail: str


@dataclass(frozen=True, slots=True)
class NotConfirmed:
    """The solver could not tell. The verdict becomes unknown with this reason."""

    detail: str


Result: TypeAlias = Accepted | Rejected | NotConfirmed
"""Consume with match."""
