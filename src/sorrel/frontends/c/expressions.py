"""Expressions of C: their values, their places, and what they change, from left to right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sorrel.frontends.c.context import INT, Context
from sorrel.frontends.c.decisions import Decisions
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.keeping import Keeping
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import (
    apply,
    convert,
    exact,
    from_truth,
    minus,
    number,
    opposite,
    times,
    to_type,
    truth,
)
from sorrel.frontends.c.pointers import PointerArithmetic, moved
from sorrel.frontends.c.purity import has_effects
from sorrel.frontends.c.references import subscript
from sorrel.frontends.c.syntax import Node, NodeKind, stripped, value_of
from sorrel.frontends.c.types import (
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Truth,
    Void,
    common,
    promoted,
    scalar_type,
)
from sorrel.frontends.c.values import (
    UNKNOWN,
    ArrayOfPointers,
    Place,
    PointerValue,
    StructureValue,
    Unknown,
    Value,
    is_expression,
)
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import (
    COMPARISONS,
    Constant,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
)
from sorrel.program.statement import Choice
from sorrel.program.types import BOOLEAN, Machine

if TYPE_CHECKING:
    from sorrel.frontends.c.calls import Calls
    from sorrel.frontends.c.statements import Statements

_OPERATORS = {operator.value: operator for operator in Operator}
_STEPS = {"x++": Operator.ADD, "++x": Operator.ADD, "x--": Operator.SUBTRACT, "--x": Operator.SUBTRACT}
_SHIFTS = (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT)


class Expressions:
    """`calls` and `statements` are set by whoever makes all three."""

    calls: Calls
    statements: Statements

    def __init__(self, context: Context, memory: Memory) -> None:
        self._context = context
        self._memory = memory
        self._translation = context.translation
        self.keeping = Keeping(context)
        self.decisions = Decisions(context, memory, self)
        self._pointers = PointerArithmetic(context, memory, self)
        self._values: dict[NodeKind, Callable[[Node], Value]] = {
            NodeKind.INTEGER: self._integer,
            NodeKind.FLOATING: lambda node: UNKNOWN,
            NodeKind.PARENTHESES: lambda node: self.value(node.children[0]),
            NodeKind.IMPLICIT: self._conversion,
            NodeKind.CAST: self._conversion,
            NodeKind.REFERENCE: self._read,
            NodeKind.MEMBER: self._read,
            NodeKind.SUBSCRIPT: self._read,
            NodeKind.STRING: self._read,
            NodeKind.COMPOUND_LITERAL: self._read,
            NodeKind.UNARY: self._unary,
            NodeKind.BINARY: self._binary,
            NodeKind.COMPOUND_ASSIGNMENT: self._compound_assignment,
            NodeKind.CONDITIONAL: self.decisions.conditional,
            NodeKind.CALL: lambda node: self.calls.call(node),
            NodeKind.SIZE: self._size,
            NodeKind.STATEMENT_EXPRESSION: lambda node: self.statements.statement_expression(node),
        }

    # Values

    def value(self, node: Node) -> Value:
        handler = self._values.get(node.kind)
        if handler is None:
            raise Unsupported(node.spelling or "this expression", node.span)
        return handler(node)

    def scalar(self, node: Node) -> Expression:
        """An integer or truth value, in the type that the node has."""
        value = self.value(node)
        if isinstance(value, PointerValue):
            raise Unsupported("a number made from a pointer", node.span)
        if isinstance(value, StructureValue | ArrayOfPointers | Unknown):
            return self.unknown(node.type, node.span)
        return to_type(value, node.type) if isinstance(node.type, Integer | Truth) else value

    def effect(self, node: Node) -> None:
        """Evaluates for what it changes."""
        inner = stripped(node)
        while inner.kind is NodeKind.CAST and isinstance(inner.type, Void) and inner.children:
            inner = stripped(inner.children[-1])
        if inner.kind is NodeKind.CONDITIONAL and isinstance(inner.type, Void):
            self.decisions.conditional_effect(inner)
        elif inner.kind is NodeKind.BINARY and inner.operator == ",":
            self.effect(inner.children[0])
            self.effect(inner.children[1])
        elif inner.kind is NodeKind.BINARY and inner.operator in ("&&", "||") and has_effects(inner.children[1]):
            self.decisions.logical_effect(inner)
        elif inner.kind is NodeKind.UNARY and inner.operator in _STEPS:
            self._step(inner, wanted=False)
        elif inner.kind is NodeKind.BINARY and inner.operator == "=":
            self._assign(inner)
        elif inner.kind is NodeKind.CALL:
            self._unused(self.calls.call(inner, wanted=False), inner.span)
        else:
            self._unused(self.value(inner), inner.span)

    def _unused(self, value: Value, span: Span) -> None:
        parts = (value.object, value.offset) if isinstance(value, PointerValue) else (value,)
        for part in parts:
            if part is not None and is_expression(part):
                self._context.unused(part, span)

    def condition(self, node: Node) -> Expression:
        """Whether the value is not zero."""
        node = stripped(node)
        if node.kind is NodeKind.UNARY and node.operator == "!":
            return opposite(self.condition(node.children[0]))
        if node.kind is NodeKind.BINARY and node.operator in ("&&", "||"):
            return self.decisions.logical(node)
        return self.as_truth(self.value(node), node)

    def as_truth(self, value: Value, node: Node) -> Expression:
        if isinstance(value, PointerValue):
            return self._memory.is_set(value)
        if isinstance(value, Unknown):
            return self.unknown(Truth(), node.span)
        if isinstance(value, StructureValue | ArrayOfPointers):
            raise InternalError(f"{node.span}: a structure as a condition")
        return truth(value)

    def unknown(self, type: CType, span: Span, source: str = "a floating-point number") -> Expression:
        """A value that depends on what is not modelled."""
        if not isinstance(type, Integer | Truth):
            raise Unsupported(f"a value of type {type} made from {source}", span)
        value = self._context.temporary("float", scalar_type(type))
        self._context.havoc(value, Choice.ABSTRACTION, source, span)
        return value

    def _integer(self, node: Node) -> Value:
        assert node.value is not None
        if isinstance(node.type, Pointer):
            return PointerValue(None)
        type = scalar_type(node.type)
        if type == BOOLEAN:
            return TRUE if node.value else FALSE
        assert isinstance(type, Machine)
        return Constant(type.wrap(node.value), type)

    def _read(self, node: Node) -> Value:
        if isinstance(node.type, Function):
            return self._function_address(node)
        if isinstance(node.type, Array):
            return self._decayed(node)
        if node.kind is NodeKind.REFERENCE and isinstance(node.type, Pointer):
            referent = self._translation.objects.referents.get(node.symbol)
            if referent is not None:
                raise InternalError(f"{node.span}: a reference is used as a pointer")
        value = self._operand(self.place(node), node.span)
        if isinstance(node.type, Integer | Truth) and is_expression(value):
            return to_type(value, node.type)
        return value

    def _operand(self, place: Place, span: Span) -> Value:
        """What is read, to compute with it.

        A bit-field that int does not hold has its declared type for clang and a type of its own width for gcc.
        """
        type = place.type
        if isinstance(type, Integer) and type.machine.bits > INT.machine.bits and type.is_cut:
            raise Unsupported(f"reading a bit-field that is wider than int ({type}): compilers disagree", span)
        return self._memory.read(place, span)

    def _function_address(self, node: Node) -> Value:
        """`f`, and `*p`, which is the function again that p points to."""
        inner = stripped(node)
        if inner.kind is NodeKind.UNARY and inner.operator == "*":
            return self.value(inner.children[0])
        return self._memory.address(self._function_place(inner))

    def _function_place(self, node: Node) -> Place:
        function = self._translation.linked.functions[stripped(node).symbol]
        return self._memory.object_place(self._translation.objects.functions[function.name])

    def _size(self, node: Node) -> Value:
        type = self._translation.size_type.machine
        if node.value is not None:
            return Constant(node.value, type)
        operand = next((child for child in node.children if child.kind is not NodeKind.TYPE), None)
        if operand is None or not isinstance(operand.type, Array):
            raise Unsupported("the size of a type of variable length", node.span)
        place = self.place(operand)
        elements: Expression = number(1)
        for length in place.lengths:
            elements = times(elements, length) or elements
        size = self.size_of(place.type, node.span)
        return convert(times(elements, number(size)) or elements, type)

    def size_of(self, type: CType, span: Span) -> int:
        """In bytes, of the base element."""
        while isinstance(type, Array):
            type = type.element
        match type:
            case Integer(machine):
                return machine.bits // 8
            case Truth():
                return 1
            case Pointer():
                return self._translation.size_type.machine.bits // 8
            case Record() if type.size:
                return type.size
            case _:
                raise Unsupported(f"the size of {type}", span)

    # Conversions

    def _conversion(self, node: Node) -> Value:
        if len(node.children) >= 4:
            return self.decisions.elvis(node)
        inner = node.children[-1]
        if inner.kind is NodeKind.TYPE:
            raise Unsupported("this expression", node.span)
        return self.converted(inner, node.type)

    def converted(self, inner: Node, type: CType) -> Value:
        """The value of an expression in another type."""
        if isinstance(type, Void):
            self.effect(inner)
            return UNKNOWN
        if isinstance(inner.type, Array | Function) and isinstance(type, Pointer | Array):
            return self._decayed(inner) if isinstance(inner.type, Array) else self._read(inner)
        if isinstance(type, Pointer | Array):
            return self.to_pointer(inner)
        if isinstance(type, Truth):
            return self.condition(inner)
        if isinstance(type, Record | Floating):
            value = self.value(inner)
            if isinstance(type, Record):
                return value
            self._unused(value, inner.span)
            return UNKNOWN
        if isinstance(inner.type, Floating):
            self.value(inner)
            return self.unknown(type, inner.span)
        return to_type(self.scalar(inner), type)

    def to_pointer(self, inner: Node) -> Value:
        if isinstance(inner.type, Pointer):
            return self.value(inner)
        value = self.scalar(inner)
        if isinstance(value, Constant) and value.value == 0:
            return PointerValue(None)
        raise Unsupported("a pointer made from a number", inner.span)

    def _decayed(self, node: Node) -> PointerValue:
        """The address of an array's first element."""
        return self._memory.address(self.place(node))

    # Places

    def place(self, node: Node) -> Place:
        node = stripped(node)
        memory = self._memory
        match node.kind:
            case NodeKind.REFERENCE:
                if node.symbol in self._translation.linked.functions:
                    return self._function_place(node)
                return memory.object_place(self._translation.objects.of_symbol[node.symbol])
            case NodeKind.MEMBER:
                return self._member_place(node)
            case NodeKind.SUBSCRIPT:
                return self._subscript_place(node)
            case NodeKind.UNARY if node.operator == "*":
                return self.followed(node.children[0])
            case NodeKind.UNARY if node.operator == "__extension__":
                return self.place(node.children[0])
            case NodeKind.STRING:
                return memory.object_place(self._translation.objects.of_node[id(node)])
            case NodeKind.COMPOUND_LITERAL:
                return self._literal_place(node)
            case NodeKind.IMPLICIT | NodeKind.CAST if node.children:
                return self.place(node.children[-1])
            case _ if id(node) in self._translation.objects.of_node and isinstance(node.type, Record):
                return self._temporary_place(node)
            case _:
                raise Unsupported("this expression as a place", node.span)

    def _literal_place(self, node: Node) -> Place:
        object = self._translation.objects.of_node[id(node)]
        self.statements.declare(object, node.children[-1], (), node.span)
        return self._memory.object_place(object)

    def _temporary_place(self, node: Node) -> Place:
        """Where the structure is kept that an expression yields."""
        value = self.value(node)
        object = self._translation.objects.of_node[id(node)]
        self._memory.begin(object, node.span)
        place = self._memory.object_place(object)
        self._memory.write(place, value, node.span)
        return place

    def _member_place(self, node: Node) -> Place:
        base = node.children[0]
        if isinstance(base.type, Pointer):
            return self._memory.member(self.followed(base), node.spelling, node.span)
        return self._memory.member(self.place(base), node.spelling, node.span)

    def _subscript_place(self, node: Node) -> Place:
        pointer, index = subscript(node)
        inner = value_of(pointer)
        if isinstance(inner.type, Array):
            place = self.place(inner)
            position = self._context.builder.position()
            step = self._index(index)
            return self._memory.element(self.keeping.keep_place(place, position, index.span), step)
        referent = self._referent(inner)
        if referent is not None:
            place = self._memory.object_place(referent)
            return self._memory.element(place, self._index(index)) if referent.array else place
        value = self._pointer(pointer)
        position = self._context.builder.position()
        step = self._index(index)
        kept = self.keeping.keep(value, position, index.span)
        assert isinstance(kept, PointerValue)
        assert isinstance(pointer.type, Pointer)
        further = moved(kept, step, pointer.type, node.span)
        return self._memory.follow(further, pointer.type.target, node.span)

    def _index(self, node: Node) -> Expression:
        """A number, also if it is a truth value."""
        return (
            to_type(self.scalar(node), promoted(node.type, INT)) if isinstance(node.type, Truth) else self.scalar(node)
        )

    def _referent(self, inner: Node) -> Object | None:
        if inner.kind is NodeKind.REFERENCE and isinstance(inner.type, Pointer):
            return self._translation.objects.referents.get(inner.symbol)
        return None

    def followed(self, pointer: Node) -> Place:
        """What a pointer expression points to; arrays and addresses are looked through."""
        inner = value_of(pointer)
        referent = self._referent(inner)
        if referent is not None:
            place = self._memory.object_place(referent)
            return self._memory.element(place, number(0)) if referent.array else place
        if inner.kind is NodeKind.UNARY and inner.operator == "&" and not isinstance(inner.children[0].type, Function):
            return self.place(inner.children[0])
        if isinstance(inner.type, Array):
            return self._memory.element(self.place(inner), number(0))
        value = self._pointer(pointer)
        assert isinstance(pointer.type, Pointer)
        return self._memory.follow(value, pointer.type.target, pointer.span)

    def _pointer(self, node: Node) -> PointerValue:
        value = self.value(node)
        if not isinstance(value, PointerValue):
            raise Unsupported("this pointer", node.span)
        return value

    def _pair(self, left: Node, right: Node) -> tuple[Expression, Expression]:
        one = self.scalar(left)
        if not has_effects(right):
            return one, self.scalar(right)
        position = self._context.builder.position()
        other = self.scalar(right)
        return self.keeping.kept(one, position, left.span), other

    # Operators

    def _unary(self, node: Node) -> Value:
        operand = node.children[0]
        match node.operator:
            case "&":
                if isinstance(operand.type, Function):
                    return self._read(stripped(operand))
                return self._memory.address(self.place(operand))
            case "*":
                return self._read(node)
            case "!":
                assert isinstance(node.type, Integer)
                return from_truth(opposite(self.condition(operand)), node.type)
            case "x++" | "x--" | "++x" | "--x":
                return self._step(node)
            case "__extension__" | "+":
                return self.value(operand)
            case "-" | "~":
                return self._arithmetic_unary(node)
            case _:
                raise Unsupported(f"the operator {node.operator}", node.span)

    def _arithmetic_unary(self, node: Node) -> Value:
        if isinstance(node.type, Floating):
            self.value(node.children[0])
            return UNKNOWN
        value = to_type(self.scalar(node.children[0]), node.type)
        type = value.type
        if isinstance(value, Constant) and isinstance(type, Machine):
            result = -int(value.value) if node.operator == "-" else ~int(value.value)
            if type.contains(result) or not type.signed:
                return Constant(type.wrap(result), type)
        operator = UnaryOperator.NEGATE if node.operator == "-" else UnaryOperator.COMPLEMENT
        return Unary(operator, value, type)

    def _step(self, node: Node, wanted: bool = True) -> Value:
        if not (node.children[0].atomic and self._context.atomic_section(True, node.span)):
            return self._stepped(node, wanted)
        result = self._saved_result(self._stepped(node, wanted), node.span)
        self._context.atomic_section(False, node.span)
        return result

    def _saved_result(self, value: Value, span: Span) -> Value:
        """The value as it is within an atomic section, for those who use it after."""
        return self._context.saved(value, "value", span) if is_expression(value) else value

    def _stepped(self, node: Node, wanted: bool) -> Value:
        operand = node.children[0]
        place = self.place(operand)
        old = self._operand(place, node.span)
        one = Constant(1, INT.machine)
        prefix = node.operator in ("++x", "--x")
        if isinstance(old, Unknown):
            return UNKNOWN
        if isinstance(old, PointerValue):
            assert isinstance(operand.type, Pointer)
            step = one if _STEPS[node.operator] is Operator.ADD else Constant(-1, INT.machine)
            new: Value = moved(old, step, operand.type, node.span)
        else:
            assert is_expression(old)
            kind = promoted(operand.type, INT)
            new = to_type(apply(_STEPS[node.operator], to_type(old, kind), to_type(one, kind)), operand.type)
        position = self._context.builder.position()
        self._memory.write(place, new, node.span)
        if not wanted:
            return UNKNOWN
        if prefix:
            return self._memory.read(self._unchecked(place), node.span)
        return self.keeping.keep(old, position, node.span)

    def _unchecked(self, place: Place) -> Place:
        return Place(place.root, place.cell, place.path, place.type, place.lengths, place.offset)

    def _binary(self, node: Node) -> Value:
        match node.operator:
            case "=":
                return self._assignment(node)
            case ",":
                self.effect(node.children[0])
                return self.value(node.children[1])
            case "&&" | "||":
                assert isinstance(node.type, Integer)
                return from_truth(self.decisions.logical(node), node.type)
            case _:
                return self._arithmetic(node)

    def _assignment(self, node: Node) -> Value:
        return self._memory.read(self._unchecked(self._assign(node)), node.span)

    def _assign(self, node: Node) -> Place:
        left, right = node.children
        place = self.place(left)
        position = self._context.builder.position()
        value = self.converted(right, left.type) if not isinstance(left.type, Record) else self.value(right)
        if has_effects(right):
            place = self.keeping.keep_place(place, position, left.span)
        self._memory.write(place, value, node.span)
        return place

    def _compound_assignment(self, node: Node) -> Value:
        left, right = node.children
        operator = _OPERATORS[node.operator[:-1]]
        place = self.place(left)
        position = self._context.builder.position()
        operand = self.value(right)
        place = self.keeping.keep_place(place, position, left.span)
        if not (left.atomic and self._context.atomic_section(True, node.span)):
            return self._compound(node, operator, place, operand)
        result = self._saved_result(self._compound(node, operator, place, operand), node.span)
        self._context.atomic_section(False, node.span)
        return result

    def _compound(self, node: Node, operator: Operator, place: Place, operand: Value) -> Value:
        left, right = node.children
        old = self._operand(place, node.span)
        new: Value
        if isinstance(old, PointerValue):
            assert isinstance(left.type, Pointer)
            steps = exact(self._number(operand, right))
            steps = steps if operator is Operator.ADD else minus(number(0), steps)
            new = moved(old, steps, left.type, node.span)
        elif isinstance(left.type, Floating):
            return UNKNOWN
        elif isinstance(operand, Unknown) or isinstance(right.type, Floating):
            new = self.unknown(left.type, node.span)
        else:
            assert is_expression(old)
            # A bit-field is promoted by its own width.
            own = place.type if isinstance(place.type, Integer) else left.type
            new = to_type(self._computed(operator, old, own, self._number(operand, right), right.type), own)
        self._memory.write(place, new, node.span)
        return self._memory.read(self._unchecked(place), node.span)

    def _number(self, value: Value, node: Node) -> Expression:
        if not is_expression(value):
            raise Unsupported(f"{node.type} as a number", node.span)
        return value

    def _computed(
        self, operator: Operator, left: Expression, left_type: CType, right: Expression, right_type: CType
    ) -> Expression:
        """In the type that the usual conversions give; a shift's in its promoted left operand's."""
        if operator in _SHIFTS:
            return apply(operator, to_type(left, promoted(left_type, INT)), to_type(right, promoted(right_type, INT)))
        kind = common(left_type, right_type, INT)
        return apply(operator, to_type(left, kind), to_type(right, kind))

    def _arithmetic(self, node: Node) -> Value:
        left, right = node.children
        operator = _OPERATORS[node.operator]
        if isinstance(left.type, Pointer | Array) or isinstance(right.type, Pointer | Array):
            return self._pointers.result(node, operator)
        if isinstance(left.type, Floating) or isinstance(right.type, Floating):
            self.value(left)
            self.value(right)
            return UNKNOWN if isinstance(node.type, Floating) else self.unknown(node.type, node.span)
        one, other = self._pair(left, right)
        result = self._computed(operator, one, left.type, other, right.type)
        if operator in COMPARISONS:
            assert isinstance(node.type, Integer)
            return from_truth(result, node.type)
        return result
