"""The syntax of Boolean programs with words (the text form is described in docs/boolean-programs.md)."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    at: int  # offset in the text


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    at: int


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Unary:
    operator: str
    operand: Expression
    at: int


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: Expression
    right: Expression
    at: int  # of the operator


Expression: TypeAlias = Number | Truth | Name | Unary | Binary


@dataclass(frozen=True, slots=True)
class Assign:
    target: Name
    value: Expression
    at: int


@dataclass(frozen=True, slots=True)
class CallStatement:
    targets: tuple[Name, ...]
    function: Name
    arguments: tuple[Expression, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Return:
    values: tuple[Expression, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Assume:
    condition: Expression
    at: int


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: Block
    otherwise: Block
    at: int


@dataclass(frozen=True, slots=True)
class While:
    condition: Expression
    body: Block
    at: int


Statement: TypeAlias = Assign | CallStatement | Return | Assume | If | While
Block: TypeAlias = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared name; width 0 is a truth value."""

    name: str
    width: int
    at: int


@dataclass(frozen=True, slots=True)
class Function:
    """`named_results` says whether the text names the results, so that the end of the body returns them."""

    name: str
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    named_results: bool
    declared: tuple[Variable, ...]
    body: Block
    at: int

    @property
    def widths(self) -> dict[str, int]:
        return {v.name: v.width for v in (*self.declared, *self.parameters, *self.results)}


@dataclass(frozen=True, slots=True)
class Program:
    functions: tuple[Function, ...]
    properties: tuple[Expression, ...] = field(default=())
