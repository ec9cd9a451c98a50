"""Which arguments of a predicate are results: told by what is derivable where the clauses do not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorrel.horn.clause import Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term

Sample = Mapping[Term, Term]


def with_roles(system: HornSystem, samples: Mapping[str, Sequence[Sample]]) -> HornSystem:
    """The same clauses; arguments of unknown role become inputs and outputs.

    Results are written last by custom: outputs are the longest tail that the arguments before it determine in every
    sample. Nothing rests on that but where guesses are looked for.
    """
    told = {p.name: _told(p, samples.get(p.name, ())) for p in system.predicates}

    def placed(atom: Atom) -> Atom:
        return Atom(told[atom.predicate.name], atom.arguments)

    clauses = tuple(
        Clause(c.name, placed(c.head) if c.head else None, tuple(map(placed, c.body)), c.constraint, c.origin)
        for c in system.clauses
    )
    return HornSystem(tuple(told.values()), clauses, system.obligations)


def has_ok(system: HornSystem) -> bool:
    """Can a procedure fail, and tell its callers?"""
    return any(argument.role is Role.OK for p in system.predicates for argument in p.arguments)


def asks_for_values(system: HornSystem, most: int | None = None) -> bool:
    """Does a query call a procedure with numerals for all its inputs, none of them larger than that?"""
    return any(
        all(_is_numeral(value, most) for value in _at_inputs(query, atom))
        for query in system.queries
        for atom in query.body
    )


def _is_numeral(value: Term, most: int | None) -> bool:
    number = terms.as_number(value) if terms.is_value(value) else None
    return number is not None and (most is None or -most <= number <= most)


def _at_inputs(query: Clause, atom: Atom) -> list[Term]:
    """What is given for the inputs, with the values that the constraint fixes."""
    equations = [terms.children(part) for part in terms.conjuncts(query.constraint) if terms.is_equation(part)]
    fixed = [(left, right) for left, right in equations if terms.is_variable(left) and terms.is_value(right)]
    given = zip(atom.predicate.arguments, atom.arguments, strict=True)
    return [terms.substitute(value, fixed) for argument, value in given if argument.role is Role.INPUT]


def _told(predicate: Predicate, samples: Sequence[Sample]) -> Predicate:
    if any(argument.role is not Role.UNKNOWN for argument in predicate.arguments):
        return predicate
    inputs = _inputs(predicate, samples)
    arguments = tuple(
        replace(argument, role=Role.INPUT if position < inputs else Role.OUTPUT)
        for position, argument in enumerate(predicate.arguments)
    )
    return Predicate(predicate.name, arguments)


def _inputs(predicate: Predicate, samples: Sequence[Sample]) -> int:
    """How many arguments come before the results."""
    rows = {tuple(terms.identity(sample[formal]) for formal in predicate.formals) for sample in samples}
    for inputs in range(1, len(predicate.arguments)):
        if len({row[:inputs] for row in rows}) == len(rows):
            return inputs
    return len(predicate.arguments)
