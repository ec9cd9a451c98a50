"""An asserted formula to Horn clauses, whatever Boolean shape it was written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.logic.walk import Mentions

MOST_CLAUSES = 4096

Application: TypeAlias = tuple[str, tuple[Term, ...]]
"""A predicate, by name, and its arguments."""


class NotHorn(Exception):
    """What keeps the formula from being a set of Horn clauses, and what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(slots=True)
class _Case:
    """A conjunction under construction: together its parts contradict the formula."""

    todo: list[tuple[Term, bool]]  # next last
    body: list[Application] = field(default_factory=list)
    heads: list[Application] = field(default_factory=list)
    constraint: list[Term] = field(default_factory=list)

    def branch(self, *items: tuple[Term, bool]) -> _Case:
        return _Case([*self.todo, *reversed(items)], list(self.body), list(self.heads), list(self.constraint))


def horn_clauses(
    formula: Term, predicates: frozenset[str]
) -> Iterator[tuple[Application | None, tuple[Application, ...], Term]]:
    """Head, body and constraint of each clause of an asserted formula.

    The clauses are the cases of the negated formula: what is true of a predicate in a case goes to the body,
    what is false is the head. Formulas without predicates stay whole. Bound variables keep their names
    unless a predicate or an outer variable has them.
    """
    names = Names(predicates)
    # An opened quantifier is a new term, unknown to the other oracles; each oracle keeps its own term alive.
    oracles = [] if terms.is_quantifier(formula) else [Mentions(formula, predicates)]
    cases = [_Case([(formula, False)])]
    produced = 0
    while cases:
        case = cases.pop()
        finished = _advance(case, cases, predicates, oracles, names)
        if not finished:
            continue
        produced += 1
        if produced > MOST_CLAUSES:
            raise NotHorn(
                f"this assertion stands for more than {MOST_CLAUSES} clauses",
                "Name a disjunction by a predicate of its own.",
            )
        constraint = terms.conjunction(case.constraint)
        if not terms.is_false(constraint):
            yield (case.heads[0] if case.heads else None), tuple(case.body), constraint


def _advance(
    case: _Case, cases: list[_Case], predicates: frozenset[str], oracles: list[Mentions], names: Names
) -> bool:
    """Work on a case until it is finished (True) or was split into others (False)."""
    while case.todo:
        term, positive = case.todo.pop()
        if terms.is_quantifier(term) and terms.is_exists(term) == positive:
            constants = [names.variable(name, sort) for name, sort in terms.bound_variables(term)]
            opened = terms.open_quantifier(term, constants)
            oracles.append(Mentions(opened, predicates))
            case.todo.append((opened, positive))
        elif terms.is_not(term):
            case.todo.append((term.arg(0), not positive))
        elif not any(oracle(term) for oracle in oracles):
            if _is_conjunction(term, positive):
                case.todo.extend(reversed(_alternatives(term, positive)[0]))
            else:
                case.constraint.append(term if positive else terms.negation(term))
        elif terms.is_quantifier(term):
            raise NotHorn(
                "a predicate stands under a quantifier that no Horn clause can express",
                "In a body variables may be quantified existentially, not universally.",
            )
        elif terms.is_application(term) and term.decl().name() in predicates and terms.is_boolean(term):
            _take_atom(case, term, positive, oracles)
        else:
            alternatives = _alternatives(term, positive)
            if len(alternatives) == 1:
                case.todo.extend(reversed(alternatives[0]))
            else:
                merged = _keep_theory_together(alternatives, oracles)
                cases.extend(case.branch(*items) for items in reversed(merged))
                return False
    return True


def _take_atom(case: _Case, term: Term, positive: bool, oracles: list[Mentions]) -> None:
    atom = (term.decl().name(), tuple(term.children()))
    if any(oracle(argument) for argument in atom[1] for oracle in oracles):
        raise NotHorn(
            f"a predicate stands inside an argument of {term.decl().name()}",
            "Arguments are terms without predicates.",
        )
    if positive:
        case.body.append(atom)
        return
    case.heads.append(atom)
    if len(case.heads) > 1:
        first, second = (name for name, _ in case.heads)
        raise NotHorn(
            f"assertion is not a Horn clause: two positive atoms, {first} and {second}",
            "A clause has at most one; split the assertion, or negate one atom.",
        )


def _is_conjunction(term: Term, positive: bool) -> bool:
    return terms.is_and(term) if positive else terms.is_or(term) or terms.is_implication(term)


def _alternatives(term: Term, positive: bool) -> list[list[tuple[Term, bool]]]:
    """The ways in which a Boolean combination can be true (or false, if not positive)."""
    children = term.children()
    if terms.is_and(term) or terms.is_or(term):
        signed = [(child, positive) for child in children]
        return [signed] if terms.is_and(term) == positive else [[item] for item in signed]
    if terms.is_implication(term):
        left, right = children
        return [[(left, False)], [(right, True)]] if positive else [[(left, True), (right, False)]]
    if terms.is_ite(term) and terms.is_boolean(term):
        condition, then, otherwise = children
        return [[(condition, True), (then, positive)], [(condition, False), (otherwise, positive)]]
    if len(children) == 2 and all(terms.is_boolean(child) for child in children):
        left, right = children
        if terms.is_equation(term) or terms.is_distinct(term):
            alike = positive if terms.is_equation(term) else not positive
            return [[(left, True), (right, alike)], [(left, False), (right, not alike)]]
    raise NotHorn(
        "a predicate stands inside a term or an operator that Horn clauses do not have",
        "Use predicates only as atoms under and, or, not, =>, ite and = between formulas.",
    )


def _keep_theory_together(
    alternatives: list[list[tuple[Term, bool]]], oracles: list[Mentions]
) -> list[list[tuple[Term, bool]]]:
    """Alternatives without predicates become one: x = 1 ∨ x = 2 is a constraint, not two clauses."""
    theory: list[Term] = []
    others: list[list[tuple[Term, bool]]] = []
    for items in alternatives:
        if len(items) == 1 and not any(oracle(items[0][0]) for oracle in oracles):
            term, positive = items[0]
            theory.append(term if positive else terms.negation(term))
        else:
            others.append(items)
    return [*([[(terms.disjunction(theory), True)]] if theory else []), *others]
