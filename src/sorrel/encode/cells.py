"""Arrays while all runs of a program are followed: elements at numbers, above what is known of all others."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.encode.bounds import Bounds
from sorrel.logic.bottom_up import bottom_up
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Open, Truth, Value, range_of
from sorrel.logic.whole import Range

MOST_PLACES = 64
"""An element whose index may be one of so many numbers is written to each of these places, under its condition."""
MOST_READ = 512
"""An element whose index may be one of so many numbers is chosen from these elements by the bits of the index."""


class Same:
    """One value everywhere."""

    __slots__ = ("value",)

    def __init__(self, value: Content) -> None:
        self.value = value


class Written:
    """An array in which an element was replaced whose place is not known."""

    __slots__ = ("below", "index", "known", "memo", "value")

    def __init__(self, below: Cells, index: Node, known: Range, value: Content) -> None:
        self.below = below
        self.index = index
        self.known = known
        self.value = value
        self.memo: dict[_Place, Content] = {}


class Either:
    """One of two arrays."""

    __slots__ = ("condition", "memo", "otherwise", "then")

    def __init__(self, condition: Node, then: Cells, otherwise: Cells) -> None:
        self.condition = condition
        self.then = then
        self.otherwise = otherwise
        self.memo: dict[_Place, Content] = {}


class Cells:
    """An array that never changes: `cells` above `base`."""

    __slots__ = ("base", "cells")

    def __init__(self, base: Base, cells: dict[int, Content]) -> None:
        self.base = base
        self.cells = cells


Base: TypeAlias = Same | Open | Written | Either
Content: TypeAlias = "Value | Cells"
_Place: TypeAlias = "int | tuple[Node, Range]"
"""An index; one that is computed together with what is known of it, since what is found there may rest on that."""


class Arrays:
    """Reading, writing and choosing."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def choice(self, condition: Truth, then: Content, otherwise: Content, here: Range, there: Range) -> Content:
        """Of numbers, truth values or arrays; the ranges are those of numbers."""
        if then is otherwise:
            return then
        if isinstance(then, Cells):
            if not isinstance(otherwise, Cells):
                raise TypeError("an array and a number")
            return self.array_choice(condition, then, otherwise)
        if isinstance(otherwise, Cells):
            raise TypeError("a number and an array")
        if _is_truth(then) or _is_truth(otherwise):
            return self._graph.truth_choice(condition, then, otherwise)  # type: ignore[arg-type]
        return self._graph.choice(condition, then, otherwise, here, there)

    def _plain_choice(self, condition: Truth, then: Content, otherwise: Content) -> Content:
        return self.choice(condition, then, otherwise, _range(then), _range(otherwise))

    def array_choice(
        self, condition: Truth, then: Cells, otherwise: Cells, known: tuple[Bounds, Bounds] | None = None
    ) -> Cells:
        """`known` is what bounds tell of either, where paths meet."""
        if not isinstance(condition, Node):
            return then if condition else otherwise
        if then.base is not otherwise.base:
            return Cells(Either(condition, then, otherwise), {})
        one, other = then.cells, otherwise.cells
        if one is other:
            return then
        made = dict(other)
        for index, value in one.items():
            there = other.get(index)
            if there is not value:
                below = self.at(Cells(then.base, {}), index) if there is None else there
                made[index] = self._element_choice(condition, value, below, known)
        for index in other.keys() - one.keys():
            below = self.at(Cells(then.base, {}), index)
            made[index] = self._element_choice(condition, below, other[index], known)
        return Cells(then.base, made)

    def _element_choice(
        self, condition: Truth, then: Content, otherwise: Content, known: tuple[Bounds, Bounds] | None
    ) -> Content:
        if known is None or isinstance(then, Cells) or isinstance(otherwise, Cells):
            return self._plain_choice(condition, then, otherwise)
        return self.choice(condition, then, otherwise, known[0].of(then), known[1].of(otherwise))

    # Reading

    def read(self, array: Cells, index: Value, bounds: Bounds) -> Content:
        known = bounds.of(index)
        if known[0] == known[1]:
            return self.at(array, known[0])
        if not isinstance(index, Node):
            return self.at(array, index)
        low, high = known
        few = self._graph.leaves(index)
        if few is not None and any(low <= each <= high for each in few):
            return self._by_leaves(array, index, known)
        if low >= 0 and high < MOST_READ:
            return self._by_bits(array, index, low, high, bounds)
        if low < 0 and high - low < MOST_READ:
            moved = self._graph.subtract(index, low, known, (low, low))
            if isinstance(moved, Node):
                return self._by_bits(array, moved, 0, high - low, bounds, low)
        return self._at(array, index, known)

    def _by_leaves(self, array: Cells, index: Node, known: Range) -> Content:
        """The index is a choice among few numbers, some of which may be known not to be it: so is the element."""
        done: dict[Node, Content | None] = {}

        def chosen(choice: Node) -> Content | None:
            then, otherwise = (
                done[each] if isinstance(each, Node) else self._if_known(array, each, known)  # type: ignore[arg-type]
                for each in choice.parts[1:]
            )
            if then is None or otherwise is None:
                return otherwise if then is None else then
            return self._plain_choice(choice.parts[0], then, otherwise)  # type: ignore[arg-type]

        found = bottom_up(index, done, _choices_within, chosen)
        if found is None:
            raise TypeError("an index that is none of its choices")
        return found

    def _if_known(self, array: Cells, index: int, known: Range) -> Content | None:
        return self.at(array, index) if known[0] <= index <= known[1] else None

    def _by_bits(self, array: Cells, index: Node, low: int, high: int, bounds: Bounds, offset: int = 0) -> Content:
        """Elements from low to high, halved bit by bit; the index is not negative."""
        places = range(low, high + 1)
        level: dict[int, Content] = {place: self._narrowed(self.at(array, place + offset), bounds) for place in places}
        bit = 0
        while len(level) > 1:
            above: dict[int, Content] = {}
            for place in level:
                if place >> 1 in above:
                    continue
                even, odd = level.get(place & ~1), level.get(place | 1)
                if even is None or odd is None:
                    above[place >> 1] = level[place]
                else:
                    above[place >> 1] = self._plain_choice(self._graph.bit(index, bit), odd, even)
            level, bit = above, bit + 1
        return next(iter(level.values()))

    def _narrowed(self, value: Content, bounds: Bounds) -> Content:
        """With what is known of it here in its own bounds."""
        if not isinstance(value, Node) or value.is_truth:
            return value
        return self._graph.within(value, *bounds.of(value, 0))

    def at(self, array: Cells, index: int) -> Content:
        found = array.cells.get(index)
        return self._at(array, index, (index, index)) if found is None else found

    def _at(self, array: Cells, index: Value, known: Range) -> Content:
        """Through what was written and chosen before, without recursion: such arrays are deep."""
        stack = [array]
        while True:
            top = stack[-1]
            found = self._found(top, index, known)
            if found is not None:
                stack.pop()
                if not stack:
                    return found
                continue
            base = top.base
            match base:
                case Written():
                    below = [base.below]
                case Either():
                    below = [base.then, base.otherwise]
                case _:
                    raise TypeError("such arrays know their elements")
            waiting = [each for each in below if self._found(each, index, known) is None]
            if waiting:
                stack += waiting
                continue
            values = [self._found(each, index, known) for each in below]
            if isinstance(base, Written):
                base.memo[_place(index, known)] = self._replaced(base, index, known, values[0])  # type: ignore[arg-type]
            else:
                base.memo[_place(index, known)] = self._plain_choice(base.condition, values[0], values[1])  # type: ignore[arg-type]

    def _found(self, array: Cells, index: Value, known: Range) -> Content | None:
        """An element that needs no looking further."""
        if not isinstance(index, Node):
            found = array.cells.get(index)
            return self._in_base(array.base, index, known) if found is None else found
        value = self._in_base(array.base, index, known)
        if value is None:
            return None
        for place, own in array.cells.items():
            if known[0] <= place <= known[1]:
                value = self._plain_choice(self._graph.equal(index, place, known, (place, place)), own, value)
        return value

    def _in_base(self, base: Base, index: Value, known: Range) -> Content | None:
        match base:
            case Same(value=value):
                return value
            case Open():
                return self._graph.element(base, index)
            case _:
                return base.memo.get(_place(index, known))

    def _replaced(self, base: Written, index: Value, known: Range, below: Content) -> Content:
        here = self._graph.equal(base.index, index, base.known, known)
        return self._plain_choice(here, base.value, below)

    # Writing

    def written(self, array: Cells, index: Value, value: Content, bounds: Bounds) -> Cells:
        low, high = bounds.of(index)
        if low == high:
            return Cells(array.base, {**array.cells, low: value})
        if not isinstance(index, Node):
            raise TypeError("a number has one value")
        leaves = self._graph.leaves(index)
        places = range(low, high + 1) if leaves is None else sorted(each for each in leaves if low <= each <= high)
        if leaves is None and high - low >= MOST_PLACES:
            return Cells(Written(array, index, (low, high), value), {})
        cells = dict(array.cells)
        for place in places:
            here = self._graph.equal(index, place, (low, high), (place, place))
            cells[place] = self._plain_choice(here, value, self.at(array, place))
        return Cells(array.base, cells)


def _choices_within(choice: Node) -> list[Node]:
    return [each for each in choice.parts[1:] if isinstance(each, Node)]


def _is_truth(value: Value) -> bool:
    return value.is_truth if isinstance(value, Node) else isinstance(value, bool)


def _range(value: Content) -> Range:
    return (0, 0) if isinstance(value, Cells) else range_of(value)


def _place(index: Value, known: Range) -> _Place:
    return (index, known) if isinstance(index, Node) else index
