"""Runs with values that often make trouble, before anything is proved."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle

from sorrel.functional.execution import Execution, Finished, Kind, Violated
from sorrel.functional.interpreter import execute
from sorrel.functional.program import Program
from sorrel.functional.term import Constant, Input, subterms
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
    parts,
)
from sorrel.functional.type import shown as type_text
from sorrel.functional.value import LARGEST, SMALLEST, Block, Cell, Chooser, Made, Unknown, Value
from sorrel.model.errors import NOWHERE, Unsupported
from sorrel.model.work import METER

FIRST_STEPS, MOST_STEPS, EXTREME_STEPS = 20_000, 2_000_000, 1_000
_EXTREME = (LARGEST, SMALLEST, LARGEST - 1, SMALLEST + 1, LARGEST // 2 + 1, SMALLEST // 2 - 1)
MOST_RUNS, MOST_CONSTANTS, DEPTH = 400, 40, 4


def find_violation(program: Program, forbidden: frozenset[Kind], seconds: float, seed: int = 0) -> Execution | None:
    """A run into something forbidden, recorded; None if none was found in time."""
    deadline = METER.now() + seconds
    for choose in choosers(program, seed):
        tried = execute(program, choose, forbidden, steps=FIRST_STEPS)
        if isinstance(tried.end, Violated):
            return repeated(program, [used.value for used in tried.used], forbidden)
        if not tried.used:
            # Nothing is chosen: there is one run only.
            return closed_violation(program, forbidden) if not isinstance(tried.end, Finished) else None
        if METER.now() > deadline:
            return None
    return None


def repeated_near(
    program: Program, forbidden: frozenset[Kind], numbers: Sequence[int], seconds: float, seed: int
) -> Execution | None:
    """As `find_violation`, with numbers that someone suggests; first all of them in order, as often as it takes."""
    deadline = METER.now() + seconds
    for choose in (*_in_order(program, numbers), *choosers(program, seed, numbers)):
        tried = execute(program, choose, forbidden, steps=FIRST_STEPS)
        if isinstance(tried.end, Violated):
            return repeated(program, [used.value for used in tried.used], forbidden)
        if METER.now() > deadline:
            return None
    return None


def _in_order(program: Program, numbers: Sequence[int]) -> Iterator[Chooser]:
    for start in range(min(len(numbers), 20)):
        yield _Listed(program.data, [*numbers[start:], *numbers[:start]])


def find_extreme_violation(program: Program, forbidden: frozenset[Kind], seed: int = 0) -> Execution | None:
    """A run with very large numbers into something forbidden, recorded; what does not fit wraps around, if it may."""
    chance, wraps = random.Random(seed), Kind.OVERFLOW not in forbidden
    same = [_Constantly(program.data, number) for number in _EXTREME]
    mixed = [_AtRandom(program.data, chance, _EXTREME, extreme=True) for _ in _EXTREME]
    for choose in (*same, *mixed):
        tried = execute(program, choose, forbidden, steps=EXTREME_STEPS, wraps=wraps)
        if isinstance(tried.end, Violated):
            values = [used.value for used in tried.used]
            return execute(program, values, forbidden, steps=EXTREME_STEPS, record=True, wraps=wraps)
        if not tried.used:
            return None
    return None


def closed_violation(program: Program, forbidden: frozenset[Kind]) -> Execution | None:
    only = execute(program, (), forbidden, steps=MOST_STEPS, record=True)
    return only if isinstance(only.end, Violated) else None


def only_run(program: Program, forbidden: frozenset[Kind]) -> Execution | None:
    """The whole behaviour of a program that asks for nothing, if it ends without trouble; None for any other."""
    if any(isinstance(term, Input) and isinstance(term.type, Arrow) for term in subterms(program.body)):
        return None  # a function from outside is not asked for anything, and may do anything
    only = execute(program, (), forbidden, steps=MOST_STEPS)
    return only if not only.used and isinstance(only.end, Finished) else None


def repeated(program: Program, values: Sequence[Value], forbidden: frozenset[Kind]) -> Execution:
    return execute(program, values, forbidden, steps=MOST_STEPS, record=True)


def choosers(program: Program, seed: int, suggested: Sequence[int] = ()) -> Iterator[Chooser]:
    """Nothing but one number for each number that the program mentions and its neighbours, then anything."""
    constants = [*dict.fromkeys(suggested), *_constants(program)][:MOST_CONSTANTS]
    near = list(dict.fromkeys(c + d for c in (0, *constants) for d in (0, 1, -1)))
    for number in near[: MOST_RUNS // 4]:
        yield _Constantly(program.data, number)
    chance = random.Random(seed)
    for round_number in range(MOST_RUNS):
        yield _AtRandom(program.data, chance, near, extreme=round_number % 5 == 4)


def _constants(program: Program) -> list[int]:
    found = (term.value for term in subterms(program.body) if isinstance(term, Constant))
    return list(dict.fromkeys(n for n in found if isinstance(n, int) and not isinstance(n, bool)))[:MOST_CONSTANTS]


class _Choosing:
    """Values of any type, made from numbers."""

    def __init__(self, data: Mapping[str, Data]) -> None:
        self._data = data
        self._heights: dict[str, int] | None = None

    def number(self) -> int:
        raise NotImplementedError

    def count(self, most: int) -> int:
        """A number from 0 up to and without `most`."""
        return self.number() % most

    def __call__(self, type: Type, below: int | None) -> Value:
        if below is not None:
            return self.count(below)
        return self.value(type, DEPTH)

    def value(self, type: Type, depth: int) -> Value:
        if type == INT or is_opaque(type):
            return max(SMALLEST, min(LARGEST, self.number()))
        if type == BOOL:
            return self.count(2) == 1
        if type == UNIT:
            return None
        if type == CHARACTER:
            return self.count(256)
        if type == STRING:
            return "".join(chr(97 + self.count(26)) for _ in range(self.count(4)))
        if isinstance(type, TupleType):
            return tuple(self.value(item, depth) for item in type.items)
        if isinstance(type, Named) and type.name == "array":
            return Block([self.value(type.arguments[0], depth - 1) for _ in range(self.count(5))])
        if isinstance(type, Named) and type.name == "ref":
            return Cell(self.value(type.arguments[0], depth))
        if isinstance(type, Named) and type.name in self._data:
            return self._made(self._data[type.name], type, depth)
        if isinstance(type, Arrow):
            return Unknown(type, "function")
        raise Unsupported(f"values of type {type_text(type)} from outside", NOWHERE)

    def _made(self, data: Data, type: Named, depth: int) -> Value:
        cases = data.constructors if depth > 0 else self._smallest(data)
        chosen = cases[self.count(len(cases))]
        types = data.instance(chosen, type.arguments)
        return Made(chosen.name, tuple(self.value(each, depth - 1) for each in types))

    def _smallest(self, data: Data) -> Sequence[Constructor]:
        """The constructors that lead to the end at once."""
        if self._heights is None:
            self._heights = _heights(self._data)
        known = [(self._heights[each.name], each) for each in data.constructors if each.name in self._heights]
        if not known:
            raise Unsupported(f"type {data.name.split('.')[0]}, which has no values", NOWHERE)
        least = min(height for height, _ in known)
        return [each for height, each in known if height == least]


def _heights(data: Mapping[str, Data]) -> dict[str, int]:
    """How many constructors contain each other in the smallest value of each constructor; none without a value."""
    found: dict[str, int] = {}
    for height in range(1 + sum(len(each.constructors) for each in data.values())):
        ended = {name for name, each in data.items() if any(one.name in found for one in each.constructors)}
        for constructor in (one for each in data.values() for one in each.constructors):
            inside = {name for argument in constructor.arguments for name in _needed(argument)}
            if constructor.name not in found and all(name in ended or name not in data for name in inside):
                found[constructor.name] = height
    return found


def _needed(type: Type) -> Iterator[str]:
    """The named types without a value of which there is none of this one."""
    if isinstance(type, Named) and type.name != "array":
        yield type.name
    if isinstance(type, TupleType) or (isinstance(type, Named) and type.name == "ref"):
        for part in parts(type):
            yield from _needed(part)


class _Constantly(_Choosing):
    def __init__(self, data: Mapping[str, Data], number: int) -> None:
        super().__init__(data)
        self._number = number

    def number(self) -> int:
        return self._number


class _Listed(_Choosing):
    """Numbers of a list, from its start again when it ends."""

    def __init__(self, data: Mapping[str, Data], numbers: Sequence[int]) -> None:
        super().__init__(data)
        self._numbers = cycle(numbers)

    def number(self) -> int:
        return next(self._numbers)


class _AtRandom(_Choosing):
    def __init__(self, data: Mapping[str, Data], chance: random.Random, near: Sequence[int], *, extreme: bool) -> None:
        super().__init__(data)
        self._chance = chance
        self._near = near
        self._extreme = extreme

    def number(self) -> int:
        chance = self._chance
        if self._extreme and chance.random() < 0.3:
            return chance.choice((LARGEST, LARGEST - 1, SMALLEST, SMALLEST + 1))
        if chance.random() < 0.6:
            return chance.choice(self._near)
        return chance.randint(-20, 20) if chance.random() < 0.7 else chance.randint(0, 1000)

    def count(self, most: int) -> int:
        return self._chance.randrange(most)
