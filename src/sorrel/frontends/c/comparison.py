"""Pointers compared: equal, before or after, and how far apart, as the layout of their objects has it.

Within an object everything is decided by where its parts are. Between objects only one thing is certain: two pointers
that point into different ones are not equal. Which object comes first, and whether the end of one is the start of
another, C leaves open, and so does the program: it is any value, which no answer may rest on.
"""

from __future__ import annotations

from collections.abc import Callable

from sorrel.frontends.c.addresses import mirrored
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.layout import Member, Region
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import both, choose, compare, either, minus, number, opposite, plus, times
from sorrel.frontends.c.paths import displacement, inner_count, part_types
from sorrel.frontends.c.syntax import StringLiteral
from sorrel.frontends.c.types import Array, CType, base_element, byte_size
from sorrel.frontends.c.values import PointerValue
from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import Binary, Constant, Expression, Operator
from sorrel.program.statement import Choice
from sorrel.program.types import BOOLEAN, UNBOUNDED, Type


@dataclass(frozen=True, slots=True)
class _Side:
    """A pointer that is compared, and the region that it points into."""

    pointer: PointerValue
    region: Region

    @property
    def offset(self) -> Expression:
        return self.pointer.offset if self.pointer.offset is not None else number(0)

    @property
    def is_blurred(self) -> bool:
        """Whether what is in the region is not modelled, nor where pointers are in its objects."""
        return self.region.cell.blurred

    def means(self, member: Member) -> Expression:
        """Whether it points to this one of several."""
        if self.pointer.object is None:
            return TRUE
        return _equal(self.pointer.object, number(member.number))

    def is_string(self) -> Expression:
        """Whether it points into one of the strings that are written in the program."""
        strings = [member for member in self.region.members if member.object.is_string]
        found: Expression = TRUE if strings and len(strings) == len(self.region.members) else FALSE
        for member in strings:
            found = either(found, self.means(member))
        return found


