"""An asserted formula to Horn clauses, whatever Boolean shape it was written in."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import field
from typing import TypeAlias

from sorrel.logic import pointers, terms, walk
from sorrel.logic.names import Names
from sorrel.logic.pointers import Objects
from sorrel.logic.terms import Term
from sorrel.logic.walk import Mentions
from sorrel.model.values import dataclass

MOST_CLAUSES = 4096
"""How many clauses an assertion may stand for beyond the number of its own nodes."""

Application: TypeAlias = tuple[str, tuple[Term, ...]]
"""A predicate, by name, and its arguments."""

HornCase: TypeAlias = tuple[Application | None, tuple[Application, ...], Term]
"""Head, body and constraint of a clause, by the names of its predicates."""


class Shared:
    """What the formulas of one file have in common: predicates, objects for terms, who mentions whom."""

    def __init__(self, predicates: frozenset[str]) -> None:
        self.predicates = predicates
        self.objects = Objects()
        self.mentions = Mentions(None, predicates)


class NotHornError(Exception):
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
    done: set[tuple[int, bool]] = field(default_factory=set)  # shared subformulas count once

    def branch(self, items: list[tuple[Term, bool]]) -> _Case:
        return _Case(
            [*self.todo, *reversed(items)],
            list(self.body),
            list(self.heads),
            list(self.constraint),
            set(self.done),
        )


def horn_clauses(
    formula: Term,
    predicates: frozenset[str],
    *,
    reserved: Container[str] | None = None,
    shared: Shared | None = None,
) -> Iterator[HornCase]:
    """Head, body and constraint of each clause of an asserted formula.

    The clauses are the cases of the negated formula: what is true of a predicate in a case goes to the body,
    what is false is the head. Formulas without predicates stay whole. Bound variables keep their names
    unless a predicate, a free or an outer variable has them, or `reserved` holds them. Callers that read many
    formulas pass one `shared` for all.
    """
    return _Splitter(formula, reserved, shared or Shared(predicates)).clauses()


def written_clause(formula: Term, reserved: Container[str], shared: Shared) -> HornCase | None:
    """The clause as `horn.text` writes it, taken literally: ∀ variables. body ∧ constraint ⇒ head.

    None if the formula has another shape. What is written for a machine must come back as it was: no atom
    dropped because it stands there twice, and no constraint rearranged.
    """
    if terms.is_forall(formula):
        bound = pointers.bound(pointers.address(formula))
        if any(name in reserved for name, _ in bound):
            return None
        formula = terms.open_quantifier(formula, [shared.objects.constant(name, sort) for name, sort in bound])
    if not terms.is_implication(formula):
        return None
    premise, conclusion = terms.children(formula)
    body: list[Application] = []
    constraint: list[Term] = []
    for part in terms.conjuncts(premise):
        atom = _application(part, shared)
        if atom is not None:
            body.append(atom)
        elif shared.mentions(part):
            return None
        else:
            constraint.append(part)
    if terms.is_false(conclusion):
        return None, tuple(body), terms.conjunction(constraint)
    head = _application(conclusion, shared)
    return None if head is None else (head, tuple(body), terms.conjunction(constraint))


def _application(term: Term, shared: Shared) -> Application | None:
    """A predicate applied to terms without predicates, or None if the term is something else."""
    if not terms.is_uninterpreted(term) or terms.name_of(term) not in shared.predicates:
        return None
    arguments = tuple(map(shared.objects, pointers.arguments(pointers.address(term))))
    return None if any(map(shared.mentions, arguments)) else (terms.name_of(term), arguments)


class _Splitter:
    def __init__(self, formula: Term, reserved: Container[str] | None, shared: Shared) -> None:
        self._shared = shared
        self._mentions = shared.mentions
        self._cases = [_Case([(formula, False)])]
        if reserved is None:
            free = map(terms.name_of, walk.free_variables(formula))
            self._names = Names(free, reserved=shared.predicates)
        else:
            self._names = Names(reserved=reserved)
        self._most = MOST_CLAUSES
        self._formula = formula
        self._alive: list[Term] = []

    def clauses(self) -> Iterator[HornCase]:
        produced = 0
        while self._cases:
            case = self._cases.pop()
            if not self._advance(case):
                continue
            produced += 1
            if produced == MOST_CLAUSES:
                self._most += walk.size(self._formula)
            if produced > self._most:
                raise NotHornError(
                    f"this assertion stands for more than {MOST_CLAUSES} clauses",
                    "Name a disjunction by a predicate of its own.",
                )
            constraint = terms.conjunction(case.constraint)
            if not terms.is_false(constraint):
                yield (case.heads[0] if case.heads else None), tuple(case.body), constraint

    def _advance(self, case: _Case) -> bool:
        """Work on a case until it is finished (True) or was split into others (False)."""
        while case.todo:
            term, positive = case.todo.pop()
            self._alive.append(term)  # an opened quantifier is a new term: once freed, its address would be reused
            key = (pointers.address(term), positive)
            if key in case.done:
                continue
            case.done.add(key)
            if terms.is_quantifier(term):
                self._take_quantifier(case, term, positive)
            elif not self._mentions(term):
                self._take_theory(case, term, positive)
            elif terms.is_not(term):
                case.todo.append((terms.children(term)[0], not positive))
            elif terms.is_uninterpreted(term):
                self._take_atom(case, term, positive)
            else:
                alternatives = _alternatives(term, positive)
                if len(alternatives) > 1:
                    alternatives = self._keep_theory_together(alternatives)
                if len(alternatives) > 1:
                    self._cases.extend(case.branch(items) for items in reversed(alternatives))
                    return False
                case.todo.extend(reversed(alternatives[0]))
        return True

    def _take_theory(self, case: _Case, term: Term, positive: bool) -> None:
        """A formula without predicates goes to the constraint, conjunctions and negations taken apart."""
        if terms.is_not(term):
            case.todo.append((terms.children(term)[0], not positive))
        elif terms.is_and(term) if positive else terms.is_or(term) or terms.is_implication(term):
            case.todo.extend(reversed(_alternatives(term, positive)[0]))
        else:
            case.constraint.append(term if positive else terms.negation(term))

    def _take_quantifier(self, case: _Case, term: Term, positive: bool) -> None:
        if terms.is_exists(term) == positive:
            bound = pointers.bound(pointers.address(term))
            constants = [self._shared.objects.constant(self._names.fresh(name), sort) for name, sort in bound]
            opened = terms.open_quantifier(term, constants)
            case.todo.append((opened, positive))
        elif self._mentions(term):
            raise NotHornError(
                "a predicate stands under a quantifier that no Horn clause can express",
                "In a body variables may be quantified existentially, not universally.",
            )
        else:
            case.constraint.append(term if positive else terms.negation(term))

    def _take_atom(self, case: _Case, term: Term, positive: bool) -> None:
        atom = _application(term, self._shared)
        if atom is None:
            raise NotHornError(
                f"a predicate stands inside an argument of {terms.name_of(term)}",
                "Arguments are terms without predicates.",
            )
        if positive:
            case.body.append(atom)
            return
        case.heads.append(atom)
        if len(case.heads) > 1:
            first, second = (name for name, _ in case.heads)
            raise NotHornError(
                f"assertion is not a Horn clause: two positive atoms, {first} and {second}",
                "A clause has at most one; split the assertion, or negate one atom.",
            )

    def _keep_theory_together(self, alternatives: list[list[tuple[Term, bool]]]) -> list[list[tuple[Term, bool]]]:
        """Alternatives without predicates become one: x = 1 ∨ x = 2 is a constraint, not two clauses."""
        theory: list[Term] = []
        others: dict[tuple[tuple[int, bool], ...], list[tuple[Term, bool]]] = {}
        for items in alternatives:
            if any(self._mentions(term) for term, _ in items):
                others.setdefault(tuple((pointers.address(t), sign) for t, sign in items), items)
            else:
                signed = (term if positive else terms.negation(term) for term, positive in items)
                theory.append(terms.conjunction(signed))
        return [*([[(terms.disjunction(theory), True)]] if theory else []), *others.values()]


def _alternatives(term: Term, positive: bool) -> list[list[tuple[Term, bool]]]:
    """The ways in which a Boolean combination can be true (or false, if not positive)."""
    children = terms.children(term)
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
    raise NotHornError(
        "a predicate stands inside a term or an operator that Horn clauses do not have",
        "Use predicates only as atoms under and, or, not, =>, ite and = between formulas.",
    )
