"""What the clauses compare, and what they call arguments of predicates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

Names = tuple[str, dict[str, str]]
"""A predicate, and what variables of a clause are called among its formals."""


def own_names(system: HornSystem) -> list[Names]:
    """The same for each predicate, if nothing else."""
    formals = ((p.name, map(terms.name, p.formals)) for p in system.predicates)
    return [(predicate, {name: name for name in names}) for predicate, names in formals]


def names_at(clause: Clause) -> Iterator[Names]:
    """At the atoms of a clause."""
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        pairs = [(argument, formal) for formal, argument in atom.bind() if terms.is_variable(argument)]
        yield atom.predicate.name, {terms.name(argument): terms.name(formal) for argument, formal in pairs}


def comparisons(clause: Clause) -> Iterator[Term]:
    for formula in formulas(clause):
        for term in walk.subterms(formula):
            if (terms.is_comparison(term) or terms.is_equation(term)) and len(terms.children(term)) == 2:
                yield term


def formulas(clause: Clause) -> Iterator[Term]:
    """The constraint and all arguments of a clause."""
    yield clause.constraint
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        yield from atom.arguments


# Numbers: arguments, and elements of arguments at others, such as the length of the object that a pointer points to


def label(part: Term, names: Mapping[str, str]) -> str | None:
    """What a number of a clause is called among those of a predicate; None if it is none of them."""
    if terms.is_variable(part):
        return names.get(terms.name(part))
    if not terms.is_select(part):
        return None
    array, index = terms.children(part)
    one = names.get(terms.name(array)) if terms.is_variable(array) else None
    other = names.get(terms.name(index)) if terms.is_variable(index) else None
    if terms.is_value(index) and terms.is_integer(index):
        other = str(terms.as_number(index))
    return None if one is None or other is None else f"{one}{OPENING}{other}]"


OPENING = "["


def parted(name: str) -> tuple[str, str]:
    """Array and index of an element that is called so; the index is a name or a number."""
    array, _, index = name.rpartition(OPENING)
    return array, index[:-1]


def elements_read(system: HornSystem) -> dict[str, dict[str, None]]:
    """For each predicate what elements are called that clauses read at an argument, or at a number."""
    found: dict[str, dict[str, None]] = {p.name: {} for p in system.predicates}
    own = own_names(system)
    for clause in system.clauses:
        known = [*own, *names_at(clause)]
        for formula in formulas(clause):
            for term in walk.subterms(formula):
                if terms.is_select(term) and terms.is_integer(term):
                    for predicate, names in known:
                        if (name := label(term, names)) is not None:
                            found[predicate].setdefault(name)
    return found


def numbers(predicate: Predicate, read: Mapping[str, None], most: int) -> dict[str, Term]:
    """The integers of a predicate by name, and so many elements at most."""
    formals = {terms.name(formal): formal for formal in predicate.formals}
    found = {name: formal for name, formal in formals.items() if terms.is_integer(formal)}
    for name in list(read)[:most]:
        array, index = parted(name)
        found[name] = terms.select(formals[array], formals[index] if index in formals else terms.integer(int(index)))
    return found
