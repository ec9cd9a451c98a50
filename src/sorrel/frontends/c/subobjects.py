"""Which value of an initialiser lands in which subobject: the rules of the current object (C17 6.7.9).

A list names its subobjects by position and by designator, braces may be left out at every depth, and what is given
twice counts as given the second time. The result is a tree of the type's own shape that has a value for each
subobject that got one; the rest is zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TypeAlias

from sorrel.frontends.c import syntax
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.types import Array, CType, Integer, Record
from sorrel.model.errors import InternalError, Span
from sorrel.model.values import dataclass

Key: TypeAlias = int | str  # an index, or the name of a member
Steps: TypeAlias = tuple[Key, ...]


@dataclass(eq=False, slots=True)
class Given:
    """An expression for a whole subobject of the type: a scalar, a structure, or the string of an array.

    It is evaluated once, also if a range of subobjects gets it.
    """

    value: syntax.Expression
    type: CType


@dataclass(eq=False, slots=True)
class Parts:
    """What the members or elements got, by name or index."""

    type: Array | Record
    inner: dict[Key, Subobject] = field(default_factory=dict)


Subobject: TypeAlias = Given | Parts


@dataclass(frozen=True, slots=True)
class Initial:
    """`given`: all values in the order of the text, also those that others replace."""

    root: Subobject
    given: tuple[Given, ...]

    def leaves(self) -> Iterator[tuple[Steps, Given]]:
        """The values that count, each with the way from the whole to its subobject."""
        pending: list[tuple[Steps, Subobject]] = [((), self.root)]
        while pending:
            steps, subobject = pending.pop()
            if isinstance(subobject, Given):
                yield steps, subobject
            else:
                pending.extend(((*steps, key), inner) for key, inner in reversed(subobject.inner.items()))


def initial(type: CType, node: syntax.Expression) -> Initial:
    """What an object of the type gets from its initialiser."""
    reader = _Reader()
    root = reader.whole(type, node)
    given = {id(each): each for each in reader.given}
    given.update((id(each), each) for _, each in Initial(root, ()).leaves())  # single characters of strings too
    return Initial(root, tuple(given.values()))


@dataclass(eq=False, slots=True)
class _Level:
    """An aggregate that is being filled, and the position of the part that comes next."""

    parts: Parts
    position: int = 0

    def next_key(self) -> Key | None:
        type = self.parts.type
        if isinstance(type, Array):
            return self.position if type.length is None or self.position < type.length else None
        members = type.fields[:1] if type.union else type.fields
        return members[self.position].name if self.position < len(members) else None

    def inside(self, key: Key, span: Span) -> _Level:
        """The aggregate under the key; from here on the level goes on behind it."""
        self.move_behind(key)
        return _Level(_inner(self.parts, key, span))

    def move_behind(self, key: Key) -> None:
        if isinstance(key, int):
            self.position = key + 1
        else:
            names = [member.name for member in self.parts.type.fields] if isinstance(self.parts.type, Record) else []
            self.position = names.index(key) + 1


class _Reader:
    def __init__(self) -> None:
        self.given: list[Given] = []

    def whole(self, type: CType, node: syntax.Expression) -> Subobject:
        """A subobject that has an initialiser of its own."""
        value = unwrapped(node)
        if isinstance(type, Array) and isinstance(value, syntax.CompoundLiteral):
            value = unwrapped(value.initializer)
        if not isinstance(value, syntax.InitializerList):
            if isinstance(type, Array) and not _is_string_for(type, value):
                raise Unsupported("an array with this initialiser", node.span)
            return self._gives(value, type)
        if isinstance(type, Array | Record):
            return self._list(type, value)
        if not value.items:
            return self._gives(syntax.IntegerConstant(value.span, type, 0), type)
        first = value.items[0]
        if isinstance(first, syntax.Designated):
            raise Unsupported("a designator for a scalar", first.span)
        return self.whole(type, first)  # braces around a scalar

    def _gives(self, value: syntax.Expression, type: CType) -> Given:
        self.given.append(Given(value, type))
        return self.given[-1]

    def _list(self, type: Array | Record, node: syntax.InitializerList) -> Subobject:
        items = node.items
        if isinstance(type, Array) and len(items) == 1 and not isinstance(items[0], syntax.Designated):
            only = unwrapped(items[0])
            if _is_string_for(type, only):
                return self._gives(only, type)
        levels, room = [_Level(Parts(type))], True
        for item in items:
            if not isinstance(item, syntax.Designated):
                room = self._positional(levels, item)
            elif room:
                levels = self._designated(levels[0], item)
            else:
                # Some compilers go on with it, others drop it too.
                raise Unsupported("a designator behind a value for which there is no room", item.span)
        return levels[0].parts

    def _positional(self, levels: list[_Level], item: syntax.Expression) -> bool:
        """The next part of the innermost aggregate that has one left; if there is none, the value is dropped."""
        while (key := levels[-1].next_key()) is None:
            if len(levels) == 1:
                return False
            levels.pop()
        self._take(levels, key, item)
        return True

    def _take(self, levels: list[_Level], key: Key, item: syntax.Expression) -> tuple[Steps, Subobject]:
        """Gives the part its value; where braces are left out, that goes to the first part inside it, or inside that.

        Returns the way to the part that got it, and what it got.
        """
        value, way = unwrapped(item), [key]
        while True:
            level = levels[-1]
            type = _part_type(level.parts.type, key)
            if not isinstance(type, Array | Record) or _initializes_whole(type, value):
                break
            levels.append(level.inside(key, item.span))
            first = levels[-1].next_key()
            if first is None:
                raise Unsupported("an initialiser for a type without members", item.span)
            key = first
            way.append(key)
        level.move_behind(key)
        given = self.whole(type, item)
        _put(level.parts, key, given)
        return tuple(way), given

    def _designated(self, outermost: _Level, item: syntax.Designated) -> list[_Level]:
        """`.f = v`, `[3].f = v`, `[1 ... 3] = v`; what follows without a designator goes on behind the last of them."""
        first, *others = _ways(outermost.parts.type, item.designators, item.span)
        levels = _levels(outermost, first, item.span)
        below, given = self._take(levels, first[-1], item.value)
        for way in others:
            complete = (*way[:-1], way[-1], *below[1:])
            levels = _levels(outermost, complete, item.span)
            levels[-1].move_behind(complete[-1])
            _put(levels[-1].parts, complete[-1], _copied(given))
        return levels


def _levels(outermost: _Level, way: Steps, span: Span) -> list[_Level]:
    """Those from the outermost to the one whose part the way leads to."""
    levels = [outermost]
    for key in way[:-1]:
        levels.append(levels[-1].inside(key, span))
    return levels


_Designator: TypeAlias = syntax.MemberDesignator | syntax.IndexDesignator


def _ways(type: CType, designators: tuple[_Designator, ...], span: Span) -> list[Steps]:
    """All subobjects that the designators name, which are several if there is a range among them."""
    found: list[Steps] = [()]
    at = 0
    while at < len(designators):
        designator = designators[at]
        keys: list[Key] = []
        if isinstance(type, Record) and isinstance(designator, syntax.MemberDesignator):
            keys = [designator.name]
        elif isinstance(type, Array) and _begins_range(designator, type.element, span):
            keys = list(range(_index(designator), _index(designators[at + 1]) + 1))
            at += 1
        elif isinstance(type, Array):
            keys = [_index(designator)]
        if not keys:
            raise Unsupported("this designator", span)
        found = [(*way, key) for way in found for key in keys]
        type = _part_type(type, keys[0])
        at += 1
    return found


def _begins_range(designator: _Designator, element: CType, span: Span) -> bool:
    if not isinstance(designator, syntax.IndexDesignator):
        return False
    unclear = designator.following is syntax.Following.UNCLEAR
    if unclear and isinstance(element, Array):
        raise Unsupported("a designator that a macro makes", span)
    # An element that has no elements of its own cannot be indexed: two indices are a range then.
    return unclear or designator.following is syntax.Following.END_OF_RANGE


def _index(designator: _Designator) -> int:
    if not isinstance(designator, syntax.IndexDesignator) or designator.index is None:
        raise Unsupported("a designator that is not a number", designator.span)
    return designator.index


def _part_type(type: CType, key: Key) -> CType:
    if isinstance(type, Array):
        return type.element
    if isinstance(type, Record) and isinstance(key, str):
        return type.field_type(key)
    raise InternalError(f"{type} has no part {key}")


def _inner(parts: Parts, key: Key, span: Span) -> Parts:
    """The aggregate that a part is, with what it was given before."""
    type = _part_type(parts.type, key)
    known = parts.inner.get(key)
    if isinstance(known, Parts):
        return known
    if not isinstance(type, Array | Record):
        raise InternalError(f"{span}: {type} has no parts")
    made = Parts(type)
    if isinstance(known, Given):
        if not isinstance(type, Array):
            # Compilers differ in what becomes of the other members.
            raise Unsupported("a structure that is initialised as a whole, and then a part of it again", span)
        made = _characters(known, type)
    _put(parts, key, made)
    return made


def _characters(string: Given, type: Array) -> Parts:
    """The string of an array, element by element."""
    literal, span = string.value, string.value.span
    characters = literal.characters[: type.length] if isinstance(literal, syntax.StringLiteral) else ()
    return Parts(
        type,
        {
            position: Given(syntax.IntegerConstant(span, type.element, character), type.element)
            for position, character in enumerate(characters)
        },
    )


def _put(parts: Parts, key: Key, subobject: Subobject) -> None:
    if isinstance(parts.type, Record) and parts.type.union:
        parts.inner.clear()  # a union holds one member: the last that was given
    parts.inner[key] = subobject


def _copied(subobject: Subobject) -> Subobject:
    """The same values for another subobject, whose parts may be given others later."""
    if isinstance(subobject, Given):
        return subobject
    return Parts(subobject.type, {key: _copied(inner) for key, inner in subobject.inner.items()})


def _initializes_whole(type: Array | Record, value: syntax.Expression) -> bool:
    if isinstance(value, syntax.InitializerList):
        return True
    if isinstance(type, Record):
        return value.type == type
    return _is_string_for(type, value) or (isinstance(value, syntax.CompoundLiteral) and value.type == type)


def _is_string_for(type: Array, value: syntax.Expression) -> bool:
    literal = value.type
    if not isinstance(value, syntax.StringLiteral) or not isinstance(literal, Array):
        return False
    one, other = type.element, literal.element
    return isinstance(one, Integer) and isinstance(other, Integer) and one.machine.bits == other.machine.bits


def unwrapped(node: syntax.Expression) -> syntax.Expression:
    """Without conversions around a list, or around a string or a literal that is an aggregate."""
    while isinstance(node, syntax.ImplicitConversion):
        inner = node.operand
        aggregate = isinstance(node.type, Array | Record)
        literal = isinstance(inner, syntax.StringLiteral | syntax.CompoundLiteral)
        if not isinstance(inner, syntax.InitializerList) and not (literal and aggregate):
            break
        node = inner
    return node
