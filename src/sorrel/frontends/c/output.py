"""Functions of the C library that write text: a run has what they write, and nothing else depends on it.

A format that is a string literal is taken apart here, so that each value is converted to the type that its directive
names. What cannot be told (addresses, numbers of other types, formats that are computed) is written as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from sorrel.frontends.c import syntax
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import convert, minus, number, plus
from sorrel.frontends.c.outside import Outside
from sorrel.frontends.c.syntax import converted_from
from sorrel.frontends.c.types import INT
from sorrel.frontends.c.values import UNKNOWN, PointerValue, Value, is_expression
from sorrel.model.errors import Span
from sorrel.program.expression import Expression
from sorrel.program.statement import Print, Stream
from sorrel.program.types import DOUBLE, UNBOUNDED, Array, Float, Machine

_UNKNOWN = "%?"
_BYTE = Machine(8, False)
_STREAMS = {"stdout": Stream.OUTPUT, "stderr": Stream.ERRORS}
_DIRECTIVE = re.compile(r"%([-+ 0#]*)(\*|\d+)?(\.(?:\*|\d*))?(hh|h|ll|l|j|z|t|L)?([a-zA-Z%])", re.ASCII)
_SIGNED, _UNSIGNED, _FLOATING = "di", "uxXo", "fegFEG"


_Text: TypeAlias = tuple[str, tuple[Expression, ...]]


class Output:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator

    def write(self, name: str, node: syntax.Call) -> None:
        """Evaluate the arguments of the call, and write."""
        arguments = node.arguments
        values = self._evaluator.keeping.sequence(
            [partial(self._evaluator.value, argument) for argument in arguments], node.span
        )
        stream = Stream.OUTPUT
        match name.removeprefix("__builtin_"):
            case "printf" if arguments:
                text = self._formatted(arguments[0], arguments[1:], values[1:])
            case "fprintf" if len(arguments) > 1:
                stream, text = self._stream(arguments[0]), self._formatted(arguments[1], arguments[2:], values[2:])
            case "puts" if len(values) == 1:
                text = self._pieced(["%s", "\n"], arguments, values, node.span)
            case "fputs" if len(values) == 2:
                stream, text = self._stream(arguments[1]), self._pieced(["%s"], arguments[:1], values[:1], node.span)
            case "putchar" if len(values) == 1:
                text = self._pieced(["%c"], arguments[:1], values[:1], node.span)
            case "fputc" | "putc" if len(values) == 2:
                stream, text = self._stream(arguments[1]), self._pieced(["%c"], arguments[:1], values[:1], node.span)
            case "fflush":
                return
            case "perror":
                stream, text = Stream.ERRORS, (_UNKNOWN, ())
            case "fwrite" if len(values) == 4:
                stream, text = self._stream(arguments[3]), (_UNKNOWN, ())
            case _:
                text = (_UNKNOWN, ())
        if _UNKNOWN in text[0]:  # what is not told is read all the same
            given = [(value, argument.type) for value, argument in zip(values, arguments, strict=True)]
            Outside(self._context, self._memory).look(name, given, node.span)
        self._emit(*text, stream, node.span)

    def _emit(self, format: str, arguments: tuple[Expression, ...], stream: Stream, span: Span) -> None:
        self._context.builder.emit(Print(format, arguments, stream, span))

    def _stream(self, node: syntax.Expression) -> Stream:
        """The standard stream that the argument names, or all others."""
        inner = converted_from(node)
        if not isinstance(inner, syntax.Reference):
            return Stream.OTHERS
        variable = self._context.translation.linked.variables.get(inner.symbol)
        if variable is None or variable.declaration.defined:
            return Stream.OTHERS
        return _STREAMS.get(variable.source_name, Stream.OTHERS)

    # Formats

    def _formatted(
        self, format: syntax.Expression, nodes: Sequence[syntax.Expression], values: Sequence[Value]
    ) -> _Text:
        text = _literal(format)
        if text is None:
            return _UNKNOWN, ()
        parts: list[str] = []
        position = 0
        for match in _DIRECTIVE.finditer(text):
            parts += [text[position : match.start()], match.group()]
            position = match.end()
        return self._pieced([*parts, text[position:]], nodes, values, format.span)

    def _pieced(
        self, parts: Sequence[str], nodes: Sequence[syntax.Expression], values: Sequence[Value], span: Span
    ) -> _Text:
        """The parts are plain text and directives of C; nothing is told after the first that cannot be."""
        format = ""
        arguments: list[Expression] = []
        given = list(zip(nodes, values, strict=True))
        for part in parts:
            match = _DIRECTIVE.fullmatch(part)
            told = self._directive(match, given, span) if match else None if "%" in part else (part, ())
            if told is None:
                return format + _UNKNOWN, tuple(arguments)
            format += told[0]
            arguments += told[1]
        return format, tuple(arguments)

    def _directive(
        self, match: re.Match[str], given: list[tuple[syntax.Expression, Value]], span: Span
    ) -> _Text | None:
        flags, width, precision, size, letter = match.groups()
        if letter == "%":
            return "%%", ()
        if letter == "n":
            raise Unsupported("the conversion %n", span)
        arguments: list[Expression] = []
        for each in (width, precision):
            if each and each.endswith("*"):
                amount = given.pop(0)[1] if given else UNKNOWN
                if not is_expression(amount):
                    return None
                arguments.append(convert(amount, INT.machine))
        if not given:
            return None
        node, value = given.pop(0)
        literal = _literal(node) if letter == "s" else None
        if literal is not None and match.group() == "%s":
            return literal.replace("%", "%%"), ()
        told = self._told(size or "", letter, value)
        if told is None:
            return None
        spelled, values = told
        return f"%{flags}{width or ''}{precision or ''}{spelled}", (*arguments, *values)

    def _told(self, size: str, letter: str, value: Value) -> tuple[str, list[Expression]] | None:
        """The letter of `program.printing`, and the value in the type that is printed."""
        if letter == "s" and not size and isinstance(value, PointerValue):
            text = self._string(value)
            return None if text is None else ("s", text)
        if not is_expression(value) or isinstance(value.type, Array):
            return None
        if letter in _FLOATING and size in ("", "l"):
            return (letter, [convert(value, DOUBLE)]) if isinstance(value.type, Float) else None
        if isinstance(value.type, Float):
            return None
        if letter == "c" and not size:
            return "c", [convert(value, _BYTE)]
        if letter in _SIGNED or letter in _UNSIGNED:
            machine = Machine(self._bits(size), letter in _SIGNED)
            return ("d" if letter in "diu" else letter), [convert(value, machine)]
        return None

    def _bits(self, size: str) -> int:
        word = self._context.translation.size_type.machine.bits
        return {"hh": 8, "h": 16, "": 32, "l": word, "z": word, "t": word}.get(size, 64)

    # Strings

    def _string(self, pointer: PointerValue) -> list[Expression] | None:
        """The array that the pointer points into, its position there, and the last one of the object."""
        found = self._memory.run_of_elements(pointer)
        if found is None:
            return None
        array, position, count = found
        element = array.type.element if isinstance(array.type, Array) else None
        if not isinstance(element, Machine) or element.bits != 8:
            return None
        last = minus(plus(position, count) or count, number(1))
        return [array, convert(position, UNBOUNDED), convert(last, UNBOUNDED)]


def _literal(node: syntax.Expression) -> str | None:
    """The string that the expression is, byte by byte; None if it is something else, or made of wide characters."""
    literal = converted_from(node)
    return literal.text if isinstance(literal, syntax.StringLiteral) else None
