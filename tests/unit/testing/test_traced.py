"""Numbers that know how they depend on inputs."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable

import pytest

from sorrel.program.evaluation import binary_operation, conversion
from sorrel.program.expression import Operator
from sorrel.program.types import UNBOUNDED, Machine
from sorrel.testing.traced import Factors, Traced, factors_of

INT, BYTE, CHAR = Machine(32, True), Machine(8, False), Machine(8, True)


def input_number(value: int, position: int = 0) -> Traced:
    return Traced.of(value, {position: 1}, lambda difference, factors: None)


def test_a_traced_number_computes_as_any_other() -> None:
    chance = random.Random(0)
    pairs = [(chance.randint(-300, 300), chance.choice((1, 2, 7, 255, 256, 300))) for _ in range(200)]
    operations = (operator.add, operator.sub, operator.mul, operator.mod, operator.and_, operator.or_, operator.xor)
    comparisons = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
    for left, right in pairs:
        for operation in (*operations, *comparisons):
            expected = operation(left, right)
            assert expected == int(operation(input_number(left), right))
            assert expected == int(operation(input_number(left), input_number(right, 1)))
            if operation is not operator.mod:
                assert operation(right, left) == int(operation(right, input_number(left)))


def test_what_a_digit_stands_for_depends_on_the_character() -> None:
    byte = conversion(BYTE, CHAR)(input_number(53))
    digit = binary_operation(Operator.SUBTRACT, INT)(conversion(CHAR, INT)(byte), 48)
    doubled = binary_operation(Operator.MULTIPLY, INT)(2, digit)
    assert doubled == 10
    assert factors_of(conversion(INT, UNBOUNDED)(doubled)) == {0: 2}


@pytest.mark.parametrize(
    ("compare", "difference", "factors"),
    [
        (lambda a, b: a == 7, -4, {0: 1}),
        (lambda a, b: a + b < 2 * b, -2, {0: 1, 1: -1}),
        (lambda a, b: 3 * a <= 10, -1, {0: 3}),
    ],
)
def test_a_comparison_tells_its_difference_and_what_that_depends_on(
    compare: Callable[[int, int], bool], difference: int, factors: Factors
) -> None:
    heard: list[tuple[int, Factors]] = []
    a, b = (Traced.of(value, {at: 1}, lambda *told: heard.append(told)) for at, value in enumerate((3, 5)))
    compare(a, b)
    assert heard == [(difference, factors)]
