"""Types of libclang to types of ours; records and their members."""

from __future__ import annotations

from sorrel.frontends.c.parsing.cursors import Cursors
from sorrel.frontends.c.parsing.kinds import Cursor
from sorrel.frontends.c.parsing.libclang import CXCursor, CXType, text
from sorrel.frontends.c.types import (
    TRUTH,
    VARIABLE_ARGUMENTS,
    VOID,
    Array,
    CType,
    Field,
    Floating,
    Function,
    Ieee,
    Integer,
    Pointer,
    Record,
)
from sorrel.model.errors import InternalError
from sorrel.program.types import DOUBLE, SINGLE, Machine

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
_VOID, _TRUTH, _POINTER, _RECORD, _ENUMERATION, _ATOMIC = 2, 3, 101, 105, 106, 177
_IEEE = {21: SINGLE, 22: DOUBLE}
_PROTOTYPE, _CONSTANT_ARRAY = 111, 112
_ARGUMENT_LISTS = frozenset({"va_list", "__builtin_va_list", "__gnuc_va_list"})
_FUNCTIONS, _ARRAYS = frozenset({110, _PROTOTYPE}), frozenset({_CONSTANT_ARRAY, 114, 115})


class TypeReader:
    """Each type is read once: equal types that libclang keeps as one are one object."""

    def __init__(self, cursors: Cursors, long_bits: int, sections: bool) -> None:
        self._cursors = cursors
        self._sections = sections
        self._clang = cursors.clang
        self._long_bits = long_bits
        self._types: dict[int, CType] = {}
        self._atomic: set[int] = set()  # types by their key
        self._records: dict[int, Record] = {}
        self.declarations: dict[int, bytes] = {}  # of records, by id: their cursors, for `record_at`
        self._field_names: dict[int, str] = {}
        self.has_volatile = False

    @property
    def records(self) -> list[Record]:
        """All that were met so far."""
        return list(self._records.values())

    def record_at(self, cursor: bytes) -> Record:
        """The one with this declaration."""
        declaration = CXCursor.from_buffer_copy(cursor)
        return self._record(declaration, self._clang.clang_getCanonicalType(self._cursors.type(declaration)))

    def of(self, cursor: CXCursor) -> CType:
        """The type of what the cursor is."""
        return self.type(self._cursors.type(cursor))

    def is_atomic(self, cursor: CXCursor) -> bool:
        """Whether it is read and written as a whole, whatever other threads do."""
        type = self._cursors.type(cursor)
        self.type(type)
        return type.pointer in self._atomic

    def is_section(self, cursor: CXCursor) -> bool:
        """Whether accesses to it are atomic sections: those to pointers always, since they are kept in parts."""
        return self.is_atomic(cursor) and (self._sections or isinstance(self.of(cursor), Pointer | Record))

    def shares_memory(self, field: CXCursor) -> bool:
        """Whether accesses to others are accesses to it, of which no access tells."""
        return self._sections and bool(self._clang.clang_getFieldDeclBitWidth(field) >= 0)

    def is_void(self, cursor: CXCursor) -> bool:
        return bool(self._cursors.type(cursor).kind == _VOID)

    def is_constant(self, cursor: CXCursor) -> bool:
        """Whether a variable is const, or an array of what is."""
        type = self._clang.clang_getCanonicalType(self._cursors.type(cursor))
        while type.kind in _ARRAYS and not self._clang.clang_isConstQualifiedType(type):
            type = self._clang.clang_getCanonicalType(self._clang.clang_getArrayElementType(type))
        return bool(self._clang.clang_isConstQualifiedType(type))

    def note_volatile(self, cursor: CXCursor) -> None:
        self.has_volatile |= self._cursors.is_volatile(cursor)

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
        if self._is_argument_list(type, canonical):
            return VARIABLE_ARGUMENTS
        if kind in _INTEGERS:
            rank, bits, signed, spelling = _INTEGERS[kind]
            return Integer(Machine(bits or self._long_bits, signed), rank, spelling)
        if kind == _VOID:
            return VOID
        if kind == _TRUTH:
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
            return Array(element, length if kind == _CONSTANT_ARRAY else None)
        if kind == _RECORD:
            return self._record(clang.clang_getTypeDeclaration(canonical), canonical)
        if kind == _ENUMERATION:
            declaration = clang.clang_getTypeDeclaration(canonical)
            return self.type(clang.clang_getEnumDeclIntegerType(declaration))
        if kind in _FUNCTIONS:
            return self._function(canonical, kind)
        if kind in _IEEE and self._long_bits == 64:  # ILP32 machines may compute with more precision than they store
            return Ieee(_IEEE[kind])
        # Long doubles, complex numbers and vectors are as opaque as floating-point numbers are.
        return Floating(text(clang.clang_getTypeSpelling(type))) if kind else VOID

    def _is_argument_list(self, type: CXType, canonical: CXType) -> bool:
        """`va_list`, by what machines make of it: an array of one structure, which parameters point to, or `char *`."""
        if canonical.kind not in (_POINTER, _CONSTANT_ARRAY):
            return False
        written = text(self._clang.clang_getTypeSpelling(canonical))
        if written == "char *":
            return type.kind != _POINTER and text(self._clang.clang_getTypeSpelling(type)) in _ARGUMENT_LISTS
        return written in ("struct __va_list_tag *", "struct __va_list_tag[1]")

    def _function(self, canonical: CXType, kind: int) -> Function:
        clang = self._clang
        count = max(0, clang.clang_getNumArgTypes(canonical))
        parameters = tuple(self.type(clang.clang_getArgType(canonical, position)) for position in range(count))
        variadic = kind == _PROTOTYPE and bool(clang.clang_isFunctionTypeVariadic(canonical))
        return Function(self.type(clang.clang_getResultType(canonical)), parameters, variadic)

    # Records

    def _record(self, declaration: CXCursor, type: CXType) -> Record:
        key = declaration.pointer
        known = self._records.get(key)
        if known is None:
            name = text(self._clang.clang_getTypeSpelling(type))
            union, span = declaration.kind == Cursor.UNION, self._cursors.span(declaration)
            known = self._records[key] = Record(name, union, span=span)
            self.declarations[id(known)] = bytes(declaration)
            fields = self._cursors.fields(type)
            for position, cursor in enumerate(fields):
                spelling = self._cursors.spelling(cursor)
                named = bool(spelling) and "(" not in spelling
                self._field_names[cursor.pointer] = spelling if named else f".{position}th"
            known.fields = tuple(self._field(cursor) for cursor in fields if not self._is_padding(cursor))
            known.size = max(0, self._clang.clang_Type_getSizeOf(type))
            known.complete = bool(fields) or known.size > 0
        return known

    def _field(self, cursor: CXCursor) -> Field:
        bits = max(0, self._clang.clang_Cursor_getOffsetOfField(cursor))
        return Field(self.field_name(cursor), self._field_type(cursor), bits // 8)

    def _is_padding(self, cursor: CXCursor) -> bool:
        """A bit-field without a name: no member, nothing initialises it."""
        return self._clang.clang_getFieldDeclBitWidth(cursor) >= 0 and not self._cursors.spelling(cursor)

    def _field_type(self, cursor: CXCursor) -> CType:
        self.note_volatile(cursor)
        type = self.of(cursor)
        bits = self._clang.clang_getFieldDeclBitWidth(cursor)
        if bits > 0 and isinstance(type, Integer):
            # Ranked below every other type: bit-fields promote to int if that holds them.
            return Integer(Machine(bits, type.machine.signed), 0 if bits <= 32 else type.rank, f"{type}:{bits}")
        return type

    def field_name(self, cursor: CXCursor) -> str:
        """A member without a name is called by its position in the record, as nothing that a program names can be."""
        name = self._field_names.get(cursor.pointer)
        if name is None:
            self.type(self._cursors.type(self._clang.clang_getCursorSemanticParent(cursor)))
            name = self._field_names[cursor.pointer]
        return name


def adjusted(type: CType) -> CType:
    """A parameter's type: arrays and functions arrive as pointers."""
    if isinstance(type, Array):
        return Pointer(type.element)
    return Pointer(type) if isinstance(type, Function) else type


def way_through_nameless(record: Record, name: str) -> list[str]:
    """The members without a name that lead to a field; empty if it is the record's own."""
    if any(field.name == name for field in record.fields):
        return []
    for field in record.fields:
        if field.name.startswith(".") and isinstance(field.type, Record):
            inner = way_through_nameless(field.type, name)
            if inner or any(each.name == name for each in field.type.fields):
                return [field.name, *inner]
    return []


def inner_record(record: Record, name: str) -> Record:
    """The record that a member without a name is."""
    type = record.field_type(name)
    if not isinstance(type, Record):
        raise InternalError(f"{record.span}: a member without a name that has no members")
    return type
