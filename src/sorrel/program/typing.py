"""What makes an expression well typed, node by node."""

from __future__ import annotations

from fractions import Fraction

from sorrel.program.expression import (
    COMPARISONS,
    CONNECTIVES,
    Apply,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.rounding import is_number_of
from sorrel.program.types import BOOLEAN, Array, Boolean, Float, Machine, Real, Type, Unbounded, is_integer

_EQUALITIES = frozenset({Operator.EQUAL, Operator.DIFFERENT})
_SHIFTS = frozenset({Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT})
_BITWISE = frozenset({Operator.BIT_AND, Operator.BIT_OR, Operator.BIT_XOR})


def complaint(expression: Expression) -> str:
    """What is wrong with this node, its operands being right; empty if nothing is."""
    match expression:
        case Constant(value, type):
            return _constant(value, type)
        case Variable():
            return ""
        case Unary(operator, operand, type):
            return unary_complaint(operator, operand.type) or _result(operator, operand.type, type)
        case Binary(operator, left, right, type):
            wrong = binary_complaint(operator, left.type, right.type)
            return wrong or _result(operator, result_type(operator, left.type), type)
        case Conditional(condition, then, otherwise, type):
            return conditional_complaint(condition.type, then.type, otherwise.type) or _result("?:", then.type, type)
        case Convert(operand, type):
            return conversion_complaint(operand.type, type)
        case Select(array, index, type):
            return select_complaint(array.type, index.type) or _result("[]", element_type(array.type), type)
        case Store(array, index, value, type):
            return store_complaint(array.type, index.type, value.type) or _result("[:=]", array.type, type)
        case Filled(value, type):
            return _result("filled", Array(value.type), type)
        case Apply(function):
            return "" if function else "the function applied has no name"


def _constant(value: int | bool | Fraction, type: Type) -> str:
    match type:
        case Boolean():
            fits = isinstance(value, bool)
        case Machine():
            fits = isinstance(value, int) and not isinstance(value, bool) and type.contains(value)
        case Unbounded():
            fits = isinstance(value, int) and not isinstance(value, bool)
        case Real():
            fits = isinstance(value, Fraction)
        case Float():
            fits = isinstance(value, Fraction) and is_number_of(value, type)
        case Array():
            fits = False
    return "" if fits else f"{value!r} is not a value of type {type}"


def _result(operator: str, derived: Type, claimed: Type) -> str:
    return "" if derived == claimed else f"{operator} gives {derived}, not {claimed}"


def unary_complaint(operator: UnaryOperator, operand: Type) -> str:
    match operator:
        case UnaryOperator.NOT:
            fits = operand == BOOLEAN
        case UnaryOperator.NEGATE:
            fits = isinstance(operand, Machine | Unbounded | Real | Float)
        case UnaryOperator.COMPLEMENT:
            fits = isinstance(operand, Machine)
    return "" if fits else f"{operator} does not apply to {operand}"


def binary_complaint(operator: Operator, left: Type, right: Type) -> str:
    if operator in _SHIFTS:
        fits = isinstance(left, Machine) and isinstance(right, Machine)
        return "" if fits else f"{operator} needs machine integers, not {left} and {right}"
    if left != right:
        return f"the operands of {operator} differ: {left} and {right}"
    return "" if _applies(operator, left) else f"{operator} does not apply to {left}"


def _applies(operator: Operator, operand: Type) -> bool:
    if operator in CONNECTIVES:
        return operand == BOOLEAN
    if operator in _EQUALITIES:
        return True
    if operator in _BITWISE:
        return isinstance(operand, Machine)
    if operator is Operator.REMAINDER:
        return is_integer(operand)
    return isinstance(operand, Machine | Unbounded | Real | Float)


def result_type(operator: Operator, left: Type) -> Type:
    return BOOLEAN if operator in COMPARISONS or operator in CONNECTIVES else left


def conditional_complaint(condition: Type, then: Type, otherwise: Type) -> str:
    if condition != BOOLEAN:
        return f"the condition of ?: is of type {condition}, not bool"
    return "" if then == otherwise else f"the sides of ?: differ: {then} and {otherwise}"


def conversion_complaint(operand: Type, target: Type) -> str:
    if not is_integer(target) and not isinstance(target, Float):
        return f"nothing is converted to {target}: only integer and floating-point types are targets"
    if is_integer(operand) or operand == BOOLEAN:
        return ""
    if isinstance(operand, Float) and isinstance(target, Machine | Float):
        return ""
    return f"type {operand} cannot be converted to {target}"


def select_complaint(array: Type, index: Type) -> str:
    if not isinstance(array, Array):
        return f"type {array} is indexed, which is not an array"
    return "" if is_integer(index) else f"the index is of type {index}, not an integer"


def store_complaint(array: Type, index: Type, value: Type) -> str:
    wrong = select_complaint(array, index)
    if wrong or element_type(array) == value:
        return wrong
    return f"a value of type {value} is stored in an array of {element_type(array)}"


def element_type(array: Type) -> Type:
    """The type of the elements; of what is no array, itself, so that complaints can still be phrased."""
    return array.element if isinstance(array, Array) else array
