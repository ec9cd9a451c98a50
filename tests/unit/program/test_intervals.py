"""Bounds that the form of an expression makes plain hold for every value of its variables."""

from __future__ import annotations

from itertools import product

import pytest

from c_execution import program_of
from sorrel.program.evaluation import binary_operation
from sorrel.program.expression import Binary, Constant, Convert, Expression, Operator, Variable
from sorrel.program.intervals import bounds, interval
from sorrel.program.statement import Assert, Kind
from sorrel.program.types import UNBOUNDED, Machine

_WIDE, _BYTE, _SIGNED = Machine(16, True), Machine(4, False), Machine(4, True)
_OPERATORS = [
    *(Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE, Operator.REMAINDER, Operator.SHIFT_RIGHT),
    *(Operator.BIT_AND, Operator.BIT_OR, Operator.BIT_XOR),
]
_PARTIAL = (Operator.DIVIDE, Operator.REMAINDER, Operator.SHIFT_RIGHT)


@pytest.mark.parametrize("operator", _OPERATORS, ids=lambda each: each.name.lower())
@pytest.mark.parametrize("types", list(product([_BYTE, _SIGNED], repeat=2)), ids=lambda each: f"{each[0]}-{each[1]}")
def test_every_value_is_within_the_bounds(operator: Operator, types: tuple[Machine, Machine]) -> None:
    left, right = (Convert(Variable(name, type), _WIDE) for name, type in zip("ab", types, strict=True))
    operation = binary_operation(operator, _WIDE)
    values = [range(type.smallest, type.largest + 1) for type in types]
    others_of: list[tuple[Expression, range]] = [(right, values[1])]
    others_of += [(Constant(k, _WIDE), range(k, k + 1)) for k in (1, 3, 7)]
    for other, others in others_of:
        low, high = interval(Binary(operator, left, other, _WIDE))
        for a, b in product(values[0], others):
            if operator not in _PARTIAL or b > 0:
                assert low <= operation(a, b) <= high, (a, b)


def test_nothing_is_known_of_an_unbounded_variable() -> None:
    variable: Expression = Variable("n", UNBOUNDED)
    assert bounds(variable) is None
    assert bounds(Binary(Operator.ADD, variable, Constant(1, UNBOUNDED), UNBOUNDED)) is None


def test_what_may_wrap_has_the_bounds_of_its_type() -> None:
    narrow = Machine(8, False)
    assert interval(Binary(Operator.ADD, Variable("a", narrow), Constant(1, narrow), narrow)) == (0, 255)


@pytest.mark.parametrize(
    "index", ["a ^ b", "(a ^ n) & 255", "n & 255", "(unsigned)n % 256", "a", "a | b", "a / 2 + 128"]
)
def test_an_index_that_cannot_be_outside_is_not_checked(index: str) -> None:
    text = f"int t[256]; int f(unsigned char a, unsigned char b, int n) {{ return t[{index}]; }}"
    assert not _bounds_checks(text)


@pytest.mark.parametrize("index", ["a ^ n", "n % 256", "a + b", "n & 256", "a - 1", "a << 1"])
def test_an_index_that_may_be_outside_is_checked(index: str) -> None:
    text = f"int t[256]; int f(unsigned char a, unsigned char b, int n) {{ return t[{index}]; }}"
    assert _bounds_checks(text)


def _bounds_checks(text: str) -> list[Assert]:
    return [
        statement
        for procedure in program_of(text, function="f").procedures
        for block in procedure.blocks
        for statement in block.statements
        if isinstance(statement, Assert) and statement.kind is Kind.BOUNDS
    ]
