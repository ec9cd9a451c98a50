"""From values to the terms that they have, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sorrel.encode.refinement.shapes import ARRAY, REFERENCE, Shapes
from sorrel.encode.refinement.values import (
    Anything,
    Built,
    Closed,
    Copied,
    Elements,
    Foreign,
    FunctionRefinement,
    Held,
    Nothing,
    OneOf,
    Path,
    Reference,
    Refinement,
    Scalar,
    Several,
    Sized,
    Text,
    Typed,
    Value,
)
from sorrel.functional.type import BOOL, CHARACTER, INT, STRING, UNIT, Arrow, Named, TupleType, Type, is_opaque
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError

ZERO, ONE = terms.integer(0), terms.integer(1)


class Conversion:
    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes

    # To terms

    def terms_of(self, value: Value, type: Type) -> list[Term]:
        """The terms of the value, in the order of `Shapes.sorts`."""
        match value:
            case Scalar(term):
                return [term]
            case Text(length):
                return [length]
            case Several(items):
                if not isinstance(type, TupleType):
                    raise InternalError(f"a tuple of type {type}")
                return [t for item, each in zip(items, type.items, strict=True) for t in self.terms_of(item, each)]
            case Built():
                return self._built_terms(value)
            case OneOf(tag, arguments, named):
                found = [tag] if len(self._shapes.declaration(named).constructors) > 1 else []
                return [*found, *self._argument_terms(named, arguments)]
            case Sized(size, tag):
                return [size, *([] if tag is None else [tag]), *value.measured]
            case Elements(length):
                return [length]
            case Nothing() | Reference() | Closed() | Typed() | Foreign() | Copied():
                return []

    def _argument_terms(self, type: Named, known: Mapping[str, tuple[Value, ...]]) -> Iterator[Term]:
        """Those of all constructors; of one that is not known, any."""
        for constructor in self._shapes.declaration(type).constructors:
            types = self._shapes.arguments(type, constructor)
            if constructor.name not in known:
                for each in types:
                    yield from self._default_terms(each)
                continue
            for argument, each in zip(known[constructor.name], types, strict=True):
                yield from self.terms_of(argument, each)

    def _built_terms(self, value: Built) -> list[Term]:
        data = self._shapes.declaration(value.type)
        tag = terms.integer(data.position(value.constructor))
        if not self._shapes.is_recursive(value.type):
            found = [tag] if len(data.constructors) > 1 else []
            return [*found, *self._argument_terms(value.type, {value.constructor: value.arguments})]
        size = self.size(value)
        return [size, *([] if self._shapes.is_told_by_size(value.type) else [tag]), *self.measured(value)]

    def measured(self, value: Value) -> list[Term]:
        """What data that can contain itself measures beside its size."""
        if isinstance(value, Sized):
            return list(value.measured)
        if not isinstance(value, Built):
            raise InternalError("data without measures")
        measures = self._shapes.measures(value.type)
        if measures is None:
            return []
        data = self._shapes.declaration(value.type)
        place = data.position(value.constructor)
        own = self._shapes.own_positions(value.type, data.constructors[place])
        types = self._shapes.arguments(value.type, data.constructors[place])
        given = [
            [self.size(argument), *self.measured(argument)] if position in own else self.terms_of(argument, type)
            for position, (argument, type) in enumerate(zip(value.arguments, types, strict=True))
        ]
        return measures.built(place, given)

    def size(self, value: Value) -> Term:
        """How many constructors with parts of the same type the data has."""
        total: list[Term] = []
        count = 0
        stack = [value]
        while stack:
            current = stack.pop()
            if isinstance(current, Sized):
                total.append(current.size)
                continue
            if not isinstance(current, Built):
                raise InternalError("data without a size")
            data = self._shapes.declaration(current.type)
            constructor = data.constructors[data.position(current.constructor)]
            own = self._shapes.own_positions(current.type, constructor)
            count += bool(own)
            stack.extend(current.arguments[position] for position in own)
        size = terms.integer(count)
        for each in total:
            size = operations.add(each, size)
        return size

    def _default_terms(self, type: Type) -> list[Term]:
        """Terms that some value of the type has."""
        if isinstance(type, TupleType):
            return [term for item in type.items for term in self._default_terms(item)]
        if isinstance(type, Named) and type.name in self._shapes.data:
            data = self._shapes.declaration(type)
            if self._shapes.is_recursive(type):
                empty = [i for i, c in enumerate(data.constructors) if not self._shapes.own_positions(type, c)]
                told = self._shapes.is_told_by_size(type)
                if not empty:  # Of data that only grows there is no value; these terms agree with what is known of any.
                    return [ONE, ZERO]
                measures = self._shapes.measures(type)
                arguments = [self._default_terms(t) for t in self._shapes.arguments(type, data.constructors[empty[0]])]
                measured = measures.built(empty[0], arguments) if measures else []
                return [ZERO, *([] if told else [terms.integer(empty[0])]), *measured]
            found = [ZERO] if len(data.constructors) > 1 else []
            types = (each for constructor in data.constructors for each in self._shapes.arguments(type, constructor))
            return [*found, *(term for each in types for term in self._default_terms(each))]
        return [terms.FALSE if sort == terms.BOOL else ZERO for sort in self._shapes.sorts(type)]

    # And back

    def value_of(self, type: Type, given: list[Term], inner: Mapping[Path, Held], at: Path = ()) -> Value:
        """The value with these terms, which are taken from the front of the list; `inner` tells of the rest."""
        if type in (INT, BOOL, CHARACTER):
            return Scalar(given.pop(0))
        if type == UNIT or is_opaque(type):
            return Nothing()
        if type == STRING:
            return Text(given.pop(0))
        if isinstance(type, Arrow):
            return self._function(type, inner[at])
        if isinstance(type, TupleType):
            return Several(tuple(self.value_of(t, given, inner, (*at, i)) for i, t in enumerate(type.items)))
        if not isinstance(type, Named):
            raise InternalError(f"no value of type {type}")
        if type.name == ARRAY:
            return Elements(given.pop(0), inner[(*at, "elements")], type)
        if type.name == REFERENCE:
            return Reference(None, inner[(*at, "elements")], type)
        return self._data(type, given, inner, at)

    def _function(self, type: Arrow, held: Held) -> Value:
        match held:
            case FunctionRefinement():
                return Typed(held)
            case Anything():
                return Foreign(type)
            case Refinement():
                raise InternalError("a function without a function's type")

    def _data(self, type: Named, given: list[Term], inner: Mapping[Path, Held], at: Path) -> Value:
        data = self._shapes.declaration(type)
        if self._shapes.is_recursive(type):
            size = given.pop(0)
            tag = None if self._shapes.is_told_by_size(type) else given.pop(0)
            measures = self._shapes.measures(type)
            measured = tuple(given.pop(0) for _ in measures.named_sorts) if measures else ()
            parts = {c.name: inner[(*at, c.name)] for c in data.constructors if (*at, c.name) in inner}
            return Sized(size, tag, parts, type, measured)
        tag = given.pop(0) if len(data.constructors) > 1 else None
        arguments = {}
        for constructor in data.constructors:
            types = self._shapes.arguments(type, constructor)
            arguments[constructor.name] = tuple(
                self.value_of(t, given, inner, (*at, constructor.name, i)) for i, t in enumerate(types)
            )
        if tag is None:
            only = data.constructors[0].name
            return Built(only, arguments[only], type)
        return OneOf(tag, arguments, type)

    # Parts that terms cannot tell

    def at(self, value: Value, path: Path) -> Iterator[Value | Held]:
        """What stands at the path: values that are at hand, or what holds of those that are not."""
        if not path:
            yield value
            return
        first, rest = path[0], path[1:]
        match value:
            case Several(items):
                yield from self.at(items[int(first)], rest)
            case Elements(_, held) if first == "elements":
                yield held
            case Reference(_, held) if first == "elements":
                if held is None:
                    raise InternalError("a reference that is followed has escaped")
                yield held
            case OneOf(_, arguments):
                yield from self.at(arguments[str(first)][int(rest[0])], rest[1:])
            case Sized(_, _, parts):
                if first in parts:
                    yield parts[str(first)]
            case Built():
                yield from self._at_built(value, str(first), rest)
            case _:
                raise InternalError(f"nothing stands at {path}")

    def _at_built(self, value: Built, first: str, rest: Path) -> Iterator[Value | Held]:
        if not self._shapes.is_recursive(value.type):
            if value.constructor == first:
                yield from self.at(value.arguments[int(rest[0])], rest[1:])
            return
        stack: list[Value] = [value]
        while stack:
            current = stack.pop()
            if isinstance(current, Sized):
                if first in current.parts:
                    yield current.parts[first]
                continue
            if not isinstance(current, Built):
                raise InternalError("data of an unknown kind")
            data = self._shapes.declaration(current.type)
            constructor = data.constructors[data.position(current.constructor)]
            own = self._shapes.own_positions(current.type, constructor)
            stack.extend(current.arguments[position] for position in own)
            if current.constructor == first:
                yield Several(tuple(a for i, a in enumerate(current.arguments) if i not in own))


def instantiated(held: Held, pairs: list[tuple[Term, Term]]) -> Held:
    """What holds, with terms in place of variables of its scope."""
    if not pairs:
        return held
    match held:
        case Anything():
            return held
        case Refinement(type, predicate, scope, own, inner):
            return Refinement(
                type,
                predicate,
                tuple(terms.substitute(term, pairs) for term in scope),
                own,
                {path: instantiated(each, pairs) for path, each in inner.items()},
            )
        case FunctionRefinement():
            return replace(
                held,
                takes=refined(instantiated(held.takes, pairs)),
                gives=refined(instantiated(held.gives, pairs)),
                raises=refined(instantiated(held.raises, pairs)) if held.raises else None,
            )


def refined(held: Held) -> Refinement:
    if not isinstance(held, Refinement):
        raise InternalError("a refinement is expected")
    return held


def pairs_of(variables: tuple[Term, ...], given: list[Term]) -> list[tuple[Term, Term]]:
    return list(zip(variables, given, strict=True))
