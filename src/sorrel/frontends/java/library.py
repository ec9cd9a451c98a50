"""Methods of Java's own classes: what is modelled exactly, and what the others return.

Classes are found by declaration (`names`): a class of the user's own is never taken for one of Java's. A method that
is not modelled is open: proofs know nothing of its value but the type, and a run that asks for it proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import numbers, objects, strings
from sorrel.frontends.java.containers import OF_LISTS, is_list
from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.operations import boxed, number, truth
from sorrel.frontends.java.ordering import Result
from sorrel.frontends.java.strings import Instance
from sorrel.frontends.java.types import (
    BOXES,
    MACHINES,
    NULL,
    OBJECT,
    STRING,
    JavaType,
    Primitive,
    Reference,
    is_reference,
)
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE, TRUE, binary
from sorrel.program.expression import Constant, Expression, Operator
from sorrel.program.types import UNBOUNDED

_INT, _BOOLEAN, _DOUBLE, _CHAR, _LONG = (
    Primitive.INT,
    Primitive.BOOLEAN,
    Primitive.DOUBLE,
    Primitive.CHAR,
    Primitive.LONG,
)
_UNSPELLED = {"Int": "java.lang.Integer", "Char": "java.lang.Character"}
"""No classes of Java; comparators reduced to their essence use them."""
_OF_OBJECT = frozenset(
    {"equals", "hashCode", "toString", "getClass", "clone", "finalize", "notify", "notifyAll", "wait"}
)
_BUILDERS = ("java.lang.StringBuilder", "java.lang.StringBuffer")


def _of_type(type: JavaType, names: str) -> Iterator[tuple[str, JavaType]]:
    return ((name, type) for name in names.split())


_OF_DOUBLES = dict(
    _of_type(
        _DOUBLE,
        "IEEEremainder acos asin atan atan2 cbrt ceil cos cosh exp expm1 floor hypot log log10 log1p pow rint sin sinh"
        " sqrt tan tanh toDegrees toRadians",
    )
)
_OF_INTEGERS = dict(_of_type(STRING, "toBinaryString toHexString toOctalString toString toUnsignedString"))
_STATIC_RESULTS: Mapping[str, Mapping[str, JavaType]] = {
    "java.lang.Math": {**_OF_DOUBLES, **dict(_of_type(_LONG, "multiplyFull multiplyHigh"))},
    "java.lang.StrictMath": _OF_DOUBLES,
    "java.lang.Integer": {**_OF_INTEGERS, **dict(_of_type(_INT, "parseInt parseUnsignedInt reverse reverseBytes"))},
    "java.lang.Long": {**_OF_INTEGERS, **dict(_of_type(_LONG, "parseLong parseUnsignedLong reverse reverseBytes"))},
    "java.lang.Character": {
        **dict(_of_type(_INT, "digit getType charCount")),
        **dict(_of_type(_CHAR, "forDigit reverseBytes")),
        **dict(
            _of_type(
                _BOOLEAN,
                "isDefined isHighSurrogate isIdeographic isJavaIdentifierPart isJavaIdentifierStart isLowSurrogate"
                " isMirrored isSurrogate isTitleCase",
            )
        ),
    },
    "java.lang.Boolean": {"parseBoolean": _BOOLEAN, "toString": STRING},
    "java.lang.Double": {
        **dict(_of_type(_BOOLEAN, "isFinite isInfinite isNaN")),
        **dict(_of_type(_LONG, "doubleToLongBits doubleToRawLongBits")),
        "hashCode": _INT,
        "parseDouble": _DOUBLE,
        "toString": STRING,
    },
    "java.lang.Float": {
        **dict(_of_type(_BOOLEAN, "isFinite isInfinite isNaN")),
        **dict(_of_type(_INT, "floatToIntBits floatToRawIntBits hashCode")),
        "toString": STRING,
    },
    "java.lang.String": dict(_of_type(STRING, "valueOf format join")),
    "java.util.Objects": {"hash": _INT, "hashCode": _INT, "toString": STRING},
}
"""The types of what static methods return that are not modelled, and depend on their arguments alone."""
_RESULTS: Mapping[str, Mapping[str, JavaType]] = {
    "java.lang.String": {
        **dict(
            _of_type(
                STRING,
                "formatted indent intern repeat replace replaceAll replaceFirst strip stripLeading stripTrailing",
            )
        ),
        **dict(_of_type(_BOOLEAN, "contentEquals isBlank matches regionMatches")),
        **dict(_of_type(_INT, "codePointAt codePointBefore codePointCount lastIndexOf")),
    },
    "java.lang.CharSequence": {"toString": STRING},
    "java.lang.Double": {"isNaN": _BOOLEAN, "isInfinite": _BOOLEAN, "toString": STRING},
    "java.lang.Float": {"isNaN": _BOOLEAN, "isInfinite": _BOOLEAN, "toString": STRING},
    **{f"java.lang.{name}": {"toString": STRING} for name in ("Integer", "Long", "Short", "Byte", "Boolean")},
    "java.lang.Character": {"toString": STRING},
    "java.lang.Enum": {"name": STRING, "toString": STRING, "hashCode": _INT},
    "java.lang.Object": {"toString": STRING, "hashCode": _INT},
    "java.util.List": {
        "contains": _BOOLEAN,
        "indexOf": _INT,
        "lastIndexOf": _INT,
        "equals": _BOOLEAN,
        "hashCode": _INT,
    },
}
"""The same for other methods, which depend on the receiver, too."""

_STATIC: Mapping[str, Mapping[tuple[str, int], objects.Static]] = {
    **numbers.METHODS,
    "java.util.Objects": objects.METHODS,
    "java.lang.String": {
        ("compare", 2): lambda context, given, span: strings.order(context, given[0], given[1:], span),
        ("compareIgnoreCase", 2): lambda context, given, span: strings.order_ignoring_case(
            context, given[0], given[1:], span
        ),
    },
}
"""The two of String are no methods of Java; they read like what they mean."""


def static_call(context: Context, owner: str, name: str, given: Sequence[Value], span: Span) -> Result:
    """A static method of a class of Java's own, by its whole name."""
    held = BOXES.get(owner.rpartition(".")[2])
    if held is not None and name == "valueOf" and len(given) == 1:
        return objects.box(held)(context, given, span)
    if held is not None and name == "compare" and len(given) == 2:
        return objects.compare_boxed(held)(context, given, span)
    found = _STATIC.get(owner, {}).get((name, len(given)))
    if found is not None:
        return found(context, given, span)
    type = _STATIC_RESULTS.get(owner, {}).get(name)
    if type is None:
        raise not_modelled(owner, name, span)
    return _open(context, owner, name, given, type, span)


