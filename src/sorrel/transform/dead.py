"""Remove what cannot matter: clauses that cannot fire, predicates without facts, predicates no query needs."""

from __future__ import annotations

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.components import reached
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed


def remove_dead(system: HornSystem) -> Transformed:
    """Underivable predicates get the summary false, those that reach no query true."""
    fireable = [c for c in system.clauses if not terms.is_false(terms.simplify(c.constraint))]
    derivable = _derivable(fireable)
    fireable = [c for c in fireable if all(a.predicate.name in derivable for a in c.body)]
    needed = _needed(system, fireable)
    clauses = tuple(c for c in fireable if c.head is None or c.head.predicate.name in needed)
    kept = tuple(p for p in system.predicates if p.name in needed and p.name in derivable)
    names = {p.name for p in kept} | {a.predicate.name for o in system.obligations for a in o.relation}
    predicates = tuple(p for p in system.predicates if p.name in names)

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        lifted: dict[str, Term] = {}
        for predicate in system.predicates:
            missing = terms.TRUE if predicate.name in derivable else terms.FALSE
            lifted[predicate.name] = found.get(predicate.name, missing)
        return lifted

    def derivation(found: Derivation) -> Derivation:
        return found

    return Transformed(HornSystem(predicates, clauses, system.obligations), summaries, derivation)


def drop_impossible_clauses(system: HornSystem) -> Transformed:
    """Only the clauses whose constraint is false go; every predicate stays."""
    clauses = [c for c in system.clauses if not terms.is_false(terms.simplify(c.constraint))]
    return Transformed(system.with_clauses(clauses), lambda found, _: found, lambda found: found)


def _derivable(clauses: list[Clause]) -> set[str]:
    """Predicates for which some fact might be derived, as far as the call graph tells."""
    derivable: set[str] = set()
    waiting = [c for c in clauses if c.head]
    while True:
        ready = [c for c in waiting if all(atom.predicate.name in derivable for atom in c.body)]
        if not ready:
            return derivable
        derivable.update(c.head.predicate.name for c in ready if c.head)
        waiting = [c for c in waiting if c.head and c.head.predicate.name not in derivable]


def _needed(system: HornSystem, clauses: list[Clause]) -> set[str]:
    """Predicates that a query or an obligation depends on."""
    roots = [a.predicate.name for c in clauses if c.is_query for a in c.body]
    roots += [a.predicate.name for o in system.obligations for a in o.relation]
    bodies: dict[str, list[str]] = {}
    for clause in clauses:
        if clause.head:
            names = [a.predicate.name for a in clause.body]
            bodies.setdefault(clause.head.predicate.name, []).extend(names)
    return set(reached(roots, lambda name: bodies.get(name, ())))