class PointerComparison:
    """`size_of` gives the bytes of a base element."""

    def __init__(self, context: Context, memory: Memory, size_of: Callable[[CType, Span], int]) -> None:
        self._context = context
        self._memory = memory
        self._layout = context.layout
        self._size_of = size_of

    def equal(self, one: PointerValue, other: PointerValue, span: Span) -> Expression:
        if one.cell is None or other.cell is None:
            return opposite(self._memory.is_set(other if one.cell is None else one))
        left, right = self._side(one, span), self._side(other, span)
        if left.is_blurred or right.is_blurred:
            return self._equal_or_not(left, right, span)
        same = self._same_region(left, right) if left.region is right.region else self._same_address(left, right, span)
        shared = self._shared(left, right)
        if shared != FALSE:
            same = choose(shared, self._open(BOOLEAN, "whether equal string literals are one object", span), same)
        unsettled = self._unsettled(left, right)
        if unsettled == FALSE:
            return same
        return either(same, both(unsettled, self._open(BOOLEAN, "whether objects lie side by side", span)))

    def _equal_or_not(self, left: _Side, right: _Side, span: Span) -> Expression:
        """Where a pointer into blurred memory is in its object nobody knows; only null is equal to nothing else."""
        neither = both(opposite(self._memory.is_set(left.pointer)), opposite(self._memory.is_set(right.pointer)))
        perhaps = self._open(BOOLEAN, "where a pointer into memory of several types is", span)
        return either(neither, both(self._both_set(left, right), perhaps))

    def ordered(self, operator: Operator, one: PointerValue, other: PointerValue, span: Span) -> Expression:
        """One of the comparisons that ask what comes first."""
        if one.cell is None or other.cell is None:
            return self._open(BOOLEAN, "where null is among objects", span)

        def decided(left: Expression, right: Expression) -> Expression:
            return compare(operator, left, right)

        return self._placed(one, other, decided, BOOLEAN, "the order of objects in memory", span)

    def distance(self, one: PointerValue, other: PointerValue, element: CType, span: Span) -> Expression:
        """In base elements of the type that both point to."""
        if one.cell is None or other.cell is None:
            return self._open(UNBOUNDED, "where null is among objects", span)
        left, right = self._side(one, span), self._side(other, span)
        if left.is_blurred or right.is_blurred:
            return self._open(UNBOUNDED, "the distance of pointers into memory of several types", span)
        size = 1 if self._in_elements(left, right) else self._size_of(element, span)
        if left.region is right.region and left.region.cell.bytes:
            size = byte_size(base_element(element))

        def decided(first: Expression, second: Expression) -> Expression:
            apart = minus(first, second)
            return apart if size == 1 else Binary(Operator.DIVIDE, apart, number(size), UNBOUNDED)

        return self._placed(one, other, decided, UNBOUNDED, "the distance of objects in memory", span)

    def _side(self, pointer: PointerValue, span: Span) -> _Side:
        if pointer.cell is None:
            raise Unsupported("null as a place in memory", span)
        return _Side(pointer, self._layout.region(pointer.cell))

    def _open(self, type: Type, source: str, span: Span) -> Expression:
        value = self._context.temporary("unspecified", type)
        self._context.havoc(value, Choice.ABSTRACTION, source, span)
        return value

    # Equal

    def _same_region(self, left: _Side, right: _Side) -> Expression:
        """No part of a type contains another of that type: the same number, at the same offset."""
        same: Expression = TRUE
        if left.pointer.object is not None and right.pointer.object is not None:
            same = _equal(left.pointer.object, right.pointer.object)
        return both(same, _equal(left.offset, right.offset))

    def _same_address(self, left: _Side, right: _Side, span: Span) -> Expression:
        """Between regions: both null, or a part and what it starts with."""
        missing = both(opposite(self._memory.is_set(left.pointer)), opposite(self._memory.is_set(right.pointer)))
        return either(missing, either(self._starts(left, right, span), self._starts(right, left, span)))

    def _starts(self, outer: _Side, inner: _Side, span: Span) -> Expression:
        """Whether what the inner points to is where the part begins that the outer points to."""
        pairs = [
            (one, other)
            for one in outer.region.members
            for other in inner.region.members
            if one.object is other.object and _begins(one, other)
        ]
        if not pairs:
            return FALSE
        if outer.region.flat or inner.region.flat:
            return self._starts_among_many(outer, inner, pairs[0], span)
        found: Expression = FALSE
        for one, other in pairs:
            here = both(outer.means(one), inner.means(other))
            found = either(found, both(here, self._aligned(outer, inner, one, other)))
        return found

    def _aligned(self, outer: _Side, inner: _Side, one: Member, other: Member) -> Expression:
        ratio = inner_count(other.object.type, other.path) // inner_count(one.object.type, one.path)
        return _equal(times(self._plain(outer), number(ratio)) or number(0), self._plain(inner))

    def _starts_among_many(self, outer: _Side, inner: _Side, pair: tuple[Member, Member], span: Span) -> Expression:
        """Objects that are known by number only: their parts have numbers that follow on theirs, the same for all."""
        if len({self._shape(m) for m in outer.region.members} | {self._shape(pair[0])}) > 1 or (
            len({self._shape(m) for m in inner.region.members} | {self._shape(pair[1])}) > 1
        ):
            raise Unsupported("comparing pointers to objects of several kinds with pointers to their parts", span)
        if outer.pointer.object is None or inner.pointer.object is None:
            raise Unsupported("comparing a pointer to one of many objects with one to its part", span)
        bases = [
            minus(side.pointer.object, number(self._index(member)))
            for side, member in zip((outer, inner), pair, strict=True)
            if side.pointer.object is not None
        ]
        set_ = both(self._memory.is_set(outer.pointer), self._memory.is_set(inner.pointer))
        return both(set_, both(_equal(*bases), self._aligned(outer, inner, *pair)))

    def _index(self, member: Member) -> int:
        return self._layout.subpath_index(member.object.type, member.path)

    def _shape(self, member: Member) -> tuple[int, int]:
        return self._index(member), inner_count(member.object.type, member.path)

    def _shared(self, left: _Side, right: _Side) -> Expression:
        """Whether both point into string literals that may be one object, or one the end of the other."""
        found: Expression = FALSE
        for one in left.region.members:
            for other in right.region.members:
                if one.object is not other.object and _may_share(one.object, other.object):
                    found = either(found, both(left.means(one), right.means(other)))
        return found

    def _unsettled(self, left: _Side, right: _Side) -> Expression:
        """Whether one points to the end of a part, which may be the beginning of another, or both into strings.

        Strings that are written in the program may share memory (C17 6.4.5).
        """
        if left.region is right.region and left.pointer.object is None:
            return FALSE
        ends = [self._at_an_end(side, other) for side, other in ((left, right), (right, left))]
        ends.append(both(left.is_string(), right.is_string()))
        if all(end == FALSE for end in ends):
            return FALSE
        apart: Expression = TRUE
        if left.region is right.region and left.pointer.object is not None and right.pointer.object is not None:
            apart = opposite(_equal(left.pointer.object, right.pointer.object))
        one_of_them: Expression = FALSE
        for end in ends:
            one_of_them = either(one_of_them, end)
        return both(apart, both(self._both_set(left, right), one_of_them))

    def _both_set(self, left: _Side, right: _Side) -> Expression:
        return both(self._memory.is_set(left.pointer), self._memory.is_set(right.pointer))

    def _at_an_end(self, side: _Side, other: _Side) -> Expression:
        if not any(self._may_leave(side.region, member) for member in side.region.members):
            return FALSE
        outside = opposite(self._memory.is_inside(side.pointer))
        members = [*side.region.members, *(other.region.members if other.region is not side.region else ())]
        whole = all(not member.path for member in members)
        return both(outside, _equal(other.offset, number(0))) if whole else outside

    def _may_leave(self, region: Region, member: Member) -> bool:
        """A pointer to what is no array, and that nothing moves, always points to it."""
        arrays = any(isinstance(type, Array) for type in part_types(member.object.type, member.path))
        return region.cell.arithmetic or arrays

    # Before, after, apart

    def _placed(
        self,
        one: PointerValue,
        other: PointerValue,
        decided: Callable[[Expression, Expression], Expression],
        type: Type,
        source: str,
        span: Span,
    ) -> Expression:
        """What follows from the positions of two pointers in an object; if it is not one object, anything."""
        left, right = self._side(one, span), self._side(other, span)
        cases = self._positions(left, right, span)
        certain = len(cases) == 1 and cases[0][0] == TRUE
        value = decided(*cases[0][1]) if certain else self._open(type, source, span)
        for condition, (first, second) in () if certain else cases:
            value = choose(condition, decided(first, second), value)
        return value

    def _positions(
        self, left: _Side, right: _Side, span: Span
    ) -> list[tuple[Expression, tuple[Expression, Expression]]]:
        """Under which condition both are in one object, and where each is then."""
        if left.is_blurred or right.is_blurred:
            return []
        if self._in_elements(left, right):
            same: Expression = TRUE
            if left.pointer.object is not None and right.pointer.object is not None:
                same = _equal(left.pointer.object, right.pointer.object)
            return [(same, (left.offset, right.offset))]
        found: list[tuple[Expression, tuple[Expression, Expression]]] = []
        if left.region.flat or right.region.flat:
            return found
        for one in left.region.members:
            for other in right.region.members:
                if one.object is not other.object:
                    continue
                first, second = self._byte(one, self._plain(left), span), self._byte(other, self._plain(right), span)
                if first is not None and second is not None:
                    found.append((both(left.means(one), right.means(other)), (first, second)))
        return found

    def _in_elements(self, left: _Side, right: _Side) -> bool:
        """Whether elements tell as much as bytes do: no object has two parts here, and none is scattered."""
        members = left.region.members
        single = len({id(member.object) for member in members}) == len(members)
        return left.region is right.region and single and all(map(self._layout.is_contiguous, members))

    def _plain(self, side: _Side) -> Expression:
        """The offset, also of an end that is told from the beginning of what follows."""
        offset = side.offset
        if not self._layout.has_rows(side.region):
            return offset
        return choose(compare(Operator.LESS, offset, number(0)), mirrored(offset), offset)

    def _byte(self, member: Member, offset: Expression, span: Span) -> Expression | None:
        """Where in the object; None if more than one array is on the way."""
        types = part_types(member.object.type, member.path)
        arrays = [type for type in types if isinstance(type, Array)]
        if member.object.runtime_length and not isinstance(types[0], Array):
            arrays.insert(0, Array(types[0], None))
        if len(arrays) > 1:
            return None
        start = number(displacement(member.object.type, member.path))
        if not arrays:
            # Only what lies side by side is ever moved: a step is as long as the part itself.
            arrays.append(Array(types[-1], None))
        size = self._size_of(base_element(arrays[0]), span)
        return plus(times(offset, number(size)), start)


def _begins(outer: Member, inner: Member) -> bool:
    """Whether the inner part is what the outer one starts with."""
    inside = len(inner.path) > len(outer.path) and inner.path[: len(outer.path)] == outer.path
    type = inner.object.type
    return inside and displacement(type, inner.path) == displacement(type, outer.path)


def _may_share(one: Object, other: Object) -> bool:
    """Whether a compiler may keep two string literals in the same characters."""
    if not isinstance(one.node, StringLiteral) or not isinstance(other.node, StringLiteral):
        return False
    longer, shorter = sorted((one.node.characters, other.node.characters), key=len, reverse=True)
    return longer[len(longer) - len(shorter) :] == shorter


def _equal(left: Expression, right: Expression) -> Expression:
    if isinstance(left, Constant) and isinstance(right, Constant):
        return TRUE if left.value == right.value else FALSE
    return compare(Operator.EQUAL, left, right)
