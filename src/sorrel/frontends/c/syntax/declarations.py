"""What a file declares."""

from __future__ import annotations

from dataclasses import field

from sorrel.frontends.c.types import CType
from sorrel.model.errors import Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, eq=False, slots=True)
class VariableDeclaration:
    """A variable of the file, or a parameter."""

    symbol: int
    name: str
    type: CType
    span: Span
    external: bool  # visible in other files under its name
    defined: bool  # not merely announced with `extern`
    promised: int = 0  # of a parameter: how many elements callers promise (`int a[static 4]`)
    constant: bool = False  # never assigned to
    per_thread: bool = False  # `_Thread_local`: each thread has its own


@dataclass(frozen=True, eq=False, slots=True)
class FunctionDeclaration:
    symbol: int
    name: str
    result: CType
    parameters: tuple[VariableDeclaration, ...]
    variadic: bool
    span: Span
    external: bool
    system: bool = False  # announced by a header of the system


@dataclass(frozen=True, eq=False, slots=True)
class Unit:
    """One file with all that it includes."""

    name: str
    variables: list[VariableDeclaration] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
