"""Values of algebraic datatypes replaced by what they measure: P(x, l) becomes P(x, size(l), …).

A solution goes back as the same formula about the measures of the values; a refutation says nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.recursion import Recursion
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import datatypes, terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.measures.abstraction import Measured, NotMeasured
from sorrel.measures.library import measures
from sorrel.model.errors import InternalError
from sorrel.smt.solver import Oracle
from sorrel.transform.equations import solve_equations
from sorrel.transform.lift import Transformed


def measuring(group: str) -> Callable[[HornSystem, Oracle], Transformed | None]:
    """A pass that measures by one group of functions."""

    def run(system: HornSystem, oracle: Oracle) -> Transformed | None:
        sorts = _recursive_sorts(system)
        if not sorts or system.obligations:
            return None
        return _measured(system, measures(sorts, group, oracle))

    return run


def _recursive_sorts(system: HornSystem) -> list[Sort]:
    found: dict[str, Sort] = {}
    for clause in system.clauses:
        for sort in datatypes.used(clause.variables):
            if any(constructor.is_recursive for constructor in datatypes.constructors(sort)):
                found.setdefault(str(sort), sort)
    return list(found.values())


def _measured(system: HornSystem, recursion: Recursion) -> Transformed | None:
    predicates = {p.name: _shape(p, recursion) for p in system.predicates}
    try:
        clauses = tuple(_clause(solve_equations(clause), predicates, recursion) for clause in system.clauses)
    except NotMeasured:
        return None

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        return {p.name: _summary(p, predicates[p.name], recursion, found) for p in system.predicates}

    def derivation(_: Derivation) -> Derivation:
        raise InternalError("a refutation of clauses about measures says nothing")

    return Transformed(
        HornSystem(tuple(predicates.values()), clauses), summaries, derivation, exact=False, recursion=recursion
    )


def _shape(predicate: Predicate, recursion: Recursion) -> Predicate:
    """Its arguments, with a number for each measure in the place of a value; values without measures are left out."""
    names = Names(argument.name for argument in predicate.arguments)
    arguments: list[Argument] = []
    for argument in predicate.arguments:
        if not datatypes.is_datatype(argument.sort):
            arguments.append(argument)
            continue
        arguments += [
            Argument(names.fresh(f"{function.name}@{argument.name}"), function.declaration.range())
            for function in recursion.functions_of(argument.sort)
        ]
    return Predicate(predicate.name, tuple(arguments))


def _clause(clause: Clause, predicates: dict[str, Predicate], recursion: Recursion) -> Clause:
    measured = Measured(recursion, Names(terms.name_of(v) for v in clause.variables))

    def numbers(term: Term) -> list[Term]:
        if not datatypes.is_datatype(terms.sort_of(term)):
            return [measured.scalar(term)]
        return measured.measures(term) if measured.is_value(term) else []

    def atom(given: Atom) -> Atom:
        return Atom(predicates[given.predicate.name], tuple(n for a in given.arguments for n in numbers(a)))

    constraint = measured.scalar(clause.constraint)
    body = tuple(map(atom, clause.body))
    head = atom(clause.head) if clause.head else None
    known = terms.simplify(terms.conjunction([constraint, *measured.said]))
    return Clause(clause.name, head, body, known, clause.origin)


def _summary(predicate: Predicate, shape: Predicate, recursion: Recursion, found: Summaries) -> Term:
    values: list[Term] = []
    for formal in predicate.formals:
        if datatypes.is_datatype(terms.sort_of(formal)):
            values += [function(formal) for function in recursion.functions_of(terms.sort_of(formal))]
        else:
            values.append(formal)
    said = found.get(predicate.name, terms.TRUE)
    return terms.substitute(said, zip(shape.formals, values, strict=True))
