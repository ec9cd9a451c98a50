"""Classes, interfaces and enumerations of the files that are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sorrel.errors import InputError, Span
from sorrel.frontends.java.tree import Node
from sorrel.frontends.java.types import ArrayOf, JavaType, Reference, read_type

_DECLARATIONS = ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration")


@dataclass(frozen=True, slots=True)
class Field:
    owner: str
    name: str
    type: JavaType
    static: bool
    final: bool
    initializer: Node | None
    span: Span


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: JavaType
    span: Span


@dataclass(frozen=True, slots=True)
class Method:
    """Without a body it is an accessor of which nothing is known but its type."""

    owner: str
    name: str
    parameters: tuple[Parameter, ...]
    result: JavaType
    static: bool
    body: Node | None
    span: Span


@dataclass(slots=True)
class JavaClass:
    name: str
    outer: str
    supertypes: tuple[str, ...]
    fields: dict[str, Field] = field(default_factory=dict)
    methods: dict[str, list[Method]] = field(default_factory=dict)
    constants: tuple[str, ...] = ()
    is_enum: bool = False


class Classes:
    """All classes by their simple names."""

    def __init__(self, roots: Sequence[Node]) -> None:
        self._classes: dict[str, JavaClass] = {}
        for root in roots:
            for node in root.of_kind(*_DECLARATIONS):
                self._add(node, "")
        self._below: dict[str, list[str]] = {}
        for each in self._classes.values():
            for name in each.supertypes:
                self._below.setdefault(name, []).append(each.name)

    @property
    def all(self) -> Mapping[str, JavaClass]:
        return self._classes

    def _add(self, node: Node, outer: str) -> None:
        made = JavaClass(node["name"].text, outer, tuple(_supertypes(node)), is_enum=node.kind == "enum_declaration")
        if made.name in self._classes:
            raise InputError(f"there are two classes {made.name}", node.span)
        self._classes[made.name] = made
        for parameter in _components(node):
            made.fields[parameter.name] = Field(
                made.name, parameter.name, parameter.type, False, True, None, parameter.span
            )
        is_interface = node.kind == "interface_declaration"
        for member in _members(node["body"]):
            match member.kind:
                case "field_declaration" | "constant_declaration":
                    for found in _fields(member, made.name, is_interface):
                        made.fields[found.name] = found
                case "method_declaration":
                    method = _method(member, made.name)
                    made.methods.setdefault(method.name, []).append(method)
                case "enum_constant":
                    made.constants += (member["name"].text,)
                case kind if kind in _DECLARATIONS:
                    self._add(member, made.name)
                case _:
                    pass  # constructors and initialisers: objects come from outside, in any state

    def get(self, type: JavaType) -> JavaClass | None:
        return self._classes.get(type.name) if isinstance(type, Reference) else None

    def lineage(self, name: str) -> Iterator[JavaClass]:
        """The class and what it inherits from, as far as it is given, each once."""
        pending, seen = [name], set[str]()
        while pending:
            at = pending.pop(0)
            found = self._classes.get(at)
            if found is not None and at not in seen:
                seen.add(at)
                yield found
                pending += found.supertypes

    def scopes(self, name: str) -> Iterator[JavaClass]:
        """Where a simple name is looked for: the class with what it inherits, then the classes around it."""
        while name:
            yield from self.lineage(name)
            found = self._classes.get(name)
            name = found.outer if found else ""

    def field(self, name: str, owner: str) -> Field | None:
        return next((c.fields[name] for c in self.lineage(owner) if name in c.fields), None)

    def methods(self, name: str, owner: str, count: int) -> list[Method]:
        """The methods of that name and number of parameters, of the class itself or the nearest that it inherits."""
        for each in self.lineage(owner):
            found = [method for method in each.methods.get(name, ()) if len(method.parameters) == count]
            if found:
                return found
        return []

    def overriding(self, method: Method) -> list[Method]:
        """Methods of classes below that may be called in its place."""
        found: list[Method] = []
        pending, seen = list(self._below.get(method.owner, ())), set[str]()
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                pending += self._below.get(name, ())
                of_name = self._classes[name].methods.get(method.name, ())
                found += [m for m in of_name if len(m.parameters) == len(method.parameters) and m.body is not None]
        return found

    def is_below(self, name: str, ancestor: str) -> bool:
        return any(c.name == ancestor or ancestor in c.supertypes for c in self.lineage(name))


def _members(body: Node) -> Iterator[Node]:
    for member in body.children:
        if member.kind == "enum_body_declarations":
            yield from member.children
        else:
            yield member


def _supertypes(node: Node) -> Iterator[str]:
    for part in node.children:
        if part.kind in ("superclass", "super_interfaces", "extends_interfaces"):
            for each in part.children:
                for named in each.children if each.kind == "type_list" else (each,):
                    yield str(read_type(named))


def _components(node: Node) -> Iterator[Parameter]:
    """The components of a record, which are its fields."""
    if node.kind == "record_declaration":
        yield from _parameters(node["parameters"])


def _modifiers(node: Node) -> tuple[str, ...]:
    return tuple(word for each in node.of_kind("modifiers") for word in each.words)


def _fields(node: Node, owner: str, constant: bool) -> Iterator[Field]:
    words = _modifiers(node)
    for declarator in node.all("declarator"):
        type = read_type(node["type"], declarator.get("dimensions"))
        yield Field(
            owner,
            declarator["name"].text,
            type,
            constant or "static" in words,
            constant or "final" in words,
            declarator.get("value"),
            declarator.span,
        )


def _method(node: Node, owner: str) -> Method:
    return Method(
        owner,
        node["name"].text,
        tuple(_parameters(node["parameters"])),
        read_type(node["type"], node.get("dimensions")),
        "static" in _modifiers(node),
        node.get("body"),
        node.span,
    )


def _parameters(node: Node) -> Iterator[Parameter]:
    for each in node.children:
        if each.kind == "formal_parameter":
            yield Parameter(each["name"].text, read_type(each["type"], each.get("dimensions")), each.span)
        elif each.kind == "spread_parameter":
            type, declarator = each.children[-2:]
            yield Parameter(declarator["name"].text, ArrayOf(read_type(type)), each.span)
