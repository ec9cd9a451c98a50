"""Values that variables have in a run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NoReturn, TypeAlias, cast

from sorrel.program.rounding import rounded
from sorrel.program.types import Array, Boolean, Float, Machine, Real, Type, Unbounded


class ArrayValue:
    """A total map from integers: `default` almost everywhere. To the outside it never changes.

    Versions of one array share a dictionary, which belongs to the version used last; the others know in which one
    element they differ from a neighbour (Baker, Shallow binding makes functional arrays fast, 1991). A loop that fills
    an array therefore takes linear time.
    """

    __slots__ = ("_entries", "_index", "_neighbour", "_value", "default")

    def __init__(self, default: Value, entries: Mapping[int, Value] | None = None) -> None:
        self.default = default
        different = {index: value for index, value in (entries or {}).items() if not _same(value, default)}
        self._entries: dict[int, Value] | None = different
        self._neighbour: ArrayValue | None = None
        self._index = 0
        self._value = default

    def __getitem__(self, index: int) -> Value:
        return self._own().get(index, self.default)

    def store(self, index: int, value: Value) -> ArrayValue:
        newer = ArrayValue(self.default)
        entries = self._own()
        self._hand_over(newer, entries, index, value)
        return newer

    @property
    def entries(self) -> dict[int, Value]:
        """The elements that differ from the default, by index."""
        return dict(sorted(self._own().items()))

    def _own(self) -> dict[int, Value]:
        """The shared dictionary, brought to the state of this version."""
        if self._entries is not None:
            return self._entries
        path = [self]
        while path[-1]._entries is None:
            path.append(cast(ArrayValue, path[-1]._neighbour))
        owner = path.pop()
        entries = cast("dict[int, Value]", owner._entries)
        for version in reversed(path):
            owner._hand_over(version, entries, version._index, version._value)
            owner = version
        return entries

    def _hand_over(self, version: ArrayValue, entries: dict[int, Value], index: int, value: Value) -> None:
        """Give the dictionary to `version`, which differs from this one in having `value` at `index`."""
        self._index, self._value = index, entries.get(index, self.default)
        self._neighbour, self._entries = version, None
        if _same(value, self.default):
            entries.pop(index, None)
        else:
            entries[index] = value
        version._entries, version._neighbour = entries, None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArrayValue):
            return NotImplemented
        if isinstance(self.default, float):
            return self is other or self._told() == other._told()
        return self is other or (self.default == other.default and self.entries == other.entries)

    def _told(self) -> tuple[object, dict[int, object]]:
        return exactly(self.default), {index: exactly(value) for index, value in self._own().items()}

    def __hash__(self) -> int:
        default, entries = self._told()
        return hash((default, frozenset(entries.items())))

    def __repr__(self) -> str:
        return f"ArrayValue({self.default!r}, {self.entries!r})"

    def __str__(self) -> str:
        elements = [f"{index}: {value}" for index, value in self.entries.items()]
        return "[" + ", ".join([*elements, f"else {self.default}"]) + "]"


class IndeterminateRead(Exception):
    """A value was needed that nobody chose."""


class Indeterminate:
    """A value that nobody chose: it can be copied, and whoever looks at it raises IndeterminateRead.

    A run that ends without that would have been the same whatever the values were.
    """

    __slots__ = ()

    def _needed(self, *_: object) -> NoReturn:
        raise IndeterminateRead

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __hash__ = __int__ = __index__ = _needed
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = __neg__ = __abs__ = _needed
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __invert__ = __getitem__ = _needed
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = _needed
    __rshift__ = __rrshift__ = __pos__ = __float__ = _needed

    def __repr__(self) -> str:
        return "INDETERMINATE"


INDETERMINATE = cast("Value", Indeterminate())


def _same(one: Value, other: Value) -> bool:
    """Whether they are known to be equal; one that nobody chose is equal to itself only."""
    if one is INDETERMINATE or other is INDETERMINATE:
        return one is other
    if isinstance(one, float) and isinstance(other, float):
        return same_number(one, other)
    return one == other


def exactly(value: Value) -> object:
    """What is equal for two values only if nothing tells them apart; arrays are so by themselves."""
    return value.hex() if isinstance(value, float) else value


def same_number(one: float, other: float) -> bool:
    """Whether no operation tells them apart: unlike `==`, NaN is NaN, and zeros have signs."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)


def indeterminate(type: Type) -> Value:
    """A value of the type that nobody chose; of an array, each element."""
    if isinstance(type, Array):
        return ArrayValue(indeterminate(type.element))
    return INDETERMINATE


Value: TypeAlias = int | bool | Fraction | float | ArrayValue


def zero(type: Type) -> Value:
    """False, 0, or the array that is so everywhere."""
    match type:
        case Boolean():
            return False
        case Machine() | Unbounded():
            return 0
        case Real():
            return Fraction(0)
        case Float():
            return 0.0
        case Array(element):
            return ArrayValue(zero(element))


def fits(value: Value, type: Type) -> bool:
    """Whether the value is one of the type."""
    match type:
        case Boolean():
            return isinstance(value, bool)
        case Machine():
            return isinstance(value, int) and not isinstance(value, bool) and type.contains(value)
        case Unbounded():
            return isinstance(value, int) and not isinstance(value, bool)
        case Real():
            return isinstance(value, Fraction)
        case Float():
            return isinstance(value, float) and same_number(rounded(value, type), value)
        case Array(element):
            if not isinstance(value, ArrayValue):
                return False
            return all(fits(each, element) for each in (value.default, *value.entries.values()))
