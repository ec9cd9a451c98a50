"""Operators on numbers, as C converts their operands; those on pointers are handed on."""

from __future__ import annotations

from fractions import Fraction

from sorrel.frontends.c import syntax
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import apply, from_truth, opposite, to_type
from sorrel.frontends.c.pointers import PointerArithmetic
from sorrel.frontends.c.types import INT, Array, CType, Floating, Integer, Pointer, common, promoted
from sorrel.frontends.c.values import UNKNOWN, Value
from sorrel.model.errors import InternalError
from sorrel.program.expression import COMPARISONS, Constant, Expression, Operator, Unary, UnaryOperator
from sorrel.program.types import Float, Machine

_SHIFTS = (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT)
_SIGNS = {
    syntax.UnaryOperator.MINUS: UnaryOperator.NEGATE,
    syntax.UnaryOperator.COMPLEMENT: UnaryOperator.COMPLEMENT,
}


class Arithmetic:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._evaluator = evaluator
        self._pointers = PointerArithmetic(context, memory, evaluator)

    def unary(self, node: syntax.Unary) -> Value:
        if node.operator is syntax.UnaryOperator.NOT:
            return from_truth(opposite(self._evaluator.condition(node.operand)), integer_type(node))
        if node.operator is syntax.UnaryOperator.PLUS:
            return self._evaluator.value(node.operand)
        if isinstance(node.type, Floating):
            self._evaluator.value(node.operand)
            return UNKNOWN
        value = to_type(self._evaluator.scalar(node.operand), node.type)
        type, operator = value.type, _SIGNS[node.operator]
        if isinstance(value, Constant) and isinstance(type, Machine):
            result = -int(value.value) if operator is UnaryOperator.NEGATE else ~int(value.value)
            if type.contains(result) or not type.signed:
                return Constant(type.wrap(result), type)
        if isinstance(value, Constant) and isinstance(type, Float) and value.value:
            return Constant(-Fraction(value.value), type)
        return Unary(operator, value, type)

    def binary(self, node: syntax.Binary) -> Value:
        left, right = node.left, node.right
        if isinstance(left.type, Pointer | Array) or isinstance(right.type, Pointer | Array):
            return self._pointers.result(node)
        if isinstance(left.type, Floating) or isinstance(right.type, Floating):
            self._evaluator.value(left)
            self._evaluator.value(right)
            return UNKNOWN if isinstance(node.type, Floating) else self._evaluator.unknown(node.type, node.span)
        one, other = self._pair(left, right)
        result = computed(node.operator, one, left.type, other, right.type)
        return from_truth(result, integer_type(node)) if node.operator in COMPARISONS else result

    def _pair(self, left: syntax.Expression, right: syntax.Expression) -> tuple[Expression, Expression]:
        one = self._evaluator.scalar(left)
        if not self._evaluator.has_effects(right):
            return one, self._evaluator.scalar(right)
        position = self._context.builder.position()
        other = self._evaluator.scalar(right)
        return self._evaluator.keeping.kept(one, position, left.span), other


def integer_type(node: syntax.Expression) -> Integer:
    """Of a truth value, which C makes a number."""
    if not isinstance(node.type, Integer):
        raise InternalError(f"{node.span}: a truth value of type {node.type}")
    return node.type


def computed(
    operator: Operator, left: Expression, left_type: CType, right: Expression, right_type: CType
) -> Expression:
    """In the type that the usual conversions give; a shift's in its promoted left operand's."""
    if operator in _SHIFTS:
        return apply(operator, to_type(left, promoted(left_type, INT)), to_type(right, promoted(right_type, INT)))
    kind = common(left_type, right_type, INT)
    return apply(operator, to_type(left, kind), to_type(right, kind))
