"""All functions of a program as one (section II.C): a tag says which, its values follow, the rest is zero."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.engines.cdnf.learner import Point
from sorrel.finite.function import FiniteFunction, FiniteProgram
from sorrel.logic.compiled import Values
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A call with what it is said to return."""

    function: str
    arguments: Values
    results: Values

    @property
    def values(self) -> Values:
        return (*self.arguments, *self.results)


class Layout:
    """Bits of the learner's variables, lowest first: the tag, then parameters, then results."""

    def __init__(self, program: FiniteProgram) -> None:
        self._functions = program.functions
        self._number = {function.name: i for i, function in enumerate(program.functions)}
        self._tag = max(0, (len(program.functions) - 1).bit_length())
        self._inputs = max(_bits(f, True) for f in program.functions)
        self._outputs = max(_bits(f, False) for f in program.functions)
        self.size = self._tag + self._inputs + self._outputs
        self._words = {f.name: self._places(f) for f in program.functions}

    def _places(self, function: FiniteFunction) -> list[tuple[int, int]]:
        places = []
        at = self._tag
        for number, width in enumerate(function.widths):
            if number == len(function.parameters):
                at = self._tag + self._inputs
            places.append((at, width))
            at += width
        return places

    def words(self, function: str) -> Sequence[tuple[int, int]]:
        """Lowest bit and number of bits of each parameter and result."""
        return self._words[function]

    def tag(self, function: str) -> int:
        return self._number[function]

    def point(self, behaviour: Behaviour) -> Point:
        found = self._number[behaviour.function]
        for (at, _), value in zip(self._words[behaviour.function], behaviour.values, strict=True):
            found |= value << at
        return found

    def behaviour(self, point: Point) -> Behaviour | None:
        """None if the tag names no function, or a bit that the function does not use is set."""
        number = point & ((1 << self._tag) - 1)
        if number >= len(self._functions):
            return None
        function = self._functions[number]
        values = tuple(point >> at & ((1 << width) - 1) for at, width in self._words[function.name])
        count = len(function.parameters)
        found = Behaviour(function.name, values[:count], values[count:])
        return found if self.point(found) == point else None


def _bits(function: FiniteFunction, of_inputs: bool) -> int:
    count = len(function.parameters)
    return sum(function.widths[:count] if of_inputs else function.widths[count:])
