"""Classes, interfaces and enumerations of the files that are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.names import JAVA, Names, names
from sorrel.frontends.java.settings import assigned, stored_arguments
from sorrel.frontends.java.tree import Node
from sorrel.frontends.java.types import BOXES, ArrayOf, JavaType, Reference, read_type
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass

_DECLARATIONS = ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration")
_FIXED = frozenset({*BOXES, "String", "Object"})
"""Classes that the language itself knows; one of the user's own that hides one of them is not supported."""
_PLAIN = frozenset({"Object", "Comparable", "Comparator", "Serializable", "Cloneable", "Runnable"})
"""Types of Java's own that give a class nothing but what Object gives."""
_FINAL_ABOVE = {"Comparable", "Serializable", "Constable", "Object"}


@dataclass(frozen=True, slots=True)
class Field:
    owner: str
    name: str
    type: JavaType
    static: bool
    final: bool
    initializer: Node | None
    span: Span
    private: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """A variadic one takes any number of arguments, as an array."""

    name: str
    type: JavaType
    span: Span
    variadic: bool = False


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

    @property
    def types(self) -> tuple[JavaType, ...]:
        return tuple(parameter.type for parameter in self.parameters)

    def takes(self, count: int) -> bool:
        if any(parameter.variadic for parameter in self.parameters):
            return count >= len(self.parameters) - 1
        return count == len(self.parameters)


@dataclass(slots=True)
class JavaClass:
    name: str
    outer: str
    supertypes: tuple[str, ...]
    fields: dict[str, Field] = field(default_factory=dict)
    methods: dict[str, list[Method]] = field(default_factory=dict)
    constants: dict[str, Node] = field(default_factory=dict)
    members: tuple[Node, ...] = ()
    kind: str = "class_declaration"
    is_final: bool = False

    @property
    def is_enum(self) -> bool:
        return self.kind == "enum_declaration"

    @property
    def is_record(self) -> bool:
        return self.kind == "record_declaration"

    @property
    def is_interface(self) -> bool:
        return self.kind == "interface_declaration"

    def number(self, constant: str) -> int:
        """Constants of an enumeration are numbered from 1, in their order."""
        return list(self.constants).index(constant) + 1

    def is_free(self, of: Field) -> bool:
        """Whether an object may have any value in the field."""
        if self.is_enum:
            return False
        if self.is_record and of.initializer is None:
            explicit = ("compact_constructor_declaration", "constructor_declaration")
            return not any(member.kind in explicit for member in self.members)
        if not (of.private or of.final) or of.name not in assigned(self.members):
            return True
        own = {each.name for each in self.fields.values() if (each.private or each.final) and not each.static}
        set_together = [fields for fields in stored_arguments(self.members) if of.name in fields]
        return any(fields >= own & assigned(self.members) for fields in set_together)


