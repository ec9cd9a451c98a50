"""Whether a floating-point number is finite, infinite or NaN, and which sign it has."""

from __future__ import annotations

from fractions import Fraction

from sorrel.frontends.c.operations import both, choose, compare, either, from_truth
from sorrel.frontends.c.types import INT
from sorrel.program.expression import Constant, Expression, Operator, Unary, UnaryOperator
from sorrel.program.types import Float


def classified(name: str, value: Expression) -> Expression | None:
    """What a function of this name returns; None if that is not modelled."""
    type = value.type
    if not isinstance(type, Float):
        return None
    largest = Constant(Fraction(type.largest), type)
    least = Unary(UnaryOperator.NEGATE, largest, type)
    plain = name.removeprefix("__builtin_").removeprefix("__")
    match plain.removesuffix("f") if plain.endswith(("nanf", "inff", "finitef", "bitf")) else plain:
        case "isnan":
            return from_truth(compare(Operator.DIFFERENT, value, value), INT)
        case "isfinite" | "finite":
            inside = both(compare(Operator.AT_LEAST, value, least), compare(Operator.AT_MOST, value, largest))
            return from_truth(inside, INT)
        case "isinf" if name.startswith("__builtin_"):
            outside = either(compare(Operator.LESS, value, least), compare(Operator.MORE, value, largest))
            return from_truth(outside, INT)
        case "isinf" | "isinf_sign":
            above = from_truth(compare(Operator.MORE, value, largest), INT)
            return choose(compare(Operator.LESS, value, least), Constant(-1, INT.machine), above)
        case _:
            return None
