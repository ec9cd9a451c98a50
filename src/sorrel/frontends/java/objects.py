"""What boxes, enumerations, records and objects of any class say about themselves: equals, compareTo, hashCode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import numbers
from sorrel.frontends.java.context import Context, Value, ZeroUse
from sorrel.frontends.java.operations import (
    FLOATING_POINT,
    boxed,
    comparable,
    compared,
    converted,
    three_way,
    truth,
    unboxed_value,
)
from sorrel.frontends.java.ordering import Ordering, Result, settled
from sorrel.frontends.java.strings import Instance, same_string
from sorrel.frontends.java.types import (
    FLOATING,
    MACHINES,
    NULL,
    OBJECT,
    STRING,
    ArrayOf,
    JavaType,
    Primitive,
    is_reference,
    unboxed,
)
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE, binary, every, negation, unbounded
from sorrel.program.expression import Conditional, Constant, Convert, Expression, Operator
from sorrel.program.types import UNBOUNDED

Static: TypeAlias = Callable[[Context, Sequence[Value], Span], Result]

_NULL = Constant(0, UNBOUNDED)
_NAMES = {primitive: f"java.lang.{primitive.capitalize()}" for primitive in Primitive} | {
    Primitive.INT: "java.lang.Integer",
    Primitive.CHAR: "java.lang.Character",
}
_HELD = {f"{primitive}Value": primitive for primitive in Primitive if primitive is not Primitive.VOID}


def there(value: Value) -> Expression:
    return binary(Operator.DIFFERENT, value.expression, _NULL)


# Tests of types


def is_instance(context: Context, value: Value, type: JavaType, span: Span) -> Expression:
    """Whether the object is there and of the type."""
    known = context.classes.is_instance(value.type, type)
    if known is not None:
        return there(value) if known else FALSE
    test = context.instance_test(value.expression, type)
    for other in context.translation.tested:
        if other == type:
            continue
        beside = context.instance_test(value.expression, other)
        if (implied := context.classes.is_instance(type, other)) is not None:
            context.require(binary(Operator.IMPLIES, test, beside if implied else negation(beside)), span, "")
    return binary(Operator.AND, there(value), test)


# Boxes


def compare_boxed(primitive: Primitive) -> Static:
    """What the class's own compare returns: a difference for small types, else -1, 0 or 1."""

    def compare(context: Context, arguments: Sequence[Value], span: Span) -> Value:
        if all(is_reference(each.type) and unboxed(each.type) == each.type for each in arguments):
            left, right = comparable(context, arguments[0], arguments[1], span)
            return three_way(left.expression, right.expression)
        if primitive not in FLOATING:
            return numbers.METHODS[_NAMES[primitive]]["compare", 2](context, arguments, span)
        context.translation.assume(AssumptionKind.FLOATS, FLOATING_POINT)
        context.translation.negative_zeros.add(ZeroUse.TOLD_APART)
        left, right = (converted(context, each, primitive, span) for each in arguments)
        return three_way(left.expression, right.expression)

    return compare


def box(primitive: Primitive) -> Static:
    def make(context: Context, arguments: Sequence[Value], span: Span) -> Value:
        if is_reference(arguments[0].type) and unboxed(arguments[0].type) == arguments[0].type:
            raise Unsupported(f"a number that is read from {arguments[0].type}", span)
        return boxed(context, arguments[0], primitive, span)

    return make


