"""Declarations of functions and variables, and what their attributes say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.parsing.cursors import Cursors
from sorrel.frontends.c.parsing.kinds import Cursor, Linkage, Storage
from sorrel.frontends.c.parsing.libclang import CXCursor, text
from sorrel.frontends.c.parsing.type_reader import TypeReader, adjusted
from sorrel.frontends.c.syntax import FunctionDeclaration, Prototype, VariableDeclaration
from sorrel.frontends.c.types import Array, Function

_NEVER_RETURNS = re.compile(r"\b_Noreturn\b|\[\[(\w+::)?_*[nN]oreturn_*\]\]")
_ATTRIBUTE = "__attribute__((noreturn))"
_WEAK = re.compile(r"(?:__attribute__\(\(|\[\[(?:\w+::)?)_*weak_*\b")
_WITH_EFFECT = re.compile(
    r"(?:__attribute__\(\(|\[\[(?:\w+::)?)_*(constructor|destructor|cleanup|alias|ifunc|weakref)_*\b"
)
_WEAK = re.compile(r"(?:__attribute__\(\(|\[\[(?:\w+::)?)_*weak_*\b")


class DeclarationReader:
    def __init__(self, cursors: Cursors, types: TypeReader) -> None:
        self._cursors = cursors
        self._types = types
        self._clang = cursors.clang
        self._prototypes: dict[int | None, Prototype] = {}  # by declaration, as the parser keeps them
        self._labels: dict[str, list[CXCursor]] = {}  # names for the assembler, and what has them
        self.weak: set[str] = set()
        """What another definition, in a file that is not here, may take the place of."""

    @property
    def has_notes(self) -> bool:
        """Whether anything is noted here of a declaration that its tree does not tell."""
        return bool(self._labels or self.weak)

    def function(self, cursor: CXCursor, children: Sequence[CXCursor]) -> FunctionDeclaration:
        self.demand_plain(cursor, children)
        return FunctionDeclaration(
            symbol=self._cursors.symbol(cursor),
            name=self._cursors.spelling(cursor),
            prototype=partial(self._prototype, cursor),
            external=self._is_external(cursor),
            system=self._cursors.in_system_header(cursor),
        )

    def _prototype(self, cursor: CXCursor) -> Prototype:
        known = self._prototypes.get(cursor.pointer)
        if known is None:
            known = self._prototypes[cursor.pointer] = self._read_prototype(cursor)
        return known

    def _read_prototype(self, cursor: CXCursor) -> Prototype:
        type = self._types.of(cursor)
        span = self._cursors.span(cursor, True)
        if not isinstance(type, Function):
            raise Unsupported("this type of a function", span)
        parameters = tuple(self._parameter(each) for each in self._parameters(cursor))
        return Prototype(type.result, parameters, type.variadic, span)

    def _is_external(self, cursor: CXCursor) -> bool:
        return bool(self._clang.clang_getCursorLinkage(cursor) == Linkage.EXTERNAL)

    def never_returns(self, function: CXCursor) -> bool:
        """Whether this declaration says so: as a specifier, as an attribute, or in its type."""
        type = self._cursors.type(function)
        result = self._clang.clang_getResultType(type)
        own, returned = (text(self._clang.clang_getTypeSpelling(each)) for each in (type, result))
        if own.endswith(_ATTRIBUTE) and not returned.endswith(_ATTRIBUTE):
            return True
        return _NEVER_RETURNS.search(self._cursors.written_out(function)) is not None

    def is_weak(self, function: CXCursor) -> bool:
        """Whether this declaration says that a definition elsewhere goes before its own."""
        return _WEAK.search(self._cursors.written_out(function)) is not None

    def _parameters(self, cursor: CXCursor) -> list[CXCursor]:
        """Its own: among the children of a declaration are also those of a function that it returns a pointer to."""
        count = self._clang.clang_Cursor_getNumArguments(cursor)
        return [self._clang.clang_Cursor_getArgument(cursor, position) for position in range(max(0, count))]

    def _parameter(self, cursor: CXCursor) -> VariableDeclaration:
        declared = self._cursors.type(cursor)
        type = self._types.type(declared)
        promised = 0
        if isinstance(type, Array) and "[static" in text(self._clang.clang_getTypeSpelling(declared)):
            promised = max(1, type.length or 1)
        return VariableDeclaration(
            symbol=self._cursors.symbol(cursor),
            name=self._cursors.spelling(cursor),
            type=adjusted(type),
            span=self._cursors.span(cursor, True),
            external=False,
            defined=True,
            promised=promised,
            constant=not isinstance(type, Array) and self._types.is_constant(cursor),
        )

    def variable(self, cursor: CXCursor) -> VariableDeclaration:
        self._types.note_volatile(cursor)
        self.demand_plain(cursor, self._cursors.children(cursor))
        return VariableDeclaration(
            symbol=self._cursors.symbol(cursor),
            name=self._cursors.spelling(cursor),
            type=self._types.of(cursor),
            span=self._cursors.span(cursor, True),
            external=self._is_external(cursor),
            defined=not self.is_extern(cursor) or self._cursors.initializer(cursor) is not None,
            constant=self._types.is_constant(cursor),
            per_thread=self.is_per_thread(cursor),
        )

    def is_extern(self, variable: CXCursor) -> bool:
        return bool(self._clang.clang_Cursor_getStorageClass(variable) == Storage.EXTERN)

    def is_static(self, variable: CXCursor) -> bool:
        return bool(self._clang.clang_Cursor_getStorageClass(variable) == Storage.STATIC)

    def is_per_thread(self, variable: CXCursor) -> bool:
        return bool(self._clang.clang_getCursorTLSKind(variable))

    def demand_plain(self, cursor: CXCursor, children: Sequence[CXCursor]) -> None:
        """No attribute that has code run where no call stands, or that gives one object a second name."""
        if any(child.kind == Cursor.UNEXPOSED_ATTRIBUTE for child in children):
            written = self._cursors.written_out(cursor)
            if _WEAK.search(written):
                self.weak.add(self._cursors.spelling(cursor))
            found = _WITH_EFFECT.search(written)
            if found is not None:
                raise Unsupported(f"the attribute {found[1]}", self._cursors.span(cursor, True))
        for label in (child for child in children if child.kind == Cursor.LABEL_ATTRIBUTE):
            self._labels.setdefault(self._cursors.spelling(label), []).append(cursor)

    def demand_own_names(self, defined: set[str]) -> None:
        """No name for the assembler is that of something else in the program, or stands for what is defined here."""
        for label, cursors in self._labels.items():
            for cursor in cursors:
                name = self._cursors.spelling(cursor)
                if name != label and (label in defined or name in defined):
                    raise Unsupported(f"the name {label} for {name}", self._cursors.span(cursor, True))
