"""Large numbers as arguments of every predicate that may have any value: what loops run up to, above all.

A search that generalises from runs makes little of a loop that ends after 100,000 rounds. With n in its place it has to
find what holds at any n. How the numbers are ordered stays known; multiples and neighbours of one are n, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import operations, terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed

LEAST = 32
"""Smaller numbers stay: a loop with so few rounds may have to be followed round by round."""
MOST = 2**31 - 1
"""From here on numbers are limits of types as a rule."""
MOST_NUMBERS = 4
NEAR = 2
"""Numbers so close to another are that one and the difference."""
MULTIPLES = 4


def open_numbers(system: HornSystem, _: Oracle) -> Transformed | None:
    """The system for all such numbers; None if there are none, or too many."""
    roots = _roots({abs(number) for clause in system.clauses for number in _numbers(clause)})
    if not roots or len(roots) > MOST_NUMBERS or system.obligations:
        return None
    names = Names(a.name for p in system.predicates for a in p.arguments)
    for clause in system.clauses:
        for variable in clause.variables:
            names.fresh(terms.name_of(variable))
    arguments = {number: Argument(names.fresh("n"), terms.INT) for number in roots}
    opened = _Opened({number: argument.formal for number, argument in arguments.items()})
    predicates = {
        p.name: Predicate(p.name, (*p.arguments, *(a for a in arguments.values()))) for p in system.predicates
    }
    clauses = [opened.clause(clause, predicates) for clause in system.clauses]
    values = [(argument.formal, terms.integer(number)) for number, argument in arguments.items()]

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        return {name: terms.substitute(body, values) for name, body in found.items()}

    def derivation(_: Derivation) -> Derivation:
        raise InternalError("a refutation for other numbers says nothing")

    return Transformed(HornSystem(tuple(predicates.values()), tuple(clauses)), summaries, derivation, exact=False)


def _numbers(clause: Clause) -> set[int]:
    """Where they are added and compared, or passed on."""
    found = {operations.literal(argument) for atom in _atoms(clause) for argument in atom.arguments}
    for term in (clause.constraint, *(argument for atom in _atoms(clause) for argument in atom.arguments)):
        for part in walk.subterms(term):
            if operations.compares(part):
                found |= set(map(operations.literal, terms.children(part)))
    return {number for number in found if number is not None and LEAST <= abs(number) < MOST}


def _atoms(clause: Clause) -> list[Atom]:
    return [*clause.body, *([clause.head] if clause.head else [])]


def _roots(met: set[int]) -> list[int]:
    """The numbers that the others are neighbours and multiples of."""
    roots: list[int] = []
    for number in sorted(met):
        if _told(number, roots) is None:
            roots.append(number)
    return roots


def _told(number: int, roots: Iterable[int]) -> tuple[int, int, int] | None:
    """The number as a multiple of a root and a difference."""
    for root in roots:
        for times in range(1, MULTIPLES + 1):
            if abs(number - times * root) <= NEAR:
                return times, root, number - times * root
    return None


class _Opened:
    """Terms with variables in place of numbers."""

    def __init__(self, variables: Mapping[int, Term]) -> None:
        self._variables = variables
        self._rewriting = walk.Rewriting(terms.children, self._rebuilt)
        ordered = [terms.integer(LEAST - 1), *variables.values()]
        self._order = [operations.less(one, other) for one, other in pairwise(ordered)]

    def clause(self, clause: Clause, predicates: Mapping[str, Predicate]) -> Clause:
        constraint = terms.conjunction([*self._order, self._rewriting(clause.constraint)])
        head = self._atom(clause.head, predicates) if clause.head else None
        body = tuple(self._atom(atom, predicates) for atom in clause.body)
        return Clause(clause.name, head, body, constraint, clause.origin)

    def _atom(self, atom: Atom, predicates: Mapping[str, Predicate]) -> Atom:
        arguments = [self._opened(self._rewriting(argument)) for argument in atom.arguments]
        return Atom(predicates[atom.predicate.name], (*arguments, *self._variables.values()))

    def _rebuilt(self, term: Term) -> Term:
        children = [self._rewriting(child) for child in terms.children(term)]
        if operations.compares(term):
            children = [self._opened(child) for child in children]
        return walk.with_arguments(term, children)

    def _opened(self, term: Term) -> Term:
        number = operations.literal(term)
        told = _told(abs(number), self._variables) if number is not None and LEAST <= abs(number) < MOST else None
        if number is None or told is None:
            return term
        times, root, more = told
        positive = operations.add(operations.multiply(terms.integer(times), self._variables[root]), terms.integer(more))
        return positive if number > 0 else operations.negate(positive)
