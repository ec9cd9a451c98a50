"""Every result of the machine's floating-point arithmetic is one that the clauses allow."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.encode.expressions import Evaluation
from sorrel.encode.floats import INFINITE, Floats
from sorrel.encode.integers import Integers
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.scope import Scope
from sorrel.logic import operations, terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.program.construction import binary
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import (
    COMPARISONS,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.rounding import nearest
from sorrel.program.types import BOOLEAN, DOUBLE, SINGLE, Float, Machine, Type
from sorrel.program.value import Value
from sorrel.smt.solver import Oracle, Sat, Undecided

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]
INT = Machine(32, True)
LONG = Machine(64, False)
OPERATORS = (Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE)
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 4.0, 0.1, 3.0, 100.0, 1e30, -3e38, 3.4e38, 1e-40, 1e308, 5e-324)
SCOPE = tuple(Variable(f"{letter}{type}", type) for type in (SINGLE, DOUBLE, INT, LONG) for letter in "xy")


def _expression(draw: Draw, type: Type, depth: int) -> Expression:
    leaves: list[Expression] = [each for each in SCOPE if each.type == type]
    if depth == 0:
        if isinstance(type, Float) and draw(st.booleans()):
            number = nearest(Fraction(draw(st.sampled_from([0.0, 1.0, 2.0, 0.5, 0.1, 4.0, 1e30]))), type)
            return Constant(Fraction(number), type)
        chosen: Expression = draw(st.sampled_from(leaves or [Constant(True, BOOLEAN)]))
        return chosen
    if type == BOOLEAN:
        size = draw(st.sampled_from((SINGLE, DOUBLE)))
        operator = draw(st.sampled_from(sorted(COMPARISONS)))
        return binary(operator, _expression(draw, size, depth - 1), _expression(draw, size, depth - 1))
    if isinstance(type, Machine):
        return Convert(_expression(draw, draw(st.sampled_from((SINGLE, DOUBLE))), depth - 1), type)
    match draw(st.integers(0, 7)):
        case 0:
            return Unary(UnaryOperator.NEGATE, _expression(draw, type, depth - 1), type)
        case 1:
            source = draw(st.sampled_from((SINGLE, DOUBLE, INT, LONG)))
            return Convert(_expression(draw, source, depth - 1), type)
        case 2:
            sides = (_expression(draw, type, depth - 1), _expression(draw, type, depth - 1))
            return Conditional(_expression(draw, BOOLEAN, depth - 1), *sides, type)
        case _:
            operator = draw(st.sampled_from(OPERATORS))
            return binary(operator, _expression(draw, type, depth - 1), _expression(draw, type, depth - 1))


def _number(draw: Draw, type: Type) -> Value:
    if isinstance(type, Machine):
        return int(draw(st.integers(type.smallest, type.largest)))
    if isinstance(type, Float):
        drawn = float(draw(st.sampled_from(NUMBERS) | (st.floats(width=32) if type == SINGLE else st.floats())))
        return nearest(Fraction(drawn), type) if drawn and math.isfinite(drawn) else drawn
    raise AssertionError(type)


def _told(value: Value) -> Term:
    """The term that stands for a value."""
    if not isinstance(value, float):
        return operations.truth(value) if isinstance(value, bool) else terms.integer(int(str(value)))
    if math.isnan(value):
        return operations.real(2 * INFINITE)
    return operations.real(Fraction(value) if math.isfinite(value) else Fraction(math.copysign(1, value)) * INFINITE)


def _is_possible(formula: Term) -> bool:
    result = Oracle().check(formula)
    assert not isinstance(result, Undecided)
    return isinstance(result, Sat)


@pytest.mark.parametrize("ranged", [pytest.param(False, marks=pytest.mark.long), True])
@given(data=st.data())
def test_what_the_machine_computes_is_possible(ranged: bool, data: st.DataObject) -> None:
    types: list[Type] = [SINGLE, DOUBLE, INT, BOOLEAN]
    type = data.draw(st.sampled_from(types))
    drawn = _expression(data.draw, type, data.draw(st.integers(1, 3)))
    values = {each.name: _number(data.draw, each.type) for each in SCOPE}
    semantics = Integers(ranged=ranged)
    semantics.floats = Floats(
        [Fraction(1, 2), Fraction(100), Fraction(nearest(Fraction(1, 10), SINGLE)), Fraction(0.1)]
    )
    try:
        wanted = evaluate(compile(drawn, frozenset()), values, {}, lambda *_: 0)
    except UndefinedOperation:
        return
    variables = {each.name: terms.variable(each.name, semantics.sort(each.type)) for each in SCOPE}
    scope = Scope(Names(variables), Knowledge())
    found = Evaluation(semantics, variables, scope).run(drawn)
    chosen = [operations.equal(variables[name], _told(value)) for name, value in values.items()]
    above = isinstance(wanted, float) and math.isnan(wanted)
    right = operations.less(operations.real(INFINITE), found) if above else operations.equal(found, _told(wanted))
    assert _is_possible(terms.conjunction([*chosen, *scope.assumptions, right]))


@pytest.mark.parametrize("type", [SINGLE, DOUBLE])
def test_what_the_machine_never_computes_is_excluded(type: Float) -> None:
    """The facts are no empty ones: neither is a sum below its larger term, nor a product above one."""
    semantics = Integers(ranged=False)
    x, y = Variable("x", type), Variable("y", type)
    variables = {each.name: terms.variable(each.name, terms.REAL) for each in (x, y)}
    scope = Scope(Names(variables), Knowledge())
    total = Evaluation(semantics, variables, scope).run(binary(Operator.ADD, x, y))
    zero, one = operations.real(Fraction(0)), operations.real(Fraction(1))
    inside = [operations.at_most(zero, each) for each in variables.values()]
    inside += [operations.at_most(each, one) for each in variables.values()]
    assert not _is_possible(terms.conjunction([*inside, *scope.assumptions, operations.less(total, variables["y"])]))
    two = operations.real(Fraction(2))
    assert not _is_possible(terms.conjunction([*inside, *scope.assumptions, operations.less(two, total)]))
    assert _is_possible(terms.conjunction([*inside, *scope.assumptions, operations.equal(two, total)]))


def _negative(operand: Expression, type: Float) -> Expression:
    return Unary(UnaryOperator.NEGATE, operand, type)


@pytest.mark.parametrize("type", [SINGLE, DOUBLE])
def test_zeros_of_both_signs_have_quotients_of_both_signs(type: Float) -> None:
    """`x + 0.0`, `0.0 - x` and `-0.0` have the terms that `x`, `-x` and `0.0` have, and are zeros of another sign."""
    x, zero, one = Variable("x", type), Constant(Fraction(0), type), Constant(Fraction(1), type)
    pairs = (
        (x, binary(Operator.ADD, x, zero)),
        (_negative(x, type), binary(Operator.SUBTRACT, zero, x)),
        (zero, _negative(zero, type)),
    )
    for divisors in pairs:
        variables = {"x": terms.variable("x", terms.REAL)}
        scope = Scope(Names(variables), Knowledge())
        evaluation = Evaluation(Integers(ranged=False), variables, scope)
        positive, negative = (evaluation.run(binary(Operator.DIVIDE, one, each)) for each in divisors)
        infinite = [operations.equal(positive, _told(math.inf)), operations.equal(negative, _told(-math.inf))]
        is_zero = operations.equal(variables["x"], _told(0.0))
        assert _is_possible(terms.conjunction([is_zero, *scope.assumptions, *infinite]))
