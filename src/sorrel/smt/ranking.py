"""Ranking functions by Farkas' lemma over exact rationals (Podelski, Rybalchenko), lexicographic ones by Alias et al.

A transition is a conjunction of literals over variables before and after, and any others. Its linear
inequalities imply that a function f(v) = r·v + d is bounded and decreases exactly if f(v) and f(v) − f(v′) − 1 are
sums of them with multipliers that are not negative, plus something not negative: a linear program. Other literals
are left out: what is ranked then is a larger relation.

Some steps decrease a function only once another one has become negative: a ball that is thrown upwards falls when its
speed has turned. Functions f₁, …, fₖ are nested (Leike and Heizmann, LMCS 2015; Ben-Amram and Genaim, CAV 2017) if on
every step f₁ decreases by at least 1, fᵢ by at least 1 − fᵢ₋₁(v), and fₖ(v) ≥ 0. While fᵢ₋₁ is negative it stays so and
fᵢ decreases, so the functions cut off below 0 (−1 stands for all that is negative) are a lexicographic rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import z3

from sorrel.logic import operations, terms
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.linear import Inequality, LinearForm, column_totals, inequalities, rational, rational_value
from sorrel.smt.plan import PLAN
from sorrel.smt.solver import Oracle, Sat, Session

MOST_PHASES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """A conjunction of literals that relates `before` to `after`, which are distinct variables, place by place."""

    before: tuple[Term, ...]
    after: tuple[Term, ...]
    literals: tuple[Term, ...]


def lexicographic_rank(oracle: Oracle, transitions: Sequence[Transition]) -> tuple[Term, ...] | None:
    """Terms f₁, …, fₖ over `before`: on each transition some fⱼ is bounded and decreases, and none before it increases.

    The transitions have the same `before` and `after`. Greedy: a function that decreases on some and increases on
    none of those that are left is never a wrong choice. Where there is none, nested functions for all that are left.
    """
    waiting = [_Cube.of(transition) for transition in transitions]
    components: list[Term] = []
    while waiting:
        found = _next_component(oracle, waiting)
        if found is None:
            nested = _nested(oracle, waiting)
            return None if nested is None else (*components, *nested)
        component, waiting = found
        components.append(component)
    return tuple(components)


def longest_rank(oracle: Oracle, transitions: Sequence[Transition]) -> tuple[Term, ...]:
    """The same for as many of the transitions as can be: on the others nothing is claimed, but that none increases."""
    waiting = [_Cube.of(transition) for transition in transitions]
    components: list[Term] = []
    while waiting and (found := _next_component(oracle, waiting)) is not None:
        component, waiting = found
        components.append(component)
    return tuple(components)


def _next_component(oracle: Oracle, waiting: list[_Cube]) -> tuple[Term, list[_Cube]] | None:
    program = _Program(oracle, waiting)
    if not any(program.demand_decrease(target) for target in range(len(waiting))):
        return None
    program.simplify()
    rest = [cube for index, cube in enumerate(waiting) if index not in program.decreasing]
    return program.function(), rest


@dataclass(frozen=True, slots=True, eq=False)
class _Cube:
    before: tuple[Term, ...]
    after: tuple[Term, ...]
    rows: tuple[Inequality, ...]

    @staticmethod
    def of(transition: Transition) -> _Cube:
        rows = [row for literal in transition.literals for row in inequalities(literal) or ()]
        return _Cube(transition.before, transition.after, tuple(rows))


def _nested(oracle: Oracle, waiting: list[_Cube]) -> tuple[Term, ...] | None:
    """Components for all of them by as few nested functions as can be."""
    for phases in range(2, MOST_PHASES + 1):
        program = _NestedProgram(oracle, waiting, phases)
        if program.solvable():
            program.simplify()
            *first, last = program.functions()
            return (*(operations.ite(each >= 0, each, terms.integer(-1)) for each in first), last)
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Function:
    """f(v) = Σ weight · v + offset, whose weights and offset are looked for."""

    before: tuple[Term, ...]
    weights: tuple[Term, ...]
    offset: Term

    @staticmethod
    def fresh(before: Sequence[Term], name: str) -> _Function:
        numbers = tuple(v for v in before if terms.is_arithmetic(v))
        weights = tuple(z3.Real(f"weight!{name}{index}") for index in range(len(numbers)))
        return _Function(numbers, weights, z3.Real(f"offset!{name}"))

    def at_before(self) -> dict[int, Term]:
        """f(v) without its offset, as weights of columns."""
        return {v.get_id(): w for v, w in zip(self.before, self.weights, strict=True)}

    def difference(self, cube: _Cube) -> dict[int, Term]:
        """f(v) − f(v′), as weights of columns."""
        at_after = {
            after.get_id(): -weight
            for before, after in zip(cube.before, cube.after, strict=True)
            for own, weight in zip(self.before, self.weights, strict=True)
            if own.eq(before)
        }
        return {**self.at_before(), **at_after}

    def term(self, model: Model) -> Term:
        """f with integer coefficients: a multiple of a ranking function is one."""
        numbers = [rational_value(model.eval(w, model_completion=True)) for w in (*self.weights, self.offset)]
        form = LinearForm(
            {v.get_id(): v for v in self.before},
            {v.get_id(): n for v, n in zip(self.before, numbers, strict=False) if n},
            numbers[-1],
        )
        return form.scaled().term()


class _LinearProgram:
    """Conditions on the weights of functions and on multipliers, and a solution of them."""

    def __init__(self, oracle: Oracle) -> None:
        self._session: Session = oracle.session("ranking")
        self._count = 0
        self._model: Model | None = None

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

    def solvable(self) -> bool:
        match self._session.check(seconds=PLAN.rank):
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

    def _simplify(self, function: _Function) -> None:
        """No offset if none is needed, then as few variables as can be: a simpler function ranks more.

        The offset first: a transition that starts from constants can be ranked by how far it is from them, which
        says nothing about the next one.
        """
        for number in (function.offset, *function.weights):
            self._keep_if_solvable(number == 0)
        for number in function.weights:
            for size in (1, -1):
                if self._keep_if_solvable(number == size):
                    break

    def _solution(self) -> Model:
        if self._model is None:
            raise InternalError("the linear program has not been solved")
        return self._model


class _Program(_LinearProgram):
    """The linear program for one function f over several cubes: non-increasing on all, decreasing on some."""

    def __init__(self, oracle: Oracle, cubes: Sequence[_Cube]) -> None:
        super().__init__(oracle)
        self.decreasing: set[int] = set()
        self._cubes = cubes
        self._function = _Function.fresh(cubes[0].before, "")
        for cube in cubes:
            self._session.add(*self._implied(cube, self._function.difference(cube), rational(Fraction(0))))

    def _decrease(self, index: int) -> list[Term]:
        cube = self._cubes[index]
        bounded = self._implied(cube, self._function.at_before(), self._function.offset)
        return [*bounded, *self._implied(cube, self._function.difference(cube), rational(Fraction(-1)))]

    def demand_decrease(self, first: int) -> bool:
        """On the first cube, if that can be, and then on as many others as can be."""
        if not self._keep_if_solvable(*self._decrease(first)):
            return False
        self.decreasing.add(first)
        for index in range(first + 1, len(self._cubes)):
            if self._keep_if_solvable(*self._decrease(index)):
                self.decreasing.add(index)
        return True

    def simplify(self) -> None:
        self._simplify(self._function)
        self.solvable()

    def function(self) -> Term:
        return self._function.term(self._solution())


class _NestedProgram(_LinearProgram):
    """The linear program for nested functions that rank every cube."""

    def __init__(self, oracle: Oracle, cubes: Sequence[_Cube], phases: int) -> None:
        super().__init__(oracle)
        self._functions = [_Function.fresh(cubes[0].before, f"{phase}!") for phase in range(phases)]
        for cube in cubes:
            self._session.add(*self._phases(cube))

    def _phases(self, cube: _Cube) -> Iterator[Term]:
        first, *_, last = self._functions
        yield from self._implied(cube, first.difference(cube), rational(Fraction(-1)))
        for outer, inner in pairwise(self._functions):
            weights = inner.difference(cube)
            for column, weight in outer.at_before().items():
                weights[column] = weights[column] + weight
            yield from self._implied(cube, weights, outer.offset - 1)
        yield from self._implied(cube, last.at_before(), last.offset)

    def simplify(self) -> None:
        for function in reversed(self._functions):
            self._simplify(function)
        self.solvable()

    def functions(self) -> list[Term]:
        """Each with integer coefficients; a function's sign is what the next one needs, so each may be scaled."""
        return [function.term(self._solution()) for function in self._functions]
