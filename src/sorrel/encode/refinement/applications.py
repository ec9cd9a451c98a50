"""Functions applied to values, and values against types.

What is applied on the spot needs no type: its body is walked where it is called. A function that is known by its type
takes what the type says and gives what it says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace

from sorrel.encode.refinement.clauses import Clauses
from sorrel.encode.refinement.conversion import ZERO, Conversion, instantiated, pairs_of
from sorrel.encode.refinement.raising import Raising
from sorrel.encode.refinement.reach import captured, cells_of, contained
from sorrel.encode.refinement.refinements import Refinements
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.trail import Then, Trail
from sorrel.encode.refinement.values import (
    Anything,
    Closed,
    Environment,
    Foreign,
    FunctionRefinement,
    FunctionValue,
    Held,
    Reference,
    Refinement,
    Scalar,
    Several,
    Typed,
    Value,
    as_function,
    number,
)
from sorrel.functional.term import Term
from sorrel.functional.type import EXCEPTION, Arrow, Type, uncurried
from sorrel.logic.terms import Term as Formula
from sorrel.model.errors import InternalError, Span, Unsupported


class Escapes(Exception):
    """A reference that the walk follows gets out of sight; it must be known by its type instead."""

    def __init__(self, cell: int) -> None:
        super().__init__()
        self.cell = cell


class Applications(ABC):
    def __init__(
        self,
        clauses: Clauses,
        shapes: Shapes,
        conversion: Conversion,
        refinements: Refinements,
        raising: Raising,
        *,
        exceptions: bool,
    ) -> None:
        """`exceptions`: whether it matters which exceptions leave a function."""
        self._clauses = clauses
        self._shapes = shapes
        self._conversion = conversion
        self._refinements = refinements
        self._raising = raising
        self._exceptions = exceptions
        self.cells: dict[int, tuple[int, Type]] = {}  # where each reference is made that is followed, and what it holds

    @abstractmethod
    def walk(self, term: Term, at: Environment, trail: Trail, then: Then) -> None:
        """Go on with the value of the term, and with what is known then."""

    @abstractmethod
    def _arguments_taken(self, wanted: FunctionRefinement, given: list[Formula]) -> None:
        """Told of the arguments with which a function is checked."""

    def apply(
        self, function: FunctionValue, arguments: tuple[Value, ...], trail: Trail, span: Span, then: Then
    ) -> None:
        if not arguments:
            then(function, trail)
            return
        match function:
            case Closed(definition, environment, given):
                values = (*given, *arguments)
                wanted = len(definition.parameters)
                if len(values) < wanted:
                    then(replace(function, given=values), trail)
                    return
                bound = {p.name: v for p, v in zip(definition.parameters, values, strict=False)}
                rest = values[wanted:]
                self.walk(
                    definition.body,
                    {**environment, **bound},
                    trail,
                    lambda value, here: (
                        self.apply(as_function(value), rest, here, span, then) if rest else then(value, here)
                    ),
                )
            case Typed(refinement, given):
                self._apply_typed(refinement, (*given, *arguments), trail, span, then)
            case Foreign():
                self._apply_foreign(function, arguments, trail, span, then)

    def _apply_typed(
        self, refinement: FunctionRefinement, values: tuple[Value, ...], trail: Trail, span: Span, then: Then
    ) -> None:
        wanted = len(refinement.parameters)
        if len(values) < wanted:
            then(Typed(refinement, values), trail)
            return
        rest = values[wanted:]
        contents = (trail.store[cell] for cell in refinement.cells)
        taken = Several((*values[:wanted], *contents, *self._ghosts(refinement, values)))
        self.check(taken, refinement.takes, trail, span)
        given = self._conversion.terms_of(taken, refinement.takes.type)
        pairs = pairs_of(refinement.takes.own, given)
        if refinement.raises is not None:
            raised, failing = self._refinements.fresh(instantiated(refinement.raises, pairs), trail, "exception")
            exception, failing = self._with_cells(raised, failing, refinement.cells)
            self._clauses.raised(exception, failing, span)
        result, here = self._refinements.fresh(instantiated(refinement.gives, pairs), trail, refinement.label)
        value, here = self._with_cells(result, here, refinement.cells)
        if rest:
            self.apply(as_function(value), rest, here, span, then)
        else:
            then(value, here)

    def _ghosts(self, refinement: FunctionRefinement, values: tuple[Value, ...]) -> Iterator[Value]:
        """Numbers that the functions among the arguments captured; any number where there are too few."""
        for count, value in zip(refinement.ghosts, values, strict=False):
            yield from (Scalar(term) for term in (*captured(value), *(ZERO,) * count)[:count])

    def _with_cells(self, value: Value, trail: Trail, cells: tuple[int, ...]) -> tuple[Value, Trail]:
        """The result without the contents of references, which are stored."""
        if not cells:
            return value, trail
        if not isinstance(value, Several):
            raise InternalError("results without the contents of references")
        for cell, content in zip(cells, value.items[1:], strict=True):
            trail = trail.holding(cell, content)
        return value.items[0], trail

    def _apply_foreign(
        self, function: Foreign, arguments: tuple[Value, ...], trail: Trail, span: Span, then: Then
    ) -> None:
        """The environment may call what it is given with anything, now and later; it returns or raises anything."""
        parameters, result = uncurried(function.type)
        start = len(function.given)
        for value, each in zip(arguments, parameters[start:], strict=False):
            self._handed_out(value, each, trail, span)
        if self._exceptions:
            raised, failing = self._refinements.fresh(Anything(EXCEPTION), trail, "exception")
            self._raising.foreign(raised, failing, span)
        values = (*function.given, *arguments)
        if len(values) < len(parameters):
            then(Foreign(function.type, values), trail)
            return
        found, here = self._refinements.fresh(Anything(result), trail, "returned")
        rest = values[len(parameters) :]
        if rest:
            self.apply(as_function(found), rest, here, span, then)
        else:
            then(found, here)

    def _handed_out(self, value: Value, type: Type, trail: Trail, span: Span) -> None:
        self._let_go(value)
        for path, part, _ in self._shapes.inner(type):
            for found in self._conversion.at(value, path):
                if isinstance(part, Arrow):
                    function = found if isinstance(found, Closed | Typed | Foreign) else None
                    if function is None:
                        raise Unsupported("functions inside of data that leaves the program", span)
                    self._called_with_anything(function, part, trail, span)
                elif path and path[-1] == "elements":
                    raise Unsupported("a reference or an array that is given to an unknown function", span)

    def _called_with_anything(self, function: FunctionValue, type: Arrow, trail: Trail, span: Span) -> None:
        self._no_cells(function, trail)
        parameters, _ = uncurried(type)
        here = replace(trail, handler=self._raising.outwards)
        values: list[Value] = []
        for each in parameters:
            value, here = self._refinements.fresh(Anything(each), here, "anything")
            values.append(value)
        self.apply(function, tuple(values), here, span, lambda value, after: None)

    # Values against types

    def check(self, value: Value, held: Held, trail: Trail, span: Span) -> None:
        """Clauses that say that the value is of the type."""
        match held:
            case Anything(type):
                self._handed_out(value, type, trail, span)
            case FunctionRefinement():
                self._check_function(as_function(value), held, trail, span)
            case Refinement(type, predicate, scope, own, inner):
                self._let_go(value)
                given = self._conversion.terms_of(value, type)
                self._clauses.add(predicate(*scope, *given), trail, span)
                pairs = pairs_of(own, given)
                for path, _, only_some in self._shapes.inner(type):
                    wanted = instantiated(inner[path], pairs)
                    changeable = bool(path) and path[-1] == "elements"
                    for found in self._conversion.at(value, path):
                        self._check_part(found, wanted, trail, span, changeable=changeable, some=only_some)

    def _let_go(self, value: Value) -> None:
        """References inside of data that is known by its type only can no longer be followed."""
        for found in contained(value):
            if isinstance(found, Reference) and found.cell is not None:
                raise Escapes(self.cells[found.cell][0])

    def _check_part(
        self, found: Value | Held, wanted: Held, trail: Trail, span: Span, *, changeable: bool, some: bool
    ) -> None:
        if not isinstance(found, Anything | Refinement | FunctionRefinement):
            self.check(found, wanted, trail, span)
            return
        if found is wanted:
            return
        value, here = self._refinements.fresh(found, trail, "element")
        self.check(value, wanted, here, span)
        if changeable:
            # What is stored through one of the two names is read through the other.
            other, there = self._refinements.fresh(wanted, trail, "element")
            self.check(other, found, there, span)

    def _check_function(self, function: FunctionValue, wanted: FunctionRefinement, trail: Trail, span: Span) -> None:
        """The function does, for all arguments that the type allows, what the type promises."""
        if isinstance(function, Typed) and function.refinement is wanted:
            return
        for cell in cells_of([function], trail):
            if cell not in wanted.cells:
                raise Escapes(self.cells[cell][0])
        taken, here = self._refinements.fresh(wanted.takes, replace(trail, store={}), "argument")
        if not isinstance(taken, Several):
            raise InternalError("arguments are a tuple")
        count = len(wanted.parameters)
        own = self._conversion.terms_of(taken, wanted.takes.type)
        self._arguments_taken(wanted, own)
        pairs = pairs_of(wanted.takes.own, own)
        here = replace(here, store=dict(zip(wanted.cells, taken.items[count:], strict=False)))
        arguments = _haunted(taken.items[:count], wanted, taken.items[count + len(wanted.cells) :])
        gives, raises = instantiated(wanted.gives, pairs), wanted.raises and instantiated(wanted.raises, pairs)

        def ended(held: Held) -> Then:
            def check(value: Value, after: Trail) -> None:
                contents = tuple(after.store[cell] for cell in wanted.cells)
                self.check(Several((value, *contents)) if contents else value, held, after, span)

            return check

        handler = ended(raises) if raises else lambda exception, after: None
        self.apply(function, arguments, replace(here, handler=handler, splits=0), span, ended(gives))

    def _no_cells(self, function: FunctionValue, trail: Trail) -> None:
        for cell in cells_of([function], trail):
            raise Escapes(self.cells[cell][0])


def _haunted(arguments: tuple[Value, ...], wanted: FunctionRefinement, numbers: tuple[Value, ...]) -> tuple[Value, ...]:
    """The arguments, functions among them with the numbers that they captured."""
    remaining = list(numbers)
    found: list[Value] = []
    for position, value in enumerate(arguments):
        count = wanted.ghosts[position] if position < len(wanted.ghosts) else 0
        own, remaining = remaining[:count], remaining[count:]
        found.append(replace(value, ghosts=tuple(map(number, own))) if isinstance(value, Typed) else value)
    return tuple(found)
