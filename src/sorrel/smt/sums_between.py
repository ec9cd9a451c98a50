"""Interpolants that are sums: between a body and an environment, cube by cube, by Farkas' lemma.

`interpolate` asks which literals of the environment a body excludes; here inequalities of the body are added up, so
that x′ ≤ x + 2 is found where the environment says x = 0 and x′ = 100. What is returned is an interpolant because of
the two questions with which the loops end: no model of the body is left outside of it, and none of the environment
inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import z3

from sorrel.logic import operations, terms, walk
from sorrel.logic.evaluate import Model, implicant, value_in
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER, QUESTION
from sorrel.smt import units
from sorrel.smt.linear import Inequality, LinearForm, combination, inequalities, refutation
from sorrel.smt.plan import PLAN
from sorrel.smt.projection import project_cube
from sorrel.smt.solver import Oracle, Sat, Unsat

ENVIRONMENT_LIMIT, BODY_LIMIT = 16, 24
"""Cubes on each side: more enumerate cases, which does not generalise."""
BOUND_LIMIT = 12
"""Cubes of the body in which a sum has a smaller value than in those before."""


def sums_between(
    oracle: Oracle, body: Term, environment: Term, shared: Sequence[Term], seconds: float = PLAN.interpolation
) -> Term | None:
    """A formula I over `shared` with body ⇒ I and I ∧ environment unsatisfiable; None if sums do not give any."""
    question = _Question(oracle, body, tuple(shared), oracle.clock.share(1.0, seconds))
    own = question.locals_of(environment)
    session = oracle.session("sums.environment")
    session.add(environment)
    found: list[Term] = []
    while True:
        match session.check(seconds=question.clock.remaining()):
            case Unsat():
                return terms.conjunction(found)
            case Sat(model) if len(found) < ENVIRONMENT_LIMIT:
                against = question.against(_sided(project_cube(oracle, environment, model, own), model))
            case _:
                return None
        if against is None:
            return None
        found.append(against)
        session.add(against)


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    oracle: Oracle
    body: Term
    shared: tuple[Term, ...]
    clock: Clock

    def locals_of(self, formula: Term) -> list[Term]:
        common = {variable.get_id() for variable in self.shared}
        return [variable for variable in walk.free_variables(formula) if variable.get_id() not in common]

    def against(self, cube: Sequence[Term]) -> Term | None:
        """A disjunction that the body implies and the cube excludes: an alternative for each cube of the body."""
        needed = self.oracle.core([self.body], cube, "sums.core", self.clock.remaining())
        if needed is None:
            return None
        outside = [cube[index] for index in needed]
        session = self.oracle.plain_session("sums.body")
        session.add(self.body)
        found: list[Term] = []
        while True:
            match session.check(seconds=self.clock.remaining()):
                case Unsat():
                    return self._needed(found)
                case Sat(model) if len(found) < BODY_LIMIT:
                    between = self._between(_cube(self.body, model), outside)
                case _:
                    return None
            if between is None:
                return None
            if isinstance(between, LinearForm):
                alone = self._alone(between, outside)
                if alone is not None:
                    return alone
                between = between.at_least_zero()
            found.append(between)
            session.add(terms.negation(between))

    def _needed(self, alternatives: Sequence[Term]) -> Term:
        """Later alternatives often say what earlier ones do: as few as the body implies together."""
        if len(alternatives) < 2:
            return terms.disjunction(alternatives)
        against = [terms.negation(each) for each in alternatives]
        kept = self.oracle.core([self.body], against, "sums.core", self.clock.remaining())
        return terms.disjunction(alternatives if kept is None else [alternatives[index] for index in kept])

    def _alone(self, form: LinearForm, outside: Sequence[Term]) -> Term | None:
        """The sum with the largest bound below that the whole body has, if that excludes the cube."""
        form = LinearForm(form.columns, form.coefficients, Fraction(0)).scaled()
        if not (form.coefficients and form.is_integral):
            return None
        sum_ = form.term()
        allowed = _highest(outside, sum_, self.clock)
        session = self.oracle.plain_session("sums.body")
        session.add(self.body)
        least: int | None = None
        for _ in range(BOUND_LIMIT if allowed is not None else 0):
            match session.check(seconds=self.clock.remaining()):
                case Unsat():
                    return None if least is None else form.plus(_number(-least), Fraction(1)).at_least_zero()
                case Sat(model):
                    lower = _highest(_cube(self.body, model), -sum_, self.clock)
                case _:
                    return None
            if lower is None or allowed is None or -lower <= allowed:
                return None
            least = -lower
            session.add(sum_ < least)
        return None

    def _between(self, inside: Sequence[Term], outside: Sequence[Term]) -> Term | LinearForm | None:
        """What literals of the body say that contradicts the others: a literal, or a sum that is not negative."""
        opposite = {terms.simplify(terms.negation(literal)).get_id() for literal in outside}
        for literal in inside:
            if not self.locals_of(literal) and terms.simplify(literal).get_id() in opposite:
                return literal
        below = _inequalities(inside)
        multipliers = refutation(self.oracle, [*below, *_inequalities(outside)], self.clock.remaining(PLAN.multipliers))
        if multipliers is None:
            return None
        total = combination(below, multipliers[: len(below)])
        return None if self.locals_of(total.at_least_zero()) else total


def _number(value: int) -> LinearForm:
    return LinearForm({}, {}, Fraction(value))


def _highest(cube: Sequence[Term], sum_: Term, clock: Clock) -> int | None:
    """The largest value of a sum in a cube; None if there is none, or none was found."""
    seconds = clock.remaining(PLAN.highest)
    if seconds <= 0:
        return None
    optimizer = z3.Optimize()
    optimizer.set(**units.limits(seconds, clock))
    counter = units.counter()
    try:
        optimizer.add(*cube)
        handle = optimizer.maximize(sum_)
        decided = optimizer.check() == z3.sat
        return operations.literal(optimizer.upper(handle)) if decided else None
    except z3.Z3Exception:
        return None
    finally:
        METER.add(QUESTION)
        counter.charge()


def _inequalities(literals: Sequence[Term]) -> list[Inequality]:
    return [each for literal in literals for each in inequalities(literal) or () if not each.strict]


def _cube(formula: Term, model: Model) -> list[Term]:
    return _sided(implicant(formula, lambda part: terms.is_true(value_in(model, part))), model)


def _sided(literals: Sequence[Term], model: Model) -> list[Term]:
    """For ≠ between numbers the side that the model is on."""
    return [_side(literal, model) for literal in literals]


def _side(literal: Term, model: Model) -> Term:
    equation = terms.children(literal)[0] if terms.is_not(literal) else literal
    if equation is literal or not terms.is_equation(equation):
        return literal
    left, right = terms.children(equation)
    if not terms.is_integer(left):
        return literal
    below = left <= right - z3.IntVal(1)
    return below if terms.is_true(value_in(model, below)) else right <= left - z3.IntVal(1)
