"""What the clauses compare and read, and what they call the numbers of predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.linear import linear
from sorrel.logic.terms import Term

Names = tuple[str, Mapping[str, str]]
"""A predicate, and what variables of a clause are called among its formals."""
Part = tuple[str, ...]
"""A number of a clause: a variable, or array and index of an element; the index may be a number."""
Sum = tuple[tuple[Part, int], ...]
"""Such numbers with their factors."""


class Comparison(NamedTuple):
    left: Term
    right: Term
    is_equation: bool


class Survey:
    """The clauses of a system, each looked through once."""

    def __init__(self, system: HornSystem) -> None:
        self.system = system
        self._looked = {clause.name: _looked_through(clause) for clause in system.clauses}

    def comparisons(self, clause: Clause) -> Sequence[Comparison]:
        return self._looked[clause.name][0]

    def read(self, clause: Clause) -> Sequence[Part]:
        """Elements that are integers, read at a variable or at a number."""
        return self._looked[clause.name][1]

    def known(self, clause: Clause) -> list[Names]:
        """What variables of the clause may be called: at its atoms, and everywhere the same if nothing else."""
        return [*self._own, *names_at(clause)]

    @cached_property
    def _own(self) -> list[Names]:
        formals = ((p.name, map(terms.name, p.formals)) for p in self.system.predicates)
        return [(predicate, {name: name for name in names}) for predicate, names in formals]

    def elements_read(self) -> dict[str, dict[str, None]]:
        """For each predicate what elements are called that clauses read at an argument, or at a number."""
        found: dict[str, dict[str, None]] = {p.name: {} for p in self.system.predicates}
        for clause in self.system.clauses:
            known = self.known(clause)
            for part in self.read(clause):
                for predicate, names in known:
                    if (name := label(part, names)) is not None:
                        found[predicate].setdefault(name)
        return found


def _looked_through(clause: Clause) -> tuple[list[Comparison], list[Part]]:
    compared: dict[int, Comparison] = {}
    read: dict[Part, None] = {}
    for formula in formulas(clause):
        for term in walk.subterms(formula):
            if terms.is_select(term):
                part = part_of(term)
                if part is not None and terms.is_integer(term):
                    read.setdefault(part)
            elif terms.is_comparison(term) or terms.is_equation(term):
                left, right = terms.children(term)
                compared.setdefault(terms.identity(term), Comparison(left, right, terms.is_equation(term)))
    return list(compared.values()), list(read)


def names_at(clause: Clause) -> Iterator[Names]:
    """At the atoms of a clause."""
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        pairs = [(argument, formal) for formal, argument in atom.bind() if terms.is_variable(argument)]
        yield atom.predicate.name, {terms.name(argument): terms.name(formal) for argument, formal in pairs}


def formulas(clause: Clause) -> Iterator[Term]:
    """The constraint and all arguments of a clause."""
    yield clause.constraint
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        yield from atom.arguments


# Numbers: arguments, and elements of arguments at others, such as the length of the object that a pointer points to


def sum_of(total: Term, most: int) -> Sum | None:
    """Two or more numbers of a clause with their factors; None if it has too many, or others."""
    parts = linear(total).terms.values()
    if not 2 <= len(parts) <= most:
        return None
    found = [(part_of(part), factor) for part, factor in parts]
    known = tuple((part, factor) for part, factor in found if part is not None)
    return known if len(known) == len(found) else None


def part_of(term: Term) -> Part | None:
    if terms.is_variable(term):
        return (terms.name(term),)
    if not terms.is_select(term):
        return None
    array, index = terms.children(term)
    if not terms.is_variable(array):
        return None
    if terms.is_variable(index):
        return terms.name(array), terms.name(index)
    number = terms.as_number(index) if terms.is_value(index) else None
    return None if number is None or number < 0 else (terms.name(array), str(number))


def label(part: Part, names: Mapping[str, str]) -> str | None:
    """What a number of a clause is called among those of a predicate; None if it is none of them."""
    first = names.get(part[0])
    if first is None or len(part) == 1:
        return first
    index = part[1] if part[1].isdigit() else names.get(part[1])
    return None if index is None else f"{first}{_OPENING}{index}]"


_OPENING = "["


def parted(name: str) -> tuple[str, str]:
    """Array and index of an element that is called so; the index is a name or a number."""
    array, _, index = name.rpartition(_OPENING)
    return array, index[:-1]


def numbers(predicate: Predicate, read: Iterable[str], most: int) -> dict[str, Term]:
    """The integers of a predicate by name, and so many elements at most."""
    formals = {terms.name(formal): formal for formal in predicate.formals}
    found = {name: formal for name, formal in formals.items() if terms.is_integer(formal)}
    for name in list(read)[:most]:
        array, index = parted(name)
        found[name] = terms.select(formals[array], formals[index] if index in formals else terms.integer(int(index)))
    return found