def has_static(owner: str, name: str, count: int) -> bool:
    return (name, count) in _STATIC.get(owner, {}) or name in _STATIC_RESULTS.get(owner, {})


def _open(context: Context, owner: str, name: str, given: Sequence[Value], type: JavaType, span: Span) -> Value:
    """Overloaded methods are told apart by the types of the arguments; strings are known by their contents."""
    short = f"{owner.rpartition('.')[2]}.{name}({', '.join(str(each.type) for each in given)})"
    arguments = [_known_by(context, each, span) for each in given]
    found = context.open(short, arguments, type, span)
    if type == STRING:
        context.translation.fresh = span
        context.require(binary(Operator.DIFFERENT, found.expression, Constant(0, UNBOUNDED)), span, "")
    return found


def _known_by(context: Context, value: Value, span: Span) -> Expression:
    """What the method may look at. An object may be null, where the method allows that."""
    if value.type == STRING:
        there = objects.there(value)
        with context.under(there):
            return strings.content(context, value, span)
    return value.expression


def not_modelled(owner: str, name: str, span: Span) -> Unsupported:
    return Unsupported(f"{owner.rpartition('.')[2]}.{name}, which is not modelled", span)


def instance_call(context: Context, receiver: Value, name: str, given: Sequence[Value], span: Span) -> Result | None:
    """A method that the class of the receiver does not declare; None if nothing says what it means."""
    type = receiver.type
    for each in context.classes.below(str(type)):
        if any(method.takes(len(given)) for method in each.methods.get(name, ())):
            raise Unsupported(f"a call of {name}, which {each.name} overrides", span)
    own = objects.of_given(context, type, name, len(given))
    if own is not None:
        return own(context, receiver, given, span)
    if not isinstance(type, Reference):
        if name in _OF_OBJECT:
            return objects.identical(context, receiver, given, span) if name == "equals" else None
        return None
    whole = _UNSPELLED.get(type.name, context.classes.of_java(type))
    key = (name, len(given))
    if not whole or whole == "java.lang.Object":
        return _of_any_object(context, receiver, name, given, span)
    found = _table(context, type, whole).get(key)
    if found is not None:
        return found(context, receiver, given, span)
    result = _RESULTS.get("java.util.List" if is_list(context, type) else whole, {}).get(name)
    if result is None:
        raise not_modelled(whole, name, span)
    context.require_object(receiver.expression, span)
    return _open(context, whole, name, [receiver, *given], result, span)


