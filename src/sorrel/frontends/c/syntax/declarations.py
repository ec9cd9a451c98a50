"""What a file declares."""

from __future__ import annotations

from collections.abc import Callable
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
class Prototype:
    """What a function takes and returns, and where that stands."""

    result: CType
    parameters: tuple[VariableDeclaration, ...]
    variadic: bool
    span: Span

    def itself(self) -> Prototype:
        """For a declaration that has it already."""
        return self


@dataclass(frozen=True, eq=False, slots=True)
class FunctionDeclaration:
    """`prototype` is read when it is asked for: headers announce hundreds of functions of which a file calls a few."""

    symbol: int
    name: str
    prototype: Callable[[], Prototype]
    external: bool
    system: bool = False  # announced by a header of the system

    @property
    def result(self) -> CType:
        return self.prototype().result

    @property
    def parameters(self) -> tuple[VariableDeclaration, ...]:
        return self.prototype().parameters

    @property
    def variadic(self) -> bool:
        return self.prototype().variadic

    @property
    def span(self) -> Span:
        return self.prototype().span


@dataclass(frozen=True, eq=False, slots=True)
class Unit:
    """One file with all that it includes."""

    name: str
    variables: list[VariableDeclaration] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
