"""Methods of Java's own classes that have a meaning here, each as a function from values to a value.

Strings are seen in two ways: as wholes, which are equal or not and have an order, and as sequences of characters. What
the one says about the other is not modelled: a program that uses both can be proved, but not refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sorrel.assumption import AssumptionKind
from sorrel.errors import Span
from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.operations import (
    FLOATING_POINT,
    arithmetic,
    boxed,
    comparable,
    compared,
    converted,
    negated,
    number,
    three_way,
    truth,
    unboxed_value,
    wrapped,
)
from sorrel.frontends.java.types import (
    BOXES,
    FLOATING,
    MACHINES,
    OBJECT,
    STRING,
    ArrayOf,
    JavaType,
    Primitive,
    Reference,
    is_integral,
    is_reference,
    program_type,
    promoted,
    unboxed,
)
from sorrel.program.construction import binary, unbounded
from sorrel.program.expression import Apply, Conditional, Constant, Expression, Operator, Unary, UnaryOperator
from sorrel.program.types import UNBOUNDED

WHOLE, CHARACTERS = "whole", "characters"
_NULL = Constant(0, UNBOUNDED)
_FARTHEST = 0xFFFF  # the difference of two characters
_LISTS = ("List", "ArrayList", "LinkedList", "Collection", "Vector")
_TEXTS = ("String", "CharSequence", "StringBuilder")
_HELD = {f"{primitive}Value": primitive for primitive in Primitive}


@dataclass(frozen=True, slots=True)
class Ordering:
    """The result of a comparison of which only the sign is known: that of the order of two keys.

    `name` is of the function that says how far two different keys are apart.
    """

    left: Expression
    right: Expression
    name: str


Result: TypeAlias = Value | Ordering
Static: TypeAlias = Callable[[Context, Sequence[Value], Span], Result]
Instance: TypeAlias = Callable[[Context, Value, Sequence[Value], Span], Result]


def settled(context: Context, result: Result, span: Span) -> Value:
    """The number that a comparison returns: the opposite one if its arguments are exchanged."""
    if isinstance(result, Value):
        return result
    type = MACHINES[Primitive.INT]
    is_less = binary(Operator.LESS, result.left, result.right)
    low = Conditional(is_less, result.left, result.right, UNBOUNDED)
    high = Conditional(is_less, result.right, result.left, UNBOUNDED)
    distance = Apply(f"{result.name}.distance", (low, high), type)
    least = binary(Operator.AT_MOST, Constant(1, type), distance)
    most = binary(Operator.AT_MOST, distance, Constant(_FARTHEST, type))
    context.require(binary(Operator.AND, least, most), span, "")
    below = wrapped(Unary(UnaryOperator.NEGATE, unbounded(distance), UNBOUNDED), type)
    is_same = binary(Operator.EQUAL, result.left, result.right)
    rest = Conditional(is_same, Constant(0, type), distance, type)
    return Value(Conditional(is_less, below, rest, type), Primitive.INT)


def compared_with_zero(operator: str, result: Ordering, *, swapped: bool) -> Value:
    """A test of the sign, which needs no distance."""
    left, right = (result.right, result.left) if swapped else (result.left, result.right)
    return truth(binary(Operator(operator), left, right))


# Strings


def _content(context: Context, value: Value, span: Span) -> Expression:
    """Which string it is: equal ones have the same number, and the numbers are in the order of compareTo."""
    if not is_reference(value.type):
        context.note(span, f"a number of type {value.type} stands for a string.")
        return unbounded(converted(context, value, Primitive.LONG, span).expression)
    context.require_object(value.expression, span)
    return context.function("String.content", [value.expression], OBJECT, span).expression


def _whole(context: Context, value: Value, span: Span) -> Expression:
    context.translation.views_of_strings.add(WHOLE)
    return _content(context, value, span)


def _folded(context: Context, value: Value, span: Span) -> Expression:
    """The place in the order that does not tell capital letters from small ones."""
    return context.function("String.ignoringCase", [_whole(context, value, span)], OBJECT, span).expression


def string_literal(context: Context, text: str, span: Span) -> Value:
    """Different literals are different strings, in their order."""
    literals = context.translation.literals
    made = Value(Apply(f'"{text}"', (), UNBOUNDED), STRING)
    context.require(binary(Operator.DIFFERENT, made.expression, _NULL), span, "")
    literals.setdefault(text)
    for other in literals:
        if other != text:
            beside = Apply("String.content", (Apply(f'"{other}"', (), UNBOUNDED),), UNBOUNDED)
            own = Apply("String.content", (made.expression,), UNBOUNDED)
            operator = Operator.LESS if _units(text) < _units(other) else Operator.MORE
            context.require(binary(operator, own, beside), span, "")
    return made


def _units(text: str) -> list[int]:
    """Strings are ordered by their UTF-16 units."""
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2]) for at in range(0, len(data), 2)]


def _length(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    context.translation.views_of_strings.add(CHARACTERS)
    return _size(context, "String.length", _content(context, receiver, span), span)


def _character(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    length = _length(context, receiver, (), span)
    index = _inside(context, arguments[0], length, span)
    content = _content(context, receiver, span)
    return context.function("String.charAt", [content, index.expression], Primitive.CHAR, span)


def _is_empty(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return compared(context, "==", _length(context, receiver, (), span), number(0), span)


def _derived(name: str) -> Instance:
    """Another string that depends on this one only."""

    def derive(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
        given = [_whole(context, receiver, span), *(each.expression for each in arguments)]
        context.translation.views_of_strings.add(CHARACTERS)  # its characters have to do with those of the other
        made = context.function(f"String.{name}", given, STRING, span)
        context.require(binary(Operator.DIFFERENT, made.expression, _NULL), span, "")
        return made

    return derive


def _string_order(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Ordering:
    left, right = (_whole(context, each, span) for each in (receiver, arguments[0]))
    return Ordering(left, right, "String.compareTo")


def _order_ignoring_case(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Ordering:
    left, right = (_folded(context, each, span) for each in (receiver, arguments[0]))
    return Ordering(left, right, "String.compareToIgnoreCase")


def _same_string(key: Callable[[Context, Value, Span], Expression]) -> Instance:
    def same(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
        mine = key(context, receiver, span)
        other = arguments[0]
        there = binary(Operator.DIFFERENT, other.expression, _NULL)
        with context.under(there):
            theirs = key(context, other, span)
        return truth(binary(Operator.AND, there, binary(Operator.EQUAL, mine, theirs)))

    return same


# Containers


def _size(context: Context, name: str, of: Expression, span: Span) -> Value:
    size = context.function(name, [of], Primitive.INT, span)
    context.require(binary(Operator.AT_MOST, number(0).expression, size.expression), span, "")
    return size


def _inside(context: Context, index: Value, length: Value, span: Span) -> Value:
    """An index that is not inside throws an exception."""
    index = converted(context, index, Primitive.INT, span)
    context.require(binary(Operator.AT_MOST, number(0).expression, index.expression), span)
    context.require(binary(Operator.LESS, index.expression, length.expression), span)
    return index


def array_length(context: Context, array: Value, span: Span) -> Value:
    context.require_object(array.expression, span)
    return _size(context, "length", array.expression, span)


def array_element(context: Context, array: Value, index: Value, span: Span) -> Value:
    index = _inside(context, index, array_length(context, array, span), span)
    element = array.type.element if isinstance(array.type, ArrayOf) else OBJECT
    return context.function(f"{array.type}", [array.expression, index.expression], element, span)


def list_size(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    context.require_object(receiver.expression, span)
    return _size(context, "List.size", receiver.expression, span)


def list_element(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    index = _inside(context, arguments[0], list_size(context, receiver, (), span), span)
    return context.function("List.get", [receiver.expression, index.expression], _element_type(receiver.type), span)


def _list_is_empty(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return compared(context, "==", list_size(context, receiver, (), span), number(0), span)


def _element_type(type: JavaType) -> JavaType:
    return type.arguments[0] if isinstance(type, Reference) and type.arguments else OBJECT


def is_list(type: JavaType) -> bool:
    return isinstance(type, Reference) and type.name in _LISTS


# Boxes and any objects


def _box_compare(context: Context, arguments: Sequence[Value], primitive: Primitive, span: Span) -> Value:
    """What the class's own compare returns: a difference for small types, else -1, 0 or 1."""
    if all(is_reference(each.type) and unboxed(each.type) == each.type for each in arguments):
        left, right = comparable(context, arguments[0], arguments[1], span)
        return three_way(left.expression, right.expression)
    left, right = (converted(context, each, primitive, span) for each in arguments)
    if primitive in (Primitive.BYTE, Primitive.SHORT, Primitive.CHAR):
        return arithmetic(context, "-", left, right, span)
    if primitive in FLOATING:
        context.translation.assume(AssumptionKind.FLOATS, FLOATING_POINT)
    if primitive is Primitive.BOOLEAN:
        keys = [wrapped(each.expression, MACHINES[Primitive.INT]) for each in (left, right)]
        return three_way(*keys)
    return three_way(left.expression, right.expression)


