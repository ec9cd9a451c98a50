"""The predicate table: for each query symbol, the constraints that abstraction may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_RESIDUES = 60
"""For one query symbol; with more, abstraction costs more than residues are worth."""


MOST_VALUES = 64
"""Of one tracked argument; an argument with more is no state of anything."""

Number: TypeAlias = int | bool | Fraction | None


class Predicates:
    """Preds: a growing list for each query symbol. A set of them is a number: bit i stands for the i-th one.

    Arguments may be tracked: then v = c becomes a predicate for every value c that abstraction meets.
    """

    def __init__(self, system: HornSystem) -> None:
        self._formals = {p.name: p.formals for p in system.predicates}
        self._lists: dict[str, list[Term]] = {p.name: [] for p in system.predicates}
        self._known: dict[str, dict[int, int]] = {p.name: {} for p in system.predicates}
        self._supports: dict[str, list[int]] = {p.name: [] for p in system.predicates}
        self._tracked: dict[str, dict[int, Values]] = {p.name: {} for p in system.predicates}

    def of(self, name: str) -> list[Term]:
        return self._lists[name]

    def add(self, name: str, formula: Term) -> bool:
        """Was it new? `formula` speaks of the formals of the query symbol."""
        size = len(self._lists[name])
        index = self._index(name, formula)
        return index is not None and index == size

    def _index(self, name: str, formula: Term) -> int | None:
        """The bit of a predicate, which is added if it is new; None if it is trivial."""
        normal = terms.simplify(formula)
        if terms.is_true(normal) or terms.is_false(normal):
            return None
        known = self._known[name]
        if normal.get_id() not in known:
            known[normal.get_id()] = len(self._lists[name])
            self._lists[name].append(normal)  # held here, so its id stays its own
            self._supports[name].append(_set_of(self.positions(name, normal)))
        return known[normal.get_id()]

    def positions(self, name: str, formula: Term) -> list[int]:
        """The arguments of the query symbol that a formula speaks of."""
        mentioned = {variable.get_id() for variable in walk.free_variables(formula)}
        return [index for index, formal in enumerate(self._formals[name]) if formal.get_id() in mentioned]

    def supports(self, name: str) -> Sequence[int]:
        """For each predicate the set of positions that it speaks of."""
        return self._supports[name]

    # Values of tracked arguments

    def track(self, name: str, position: int) -> bool:
        """Keep the values of an argument from now on; was that new?"""
        if position in self._tracked[name]:
            return False
        self._tracked[name][position] = Values()
        return True

    def tracked(self, name: str) -> Mapping[int, Values]:
        """The tracked positions, each with the predicates that give it a value."""
        return self._tracked[name]

    def value(self, name: str, position: int, value: Term) -> int | None:
        """The predicate that the argument has this value; None if there are too many values to tell them apart."""
        values = self._tracked[name][position]
        number = terms.as_number(value)
        if number in values.by_number:
            return values.by_number[number]
        if len(values.by_number) >= MOST_VALUES or number is None:
            return None
        index = self._index(name, terms.equal(self._formals[name][position], value))
        if index is not None:
            values.by_number[number] = index
            values.by_bit[index] = value
            values.bits |= 1 << index
        return index

    def values_in(self, name: str, chosen: int) -> int:
        """Those of a set of predicates that give values to tracked arguments."""
        return sum(chosen & values.bits for values in self._tracked[name].values())

    def values_of(self, name: str, chosen: int) -> tuple[tuple[int, Term], ...]:
        """The tracked positions whose values a set of predicates gives, and the values."""
        found = ((position, values.among(chosen)) for position, values in self._tracked[name].items())
        return tuple((position, value) for position, value in found if value is not None)

    def conjunction(self, name: str, chosen: int) -> Term:
        return terms.conjunction(p for index, p in enumerate(self._lists[name]) if chosen >> index & 1)

    def count(self) -> int:
        return sum(map(len, self._lists.values()))


@dataclass(slots=True)
class Values:
    """The values that were met at a tracked position, and the bits of their predicates."""

    by_number: dict[Number, int] = field(default_factory=dict)
    by_bit: dict[int, Term] = field(default_factory=dict)
    bits: int = 0

    def among(self, chosen: int) -> Term | None:
        """The value that a set of predicates gives to the argument."""
        here = chosen & self.bits
        return self.by_bit[here.bit_length() - 1] if here else None


def _set_of(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)


def refinement_predicates(solution: Term, with_atoms: bool) -> Iterator[Term]:
    """ADDPREDS: what a solution of a node gives to its query symbol.

    Every conjunct as it stands, so that the abstraction implies the solution and the derivation is not seen
    again. The atoms of disjunctions in both polarities: an atom alone would lose the sign it had.
    """
    for part in terms.conjuncts(terms.simplify(solution)):
        yield part
        if with_atoms and not _is_literal(part):
            for atom in _atoms(part):
                yield atom
                yield terms.negation(atom)


def _is_literal(formula: Term) -> bool:
    atom = terms.children(formula)[0] if terms.is_not(formula) else formula
    return not any(test(atom) for test in _CONNECTIVES)


_CONNECTIVES = (terms.is_and, terms.is_or, terms.is_not, terms.is_implication, terms.is_ite)


def _atoms(formula: Term) -> Iterator[Term]:
    for subterm in walk.subterms(formula):
        if terms.is_boolean(subterm) and _is_literal(subterm) and not terms.is_not(subterm):
            yield subterm


def comparisons(predicate: Predicate, constants: Iterable[int]) -> Iterator[Term]:
    """v ⋈ c and v ⋈ w for the arithmetic arguments."""
    numbers = [formal for formal in predicate.formals if terms.is_arithmetic(formal)]
    for index, formal in enumerate(numbers):
        for constant in constants:
            yield formal <= constant
            yield formal >= constant
        for other in numbers[:index]:
            if terms.same_sort(formal, other):
                yield formal <= other
                yield formal >= other


def residues(predicate: Predicate, moduli: Iterable[int]) -> list[Term]:
    """v mod m = r for the integer arguments, and the truth values of Boolean ones; nothing if that would be much."""
    integers = [formal for formal in predicate.formals if terms.is_arithmetic(formal) and terms.is_integer(formal)]
    flags = [formal for formal in predicate.formals if terms.is_boolean(formal)]
    found = [formal % modulus == r for formal in integers for modulus in moduli for r in range(modulus)]
    found += [literal for flag in flags for literal in (flag, terms.negation(flag))]
    return found if len(found) <= MOST_RESIDUES else []
