"""Conditions under which the runs of a product do something."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.program.checks import guards
from sorrel.program.construction import FALSE, TRUE, binary, zero
from sorrel.program.expression import Conditional, Expression, Operator

# Conditions


def both_of(one: Expression, other: Expression) -> Expression:
    if one == TRUE:
        return other
    return one if other == TRUE else binary(Operator.AND, one, other)


def some_of(conditions: Sequence[Expression]) -> Expression:
    result: Expression = FALSE
    for condition in conditions:
        if condition == TRUE:
            return TRUE
        result = condition if result == FALSE else binary(Operator.OR, result, condition)
    return result


def under_guard(guard: Expression, condition: Expression) -> Expression:
    return condition if guard == TRUE else binary(Operator.IMPLIES, guard, condition)


def defined_under(guard: Expression, value: Expression) -> Expression:
    """The value where the run is active; where it is not, it may have none, and something takes its place."""
    if guard == TRUE or next(guards(value), None) is None:
        return value
    return Conditional(guard, value, zero(value.type), value.type)
