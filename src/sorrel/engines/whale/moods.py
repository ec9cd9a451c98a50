"""What a walk is told from outside: by chance, but for a while much the same.

Timers run out only if nothing else happens, and what a program was set to matters later: so values and cases have
favourites, which are kept for as long as a mood lasts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

from sorrel.engines.whale.ordering import Choose
from sorrel.engines.whale.stepping import State, Step, Told
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

STUBBORN = (0.0, 0.5, 0.8, 0.9, 0.97, 0.995)
"""How often a favourite is taken, in one mood or another."""
CHANGES = (0.001, 0.005, 0.02)
"""How often a mood changes at a step, in one walk or another."""
NEARBY, BETWEEN = 0.15, 0.15
"""How often a value is near one of the state, and how often anything between the constants."""
LARGEST_CONSTANT = 10**6

Pools: TypeAlias = Mapping[int, Sequence[int]]


class Mood:
    """A source that keeps what it has told since `begin`."""

    def __init__(self, chance: Random, every: Sequence[Step]) -> None:
        self._chance = chance
        self._pools = {id(step): _pools(step) for step in every}
        self._pool: Pools = {}
        self._key = 0
        self._state: State = ()
        self._told: list[int | Sequence[int]] = []
        self._stubborn, self._changes = 0.0, 0.0
        self._values: dict[tuple[int, int], int] = {}
        self._cases: dict[int, Sequence[int]] = {}

    def age(self) -> None:
        """A step later it may have changed."""
        if self._chance.random() < self._changes:
            self.change()

    def change(self) -> None:
        self._stubborn = self._chance.choice(STUBBORN)
        self._changes = self._chance.choice(CHANGES)
        self._values.clear()
        self._cases.clear()

    def begin(self, step: Step, state: State) -> None:
        self._key, self._pool, self._state = id(step), self._pools[id(step)], state
        self._told = []

    @property
    def told(self) -> Told:
        return tuple(self._told)

    def value(self, place: int) -> int:
        key = (self._key, place)
        if key in self._values and self._chance.random() < self._stubborn:
            found = self._values[key]
        else:
            found = self._picked(self._pool[place])
            self._values.setdefault(key, found)
        self._told.append(found)
        return found

    def order(self, choice: Choose) -> Sequence[int]:
        favourite = self._cases.get(id(choice))
        if favourite is None or self._chance.random() >= self._stubborn:
            found = list(range(len(choice.cases)))
            self._chance.shuffle(found)
            favourite = self._cases.setdefault(id(choice), found)
        else:
            found = list(favourite)
        self._told.append(found)
        return found

    def _picked(self, pool: Sequence[int]) -> int:
        kind = self._chance.random()
        if len(pool) > 2:
            if kind < NEARBY and self._state:
                return self._chance.choice(self._state) + self._chance.randrange(-1, 2)
            if kind < NEARBY + BETWEEN:
                return self._chance.randrange(pool[0], pool[-1] + 1)
        return self._chance.choice(pool)


def _pools(step: Step) -> Pools:
    """For each variable the constants that it is compared with, by whatever name, and their neighbours."""
    variables = step.variables
    place = {terms.identity(variable): number for number, variable in enumerate(variables)}
    alike = list(range(len(variables)))

    def root(number: int) -> int:
        while alike[number] != number:
            alike[number] = alike[alike[number]]
            number = alike[number]
        return number

    mentioned: list[tuple[list[int], list[int]]] = []
    for atom in _atoms(step.constraint):
        places = [place[terms.identity(variable)] for variable in walk.free_variables(atom)]
        if terms.is_equation(atom) and all(map(terms.is_variable, terms.children(atom))):
            alike[root(places[0])] = root(places[-1])
        mentioned.append((places, [n for n in walk.numerals(atom) if abs(n) <= LARGEST_CONSTANT]))
    constants: dict[int, set[int]] = {}
    for places, numbers in mentioned:
        for number in places:
            constants.setdefault(root(number), set()).update(numbers)
    found: dict[int, Sequence[int]] = {}
    for number, variable in enumerate(variables):
        known = constants.get(root(number), set()) | {0, 1}
        near = sorted({other for one in known for other in (one - 1, one, one + 1)})
        found[number] = (0, 1) if terms.is_boolean(variable) else near
    return found


def _atoms(formula: Term) -> list[Term]:
    """The parts of a formula that are no combinations of formulas."""
    found: list[Term] = []
    seen: set[int] = set()
    stack = [formula]
    while stack:
        part = stack.pop()
        if terms.identity(part) in seen:
            continue
        seen.add(terms.identity(part))
        below = terms.children(part)
        if below and all(map(terms.is_boolean, below)):
            stack.extend(below)
        else:
            found.append(part)
    return found
