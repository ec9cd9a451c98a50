"""Clauses in which something else stands for some terms, and less is known of it: what is inductive for them is so for
the system they were made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term

Wanted = Callable[[Term], Sequence[Term]]
"""Terms within a formula that something else stands for."""
StandIn = Callable[[Term], tuple[Term, Sequence[Term]]]
"""What is put for such a term within which there is no other, and what is known of it."""


def weaker(system: HornSystem, wanted: Wanted, choose: Callable[[Clause], StandIn]) -> HornSystem:
    clauses = (
        weaker_clause(clause, wanted, choose(clause)) if any(map(wanted, formulas(clause))) else clause
        for clause in system.clauses
    )
    return HornSystem(system.predicates, tuple(clauses), system.obligations)


def mentions(system: HornSystem, wanted: Wanted) -> bool:
    return any(wanted(term) for clause in system.clauses for term in formulas(clause))


def formulas(clause: Clause) -> list[Term]:
    """The constraint, and what is handed over."""
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    return [clause.constraint, *(argument for atom in atoms for argument in atom.arguments)]


def weaker_clause(clause: Clause, wanted: Wanted, stand_in: StandIn) -> Clause:
    (constraint, *rest), known = _abstracted(formulas(clause), wanted, stand_in)
    made: list[Atom] = []
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        made.append(Atom(atom.predicate, tuple(rest[: len(atom.arguments)])))
        rest = rest[len(atom.arguments) :]
    head = made.pop() if clause.head else None
    return Clause(clause.name, head, tuple(made), terms.conjunction([constraint, *known]), clause.origin)


def _abstracted(formulas: Sequence[Term], wanted: Wanted, stand_in: StandIn) -> tuple[list[Term], list[Term]]:
    """The formulas without these terms, innermost first, and what is known of what stands for them."""
    current = list(formulas)
    known: dict[int, Term] = {}
    while True:
        found = [term for formula in current for term in wanted(formula)]
        innermost = [term for term in found if not any(wanted(child) for child in terms.children(term))]
        if not innermost:
            return current, list(known.values())
        pairs: list[tuple[Term, Term]] = []
        for term in innermost:
            value, facts = stand_in(term)
            pairs.append((term, value))
            known.update((fact.get_id(), fact) for fact in facts)
        current = [terms.substitute(formula, pairs) for formula in current]
        known = {each.get_id(): each for each in (terms.substitute(old, pairs) for old in known.values())}
