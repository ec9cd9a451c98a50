"""Linear forms over exact rationals, the inequalities that a literal stands for, and Farkas' lemma about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

import z3

from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.plan import PLAN
from sorrel.smt.solver import Oracle, Sat


@dataclass(frozen=True, slots=True, eq=False)
class LinearForm:
    """Σ coefficient · column + constant. A column is a variable, or a term that is not linear, taken as one."""

    columns: Mapping[int, Term]  # by id; held, because ids of freed terms are reused
    coefficients: Mapping[int, Fraction]  # none is zero
    constant: Fraction

    def plus(self, other: LinearForm, factor: Fraction) -> LinearForm:
        coefficients = dict(self.coefficients)
        for column, coefficient in other.coefficients.items():
            coefficients[column] = coefficients.get(column, Fraction(0)) + factor * coefficient
        return LinearForm(
            {**self.columns, **other.columns},
            {column: coefficient for column, coefficient in coefficients.items() if coefficient},
            self.constant + factor * other.constant,
        )

    def times(self, factor: Fraction) -> LinearForm:
        return ZERO.plus(self, factor)

    @property
    def is_integral(self) -> bool:
        """All columns are integers; then the form can be scaled to one with integer values."""
        return all(terms.is_integer(self.columns[column]) for column in self.coefficients)

    def scaled(self) -> LinearForm:
        """A positive multiple of this form with integer coefficients; an integer constant too."""
        return self.times(Fraction(lcm(*(n.denominator for n in (*self.coefficients.values(), self.constant)))))

    def term(self) -> Term:
        """The form, which must have integer coefficients, as a term."""
        parts = [
            self.columns[column] if coefficient == 1 else int(coefficient) * self.columns[column]
            for column, coefficient in self.coefficients.items()
        ]
        if self.constant or not parts:
            parts.append(z3.IntVal(int(self.constant)))
        return parts[0] if len(parts) == 1 else z3.Sum(parts)

    def at_least_zero(self) -> Term:
        """form ≥ 0, written with positive coefficients on both sides and divided by what they have in common."""
        form = _divided(self.scaled())
        plus = [(c, n) for c, n in form.coefficients.items() if n > 0]
        minus = [(c, -n) for c, n in form.coefficients.items() if n < 0]
        left = LinearForm(form.columns, dict(plus), Fraction(0))
        right = LinearForm(form.columns, dict(minus), -form.constant)
        if not plus:
            return terms.simplify(LinearForm(form.columns, dict(minus), Fraction(0)).term() <= int(form.constant))
        return left.term() >= right.term()


ZERO = LinearForm({}, {}, Fraction(0))


def _divided(form: LinearForm) -> LinearForm:
    """Integer coefficients without a common divisor; over integers the constant is rounded, which tightens it."""
    divisor = gcd(*(int(n) for n in form.coefficients.values()))
    if divisor <= 1:
        return form
    if form.is_integral:
        constant = Fraction(int(form.constant) // divisor)
    elif form.constant % divisor:
        return form
    else:
        constant = form.constant / divisor
    return LinearForm(form.columns, {c: n / divisor for c, n in form.coefficients.items()}, constant)


def linear_form(term: Term) -> LinearForm:
    """The term as a linear form; whatever is not linear becomes a column."""
    columns: dict[int, Term] = {}
    coefficients: dict[int, Fraction] = {}
    constant = Fraction(0)
    stack = [(terms.simplify(term), Fraction(1))]
    while stack:
        current, factor = stack.pop()
        number = terms.as_number(current)
        if number is not None:
            constant += factor * Fraction(number)
            continue
        parts = _summands(current)
        if parts is not None:
            stack.extend((part, factor * by) for part, by in reversed(parts))
            continue
        identity = current.get_id()
        columns[identity] = current
        coefficients[identity] = coefficients.get(identity, Fraction(0)) + factor
    return LinearForm(columns, {c: n for c, n in coefficients.items() if n}, constant)


def _summands(term: Term) -> list[tuple[Term, Fraction]] | None:
    """What a sum, difference or multiple adds up, each with its factor; None for anything else."""
    children = terms.children(term)
    if z3.is_add(term):
        return [(child, Fraction(1)) for child in children]
    if z3.is_sub(term):
        return [(child, Fraction(-1 if index else 1)) for index, child in enumerate(children)]
    if z3.is_app_of(term, z3.Z3_OP_UMINUS):
        return [(children[0], Fraction(-1))]
    if z3.is_to_real(term):
        return [(children[0], Fraction(1))]
    if z3.is_mul(term) and len(children) == 2:
        number = terms.as_number(children[0])
        if number is not None:
            return [(children[1], Fraction(number))]
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Inequality:
    """form ≥ 0, or form > 0 if `strict`."""

    form: LinearForm
    strict: bool = False


def inequalities(literal: Term) -> list[Inequality] | None:
    """Inequalities that say what the literal says; None if it is not a conjunction of linear ones.

    Over integers no inequality is strict: f > 0 is f ≥ 1.
    """
    positive = not terms.is_not(literal)
    atom = literal if positive else terms.children(literal)[0]
    sides = terms.children(atom)
    if len(sides) != 2 or not all(map(terms.is_arithmetic, sides)):
        return None
    left, right = map(linear_form, sides)
    up, down = right.plus(left, Fraction(-1)), left.plus(right, Fraction(-1))
    if terms.is_equation(atom):
        return [_tight(up, False), _tight(down, False)] if positive else None
    if z3.is_le(atom):
        return [_tight(up, False)] if positive else [_tight(down, True)]
    if z3.is_lt(atom):
        return [_tight(up, True)] if positive else [_tight(down, False)]
    if z3.is_ge(atom):
        return [_tight(down, False)] if positive else [_tight(up, True)]
    if z3.is_gt(atom):
        return [_tight(down, True)] if positive else [_tight(up, False)]
    return None


def _tight(form: LinearForm, strict: bool) -> Inequality:
    if not form.is_integral:
        return Inequality(form, strict)
    scaled = form.scaled()
    return Inequality(_divided(scaled.plus(_ONE, Fraction(-1)) if strict else scaled))


_ONE = LinearForm({}, {}, Fraction(1))


def combination(inequalities: Sequence[Inequality], multipliers: Iterable[Fraction]) -> LinearForm:
    """Σ multiplier · form, which is at least zero where the inequalities hold and the multipliers are not negative."""
    total = ZERO
    for inequality, multiplier in zip(inequalities, multipliers, strict=True):
        if multiplier:
            total = total.plus(inequality.form, multiplier)
    return total


def refutation(oracle: Oracle, given: Sequence[Inequality], seconds: float = PLAN.multipliers) -> list[Fraction] | None:
    """Multipliers ≥ 0 under which the inequalities add up to a contradiction (Farkas), as few as can be.

    None if there are none over the rationals, or strict inequalities are involved. The few come first: an
    irreducible part of the inequalities, whose multipliers are then unique up to a factor.
    """
    if any(inequality.strict for inequality in given):
        return None
    reals = _Reals()
    needed = oracle.core((), [reals.term(inequality.form) >= 0 for inequality in given], "farkas.core", seconds)
    if needed is None:
        return None
    multipliers = [z3.Real(f"multiplier!{index}") for index in needed]
    chosen = [given[index].form for index in needed]
    system = [m >= 0 for m in multipliers]
    system += [total == 0 for total in column_totals(chosen, multipliers).values()]
    system.append(z3.Sum([m * rational(form.constant) for m, form in zip(multipliers, chosen, strict=True)]) == -1)
    match oracle.check(*system, kind="farkas", seconds=seconds):
        case Sat(model):
            found = [Fraction(0)] * len(given)
            for index, multiplier in zip(needed, multipliers, strict=True):
                found[index] = rational_value(model.eval(multiplier, model_completion=True))
            return found
    return None


class _Reals:
    """Forms as terms over one real variable for each column."""

    def __init__(self) -> None:
        self._variables: dict[int, Term] = {}

    def term(self, form: LinearForm) -> Term:
        parts = [rational(form.constant)]
        for column, coefficient in form.coefficients.items():
            variable = self._variables.setdefault(column, z3.Real(f"column!{len(self._variables)}"))
            parts.append(rational(coefficient) * variable)
        return z3.Sum(parts)


def column_totals(forms: Sequence[LinearForm], multipliers: Sequence[Term]) -> dict[int, Term]:
    """For each column, the coefficient it has in Σ multiplier · form."""
    totals: dict[int, list[Term]] = {}
    for form, multiplier in zip(forms, multipliers, strict=True):
        for column, coefficient in form.coefficients.items():
            totals.setdefault(column, []).append(rational(coefficient) * multiplier)
    return {column: z3.Sum(parts) for column, parts in totals.items()}


@lru_cache(maxsize=4096)
def rational(number: Fraction) -> Term:
    """The number as a term; linear programs mention few numbers often."""
    return z3.RealVal(f"{number.numerator}/{number.denominator}")


def rational_value(value: Term) -> Fraction:
    """A number of a model of linear constraints, which is rational."""
    number = terms.as_number(value)
    if number is None:
        raise InternalError("a linear program has a solution that is not rational")
    return Fraction(number)
