"""What a program asks of elements at one index: it may hold of all that a loop has gone over."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.linear import linear
from sorrel.logic.terms import Term

MOST_ASKED = 8
LARGEST = 60
"""Nodes of a condition; larger ones are seldom what holds of every element."""


def asked_of_elements(system: HornSystem, index: Term) -> dict[str, list[Term]]:
    """For each predicate, conditions over its formals and the index; those of queries come first.

    Predicates with formals of the same names, as the loops of a program are, have them too.
    """
    ordered = [*system.queries, *(clause for clause in system.clauses if clause.head)]
    every = {terms.identity(t): t for clause in ordered for t in _asked_in(clause, index)}
    found: dict[str, list[Term]] = {}
    for predicate in system.predicates:
        own = {terms.identity(index), *map(terms.identity, predicate.formals)}
        fitting = (t for t in every.values() if all(terms.identity(v) in own for v in walk.free_variables(t)))
        found[predicate.name] = list(fitting)[:MOST_ASKED]
    return found


def _asked_in(clause: Clause, index: Term) -> Iterator[Term]:
    if len(clause.body) != 1:
        return
    for condition in _conditions(clause):
        if walk.size(condition) > LARGEST:
            continue
        for variable in _indices(condition):
            general = _over_formals(clause.body[0], terms.substitute(condition, [(variable, index)]), index)
            if general is not None:
                yield terms.simplify(general)


def _conditions(clause: Clause) -> Iterator[Term]:
    """What must not be false of elements where a query asks; what is compared elsewhere, and the opposite of it."""
    literals = [part for part in terms.conjuncts(clause.constraint) if walk.array_indices(part)]
    if clause.head is None:
        for case in terms.disjuncts(literals[0]) if len(literals) == 1 else [terms.conjunction(literals)]:
            yield terms.simplify(terms.negation(case))
        return
    for part in (*literals, *clause.head.arguments):
        for node in walk.subterms(part):
            if _compares_elements(node):
                yield node
                yield terms.negation(node)


def _compares_elements(node: Term) -> bool:
    if not (terms.is_comparison(node) or terms.is_equation(node)) or not walk.array_indices(node):
        return False
    return not any(map(terms.is_array, terms.children(node)))


def _indices(condition: Term) -> list[Term]:
    """Variables at which elements are read."""
    found: dict[int, Term] = {}
    for at in walk.array_indices(condition):
        for variable, _ in linear(at).terms.values():
            if terms.is_variable(variable):
                found[terms.identity(variable)] = variable
    return list(found.values())


def _over_formals(call: Atom, condition: Term, index: Term) -> Term | None:
    told = [(argument, formal) for formal, argument in call.bind() if terms.is_variable(argument)]
    known = {terms.identity(index), *(terms.identity(argument) for argument, _ in told)}
    if any(terms.identity(variable) not in known for variable in walk.free_variables(condition)):
        return None
    return terms.substitute(condition, told)
