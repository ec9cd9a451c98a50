"""Summaries of predicates without recursion that say exactly what their clauses say, where that is short."""

from __future__ import annotations

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.smt.plan import PLAN
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Oracle

LARGEST = 400
"""Nodes of a summary; a larger one helps nobody."""


def exact_summaries(system: HornSystem, oracle: Oracle) -> Summaries:
    """For the predicates that depend on no recursion, callees first."""
    found: dict[str, Term] = {}
    for group in system.call_graph.components:
        (name, *others) = group
        if others or name in system.call_graph.recursive:
            continue
        summary = _summary(system, name, found, oracle)
        if summary is not None and walk.size(summary) <= LARGEST:
            found[name] = summary
    return found


def _summary(system: HornSystem, name: str, known: Summaries, oracle: Oracle) -> Term | None:
    formals = system.predicate[name].formals
    cases: list[Term] = []
    for clause in system.defining[name]:
        if any(atom.predicate.name not in known for atom in clause.body) or oracle.clock.expired():
            return None
        case = _case(clause, formals, known, oracle)
        if case is None:
            return None
        cases.append(case)
    return terms.disjunction(cases)


def _case(clause: Clause, formals: tuple[Term, ...], known: Summaries, oracle: Oracle) -> Term | None:
    fresh, _ = clause.rename_apart(Names(terms.name_of(formal) for formal in formals))
    if fresh.head is None:
        return None
    said = [terms.substitute(known[atom.predicate.name], atom.bind()) for atom in fresh.body]
    equations = [terms.equal(f, a) for f, a in zip(formals, fresh.head.arguments, strict=True)]
    formula = terms.conjunction([*equations, fresh.constraint, *said])
    return project_exact(oracle, formula, fresh.variables, PLAN.exact_clause)
