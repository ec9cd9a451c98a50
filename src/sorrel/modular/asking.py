"""Questions to engines about components: clauses, the contracts of callees as facts, and what is to be shown.

A callee whose body is not part of the question is the relation that its contract says. What is proved then holds for
every callee with that contract. An error that is found may be one of the contract alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sorrel.horn.clause import Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.modular.component import Component

CONTRACT = "contract "
"""Begins the names of clauses that stand for contracts, which no procedure's clauses do."""
GOAL = "goal "


def question(components: Sequence[Component], contracts: Summaries, *, goals: bool) -> HornSystem:
    """The clauses of the components; the others that they call are what their contracts say.

    `goals`: it is asked whether some procedure of the last component can fail at all, in any state.
    """
    inside = {predicate.name: predicate for component in components for predicate in component.own}
    clauses = [clause for component in components for clause in component.system.clauses]
    outside = {
        predicate.name: predicate
        for component in components
        for predicate in component.callees
        if predicate.name not in inside
    }
    clauses += [_as_fact(predicate, contracts) for predicate in outside.values()]
    if goals:
        clauses += _goals(components[-1].functions.values())
    return HornSystem((*outside.values(), *inside.values()), tuple(clauses))


def _as_fact(predicate: Predicate, contracts: Summaries) -> Clause:
    return Clause(f"{CONTRACT}{predicate.name}", predicate(*predicate.formals), (), contracts[predicate.name])


def _goals(predicates: Iterable[Predicate]) -> list[Clause]:
    return [
        Clause(f"{GOAL}{predicate.name}", None, (Atom(predicate, predicate.formals),), terms.negation(flag))
        for predicate in predicates
        for flag, argument in zip(predicate.formals, predicate.arguments, strict=True)
        if argument.role is Role.OK
    ]


def is_contract(clause: Clause) -> bool:
    return clause.name.startswith(CONTRACT)
