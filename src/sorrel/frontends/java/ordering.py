"""Results of comparisons of which only some things are known."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.operations import truth, wrapped
from sorrel.frontends.java.types import MACHINES, Primitive
from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.construction import binary, unbounded
from sorrel.program.expression import Apply, Conditional, Constant, Expression, Operator, Unary, UnaryOperator
from sorrel.program.types import UNBOUNDED

_INT = MACHINES[Primitive.INT]


@dataclass(frozen=True, slots=True)
class Ordering:
    """The result of a comparison whose sign is that of the order of two keys.

    `name` is of the function that says how far two different keys are apart. If the comparison is `mirrored`, it gives
    the opposite number when its arguments are exchanged; else only its sign changes.
    """

    left: Expression
    right: Expression
    name: str
    mirrored: bool = False


Result: TypeAlias = Value | Ordering


def settled(context: Context, result: Result, span: Span) -> Value:
    """The number that a comparison returns."""
    if isinstance(result, Value):
        return result
    is_less = binary(Operator.LESS, result.left, result.right)
    is_same = binary(Operator.EQUAL, result.left, result.right)
    if result.mirrored:
        low = Conditional(is_less, result.left, result.right, UNBOUNDED)
        high = Conditional(is_less, result.right, result.left, UNBOUNDED)
        above: Expression = Apply(result.name, (low, high), _INT)
        below = wrapped(Unary(UnaryOperator.NEGATE, unbounded(above), UNBOUNDED), _INT)
        context.require(binary(Operator.OR, is_same, binary(Operator.AT_MOST, Constant(1, _INT), above)), span, "")
    else:
        above = below = Apply(result.name, (result.left, result.right), _INT)
        negative = binary(Operator.LESS, above, Constant(0, _INT))
        positive = binary(Operator.LESS, Constant(0, _INT), above)
        sign = Conditional(is_less, negative, positive, positive.type)
        context.require(binary(Operator.OR, is_same, sign), span, "")
    rest = Conditional(is_same, Constant(0, _INT), above, _INT)
    return Value(Conditional(is_less, below, rest, _INT), Primitive.INT)


def compared_with_zero(operator: str, result: Ordering, *, swapped: bool) -> Value:
    """A test of the sign, which needs no distance."""
    left, right = (result.right, result.left) if swapped else (result.left, result.right)
    return truth(binary(Operator(operator), left, right))
