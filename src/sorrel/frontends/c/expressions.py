"""Expressions of C: their values and what they change, from left to right."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sorrel.frontends.c import syntax
from sorrel.frontends.c.arithmetic import Arithmetic
from sorrel.frontends.c.assignments import Assignments
from sorrel.frontends.c.cells import Cell
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.decisions import Decisions
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import convert, opposite, to_type, truth
from sorrel.frontends.c.places import Places
from sorrel.frontends.c.settings import DataModel
from sorrel.frontends.c.types import (
    INT,
    Array,
    CType,
    Floating,
    Function,
    Ieee,
    Integer,
    Pointer,
    Record,
    Truth,
    Void,
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
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import Binary, Constant, Expression, Operator
from sorrel.program.statement import Choice
from sorrel.program.types import BOOLEAN, UNBOUNDED, Machine

_ADDRESS = Machine(64, False)


class Expressions:
    """Finds who knows a construct, and converts between types."""

    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self.places = Places(context, memory, evaluator)
        self.decisions = Decisions(context, memory, evaluator)
        self._assignments = Assignments(context, memory, evaluator)
        self._arithmetic = Arithmetic(context, memory, evaluator)
        self._values: dict[type[syntax.Node], Callable[[Any], Value]] = {
            syntax.IntegerConstant: self._integer,
            syntax.FloatingConstant: self._floating,
            syntax.ImplicitConversion: self._conversion,
            syntax.Cast: self._conversion,
            syntax.Reference: self._read,
            syntax.Member: self._read,
            syntax.Subscript: self._read,
            syntax.Dereference: self._read,
            syntax.StringLiteral: self._read,
            syntax.CompoundLiteral: self._read,
            syntax.AddressOf: self._address,
            syntax.Unary: self._arithmetic.unary,
            syntax.Binary: self._arithmetic.binary,
            syntax.Logical: self.decisions.logical_value,
            syntax.Comma: self._comma,
            syntax.Conditional: self.decisions.conditional,
            syntax.Elvis: self.decisions.elvis,
            syntax.Assignment: self._assignments.assignment,
            syntax.CompoundAssignment: self._assignments.compound,
            syntax.Step: self._assignments.step,
            syntax.Call: evaluator.call,
            syntax.Size: self.places.size,
            syntax.VariableArgument: self._argument_from_outside,
            syntax.MissingArgument: self._missing_argument,
            syntax.StatementExpression: evaluator.statement_expression,
        }

    # Values

    def value(self, node: syntax.Expression) -> Value:
        handler = self._values.get(type(node))
        if handler is None:
            words = node.words if isinstance(node, syntax.OtherExpression) else "this expression"
            raise Unsupported(words, node.span)
        return handler(node)

    def scalar(self, node: syntax.Expression) -> Expression:
        value = self.value(node)
        if isinstance(value, PointerValue):
            return self._number(value, node.span)
        if isinstance(value, StructureValue | ArrayOfPointers | Unknown):
            return self.unknown(node.type, node.span)
        return to_type(value, node.type) if isinstance(node.type, Integer | Truth | Ieee) else value

    def _number(self, pointer: PointerValue, span: Span) -> Expression:
        """A number made from a pointer."""
        if pointer.cell is None:
            return Constant(0, _ADDRESS)
        if pointer.object is not None and self._keeps_numbers(pointer.cell):
            return convert(pointer.object, _ADDRESS)
        return self._memory.any_value(_ADDRESS, "a number made from a pointer", span)

    def _keeps_numbers(self, cell: Cell) -> bool:
        translation = self._context.translation
        return translation.settings.data_model is DataModel.LP64 and translation.layout.holds_numbers(cell)

    def effect(self, node: syntax.Expression) -> None:
        while isinstance(node, syntax.Cast) and isinstance(node.type, Void):
            node = node.operand
        match node:
            case syntax.Conditional() if isinstance(node.type, Void):
                self.decisions.conditional_effect(node)
            case syntax.Comma():
                self.effect(node.left)
                self.effect(node.right)
            case syntax.Logical() if self._evaluator.has_effects(node.right):
                self.decisions.logical_effect(node)
            case syntax.Step():
                self._assignments.step(node, wanted=False)
            case syntax.Assignment():
                self._assignments.assign(node)
            case syntax.Call():
                self._unused(self._evaluator.call(node, wanted=False), node.span)
            case _:
                self._unused(self.value(node), node.span)

    def _unused(self, value: Value, span: Span) -> None:
        parts = (value.object, value.offset) if isinstance(value, PointerValue) else (value,)
        for part in parts:
            if part is not None and is_expression(part):
                self._context.unused(part, span)

    def condition(self, node: syntax.Expression) -> Expression:
        match node:
            case syntax.Unary(operator=syntax.UnaryOperator.NOT):
                return opposite(self.condition(node.operand))
            case syntax.Logical():
                return self.decisions.logical(node)
            case _:
                return self.as_truth(self.value(node), node.span)

    def as_truth(self, value: Value, span: Span) -> Expression:
        if isinstance(value, PointerValue):
            return self._memory.is_set(value)
        if isinstance(value, Unknown):
            return self.unknown(Truth(), span)
        if isinstance(value, StructureValue | ArrayOfPointers):
            raise InternalError(f"{span}: a structure as a condition")
        return truth(value)

    def unknown(self, type: CType, span: Span) -> Expression:
        source = "a floating-point number"
        if not isinstance(type, Integer | Truth | Ieee):
            raise Unsupported(f"a value of type {type} made from {source}", span)
        value = self._context.temporary("float", scalar_type(type))
        self._context.havoc(value, Choice.ABSTRACTION, source, span)
        return value

    def _integer(self, node: syntax.IntegerConstant) -> Value:
        if isinstance(node.type, Pointer):
            return PointerValue(None)
        type = scalar_type(node.type)
        if isinstance(type, Machine):
            return Constant(type.wrap(node.value), type)
        if type == BOOLEAN:
            return TRUE if node.value else FALSE
        raise InternalError(f"{node.span}: a constant of type {node.type}")

    def _floating(self, node: syntax.FloatingConstant) -> Value:
        if not isinstance(node.type, Ieee) or node.value is None:
            return UNKNOWN
        type = node.type.number
        if math.isfinite(node.value):
            return Constant(Fraction(node.value), type)
        one, none = Constant(Fraction(1), type), Constant(Fraction(0), type)
        return Binary(Operator.DIVIDE, none if math.isnan(node.value) else one, none, type)

    def _argument_from_outside(self, node: syntax.VariableArgument) -> Value:
        """In a function that nobody in the program calls: whoever does passes what it asks for."""
        told = f"{node.span}: an argument of type {node.type} is passed here."
        self._context.translation.assume(AssumptionKind.ENTRY, told)
        if isinstance(node.type, Floating):
            return UNKNOWN
        if isinstance(node.type, Pointer):
            return self._memory.any_pointer(
                self._context.translation.points_to.points(node), "a variable argument", node.span
            )
        if isinstance(node.type, Record):
            cell = self._context.translation.points_to.value_cell(node)
            return self._memory.any_structure(cell, node.type, node.span)
        if not isinstance(node.type, Integer | Ieee):
            raise Unsupported(f"{node.type} among variable arguments that come from outside", node.span)
        value = self._context.temporary("argument", scalar_type(node.type))
        self._context.havoc(value, Choice.INPUT, "va_arg", node.span)
        return value

    def _missing_argument(self, node: syntax.MissingArgument) -> Value:
        self._context.check(FALSE, "an argument that was not passed, or has another type", node.span)
        if node.instead is not None:
            return self.value(node.instead)
        match node.type:
            case Pointer():
                return PointerValue(None)
            case Integer() | Truth() | Ieee():
                return to_type(Constant(0, INT.machine), node.type)
            case Floating():
                return UNKNOWN
            case _:
                raise Unsupported(f"{node.type} among variable arguments that has not been passed", node.span)

    def _comma(self, node: syntax.Comma) -> Value:
        self.effect(node.left)
        return self.value(node.right)

    def _address(self, node: syntax.AddressOf) -> Value:
        if isinstance(node.operand.type, Function):
            return self._read(node.operand)
        return self._memory.address(self.places.place(node.operand))

    def _read(self, node: syntax.Expression) -> Value:
        if isinstance(node.type, Function):
            return self._function_address(node)
        place = self.places.place(node)
        if isinstance(node.type, Array):
            return self._memory.address(place)
        value = self.operand(place, node.span)
        if isinstance(node.type, Integer | Truth | Ieee) and is_expression(value):
            return to_type(value, node.type)
        return value

    def _function_address(self, node: syntax.Expression) -> Value:
        """`f`, and `*p`, which is the function again that p points to."""
        if isinstance(node, syntax.Dereference):
            return self.value(node.operand)
        return self._memory.address(self.places.place(node))

    def operand(self, place: Place, span: Span) -> Value:
        """What is read, to compute with it.

        A bit-field that int does not hold has its declared type for clang and a type of its own width for gcc.
        """
        type = place.type
        if isinstance(type, Integer) and type.machine.bits > INT.machine.bits and type.is_cut:
            raise Unsupported(f"reading a bit-field that is wider than int ({type}): compilers disagree", span)
        return self._memory.used(place, span)

    # Conversions

    def _conversion(self, node: syntax.Conversion) -> Value:
        if isinstance(node, syntax.ImplicitConversion) and node.atomic:
            return self._context.within_section(lambda: self.converted(node.operand, node.type), node.span)
        return self.converted(node.operand, node.type)

    def converted(self, node: syntax.Expression, type: CType) -> Value:
        match type:
            case Void():
                self.effect(node)
                return UNKNOWN
            case Pointer() | Array():
                return self._read(node) if isinstance(node.type, Array | Function) else self.to_pointer(node)
            case Truth():
                return self.condition(node)
            case Record():
                return self.value(node)
            case Floating():
                self._unused(self.value(node), node.span)
                return UNKNOWN
            case _ if isinstance(node.type, Floating):
                self.value(node)
                return self.unknown(type, node.span)
            case _:
                return to_type(self.scalar(node), type)

    def to_pointer(self, node: syntax.Expression) -> Value:
        if isinstance(node.type, Pointer):
            return self.value(node)
        value = self.scalar(node)
        if isinstance(value, Constant) and value.value == 0:
            return PointerValue(None)
        cell = self._context.translation.points_to.made_from_number(node)
        if self._keeps_numbers(cell):
            return PointerValue(cell, convert(convert(value, _ADDRESS), UNBOUNDED))
        return self._memory.any_pointer(cell, "a pointer made from a number", node.span)