def _of_any_object(context: Context, receiver: Value, name: str, given: Sequence[Value], span: Span) -> Result | None:
    """A class that is given has what Object has; one that is not given keeps what the contracts promise."""
    known = context.classes.get(receiver.type)
    promised = objects.OF_OBJECTS.get((name, len(given)))
    if promised is not None and (known is None or name != "hashCode"):
        return promised(context, receiver, given, span)
    if known is None and receiver.type != OBJECT:
        return None
    inherited = _RESULTS["java.lang.Enum" if known is not None and known.is_enum else "java.lang.Object"].get(name)
    if inherited is None or given:
        return None
    context.require_object(receiver.expression, span)
    return _open(context, f"java.lang.{receiver.type}", name, [receiver], inherited, span)


def _table(context: Context, type: Reference, whole: str) -> Mapping[tuple[str, int], Instance]:
    if type == STRING:
        return {**strings.OF_STRINGS, ("equals", 1): objects.string_equals}
    if type.name in BOXES:
        return objects.OF_BOXES
    if is_list(context, type):
        return OF_LISTS
    if whole in _BUILDERS:
        return {**strings.OF_SEQUENCES, ("equals", 1): objects.identical}
    return _OF_OTHERS.get(whole, {})


_OF_OTHERS: Mapping[str, Mapping[tuple[str, int], Instance]] = {
    "java.lang.CharSequence": strings.OF_SEQUENCES,
    "java.lang.Comparable": {("compareTo", 1): objects.object_order, ("equals", 1): objects.object_equals},
    "java.util.Comparator": {("compare", 2): objects.comparator_order},
}


# Constants

_LIMITS = {
    (f"java.lang.{name}", bound): (getattr(MACHINES[primitive], where), primitive)
    for name, primitive in BOXES.items()
    if primitive in MACHINES
    for bound, where in (("MIN_VALUE", "smallest"), ("MAX_VALUE", "largest"))
}
_WIDTHS = {
    (f"java.lang.{name}", word): (MACHINES[primitive].bits // unit, Primitive.INT)
    for name, primitive in BOXES.items()
    if primitive in MACHINES
    for word, unit in (("SIZE", 1), ("BYTES", 8))
}


def constant(context: Context, owner: str, name: str, expected: JavaType | None, span: Span) -> Value:
    """A constant of a class of Java's own: its value, or an open one."""
    found = {**_LIMITS, **_WIDTHS}.get((owner, name))
    if found is not None:
        return number(*found)
    if owner == "java.lang.Boolean" and name in ("TRUE", "FALSE"):
        return boxed(context, truth(TRUE if name == "TRUE" else FALSE), _BOOLEAN, span)
    primitive = BOXES.get(owner.rpartition(".")[2])
    type = primitive if primitive is not None else expected
    if type is None or type == NULL or (primitive is None and not is_reference(type)):
        raise not_modelled(owner, name, span)
    return context.open(f"{owner.rpartition('.')[2]}.{name}", [], type, span)


def whole_name(context: Context, simple: str) -> str:
    """The whole name of a class of Java's own, or what stands for one."""
    if simple in _UNSPELLED and simple not in context.classes.all:
        return _UNSPELLED[simple]
    return context.classes.of_java(Reference(simple))
