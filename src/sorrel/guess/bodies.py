"""Procedures without recursion and loops, told by their bodies: what would be inlined if it were not called so often.

A check of an index, a read or an exchange of two elements is called in many places, so that inlining it everywhere
makes clauses grow. Its body as a summary, over its formals alone, says as much and is put where it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.guess.plan import PLAN
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.smt.projection import project_over
from sorrel.smt.solver import Oracle

MOST_NODES = 300


def bodies(system: HornSystem, oracle: Oracle) -> dict[str, Term]:
    """Summaries of the predicates whose clauses call nothing but such predicates; together they are inductive.

    Local variables are eliminated, exactly where equations determine them and otherwise to something weaker. That is
    sound in any case: a body that is implied by each clause, under the bodies of its callees, is an inductive summary.
    """
    found: dict[str, Term] = {}
    for name in (name for group in system.call_graph.components for name in group):
        callees = system.call_graph.callees[name]
        if name in system.call_graph.recursive or not all(callee in found for callee in callees):
            continue
        body = _body(system, system.predicate[name], found, oracle)
        if walk.size(body) <= MOST_NODES:
            found[name] = body
    return found


def _body(system: HornSystem, predicate: Predicate, known: Mapping[str, Term], oracle: Oracle) -> Term:
    cases: dict[int, Term] = {}
    for clause in system.defining[predicate.name]:
        calls = [terms.substitute(known[atom.predicate.name], atom.bind()) for atom in clause.body]
        for alternative in terms.disjuncts(clause.constraint):
            case = _over_formals(predicate, clause, terms.conjunction([alternative, *calls]), oracle)
            cases[terms.identity(case)] = case
    return terms.disjunction(cases.values())


def _over_formals(predicate: Predicate, clause: Clause, case: Term, oracle: Oracle) -> Term:
    """What the case says of the arguments of the head."""
    # Formals may have the names of the clause's variables.
    renaming = Names(map(terms.name, predicate.formals)).variables_like(clause.variables)
    passed = clause.head.substitute(renaming).arguments if clause.head else ()
    equations = [terms.equal(formal, value) for formal, value in zip(predicate.formals, passed, strict=True)]
    whole = terms.conjunction([*equations, terms.substitute(case, renaming)])
    return project_over(oracle, whole, [renamed for _, renamed in renaming], PLAN.body)
