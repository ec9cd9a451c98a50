"""Expressions of Java: what they do is emitted, in their order; what they are worth is returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import containers, library, objects, strings
from sorrel.frontends.java.calls import MethodCalls, untyped
from sorrel.frontends.java.classes import Field
from sorrel.frontends.java.conditionals import common_type, plain_type
from sorrel.frontends.java.constants import constant_value
from sorrel.frontends.java.context import Context, Local, Value
from sorrel.frontends.java.literals import INTEGERS, integer, unescaped
from sorrel.frontends.java.operations import (
    arithmetic,
    compared,
    complemented,
    condition,
    converted,
    is_comparison,
    nearest,
    negated,
    number,
    real,
    truth,
    unboxed_value,
)
from sorrel.frontends.java.ordering import Ordering, Result, compared_with_zero, settled
from sorrel.frontends.java.tree import Node, unparenthesized
from sorrel.frontends.java.types import (
    NULL,
    OBJECT,
    ArrayOf,
    JavaType,
    Primitive,
    Reference,
    is_reference,
    program_type,
    promoted,
    read_type,
)
from sorrel.model.errors import InputError, Span
from sorrel.program.construction import FALSE, TRUE, binary, negation
from sorrel.program.expression import Conditional, Constant, Expression, Operator, Variable
from sorrel.program.statement import Assign
from sorrel.program.traversal import free_variables
from sorrel.program.types import UNBOUNDED


class ExpressionReader:
    """Reads the expressions of one method."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.calls = MethodCalls(context, self)

    def value(self, node: Node, expected: JavaType | None = None) -> Value:
        """What the expression is worth; `expected` helps where nothing says the type of what it calls."""
        return settled(self._context, self._result(node, expected), node.span)

    def condition(self, node: Node) -> Expression:
        return condition(self._context, self.value(node, Primitive.BOOLEAN), node.span)

    def converted(self, node: Node, type: JavaType) -> Value:
        return converted(self._context, self.value(node, type), type, node.span)

    def effect(self, node: Node) -> None:
        """An expression that is evaluated for what it does."""
        self.value(node, Primitive.INT)

    def _result(self, node: Node, expected: JavaType | None) -> Result:
        reader = _READERS.get(node.kind)
        if reader is not None:
            return reader(self, node, expected)
        if node.kind in INTEGERS:
            return integer(node)
        raise Unsupported(node.kind.replace("_", " "), node.span)

    # Literals and names

    def _parenthesized(self, node: Node, expected: JavaType | None) -> Result:
        return self._result(node.children[0], expected)

    def _real(self, node: Node, expected: JavaType | None) -> Value:
        text = node.text.replace("_", "")
        type = Primitive.FLOAT if text[-1] in "fF" else Primitive.DOUBLE
        return real(nearest(Fraction(text.rstrip("fFdD")), type, node.span), type)

    def _character(self, node: Node, expected: JavaType | None) -> Value:
        text = unescaped(node.text[1:-1], node.span)
        if len(strings.units(text)) != 1:
            raise Unsupported(f"the character {node.text}", node.span)
        return number(ord(text), Primitive.CHAR)

    def _string(self, node: Node, expected: JavaType | None) -> Value:
        if node.text.startswith('"""'):
            raise Unsupported("a text block", node.span)
        return strings.string_literal(self._context, unescaped(node.text[1:-1], node.span), node.span)

    def _identifier(self, node: Node, expected: JavaType | None) -> Value:
        name = node.text
        local = self._context.find(name)
        if local is not None:
            return Value(local.meaning or local.variable, local.type)
        for scope in self._context.classes.scopes(self._context.method.owner):
            if name in scope.fields:
                return self.field(scope.fields[name], None, node.span)
            if name in scope.constants:
                return self._constant(scope.name, name)
        raise InputError(f"{name} is not declared", node.span, hint="Fields that are inherited need their class.")

    def _field_access(self, node: Node, expected: JavaType | None) -> Value:
        target, name = node["object"], node["field"].text
        owner = self.class_named(target)
        if owner:
            return self._static_field(owner, name, expected, node.span)
        receiver = self.value(target)
        if isinstance(receiver.type, ArrayOf) and name == "length":
            return containers.array_length(self._context, receiver, node.span)
        found = self._context.classes.field(name, str(receiver.type))
        if found is not None:
            return self.field(found, receiver, node.span)
        whole = self._context.classes.of_java(receiver.type)
        if whole and receiver.type != OBJECT:
            raise library.not_modelled(whole, name, node.span)
        self._context.require_object(receiver.expression, node.span)
        type = self._type_of_field(name) or expected
        if type is None:
            raise untyped(f"{receiver.type}.{name}", node.span)
        if self._type_of_field(name) is None:
            self._context.note(node.span, f"{receiver.type}.{name} is assumed to be of type {type}.")
        return self._context.function(f"{receiver.type}.{name}", [receiver.expression], type, node.span)

    def _type_of_field(self, name: str) -> JavaType | None:
        """A member of a class that is not given has the type that the class around us declares for this name."""
        found = self._context.classes.field(name, self._context.method.owner)
        return found.type if found else None

    def class_named(self, node: Node) -> str:
        """The class that the node names; empty if it is an expression."""
        match node.kind:
            case "identifier":
                name = node.text
                is_variable = self._context.find(name) is not None or any(
                    name in scope.fields or name in scope.constants
                    for scope in self._context.classes.scopes(self._context.method.owner)
                )
                return "" if is_variable or not (name[0].isupper() or name in self._context.classes.all) else name
            case "field_access" | "scoped_identifier":
                outer, name = node.children[0], node.children[-1].text
                return name if self._is_package(outer) and not self._is_member(outer, name) else ""
            case _:
                return ""

    def _is_member(self, owner: Node, name: str) -> bool:
        """Whether the name is of a field or constant of the class that the node names."""
        known = self._context.classes.all.get(owner.text.rpartition(".")[2])
        is_own = known is not None and (name in known.constants or bool(self._context.classes.field(name, known.name)))
        return is_own or bool(name.isupper() and library.whole_name(self._context, owner.text))

    def _is_package(self, node: Node) -> bool:
        """A qualified name of a class starts with a name that is nothing else: java.util.Objects, Outer.Inner."""
        while node.kind in ("field_access", "scoped_identifier"):
            node = node.children[0]
        if node.kind != "identifier":
            return False
        owner = self._context.method.owner
        known = any(node.text in scope.fields for scope in self._context.classes.scopes(owner))
        is_class = node.text in self._context.classes.all
        return not known and self._context.find(node.text) is None and (is_class or not node.text[0].isupper())

    def _static_field(self, owner: str, name: str, expected: JavaType | None, span: Span) -> Value:
        found = self._context.classes.field(name, owner)
        if found is not None:
            return self.field(found, None, span)
        known = self._context.classes.all.get(owner)
        if known is not None and name in known.constants:
            return self._constant(owner, name)
        whole = library.whole_name(self._context, owner)
        if whole:
            return library.constant(self._context, whole, name, expected, span)
        if expected is None:
            raise untyped(f"{owner}.{name}", span)
        return self._context.function(f"{owner}.{name}", [], expected, span)

    def _constant(self, owner: str, name: str) -> Value:
        return Value(Constant(self._context.classes.all[owner].number(name), UNBOUNDED), Reference(owner))

    def field(self, field: Field, receiver: Value | None, span: Span) -> Value:
        """A constant, the state of the receiver, or that of this object."""
        owner = self._context.classes.all[field.owner]
        is_kept = field.final or (field.private and not self._context.classes.is_set_anywhere(field))
        if is_kept and field.initializer is not None:
            constant = constant_value(self._context, field)
            if constant is not None:
                return constant
        is_free = owner.is_free(field) and not (is_kept and (field.static or field.initializer is not None))
        if field.static:
            give = self._context.function if is_free else self._context.open
            return give(f"{field.owner}.{field.name}", [], field.type, span)
        if receiver is None:
            if self._context.method.static:
                raise InputError(f"{field.name} belongs to an object, and there is none in a static method", span)
            receiver = self._context.this()
        else:
            self._context.require_object(receiver.expression, span)
        give = self._context.function if is_free else self._context.open
        return give(f"{field.owner}.{field.name}", [receiver.expression], field.type, span)

    def _this(self, node: Node, expected: JavaType | None) -> Value:
        if self._context.method.static:
            raise InputError("there is no this in a static method", node.span)
        return self._context.this()

    # Operators

    def _binary(self, node: Node, expected: JavaType | None) -> Value:
        operator = node["operator"].text
        if operator in ("&&", "||"):
            return self._connective(operator, node)
        if is_comparison(operator):
            return self._comparison(operator, node)
        left, right = self._both(node["left"], node["right"], expected)
        if operator == "+" and Reference("String") in (left.type, right.type):
            raise Unsupported("joining strings", node.span)
        return arithmetic(self._context, operator, left, right, node.span)

    def _comparison(self, operator: str, node: Node) -> Value:
        left, right = node["left"], node["right"]
        for mine, other, swapped in ((left, right, False), (right, left, True)):
            if other.text == "0" and _is_call(mine):
                result = self._result(mine, Primitive.INT)
                if isinstance(result, Ordering):
                    return compared_with_zero(operator, result, swapped=swapped)
                pair = (number(0), result) if swapped else (result, number(0))
                return compared(self._context, operator, *pair, node.span)
        return compared(self._context, operator, *self._both(left, right, None), node.span)

    def _both(self, left: Node, right: Node, expected: JavaType | None) -> tuple[Value, Value]:
        """Two operands; a call whose type nobody says has that of the other side."""
        mark = self._context.builder.mark()
        try:
            first = self.value(left, expected)
        except Unsupported:
            if expected is not None:
                raise
            self._context.builder.undo(mark)
            type = self.value(right).type
            self._context.builder.undo(mark)
            first = self.value(left, type)
        one, other = self.following(first, [(right, expected or plain_type(first.type))])
        return one, other

    def following(self, first: Value, others: Sequence[tuple[Node, JavaType | None]]) -> list[Value]:
        """Values in their order: what a later one changes must not change an earlier one."""
        values = [first]
        for node, expected in others:
            mark = self._context.builder.mark()
            value = self.value(node, expected)
            names = frozenset(v.name for each in values for v in free_variables(each.expression))
            if self._context.builder.has_written_since(mark, names):
                self._context.builder.undo(mark)
                values = [
                    Value(self._context.saved(each.expression, "operand", node.span), each.type) for each in values
                ]
                value = self.value(node, expected)
            values.append(value)
        return values

    def _connective(self, operator: str, node: Node) -> Value:
        """The right side is evaluated only if the left one leaves the answer open."""
        left = self.condition(node["left"])
        is_and = operator == "&&"
        if left == (FALSE if is_and else TRUE):
            return truth(left)
        open_ = left if is_and else negation(left)
        mark = self._context.builder.mark()
        with self._context.under(open_):
            right = self.condition(node["right"])
        if self._context.builder.only_assumed_since(mark):
            return truth(binary(Operator.AND if is_and else Operator.OR, left, right))
        self._context.builder.undo(mark)
        return truth(
            self._chosen(open_, lambda: self.condition(node["right"]), lambda: FALSE if is_and else TRUE, node.span)
        )

    def _ternary(self, node: Node, expected: JavaType | None) -> Value:
        test = self.condition(node["condition"])
        sides = [node["consequence"], node["alternative"]]
        mark = self._context.builder.mark()
        values = []
        for side, guard in zip(sides, (test, negation(test)), strict=True):
            with self._context.under(guard):
                values.append(self.value(side, expected))
        type = common_type(values[0], values[1], expected)
        is_plain = self._context.builder.only_assumed_since(mark)
        self._context.builder.undo(mark)
        if not is_plain:
            chosen = self._chosen(
                test,
                lambda: self.converted(sides[0], type).expression,
                lambda: self.converted(sides[1], type).expression,
                node.span,
            )
            return Value(chosen, type)
        with self._context.under(test):
            then = self.converted(sides[0], type)
        with self._context.under(negation(test)):
            otherwise = self.converted(sides[1], type)
        return Value(Conditional(test, then.expression, otherwise.expression, program_type(type)), type)

    def _chosen(
        self, test: Expression, then: Callable[[], Expression], otherwise: Callable[[], Expression], span: Span
    ) -> Expression:
        """By a branch, where a side does something."""
        builder = self._context.builder
        labels = [builder.label(hint) for hint in ("then", "else", "joined")]
        builder.branch(test, labels[0], labels[1], span)
        target: Variable | None = None
        for label, side in ((labels[0], then), (labels[1], otherwise)):
            builder.start(label)
            with self._context.branch():
                value = side()
            target = target or self._context.temporary("chosen", value.type)
            builder.emit(Assign(target, value, span))
            builder.goto(labels[2])
        builder.start(labels[2])
        if target is None:
            raise TypeError("a choice has two sides")
        return target

    def _unary(self, node: Node, expected: JavaType | None) -> Value:
        operator, operand = node["operator"].text, node["operand"]
        if operator == "!":
            return truth(negation(self.condition(operand)))
        value = self.value(operand, expected)
        if operator == "-":
            return negated(self._context, value, node.span)
        if operator == "~":
            return complemented(self._context, value, node.span)
        value = unboxed_value(self._context, value, node.span)
        return converted(self._context, value, promoted(value.type, Primitive.INT), node.span)

    def _cast(self, node: Node, expected: JavaType | None) -> Value:
        """Of an object, it throws if that is not of the type."""
        type = read_type(node["type"])
        value = self.value(node["value"], type if is_reference(type) else None)
        if is_reference(value.type) and is_reference(type) and value.type != NULL:
            is_null = binary(Operator.EQUAL, value.expression, Constant(0, UNBOUNDED))
            is_one = objects.is_instance(self._context, value, type, node.span)
            self._context.require(binary(Operator.OR, is_null, is_one), node.span)
        return converted(self._context, value, type, node.span)

    def _instance_of(self, node: Node, expected: JavaType | None) -> Value:
        if len(node.children) != 2:
            raise Unsupported("a pattern", node.span)
        value = self.value(node["left"])
        return truth(objects.is_instance(self._context, value, read_type(node["right"]), node.span))

    def _array_access(self, node: Node, expected: JavaType | None) -> Value:
        array, index = self._both_of(node["array"], node["index"])
        if not isinstance(array.type, ArrayOf):
            raise Unsupported(f"an index into {array.type}", node.span)
        return containers.array_element(self._context, array, index, node.span)

    def _both_of(self, left: Node, right: Node) -> tuple[Value, Value]:
        one, other = self.following(self.value(left), [(right, Primitive.INT)])
        return one, other

    # Assignments

    def _assignment(self, node: Node, expected: JavaType | None) -> Value:
        local = self._target(node["left"])
        operator = node["operator"].text
        if operator == "=":
            value = self.converted(node["right"], local.type)
        else:
            before = Value(local.variable, local.type)
            left, right = self.following(before, [(node["right"], local.type)])
            value = self._cast_to(arithmetic(self._context, operator[:-1], left, right, node.span), local, node.span)
        return self._assign(local, value, node.span)

    def _update(self, node: Node, expected: JavaType | None) -> Value:
        local = self._target(node.children[0])
        before = Value(local.variable, local.type)
        is_prefix = node.inner.children[0].type in ("++", "--")
        operator = "+" if "++" in node.words else "-"
        changed = arithmetic(self._context, operator, before, number(1), node.span)
        if is_prefix:
            return self._assign(local, self._cast_to(changed, local, node.span), node.span)
        parent = node.inner.parent
        is_statement = parent is not None and parent.type in ("expression_statement", "for_statement")
        old = before if is_statement else Value(self._context.saved(local.variable, "before", node.span), local.type)
        self._assign(local, self._cast_to(changed, local, node.span), node.span)
        return old

    def _cast_to(self, value: Value, local: Local, span: Span) -> Value:
        return converted(self._context, value, local.type, span)

    def _assign(self, local: Local, value: Value, span: Span) -> Value:
        self._context.builder.emit(Assign(local.variable, value.expression, span))
        return Value(local.variable, local.type)

    def _target(self, node: Node) -> Local:
        node = unparenthesized(node)
        local = self._context.find(node.text) if node.kind == "identifier" else None
        if local is None:
            what = {"array_access": "an element of an array", "field_access": "a field"}.get(node.kind, "a field")
            raise Unsupported(f"an assignment to {what}", node.span, hint="Objects do not change here.")
        return local


def _is_call(node: Node) -> bool:
    return unparenthesized(node).kind == "method_invocation"


_READERS: dict[str, Callable[[ExpressionReader, Node, JavaType | None], Result]] = {
    "parenthesized_expression": ExpressionReader._parenthesized,
    "decimal_floating_point_literal": ExpressionReader._real,
    "character_literal": ExpressionReader._character,
    "string_literal": ExpressionReader._string,
    "true": lambda reader, node, expected: truth(TRUE),
    "false": lambda reader, node, expected: truth(FALSE),
    "null_literal": lambda reader, node, expected: Value(Constant(0, UNBOUNDED), NULL),
    "identifier": ExpressionReader._identifier,
    "field_access": ExpressionReader._field_access,
    "this": ExpressionReader._this,
    "binary_expression": ExpressionReader._binary,
    "ternary_expression": ExpressionReader._ternary,
    "unary_expression": ExpressionReader._unary,
    "cast_expression": ExpressionReader._cast,
    "instanceof_expression": ExpressionReader._instance_of,
    "array_access": ExpressionReader._array_access,
    "assignment_expression": ExpressionReader._assignment,
    "update_expression": ExpressionReader._update,
    "method_invocation": lambda reader, node, expected: reader.calls.call(node, expected),
}
