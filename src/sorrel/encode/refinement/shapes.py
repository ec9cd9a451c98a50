"""What a type has of terms, and what it has inside that terms cannot tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from sorrel.encode.refinement.measured import Kinds, Measures, groups_for, measures_of
from sorrel.encode.refinement.values import Path
from sorrel.functional.type import (
    BOOL,
    CHARACTER,
    INT,
    STRING,
    UNIT,
    Arrow,
    Constructor,
    Data,
    Named,
    TupleType,
    Type,
    is_opaque,
)
from sorrel.functional.type import parts as type_parts
from sorrel.logic import operations, terms
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import NOWHERE, Unsupported
from sorrel.model.values import dataclass

ARRAY, REFERENCE = "array", "ref"


@dataclass(frozen=True)
class Shapes:
    """Types of a program with these declarations. Data is measured by the functions of a group, if there is one."""

    data: Mapping[str, Data]
    group: str = ""

    def check(self) -> None:
        """Types that mention each other in a ring are not told by sizes."""
        for name, data in self.data.items():
            others = [n for n in self.data if n != name and self._reaches(n) and self._reaches(name)]
            for other in others:
                if self._leads(name, other) and self._leads(other, name):
                    raise Unsupported(f"types {data.name} and {other}, which contain each other", NOWHERE)

    def _leads(self, start: str, end: str) -> bool:
        return any(_mentions(part, Named(end)) for part in self._inside(start))

    def _inside(self, name: str) -> Iterator[Type]:
        seen = {name}
        stack = [name]
        while stack:
            for each in self.data[stack.pop()].constructors:
                for part in each.arguments:
                    yield part
                    for found in _names(part):
                        if found in self.data and found not in seen:
                            seen.add(found)
                            stack.append(found)

    @cached_property
    def _recursive(self) -> dict[str, bool]:
        return {name: self._reaches(name) for name in self.data}

    def _reaches(self, name: str) -> bool:
        """Whether a declared type can contain a value of itself."""
        return any(_mentions(part, Named(name)) for part in self._inside(name))

    @cached_property
    def _measures(self) -> dict[Named, Measures | None]:
        return {}

    def measures(self, type: Named) -> Measures | None:
        """What data that can contain itself measures beside its size."""
        if type not in self._measures:
            self._measures[type] = measures_of(type, self._kinds(type), self.group) if self.group else None
        return self._measures[type]

    @property
    def groups(self) -> list[str]:
        """Groups of measures that tell something of the data that was asked about so far."""
        found = [group for type in self._measures for group in groups_for(type, self._kinds(type))]
        return list(dict.fromkeys(found))

    def _kinds(self, type: Named) -> Kinds:
        return tuple((each.name, self.arguments(type, each)) for each in self.declaration(type).constructors)

    def is_recursive(self, type: Named) -> bool:
        return self._recursive[type.name]

    def declaration(self, type: Named) -> Data:
        found = self.data.get(type.name)
        if found is None:
            raise Unsupported(f"values of type {type.name}", NOWHERE)
        return found

    def arguments(self, type: Named, constructor: Constructor) -> tuple[Type, ...]:
        return self.declaration(type).instance(constructor, type.arguments)

    def own_positions(self, type: Named, constructor: Constructor) -> tuple[int, ...]:
        """The arguments of the constructor that are of the type itself."""
        return tuple(i for i, each in enumerate(self.arguments(type, constructor)) if each == type)

    def part_type(self, type: Named, constructor: Constructor) -> TupleType:
        """The other arguments, together."""
        own = self.own_positions(type, constructor)
        others = tuple(t for i, t in enumerate(self.arguments(type, constructor)) if i not in own)
        # As declared: what it is a type of may well be another type of the same name, as in a list of lists.
        if any(_mentions(each, type) for i, each in enumerate(constructor.arguments) if i not in own):
            raise Unsupported(f"type {type.name}, which contains itself inside of another type", NOWHERE)
        return TupleType(others)

    def is_told_by_size(self, type: Named) -> bool:
        """Whether there is one constructor of size 0 and one other."""
        growing = [bool(self.own_positions(type, each)) for each in self.declaration(type).constructors]
        return len(growing) == 2 and sum(growing) == 1

    def sorts(self, type: Type) -> tuple[Sort, ...]:
        """The sorts of the terms that a value of the type has."""
        return tuple(sort for _, sort in self._named_sorts(type))

    def names(self, type: Type, name: str) -> tuple[str, ...]:
        """Readable names for these terms, for a value that is called `name`."""
        return tuple(f"{name}{suffix}" for suffix, _ in self._named_sorts(type))

    def _named_sorts(self, type: Type) -> Iterator[tuple[str, Sort]]:
        if type in (INT, CHARACTER):
            yield "", terms.INT
        elif type == BOOL:
            yield "", terms.BOOL
        elif type == UNIT or isinstance(type, Arrow) or is_opaque(type):
            return
        elif type == STRING:
            yield ".length", terms.INT
        elif isinstance(type, TupleType):
            for position, item in enumerate(type.items, 1):
                yield from ((f".{position}{suffix}", sort) for suffix, sort in self._named_sorts(item))
        elif isinstance(type, Named) and type.name == ARRAY:
            yield ".length", terms.INT
        elif isinstance(type, Named) and type.name == REFERENCE:
            return
        elif isinstance(type, Named):
            yield from self._data_sorts(type)
        else:
            raise Unsupported(f"values of type {type}", NOWHERE)

    def _data_sorts(self, type: Named) -> Iterator[tuple[str, Sort]]:
        data = self.declaration(type)
        if self.is_recursive(type):
            yield ".length" if type.name == "list" else ".size", terms.INT
            if not self.is_told_by_size(type):
                yield ".case", terms.INT
            measures = self.measures(type)
            yield from measures.named_sorts if measures else ()
            return
        if len(data.constructors) > 1:
            yield ".case", terms.INT
        for constructor in data.constructors:
            fields = constructor.fields or tuple(map(str, range(1, len(constructor.arguments) + 1)))
            prefix = "" if constructor.fields else f".{constructor.name.split('.')[0]}"
            for field, argument in zip(fields, self.arguments(type, constructor), strict=True):
                yield from ((f"{prefix}.{field}{suffix}", sort) for suffix, sort in self._named_sorts(argument))

    def inner(self, type: Type) -> Iterator[tuple[Path, Type, bool]]:
        """Parts that terms cannot tell: their place, their type, and whether they exist only if data is not empty."""
        if isinstance(type, Arrow):
            yield (), type, False
        elif isinstance(type, TupleType):
            for position, item in enumerate(type.items):
                yield from (((position, *path), found, some) for path, found, some in self.inner(item))
        elif isinstance(type, Named) and type.name in (ARRAY, REFERENCE):
            yield ("elements",), type.arguments[0], type.name == ARRAY
        elif isinstance(type, Named) and type.name in self.data:
            yield from self._data_inner(type)

    def _data_inner(self, type: Named) -> Iterator[tuple[Path, Type, bool]]:
        for constructor in self.declaration(type).constructors:
            if self.is_recursive(type):
                part = self.part_type(type, constructor)
                if part.items:
                    yield (constructor.name,), part, True
                continue
            for position, argument in enumerate(self.arguments(type, constructor)):
                for path, found, some in self.inner(argument):
                    yield (constructor.name, position, *path), found, some

    def facts(self, type: Type, values: list[Term]) -> list[Term]:
        """What holds of the terms of any value of the type; they are taken from the front of the list."""
        found: list[Term] = []
        if type in (INT, BOOL):
            values.pop(0)
        elif type == CHARACTER:
            found += _between(values.pop(0), 0, 255)
        elif type == STRING or (isinstance(type, Named) and type.name == ARRAY):
            found.append(operations.at_most(terms.integer(0), values.pop(0)))
        elif isinstance(type, TupleType):
            for item in type.items:
                found += self.facts(item, values)
        elif isinstance(type, Named) and type.name in self.data:
            found += self._data_facts(type, values)
        return found

    def _data_facts(self, type: Named, values: list[Term]) -> list[Term]:
        data = self.declaration(type)
        if self.is_recursive(type):
            size = values.pop(0)
            found = [operations.at_most(terms.integer(0), size)]
            if not self.is_told_by_size(type):
                tag = values.pop(0)
                found += _between(tag, 0, len(data.constructors) - 1)
                empty = [i for i, each in enumerate(data.constructors) if not self.own_positions(type, each)]
                is_empty = terms.disjunction(operations.equal(tag, terms.integer(i)) for i in empty)
                found.append(operations.equal(is_empty, operations.equal(size, terms.integer(0))))
            measures = self.measures(type)
            if measures:
                found += measures.facts(size, [values.pop(0) for _ in measures.named_sorts])
            return found
        found = _between(values.pop(0), 0, len(data.constructors) - 1) if len(data.constructors) > 1 else []
        for constructor in data.constructors:
            for argument in self.arguments(type, constructor):
                found += self.facts(argument, values)
        return found


def _names(type: Type) -> Iterator[str]:
    """The named types in a type."""
    if isinstance(type, Named):
        yield type.name
    for part in type_parts(type):
        yield from _names(part)


def _mentions(type: Type, wanted: Named) -> bool:
    return wanted.name in _names(type)


def _between(term: Term, low: int, high: int) -> list[Term]:
    return [operations.at_most(terms.integer(low), term), operations.at_most(term, terms.integer(high))]
