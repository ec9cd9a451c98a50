"""Patterns against values that are known in part: the ways in which one can match, and in which it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from sorrel.encode.refinement.conversion import ZERO, Conversion
from sorrel.encode.refinement.refinements import Refinements
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.trail import Trail
from sorrel.encode.refinement.values import (
    Anything,
    Built,
    Nothing,
    OneOf,
    Reference,
    Scalar,
    Several,
    Sized,
    Text,
    Value,
    number,
)
from sorrel.functional.term import Anything as AnyPattern
from sorrel.functional.term import Between, Bind, Case, Either, Exactly, Items, Pattern, Within
from sorrel.functional.type import Constructor, Named
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError

Bound: TypeAlias = Mapping[str, Value]
Yes: TypeAlias = Callable[[Bound, Trail], None]
No: TypeAlias = Callable[[Trail], None]


class Matching:
    def __init__(self, shapes: Shapes, conversion: Conversion, refinements: Refinements) -> None:
        self._shapes = shapes
        self._conversion = conversion
        self._refinements = refinements

    def match(self, pattern: Pattern, value: Value, trail: Trail, bound: Bound, yes: Yes, no: No) -> None:
        """`yes` with what is bound and known then, `no` with what is known else; each as often as there are ways."""
        match pattern:
            case AnyPattern():
                yes(bound, trail)
            case Bind(binder, inner):
                self.match(inner, value, trail, {**bound, binder.name: value}, yes, no)
            case Exactly(wanted):
                self._exactly(wanted, value, trail, bound, yes, no)
            case Between(first, last):
                least, most = terms.integer(first), terms.integer(last)
                inside = [operations.at_most(least, number(value)), operations.at_most(number(value), most)]
                self._decide(terms.conjunction(inside), trail, bound, yes, no)
            case Items(items):
                if not isinstance(value, Several):
                    raise InternalError("a tuple is expected")
                self._all(items, value.items, trail, bound, yes, no)
            case Case():
                self._case(pattern, value, trail, bound, yes, no)
            case Either(left, right):
                self.match(left, value, trail, bound, yes, lambda here: self.match(right, value, here, bound, yes, no))
            case Within(inner):
                content, here = self._content(value, trail)
                self.match(inner, content, here, bound, yes, no)

    def _content(self, value: Value, trail: Trail) -> tuple[Value, Trail]:
        """What a reference holds now."""
        match value:
            case Reference(int(cell)):
                return trail.store[cell], trail
            case Reference(_, held) if held is not None:
                return self._refinements.fresh(held, trail, "content")
            case _:
                raise InternalError("a reference is expected")

    def _all(
        self, patterns: tuple[Pattern, ...], values: tuple[Value, ...], trail: Trail, bound: Bound, yes: Yes, no: No
    ) -> None:
        if not patterns:
            yes(bound, trail)
            return

        def first(found: Bound, here: Trail) -> None:
            self._all(patterns[1:], values[1:], here, found, yes, no)

        self.match(patterns[0], values[0], trail, bound, first, no)

    def _exactly(
        self, wanted: int | bool | str | None, value: Value, trail: Trail, bound: Bound, yes: Yes, no: No
    ) -> None:
        match value:
            case Nothing():
                yes(bound, trail)
            case Scalar(term):
                literal = operations.truth(wanted) if isinstance(wanted, bool) else terms.integer(int(wanted or 0))
                self._decide(operations.equal(term, literal), trail, bound, yes, no)
            case Text(length, content) if isinstance(wanted, str):
                if content is not None:
                    if content == wanted:
                        yes(bound, trail)
                    else:
                        no(trail)
                    return
                here = trail.knowing(operations.equal(length, terms.integer(len(wanted))))
                if here is not None:
                    yes(bound, here)
                no(trail)  # texts of the same length may differ
            case _:
                raise InternalError("a literal is compared with data")

    def _decide(self, condition: Term, trail: Trail, bound: Bound, yes: Yes, no: No) -> None:
        here, there = trail.knowing(condition), trail.knowing(terms.negation(condition))
        if here is not None:
            yes(bound, here)
        if there is not None:
            no(there)

    def _case(self, pattern: Case, value: Value, trail: Trail, bound: Bound, yes: Yes, no: No) -> None:
        match value:
            case Built(constructor, arguments):
                if constructor == pattern.constructor:
                    self._all(pattern.arguments, arguments, trail, bound, yes, no)
                else:
                    no(trail)
            case OneOf(tag, known, type):
                position = self._shapes.declaration(type).position(pattern.constructor)

                def inside(found: Bound, here: Trail) -> None:
                    self._all(pattern.arguments, known[pattern.constructor], here, found, yes, no)

                def outside(here: Trail) -> None:
                    if self._some_case_left(tag, type, here):
                        no(here)

                self._decide(operations.equal(tag, terms.integer(position)), trail, bound, inside, outside)
            case Sized():
                self._sized(pattern, value, trail, bound, yes, no)
            case _:
                raise InternalError("a constructor is compared with what is not data")

    def _some_case_left(self, tag: Term, type: Named, trail: Trail) -> bool:
        count = len(self._shapes.declaration(type).constructors)
        return any(
            trail.knowing(operations.equal(tag, terms.integer(position))) is not None for position in range(count)
        )

    def _sized(self, pattern: Case, value: Sized, trail: Trail, bound: Bound, yes: Yes, no: No) -> None:
        data = self._shapes.declaration(value.type)
        position = data.position(pattern.constructor)
        constructor = data.constructors[position]
        empty = operations.equal(value.size, ZERO)
        grows = bool(self._shapes.own_positions(value.type, constructor))
        if value.tag is None:
            condition = terms.negation(empty) if grows else empty
        else:
            condition = operations.equal(value.tag, terms.integer(position))

        def inside(found: Bound, here: Trail) -> None:
            if value.tag is not None:
                known = here.knowing(terms.negation(empty) if grows else empty)
                if known is None:
                    return
                here = known
            arguments, after = self._taken_apart(value, constructor, here)
            self._all(pattern.arguments, arguments, after, found, yes, no)

        def outside(here: Trail) -> None:
            if value.tag is None or self._some_case_left(value.tag, value.type, here):
                no(here)

        self._decide(condition, trail, bound, inside, outside)

    def _taken_apart(self, value: Sized, constructor: Constructor, trail: Trail) -> tuple[tuple[Value, ...], Trail]:
        """Arguments of which is known what holds of them: smaller data, and parts."""
        own = self._shapes.own_positions(value.type, constructor)
        part_type = self._shapes.part_type(value.type, constructor)
        parts: tuple[Value, ...] = ()
        if part_type.items:
            found, trail = self._refinements.fresh(value.parts[constructor.name], trail, "head")
            if not isinstance(found, Several):
                raise InternalError("parts are a tuple")
            parts = found.items
        remaining = iter(parts)
        arguments: list[Value] = []
        sizes: list[Term] = []
        for position in range(len(constructor.arguments)):
            if position not in own:
                arguments.append(next(remaining))
                continue
            smaller, trail = self._refinements.fresh(Anything(value.type), trail, "rest")
            if not isinstance(smaller, Sized):
                raise InternalError("data with a size is expected")
            arguments.append(replace(smaller, parts=value.parts))
            sizes.append(smaller.size)
        if sizes:
            total = terms.integer(1)
            for size in sizes:
                total = operations.add(size, total)
            trail = trail.after(facts=[operations.equal(value.size, total)])
        built = self._conversion.measured(Built(constructor.name, tuple(arguments), value.type))
        measured = [terms.equal(a, b) for a, b in zip(value.measured, built, strict=True)]
        return tuple(arguments), trail.after(facts=measured)
