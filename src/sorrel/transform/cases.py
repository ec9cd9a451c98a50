"""A clause about cells for each case of which of its indices are the same.

In one case a cell of the head is one cell of a call, or what was written there: calls that are about other cells are
left out, and those that have become one are one. A search is much better at few calls in many clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from sorrel.horn.clause import Atom, Clause
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat

MOST_CASES = 24
MOST_CONDITIONS = 12


def in_cases(
    clause: Clause, conditions: Sequence[Term], places: Set[int], held: Set[int], oracle: Oracle
) -> list[Clause]:
    """The clause alone if there are too many cases. `places` and `held` are variables that stand for them."""
    found: list[list[Term]] = [[]]
    for condition in conditions if len(conditions) <= MOST_CONDITIONS else ():
        found = [
            [*literals, literal]
            for literals in found
            for literal in (condition, terms.negation(condition))
            if not isinstance(oracle.check(clause.constraint, *literals, literal), Unsat)
        ]
        if len(found) > MOST_CASES:
            return [clause]
    return [_case(clause, literals, number, places, held) for number, literals in enumerate(found)]


def _case(clause: Clause, literals: Sequence[Term], number: int, places: Set[int], held: Set[int]) -> Clause:
    decided = [
        (terms.children(each)[0], terms.FALSE) if terms.is_not(each) else (each, terms.TRUE) for each in literals
    ]
    case = clause.substitute(decided)
    case = _named(case, f"{clause.name}~{number}", terms.conjunction([case.constraint, *literals]))
    while pairs := list(_told(case, places, held)):
        case = case.substitute(pairs[:1])
        case = _named(case, case.name, case.constraint)
    return _needed(case, held)


def _named(clause: Clause, name: str, constraint: Term) -> Clause:
    simple = [Atom(a.predicate, tuple(map(terms.simplify, a.arguments))) for a in clause.body]
    head = clause.head and Atom(clause.head.predicate, tuple(map(terms.simplify, clause.head.arguments)))
    distinct = {(a.predicate.name, *map(terms.identity, a.arguments)): a for a in simple}
    return Clause(name, head, tuple(distinct.values()), terms.simplify(constraint), clause.origin)


def _told(clause: Clause, places: Set[int], held: Set[int]) -> Iterator[tuple[Term, Term]]:
    """Truth values that are conjuncts, places with what they are equal to, and cells that are the same.

    Cells that are equal to something else keep their names: it is what a call has to say of them.
    """
    kept = {terms.identity(v) for atom in clause.body for v in walk.free_variables(*atom.arguments)}
    for conjunct in terms.conjuncts(clause.constraint):
        plain = terms.children(conjunct)[0] if terms.is_not(conjunct) else conjunct
        if terms.is_variable(plain) and terms.identity(plain) not in kept:
            yield plain, terms.FALSE if terms.is_not(conjunct) else terms.TRUE
        for variable, term in _sides(conjunct):
            known = terms.identity(variable)
            replaceable = known in places or (known in held and terms.identity(term) in held)
            if replaceable and not any(terms.same(variable, used) for used in walk.free_variables(term)):
                yield variable, term


def _sides(conjunct: Term) -> list[tuple[Term, Term]]:
    if not terms.is_equation(conjunct):
        return []
    left, right = terms.children(conjunct)
    return [(left, right), (right, left)]


def _needed(clause: Clause, held: Set[int]) -> Clause:
    """Without calls whose cells matter nowhere else, as long as another call of their predicate is left."""
    body = list(clause.body)
    for atom in clause.body:
        own = {terms.identity(v) for v in walk.free_variables(*atom.arguments)} & held
        others = [other for other in body if other is not atom]
        arguments = [*(clause.head.arguments if clause.head else ()), *(a for o in others for a in o.arguments)]
        used = {terms.identity(v) for v in walk.free_variables(clause.constraint, *arguments)}
        if not own & used and any(other.predicate is atom.predicate for other in others):
            body = others
    return Clause(clause.name, clause.head, tuple(body), clause.constraint, clause.origin)
