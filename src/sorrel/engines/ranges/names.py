"""What the clauses compare and read, and what they call the numbers of predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import cells, terms, walk
from sorrel.logic.linear import linear
from sorrel.logic.terms import Term

MOST_NEAR = 2
"""Choices of an argument that are looked at for a number near by."""
OPPOSITE = "-"
"""Before the name of an argument: its opposite is meant."""

Names = tuple[str, Mapping[str, str]]
"""A predicate, and what variables of a clause are called among its formals."""
Part = tuple[str, ...]
"""A number of a clause: a variable, or array and index of an element; the index may be a number."""
Sum = tuple[tuple[Part, int], ...]
"""Such numbers with their factors."""
Summands = Mapping[int, tuple[Term, int]]
"""Terms of a sum with their factors, by identity."""


class Comparison(NamedTuple):
    left: Term
    right: Term
    is_equation: bool


class Survey:
    """The clauses of a system, each looked through once."""

    def __init__(self, system: HornSystem) -> None:
        self.system = system
        self._looked = {clause.name: _looked_through(clause) for clause in system.clauses}
        self._near: dict[str, list[Names]] = {}

    def comparisons(self, clause: Clause) -> Sequence[Comparison]:
        return self._looked[clause.name][0]

    def read(self, clause: Clause) -> Sequence[Part]:
        """Elements that are integers, read at a variable or at a number."""
        return self._looked[clause.name][1]

    def known(self, clause: Clause) -> list[Names]:
        """What variables of the clause may be called: at its atoms, and everywhere the same if nothing else."""
        return [*self.own(clause), *names_at(clause)]

    def near(self, clause: Clause) -> list[Names]:
        """The same at its atoms, the head last; what is an argument or its opposite but for a number, too."""
        if clause.name not in self._near:
            self._near[clause.name] = list(_near_at(clause))
        return self._near[clause.name]

    def own(self, clause: Clause) -> list[Names]:
        """What has the name of a variable of the clause at some predicate, and its sort."""
        sorts = {terms.name(variable): variable for variable in clause.variables}
        return [
            (p.name, {n: n for f in p.formals if (n := terms.name(f)) in sorts and terms.same_sort(sorts[n], f)})
            for p in self.system.predicates
        ]

    @cached_property
    def elements(self) -> dict[str, dict[str, None]]:
        """For each predicate what elements are called that clauses read at an argument, or at a number, or wrote."""
        found: dict[str, dict[str, None]] = {p.name: {} for p in self.system.predicates}
        for clause in self.system.clauses:
            known = self.known(clause)
            for part in self.read(clause):
                for predicate, names in known:
                    if (name := label(part, names)) is not None:
                        found[predicate].setdefault(name)
        self._pass_back(found)
        for name, elements in self.written.items():
            found[name].update(elements)
        return found

    @cached_property
    def written(self) -> dict[str, dict[str, None]]:
        """What is written at an argument is an element as long as both are handed on: the zero at the end of a text."""
        names_of = (predicate.name for predicate in self.system.predicates)
        written: dict[str, dict[str, None]] = {name: dict.fromkeys(_written_at(name, self.system)) for name in names_of}
        work = dict.fromkeys(name for name, elements in written.items() if elements)
        while work:
            before = next(iter(work))
            del work[before]
            for clause in self.system.using[before]:
                if clause.head is None:
                    continue
                behind, (_, names) = clause.head.predicate.name, _handed_over(clause.head)
                for atom in clause.body:
                    arguments = {terms.name(formal): argument for formal, argument in atom.bind()}
                    handed = list(written[before]) if atom.predicate.name == before else []
                    parts = (_part_at(name, arguments) for name in handed)
                    for name in (label(part, names) for part in parts if part is not None):
                        if name is not None and name not in written[behind]:
                            written[behind].setdefault(name)
                            work.setdefault(behind)
        return written

    def _pass_back(self, found: dict[str, dict[str, None]]) -> None:
        """What is read behind a clause is an element before it, too, if it is there: a copy is made meanwhile."""
        work = dict.fromkeys(found)
        while work:
            behind = next(iter(work))
            del work[behind]
            for clause in self.system.defining[behind]:
                if clause.head is None:
                    continue
                arguments = {terms.name(formal): argument for formal, argument in clause.head.bind()}
                parts = [part for name in found[behind] if (part := _part_at(name, arguments)) is not None]
                for predicate, names in islice(names_at(clause), len(clause.body)):
                    new = [name for part in parts if (name := label(part, names)) not in (None, *found[predicate])]
                    found[predicate].update(dict.fromkeys(filter(None, new)))
                    work.update(dict.fromkeys([predicate] if new else []))


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


def _written_at(predicate: str, system: HornSystem) -> Iterator[str]:
    """Elements of a predicate that a clause writes at one of its arguments."""
    for clause in system.defining[predicate]:
        if clause.head is None:
            continue
        _, names = _handed_over(clause.head)
        for formal, argument in clause.head.bind():
            array = argument
            while cells.is_write(array):
                array, index, value = terms.children(array)
                if terms.is_integer(value) and terms.is_variable(index) and terms.name(index) in names:
                    yield _called(terms.name(formal), names[terms.name(index)])


def _handed_over(atom: Atom) -> Names:
    """What variables are called at an atom; arrays also if they are written to."""
    pairs = [(_before_stores(argument), formal) for formal, argument in atom.bind()]
    return atom.predicate.name, {terms.name(one): terms.name(formal) for one, formal in pairs if terms.is_variable(one)}


def _part_at(name: str, arguments: Mapping[str, Term]) -> Part | None:
    """An element as the numbers of a clause that hands array and index over."""
    array, index = parted(name)
    if index not in arguments or array not in arguments:
        return None
    return part_of(terms.select(_before_stores(arguments[array]), arguments[index]))


def _before_stores(array: Term) -> Term:
    while cells.is_write(array):
        array = terms.children(array)[0]
    return array


def names_at(clause: Clause) -> Iterator[Names]:
    """At the atoms of a clause."""
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        pairs = [(argument, formal) for formal, argument in atom.bind() if terms.is_variable(argument)]
        yield atom.predicate.name, {terms.name(argument): terms.name(formal) for argument, formal in pairs}


def _near_at(clause: Clause) -> Iterator[Names]:
    """A limit of a sum holds of a number near by, too, if it is moved: of 1 + x, where x was compared."""
    for atom, (predicate, names) in zip((*clause.body, clause.head), names_at(clause), strict=False):
        found = dict(names)
        for formal, argument in atom.bind() if atom is not None else ():
            if terms.is_integer(argument) and not terms.is_variable(argument):
                for summands in islice(choices(argument), MOST_NEAR):
                    if (unit := _unit(summands)) is not None:
                        part, sign = unit
                        found.setdefault(part[0] if len(part) == 1 else _called(*part), sign + terms.name(formal))
        yield predicate, found


def _unit(summands: Summands) -> tuple[Part, str] | None:
    """The only summand and its sign, if there is one and it counts once."""
    if len(summands) != 1:
        return None
    ((term, factor),) = summands.values()
    part = part_of(term) if factor in (1, -1) else None
    return None if part is None else (part, "" if factor == 1 else OPPOSITE)


def formulas(clause: Clause) -> Iterator[Term]:
    """The constraint and all arguments of a clause."""
    yield clause.constraint
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        yield from atom.arguments


# Numbers: arguments, and elements of arguments at others, such as the length of the object that a pointer points to


def choices(term: Term) -> Iterator[Summands]:
    """The number as a sum, one for each choice of what it depends on."""
    work = [linear(term).terms]
    while work:
        summands = work.pop()
        split = next((part for part in summands.items() if terms.is_ite(part[1][0])), None)
        if split is None:
            yield summands
            continue
        key, (condition, factor) = split
        rest = {each: part for each, part in summands.items() if each != key}
        branches = reversed(terms.children(condition)[1:])
        work += (added([rest, scaled(linear(branch).terms, factor)]) for branch in branches)


def scaled(summands: Summands, factor: int) -> dict[int, tuple[Term, int]]:
    return {key: (term, factor * each) for key, (term, each) in summands.items()}


def added(parts: Iterable[Summands]) -> dict[int, tuple[Term, int]]:
    total: dict[int, tuple[Term, int]] = {}
    for part in parts:
        for key, (term, factor) in part.items():
            total[key] = term, total.get(key, (term, 0))[1] + factor
    return {key: (term, factor) for key, (term, factor) in total.items() if factor}


def parts_of(summands: Summands, most: int) -> Sum | None:
    """Two or more numbers of a clause with their factors; None if there are too many, or others."""
    if not 2 <= len(summands) <= most:
        return None
    found = [(part_of(part), factor) for part, factor in summands.values()]
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
    if len(part) > 1 and (near := names.get(_called(*part))) is not None:
        return near
    first = names.get(part[0])
    if first is None or len(part) == 1:
        return first
    index = part[1] if part[1].isdigit() else names.get(part[1])
    return None if index is None or index.startswith(OPPOSITE) else _called(first, index)


_OPENING = "["


def _called(array: str, index: str) -> str:
    return f"{array}{_OPENING}{index}]"


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
