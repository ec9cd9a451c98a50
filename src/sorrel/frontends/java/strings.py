"""Methods of strings, as functions of which string it is.

A string is known by a number: equal strings have the same one, and the numbers are in the order of compareTo. What is
asked about a string is a function of its number; of these functions a proof knows only what is said here, which is true
of all strings, and a violation counts only if real strings have the values (`realisation`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.operations import compared, converted, number, truth
from sorrel.frontends.java.ordering import Ordering, Result
from sorrel.frontends.java.types import OBJECT, STRING, JavaType, Primitive, is_integral, is_reference, unboxed
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.construction import binary, unbounded
from sorrel.program.expression import Apply, Constant, Expression, Operator
from sorrel.program.types import UNBOUNDED

Instance: TypeAlias = Callable[[Context, Value, Sequence[Value], Span], Result]

STRING_CLASS = "java.lang.String"
CONTENT, OF_NUMBER = f"{STRING_CLASS}.content", f"{STRING_CLASS}.ofNumber"
FOLDED = f"{STRING_CLASS}.ignoringCase"
DISTANCE, FOLDED_DISTANCE = f"{STRING_CLASS}.compareTo", f"{STRING_CLASS}.compareToIgnoreCase"
FOLDED_ORDER = "String.compareToIgnoreCase is a total order, as of all strings in which no surrogate stands alone."
_NULL = Constant(0, UNBOUNDED)


def content(context: Context, value: Value, span: Span) -> Expression:
    """Which string it is."""
    if not is_reference(value.type):
        context.note(span, f"a number of type {value.type} stands for a string.")
        exact = unbounded(converted(context, value, Primitive.LONG, span).expression)
        return context.function(OF_NUMBER, [exact], OBJECT, span).expression
    context.require_object(value.expression, span)
    return context.function(CONTENT, [value.expression], OBJECT, span).expression


def _folded(context: Context, value: Value, span: Span) -> Expression:
    """The place in the order that does not tell capital letters from small ones."""
    return context.function(FOLDED, [content(context, value, span)], OBJECT, span).expression


def string_literal(context: Context, text: str, span: Span) -> Value:
    """Different literals are different strings, in their order."""
    literals = context.translation.literals
    made = Value(Apply(f'"{text}"', (), UNBOUNDED), STRING)
    context.require(binary(Operator.DIFFERENT, made.expression, _NULL), span, "")
    literals.setdefault(text)
    for other in literals:
        if other != text:
            beside = Apply(CONTENT, (Apply(f'"{other}"', (), UNBOUNDED),), UNBOUNDED)
            own = Apply(CONTENT, (made.expression,), UNBOUNDED)
            operator = Operator.LESS if units(text) < units(other) else Operator.MORE
            context.require(binary(operator, own, beside), span, "")
    return made


def units(text: str) -> list[int]:
    """Strings are ordered by their UTF-16 units."""
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2]) for at in range(0, len(data), 2)]


# Lengths and characters


def size(context: Context, name: str, of: Expression, span: Span) -> Value:
    found = context.function(name, [of], Primitive.INT, span)
    context.require(binary(Operator.AT_MOST, number(0).expression, found.expression), span, "")
    return found


def inside(context: Context, index: Value, length: Value, span: Span) -> Value:
    """An index that is not inside throws an exception."""
    index = converted(context, index, Primitive.INT, span)
    context.require(binary(Operator.AT_MOST, number(0).expression, index.expression), span)
    context.require(binary(Operator.LESS, index.expression, length.expression), span)
    return index


def _length(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return size(context, f"{STRING_CLASS}.length", content(context, receiver, span), span)


def _character(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    length = _length(context, receiver, (), span)
    index = inside(context, arguments[0], length, span)
    whole = content(context, receiver, span)
    return context.function(f"{STRING_CLASS}.charAt", [whole, index.expression], Primitive.CHAR, span)


def _is_empty(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return compared(context, "==", _length(context, receiver, (), span), number(0), span)


# Functions of strings


def _argument(context: Context, value: Value, span: Span) -> Expression:
    """A string as which one it is, a number as it is."""
    if value.type == STRING:
        return content(context, value, span)
    if is_integral(unboxed(value.type)):
        return converted(context, value, Primitive.INT, span).expression
    raise Unsupported(f"a method of strings applied to {value.type}", span)


def _signature(arguments: Sequence[Value]) -> str:
    return ",".join("String" if each.type == STRING else "int" for each in arguments)


def _told(name: str, type: JavaType) -> Instance:
    """A number or a truth value that depends on strings and numbers."""

    def tell(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
        given = [content(context, receiver, span), *(_argument(context, each, span) for each in arguments)]
        return context.function(f"{STRING_CLASS}.{name}({_signature(arguments)})", given, type, span)

    return tell


def _derived(name: str) -> Instance:
    """Another string that depends on this one and the arguments; whether it is a new object is not modelled."""

    def derive(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
        if name == "substring":
            _inside_string(context, receiver, arguments, span)
        made = _told(name, STRING)(context, receiver, arguments, span)
        assert isinstance(made, Value)
        context.translation.fresh = span
        context.require(binary(Operator.DIFFERENT, made.expression, _NULL), span, "")
        return made

    return derive


def _inside_string(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> None:
    ends = [converted(context, each, Primitive.INT, span).expression for each in arguments]
    bounds = [number(0).expression, *ends, _length(context, receiver, (), span).expression]
    for low, high in pairwise(bounds):
        context.require(binary(Operator.AT_MOST, low, high), span)


# Comparisons


def order(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Ordering:
    """The difference of the first characters that differ, else that of the lengths."""
    left, right = (content(context, each, span) for each in (receiver, arguments[0]))
    return Ordering(left, right, DISTANCE, mirrored=True)


def order_ignoring_case(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Ordering:
    """An order by documentation; machines know exceptions, of surrogates that stand alone."""
    context.translation.assume(AssumptionKind.LIBRARY, FOLDED_ORDER)
    left, right = (_folded(context, each, span) for each in (receiver, arguments[0]))
    return Ordering(left, right, FOLDED_DISTANCE, mirrored=True)


def same_string(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return _same(context, receiver, arguments[0], content, span)


def _same_ignoring_case(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return _same(context, receiver, arguments[0], _folded, span)


def _same(
    context: Context, receiver: Value, other: Value, key: Callable[[Context, Value, Span], Expression], span: Span
) -> Value:
    mine = key(context, receiver, span)
    if not is_reference(other.type):
        return truth(binary(Operator.EQUAL, mine, key(context, other, span)))
    there = binary(Operator.DIFFERENT, other.expression, _NULL)
    with context.under(there):
        theirs = key(context, other, span)
    return truth(binary(Operator.AND, there, binary(Operator.EQUAL, mine, theirs)))


OF_SEQUENCES: Mapping[tuple[str, int], Instance] = {
    ("length", 0): _length,
    ("charAt", 1): _character,
    ("isEmpty", 0): _is_empty,
}
"""What all sequences of characters have."""
OF_STRINGS: Mapping[tuple[str, int], Instance] = {
    **OF_SEQUENCES,
    ("compareTo", 1): order,
    ("compareToIgnoreCase", 1): order_ignoring_case,
    ("equals", 1): same_string,
    ("equalsIgnoreCase", 1): _same_ignoring_case,
    ("hashCode", 0): _told("hashCode", Primitive.INT),
    **{("indexOf", count): _told("indexOf", Primitive.INT) for count in (1, 2)},
    ("lastIndexOf", 1): _told("lastIndexOf", Primitive.INT),
    **{(name, 1): _told(name, Primitive.BOOLEAN) for name in ("startsWith", "endsWith", "contains")},
    **{(name, 0): _derived(name) for name in ("trim", "toLowerCase", "toUpperCase", "toString")},
    **{("substring", count): _derived("substring") for count in (1, 2)},
    ("concat", 1): _derived("concat"),
}
