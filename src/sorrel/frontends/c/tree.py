"""Cursors of libclang to syntax trees, one visit for each cursor."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from ctypes import byref, c_uint, c_void_p
from typing import Any

from sorrel.frontends.c import libclang
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.libclang import CXCursor, CXType, text
from sorrel.frontends.c.literals import code_units
from sorrel.frontends.c.syntax import FunctionDeclaration, Node, NodeKind, Unit, VariableDeclaration
from sorrel.frontends.c.types import (
    TRUTH,
    VOID,
    Array,
    CType,
    Field,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Truth,
    base_element,
)
from sorrel.model.errors import NOWHERE, Span
from sorrel.program.types import Machine

# Kinds of cursors (clang-c/Index.h, enum CXCursorKind).
_STRUCT, _UNION, _ENUM, _FIELD, _ENUM_CONSTANT, _FUNCTION, _VARIABLE, _PARAMETER = 2, 3, 5, 6, 7, 8, 9, 10
_MEMBER_REFERENCE, _GENERIC = 47, 122
_UNEXPOSED_STATEMENT, _COMPOUND_STATEMENT = 200, 202
_UNEXPOSED = 100
_KINDS = {
    2: NodeKind.TYPE,
    3: NodeKind.TYPE,
    5: NodeKind.TYPE,
    8: NodeKind.TYPE,  # a function that a block announces
    9: NodeKind.VARIABLE,
    10: NodeKind.PARAMETER,
    20: NodeKind.TYPE,
    43: NodeKind.TYPE,
    47: NodeKind.DESIGNATOR,
    48: NodeKind.DESIGNATOR,
    100: NodeKind.IMPLICIT,
    101: NodeKind.REFERENCE,
    102: NodeKind.MEMBER,
    103: NodeKind.CALL,
    106: NodeKind.INTEGER,
    107: NodeKind.FLOATING,
    109: NodeKind.STRING,
    110: NodeKind.INTEGER,
    111: NodeKind.PARENTHESES,
    112: NodeKind.UNARY,
    113: NodeKind.SUBSCRIPT,
    114: NodeKind.BINARY,
    115: NodeKind.COMPOUND_ASSIGNMENT,
    116: NodeKind.CONDITIONAL,
    117: NodeKind.CAST,
    118: NodeKind.COMPOUND_LITERAL,
    119: NodeKind.INITIALIZER,
    121: NodeKind.STATEMENT_EXPRESSION,
    136: NodeKind.SIZE,
    201: NodeKind.LABEL,
    202: NodeKind.COMPOUND,
    203: NodeKind.CASE,
    204: NodeKind.DEFAULT,
    205: NodeKind.IF,
    206: NodeKind.SWITCH,
    207: NodeKind.WHILE,
    208: NodeKind.DO,
    209: NodeKind.FOR,
    210: NodeKind.GOTO,
    212: NodeKind.CONTINUE,
    213: NodeKind.BREAK,
    214: NodeKind.RETURN,
    230: NodeKind.NOTHING,
    231: NodeKind.DECLARATION,
    602: NodeKind.TYPE,  # _Static_assert: the compiler has checked it
}
_OTHERS = {
    108: "imaginary numbers",
    120: "address of a label",
    200: "this statement",
    211: "goto to a computed address",
    215: "inline assembly",
}
_LEAVES = frozenset({8, 101, 106, 107, 109, 110, 43, 47, 48, 212, 213, 230, 2, 3, 5, 20, 602})
_WITHOUT_TYPE = frozenset({43, 48, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 212, 213, 214, 230, 231})
_WITH_END = frozenset({9, 103, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 212, 213, 214})

# enum CXBinaryOperatorKind and CXUnaryOperatorKind, whose numbers are positions here.
_BINARY = (
    *(".", "->*", ".*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|"),
    *("&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","),
)
_UNARY = (".", "x++", "x--", "++x", "--x", "&", "*", "+", "-", "~", "!", "__real", "__imag", "__extension__")

_INTEGERS = {  # enum CXTypeKind: rank, bits (0: as long is), signed
    4: (1, 8, False, "char"),
    5: (1, 8, False, "unsigned char"),
    13: (1, 8, True, "char"),
    14: (1, 8, True, "signed char"),
    15: (3, 32, True, "wchar_t"),
    8: (2, 16, False, "unsigned short"),
    16: (2, 16, True, "short"),
    9: (3, 32, False, "unsigned int"),
    17: (3, 32, True, "int"),
    10: (4, 0, False, "unsigned long"),
    18: (4, 0, True, "long"),
    11: (5, 64, False, "unsigned long long"),
    19: (5, 64, True, "long long"),
    12: (6, 128, False, "unsigned __int128"),
    20: (6, 128, True, "__int128"),
}
_FLOATINGS = frozenset({21, 22, 23, 30, 31, 32, 39})
_VOID = 2
_ATOMIC = 177
_POINTER, _RECORD, _ENUMERATION, _TYPEDEF, _ELABORATED = 101, 105, 106, 107, 119
_PROTOTYPE = 111
_FUNCTIONS, _ARRAYS = frozenset({110, _PROTOTYPE}), frozenset({112, 114, 115})
_INTERNAL_LINKAGE = 2
_EXTERNAL_LINKAGE = 4
_STORAGE_STATIC = 3
_TERSE = 17  # enum CXPrintingPolicyProperty: declarations without their bodies
_NEVER_RETURNS = re.compile(r"\b_Noreturn\b|\[\[(\w+::)?_*[nN]oreturn_*\]\]")
_ATTRIBUTE = "__attribute__((noreturn))"
_ANY_ATTRIBUTE, _LABEL_ATTRIBUTE = 400, 407
_WITH_EFFECT = re.compile(
    r"(?:__attribute__\(\(|\[\[(?:\w+::)?)_*(constructor|destructor|cleanup|alias|ifunc|weakref)_*\b"
)
_QUOTED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', re.DOTALL)


# No array comes out of these: it is a pointer by then.
_COMPUTED = frozenset(
    {NodeKind.BINARY, NodeKind.COMPOUND_ASSIGNMENT, NodeKind.CONDITIONAL, NodeKind.CALL, NodeKind.CAST}
)
_STEPS = frozenset({"x++", "x--", "++x", "--x"})


class TreeReader:
    """One translation unit; types and file names are read once each."""

    def __init__(self, unit: int, long_bits: int, names: Callable[[str], str], symbols: Callable[[int], int]) -> None:
        """`names` gives the name that messages use for a file; `symbols` a number that no other unit uses."""
        self._clang: Any = libclang.library()
        self._unit = unit
        self._long_bits = long_bits
        self._names = names
        self._symbols = symbols
        self._types: dict[int, CType] = {}
        self._atomic: set[int] = set()  # types by their key
        self._records: dict[int, Record] = {}
        self._field_names: dict[int, str] = {}
        self._files: dict[int | None, str] = {}
        self._bodies: dict[int, CXCursor] = {}
        self._functions: dict[int, CXCursor] = {}
        self._labels: dict[str, list[CXCursor]] = {}  # names for the assembler, and what has them
        self._declared: set[int] = set()
        self.has_volatile = False
        self.undeclared: dict[int, FunctionDeclaration] = {}
        self._file, self._line, self._column, self._offset = c_void_p(), c_uint(), c_uint(), c_uint()
        # One callback for all visits: making one takes longer than a visit.
        self._found: list[CXCursor] = []
        self._visitor = libclang.VISITOR(self._visit)
        self._spans: dict[tuple[int, int], Span] = {}
        self._out = (byref(self._file), byref(self._line), byref(self._column), byref(self._offset))

    # Declarations

    def declarations(self, name: str) -> Unit:
        """What the unit declares; bodies and initialisers are read when asked for, most of what is included never."""
        unit = Unit(name)
        for cursor in self._children(self._clang.clang_getTranslationUnitCursor(self._unit)):
            if cursor.kind == _FUNCTION:
                unit.functions.append(self._function(cursor))
                self._declared.add(unit.functions[-1].symbol)
            elif cursor.kind == _VARIABLE:
                unit.variables.append(self._variable(cursor))
        self._demand_own_names(unit)
        return unit

    def body(self, function: FunctionDeclaration) -> Node | None:
        """The function's body, if this declaration has one."""
        if function.body is None and (cursor := self._bodies.get(id(function))) is not None:
            function.body = self.node(cursor)
        return function.body

    def initializer(self, variable: VariableDeclaration) -> Node | None:
        if variable.initializer is None and (cursor := self._bodies.get(id(variable))) is not None:
            variable.initializer = self.node(cursor)
        return variable.initializer

    def has_body(self, function: FunctionDeclaration) -> bool:
        return id(function) in self._bodies

    def _function(self, cursor: CXCursor) -> FunctionDeclaration:
        children = self._children(cursor)
        self._demand_plain(cursor, children)
        type = self.type(self._clang.clang_getCursorType(cursor))
        if not isinstance(type, Function):
            raise Unsupported("this type of a function", self._span(cursor, True))
        function = FunctionDeclaration(
            symbol=self._symbol(cursor),
            name=text(self._clang.clang_getCursorSpelling(cursor)),
            result=type.result,
            parameters=tuple(self._parameter(each) for each in self._parameters(cursor)),
            variadic=type.variadic,
            span=self._span(cursor, True),
            external=self._clang.clang_getCursorLinkage(cursor) == _EXTERNAL_LINKAGE,
            system=bool(self._clang.clang_Location_isInSystemHeader(self._clang.clang_getCursorLocation(cursor))),
        )
        self._functions[id(function)] = cursor
        body = next((child for child in children if child.kind == _COMPOUND_STATEMENT), None)
        if body is not None:
            self._bodies[id(function)] = body
        return function

    def never_returns(self, function: FunctionDeclaration) -> bool:
        """Whether this declaration says so: as a specifier, as an attribute, or in its type."""
        cursor = self._functions.get(id(function))
        if cursor is None:
            return False
        type = self._clang.clang_getCursorType(cursor)
        result = self._clang.clang_getResultType(type)
        own, returned = (text(self._clang.clang_getTypeSpelling(each)) for each in (type, result))
        if own.endswith(_ATTRIBUTE) and not returned.endswith(_ATTRIBUTE):
            return True
        return _NEVER_RETURNS.search(self._written_out(cursor)) is not None

    def _written_out(self, cursor: CXCursor) -> str:
        """A declaration without its body, macros expanded."""
        policy = self._clang.clang_getCursorPrintingPolicy(cursor)
        self._clang.clang_PrintingPolicy_setProperty(policy, _TERSE, 1)
        written = text(self._clang.clang_getCursorPrettyPrinted(cursor, policy))
        self._clang.clang_PrintingPolicy_dispose(policy)
        return written

    def _demand_plain(self, cursor: CXCursor, children: Sequence[CXCursor]) -> None:
        """No attribute that has code run where no call stands, or that gives one object a second name."""
        if any(child.kind == _ANY_ATTRIBUTE for child in children):
            found = _WITH_EFFECT.search(self._written_out(cursor))
            if found is not None:
                raise Unsupported(f"the attribute {found[1]}", self._span(cursor, True))
        for label in (child for child in children if child.kind == _LABEL_ATTRIBUTE):
            self._labels.setdefault(_spelling(label), []).append(cursor)

    def _demand_own_names(self, unit: Unit) -> None:
        """No name for the assembler is that of something else in the program, or stands for what is defined here."""
        defined = {each.name for each in unit.functions if self.has_body(each)}
        defined |= {each.name for each in unit.variables if each.defined}
        for label, cursors in self._labels.items():
            for cursor in cursors:
                name = _spelling(cursor)
                if name != label and (label in defined or name in defined):
                    raise Unsupported(f"the name {label} for {name}", self._span(cursor, True))

    def _parameters(self, cursor: CXCursor) -> list[CXCursor]:
        """Its own: among the children of a declaration are also those of a function that it returns a pointer to."""
        count = self._clang.clang_Cursor_getNumArguments(cursor)
        return [self._clang.clang_Cursor_getArgument(cursor, position) for position in range(max(0, count))]

    def _parameter(self, cursor: CXCursor) -> VariableDeclaration:
        declared = self._clang.clang_getCursorType(cursor)
        type = self.type(declared)
        spelling = text(self._clang.clang_getCursorSpelling(cursor))
        found = VariableDeclaration(
            self._symbol(cursor), spelling, adjusted(type), self._span(cursor, True), False, True
        )
        if isinstance(type, Array) and "[static" in text(self._clang.clang_getTypeSpelling(declared)):
            found.promised = max(1, type.length or 1)
        return found

    def _note_volatile(self, cursor: CXCursor) -> None:
        type = self._clang.clang_getCursorType(cursor)
        self.has_volatile |= bool(self._clang.clang_isVolatileQualifiedType(type))

    def _variable(self, cursor: CXCursor) -> VariableDeclaration:
        self._note_volatile(cursor)
        self._demand_plain(cursor, self._children(cursor))
        variable = VariableDeclaration(
            symbol=self._symbol(cursor),
            name=text(self._clang.clang_getCursorSpelling(cursor)),
            type=self.type(self._clang.clang_getCursorType(cursor)),
            span=self._span(cursor, True),
            external=self._clang.clang_getCursorLinkage(cursor) == _EXTERNAL_LINKAGE,
            defined=bool(self._clang.clang_Cursor_getStorageClass(cursor) != 2),
            constant=self._is_constant(cursor),
        )
        initializer = self._clang.clang_Cursor_getVarDeclInitializer(cursor)
        if initializer.kind >= 100:
            self._bodies[id(variable)] = initializer
            variable.defined = True
        return variable

    def _is_constant(self, cursor: CXCursor) -> bool:
        """Whether a variable is const, or an array of what is."""
        type = self._clang.clang_getCanonicalType(self._clang.clang_getCursorType(cursor))
        while type.kind in _ARRAYS and not self._clang.clang_isConstQualifiedType(type):
            type = self._clang.clang_getCanonicalType(self._clang.clang_getArrayElementType(type))
        return bool(self._clang.clang_isConstQualifiedType(type))

    # Nodes

    def node(self, cursor: CXCursor) -> Node:
        kind = cursor.kind
        if kind == _UNEXPOSED:
            return self._implicit(cursor)
        if kind == _GENERIC:
            return self._generic(cursor)
        if kind == _UNEXPOSED_STATEMENT and len(inner := self._children(cursor)) == 1:
            return self.node(inner[0])  # a statement with an attribute
        node = Node(_KINDS.get(kind, NodeKind.OTHER), span=self._span(cursor, kind in _WITH_END))
        if kind not in _WITHOUT_TYPE:
            type = self._clang.clang_getCursorType(cursor)
            node.type = self.type(type)
            node.atomic = type.pointer in self._atomic
        fill = _FILL.get(kind)
        if fill is not None:
            fill(self, node, cursor)
        elif node.kind is NodeKind.OTHER:
            node.spelling = _OTHERS.get(kind) or f"“{self._first_line(cursor)}”"
        elif kind not in _LEAVES:
            node.children = self._nodes(self._children(cursor))
        if isinstance(node.type, Array) and (node.kind in _COMPUTED or node.operator in _STEPS):
            node.type = adjusted(node.type)  # libclang tells the type that a parameter was declared with
        return node.children[0] if node.operator == "__extension__" else node

    def _implicit(self, cursor: CXCursor) -> Node:
        """Conversions, and expressions that libclang has no name for."""
        below = self._children(cursor)
        if len(below) != 1 or self._begin(below[0]) != self._begin(cursor):
            return self._unexposed(cursor, below)
        children = self._nodes(below)
        type = self.type(self._clang.clang_getCursorType(cursor))
        if len(children) == 1 and children[0].type is type:
            return children[0]  # reading a variable: who asks for its value reads it
        node = Node(NodeKind.IMPLICIT, type, self._span(cursor, False), children)
        self._fill_implicit(node, cursor)
        return node

    def _unexposed(self, cursor: CXCursor, below: list[CXCursor]) -> Node:
        type, span = self.type(self._clang.clang_getCursorType(cursor)), self._span(cursor, False)
        if len(below) == 4 and self._begin(below[0]) == self._begin(below[1]):
            return Node(NodeKind.IMPLICIT, type, span, self._nodes(below))  # a ?: b, with a three times
        words = self._first_line(cursor)
        if words.startswith("__builtin_choose_expr") and len(below) == 3:
            return self.node(below[1] if self._evaluate(below[0]) else below[2])
        value = self._evaluate(cursor)
        if value is not None:
            return Node(NodeKind.INTEGER, type, span, value=value)
        return Node(NodeKind.OTHER, type, span, spelling=f"“{words}”")

    def _generic(self, cursor: CXCursor) -> Node:
        """libclang does not say which choice is taken, but its type, and its value if that is a constant."""
        span, type = self._span(cursor, False), self.type(self._clang.clang_getCursorType(cursor))
        choices = self._nodes(self._children(cursor)[1:])
        fitting = [choice for choice in choices if choice.type == type]
        if len(fitting) == 1:
            return fitting[0]
        value = self._evaluate(cursor)
        if value is not None and isinstance(type, Integer | Truth):
            return Node(NodeKind.INTEGER, type, span, value=value)
        return Node(NodeKind.OTHER, type, span, spelling="_Generic with several choices of one type")

    def _begin(self, cursor: CXCursor) -> int:
        return int(self._clang.clang_getCursorExtent(cursor).begin)

    def _nodes(self, cursors: list[CXCursor]) -> tuple[Node, ...]:
        # A comprehension keeps deep nesting on Python's own stack, which grows; a generator would use the machine's.
        return tuple([self.node(cursor) for cursor in cursors])

    def _fill_type(self, node: Node, cursor: CXCursor) -> None:
        """What a declaration without a variable gives names to: a type, the constants of an enumeration."""
        if cursor.kind == _ENUM:
            constants = (each for each in self._children(cursor) if each.kind == _ENUM_CONSTANT)
            names = (text(self._clang.clang_getCursorSpelling(each)) for each in constants)
            node.children = tuple(Node(NodeKind.TYPE, span=node.span, spelling=name) for name in names)
        else:
            node.spelling = text(self._clang.clang_getCursorSpelling(cursor))

    def _fill_variable(self, node: Node, cursor: CXCursor) -> None:
        self._note_volatile(cursor)
        children = self._children(cursor)
        self._demand_plain(cursor, children)
        node.symbol = self._symbol(cursor)
        node.spelling = text(self._clang.clang_getCursorSpelling(cursor))
        node.static = self._clang.clang_Cursor_getStorageClass(cursor) == _STORAGE_STATIC
        node.constant = node.static and self._is_constant(cursor)
        if self._clang.clang_Cursor_getStorageClass(cursor) == 2:
            node.operator = "extern"
        initializer = self._clang.clang_Cursor_getVarDeclInitializer(cursor)
        has_initializer = initializer.kind >= 100
        if has_initializer:
            node.initializer = self.node(initializer)
        if _runtime_length(node.type):
            expressions = [child for child in children if child.kind >= 100 and child.kind < 200]
            sizes = expressions[:-1] if has_initializer else expressions
            node.sizes = self._nodes(sizes[::-1])

    def _fill_reference(self, node: Node, cursor: CXCursor) -> None:
        referenced = self._clang.clang_getCursorReferenced(cursor)
        if referenced.kind == _ENUM_CONSTANT:
            node.kind = NodeKind.INTEGER
            node.value = self._clang.clang_getEnumConstantDeclValue(referenced)
            return
        node.symbol = self._symbol(referenced)
        node.spelling = text(self._clang.clang_getCursorSpelling(cursor))
        if referenced.kind == _PARAMETER:
            node.type = adjusted(node.type)
        if referenced.kind == _FUNCTION and node.symbol not in self._declared:
            # Built-in functions, and those that old programs call without announcing them.
            function = self._function(referenced) if isinstance(node.type, Function) else None
            span = self._span(cursor, True)
            self.undeclared[node.symbol] = function or FunctionDeclaration(
                node.symbol, node.spelling, VOID, (), True, span, True
            )

    def _fill_literal(self, node: Node, cursor: CXCursor) -> None:
        node.value = self._evaluate(cursor)
        if node.value is None:
            node.kind, node.spelling = NodeKind.OTHER, "this number"

    def _fill_size(self, node: Node, cursor: CXCursor) -> None:
        node.value = self._evaluate(cursor)
        node.children = self._nodes(self._children(cursor))

    def _fill_string(self, node: Node, cursor: CXCursor) -> None:
        element = base_element(node.type)
        bits = element.machine.bits if isinstance(element, Integer) else 8
        characters = code_units(text(self._clang.clang_getCursorSpelling(cursor)), bits)
        if characters is None:
            node.kind, node.spelling = NodeKind.OTHER, "this string"
        node.characters = characters or ()

    def _fill_member(self, node: Node, cursor: CXCursor) -> None:
        node.spelling = self._field_name(self._clang.clang_getCursorReferenced(cursor))
        node.children = self._nodes([child for child in self._children(cursor) if child.kind >= 100])
        owner = node.children[0].type
        record = owner.target if isinstance(owner, Pointer) else owner
        if isinstance(record, Record):
            for name in _way_through_nameless(record, node.spelling):
                inner = Node(NodeKind.MEMBER, record.field_type(name), node.span, node.children, name)
                record, node.children = inner.type, (inner,)
                assert isinstance(record, Record)

    def _fill_initializer(self, node: Node, cursor: CXCursor) -> None:
        """The list as it is written, without the values that the compiler would fill in."""
        children = self._children(cursor)
        node.children = tuple([self._designated(c) if self._is_designated(c) else self.node(c) for c in children])

    def _is_designated(self, cursor: CXCursor) -> bool:
        """No value in a list is void, but libclang says so of a designator with its value."""
        return cursor.kind == _UNEXPOSED and bool(self._clang.clang_getCursorType(cursor).kind == _VOID)

    def _designated(self, cursor: CXCursor) -> Node:
        *designators, value = self._children(cursor)
        following = [*designators[1:], None]
        found = [self._designator(each, following[at]) for at, each in enumerate(designators)]
        return Node(NodeKind.DESIGNATED, span=self._span(cursor, False), children=(*found, self.node(value)))

    def _designator(self, cursor: CXCursor, following: CXCursor | None) -> Node:
        if cursor.kind == _MEMBER_REFERENCE:
            return self.node(cursor)
        node = Node(NodeKind.DESIGNATOR, span=self._span(cursor, False), value=self._evaluate(cursor))
        if following is not None and following.kind != _MEMBER_REFERENCE:
            node.operator = self._between_indices(cursor, following)
        return node

    def _between_indices(self, first: CXCursor, second: CXCursor) -> str:
        """Whether two indices are a range or index one after the other is only in the text; macros can hide it."""
        begin, end = (self._written_at(cursor) for cursor in (first, second))
        if begin[0] != end[0] or begin[1] >= end[1]:
            return "?"
        size = ctypes.c_size_t()
        content = self._clang.clang_getFileContents(self._unit, begin[0], byref(size)) or b""
        between = _QUOTED.sub("", content[begin[1] : end[1]].decode("utf-8", "replace"))
        return "..." if "..." in between else "][" if "]" in between else "?"

    def _written_at(self, cursor: CXCursor) -> tuple[int | None, int]:
        start = self._clang.clang_getRangeStart(self._clang.clang_getCursorExtent(cursor))
        self._clang.clang_getSpellingLocation(start, *self._out)
        return self._file.value, self._offset.value

    def _fill_designator(self, node: Node, cursor: CXCursor) -> None:
        referenced = self._clang.clang_getCursorReferenced(cursor)
        node.spelling = self._field_name(referenced) if referenced.kind == _FIELD else _spelling(cursor)

    def _fill_binary(self, node: Node, cursor: CXCursor) -> None:
        node.operator = _BINARY[self._clang.clang_getCursorBinaryOperatorKind(cursor)]
        node.children = self._nodes(self._children(cursor))

    def _fill_unary(self, node: Node, cursor: CXCursor) -> None:
        node.operator = _UNARY[self._clang.clang_getCursorUnaryOperatorKind(cursor)]
        node.children = self._nodes(self._children(cursor))

    def _fill_named(self, node: Node, cursor: CXCursor) -> None:
        node.spelling = text(self._clang.clang_getCursorSpelling(cursor))
        node.children = self._nodes(self._children(cursor))

    def _fill_implicit(self, node: Node, cursor: CXCursor) -> None:
        if isinstance(node.type, Array) and len(node.children) == 1 and not isinstance(node.children[0].type, Array):
            node.type = adjusted(node.type)  # of a parameter that was declared as an array

    def _fill_parentheses(self, node: Node, cursor: CXCursor) -> None:
        node.children = self._nodes(self._children(cursor))
        if len(node.children) == 1:
            node.type = node.children[0].type

    def _fill_for(self, node: Node, cursor: CXCursor) -> None:
        """libclang leaves out the parts that are missing: where the semicolons stand tells which ones those are."""
        children = self._children(cursor)
        parts: list[Node] = [Node(NodeKind.NOTHING, span=node.span) for _ in range(3)]
        if len(children) == 4:
            parts = [self.node(child) for child in children[:3]]
        elif len(children) > 1:
            semicolons = self._semicolons(cursor)
            for child in children[:-1]:
                start = self._start_offset(child)
                parts[sum(semicolon <= start for semicolon in semicolons)] = self.node(child)
        node.children = (*parts, self.node(children[-1]))

    def _semicolons(self, cursor: CXCursor) -> tuple[int, int]:
        """Offsets of the two semicolons in the head of a `for`."""
        tokens, count = ctypes.POINTER(libclang.CXToken)(), c_uint()
        self._clang.clang_tokenize(self._unit, self._clang.clang_getCursorExtent(cursor), byref(tokens), byref(count))
        depth, found = 0, []
        for position in range(count.value):
            spelling = text(self._clang.clang_getTokenSpelling(self._unit, tokens[position]))
            depth += (spelling in ("(", "{", "[")) - (spelling in (")", "}", "]"))
            if spelling == ";" and depth == 1:
                self._locate(self._clang.clang_getTokenLocation(self._unit, tokens[position]))
                found.append(self._offset.value)
            if len(found) == 2:
                break
        self._clang.clang_disposeTokens(self._unit, tokens, count)
        if len(found) != 2:
            raise Unsupported("a for statement whose head is made by a macro", self._span(cursor, False))
        return found[0], found[1]

    # Types

    def type(self, type: CXType) -> CType:
        key = type.pointer
        known = self._types.get(key)
        if known is None:
            known = self._types[key] = self._translate(type)
        return known

    def _translate(self, type: CXType) -> CType:
        clang = self._clang
        canonical = clang.clang_getCanonicalType(type)
        kind = canonical.kind
        if kind in _INTEGERS:
            rank, bits, signed, spelling = _INTEGERS[kind]
            return Integer(Machine(bits or self._long_bits, signed), rank, spelling)
        if kind == _VOID:
            return VOID
        if kind == 3:
            return TRUTH
        if kind == _POINTER:
            target = clang.clang_getPointeeType(canonical)
            return Pointer(self.type(target), bool(clang.clang_isConstQualifiedType(target)))
        if kind == _ATOMIC:
            self._atomic.add(type.pointer)
            return self.type(clang.clang_Type_getValueType(canonical))
        if kind in _ARRAYS:
            length = clang.clang_getArraySize(canonical)
            element = self.type(clang.clang_getArrayElementType(canonical))
            return Array(element, length if kind == 112 else None)
        if kind == _RECORD:
            return self._record(clang.clang_getTypeDeclaration(canonical), canonical)
        if kind == _ENUMERATION:
            declaration = clang.clang_getTypeDeclaration(canonical)
            return self.type(clang.clang_getEnumDeclIntegerType(declaration))
        if kind in _FUNCTIONS:
            count = max(0, clang.clang_getNumArgTypes(canonical))
            parameters = tuple(self.type(clang.clang_getArgType(canonical, position)) for position in range(count))
            variadic = kind == _PROTOTYPE and bool(clang.clang_isFunctionTypeVariadic(canonical))
            return Function(self.type(clang.clang_getResultType(canonical)), parameters, variadic)
        # Complex numbers and vectors are as opaque as floating-point numbers are.
        return Floating(text(clang.clang_getTypeSpelling(type))) if kind else VOID

    def _record(self, declaration: CXCursor, type: CXType) -> Record:
        key = declaration.pointer
        known = self._records.get(key)
        if known is None:
            name = text(self._clang.clang_getTypeSpelling(type))
            known = self._records[key] = Record(name, declaration.kind == _UNION, span=self._span(declaration, False))
            fields = self._fields(type)
            for position, cursor in enumerate(fields):
                spelling = _spelling(cursor)
                named = bool(spelling) and "(" not in spelling
                self._field_names[cursor.pointer] = spelling if named else f".{position}th"
            known.fields = tuple(self._field(cursor) for cursor in fields if not self._is_padding(cursor))
            known.size = max(0, self._clang.clang_Type_getSizeOf(type))
            known.complete = bool(fields) or known.size > 0
        return known

    def _field(self, cursor: CXCursor) -> Field:
        bits = max(0, self._clang.clang_Cursor_getOffsetOfField(cursor))
        return Field(self._field_name(cursor), self._field_type(cursor), bits // 8)

    def _fields(self, type: CXType) -> list[CXCursor]:
        """All of them: among the children of a declaration, members without a name are missing."""
        found: list[CXCursor] = []

        def visit(field: CXCursor, _data: object) -> int:
            found.append(field)
            return libclang.CONTINUE

        self._clang.clang_Type_visitFields(type, libclang.FIELD_VISITOR(visit), None)
        return found

    def _is_padding(self, cursor: CXCursor) -> bool:
        """A bit-field without a name: no member, nothing initialises it."""
        return self._clang.clang_getFieldDeclBitWidth(cursor) >= 0 and not _spelling(cursor)

    def _field_type(self, cursor: CXCursor) -> CType:
        self._note_volatile(cursor)
        type = self.type(self._clang.clang_getCursorType(cursor))
        bits = self._clang.clang_getFieldDeclBitWidth(cursor)
        if bits > 0 and isinstance(type, Integer):
            # Ranked below every other type: bit-fields promote to int if that holds them.
            return Integer(Machine(bits, type.machine.signed), 0 if bits <= 32 else type.rank, f"{type}:{bits}")
        return type

    def _field_name(self, cursor: CXCursor) -> str:
        """A member without a name is called by its position in the record, as nothing that a program names can be."""
        name = self._field_names.get(cursor.pointer)
        if name is None:
            self.type(self._clang.clang_getCursorType(self._clang.clang_getCursorSemanticParent(cursor)))
            name = self._field_names[cursor.pointer]
        return name

    @property
    def records(self) -> list[Record]:
        """All that were met so far."""
        return list(self._records.values())

    # The library's odds and ends

    def _children(self, cursor: CXCursor) -> list[CXCursor]:
        found = self._found = []
        self._clang.clang_visitChildren(cursor, self._visitor, None)
        return found

    def _visit(self, child: CXCursor, _parent: CXCursor, _data: object) -> int:
        self._found.append(child)
        return libclang.CONTINUE

    def _symbol(self, cursor: CXCursor) -> int:
        return self._symbols(self._clang.clang_getCanonicalCursor(cursor).pointer or 0)

    def _evaluate(self, cursor: CXCursor) -> int | None:
        result = self._clang.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        value: int | None = None
        if self._clang.clang_EvalResult_getKind(result) == 1:
            unsigned = self._clang.clang_EvalResult_isUnsignedInt(result)
            value = (
                self._clang.clang_EvalResult_getAsUnsigned(result)
                if unsigned
                else self._clang.clang_EvalResult_getAsLongLong(result)
            )
        self._clang.clang_EvalResult_dispose(result)
        return value

    def _locate(self, location: libclang.CXSourceLocation) -> None:
        self._clang.clang_getExpansionLocation(location, *self._out)

    def _start_offset(self, cursor: CXCursor) -> int:
        self._locate(self._clang.clang_getRangeStart(self._clang.clang_getCursorExtent(cursor)))
        return self._offset.value

    def _span(self, cursor: CXCursor, with_end: bool) -> Span:
        extent = self._clang.clang_getCursorExtent(cursor)
        key = (extent.begin, extent.end if with_end else 0)
        known = self._spans.get(key)
        if known is None:
            known = self._spans[key] = self._new_span(extent, with_end)
        return known

    def _new_span(self, extent: libclang.CXSourceRange, with_end: bool) -> Span:
        self._locate(self._clang.clang_getRangeStart(extent))
        file, line, column = self._file.value, self._line.value, self._column.value
        if not line:
            return NOWHERE
        name = self._files.get(file)
        if name is None:
            name = self._files[file] = self._names(text(self._clang.clang_getFileName(file)))
        if not with_end:
            return Span(name, line, column)
        self._locate(self._clang.clang_getRangeEnd(extent))
        return Span(name, line, column, self._line.value, self._column.value)

    def _first_line(self, cursor: CXCursor) -> str:
        """The cursor's own words, for messages about what is not known."""
        tokens, count = ctypes.POINTER(libclang.CXToken)(), c_uint()
        self._clang.clang_tokenize(self._unit, self._clang.clang_getCursorExtent(cursor), byref(tokens), byref(count))
        words = [
            text(self._clang.clang_getTokenSpelling(self._unit, tokens[position]))
            for position in range(min(count.value, 8))
        ]
        self._clang.clang_disposeTokens(self._unit, tokens, count)
        return " ".join(words) + (" …" if count.value > 8 else "")


def adjusted(type: CType) -> CType:
    """A parameter's type: arrays and functions arrive as pointers."""
    if isinstance(type, Array):
        return Pointer(type.element)
    return Pointer(type) if isinstance(type, Function) else type


def _way_through_nameless(record: Record, name: str) -> list[str]:
    """The members without a name that lead to a field; empty if it is the record's own."""
    if any(field.name == name for field in record.fields):
        return []
    for field in record.fields:
        if field.name.startswith(".") and isinstance(field.type, Record):
            inner = _way_through_nameless(field.type, name)
            if inner or any(each.name == name for each in field.type.fields):
                return [field.name, *inner]
    return []


def _runtime_length(type: CType) -> bool:
    while isinstance(type, Array):
        if type.length is None:
            return True
        type = type.element
    return False


def _spelling(cursor: CXCursor) -> str:
    return text(libclang.library().clang_getCursorSpelling(cursor))


_FILL: dict[int, Callable[[TreeReader, Node, CXCursor], None]] = {
    _ENUM: TreeReader._fill_type,
    _VARIABLE: TreeReader._fill_variable,
    20: TreeReader._fill_type,
    47: TreeReader._fill_designator,
    48: TreeReader._fill_designator,
    101: TreeReader._fill_reference,
    102: TreeReader._fill_member,
    106: TreeReader._fill_literal,
    109: TreeReader._fill_string,
    110: TreeReader._fill_literal,
    111: TreeReader._fill_parentheses,
    112: TreeReader._fill_unary,
    114: TreeReader._fill_binary,
    115: TreeReader._fill_binary,
    119: TreeReader._fill_initializer,
    136: TreeReader._fill_size,
    201: TreeReader._fill_named,
    209: TreeReader._fill_for,
}