def _box_order(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return _box_compare(context, (receiver, *arguments), _held_by(receiver.type), span)


def _box_equals(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    """Equal only to an object of the same class."""
    other = arguments[0]
    if unboxed(other.type) != _held_by(receiver.type):
        return object_equals(context, receiver, arguments, span)
    mine = unboxed_value(context, receiver, span)
    if not is_reference(other.type):
        return compared(context, "==", mine, other, span)
    there = binary(Operator.DIFFERENT, other.expression, _NULL)
    with context.under(there):
        theirs = unboxed_value(context, other, span)
    return truth(binary(Operator.AND, there, compared(context, "==", mine, theirs, span).expression))


def _held_by(type: JavaType) -> Primitive:
    found = unboxed(type)
    if not isinstance(found, Primitive):
        raise TypeError(f"{type} holds no value")
    return found


def object_order(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Ordering:
    """compareTo of a class that is not given: the order that its contract promises."""
    name = f"{receiver.type}.compareTo"
    told = f"{name}, which has no body, is a total order, as Comparable demands."
    context.translation.assume(AssumptionKind.LIBRARY, told)
    keys = []
    for each in (receiver, arguments[0]):
        context.require_object(each.expression, span)
        keys.append(context.function(f"{name}.key", [each.expression], OBJECT, span).expression)
    return Ordering(keys[0], keys[1], name)


def object_equals(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    """equals of a class that is not given: an equivalence, as its contract promises."""
    name = f"{receiver.type}.equals"
    told = f"{name}, which has no body, is an equivalence relation, as Object demands."
    context.translation.assume(AssumptionKind.LIBRARY, told)
    context.require_object(receiver.expression, span)
    mine, theirs = (
        context.function(f"{name}.class", [each.expression], OBJECT, span).expression
        for each in (receiver, arguments[0])
    )
    there = binary(Operator.DIFFERENT, arguments[0].expression, _NULL)
    return truth(binary(Operator.AND, there, binary(Operator.EQUAL, mine, theirs)))


def objects_equal(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    """Objects.equals: both null, or equal."""
    left, right = arguments
    if not (is_reference(left.type) and is_reference(right.type)):
        return compared(context, "==", left, right, span)
    same = binary(Operator.EQUAL, left.expression, right.expression)
    there = binary(Operator.DIFFERENT, left.expression, _NULL)
    with context.under(there):
        method = instance_method(left.type, "equals", 1) or object_equals
        equal = settled(context, method(context, left, [right], span), span)
    return truth(binary(Operator.OR, same, binary(Operator.AND, there, equal.expression)))


def _held(primitive: Primitive) -> Instance:
    def hold(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
        return converted(context, receiver, primitive, span)

    return hold


# Static methods


def _compare(primitive: Primitive) -> Static:
    return lambda context, arguments, span: _box_compare(context, arguments, primitive, span)


def _box(primitive: Primitive) -> Static:
    return lambda context, arguments, span: boxed(context, arguments[0], primitive, span)


def _absolute(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    """The smallest integer has no opposite: it stays."""
    value = unboxed_value(context, arguments[0], span)
    if is_integral(value.type):
        value = converted(context, value, promoted(value.type, Primitive.INT), span)
    below = negated(context, value, span)
    is_below = compared(context, "<", value, number(0), span).expression
    return Value(Conditional(is_below, below.expression, value.expression, value.expression.type), value.type)


def _extreme(operator: str) -> Static:
    def choose(context: Context, arguments: Sequence[Value], span: Span) -> Value:
        left, right = (unboxed_value(context, each, span) for each in arguments)
        type = promoted(left.type, right.type)
        left, right = converted(context, left, type, span), converted(context, right, type, span)
        is_first = compared(context, operator, left, right, span).expression
        return Value(Conditional(is_first, left.expression, right.expression, program_type(type)), type)

    return choose


def _sign(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    value = unboxed_value(context, arguments[0], span)
    return three_way(value.expression, Constant(0, value.expression.type))


def _first_is_receiver(method: Instance) -> Static:
    return lambda context, arguments, span: method(context, arguments[0], arguments[1:], span)


_STATIC: Mapping[tuple[str, str, int], Static] = {
    **{(name, "compare", 2): _compare(primitive) for name, primitive in BOXES.items()},
    **{(name, "valueOf", 1): _box(primitive) for name, primitive in BOXES.items()},
    ("Math", "abs", 1): _absolute,
    ("Math", "min", 2): _extreme("<="),
    ("Math", "max", 2): _extreme(">="),
    ("Integer", "signum", 1): _sign,
    ("Long", "signum", 1): _sign,
    ("Objects", "equals", 2): objects_equal,
    ("String", "compare", 2): _first_is_receiver(_string_order),
    ("String", "compareIgnoreCase", 2): _first_is_receiver(_order_ignoring_case),
}
"""By class, name and number of arguments. The two of String are no methods of Java; they read like what they mean."""

_OF_TEXTS: Mapping[tuple[str, int], Instance] = {
    ("length", 0): _length,
    ("charAt", 1): _character,
    ("isEmpty", 0): _is_empty,
    ("compareTo", 1): _string_order,
    ("compareToIgnoreCase", 1): _order_ignoring_case,
    ("equals", 1): _same_string(_whole),
    ("equalsIgnoreCase", 1): _same_string(_folded),
    **{(name, count): _derived(name) for name, count in (("trim", 0), ("toLowerCase", 0), ("toUpperCase", 0))},
}
_OF_LISTS: Mapping[tuple[str, int], Instance] = {
    ("size", 0): list_size,
    ("get", 1): list_element,
    ("isEmpty", 0): _list_is_empty,
}
_OF_BOXES: Mapping[tuple[str, int], Instance] = {
    ("compareTo", 1): _box_order,
    ("equals", 1): _box_equals,
    **{(name, 0): _held(primitive) for name, primitive in _HELD.items() if primitive is not Primitive.VOID},
}
OF_OBJECTS: Mapping[tuple[str, int], Instance] = {("compareTo", 1): object_order, ("equals", 1): object_equals}
"""What is promised by every class that says nothing else."""

LIMITS = {
    (name, bound): getattr(MACHINES[primitive], where)
    for name, primitive in BOXES.items()
    if primitive in MACHINES
    for bound, where in (("MIN_VALUE", "smallest"), ("MAX_VALUE", "largest"))
}
"""Constants such as Integer.MAX_VALUE."""


def static_method(owner: str, name: str, count: int) -> Static | None:
    return _STATIC.get((owner, name, count))


def instance_method(type: JavaType, name: str, count: int) -> Instance | None:
    """What a method means for a receiver of a class of Java's own, or of one that nobody gives."""
    if not isinstance(type, Reference):
        return OF_OBJECTS.get((name, count))
    own = _OF_TEXTS if type.name in _TEXTS else _OF_LISTS if type.name in _LISTS else {}
    own = _OF_BOXES if type.name in BOXES else own
    return own.get((name, count)) or OF_OBJECTS.get((name, count))
