"""Paths as goals that a runner can do: variables get values from equations, choices are made, calls are entered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sorrel.engines.whale.function import Path
from sorrel.logic import terms
from sorrel.logic.compiled import Calculation, calculations
from sorrel.logic.listing import NotListed
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """A condition on values."""

    condition: Calculation


@dataclass(frozen=True, slots=True, eq=False)
class Equation:
    """Two terms have the same value: the one tells that of a variable in the other."""

    left: Calculation
    right: Calculation


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of several lists of goals."""

    cases: tuple[tuple[Goal, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """The call of the path at a position, with these arguments."""

    position: int
    function: str
    arguments: tuple[Calculation, ...]


Goal: TypeAlias = Test | Equation | Choice | Call


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A path as goals over the places of its clause's variables; `returned` are the terms at its head."""

    path: Path
    goals: tuple[Goal, ...]
    returned: tuple[Calculation, ...]


def body(path: Path) -> Body | None:
    """None if the path is not one of numbers and truth values."""
    try:
        return _Writer(path).body()
    except NotListed:
        return None


class _Writer:
    """First all that is to be calculated is collected, since many functions are made as fast as one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wanted: dict[int, Term] = {}
        self._made: dict[int, Calculation] = {}

    def body(self) -> Body:
        plan = self._plan(self._path.constraint)
        calls = [call.arguments for call in self._path.calls]
        head = self._path.clause.head.arguments if self._path.clause.head else ()
        for term in (*head, *(argument for arguments in calls for argument in arguments)):
            self._want(term)
        made = calculations(self._path.clause.variables, list(self._wanted.values()))
        self._made = dict(zip(self._wanted, made, strict=True))
        goals = [self._built(goal) for goal in plan]
        entered = [
            Call(k, call.predicate.name, self._calculated(call.arguments)) for k, call in enumerate(self._path.calls)
        ]
        return Body(self._path, (*goals, *entered), self._calculated(head))

    def _want(self, term: Term) -> Term:
        self._wanted.setdefault(terms.identity(term), term)
        return term

    def _calculated(self, found: Iterable[Term]) -> tuple[Calculation, ...]:
        return tuple(self._made[terms.identity(term)] for term in found)

    def _plan(self, formula: Term) -> list[_Plan]:
        """The formula as literals and disjunctions of such lists, with all their terms wanted."""
        found: list[_Plan] = []
        lists = [(found, [formula])]
        while lists:
            own, stack = lists.pop()
            while stack:
                part = _pushed(stack.pop())
                if terms.is_and(part):
                    stack.extend(terms.children(part))
                elif terms.is_or(part):
                    common, rests = factored(terms.disjuncts(part))
                    stack.extend(common)
                    cases: list[list[_Plan]] = [[] for _ in rests]
                    lists += zip(cases, rests, strict=True)
                    own.append(cases)
                elif not terms.is_true(part):
                    sides = _sides(part)
                    for term in sides:
                        self._want(term)
                    own.append(sides)
        return found

    def _built(self, plan: _Plan) -> Goal:
        """Goals from the inside out."""
        done: dict[int, Goal] = {}
        stack: list[tuple[_Plan, bool]] = [(plan, False)]
        while stack:
            current, expanded = stack.pop()
            if isinstance(current, tuple):
                made = self._calculated(current)
                done[id(current)] = Equation(*made) if len(made) == 2 else Test(made[0])
            elif expanded:
                done[id(current)] = Choice(tuple(tuple(done[id(each)] for each in case) for case in current))
            else:
                stack.append((current, True))
                stack.extend((each, False) for case in current for each in case)
        return done[id(plan)]


_Plan: TypeAlias = "tuple[Term, ...] | list[list[_Plan]]"
"""A literal as its one or two terms, or the cases of a choice."""


def _pushed(formula: Term) -> Term:
    """A negation one level further in, and implications and decisions between formulas as disjunctions."""
    if terms.is_not(formula):
        (inner,) = terms.children(formula)
        if terms.is_and(inner):
            return terms.disjunction(terms.negation(each) for each in terms.conjuncts(inner))
        if terms.is_or(inner):
            return terms.conjunction(terms.negation(each) for each in terms.disjuncts(inner))
        if terms.is_implication(inner):
            left, right = terms.children(inner)
            return terms.conjunction([left, terms.negation(right)])
    elif terms.is_implication(formula):
        left, right = terms.children(formula)
        return terms.disjunction([terms.negation(left), right])
    elif terms.is_ite(formula):
        condition, then, otherwise = terms.children(formula)
        cases = [terms.conjunction([condition, then]), terms.conjunction([terms.negation(condition), otherwise])]
        return terms.disjunction(cases)
    return formula


def factored(disjuncts: Sequence[Term]) -> tuple[list[Term], list[list[Term]]]:
    """Conjuncts that all disjuncts share, and what is left of each."""
    parts = [{terms.identity(part): part for part in terms.conjuncts(each)} for each in disjuncts]
    shared = set(parts[0]).intersection(*parts[1:])
    common = [part for key, part in parts[0].items() if key in shared]
    return common, [[part for key, part in own.items() if key not in shared] for own in parts]


def _sides(literal: Term) -> tuple[Term, ...]:
    """An equation as its two sides, a truth value that is a variable as an equation, others as they are."""
    if terms.is_equation(literal):
        left, right = terms.children(literal)
        return left, right
    if terms.is_variable(literal):
        return literal, terms.TRUE
    if terms.is_not(literal):
        (inner,) = terms.children(literal)
        if terms.is_variable(inner):
            return inner, terms.FALSE
    return (literal,)
