"""What libclang tells about a cursor: children, places in the text, tokens, values of constants."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import byref, c_uint, c_void_p
from typing import Any

from sorrel.frontends.c.parsing import libclang
from sorrel.frontends.c.parsing.ahead import Symbol
from sorrel.frontends.c.parsing.kinds import TERSE
from sorrel.frontends.c.parsing.libclang import CXCursor, CXType, text
from sorrel.model.errors import NOWHERE, Span

_INTEGER_RESULT, _FLOATING_RESULT = 1, 2  # enum CXEvalResultKind
_SHOWN_WORDS = 8


class Cursors:
    """One translation unit; file names and spans are read once each."""

    def __init__(self, unit: int, names: Callable[[str], str], symbols: Callable[[int], int]) -> None:
        """`names` gives the name that messages use for a file; `symbols` a number that no other unit uses."""
        self.clang: Any = libclang.library()
        self._unit = unit
        self._names = names
        self._symbols = symbols
        self._files: dict[int | None, str] = {}
        self._spans: dict[tuple[int, int], Span] = {}
        self._file, self._line, self._column, self._offset = c_void_p(), c_uint(), c_uint(), c_uint()
        self._out = (byref(self._file), byref(self._line), byref(self._column), byref(self._offset))
        # One callback for all visits: making one takes longer than a visit.
        self._found: list[CXCursor] = []
        self._visitor = libclang.VISITOR(self._visit)

    def top(self) -> list[CXCursor]:
        """The declarations of the unit."""
        return self.children(self.clang.clang_getTranslationUnitCursor(self._unit))

    def children(self, cursor: CXCursor) -> list[CXCursor]:
        found = self._found = []
        self.clang.clang_visitChildren(cursor, self._visitor, None)
        return found

    def _visit(self, child: CXCursor, _parent: CXCursor, _data: object) -> int:
        self._found.append(child)
        return libclang.CONTINUE

    def fields(self, type: CXType) -> list[CXCursor]:
        """All members of a record: among the children of a declaration, those without a name are missing."""
        found: list[CXCursor] = []

        def visit(field: CXCursor, _data: object) -> int:
            found.append(field)
            return libclang.CONTINUE

        self.clang.clang_Type_visitFields(type, libclang.FIELD_VISITOR(visit), None)
        return found

    def spelling(self, cursor: CXCursor) -> str:
        return text(self.clang.clang_getCursorSpelling(cursor))

    def symbol(self, cursor: CXCursor) -> int:
        return self._symbols(self.clang.clang_getCanonicalCursor(cursor).pointer or 0)

    def number(self, key: int) -> int:
        """The symbol of what the parser keeps under a key."""
        return self._symbols(key)

    def note_symbols(self, met: dict[int, Symbol]) -> None:
        """From now on each symbol that is asked for is noted by its key."""
        known = self._symbols

        def noted(key: int) -> int:
            found = met.get(key)
            if found is None:
                found = met[key] = Symbol(known(key))
            return found

        self._symbols = noted

    def referenced(self, cursor: CXCursor) -> CXCursor:
        found: CXCursor = self.clang.clang_getCursorReferenced(cursor)
        return found

    def type(self, cursor: CXCursor) -> CXType:
        found: CXType = self.clang.clang_getCursorType(cursor)
        return found

    def is_volatile(self, cursor: CXCursor) -> bool:
        return bool(self.clang.clang_isVolatileQualifiedType(self.type(cursor)))

    def in_system_header(self, cursor: CXCursor) -> bool:
        return bool(self.clang.clang_Location_isInSystemHeader(self.clang.clang_getCursorLocation(cursor)))

    def in_own_file(self, cursor: CXCursor) -> bool:
        """Whether it stands in the file itself, and not in one that is included."""
        return bool(self.clang.clang_Location_isFromMainFile(self.clang.clang_getCursorLocation(cursor)))

    def initializer(self, variable: CXCursor) -> CXCursor | None:
        found: CXCursor = self.clang.clang_Cursor_getVarDeclInitializer(variable)
        return found if found.kind >= 100 else None

    def written_out(self, cursor: CXCursor) -> str:
        """A declaration without its body, macros expanded."""
        policy = self.clang.clang_getCursorPrintingPolicy(cursor)
        self.clang.clang_PrintingPolicy_setProperty(policy, TERSE, 1)
        written = text(self.clang.clang_getCursorPrettyPrinted(cursor, policy))
        self.clang.clang_PrintingPolicy_dispose(policy)
        return written

    def evaluate(self, cursor: CXCursor) -> int | None:
        """The value of a constant integer expression; None if it is none."""
        result = self.clang.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        value: int | None = None
        if self.clang.clang_EvalResult_getKind(result) == _INTEGER_RESULT:
            unsigned = self.clang.clang_EvalResult_isUnsignedInt(result)
            value = (
                self.clang.clang_EvalResult_getAsUnsigned(result)
                if unsigned
                else self.clang.clang_EvalResult_getAsLongLong(result)
            )
        self.clang.clang_EvalResult_dispose(result)
        return value

    def evaluate_floating(self, cursor: CXCursor) -> float | None:
        """The value of a constant with a fraction, as a double; None if it is none."""
        result = self.clang.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        is_floating = self.clang.clang_EvalResult_getKind(result) == _FLOATING_RESULT
        value = float(self.clang.clang_EvalResult_getAsDouble(result)) if is_floating else None
        self.clang.clang_EvalResult_dispose(result)
        return value

    # Places in the text

    def begin(self, cursor: CXCursor) -> int:
        """A number that two cursors share if they begin at the same place."""
        return int(self.clang.clang_getCursorExtent(cursor).begin)

    def span(self, cursor: CXCursor, with_end: bool = False) -> Span:
        extent = self.clang.clang_getCursorExtent(cursor)
        key = (extent.begin, extent.end if with_end else 0)
        known = self._spans.get(key)
        if known is None:
            known = self._spans[key] = self._new_span(extent, with_end)
        return known

    def _new_span(self, extent: libclang.CXSourceRange, with_end: bool) -> Span:
        self._locate(self.clang.clang_getRangeStart(extent))
        file, line, column = self._file.value, self._line.value, self._column.value
        if not line:
            return NOWHERE
        name = self._files.get(file)
        if name is None:
            name = self._files[file] = self._names(text(self.clang.clang_getFileName(file)))
        if not with_end:
            return Span(name, line, column)
        self._locate(self.clang.clang_getRangeEnd(extent))
        return Span(name, line, column, self._line.value, self._column.value)

    def _locate(self, location: libclang.CXSourceLocation) -> None:
        self.clang.clang_getExpansionLocation(location, *self._out)

    def between(self, first: CXCursor, second: CXCursor) -> str | None:
        """The text from the beginning of one cursor to that of another; None if macros hide it."""
        begin, end = (self._written_at(cursor) for cursor in (first, second))
        if begin[0] != end[0] or begin[1] >= end[1]:
            return None
        size = ctypes.c_size_t()
        content = self.clang.clang_getFileContents(self._unit, begin[0], byref(size)) or b""
        return str(content[begin[1] : end[1]].decode("utf-8", "replace"))

    def _written_at(self, cursor: CXCursor) -> tuple[int | None, int]:
        start = self.clang.clang_getRangeStart(self.clang.clang_getCursorExtent(cursor))
        self.clang.clang_getSpellingLocation(start, *self._out)
        return self._file.value, self._offset.value

    # Tokens

    def words(self, cursor: CXCursor, most: int | None = None) -> list[str]:
        """The cursor's own words, and perhaps others after them if it is made by a macro; no more than asked for."""
        tokens, count = ctypes.POINTER(libclang.CXToken)(), c_uint()
        self.clang.clang_tokenize(self._unit, self.clang.clang_getCursorExtent(cursor), byref(tokens), byref(count))
        found = [
            text(self.clang.clang_getTokenSpelling(self._unit, tokens[position]))
            for position in range(count.value if most is None else min(count.value, most))
        ]
        self.clang.clang_disposeTokens(self._unit, tokens, count)
        return found

    def first_words(self, cursor: CXCursor) -> str:
        """For messages about what is not known."""
        words = self.words(cursor, _SHOWN_WORDS + 1)
        return " ".join(words[:_SHOWN_WORDS]) + (" …" if len(words) > _SHOWN_WORDS else "")
