"""Which expressions become functions of Python, and what they do at the edges of types."""

from __future__ import annotations

import pytest

from sorrel.program.construction import binary
from sorrel.program.evaluation import OFTEN, Code, UndefinedOperation, compile, evaluate
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.translation import DEEPEST
from sorrel.program.types import UNBOUNDED, Float, Machine, Type
from sorrel.program.value import Value

INT, UNSIGNED = Machine(32, True), Machine(32, False)


def no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise AssertionError(function)


def evaluated_often(expression: Expression, values: dict[str, Value]) -> Code:
    code = compile(expression, frozenset())
    for _ in range(OFTEN):
        evaluate(code, values, {}, no_function)
    return code


def test_what_is_evaluated_often_becomes_a_function() -> None:
    x = Variable("x", INT)
    code = evaluated_often(binary(Operator.ADD, x, Constant(1, INT)), {"x": 5})
    assert code.function is not None
    assert evaluate(code, {"x": 2**31 - 2}, {}, no_function) == 2**31 - 1
    with pytest.raises(UndefinedOperation, match=r"signed overflow in \+"):
        evaluate(code, {"x": 2**31 - 1}, {}, no_function)


def test_unsigned_numbers_wrap_around_in_functions() -> None:
    x = Variable("x", UNSIGNED)
    code = evaluated_often(binary(Operator.MULTIPLY, x, x), {"x": 3})
    assert code.function is not None
    assert evaluate(code, {"x": 2**31 + 1}, {}, no_function) == 1


def test_floats_stay_floats_in_functions() -> None:
    x = Variable("x", Float(64))
    code = evaluated_often(binary(Operator.ADD, x, Constant(2, Float(64))), {"x": 1.0})
    assert code.function is not None
    assert evaluate(code, {"x": 0.5}, {}, no_function) == 2.5


def test_deep_expressions_stay_with_the_stack_machine() -> None:
    sum: Expression = Variable("x", UNBOUNDED)
    for _ in range(20_000):
        sum = binary(Operator.ADD, sum, Constant(1, UNBOUNDED))
    code = evaluated_often(sum, {"x": 1})
    assert code.function is None
    assert evaluate(code, {"x": 2}, {}, no_function) == 20_002


def test_expressions_of_the_deepest_level_are_parsed_by_python() -> None:
    x = Variable("x", INT)
    sum: Expression = x
    for _ in range(DEEPEST):
        sum = binary(Operator.ADD, Constant(1, INT), sum)
    code = evaluated_often(sum, {"x": 1})
    assert code.function is not None
    assert evaluate(code, {"x": 2}, {}, no_function) == DEEPEST + 2
