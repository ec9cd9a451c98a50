"""`Printf.printf` and its like, with all arguments and a format that is written down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sorrel.functional.inference.context import Context
from sorrel.functional.operator import Operator
from sorrel.functional.syntax import Application, Literal, Name
from sorrel.functional.term import UNIT_VALUE, Constant, If, Let, Operation, Term, Variable
from sorrel.functional.type import BOOL, CHARACTER, INT, STRING, Type
from sorrel.model.errors import Span, Unsupported

if TYPE_CHECKING:
    from sorrel.functional.inference.expressions import Expressions

_MODULE, _SHOWING, _MAKING = "Printf", ("printf", "eprintf"), "sprintf"
_CONVERSION = re.compile(r"%([-0+ #]*\d*)(.)", re.DOTALL)
_TYPES = {**dict.fromkeys("diuxXo", INT), "s": STRING, "c": CHARACTER, **dict.fromkeys("bB", BOOL)}
_PLAIN = "disbB"
"""What is written in one way only, whatever the width."""


class Formats:
    def __init__(self, context: Context, expressions: Expressions) -> None:
        self._context = context
        self._expressions = expressions

    def of(self, expression: Application) -> Term | None:
        """The term of a call that writes; None for any other call."""
        function = expression.function
        if not isinstance(function, Name) or function.path[:-1] != (_MODULE,):
            return None
        makes = function.path[-1] == _MAKING
        if _MODULE in self._expressions.scope.modules or not (makes or function.path[-1] in _SHOWING):
            return None
        form, *written = expression.arguments
        if not isinstance(form, Literal) or not isinstance(form.value, str) or any(expression.labels):
            raise Unsupported("a format that is not written down", form.span)
        types = _taken(form.value, form.span)
        if len(types) != len(written):
            raise Unsupported("a format without all of its arguments", expression.span)
        pairs = zip(written, types, strict=True)
        terms = [self._expressions.expected(argument, type, "by the format") for argument, type in pairs]
        binders = [self._context.binder("", type) for type in types]
        values = [Variable(binder.name, binder.type, expression.span) for binder in binders]
        term: Term = _joined(form.value, values, form.span) if makes else UNIT_VALUE
        for binder, value in zip(binders, terms, strict=True):
            # The last argument comes first, as in any application.
            term = Let(binder, value, term, expression.span)
        return term


def _taken(form: str, span: Span) -> list[Type]:
    found: list[Type] = []
    for _, letter in _CONVERSION.findall(form):
        if letter in "%!":
            continue
        if letter not in _TYPES:
            raise Unsupported(f"%{letter} in a format", span)
        found.append(_TYPES[letter])
    return found


def _joined(form: str, values: list[Variable], span: Span) -> Term:
    """The text that the format makes."""
    remaining = iter(values)
    parts: list[Term] = []
    position = 0
    for found in _CONVERSION.finditer(form):
        parts.append(Constant(form[position : found.start()], STRING, span))
        position = found.end()
        flags, letter = found.groups()
        if letter == "%":
            parts.append(Constant("%", STRING, span))
        elif letter != "!":
            if flags or letter not in _PLAIN:
                raise Unsupported(f"%{flags}{letter} in a format", span)
            parts.append(_text(next(remaining), span))
    parts.append(Constant(form[position:], STRING, span))
    told = [part for part in parts if not (isinstance(part, Constant) and part.value == "")]
    term: Term = Constant("", STRING, span) if not told else told[0]
    for part in told[1:]:
        term = Operation(Operator.TEXT_JOIN, (term, part), STRING, span)
    return term


def _text(value: Variable, span: Span) -> Term:
    if value.type == STRING:
        return value
    if value.type == BOOL:
        return If(value, Constant("true", STRING, span), Constant("false", STRING, span), span)
    return Operation(Operator.TEXT_OF_NUMBER, (value,), STRING, span)
