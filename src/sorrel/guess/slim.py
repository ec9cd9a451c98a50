"""A proof without what it does not need, and the part of it that others need to know.

Of the conjuncts of all summaries, `slim` keeps a part that is a proof by itself. A recursive procedure proves more
about itself than its callers ask for; `asked_for` is what they do.
"""

from __future__ import annotations

from sorrel.guess.houdini import Houdini
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat

MOST_CLAUSES = 300


def slim(system: HornSystem, summaries: Summaries, oracle: Oracle) -> Summaries:
    """The same summaries if nothing can be dropped, or if that cannot be decided; the caller checks them as any."""
    if len(system.clauses) > MOST_CLAUSES or not system.queries:
        return summaries
    conjuncts = {name: terms.conjuncts(summary) for name, summary in summaries.items()}
    needed = Houdini(system, conjuncts, oracle, {}).support()
    if needed is None:
        return summaries
    return {name: terms.conjunction(found) for name, found in needed.items()}


def asked_for(system: HornSystem, summaries: Summaries, oracle: Oracle) -> Summaries:
    """Of each summary the conjuncts that clauses outside its own recursion rely on; all of it if none does.

    What is left is as true as the whole, but need not be inductive by itself.
    """
    if len(system.clauses) > MOST_CLAUSES or not system.queries:
        return summaries
    conjuncts = {name: terms.conjuncts(summary) for name, summary in summaries.items()}
    group = {name: number for number, names in enumerate(system.call_graph.components) for name in names}
    houdini = Houdini(system, conjuncts, oracle, {})
    wanted: dict[str, dict[int, None]] = {name: {} for name in summaries}
    for clause in system.clauses:
        own = group[clause.head.predicate.name] if clause.head else None
        relied_on = houdini.relied_on(clause)
        if relied_on is None:
            return summaries
        for name, index in relied_on:
            if group[name] != own:
                wanted[name][index] = None
    return {
        name: terms.conjunction(conjuncts[name][i] for i in sorted(indices)) if indices else summaries[name]
        for name, indices in wanted.items()
    }


def suffices(system: HornSystem, summaries: Summaries, name: str, told: Term, oracle: Oracle) -> bool:
    """Would the clauses outside the recursion of a predicate be valid if no more were known about it than `told`?"""
    group = next(names for names in system.call_graph.components if name in names)
    for clause in system.using[name]:
        if clause.head is not None and clause.head.predicate.name in group:
            continue
        known = {**summaries, name: told}
        calls = [terms.substitute(known[atom.predicate.name], atom.bind()) for atom in clause.body]
        head = [terms.substitute(summaries[clause.head.predicate.name], clause.head.bind())] if clause.head else []
        denied = [terms.negation(conclusion) for conclusion in head]
        if not isinstance(oracle.check(clause.constraint, *calls, *denied, kind="suffices"), Unsat):
            return False
    return True