def _box_order(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Result:
    return compare_boxed(_held_by(receiver.type))(context, (receiver, *arguments), span)


def _box_equals(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    """Equal only to an object of the same class."""
    other, held = arguments[0], _held_by(receiver.type)
    mine = unboxed_value(context, receiver, span)
    if held in FLOATING:
        context.translation.negative_zeros.add(ZeroUse.TOLD_APART)
    if not is_reference(other.type):
        return compared(context, "==", mine, other, span) if other.type == held else truth(FALSE)
    if other.type == NULL:
        return truth(FALSE)
    if unboxed(other.type) != held:
        return _equals_other(context, receiver, other, span)
    with context.under(there(other)):
        theirs = unboxed_value(context, other, span)
    return truth(binary(Operator.AND, there(other), compared(context, "==", mine, theirs, span).expression))


def _equals_other(context: Context, receiver: Value, other: Value, span: Span) -> Value:
    """A box or a string beside an object of another declared type: not equal, unless it may be of the same class."""
    context.require_object(receiver.expression, span)
    if context.classes.is_instance(receiver.type, other.type) is False or unboxed(other.type) != other.type:
        return truth(FALSE)
    return context.open(f"{receiver.type}.equals", [receiver.expression, other.expression], Primitive.BOOLEAN, span)


def string_equals(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    other = arguments[0]
    if not is_reference(other.type) or other.type in (STRING, NULL):
        return same_string(context, receiver, arguments, span)
    return _equals_other(context, receiver, other, span)


def _box_hash(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    value = unboxed_value(context, receiver, span)
    held = _held_by(receiver.type)
    found = numbers.METHODS.get(_NAMES[held], {}).get(("hashCode", 1))
    if found is None:
        return context.open(f"{receiver.type}.hashCode", [value.expression], Primitive.INT, span)
    return found(context, [value], span)


def _held_by(type: JavaType) -> Primitive:
    found = unboxed(type)
    if not isinstance(found, Primitive):
        raise TypeError(f"{type} holds no value")
    return found


def _held(primitive: Primitive) -> Instance:
    def hold(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
        return converted(context, receiver, primitive, span)

    return hold


OF_BOXES: Mapping[tuple[str, int], Instance] = {
    ("compareTo", 1): _box_order,
    ("equals", 1): _box_equals,
    ("hashCode", 0): _box_hash,
    **{(name, 0): _held(primitive) for name, primitive in _HELD.items()},
}

# Enumerations


def _ordinal(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    """Constants are numbered from 1."""
    context.require_object(receiver.expression, span)
    exact = binary(Operator.SUBTRACT, unbounded(receiver.expression), Constant(1, UNBOUNDED))
    return Value(Convert(exact, MACHINES[Primitive.INT]), Primitive.INT)


def _ordinal_difference(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    for each in (receiver, arguments[0]):
        context.require_object(each.expression, span)
    exact = binary(Operator.SUBTRACT, unbounded(receiver.expression), unbounded(arguments[0].expression))
    return Value(Convert(exact, MACHINES[Primitive.INT]), Primitive.INT)


def identical(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    """equals as Object has it."""
    context.require_object(receiver.expression, span)
    return compared(context, "==", receiver, arguments[0], span)


OF_ENUMERATIONS: Mapping[tuple[str, int], Instance] = {
    ("ordinal", 0): _ordinal,
    ("compareTo", 1): _ordinal_difference,
    ("equals", 1): identical,
}

# Any objects


def object_order(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Ordering:
    """compareTo of a class that is not given: the order that its contract promises."""
    name = f"{receiver.type}.compareTo"
    return _promised_order(context, name, "Comparable", (receiver, arguments[0]), [], span)


def comparator_order(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Ordering:
    """compare of a comparator that is not given: an order for each comparator."""
    context.require_object(receiver.expression, span)
    return _promised_order(context, "Comparator.compare", "Comparator", arguments, [receiver.expression], span)


def _promised_order(
    context: Context, name: str, contract: str, values: Sequence[Value], by: list[Expression], span: Span
) -> Ordering:
    told = f"{name}, which has no body, is a total order, as {contract} demands."
    context.translation.assume(AssumptionKind.LIBRARY, told)
    keys = []
    for value in values:
        each = value if is_reference(value.type) else converted(context, value, OBJECT, span)
        if not by:
            context.require_object(each.expression, span)
        keys.append(context.function(f"{name}.key", [*by, each.expression], OBJECT, span).expression)
    return Ordering(keys[0], keys[1], name)


def object_equals(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    """equals of a class that is not given: an equivalence, as its contract promises."""
    name = f"{receiver.type}.equals"
    told = f"{name}, which has no body, is an equivalence relation, as Object demands."
    context.translation.assume(AssumptionKind.LIBRARY, told)
    context.require_object(receiver.expression, span)
    mine, theirs = (_equality_class(context, receiver.type, each, span) for each in (receiver, arguments[0]))
    return truth(binary(Operator.AND, there(arguments[0]), binary(Operator.EQUAL, mine, theirs)))


def _equality_class(context: Context, type: JavaType, value: Value, span: Span) -> Expression:
    if not is_reference(value.type):
        value = converted(context, value, OBJECT, span)
    return context.function(f"{type}.equals.class", [value.expression], OBJECT, span).expression


def object_hash(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    """Equal objects have equal hash codes."""
    context.require_object(receiver.expression, span)
    key = _equality_class(context, receiver.type, receiver, span)
    return context.function(f"{receiver.type}.hashCode", [key], Primitive.INT, span)


OF_OBJECTS: Mapping[tuple[str, int], Instance] = {
    ("compareTo", 1): object_order,
    ("equals", 1): object_equals,
    ("hashCode", 0): object_hash,
}
"""What is promised by every class of which nothing else is known."""


def record_equals(components: Sequence[tuple[str, JavaType]]) -> Instance:
    """Of a record that does not say otherwise: of the same class, with equal components."""

    def same(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
        context.require_object(receiver.expression, span)
        other = arguments[0]
        if other.type != receiver.type:
            return _equals_other(context, receiver, other, span)
        tests = [there(other)]
        with context.under(there(other)):
            for name, type in components:
                mine, theirs = (
                    context.function(f"{receiver.type}.{name}", [each.expression], type, span)
                    for each in (receiver, other)
                )
                if type in FLOATING:
                    context.translation.negative_zeros.add(ZeroUse.TOLD_APART)
                tests.append(objects_equal(context, [mine, theirs], span).expression)
        return truth(every(tests))

    return same


# Methods of Objects


def objects_equal(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    """Both null, or equal."""
    left, right = arguments
    if not (is_reference(left.type) and is_reference(right.type)):
        if left.type != right.type and unboxed(left.type) != unboxed(right.type):
            raise Unsupported(f"Objects.equals of {left.type} and {right.type}", span)
        boxes = [there(each) for each in (left, right) if is_reference(each.type)]
        with context.under(every(boxes)):
            same = compared(context, "==", left, right, span).expression
        return truth(every([*boxes, same]))
    same = binary(Operator.EQUAL, left.expression, right.expression)
    with context.under(there(left)):
        equal = settled(context, equals(context, left, [right], span), span)
    return truth(binary(Operator.OR, same, binary(Operator.AND, there(left), equal.expression)))


def equals(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Result:
    """equals of an object whose class has no body for it."""
    if isinstance(receiver.type, ArrayOf):
        return identical(context, receiver, arguments, span)
    if receiver.type == STRING:
        return string_equals(context, receiver, arguments, span)
    if receiver.type != unboxed(receiver.type):
        return _box_equals(context, receiver, arguments, span)
    name = str(receiver.type)
    for each in (*context.classes.lineage(name), *context.classes.below(name)):
        if any(method.takes(1) and method.body is not None for method in each.methods.get("equals", ())):
            raise Unsupported(f"equals of {receiver.type} by way of other methods, which {each.name} defines", span)
    found = of_given(context, receiver.type, "equals", 1)
    if found is not None:
        return found(context, receiver, arguments, span)
    if context.classes.of_java(receiver.type) and receiver.type != OBJECT:
        given = [receiver.expression, converted(context, arguments[0], OBJECT, span).expression]
        return context.open(f"{receiver.type}.equals", given, Primitive.BOOLEAN, span)
    return object_equals(context, receiver, arguments, span)


def of_given(context: Context, type: JavaType, name: str, count: int) -> Instance | None:
    """What a class that is given has without saying so: what it inherits from Enum, Record and Object."""
    known = context.classes.get(type)
    if known is None or any(each.methods.get(name) for each in context.classes.lineage(known.name)):
        return None
    if known.is_enum:
        return OF_ENUMERATIONS.get((name, count))
    if (name, count) != ("equals", 1) or known.is_interface or not context.classes.is_complete(known.name):
        return None
    if known.is_record:
        fields = [(each.name, each.type) for each in known.fields.values() if not each.static]
        return record_equals(fields)
    return identical


def _objects_compare(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    """Zero for identical objects, else what the comparator says."""
    left, right, comparator = arguments
    same = compared(context, "==", left, right, span).expression
    with context.under(negation(same)):
        found = settled(context, comparator_order(context, comparator, [left, right], span), span)
    zero = Constant(0, MACHINES[Primitive.INT])
    return Value(Conditional(same, zero, found.expression, zero.type), Primitive.INT)


def _is_null(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    return truth(negation(there(arguments[0])))


def _non_null(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    return truth(there(arguments[0]))


def _required(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    context.require_object(arguments[0].expression, span)
    return arguments[0]


METHODS: Mapping[tuple[str, int], Static] = {
    ("equals", 2): objects_equal,
    ("compare", 3): _objects_compare,
    ("isNull", 1): _is_null,
    ("nonNull", 1): _non_null,
    ("requireNonNull", 1): _required,
    ("requireNonNull", 2): _required,
}
