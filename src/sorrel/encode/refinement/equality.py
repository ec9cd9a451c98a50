"""When two values are equal, as far as their terms tell."""

from __future__ import annotations

from sorrel.encode.refinement.conversion import Conversion
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.values import Built, OneOf, Several, Text, Value
from sorrel.functional.type import STRING, Named, TupleType, Type, is_opaque
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term


def equality(conversion: Conversion, shapes: Shapes, left: Value, right: Value, type: Type) -> tuple[Term, bool]:
    """A formula that holds if the values are equal, and whether it holds only then."""
    if isinstance(left, Text) and isinstance(right, Text) and left.content is not None and right.content is not None:
        return operations.truth(left.content == right.content), True
    if isinstance(left, Several) and isinstance(right, Several) and isinstance(type, TupleType):
        triples = zip(left.items, right.items, type.items, strict=True)
        found = [equality(conversion, shapes, a, b, t) for a, b, t in triples]
        return terms.conjunction(each for each, _ in found), all(exact for _, exact in found)
    if isinstance(left, Built) and isinstance(right, Built):
        return _built(conversion, shapes, left, right)
    if isinstance(type, Named) and type.name in shapes.data and not shapes.is_recursive(type):
        return _tagged(conversion, shapes, left, right, type)
    first, second = conversion.terms_of(left, type), conversion.terms_of(right, type)
    same = terms.conjunction(operations.equal(a, b) for a, b in zip(first, second, strict=True))
    return same, (not list(shapes.inner(type)) and not _is_more_than_terms(type)) or _is_empty(left) or _is_empty(right)


def _built(conversion: Conversion, shapes: Shapes, left: Built, right: Built) -> tuple[Term, bool]:
    if left.constructor != right.constructor:
        return terms.FALSE, True
    data = shapes.declaration(left.type)
    types = shapes.arguments(left.type, data.constructors[data.position(left.constructor)])
    triples = zip(left.arguments, right.arguments, types, strict=True)
    found = [equality(conversion, shapes, a, b, t) for a, b, t in triples]
    return terms.conjunction(each for each, _ in found), all(exact for _, exact in found)


def _tagged(conversion: Conversion, shapes: Shapes, left: Value, right: Value, type: Named) -> tuple[Term, bool]:
    """Equal constructors, with equal arguments of that one."""
    data = shapes.declaration(type)
    first, second = (_tag_and_arguments(value, shapes) for value in (left, right))
    cases: list[Term] = [operations.equal(first[0], second[0])]
    exact = True
    for position, constructor in enumerate(data.constructors):
        if constructor.name not in first[1] or constructor.name not in second[1]:
            continue
        types = shapes.arguments(type, constructor)
        triples = zip(first[1][constructor.name], second[1][constructor.name], types, strict=True)
        for a, b, t in triples:
            same, known = equality(conversion, shapes, a, b, t)
            exact = exact and known
            cases.append(operations.implies(operations.equal(first[0], terms.integer(position)), same))
    return terms.conjunction(cases), exact


def _tag_and_arguments(value: Value, shapes: Shapes) -> tuple[Term, dict[str, tuple[Value, ...]]]:
    if isinstance(value, Built):
        position = shapes.declaration(value.type).position(value.constructor)
        return terms.integer(position), {value.constructor: value.arguments}
    if isinstance(value, OneOf):
        return value.tag, dict(value.arguments)
    raise TypeError("data that cannot contain itself is expected")


def _is_more_than_terms(type: Type) -> bool:
    """Whether values of the type may differ that have the same terms."""
    return type == STRING or is_opaque(type)


def _is_empty(value: Value) -> bool:
    """Data without parts is equal to whatever has its constructor; its size alone may tell that."""
    return isinstance(value, Built) and not value.arguments
