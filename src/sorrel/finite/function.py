"""Finite functions: straight-line expressions, branches as paths, and calls.

A path is taken when its guards hold; the paths of a function exclude each other, or agree in what they return.
A run that takes no path does not return. Loops are recursive functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from sorrel.logic.listing import bits_of, width_of
from sorrel.logic.terms import Term
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """Once `guard` holds: results := function(arguments).

    Guard and arguments speak of the function's parameters and the results of earlier calls of the path.
    """

    guard: Term
    function: str
    arguments: tuple[Term, ...]
    results: tuple[Term, ...]  # variables of their own


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """One way through a function. `values` are the variables of its Horn clause over those of the path."""

    name: str
    calls: tuple[Call, ...]
    guard: Term  # what has to hold after the calls
    results: tuple[Term, ...]
    origin: Span = NOWHERE
    values: tuple[tuple[Term, Term], ...] = ()


@dataclass(frozen=True, eq=False)
class FiniteFunction:
    """`parameters` and `results` are variables, named as the user knows them."""

    name: str
    parameters: tuple[Term, ...]
    results: tuple[Term, ...]
    paths: tuple[Path, ...]

    @property
    def formals(self) -> tuple[Term, ...]:
        return (*self.parameters, *self.results)

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """Bits of each parameter and result."""
        return tuple(bits_of(width_of(formal.sort())) for formal in self.formals)


@dataclass(frozen=True, slots=True, eq=False)
class Property:
    """`formula` over the parameters and results of `function` holds whenever it returns."""

    name: str
    function: str
    formula: Term
    origin: Span = NOWHERE


@dataclass(frozen=True, eq=False)
class FiniteProgram:
    functions: tuple[FiniteFunction, ...]
    properties: tuple[Property, ...] = field(default=())

    @cached_property
    def function(self) -> Mapping[str, FiniteFunction]:
        return {function.name: function for function in self.functions}
