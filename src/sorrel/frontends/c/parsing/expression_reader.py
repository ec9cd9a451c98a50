"""Cursors of expressions to syntax trees, one visit for each cursor."""

from __future__ import annotations

import re
from collections.abc import Callable

from sorrel.frontends.c import syntax
from sorrel.frontends.c.parsing.cursors import Cursors
from sorrel.frontends.c.parsing.kinds import Cursor
from sorrel.frontends.c.parsing.libclang import CXCursor
from sorrel.frontends.c.parsing.literals import code_units
from sorrel.frontends.c.parsing.type_reader import TypeReader, adjusted, inner_record, way_through_nameless
from sorrel.frontends.c.types import (
    VARIABLE_ARGUMENTS,
    VOID,
    Array,
    CType,
    Function,
    Integer,
    Pointer,
    Record,
    Truth,
    base_element,
)
from sorrel.model.errors import Span
from sorrel.program.expression import Operator

_OTHERS = {Cursor.IMAGINARY: "imaginary numbers", Cursor.LABEL_ADDRESS: "address of a label"}
_SPELLED = (  # enum CXBinaryOperatorKind, whose numbers are positions here
    *(".", "->*", ".*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|"),
    *("&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","),
)
_OPERATORS = {operator.value: operator for operator in Operator}
_LOGICAL = {operator.value: operator for operator in syntax.LogicalOperator}
_STEPS = {  # enum CXUnaryOperatorKind
    1: syntax.StepOperator.POST_INCREMENT,
    2: syntax.StepOperator.POST_DECREMENT,
    3: syntax.StepOperator.PRE_INCREMENT,
    4: syntax.StepOperator.PRE_DECREMENT,
}
_ADDRESS, _DEREFERENCE, _EXTENSION = 5, 6, 13
_UNARY = {
    7: syntax.UnaryOperator.PLUS,
    8: syntax.UnaryOperator.MINUS,
    9: syntax.UnaryOperator.COMPLEMENT,
    10: syntax.UnaryOperator.NOT,
}
_COMPLEX = {11: "__real", 12: "__imag"}
_QUOTED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', re.DOTALL)


class ExpressionReader:
    """`declare` reads a function's declaration, `compound` the block of a statement expression.

    Functions that are used and that the file does not announce are in `undeclared`.
    """

    def __init__(
        self,
        cursors: Cursors,
        types: TypeReader,
        declare: Callable[[CXCursor], syntax.FunctionDeclaration],
        compound: Callable[[CXCursor], syntax.Compound],
    ) -> None:
        self._cursors = cursors
        self._types = types
        self._declare = declare
        self._compound = compound
        self._clang = cursors.clang
        self.declared: set[int] = set()
        self.undeclared: dict[int, syntax.FunctionDeclaration] = {}
        self._handlers: dict[int, Callable[[CXCursor], syntax.Expression]] = {
            Cursor.UNEXPOSED: self._implicit,
            Cursor.REFERENCE: self._reference,
            Cursor.MEMBER: self._member,
            Cursor.CALL: self._call,
            Cursor.INTEGER: self._integer,
            Cursor.CHARACTER: self._integer,
            Cursor.FLOATING: self._floating,
            Cursor.STRING: self._string,
            Cursor.PARENTHESES: self._parentheses,
            Cursor.UNARY: self._unary,
            Cursor.SUBSCRIPT: self._subscript,
            Cursor.BINARY: self._binary,
            Cursor.COMPOUND_ASSIGNMENT: self._compound_assignment,
            Cursor.CONDITIONAL: self._conditional,
            Cursor.CAST: self._cast,
            Cursor.COMPOUND_LITERAL: self._compound_literal,
            Cursor.INITIALIZER_LIST: self._initializer_list,
            Cursor.STATEMENT_EXPRESSION: self._statement_expression,
            Cursor.GENERIC: self._generic,
            Cursor.SIZE: self._size,
        }

    def read(self, cursor: CXCursor) -> syntax.Expression:
        handler = self._handlers.get(cursor.kind)
        return self._other(cursor) if handler is None else handler(cursor)

    def _other(self, cursor: CXCursor) -> syntax.Expression:
        words = _OTHERS.get(cursor.kind) or f"“{self._cursors.first_words(cursor)}”"
        return syntax.OtherExpression(self._cursors.span(cursor), self._types.of(cursor), words)

    def _below(self, cursor: CXCursor) -> list[CXCursor]:
        """The expressions directly below, without the types that are named."""
        return [child for child in self._cursors.children(cursor) if child.kind >= Cursor.FIRST_EXPRESSION]

    def _value_type(self, cursor: CXCursor) -> CType:
        """Of what is computed, never an array: libclang tells the type that a parameter was declared with."""
        type = self._types.of(cursor)
        return adjusted(type) if isinstance(type, Array) else type

    # Constants

    def _integer(self, cursor: CXCursor) -> syntax.Expression:
        span, type, value = self._cursors.span(cursor), self._types.of(cursor), self._cursors.evaluate(cursor)
        if value is None:
            return syntax.OtherExpression(span, type, "this number")
        return syntax.IntegerConstant(span, type, value)

    def _floating(self, cursor: CXCursor) -> syntax.Expression:
        value = self._cursors.evaluate_floating(cursor)
        return syntax.FloatingConstant(self._cursors.span(cursor), self._types.of(cursor), value)

    def _string(self, cursor: CXCursor) -> syntax.Expression:
        span, type = self._cursors.span(cursor), self._types.of(cursor)
        element = base_element(type)
        bits = element.machine.bits if isinstance(element, Integer) else 8
        characters = code_units(self._cursors.spelling(cursor), bits)
        if characters is None:
            return syntax.OtherExpression(span, type, "this string")
        return syntax.StringLiteral(span, type, characters)

    # Names and places

    def _reference(self, cursor: CXCursor) -> syntax.Expression:
        referenced = self._cursors.referenced(cursor)
        span, type = self._cursors.span(cursor), self._types.of(cursor)
        if referenced.kind == Cursor.ENUM_CONSTANT:
            return syntax.IntegerConstant(span, type, self._clang.clang_getEnumConstantDeclValue(referenced))
        if referenced.kind == Cursor.PARAMETER:
            type = adjusted(type)
        found = syntax.Reference(span, type, self._cursors.spelling(cursor), self._cursors.symbol(referenced))
        if referenced.kind == Cursor.FUNCTION and found.symbol not in self.declared:
            self.undeclared[found.symbol] = self._undeclared(found, referenced, self._cursors.span(cursor, True))
        return found

    def _undeclared(self, name: syntax.Reference, function: CXCursor, span: Span) -> syntax.FunctionDeclaration:
        """Built-in functions, and those that old programs call without announcing them."""
        if isinstance(name.type, Function):
            return self._declare(function)
        prototype = syntax.Prototype(VOID, (), True, span)
        return syntax.FunctionDeclaration(name.symbol, name.name, prototype.itself, True)

    def _member(self, cursor: CXCursor) -> syntax.Expression:
        field = self._cursors.referenced(cursor)
        name, span = self._types.field_name(field), self._cursors.span(cursor)
        if self._types.shares_memory(field):
            words = "a bit-field, where races are asked about: it shares memory with those beside it"
            return syntax.OtherExpression(span, self._types.of(cursor), words)
        owner = self.read(self._below(cursor)[0])
        record = owner.type.target if isinstance(owner.type, Pointer) else owner.type
        if isinstance(record, Record):
            for step in way_through_nameless(record, name):
                record = inner_record(record, step)
                owner = syntax.Member(span, record, owner, step)
        return syntax.Member(span, self._types.of(cursor), owner, name)

    def _subscript(self, cursor: CXCursor) -> syntax.Expression:
        left, right = [self.read(child) for child in self._below(cursor)]
        if not isinstance(left.type, Pointer | Array):
            left, right = right, left
        return syntax.Subscript(self._cursors.span(cursor), self._types.of(cursor), left, right)

    def _compound_literal(self, cursor: CXCursor) -> syntax.Expression:
        initializer = self.read(self._below(cursor)[-1])
        return syntax.CompoundLiteral(self._cursors.span(cursor), self._types.of(cursor), initializer)

    # Operators

    def _parentheses(self, cursor: CXCursor) -> syntax.Expression:
        return self.read(self._below(cursor)[0])

    def _unary(self, cursor: CXCursor) -> syntax.Expression:
        kind = self._clang.clang_getCursorUnaryOperatorKind(cursor)
        inner = self._below(cursor)[0]
        operand, span = self.read(inner), self._cursors.span(cursor)
        if kind == _EXTENSION:
            return operand
        if kind in _STEPS:
            atomic = self._types.is_atomic(inner)
            return syntax.Step(span, self._value_type(cursor), _STEPS[kind], operand, atomic)
        type = self._types.of(cursor)
        if kind == _ADDRESS:
            return syntax.AddressOf(span, type, operand)
        if kind == _DEREFERENCE:
            return syntax.Dereference(span, type, operand)
        if kind in _UNARY:
            return syntax.Unary(span, type, _UNARY[kind], operand)
        return syntax.OtherExpression(span, type, f"the operator {_COMPLEX.get(kind, kind)}")

    def _binary(self, cursor: CXCursor) -> syntax.Expression:
        spelled = _SPELLED[self._clang.clang_getCursorBinaryOperatorKind(cursor)]
        span, type = self._cursors.span(cursor), self._value_type(cursor)
        left, right = [self.read(child) for child in self._below(cursor)]
        if spelled == "=":
            return syntax.Assignment(span, type, left, right, self._types.is_section(self._below(cursor)[0]))
        if spelled == ",":
            return syntax.Comma(span, type, left, right)
        if spelled in _LOGICAL:
            return syntax.Logical(span, type, _LOGICAL[spelled], left, right)
        if spelled not in _OPERATORS:
            return syntax.OtherExpression(span, type, f"the operator {spelled}")
        return syntax.Binary(span, type, _OPERATORS[spelled], left, right)

    def _compound_assignment(self, cursor: CXCursor) -> syntax.Expression:
        operator = _OPERATORS[_SPELLED[self._clang.clang_getCursorBinaryOperatorKind(cursor)][:-1]]
        target, value = self._below(cursor)
        return syntax.CompoundAssignment(
            self._cursors.span(cursor),
            self._value_type(cursor),
            operator,
            self.read(target),
            self.read(value),
            self._types.is_atomic(target),
        )

    def _conditional(self, cursor: CXCursor) -> syntax.Expression:
        condition, then, otherwise = [self.read(child) for child in self._below(cursor)]
        return syntax.Conditional(self._cursors.span(cursor), self._value_type(cursor), condition, then, otherwise)

    def _call(self, cursor: CXCursor) -> syntax.Expression:
        function, *arguments = [self.read(child) for child in self._below(cursor)]
        span = self._cursors.span(cursor, True)
        return syntax.Call(span, self._value_type(cursor), function, tuple(arguments))

    def _statement_expression(self, cursor: CXCursor) -> syntax.Expression:
        body = self._compound(self._below(cursor)[0])
        return syntax.StatementExpression(self._cursors.span(cursor), self._types.of(cursor), body)

    # Conversions and types

    def _cast(self, cursor: CXCursor) -> syntax.Expression:
        operand = self.read(self._below(cursor)[-1])
        return syntax.Cast(self._cursors.span(cursor), self._value_type(cursor), operand)

    def _size(self, cursor: CXCursor) -> syntax.Expression:
        """What a size is asked of is not evaluated where the size is known, and so not read."""
        span, type, value = self._cursors.span(cursor), self._types.of(cursor), self._cursors.evaluate(cursor)
        below = self._below(cursor) if value is None else []
        return syntax.Size(span, type, value, self.read(below[0]) if below else None)

    def _implicit(self, cursor: CXCursor) -> syntax.Expression:
        """Conversions, and expressions that libclang has no name for."""
        below = self._cursors.children(cursor)
        if len(below) != 1 or self._cursors.begin(below[0]) != self._cursors.begin(cursor):
            return self._unexposed(cursor, below)
        operand, type = self.read(below[0]), self._types.of(cursor)
        if self._types.is_section(below[0]) and not self._types.is_atomic(cursor):
            return syntax.ImplicitConversion(self._cursors.span(cursor), type, operand, atomic=True)
        if operand.type is type:
            return operand  # reading a variable: who asks for its value reads it
        if isinstance(type, Array) and not isinstance(operand.type, Array):
            type = adjusted(type)  # of a parameter that was declared as an array
        return syntax.ImplicitConversion(self._cursors.span(cursor), type, operand)

    def _unexposed(self, cursor: CXCursor, below: list[CXCursor]) -> syntax.Expression:
        type, span = self._types.of(cursor), self._cursors.span(cursor)
        if len(below) == 4 and self._cursors.begin(below[0]) == self._cursors.begin(below[1]):
            return syntax.Elvis(span, type, self.read(below[0]), self.read(below[3]))  # with a three times
        operands = [child for child in below if child.kind >= Cursor.FIRST_EXPRESSION]
        if len(operands) == 1 and self._types.of(operands[0]) is VARIABLE_ARGUMENTS:
            return syntax.VariableArgument(span, type, self.read(operands[0]))
        words = self._cursors.first_words(cursor)
        if words.startswith("__builtin_choose_expr") and len(below) == 3:
            return self.read(below[1] if self._cursors.evaluate(below[0]) else below[2])
        value = self._cursors.evaluate(cursor)
        if value is not None:
            return syntax.IntegerConstant(span, type, value)
        return syntax.OtherExpression(span, type, f"“{words}”")

    def _generic(self, cursor: CXCursor) -> syntax.Expression:
        """libclang does not say which choice is taken, but its type, and its value if that is a constant."""
        span, type = self._cursors.span(cursor), self._types.of(cursor)
        choices = [self.read(child) for child in self._below(cursor)[1:]]
        fitting = [choice for choice in choices if choice.type == type]
        if len(fitting) == 1:
            return fitting[0]
        value = self._cursors.evaluate(cursor)
        if value is not None and isinstance(type, Integer | Truth):
            return syntax.IntegerConstant(span, type, value)
        return syntax.OtherExpression(span, type, "_Generic with several choices of one type")

    # Initialisers

    def _initializer_list(self, cursor: CXCursor) -> syntax.Expression:
        """The list as it is written, without the values that the compiler would fill in."""
        items = [
            self._designated(child) if self._is_designated(child) else self.read(child)
            for child in self._cursors.children(cursor)
        ]
        return syntax.InitializerList(self._cursors.span(cursor), self._types.of(cursor), tuple(items))

    def _is_designated(self, cursor: CXCursor) -> bool:
        """No value in a list is void, but libclang says so of a designator with its value."""
        return cursor.kind == Cursor.UNEXPOSED and self._types.is_void(cursor)

    def _designated(self, cursor: CXCursor) -> syntax.Designated:
        *designators, value = self._cursors.children(cursor)
        following = [*designators[1:], None]
        found = [self._designator(each, following[at]) for at, each in enumerate(designators)]
        return syntax.Designated(self._cursors.span(cursor), tuple(found), self.read(value))

    def _designator(
        self, cursor: CXCursor, following: CXCursor | None
    ) -> syntax.MemberDesignator | syntax.IndexDesignator:
        span = self._cursors.span(cursor)
        if cursor.kind == Cursor.MEMBER_REFERENCE:
            referenced = self._cursors.referenced(cursor)
            known = referenced.kind == Cursor.FIELD
            name = self._types.field_name(referenced) if known else self._cursors.spelling(cursor)
            return syntax.MemberDesignator(span, name)
        value = self._cursors.evaluate(cursor)
        if following is None or following.kind == Cursor.MEMBER_REFERENCE:
            return syntax.IndexDesignator(span, value)
        return syntax.IndexDesignator(span, value, self._between_indices(cursor, following))

    def _between_indices(self, first: CXCursor, second: CXCursor) -> syntax.Following:
        """Whether two indices are a range or index one after the other is only in the text."""
        written = self._cursors.between(first, second)
        between = _QUOTED.sub("", written) if written is not None else ""
        if "..." in between:
            return syntax.Following.END_OF_RANGE
        return syntax.Following.ANOTHER_INDEX if "]" in between else syntax.Following.UNCLEAR
