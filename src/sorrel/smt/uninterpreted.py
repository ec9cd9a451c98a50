"""Nonlinear operations as functions that nothing is known of, except that products do not depend on their order.

What is proved so holds for the operations themselves: they are among the functions. Equal operands give equal results,
which is what contracts about information flow need, and solvers are quick with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.projection import nonlinear_terms


def without_nonlinear(system: HornSystem) -> HornSystem:
    """Weaker clauses, so that whatever is inductive for them is so for the system."""
    return HornSystem(system.predicates, tuple(map(_clause, system.clauses)), system.obligations)


def _clause(clause: Clause) -> Clause:
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    arguments = [argument for atom in atoms for argument in atom.arguments]
    if not any(nonlinear_terms(term) for term in (clause.constraint, *arguments)):
        return clause
    (constraint, *rest), known = _abstracted([clause.constraint, *arguments])
    made: list[Atom] = []
    for atom in atoms:
        made.append(Atom(atom.predicate, tuple(rest[: len(atom.arguments)])))
        rest = rest[len(atom.arguments) :]
    head = made.pop() if clause.head else None
    return Clause(clause.name, head, tuple(made), terms.conjunction([constraint, *known]), clause.origin)


def _abstracted(formulas: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """The formulas over functions, innermost operations first, and what is known of the functions."""
    current = list(formulas)
    known: dict[int, Term] = {}
    while True:
        found = [term for formula in current for term in nonlinear_terms(formula)]
        innermost = [term for term in found if not any(nonlinear_terms(child) for child in terms.children(term))]
        if not innermost:
            return current, list(known.values())
        pairs: list[tuple[Term, Term]] = []
        for term in innermost:
            operands = terms.children(term)
            function = terms.declare(
                f"{terms.name_of(term)}!{len(operands)}", [terms.sort_of(o) for o in operands], terms.sort_of(term)
            )
            value = terms.apply(function, operands)
            pairs.append((term, value))
            if terms.name_of(term) == "*" and len(operands) == 2:
                same = terms.equal(value, terms.apply(function, operands[::-1]))
                known[same.get_id()] = same
        current = [terms.substitute(formula, pairs) for formula in current]
        known = {each.get_id(): each for each in (terms.substitute(old, pairs) for old in known.values())}
