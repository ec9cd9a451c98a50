"""Values of final fields that are known before a program starts."""

from __future__ import annotations

import re

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.classes import Field, Method
from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.strings import string_literal
from sorrel.frontends.java.tree import Node
from sorrel.frontends.java.types import STRING, Primitive, is_reference
from sorrel.model.errors import InputError
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Apply, Constant
from sorrel.program.traversal import free_variables, subexpressions
from sorrel.program.types import Type
from sorrel.program.value import ArrayValue
from sorrel.program.value import Value as Number

_PARTS = frozenset(
    re.findall(
        r"\w+",
        """
        decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal
        decimal_floating_point_literal character_literal string_literal string_fragment escape_sequence true false
        null_literal identifier
        field_access parenthesized_expression unary_expression binary_expression ternary_expression cast_expression
        integral_type boolean_type floating_point_type type_identifier
        """,
    )
)
"""What constant expressions are made of; names in them mean other constants."""


def constant_value(context: Context, field: Field) -> Value | None:
    """What a final field is initialised with, read where it is declared; None if that is computed at run time."""
    from sorrel.frontends.java.expressions import ExpressionReader

    node = field.initializer
    if node is None or not _is_constant(node):
        return None
    if context.translation.evaluating and not _is_constant_variable(context, field):
        return None
    place = Method(field.owner, field.name, (), Primitive.VOID, True, None, field.span)
    inside = Context(context.translation, place, frozenset())
    context.translation.evaluating.append(field)
    try:
        value = ExpressionReader(inside).converted(node, field.type)
    except (Unsupported, InputError):
        return None
    finally:
        context.translation.evaluating.pop()
    if is_reference(value.type):
        return _literal(context, value, field)
    if free_variables(value.expression) or any(isinstance(each, Apply) for each in subexpressions(value.expression)):
        return None
    try:
        known = evaluate(compile(value.expression, frozenset()), {}, {}, _no_function)
    except (UndefinedOperation, ZeroDivisionError):
        return None
    return None if isinstance(known, ArrayValue | float) else Value(Constant(known, value.expression.type), value.type)


def _is_constant_variable(context: Context, field: Field) -> bool:
    """Whether the field has its value before anything is initialised (JLS 4.12.4): others may be asked too early."""
    node = field.initializer
    if not field.final or node is None or field in context.translation.evaluating:
        return False
    if not (isinstance(field.type, Primitive) or field.type == STRING):
        return False
    constants = {name for each in context.classes.all.values() for name in each.constants}
    stack = [node]
    while stack:
        each = stack.pop()
        if each.kind == "null_literal" or (each.kind == "identifier" and each.text in constants):
            return False
        if each.kind == "type_identifier" and each.text != str(STRING):
            return False
        stack += each.children
    return True


def _literal(context: Context, value: Value, field: Field) -> Value | None:
    """Null, a constant of an enumeration, or a string."""
    match value.expression:
        case Constant():
            return value
        case Apply(name, ()) if name.startswith('"'):
            return string_literal(context, name[1:-1], field.span)
        case _:
            return None


def _is_constant(node: Node) -> bool:
    stack = [node]
    while stack:
        each = stack.pop()
        if each.kind not in _PARTS:
            return False
        stack += each.children
    return True


def _no_function(function: str, arguments: tuple[Number, ...], type: Type) -> Number:
    raise TypeError(f"a constant does not depend on {function}")
