"""What an exploration of several runs ends with, and what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.types import Type
from sorrel.relate.alignment import (
    Alignment,
    Spot,
)


@dataclass(frozen=True, slots=True, eq=False)
class Proved:
    """Every tuple of runs was followed. `visits` are what was known each time that runs came to a set of loops.

    They are over `formals`, which stand for the variables of the runs.
    """

    alignment: Alignment
    visits: Mapping[Spot, Sequence[tuple[Term, ...]]]
    formals: Mapping[tuple[int, str], Term]


@dataclass(frozen=True, slots=True, eq=False)
class Violating:
    """Values that runs chose, each with its type, and values of functions; `exact`: no loop was abstracted."""

    chosen: tuple[tuple[tuple[Term, Type], ...], ...]
    functions: tuple[tuple[str, tuple[tuple[Term, Type], ...], Term, Type], ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """Why nothing is known. `expired`: for want of time."""

    reason: str
    expired: bool = False


Result: TypeAlias = Proved | Violating | Undone


@dataclass(slots=True)
class Expense:
    """Explored triples: statements, sets of loops, decisions."""

    statements: int = 0
    loops: int = 0
    decisions: int = 0
    restarts: int = 0

    @property
    def triples(self) -> int:
        return self.statements + self.loops + self.decisions
