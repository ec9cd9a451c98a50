"""How programs go through arrays: from arguments that stay what they are, by steps of fixed lengths.

Memory is read at base + 4 · i, rows and columns at base + 4 · n · i + 4 · j, and backwards at n - 1 - i. A stride is
what such indices have in common; its places count the steps. Places of two strides are the same if one clause uses
both with the same counters: so a[i] and b[n - 1 - i] are at one place, and m[i][j] and t[j][i] at one pair of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import count, pairwise
from math import gcd

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import cells, monomials, terms, walk
from sorrel.logic.cells import Index
from sorrel.logic.monomials import Monomial
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_STRIDES = 6
"""Of one array. Those that few clauses use are left out, which is allowed."""

Position = tuple[str, int]
"""A predicate, by name, and the index of an argument."""
Product = tuple[Position, ...]
"""Of arguments that stay what they are, each by one position for all."""
Base = tuple[tuple[Product, int], ...]
"""A sum of such products, each with a number."""
Counters = dict[tuple[Product, int], tuple[int, ...]]
"""What is counted by the steps of an index, as a key: for each kind of step, the moving factor of its monomials."""


@dataclass(slots=True)
class Flow:
    """Which arguments are the same all the time: `stays` has one position for all those that are one value."""

    _same: dict[Position, Position] = field(default_factory=dict)
    _moved: set[Position] = field(default_factory=set)
    _members: dict[Position, list[Position]] = field(default_factory=dict)

    @staticmethod
    def of(system: HornSystem) -> Flow:
        flow = Flow()
        component = {name: number for number, names in enumerate(system.call_graph.components) for name in names}
        for clause in system.clauses:
            again = component[clause.head.predicate.name] if clause.head else None
            flow._follow(clause, any(component[atom.predicate.name] == again for atom in clause.body))
        for position in list(flow._same):
            flow._members.setdefault(flow.one(position), []).append(position)
        for one, members in flow._members.items():
            if flow._moved.intersection(members) or len({name for name, _ in members}) < len(members):
                flow._moved.add(one)
        return flow

    def one(self, position: Position) -> Position:
        self._same.setdefault(position, position)
        while self._same[position] != position:
            position = self._same[position]
        return position

    def stays(self, position: Position) -> Position | None:
        """One position for all at which the same value is passed; None where it changes on the way."""
        one = self.one(position)
        return None if one in self._moved else one

    def formal(self, predicate: Predicate, one: Position) -> Term | None:
        """The argument of a predicate that has the value of this position."""
        found = [index for name, index in self._members.get(one, [one]) if name == predicate.name]
        return predicate.formals[found[0]] if found else None

    def _follow(self, clause: Clause, repeated: bool) -> None:
        """Where a clause is part of a loop, arguments that are not passed on are moved."""
        passed = positions(clause.body)
        for name, index, argument in _arguments(clause.body):
            if terms.is_variable(argument):
                self._join((name, index), passed[terms.identity(argument)])
        for name, index, argument in _arguments([clause.head] if clause.head else []):
            sources = [v for v in _kept(argument) if terms.identity(v) in passed]
            for variable in sources:
                self._join((name, index), passed[terms.identity(variable)])
            if repeated and not sources:
                self._moved.add(self.one((name, index)))

    def _join(self, one: Position, other: Position) -> None:
        first, second = self.one(one), self.one(other)
        self._same[first] = second
        if first in self._moved:
            self._moved.add(second)


def positions(atoms: Iterable[Atom]) -> dict[int, Position]:
    """Where each variable is an argument."""
    found: dict[int, Position] = {}
    for name, index, argument in _arguments(atoms):
        if terms.is_variable(argument):
            found.setdefault(terms.identity(argument), (name, index))
    return found


def _arguments(atoms: Iterable[Atom]) -> Iterator[tuple[str, int, Term]]:
    return ((a.predicate.name, index, argument) for a in atoms for index, argument in enumerate(a.arguments))


def _kept(argument: Term) -> list[Term]:
    """The variables that an argument is made of: an array that was written is the same array still."""
    if terms.is_array(argument):
        return [v for v, _ in _roots(argument)]
    return [argument] if terms.is_variable(argument) else []


def _roots(array: Term) -> list[tuple[Term, Index]]:
    """The variables that an array is made of by writes and choices, and at which of their rows it stands."""
    found: dict[tuple[int, ...], tuple[Term, Index]] = {}
    stack: list[tuple[Term, Index]] = [(array, ())]
    while stack:
        term, row = stack.pop()
        key = (terms.identity(term), *map(terms.identity, row))
        if key in found:
            continue
        found[key] = (term, row)
        children = terms.children(term)
        if terms.is_select(term):
            stack.append((children[0], (children[1], *row)))
        elif cells.is_write(term):
            stack.append((children[0], row))
        else:
            stack.extend((child, row) for child in children if terms.is_array(child))
    return [(term, row) for term, row in found.values() if terms.is_variable(term)]


def accesses(clause: Clause) -> Iterator[tuple[Term, Index]]:
    """The variables whose elements are read and written, and where."""
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    seen: set[int] = set()
    for term in (clause.constraint, *(a for atom in atoms for a in atom.arguments)):
        for part in walk.subterms(term):
            if terms.identity(part) in seen or not (terms.is_select(part) or cells.is_write(part)):
                continue
            seen.add(terms.identity(part))
            children = terms.children(part)
            if not terms.is_array(children[2] if cells.is_write(part) else part):
                yield from ((root, (*row, children[1])) for root, row in _roots(children[0]))


@dataclass(frozen=True, slots=True)
class Met:
    """One dimension of an index in a clause: what stays of it, and what is counted."""

    base: Base
    counted: tuple[tuple[Product, Monomial], ...]
    constant: int

    @staticmethod
    def of(index: Term, known: Mapping[int, Position], flow: Flow) -> Met:
        base: dict[Product, int] = {}
        counted = []
        if not terms.is_integer(index):
            return Met((), (((), Monomial(1, (index,))),), 0)
        whole = monomials.polynomial(index)
        for part in whole.values():
            staying = [flow.stays(known[i]) if i in known else None for i in map(terms.identity, part.factors)]
            product = tuple(sorted(one for one in staying if one is not None))
            moving = tuple(f for f, one in zip(part.factors, staying, strict=True) if one is None)
            if moving:
                counted.append((product, Monomial(part.number, moving)))
            elif product:
                base[product] = base.get(product, 0) + part.number
        return Met(tuple(sorted(base.items())), tuple(counted), whole[()].number if () in whole else 0)


@dataclass(frozen=True, slots=True)
class Stride:
    """One dimension of indices: base + constant + Σ number · product · place, with a place for each step."""

    base: Base
    constant: int
    steps: tuple[tuple[Product, int], ...]

    @property
    def is_plain(self) -> bool:
        return not self.base and not self.constant and self.steps == (((), 1),)

    @staticmethod
    def of(met: list[Met]) -> Stride:
        """What indices with one base have in common."""
        steps = [
            (product, number)
            for product in dict.fromkeys(p for each in met for p, _ in each.counted)
            for number in _numbers(product, met)
        ]
        spread = gcd(*(each.constant - met[0].constant for each in met))
        if spread and not any(spread % number == 0 for product, number in steps if not product):
            least = [number for product, number in steps if not product]
            steps = [step for step in steps if step[0]] + [((), gcd(spread, *least))]
        if len(steps) == 1 and steps[0] == ((), 1) and not met[0].base:
            return Stride((), 0, (((), 1),))
        return Stride(met[0].base, met[0].constant, tuple(steps))

    def counters(self, met: Met) -> dict[int, tuple[object, ...]]:
        """What the steps count in an index of this stride, as far as it is a multiple of each."""
        found: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        for product, part in met.counted:
            for number, step in enumerate(self.steps):
                if step[0] == product and part.number % step[1] == 0:
                    found.setdefault(number, []).append((part.key, part.number // step[1]))
                    break
        return {number: tuple(sorted(parts)) for number, parts in found.items()}


def _numbers(product: Product, met: list[Met]) -> list[int]:
    """The lengths of steps: several, large ones first, if one index has several that divide each other."""
    signed = [[part.number for p, part in each.counted if p == product] for each in met]
    common = gcd(*(number for numbers in signed for number in numbers))
    lengths = [sorted(set(map(abs, numbers)), reverse=True) for numbers in signed]
    several = max(lengths, key=lambda found: len(found))
    if len(several) > 1 and several[-1] == common and all(a % b == 0 for a, b in pairwise(several)):
        return several
    backwards = met[0].base and next(number for numbers in signed for number in numbers) < 0
    return [-common if backwards else common]


@dataclass(frozen=True, slots=True)
class Lane:
    """A stride for each dimension of an array, and a number for the place of each step, in their order."""

    strides: tuple[Stride, ...]
    numbers: tuple[tuple[int, ...], ...]


Use = tuple[str, tuple[Met, ...]]
"""A clause, by name, and an index in it."""
Slot = tuple[int, int]
"""A dimension, and a step of its stride."""


def lanes(clauses: Iterable[Clause], flow: Flow) -> dict[Position, list[Lane]]:
    """How each array is gone through, by one position for all that are the same array; the most used first."""
    met: dict[tuple[Position, tuple[Base, ...]], list[Use]] = {}
    for clause in clauses:
        known = positions(clause.body) or positions([clause.head] if clause.head else [])
        for array, index in accesses(clause):
            if terms.identity(array) in known:
                found = tuple(Met.of(each, known, flow) for each in index)
                key = (flow.one(known[terms.identity(array)]), tuple(each.base for each in found))
                met.setdefault(key, []).append((clause.name, found))
    chosen: dict[Position, list[Lane]] = {}
    before: list[tuple[Lane, list[Use]]] = []
    groups = [(position, uses) for (position, _), group in met.items() for uses in _by_residue(group)]
    for position, uses in sorted(groups, key=lambda group: -len(group[1])):
        if len(chosen.setdefault(position, [])) < MOST_STRIDES:
            strides = tuple(Stride.of([index[d] for _, index in uses]) for d in range(len(uses[0][1])))
            lane = Lane(strides, _numbered(strides, uses, before))
            before.append((lane, uses))
            chosen[position].append(lane)
    return chosen


def _by_residue(uses: list[Use]) -> list[list[Use]]:
    """Fields of records apart: indices that differ by less than the steps of all of them."""
    steps = [
        gcd(*(part.number for _, index in uses for product, part in index[d].counted if not product))
        for d in range(len(uses[0][1]))
    ]
    found: dict[tuple[int, ...], list[Use]] = {}
    for use in uses:
        residues = (met.constant % step if step > 1 else 0 for met, step in zip(use[1], steps, strict=True))
        found.setdefault(tuple(residues), []).append(use)
    return list(found.values())


def _numbered(
    strides: tuple[Stride, ...], uses: list[Use], before: Iterable[tuple[Lane, list[Use]]]
) -> tuple[tuple[int, ...], ...]:
    """A number for the place of each step: that of a step before that counts the same, else the least that is left."""
    wanted: dict[Slot, Counter[int]] = {}
    for lane, others in before:
        for name, index in uses:
            mine = _counted(strides, index)
            for other in (found for clause, found in others if clause == name):
                for (dimension, step), counter in _counted(lane.strides, other).items():
                    for slot in (slot for slot, own in mine.items() if own == counter):
                        wanted.setdefault(slot, Counter())[lane.numbers[dimension][step]] += 1
    numbers: dict[Slot, int] = {}
    slots = [(d, step) for d, stride in enumerate(strides) for step in range(len(stride.steps))]
    for slot, votes in wanted.items():
        free = [number for number, _ in votes.most_common() if number not in numbers.values()]
        if free:
            numbers[slot] = free[0]
    for slot in slots:
        if slot not in numbers:
            numbers[slot] = next(n for n in count() if n not in numbers.values())
    return tuple(tuple(numbers[d, step] for step in range(len(s.steps))) for d, s in enumerate(strides))


def _counted(strides: tuple[Stride, ...], index: tuple[Met, ...]) -> dict[Slot, tuple[object, ...]]:
    return {
        (dimension, step): counter
        for dimension, (stride, met) in enumerate(zip(strides, index, strict=True))
        for step, counter in stride.counters(met).items()
    }
