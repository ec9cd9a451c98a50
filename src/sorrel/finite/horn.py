"""A finite program as Horn clauses over bit-vectors: a predicate for each function, a clause for each path."""

from __future__ import annotations

from sorrel.finite.function import FiniteFunction, FiniteProgram, Path, Property
from sorrel.horn.clause import Argument, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms


def horn_system(program: FiniteProgram) -> HornSystem:
    """Its least solution is what the functions return; a property is a query for a return that violates it."""
    predicates = {function.name: _predicate(function) for function in program.functions}
    clauses = [_clause(f, path, predicates) for f in program.functions for path in f.paths]
    queries = [_query(program, wanted, predicates) for wanted in program.properties]
    return HornSystem(tuple(predicates.values()), (*clauses, *queries))


def _predicate(function: FiniteFunction) -> Predicate:
    inputs = [Argument(terms.name(p), p.sort(), Role.INPUT) for p in function.parameters]
    outputs = [Argument(terms.name(r), r.sort(), Role.OUTPUT) for r in function.results]
    return Predicate(function.name, (*inputs, *outputs))


def _clause(function: FiniteFunction, path: Path, predicates: dict[str, Predicate]) -> Clause:
    body = tuple(predicates[call.function](*call.arguments, *call.results) for call in path.calls)
    constraint = terms.conjunction([*(call.guard for call in path.calls), path.guard])
    head = predicates[function.name](*function.parameters, *path.results)
    return Clause(path.name, head, body, constraint, path.origin)


def _query(program: FiniteProgram, wanted: Property, predicates: dict[str, Predicate]) -> Clause:
    function = program.function[wanted.function]
    body = (predicates[function.name](*function.formals),)
    return Clause(wanted.name, None, body, terms.negation(wanted.formula), wanted.origin)
