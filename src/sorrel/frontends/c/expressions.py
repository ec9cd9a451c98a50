"""Expressions of C: their values, their places, and what they change, from left to right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sorrel.errors import InternalError, Span
from sorrel.frontends.blocks import Position
from sorrel.frontends.c.context import INT, Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import (
    apply,
    both,
    choose,
    compare,
    convert,
    either,
    exact,
    from_truth,
    minus,
    number,
    opposite,
    plus,
    times,
    to_type,
    truth,
)
from sorrel.frontends.c.purity import has_effects
from sorrel.frontends.c.references import subscript, value_of
from sorrel.frontends.c.regions import find
from sorrel.frontends.c.syntax import Node, NodeKind, stripped
from sorrel.frontends.c.types import (
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Path,
    Pointer,
    Record,
    Truth,
    Void,
    common,
    element_count,
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
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import (
    COMPARISONS,
    Binary,
    Constant,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.statement import Assign, Choice
from sorrel.program.traversal import free_variables
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
            NodeKind.CONDITIONAL: self._conditional,
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
            self._conditional_effect(inner)
        elif inner.kind is NodeKind.BINARY and inner.operator == ",":
            self.effect(inner.children[0])
            self.effect(inner.children[1])
        elif inner.kind is NodeKind.BINARY and inner.operator in ("&&", "||") and has_effects(inner.children[1]):
            self._logical_effect(inner)
        elif inner.kind is NodeKind.UNARY and inner.operator in _STEPS:
            self._step(inner, wanted=False)
        elif inner.kind is NodeKind.BINARY and inner.operator == "=":
            self._assign(inner)
        else:
            self.value(inner)

    def condition(self, node: Node) -> Expression:
        """Whether the value is not zero."""
        node = stripped(node)
        if node.kind is NodeKind.UNARY and node.operator == "!":
            return opposite(self.condition(node.children[0]))
        if node.kind is NodeKind.BINARY and node.operator in ("&&", "||"):
            return self._logical(node)
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

    def branch(self, node: Node, then: str, otherwise: str, span: Span) -> None:
        """Goes on at one of two labels; what is only evaluated sometimes and changes something becomes branches."""
        node = stripped(node)
        builder = self._context.builder
        if node.kind is NodeKind.UNARY and node.operator == "!":
            self.branch(node.children[0], otherwise, then, span)
        elif node.kind is NodeKind.BINARY and node.operator in ("&&", "||") and has_effects(node.children[1]):
            middle = builder.label("and" if node.operator == "&&" else "or")
            if node.operator == "&&":
                self.branch(node.children[0], middle, otherwise, span)
            else:
                self.branch(node.children[0], then, middle, span)
            builder.start(middle)
            self.branch(node.children[1], then, otherwise, span)
        else:
            builder.branch(self.condition(node), then, otherwise, span)

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
            return self._memory.address(self._function_place(node))
        if isinstance(node.type, Array):
            return self._decayed(node)
        if node.kind is NodeKind.REFERENCE and isinstance(node.type, Pointer):
            referent = self._translation.objects.referents.get(node.symbol)
            if referent is not None:
                raise InternalError(f"{node.span}: a reference is used as a pointer")
        if node.kind is NodeKind.MEMBER and (owner := _temporary_owner(node)) is not None:
            return self._part_of_value(node, owner)
        value = self._memory.read(self.place(node), node.span)
        if isinstance(node.type, Integer | Truth) and is_expression(value):
            return to_type(value, node.type)
        return value

    def _part_of_value(self, node: Node, owner: Node) -> Value:
        """A field of a structure that is no variable, such as a function's result."""
        path: list[str] = []
        while node is not owner:
            node = stripped(node)
            if node.kind is NodeKind.MEMBER:
                path.insert(0, node.spelling)
            node = node.children[0]
        value = self.value(owner)
        assert isinstance(value, StructureValue)
        wanted = tuple(path)
        if wanted in value.leaves:
            return value.leaves[wanted]
        return StructureValue(
            {leaf[len(wanted) :]: part for leaf, part in value.leaves.items() if leaf[: len(wanted)] == wanted}
        )

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
            return self._elvis(node)
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
            return self._to_pointer(inner)
        if isinstance(type, Truth):
            return self.condition(inner)
        if isinstance(type, Record | Floating):
            value = self.value(inner)
            return UNKNOWN if isinstance(type, Floating) else value
        if isinstance(inner.type, Floating):
            self.value(inner)
            return self.unknown(type, inner.span)
        return to_type(self.scalar(inner), type)

    def _to_pointer(self, inner: Node) -> Value:
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
            case _:
                raise Unsupported("this expression as a place", node.span)

    def _literal_place(self, node: Node) -> Place:
        object = self._translation.objects.of_node[id(node)]
        self.statements.declare(object, node.children[-1], (), node.span)
        return self._memory.object_place(object)

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
            step = self.scalar(index)
            return self._memory.element(self.keep_place(place, position, index.span), step)
        referent = self._referent(inner)
        if referent is not None:
            place = self._memory.object_place(referent)
            return self._memory.element(place, self.scalar(index)) if referent.array else place
        value = self._pointer(pointer)
        position = self._context.builder.position()
        step = self.scalar(index)
        kept = self.keep(value, position, index.span)
        assert isinstance(kept, PointerValue)
        assert isinstance(pointer.type, Pointer)
        moved = self.moved(kept, step, pointer.type, node.span)
        return self._memory.follow(moved, pointer.type.target, node.span)

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

    def moved(self, pointer: PointerValue, steps: Expression, type: Pointer, span: Span) -> PointerValue:
        """The pointer so many elements further on."""
        if pointer.cell is None:
            raise Unsupported("arithmetic on a null pointer", span)
        if isinstance(type.target, Void | Function):
            raise Unsupported(f"arithmetic on a pointer to {type.target}", span)
        width = element_count(type.target)
        if width is None:
            raise Unsupported("a pointer to an array of variable length", span)
        return PointerValue(pointer.cell, pointer.object, plus(pointer.offset, times(exact(steps), number(width))))

    # Keeping values while something else is evaluated

    def keep(self, value: Value, position: Position, span: Span) -> Value:
        """The value as it was at the position, if what was emitted since may have changed its variables."""
        if isinstance(value, Unknown):
            return value
        if isinstance(value, PointerValue):
            object = None if value.object is None else self._kept(value.object, position, span)
            offset = None if value.offset is None else self._kept(value.offset, position, span)
            return PointerValue(value.cell, object, offset)
        if isinstance(value, StructureValue):
            kept: dict[Path, Value] = {}
            for path, leaf in reversed(value.leaves.items()):
                kept[path] = self.keep(leaf, position, span)
            return StructureValue({path: kept[path] for path in value.leaves})
        if isinstance(value, ArrayOfPointers):
            return ArrayOfPointers(value.cell, tuple(self._kept(c, position, span) for c in value.components))
        return self._kept(value, position, span)

    def keep_place(self, place: Place, position: Position, span: Span) -> Place:
        root = place.root
        if isinstance(root, PointerValue):
            kept = self.keep(root, position, span)
            assert isinstance(kept, PointerValue)
            root = kept
        offset = None if place.offset is None else self._kept(place.offset, position, span)
        checks = tuple(self._kept(check, position, span) for check in place.checks)
        return Place(root, place.cell, place.path, place.type, place.lengths, offset, checks)

    def _kept(self, value: Expression, position: Position, span: Span) -> Expression:
        if isinstance(value, Constant):
            return value
        written, called = self._context.builder.written_since(position)
        if not written and not called:
            return value
        read = free_variables(value)
        touched = any(variable.name in written for variable in read)
        if not touched and not (called and any(v.name in self._context.layout.globals for v in read)):
            return value
        kept = self._context.temporary("kept", value.type)
        self._context.builder.insert(position, Assign(kept, value, span))
        return kept

    def sequence(self, evaluations: Sequence[Callable[[], Value]], span: Span) -> list[Value]:
        """One after the other; earlier values survive what later ones change."""
        found: list[tuple[Value, Position]] = []
        for evaluate in evaluations:
            value = evaluate()
            found.append((value, self._context.builder.position()))
        kept = [self.keep(value, position, span) for value, position in reversed(found)]
        return kept[::-1]

    def _pair(self, left: Node, right: Node) -> tuple[Expression, Expression]:
        one = self.scalar(left)
        if not has_effects(right):
            return one, self.scalar(right)
        position = self._context.builder.position()
        other = self.scalar(right)
        return self._kept(one, position, left.span), other

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
        old = self._memory.read(place, node.span)
        one = Constant(1, INT.machine)
        prefix = node.operator in ("++x", "--x")
        if isinstance(old, Unknown):
            return UNKNOWN
        if isinstance(old, PointerValue):
            assert isinstance(operand.type, Pointer)
            step = one if _STEPS[node.operator] is Operator.ADD else Constant(-1, INT.machine)
            new: Value = self.moved(old, step, operand.type, node.span)
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
        return self.keep(old, position, node.span)

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
                return from_truth(self._logical(node), node.type)
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
            place = self.keep_place(place, position, left.span)
        self._memory.write(place, value, node.span)
        return place

    def _compound_assignment(self, node: Node) -> Value:
        left, right = node.children
        operator = _OPERATORS[node.operator[:-1]]
        place = self.place(left)
        position = self._context.builder.position()
        operand = self.value(right)
        place = self.keep_place(place, position, left.span)
        if not (left.atomic and self._context.atomic_section(True, node.span)):
            return self._compound(node, operator, place, operand)
        result = self._saved_result(self._compound(node, operator, place, operand), node.span)
        self._context.atomic_section(False, node.span)
        return result

    def _compound(self, node: Node, operator: Operator, place: Place, operand: Value) -> Value:
        left, right = node.children
        old = self._memory.read(place, node.span)
        new: Value
        if isinstance(old, PointerValue):
            assert isinstance(left.type, Pointer)
            assert is_expression(operand)
            steps = exact(operand)
            steps = steps if operator is Operator.ADD else minus(number(0), steps)
            new = self.moved(old, steps, left.type, node.span)
        elif isinstance(left.type, Floating):
            return UNKNOWN
        elif isinstance(operand, Unknown) or isinstance(right.type, Floating):
            new = self.unknown(left.type, node.span)
        else:
            assert is_expression(operand)
            assert is_expression(old)
            # A bit-field is promoted by its own width.
            own = place.type if isinstance(place.type, Integer) else left.type
            new = to_type(self._computed(operator, old, own, operand, right.type), own)
        self._memory.write(place, new, node.span)
        return self._memory.read(self._unchecked(place), node.span)

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
            return self._pointer_arithmetic(node, operator)
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

    def _pointer_arithmetic(self, node: Node, operator: Operator) -> Value:
        left, right = node.children
        if operator in (Operator.ADD, Operator.SUBTRACT):
            if isinstance(right.type, Integer | Truth):
                pointer, steps = self.sequence([lambda: self.value(left), lambda: self.scalar(right)], node.span)
            elif isinstance(left.type, Integer | Truth):
                steps, pointer = self.sequence([lambda: self.scalar(left), lambda: self.value(right)], node.span)
            else:
                return self._difference(node)
            assert isinstance(node.type, Pointer)
            assert isinstance(pointer, PointerValue)
            assert is_expression(steps)
            step = exact(steps)
            return self.moved(
                pointer, step if operator is Operator.ADD else minus(number(0), step), node.type, node.span
            )
        if operator not in COMPARISONS:
            raise Unsupported(f"the operator {operator} on pointers", node.span)
        assert isinstance(node.type, Integer)
        return from_truth(self._pointer_comparison(node, operator), node.type)

    def _two_pointers(self, node: Node) -> tuple[PointerValue, PointerValue]:
        left, right = node.children
        one, other = self.sequence([lambda: self._as_pointer(left), lambda: self._as_pointer(right)], node.span)
        assert isinstance(one, PointerValue)
        assert isinstance(other, PointerValue)
        return one, other

    def _as_pointer(self, node: Node) -> Value:
        return self.value(node) if isinstance(node.type, Pointer) else self._to_pointer(node)

    def _pointer_comparison(self, node: Node, operator: Operator) -> Expression:
        one, other = self._two_pointers(node)
        if operator in (Operator.EQUAL, Operator.DIFFERENT):
            same = self._same_pointer(one, other)
            return same if operator is Operator.EQUAL else opposite(same)
        if one.cell is None or other.cell is None or find(one.cell) is not find(other.cell):
            raise Unsupported("comparing pointers to different objects", node.span)
        self._translation.assume("Pointers compared with < or <= point into the same object.")
        return compare(operator, one.offset or number(0), other.offset or number(0))

    def _same_pointer(self, one: PointerValue, other: PointerValue) -> Expression:
        if one.cell is None or other.cell is None:
            return opposite(self._memory.is_set(other if one.cell is None else one))
        if find(one.cell) is not find(other.cell):
            # Nothing that both may point to: only null is equal to null.
            return both(opposite(self._memory.is_set(one)), opposite(self._memory.is_set(other)))
        same: Expression = TRUE
        if one.object is not None and other.object is not None:
            same = compare(Operator.EQUAL, one.object, other.object)
        if one.offset is not None and other.offset is not None:
            same = both(same, compare(Operator.EQUAL, one.offset, other.offset))
        return same

    def _difference(self, node: Node) -> Value:
        one, other = self._two_pointers(node)
        left = node.children[0]
        if one.cell is None or other.cell is None or find(one.cell) is not find(other.cell):
            raise Unsupported("the difference of pointers to different objects", node.span)
        self._translation.assume("Pointers that are subtracted point into the same object.")
        assert isinstance(left.type, Pointer)
        width = element_count(left.type.target) or 1
        distance = minus(one.offset or number(0), other.offset or number(0))
        if width != 1:
            distance = Binary(Operator.DIVIDE, distance, number(width), distance.type)
        return to_type(distance, node.type)

    # Evaluated only sometimes

    def _logical(self, node: Node) -> Expression:
        left, right = node.children
        conjunction = node.operator == "&&"
        if has_effects(right):
            return self._by_branches(node)
        one = self.condition(left)
        self._context.push_guard(one if conjunction else opposite(one))
        other = self.condition(right)
        self._context.pop_guard()
        return both(one, other) if conjunction else either(one, other)

    def _by_branches(self, node: Node) -> Expression:
        builder, result = self._context.builder, self._context.temporary("truth", BOOLEAN)
        yes, no, after = builder.label("yes"), builder.label("no"), builder.label("after")
        self.branch(node, yes, no, node.span)
        for label, value in ((yes, TRUE), (no, FALSE)):
            builder.start(label)
            self._context.assign(result, value, node.span)
            builder.goto(after)
        builder.start(after)
        return result

    def _logical_effect(self, node: Node) -> None:
        builder = self._context.builder
        right, after = builder.label("right"), builder.label("after")
        if node.operator == "&&":
            self.branch(node.children[0], right, after, node.span)
        else:
            self.branch(node.children[0], after, right, node.span)
        builder.start(right)
        self.effect(node.children[1])
        builder.start(after)

    def _conditional_effect(self, node: Node) -> None:
        condition, then, otherwise = node.children
        if self.calls.fails_assertion(otherwise) and not has_effects(then):
            self.calls.assertion(condition, otherwise, node.span)
            return
        builder = self._context.builder
        yes, no, after = builder.label("yes"), builder.label("no"), builder.label("after")
        self.branch(condition, yes, no, node.span)
        builder.start(yes)
        self.effect(then)
        builder.goto(after)
        builder.start(no)
        self.effect(otherwise)
        builder.start(after)

    def _conditional(self, node: Node) -> Value:
        condition, then, otherwise = node.children
        if isinstance(node.type, Void):
            self._conditional_effect(node)
            return UNKNOWN
        if has_effects(then) or has_effects(otherwise) or isinstance(node.type, Record):
            return self._chosen_by_branches(node)
        test = self.condition(condition)
        self._context.push_guard(test)
        one = self.converted(then, node.type)
        self._context.pop_guard()
        self._context.push_guard(opposite(test))
        other = self.converted(otherwise, node.type)
        self._context.pop_guard()
        return self._chosen(test, one, other, node)

    def _chosen(self, test: Expression, one: Value, other: Value, node: Node) -> Value:
        if isinstance(one, Unknown) or isinstance(other, Unknown):
            return UNKNOWN
        if isinstance(one, PointerValue) and isinstance(other, PointerValue):
            cell = one.cell if one.cell is not None else other.cell
            if cell is None:
                return one
            left, right = self._memory.fitted(one, cell, node.span), self._memory.fitted(other, cell, node.span)
            pairs = zip(self._memory.components(left), self._memory.components(right), strict=True)
            return self._memory.pointer(cell, tuple(choose(test, a, b) for a, b in pairs))
        assert is_expression(one)
        assert is_expression(other)
        return choose(test, one, other)

    def _chosen_by_branches(self, node: Node) -> Value:
        """Each side stores its value; which variables that takes is known when both are."""
        condition, then, otherwise = node.children
        builder = self._context.builder
        yes, no, after = builder.label("yes"), builder.label("no"), builder.label("after")
        self.branch(condition, yes, no, node.span)
        builder.start(yes)
        first = self.converted(then, node.type)
        end_of_first = builder.leave(no)
        second = self.converted(otherwise, node.type)
        results = self._meeting(first, second, node)
        for target, _, other in results:
            self._context.assign(target, other, node.span)
        builder.goto(after)
        builder.resume(end_of_first)
        for target, one, _ in results:
            self._context.assign(target, one, node.span)
        builder.goto(after)
        builder.start(after)
        return self._met(first, second, [target for target, _, _ in results], node)

    def _meeting(self, one: Value, other: Value, node: Node) -> list[tuple[Variable, Expression, Expression]]:
        left, right = self._flattened(one, other, node), self._flattened(other, one, node)
        return [(self._context.temporary("choice", a.type), a, b) for a, b in zip(left, right, strict=True)]

    def _flattened(self, value: Value, other: Value, node: Node) -> list[Expression]:
        if isinstance(value, Unknown) or isinstance(other, Unknown):
            return []
        if isinstance(value, PointerValue) and isinstance(other, PointerValue):
            cell = value.cell if value.cell is not None else other.cell
            return [] if cell is None else list(self._memory.components(self._memory.fitted(value, cell, node.span)))
        if isinstance(value, StructureValue) and isinstance(other, StructureValue):
            pairs = [(leaf, other.leaves[path]) for path, leaf in value.leaves.items()]
            return [part for leaf, opposite_leaf in pairs for part in self._flattened(leaf, opposite_leaf, node)]
        if isinstance(value, ArrayOfPointers):
            return list(value.components)
        assert not isinstance(value, PointerValue | StructureValue)
        return [value]

    def _met(self, one: Value, other: Value, targets: list[Variable], node: Node) -> Value:
        remaining = iter(targets)

        def build(value: Value, opposite_value: Value) -> Value:
            if isinstance(value, Unknown) or isinstance(opposite_value, Unknown):
                return UNKNOWN
            if isinstance(value, PointerValue) and isinstance(opposite_value, PointerValue):
                cell = value.cell if value.cell is not None else opposite_value.cell
                if cell is None:
                    return value
                shape = self._context.layout.shape(cell)
                return self._memory.pointer(cell, tuple(next(remaining) for _ in shape.components))
            if isinstance(value, StructureValue) and isinstance(opposite_value, StructureValue):
                return StructureValue(
                    {path: build(leaf, opposite_value.leaves[path]) for path, leaf in value.leaves.items()}
                )
            if isinstance(value, ArrayOfPointers):
                return ArrayOfPointers(value.cell, tuple(next(remaining) for _ in value.components))
            return next(remaining)

        return build(one, other)

    def _elvis(self, node: Node) -> Value:
        """`a ?: b`: a is evaluated once."""
        first, last = node.children[0], node.children[-1]
        if has_effects(first) or has_effects(last) or isinstance(node.type, Record):
            raise Unsupported("?: without a middle whose operands change something", node.span)
        test = self.condition(first)
        one = self.converted(first, node.type)
        self._context.push_guard(opposite(test))
        other = self.converted(last, node.type)
        self._context.pop_guard()
        return self._chosen(test, one, other, node)


def _temporary_owner(node: Node) -> Node | None:
    """The expression without an address at the bottom of a chain of fields, if there is one."""
    while node.kind is NodeKind.MEMBER and not isinstance(node.children[0].type, Pointer):
        node = stripped(node.children[0])
        while node.kind is NodeKind.IMPLICIT and len(node.children) == 1:
            node = stripped(node.children[0])
    temporary = (NodeKind.CALL, NodeKind.CONDITIONAL, NodeKind.BINARY, NodeKind.STATEMENT_EXPRESSION)
    return node if node.kind in temporary else None
