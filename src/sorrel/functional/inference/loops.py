"""Loops, as functions that call themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sorrel.functional.inference.context import Context
from sorrel.functional.operator import Operator
from sorrel.functional.syntax import Expression, For
from sorrel.functional.term import (
    UNIT_VALUE,
    Apply,
    Definition,
    Function,
    If,
    Let,
    Operation,
    Recursive,
    Term,
    Variable,
)
from sorrel.functional.type import BOOL, INT, UNIT, Arrow
from sorrel.model.errors import Span

if TYPE_CHECKING:
    from sorrel.functional.inference.expressions import Expressions

FOR, WHILE = "for loop", "while loop"


def while_loop(context: Context, expressions: Expressions, condition: Expression, body: Expression, span: Span) -> Term:
    check = expressions.expected(condition, BOOL, "of a condition")
    done = expressions.term(body)
    loop = context.binder("while", Arrow(UNIT, UNIT))
    unused = context.binder("", UNIT)
    again = Apply(Variable(loop.name, loop.type, span), (UNIT_VALUE,), UNIT, span)
    once = Let(context.binder("", done.type), done, again, span)
    function = Function((unused,), If(check, once, UNIT_VALUE, span), span, WHILE)
    return Recursive((Definition(replace(loop, source=""), function),), again, span)


def for_loop(context: Context, expressions: Expressions, expression: For) -> Term:
    span = expression.span
    first = expressions.expected(expression.start, INT, "of a bound")
    last = expressions.expected(expression.end, INT, "of a bound")
    start, end = context.binder("", INT), context.binder("", INT)
    counter = context.binder(expression.name, INT)
    loop = replace(context.binder("for", Arrow(INT, UNIT)), source="")
    done = expressions.inside({expression.name: counter}).term(expression.body)
    at, limit = Variable(counter.name, INT, span), Variable(end.name, INT, span)
    compared, moved = (
        (Operator.AT_MOST, Operator.COUNT_UP) if expression.upwards else (Operator.AT_LEAST, Operator.COUNT_DOWN)
    )
    following = Operation(moved, (at,), INT, span)
    again = Apply(Variable(loop.name, loop.type, span), (following,), UNIT, span)
    once = Let(context.binder("", done.type), done, again, span)
    check = Operation(compared, (at, limit), BOOL, span)
    function = Function((counter,), If(check, once, UNIT_VALUE, span), span, FOR)
    begin = Apply(Variable(loop.name, loop.type, span), (Variable(start.name, INT, span),), UNIT, span)
    looping = Recursive((Definition(loop, function),), begin, span)
    return Let(start, first, Let(end, last, looping, span), span)
