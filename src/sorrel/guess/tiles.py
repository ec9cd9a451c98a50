"""Where loops write: the terms that clauses use as indices, and the strides between the elements that a loop writes.

A loop that writes a[2*i] and a[2*i+1] has written what lies before 2*i, one that writes a[n-1-i] what is behind n-1-i:
such terms are the ends of the ranges that claims about elements are made for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.linear import Sum, as_term, linear
from sorrel.logic.linear import atom as compared_in
from sorrel.logic.terms import Term

MOST_TERMS = 4
MOST_TILES = 6
LARGEST_STRIDE, MOST_STRIDES = 4, 2
LARGEST_OFFSET, MOST_OFFSETS = 4, 2


def index_terms(system: HornSystem) -> dict[str, list[Term]]:
    """For each predicate, sums of its formals that are used as indices, without single formals.

    A predicate has those of others too if it has formals of the same names, as the loops of a program do.
    """
    used = {terms.identity(term): term for clause in system.clauses for term in _used_in(clause)}
    away = dict.fromkeys(linear(i).constant for clause in system.clauses for i in _indices(clause) if _is_near(i))
    found: dict[str, list[Term]] = {}
    for predicate in system.predicates:
        own = {terms.identity(formal) for formal in predicate.formals}
        fitting = [t for t in used.values() if all(terms.identity(v) in own for v in walk.free_variables(t))]
        # A loop over i - 2 that ends with i = n has come to n - 2.
        ends = [formal + step for step in away if step for formal in predicate.formals if terms.is_integer(formal)]
        found[predicate.name] = list({terms.identity(t): t for t in (*fitting, *ends)}.values())[:MOST_TERMS]
    return found


def tile_ends(system: HornSystem, predicate: Predicate) -> list[Term]:
    """Where the tile before and that behind one begin: the sums that are indices, a stride further or back.

    Of a sum over variables of an inner loop, what is left of it outside.
    """
    own = {terms.name(formal): formal for formal in predicate.formals}
    found: dict[int, Term] = {}
    for index in (index for clause in system.clauses for index in _indices(clause)):
        kept = [(own[terms.name(v)], f) for v, f in linear(index).terms.values() if _is_among(v, own)]
        largest = max((abs(factor) for _, factor in kept), default=0)
        if 2 <= largest <= LARGEST_STRIDE:
            for away in (0, -largest, largest):
                end = as_term(Sum({terms.identity(formal): (formal, factor) for formal, factor in kept}, away))
                found[terms.identity(end)] = end
    return list(found.values())[:MOST_TILES]


def final_ends(system: HornSystem, predicate: Predicate) -> list[Term]:
    """Where loops over a part of an array end: the sums that are indices, at the limit of the variable that moves.

    What is at base + i while i < n has come to base + n in the end.
    """
    at_limits = (
        _over_formals(_at(sum_, moving, limit), call)
        for clause in system.using[predicate.name]
        for call in clause.body
        for sum_ in (linear(index) for index in _indices(clause))
        for moving, limit in _limits(clause)
        if len(sum_.terms) > 1 and terms.identity(moving) in sum_.terms and terms.identity(limit) not in sum_.terms
    )
    return list({terms.identity(end): end for end in at_limits if end is not None}.values())[:MOST_TILES]


def _at(sum_: Sum, moving: Term, limit: Term) -> Sum:
    _, factor = sum_.terms[terms.identity(moving)]
    others = {key: term for key, term in sum_.terms.items() if key != terms.identity(moving)}
    return Sum({**others, terms.identity(limit): (limit, factor)}, 0)


def _limits(clause: Clause) -> Iterator[tuple[Term, Term]]:
    """Variables that are compared with each other, either way round."""
    for literal in terms.conjuncts(clause.constraint):
        compared = compared_in(literal)
        if compared is not None and len(compared.sum.terms) == 2:
            (one, factor), (other, opposite) = compared.sum.terms.values()
            if factor == -opposite and abs(factor) == 1 and terms.is_variable(one) and terms.is_variable(other):
                yield one, other
                yield other, one


def _is_among(variable: Term, own: Mapping[str, Term]) -> bool:
    return terms.is_variable(variable) and terms.name(variable) in own


def strides(system: HornSystem) -> tuple[int, ...]:
    """By how much indices grow in a round: the factors of single variables in them."""
    found: dict[int, None] = {}
    for clause in system.clauses:
        for index in _indices(clause):
            found.update(dict.fromkeys(abs(factor) for _, factor in linear(index).terms.values()))
    return tuple(sorted(factor for factor in found if 2 <= factor <= LARGEST_STRIDE))[:MOST_STRIDES]


def offsets(system: HornSystem) -> tuple[int, ...]:
    """How far from a variable clauses read and write, the nearest first."""
    found = {abs(linear(index).constant) for clause in system.clauses for index in _indices(clause) if _is_near(index)}
    return tuple(sorted(offset for offset in found if offset))[:MOST_OFFSETS]


def _is_near(index: Term) -> bool:
    """Is it a variable, or a few places away from one?"""
    sum_ = linear(index)
    return (
        len(sum_.terms) == 1
        and all(factor == 1 for _, factor in sum_.terms.values())
        and abs(sum_.constant) <= LARGEST_OFFSET
    )


def _indices(clause: Clause) -> list[Term]:
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    arguments = (argument for atom in atoms for argument in atom.arguments)
    return [index for index in walk.array_indices(clause.constraint, *arguments) if terms.is_integer(index)]


def _used_in(clause: Clause) -> Iterator[Term]:
    """The indices of a clause over the formals of one of its atoms; what is added to sums is left out."""
    for index in _indices(clause):
        sum_ = linear(index)
        if terms.is_variable(index) or not sum_.terms:
            continue
        for atom in (*clause.body, *([clause.head] if clause.head else [])):
            translated = _over_formals(sum_, atom)
            if translated is not None:
                yield translated


def _over_formals(sum_: Sum, atom: Atom) -> Term | None:
    formals = {terms.identity(argument): formal for formal, argument in atom.bind() if terms.is_variable(argument)}
    if any(identity not in formals for identity in sum_.terms):
        return None
    renamed = [(formals[identity], factor) for identity, (_, factor) in sum_.terms.items()]
    constant = sum_.constant if len(renamed) == 1 and renamed[0][1] == 1 else 0
    if abs(constant) > LARGEST_OFFSET:
        return None
    return as_term(Sum({terms.identity(formal): (formal, factor) for formal, factor in renamed}, constant))
