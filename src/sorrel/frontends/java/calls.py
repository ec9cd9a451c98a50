"""Calls of methods: of those with a body, of those that are declared without one, of those that nobody declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import library, objects
from sorrel.frontends.java.classes import Method
from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.names import JAVA
from sorrel.frontends.java.operations import (
    converted,
    truth,
)
from sorrel.frontends.java.ordering import Ordering, Result
from sorrel.frontends.java.tree import Node
from sorrel.frontends.java.types import (
    OBJECT,
    ArrayOf,
    JavaType,
    Primitive,
    is_reference,
    program_type,
)
from sorrel.model.errors import InputError, Span
from sorrel.program.construction import TRUE
from sorrel.program.statement import Call

if TYPE_CHECKING:
    from sorrel.frontends.java.expressions import ExpressionReader


class MethodCalls:
    """Of one method's expressions; arguments are evaluated from left to right."""

    def __init__(self, context: Context, expressions: ExpressionReader) -> None:
        self._context = context
        self._expressions = expressions

    def call(self, node: Node, expected: JavaType | None) -> Result:
        target, name = node.get("object"), node["name"].text
        arguments = node["arguments"].children
        if target is None:
            return self._own_call(name, arguments, expected, node)
        if target.kind == "super":
            raise Unsupported("a call of a method of super", node.span)
        owner = self._expressions.class_named(target)
        if owner:
            return self._static_call(owner, name, arguments, expected, node.span)
        receiver = self._expressions.value(target)
        methods = self._context.classes.methods(name, str(receiver.type), len(arguments))
        values = self._expressions.following(
            receiver, [(a, t) for a, t in zip(arguments, _types(methods, arguments), strict=True)]
        )
        receiver, given = values[0], values[1:]
        return self._of_object(receiver, name, methods, given, expected, node.span)

    def _of_object(
        self,
        receiver: Value,
        name: str,
        methods: Sequence[Method],
        given: Sequence[Value],
        expected: JavaType | None,
        span: Span,
    ) -> Result:
        if methods:
            return self._method(_chosen(methods, given, span), receiver, given, span)
        component = self._context.classes.component(receiver.type, name) if not given else None
        if component is not None:
            return self._expressions.field(component, receiver, span)
        if not self._is_declared_here(name, receiver, given):
            found = library.instance_call(self._context, receiver, name, given, span)
            if found is not None:
                return found
        return self._unknown_method(name, receiver, given, expected, span)

    def _is_declared_here(self, name: str, receiver: Value, given: Sequence[Value]) -> bool:
        """Whether the class around us declares, without a body, a method of a class that is not given."""
        unknown = receiver.type == OBJECT or not self._context.classes.of_java(receiver.type)
        unknown = unknown and self._context.classes.get(receiver.type) is None
        return unknown and bool(self._declared_here(name, len(given)))

    def _declared_here(self, name: str, count: int) -> list[Method]:
        found = self._context.classes.methods(name, self._context.method.owner, count)
        return [method for method in found if method.body is None]

    def _unknown_method(
        self, name: str, receiver: Value, given: Sequence[Value], expected: JavaType | None, span: Span
    ) -> Value:
        """A method of a class that is not given, or that a given one inherits from such a class."""
        if not is_reference(receiver.type) or isinstance(receiver.type, ArrayOf):
            raise Unsupported(f"a call of a method of {receiver.type}", span)
        declared = self._declared_here(name, len(given))
        type = declared[0].result if declared else expected
        if type is None:
            raise untyped(f"{receiver.type}.{name}", span)
        if not declared:
            self._context.note(span, f"{receiver.type}.{name} is assumed to return {type}.")
        types = declared[0].types if declared else tuple(v.type for v in given)
        self._context.require_object(receiver.expression, span)
        return self.pure(f"{receiver.type}.{name}", [receiver], given, types, type, span)

    def pure(
        self,
        name: str,
        receiver: Sequence[Value],
        given: Sequence[Value],
        types: Sequence[JavaType],
        result: JavaType,
        span: Span,
    ) -> Value:
        """A method without a body: the same receiver and arguments give the same result."""
        if result == Primitive.VOID:
            raise Unsupported(f"a call of {name}, which has no body and returns nothing", span)
        self._context.translation.pure[name] = None
        arguments = [converted(self._context, v, t, span) for v, t in zip(given, types, strict=True)]
        return self._context.function(name, [v.expression for v in (*receiver, *arguments)], result, span)

    def _own_call(self, name: str, arguments: Sequence[Node], expected: JavaType | None, node: Node) -> Result:
        """A method of the class around us; else one that nobody declares."""
        for scope in self._context.classes.scopes(self._context.method.owner):
            methods = self._context.classes.methods(name, scope.name, len(arguments))
            if methods:
                given = self._arguments(arguments, _types(methods, arguments))
                chosen = _chosen(methods, given, node.span)
                receiver = None if chosen.static else self._context.this()
                return self._method(chosen, receiver, given, node.span)
        if name == "assume" and len(arguments) == 1:
            self._context.require(self._expressions.condition(arguments[0]), node.span, "what the program assumes")
            return truth(TRUE)
        given = self._arguments(arguments, [None] * len(arguments))
        imported = self._imported(name, given, node.span)
        if imported is not None:
            return imported
        if name == "equals" and len(given) == 2:
            return objects.objects_equal(self._context, given, node.span)
        if not self._context.method.static:
            own = library.instance_call(self._context, self._context.this(), name, given, node.span)
            if own is not None:
                return own
        above = self._context.classes.java_above(self._context.method.owner)
        if above:
            raise library.not_modelled(above, name, node.span)
        if expected is None:
            raise untyped(name, node.span)
        return self.pure(name, (), given, [v.type for v in given], expected, node.span)

    def _imported(self, name: str, given: Sequence[Value], span: Span) -> Result | None:
        """A static method that is imported; one of several classes is the one that has it."""
        owners = list(self._context.classes.names.member_of(name))
        for owner in owners:
            methods = self._context.classes.methods(name, owner.rpartition(".")[2], len(given))
            if methods:
                return self._method(_chosen(methods, given, span), None, given, span)
        of_java = [owner for owner in owners if owner.startswith(JAVA)]
        found = [owner for owner in of_java if library.has_static(owner, name, len(given))]
        if not of_java:
            return None
        if len(found) != 1:
            raise library.not_modelled(of_java[0], name, span)
        return library.static_call(self._context, found[0], name, given, span)

    def _static_call(
        self, owner: str, name: str, arguments: Sequence[Node], expected: JavaType | None, span: Span
    ) -> Result:
        methods = self._context.classes.methods(name, owner, len(arguments))
        if methods:
            given = self._arguments(arguments, _types(methods, arguments))
            return self._method(_chosen(methods, given, span), None, given, span)
        given = self._arguments(arguments, [None] * len(arguments))
        whole = library.whole_name(self._context, owner)
        if whole:
            return library.static_call(self._context, whole, name, given, span)
        if expected is None:
            raise untyped(f"{owner}.{name}", span)
        return self.pure(f"{owner}.{name}", (), given, [v.type for v in given], expected, span)

    def _arguments(self, nodes: Sequence[Node], types: Sequence[JavaType | None]) -> list[Value]:
        if not nodes:
            return []
        first = self._expressions.value(nodes[0], types[0])
        return self._expressions.following(first, list(zip(nodes[1:], types[1:], strict=True)))

    def _method(self, method: Method, receiver: Value | None, given: Sequence[Value], span: Span) -> Value | Ordering:
        """A method that is declared: a call of its procedure if it has a body, else a pure function."""
        if not method.static:
            if receiver is None:
                raise InputError(f"{method.name} belongs to an object, and there is none here", span)
            self._context.require_object(receiver.expression, span)
        own = () if method.static or receiver is None else (receiver,)
        if any(parameter.variadic for parameter in method.parameters):
            raise Unsupported(f"a call of {method.name}, which takes any number of arguments", span)
        classes = self._context.classes
        others = [other.owner for other in classes.overriding(method)] + classes.constants_overriding(method)
        types = method.types
        if method.body is None and not others:
            meant = objects.OF_OBJECTS.get((method.name, len(given)))
            if meant is not None and own:
                return meant(self._context, own[0], given, span)
            return self.pure(classes.name_of(method), own, given, types, method.result, span)
        if others:
            names = ", ".join(others)
            raise Unsupported(f"a call of {method.name}, which {names} overrides", span)
        return self._procedure_call(method, own, given, types, span)

    def _procedure_call(
        self, method: Method, own: Sequence[Value], given: Sequence[Value], types: Sequence[JavaType], span: Span
    ) -> Value:
        translation = self._context.translation
        if method is translation.entry and translation.shared_receiver:
            if own and own[0].expression != self._context.this().expression:
                raise Unsupported("a call of the comparator by way of another object", span)
            own = ()
        arguments = [*own, *(converted(self._context, v, t, span) for v, t in zip(given, types, strict=True))]
        name = translation.procedure(method)
        if method.result == Primitive.VOID:
            self._context.builder.emit(Call(name, tuple(v.expression for v in arguments), (), span))
            return truth(TRUE)
        result = self._context.temporary(method.name, program_type(method.result))
        self._context.builder.emit(Call(name, tuple(v.expression for v in arguments), (result,), span))
        return Value(result, method.result)


def _types(methods: Sequence[Method], arguments: Sequence[Node]) -> Sequence[JavaType | None]:
    """What the parameters say about the arguments, if there is no choice between methods."""
    if len(methods) == 1 and len(methods[0].parameters) == len(arguments):
        return methods[0].types
    return [None] * len(arguments)


def _chosen(methods: Sequence[Method], given: Sequence[Value], span: Span) -> Method:
    """The method whose parameters fit best: of the same types, else the only one."""
    if len(methods) == 1:
        return methods[0]
    types = [value.type for value in given]
    exact = [method for method in methods if list(method.types) == types]
    if len(exact) != 1:
        raise Unsupported(f"a choice between methods {methods[0].name}", span)
    return exact[0]


def untyped(name: str, span: Span) -> Unsupported:
    return Unsupported(f"{name}, whose type is not declared", span, hint="Declare it, without a body if need be.")