class Classes:
    """All classes by their simple names."""

    def __init__(self, roots: Sequence[Node]) -> None:
        self._classes: dict[str, JavaClass] = {}
        for root in roots:
            for node in root.of_kind(*_DECLARATIONS):
                self._add(node, "")
        self.names: Names = names(roots, list(self._classes))
        hidden = sorted(_FIXED & (self.names.given | self._foreign()))
        if hidden:
            raise Unsupported(f"a class of its own with the name {hidden[0]}", roots[0].span)
        self._below: dict[str, list[str]] = {}
        for each in self._classes.values():
            for name in each.supertypes:
                self._below.setdefault(name, []).append(each.name)

    @property
    def all(self) -> Mapping[str, JavaClass]:
        return self._classes

    def _foreign(self) -> frozenset[str]:
        """Names that are imported, and not from Java's own packages."""
        return frozenset(name for name in self.names.imported if not self.names.of_java(name))

    def of_java(self, type: JavaType) -> str:
        """The whole name of the type if it is a class of Java's own, else nothing."""
        if not isinstance(type, Reference):
            return ""
        outer = type.scope if type.scope.startswith(JAVA) else self.names.of_java(type.scope.partition(".")[0])
        if outer and type.name not in self.names.given:
            return f"{outer}.{type.name}"
        return self.names.of_java(type.name)

    def _add(self, node: Node, outer: str) -> None:
        made = JavaClass(
            node["name"].text,
            outer,
            tuple(_supertypes(node)),
            members=tuple(_members(node["body"])),
            kind=node.kind,
            is_final="final" in _modifiers(node) or node.kind in ("enum_declaration", "record_declaration"),
        )
        if made.name in self._classes:
            raise InputError(f"there are two classes {made.name}", node.span)
        self._classes[made.name] = made
        for parameter in _components(node):
            made.fields[parameter.name] = Field(
                made.name, parameter.name, parameter.type, False, True, None, parameter.span
            )
        for member in made.members:
            match member.kind:
                case "field_declaration" | "constant_declaration":
                    for found in _fields(member, made.name, made.is_interface):
                        made.fields[found.name] = found
                case "method_declaration":
                    method = _method(member, made.name)
                    made.methods.setdefault(method.name, []).append(method)
                case "enum_constant":
                    made.constants[member["name"].text] = member
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
        """The methods that a call with so many arguments may mean, without those that others of them override."""
        found: dict[tuple[JavaType, ...], list[Method]] = {}
        for each in self.lineage(owner):
            for method in each.methods.get(name, ()):
                if method.takes(count):
                    found.setdefault(method.types, []).append(method)
        return [method for alike in found.values() for method in self._not_overridden(alike)]

    def _not_overridden(self, alike: Sequence[Method]) -> list[Method]:
        """Of methods with the same parameters: a class comes before interfaces, and whoever is below before others."""
        in_classes = [m for m in alike if not self._classes[m.owner].is_interface and m.body is not None]
        left = in_classes or [m for m in alike if m.body is not None] or list(alike)
        lowest = [m for m in left if not any(o is not m and self.is_below(o.owner, m.owner) for o in left)]
        return lowest if lowest[0].body is not None else lowest[:1]

    def below(self, name: str) -> Iterator[JavaClass]:
        """The given classes that inherit from the class; from Object, all do."""
        pending, seen = list(self._classes if name == "Object" else self._below.get(name, ())), set[str]()
        while pending:
            at = pending.pop()
            if at not in seen:
                seen.add(at)
                pending += self._below.get(at, ())
                yield self._classes[at]

    def is_set_anywhere(self, field: Field) -> bool:
        """Whether something is assigned to the field, by its class or by one around it."""
        owner = self._classes[field.owner]
        while owner.outer:
            owner = self._classes[owner.outer]
        return field.name in assigned(owner.members)

    def component(self, type: JavaType, name: str) -> Field | None:
        """What a record's method of this name returns that it does not declare."""
        known = self.get(type)
        if known is None or not known.is_record or name not in known.fields or known.fields[name].static:
            return None
        return known.fields[name]

    def name_of(self, method: Method) -> str:
        """What a method without a body is called: with its types, if something else has the same name."""
        short = f"{method.owner}.{method.name}"
        others = [other for each in self.lineage(method.owner) for other in each.methods.get(method.name, ())]
        is_alone = len(others) == 1 and self.field(method.name, method.owner) is None
        return short if is_alone else f"{short}({', '.join(map(str, method.types))})"

    def java_above(self, name: str) -> str:
        """A class of Java's own that may give the class methods which nobody sees here."""
        above = (type for each in self.scopes(name) for type in each.supertypes)
        return next((self.names.of_java(type) for type in above if type not in _PLAIN and self.names.of_java(type)), "")

    def overriding(self, method: Method) -> list[Method]:
        """Methods of classes below that may be called in its place."""
        return [
            other
            for each in self.below(method.owner)
            for other in each.methods.get(method.name, ())
            if len(other.parameters) == len(method.parameters) and other.body is not None
        ]

    def constants_overriding(self, method: Method) -> list[str]:
        """Constants of an enumeration that have a method of their own in its place."""
        owner = self._classes[method.owner]
        bodies = {name: node.get("body") for name, node in owner.constants.items()}
        return [
            name
            for name, body in bodies.items()
            if body is not None and any(each["name"].text == method.name for each in body.of_kind("method_declaration"))
        ]

    def is_below(self, name: str, ancestor: str) -> bool:
        return any(c.name == ancestor or ancestor in c.supertypes for c in self.lineage(name))

    def is_instance(self, type: JavaType, of: JavaType) -> bool | None:
        """Whether an object that is not null and of the one type is of the other type, too; None if it may be."""
        if of in (type, Reference("Object")):
            return True
        if not (isinstance(type, Reference) and isinstance(of, Reference)):
            return None
        if of.name == type.name or self.is_below(type.name, of.name):
            return True
        if self.is_final_of_java(type):
            return of.name in _FINAL_ABOVE or (None if self._may_be_above_final(of) else False)
        mine, theirs = self._classes.get(type.name), self._classes.get(of.name)
        if self.is_final_of_java(of):
            return False if mine is not None else None
        if mine is None or theirs is None or self.is_below(of.name, type.name):
            return None
        are_classes = not mine.is_interface and not theirs.is_interface
        return False if are_classes or (mine.is_final and self.is_complete(type.name)) else None

    def is_final_of_java(self, type: JavaType) -> bool:
        return isinstance(type, Reference) and type.name in _FIXED - {"Object"}

    def _may_be_above_final(self, of: Reference) -> bool:
        return of.name not in self._classes and not self.is_final_of_java(of)

    def is_complete(self, name: str) -> bool:
        """Whether everything that the class inherits from is known."""
        return all(
            above in self._classes or above in _PLAIN for each in self.lineage(name) for above in each.supertypes
        )


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
            "private" in words,
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
            yield Parameter(declarator["name"].text, ArrayOf(read_type(type)), each.span, variadic=True)
