"""Ranking functions by Farkas' lemma over exact rationals (Podelski, Rybalchenko), lexicographic ones by Alias et al.

A transition is a conjunction of literals over variables before and after, and any others. Its linear
inequalities imply that a function f(v) = r·v + d is bounded and decreases exactly if f(v) and f(v) − f(v′) − 1 are
sums of them with multipliers that are not negative, plus something not negative: a linear program. Other literals
are left out: what is ranked then is a larger relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import z3

from sorrel.errors import InternalError
from sorrel.logic import terms
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.smt.linear import (
    Inequality,
    LinearForm,
    column_totals,
    inequalities,
    rational,
    rational_value,
)
from sorrel.smt.solver import Oracle, Sat, Session

SECONDS = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """A conjunction of literals that relates `before` to `after`, which are distinct variables, place by place."""

    before: tuple[Term, ...]
    after: tuple[Term, ...]
    literals: tuple[Term, ...]


def linear_rank(oracle: Oracle, transition: Transition) -> Term | None:
    """A term over `before` that is at least 0 and decreases by at least 1 on every step, or None."""
    found = lexicographic_rank(oracle, [transition])
    return found[0] if found is not None and len(found) == 1 else None


def lexicographic_rank(oracle: Oracle, transitions: Sequence[Transition]) -> tuple[Term, ...] | None:
    """Terms f₁, …, fₖ over `before`: on each transition some fⱼ is bounded and decreases, and none before it increases.

    The transitions have the same `before` and `after`. Greedy: a function that decreases on some and increases on
    none of those that are left is never a wrong choice.
    """
    waiting = [_Cube.of(transition) for transition in transitions]
    components: list[Term] = []
    while waiting:
        found = _next_component(oracle, waiting)
        if found is None:
            return None
        component, waiting = found
        components.append(component)
    return tuple(components)


def _next_component(oracle: Oracle, waiting: list[_Cube]) -> tuple[Term, list[_Cube]] | None:
    for target in range(len(waiting)):
        program = _Program(oracle, waiting)
        program.demand_decrease(target)
        if program.solvable():
            program.demand_more_decreases()
            program.simplify()
            rest = [cube for index, cube in enumerate(waiting) if index not in program.decreasing]
            return program.function(), rest
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Cube:
    before: tuple[Term, ...]
    after: tuple[Term, ...]
    rows: tuple[Inequality, ...]

    @staticmethod
    def of(transition: Transition) -> _Cube:
        rows = [row for literal in transition.literals for row in inequalities(literal) or ()]
        return _Cube(transition.before, transition.after, tuple(rows))


class _Program:
    """The linear program for one function f over several cubes: non-increasing on all, decreasing on some."""

    def __init__(self, oracle: Oracle, cubes: Sequence[_Cube]) -> None:
        self.decreasing: set[int] = set()
        self._cubes = cubes
        self._session: Session = oracle.session("ranking")
        self._before = [v for v in cubes[0].before if terms.is_arithmetic(v)]
        self._weights = [z3.Real(f"weight!{index}") for index in range(len(self._before))]
        self._offset = z3.Real("offset")
        self._count = 0
        self._model: Model | None = None
        for cube in cubes:
            self._session.add(*self._implied(cube, self._difference(cube), rational(Fraction(0))))

    def _function(self) -> dict[int, Term]:
        return {v.get_id(): w for v, w in zip(self._before, self._weights, strict=True)}

    def _difference(self, cube: _Cube) -> dict[int, Term]:
        """f(v) − f(v′), as weights of columns."""
        at_after = {
            after.get_id(): -weight
            for before, after in zip(cube.before, cube.after, strict=True)
            for own, weight in zip(self._before, self._weights, strict=True)
            if own.eq(before)
        }
        return {**self._function(), **at_after}

    def _implied(self, cube: _Cube, weights: dict[int, Term], constant: Term) -> list[Term]:
        """Conditions on fresh multipliers under which the rows imply Σ weight · column + constant ≥ 0."""
        multipliers = [z3.Real(f"multiplier!{self._count + index}") for index in range(len(cube.rows))]
        self._count += len(multipliers)
        forms: list[LinearForm] = [row.form for row in cube.rows]
        totals = column_totals(forms, multipliers)
        conditions = [multiplier >= 0 for multiplier in multipliers]
        nothing = rational(Fraction(0))
        conditions += [totals.get(column, nothing) == weights.get(column, nothing) for column in {**totals, **weights}]
        constants = [m * rational(form.constant) for m, form in zip(multipliers, forms, strict=True)]
        conditions.append(z3.Sum([nothing, *constants]) <= constant)
        return conditions

    def _decrease(self, index: int) -> list[Term]:
        cube = self._cubes[index]
        bounded = self._implied(cube, self._function(), self._offset)
        return [*bounded, *self._implied(cube, self._difference(cube), rational(Fraction(-1)))]

    def demand_decrease(self, index: int) -> None:
        self.decreasing.add(index)
        self._session.add(*self._decrease(index))

    def solvable(self) -> bool:
        match self._session.check(seconds=SECONDS):
            case Sat(model):
                self._model = model
                return True
        return False

    def _keep_if_solvable(self, *conditions: Term) -> bool:
        self._session.push()
        self._session.add(*conditions)
        possible = self.solvable()
        self._session.pop()
        if possible:
            self._session.add(*conditions)
        return possible

    def demand_more_decreases(self) -> None:
        for index in range(len(self._cubes)):
            if index not in self.decreasing and self._keep_if_solvable(*self._decrease(index)):
                self.decreasing.add(index)

    def simplify(self) -> None:
        """No offset if none is needed, then as few variables as can be: a simpler function ranks more.

        The offset first: a transition that starts from constants can be ranked by how far it is from them, which
        says nothing about the next one.
        """
        for number in (self._offset, *self._weights):
            self._keep_if_solvable(number == 0)
        for number in self._weights:
            for size in (1, -1):
                if self._keep_if_solvable(number == size):
                    break
        self.solvable()

    def function(self) -> Term:
        """f with integer coefficients: a multiple of a ranking function is one."""
        model = self._model
        if model is None:
            raise InternalError("the linear program has not been solved")
        numbers = [rational_value(model.eval(w, model_completion=True)) for w in (*self._weights, self._offset)]
        form = LinearForm(
            {v.get_id(): v for v in self._before},
            {v.get_id(): n for v, n in zip(self._before, numbers, strict=False) if n},
            numbers[-1],
        )
        return form.scaled().term()
