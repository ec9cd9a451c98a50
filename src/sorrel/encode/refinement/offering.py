"""A functional program whose functions are asked about, in place of its runs, as a system of Horn clauses.

Each function has a type, and is called with anything: whatever its arguments are, and whatever functions among them do.
"""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.encode.refinement.encoding import Encoding, followed
from sorrel.encode.refinement.trail import Trail
from sorrel.encode.refinement.values import (
    FunctionRefinement,
    FunctionValue,
    Nothing,
    Several,
    Typed,
    Value,
    as_function,
)
from sorrel.encode.refinement.walk import Walk
from sorrel.functional.program import Program
from sorrel.functional.term import Function, Let, Recursive, Term, Tuple, subterms
from sorrel.functional.type import Arrow
from sorrel.horn.system import HornSystem
from sorrel.model.errors import InternalError, Span


class _OfferingWalk(Walk):
    def __init__(self, program: Program, shared: frozenset[int]) -> None:
        super().__init__(program, frozenset(), shared)
        self.offered: dict[str, FunctionRefinement] = {}
        self._types = dict(zip(program.offered, _arrows(program.body), strict=True))
        self._spans = {t.label: t.span for t in subterms(program.body) if isinstance(t, Function) and t.label}

    def _ended(self, value: Value, trail: Trail) -> None:
        """The value of the program is its functions."""
        if isinstance(value, Nothing):
            return
        if not isinstance(value, Several):
            raise InternalError("functions are offered in a tuple")
        for (name, parameters), function in zip(self._program.offered.items(), value.items, strict=True):
            self._offer(name, parameters, function, trail)

    def _offer(self, name: str, parameters: tuple[str, ...], value: Value, trail: Trail) -> None:
        function, span = as_function(value), self._spans.get(name, Span())
        type = self._types[name]
        if name not in self.offered:
            made = self._own_type(function)
            self.offered[name] = made or self._refinements.function(type, (), name, parameters, at_once=len(parameters))
        self._check_function(function, self.offered[name], trail, span)
        self._called_with_anything(Typed(self.offered[name]), type, trail, span)

    def _own_type(self, function: FunctionValue) -> FunctionRefinement | None:
        """A function that calls itself has a type already."""
        if isinstance(function, Typed) and not function.given and not function.refinement.takes.scope:
            return function.refinement
        return None


def offered(program: Program) -> Encoding:
    """The clauses have solutions; each is a type for every function that the program offers."""
    walk = followed(lambda shared: _OfferingWalk(program, shared))
    functions = {name: (made,) for name, made in walk.offered.items()}
    return Encoding(HornSystem(walk.predicates, walk.clauses), walk.shapes, functions, ())


def _arrows(term: Term) -> Iterator[Arrow]:
    """The types of the functions that a program ends with."""
    while isinstance(term, Let | Recursive):
        term = term.body
    for item in term.items if isinstance(term, Tuple) else ():
        if not isinstance(item.type, Arrow):
            raise InternalError("what is offered is a function")
        yield item.type
