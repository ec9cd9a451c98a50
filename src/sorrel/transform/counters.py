"""Integer arguments that only ever have a few constants as values: program counters, modes, flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term

Position = tuple[str, int]
"""A predicate, by name, and the index of an argument."""
Sources = frozenset[int | Position]
"""What an argument can be: one of these constants, or what is passed at these positions."""

MOST_VALUES = 64
DEEPEST = 50
"""Levels of conjunctions and disjunctions that are looked into for a value."""


def counter_positions(system: HornSystem) -> frozenset[Position]:
    """Arguments whose values, in every clause that concludes them, are constants or those of other such arguments."""
    candidates = {(p.name, i): set[int]() for p in system.predicates for i, s in enumerate(p.sorts) if s == terms.INT}
    flows: dict[Position, set[Position]] = {position: set() for position in candidates}
    for clause in system.clauses:
        if clause.head is None:
            continue
        passed = _passed(clause)
        for index, argument in enumerate(clause.head.arguments):
            position = (clause.head.predicate.name, index)
            if position not in candidates:
                continue
            sources = _sources(argument, clause.constraint, passed)
            if sources is None:
                del candidates[position]
                continue
            candidates[position] |= {each for each in sources if isinstance(each, int)}
            flows[position] |= {each for each in sources if not isinstance(each, int)}
    return _closed(candidates, flows)


def _closed(candidates: dict[Position, set[int]], flows: Mapping[Position, set[Position]]) -> frozenset[Position]:
    """The candidates that take values from candidates alone, and few of them, but more than one."""
    changed = True
    while changed:
        changed = False
        for position in list(candidates):
            if not all(source in candidates for source in flows[position]):
                del candidates[position]
                changed = True
                continue
            found = set().union(candidates[position], *(candidates[source] for source in flows[position]))
            if len(found) > MOST_VALUES:
                del candidates[position]
                changed = True
            elif found != candidates[position]:
                candidates[position] = found
                changed = True
    return frozenset(position for position, found in candidates.items() if len(found) > 1)


def _passed(clause: Clause) -> dict[int, Position]:
    """Where each variable is an argument in the body."""
    return {
        terms.identity(argument): (atom.predicate.name, index)
        for atom in clause.body
        for index, argument in enumerate(atom.arguments)
        if terms.is_variable(argument)
    }


def _sources(term: Term, constraint: Term, passed: Mapping[int, Position]) -> Sources | None:
    """What the term can be where the constraint holds; None: anything."""
    direct = _leaves(term, passed)
    if direct is not None or not terms.is_variable(term):
        return direct
    return _equated(term, constraint, passed)


def _leaves(term: Term, passed: Mapping[int, Position]) -> Sources | None:
    """The constants and passed variables that a term of nested choices stands for."""
    found: set[int | Position] = set()
    stack = [term]
    seen: set[int] = set()
    while stack:
        current = stack.pop()
        identity = terms.identity(current)
        if identity in seen:
            continue
        seen.add(identity)
        if terms.is_ite(current):
            stack.extend(terms.children(current)[1:])
        elif terms.is_value(current):
            value = terms.as_number(current)
            found.add(value if isinstance(value, int) else 0)
        elif identity in passed:
            found.add(passed[identity])
        else:
            return None
    return frozenset(found)


def _equated(variable: Term, formula: Term, passed: Mapping[int, Position], depth: int = 0) -> Sources | None:
    """What a formula makes of a variable: one conjunct decides, all cases of a disjunction must."""
    if depth > DEEPEST:
        return None
    if terms.is_equation(formula):
        left, right = terms.children(formula)
        for one, other in ((left, right), (right, left)):
            if terms.same(one, variable):
                return _leaves(other, passed)
        return None
    if terms.is_and(formula):
        return next((f for f in _parts(variable, terms.conjuncts(formula), passed, depth) if f is not None), None)
    if terms.is_or(formula) or (terms.is_ite(formula) and terms.is_boolean(formula)):
        cases = terms.disjuncts(formula) if terms.is_or(formula) else terms.children(formula)[1:]
        found: set[int | Position] = set()
        for part in _parts(variable, cases, passed, depth):
            if part is None:
                return None
            found |= part
        return frozenset(found)
    return None


def _parts(
    variable: Term, formulas: Iterable[Term], passed: Mapping[int, Position], depth: int
) -> Iterable[Sources | None]:
    return (_equated(variable, formula, passed, depth + 1) for formula in formulas)
