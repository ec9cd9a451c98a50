"""Types of Java, and the program's types that their values have."""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum
from typing import TypeAlias

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.tree import Node
from sorrel.model.values import dataclass
from sorrel.program.types import BOOLEAN as TRUTH
from sorrel.program.types import REAL, UNBOUNDED, Machine, Type


class Primitive(StrEnum):
    BOOLEAN = "boolean"
    BYTE = "byte"
    SHORT = "short"
    CHAR = "char"
    INT = "int"
    LONG = "long"
    FLOAT = "float"
    DOUBLE = "double"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Reference:
    """A class, an interface or a type variable, by its simple name; `scope` is what was written before that."""

    name: str
    arguments: tuple[JavaType, ...] = ()
    scope: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ArrayOf:
    element: JavaType

    def __str__(self) -> str:
        return f"{self.element}[]"


JavaType: TypeAlias = Primitive | Reference | ArrayOf

NULL = Reference("null")
STRING = Reference("String")
OBJECT = Reference("Object")

MACHINES = {
    Primitive.BYTE: Machine(8, True),
    Primitive.SHORT: Machine(16, True),
    Primitive.CHAR: Machine(16, False),
    Primitive.INT: Machine(32, True),
    Primitive.LONG: Machine(64, True),
}
FLOATING = (Primitive.FLOAT, Primitive.DOUBLE)
BOXES = {
    "Boolean": Primitive.BOOLEAN,
    "Byte": Primitive.BYTE,
    "Short": Primitive.SHORT,
    "Character": Primitive.CHAR,
    "Char": Primitive.CHAR,
    "Integer": Primitive.INT,
    "Int": Primitive.INT,
    "Long": Primitive.LONG,
    "Float": Primitive.FLOAT,
    "Double": Primitive.DOUBLE,
}
"""Classes whose objects hold one value. `Int` and `Char` are no classes of Java; comparators reduced to their essence
use them for Integer and Character."""


def program_type(type: JavaType) -> Type:
    """Truth values, machine integers, reals for floating-point numbers, numbers of objects for references."""
    match type:
        case Primitive.BOOLEAN:
            return TRUTH
        case Primitive.FLOAT | Primitive.DOUBLE:
            return REAL
        case Primitive():
            return MACHINES[type]
        case _:
            return UNBOUNDED


def is_integral(type: JavaType) -> bool:
    return type in MACHINES


def is_numeric(type: JavaType) -> bool:
    return type in MACHINES or type in FLOATING


def is_reference(type: JavaType) -> bool:
    return not isinstance(type, Primitive)


def unboxed(type: JavaType) -> JavaType:
    """The type of the value that an object of a box holds; any other type itself."""
    return BOXES.get(type.name, type) if isinstance(type, Reference) else type


def promoted(left: JavaType, right: JavaType) -> Primitive:
    """Binary numeric promotion (JLS 5.6)."""
    for wide in (Primitive.DOUBLE, Primitive.FLOAT, Primitive.LONG):
        if wide in (left, right):
            return wide
    return Primitive.INT


def read_type(node: Node, dimensions: Node | None = None) -> JavaType:
    """The type that a node of the syntax tree names; `dimensions` are brackets behind a variable's name."""
    result = _read_type(node)
    for _ in range(dimensions.text.count("[") if dimensions else 0):
        result = ArrayOf(result)
    return result


def _read_type(node: Node) -> JavaType:
    match node.kind:
        case "integral_type" | "boolean_type" | "floating_point_type" | "void_type":
            return Primitive(node.text)
        case "type_identifier":
            return Reference(node.text)
        case "scoped_type_identifier":
            first = node.text.partition(".")[0]
            is_package = first[:1].islower() and first not in ("java", "javax")
            scope, _, name = node.text.rpartition(".")
            return Reference(node.text) if is_package else Reference(name, scope=scope)
        case "generic_type":
            inner = _read_type(node.children[0])
            given = node.of_kind("type_arguments")
            arguments = tuple(_argument(each) for each in given[0].children) if given else ()
            return replace(inner, arguments=arguments) if isinstance(inner, Reference) else inner
        case "array_type":
            return read_type(node["element"], node["dimensions"])
        case "annotated_type":
            return _read_type(node.children[-1])
        case _:
            raise Unsupported(f"the type {node.text}", node.span)


def _argument(node: Node) -> JavaType:
    """A wildcard stands for its upper bound."""
    if node.kind != "wildcard":
        return _read_type(node)
    is_bounded = "extends" in node.words
    return _read_type(node.children[-1]) if is_bounded else OBJECT
