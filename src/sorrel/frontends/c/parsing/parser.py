"""Files to translation units, and the compiler's complaints as ours."""

from __future__ import annotations

import ctypes
import os
import re
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import byref, c_char_p, c_uint, c_void_p
from pathlib import Path
from typing import Any

from sorrel import include
from sorrel.frontends.c.beside import processors
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.library.catalogue import PREFIX, text_with, with_common
from sorrel.frontends.c.parsing import libclang
from sorrel.frontends.c.parsing.ahead import Bodies, Copies
from sorrel.frontends.c.parsing.headers import search_arguments, virtual_headers
from sorrel.frontends.c.parsing.libclang import CXUnsavedFile, text
from sorrel.frontends.c.parsing.tree import TreeReader
from sorrel.frontends.c.settings import CSettings, DataModel
from sorrel.frontends.c.syntax import Compound, Expression, FunctionDeclaration, Unit, VariableDeclaration
from sorrel.frontends.c.types import Record
from sorrel.model.errors import InputError, InternalError, Span
from sorrel.model.source import Source, lines_of

_ERROR = 3  # enum CXDiagnosticSeverity
_KEEP_GOING = 0x200
_MORE_SHOWN = 8
_THREADS = os.cpu_count() or 1
_FEWEST = 8
"""Fewer units than this are closed sooner than threads are started."""
OWN_VERSION = "gnu17"
"""Of C: what programs are in if nothing else is said, and the bodies of library functions always."""
_WEAK = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+weak\b", re.MULTILINE)
_ANNOUNCED = "/sorrel-models/common.h"
_LIBRARY = -100_000  # the units of libraries that are given
_OWN = -1000  # stands for a unit, of what no unit declares


class Parser:
    """Keeps the units open as long as their trees are being read; use it in a `with` statement."""

    def __init__(self, settings: CSettings) -> None:
        self._settings = settings
        self._clang: Any = libclang.library()
        self._open: list[tuple[int, int]] = []  # units, each with its index
        self._symbols: dict[tuple[int, int], int] = {}
        self._positions: list[int] = []  # of the units that symbols come from
        self._readers: dict[str, TreeReader] = {}
        self._models: dict[str, Unit] = {}
        self._given: dict[str, tuple[Unit, FunctionDeclaration]] = {}
        self._copies: Copies | None = None
        self.units: list[Unit] = []

    def __enter__(self) -> Parser:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop_reading_ahead()
        if len(self._open) < _FEWEST:
            deque(map(self._dispose, self._open), maxlen=0)
            return
        with ThreadPoolExecutor(_THREADS) as threads:
            deque(threads.map(self._dispose, self._open), maxlen=0)

    def _dispose(self, opened: tuple[int, int]) -> None:
        unit, index = opened
        self._clang.clang_disposeTranslationUnit(unit)
        self._clang.clang_disposeIndex(index)

    def parse(self, sources: Sequence[Source], meanwhile: Callable[[], None] | None = None) -> None:
        """Side by side: the parser needs nothing of Python's, and units nothing of each other.

        `meanwhile`: what this thread does, if it would wait for others.
        """
        options = self._arguments()
        if len(sources) == 1:  # a thread takes longer to start than a small file to parse
            self.units.append(self._parse(sources[0], 0, options))
            return
        with ThreadPoolExecutor(_THREADS) as threads:
            parsed = [threads.submit(self._translated, source, options) for source in sources]
            if meanwhile is not None:
                meanwhile()
        for position, (source, each) in enumerate(zip(sources, parsed, strict=True)):
            self.units.append(self._unit(source, position, each.result()))
        self._demand_own_names()

    def read_ahead(self, fewest: int) -> None:
        """Have bodies read in copies of this process as well, if there are so many, until no more are asked for.

        For whoever needs most of them: what is not asked for was read in vain.
        """
        bodies = sum(self.has_body(unit, each) for unit in self.units for each in unit.functions)
        if processors() > 1 and len(self.units) > 1 and bodies >= fewest:
            self._copies = Copies(len(self.units), processors() - 1, self._bodies)

    def _bodies(self, position: int) -> Bodies:
        unit = self.units[position]
        return dict(self._readers[unit.name].bodies(unit))

    def _listen(self, copies: Copies) -> None:
        for position, sent in copies.told():
            unit = self.units[position]
            self._readers[unit.name].take_bodies(sent, unit)

    def stop_reading_ahead(self) -> None:
        if self._copies is not None:
            self._copies.end()
            self._copies = None

    def _demand_own_names(self) -> None:
        """Across files, where one may call by another name what another one defines."""
        defined: set[str] = set()
        for unit in self.units:
            defined |= {each.name for each in unit.functions if each.external and self.has_body(unit, each)}
            defined |= {each.name for each in unit.variables if each.external and each.defined}
        for unit in self.units:
            self._readers[unit.name].demand_own_names(defined)

    @property
    def weak(self) -> set[str]:
        """What another definition, in a file that is not here, may take the place of."""
        return {name for unit in self.units for name in self._readers[unit.name].weak}

    def parse_library(self, paths: Sequence[str]) -> None:
        """Files that say what functions do that no file of the program defines."""
        options = [*self._arguments(), "-include", _ANNOUNCED]
        for number, path in enumerate(paths):
            unit = self._parse(Source(path), _LIBRARY - number, options)
            for function in unit.functions:
                if function.external and self.has_body(unit, function):
                    self._given[function.name] = (unit, function)

    def is_given(self, function: FunctionDeclaration) -> bool:
        """Whether this is the body of a function that a library file gives."""
        return any(function is given for _, given in self._given.values())

    def given(self, name: str) -> tuple[Unit, FunctionDeclaration, Compound] | None:
        """What a file that was given as a library says that the function does."""
        if name not in self._given:
            return None
        unit, function = self._given[name]
        body = self.body(unit, function)
        if body is None:
            raise InternalError(f"there is no body for {name} in its library")
        return unit, function, body

    def model(self, name: str) -> tuple[Unit, FunctionDeclaration, Compound]:
        """The model of a library function, by the name that it goes by among models."""
        return self.model_in(name, text_with(name))

    def model_in(self, name: str, text: str) -> tuple[Unit, FunctionDeclaration, Compound]:
        """The model in a text, which is parsed once."""
        if text not in self._models:
            number = len(self._models) + 1
            source = Source(path=f"/sorrel-models/{number}.c", text=text)
            self._models[text] = self._parse(source, -number, _standard_arguments(self._settings))
        unit = self._models[text]
        function = next(each for each in unit.functions if each.name == f"{PREFIX}{name}")
        body = self.body(unit, function)
        if body is None:
            raise InternalError(f"there is no body for {name} in its model")
        return unit, function, body

    @property
    def records(self) -> list[list[Record]]:
        """Structures and unions, for each file."""
        return [reader.records for reader in self._readers.values()]

    def new_symbol(self) -> int:
        """A number that means nothing yet."""
        return self._symbol(_OWN, len(self._symbols))

    def _symbol(self, position: int, key: int) -> int:
        """The number that stands for what a unit knows under a key."""
        found = self._symbols.get((position, key))
        if found is None:
            self._positions.append(position)
            found = self._symbols[position, key] = len(self._positions)
        return found

    def body(self, unit: Unit, function: FunctionDeclaration) -> Compound | None:
        if self._copies is not None:
            self._listen(self._copies)
        return self._readers[unit.name].body(function)

    def has_body(self, unit: Unit, function: FunctionDeclaration) -> bool:
        return self._readers[unit.name].has_body(function)

    def never_returns(self, unit: Unit, function: FunctionDeclaration) -> bool:
        return self._readers[unit.name].never_returns(function)

    def is_weak(self, unit: Unit, function: FunctionDeclaration) -> bool:
        return self._readers[unit.name].is_weak(function)

    def undeclared(self, symbol: int) -> tuple[Unit, FunctionDeclaration] | None:
        """A function that is used and that no file announces."""
        position = self._positions[symbol - 1]
        if not 0 <= position < len(self.units):
            return None
        unit = self.units[position]
        function = self._readers[unit.name].undeclared(symbol)
        return None if function is None else (unit, function)

    @property
    def has_volatile(self) -> bool:
        return any(reader.has_volatile for reader in self._readers.values())

    def initializer(self, unit: Unit, variable: VariableDeclaration) -> Expression | None:
        return self._readers[unit.name].initializer(variable)

    def _parse(self, source: Source, position: int, options: list[str]) -> Unit:
        return self._unit(source, position, self._translated(source, options))

    def _translated(self, source: Source, options: list[str]) -> int:
        """The file as the parser keeps it; whatever is wrong in it."""
        path = source.path or "text.c"
        virtual = {**virtual_headers(), _ANNOUNCED: with_common("")}
        if source.text is not None:
            virtual[path] = source.text
        else:
            source.read_as_compilers_do()  # whoever cannot be read is told so in our words
        handle = c_void_p()
        arguments = [argument.encode() for argument in (*options, *source.options)]
        files = (CXUnsavedFile * len(virtual))(
            *(
                CXUnsavedFile(name.encode(), content.encode(), len(content.encode()))
                for name, content in virtual.items()
            )
        )
        index = self._clang.clang_createIndex(0, 0)
        code = self._clang.clang_parseTranslationUnit2(
            index,
            path.encode(),
            (c_char_p * len(arguments))(*arguments),
            len(arguments),
            files,
            len(virtual),
            _KEEP_GOING,
            byref(handle),
        )
        if code or not handle.value:
            self._clang.clang_disposeIndex(index)
            raise InputError("the file cannot be read by the C parser", Span(source.name))
        self._open.append((handle.value, index))
        return handle.value

    def _unit(self, source: Source, position: int, handle: int) -> Unit:
        self._complain(handle, source)
        if position >= 0 and (found := _WEAK.search(content := _content(source))):  # the parser does not tell
            raise Unsupported("#pragma weak", Span(source.name, content.count("\n", 0, found.start()) + 1, 1))
        path = source.path or "text.c"
        reader = TreeReader(
            handle,
            32 if self._settings.data_model is DataModel.ILP32 else 64,
            lambda name: source.name if name == path else name,
            lambda key: self._symbol(position, key),
            sections=self._settings.races,
        )
        name = f"{source.name}#{position}"
        self._readers[name] = reader
        return reader.declarations(name)

    def _arguments(self) -> list[str]:
        settings = self._settings
        return [
            *_standard_arguments(settings, settings.standard or OWN_VERSION),
            # Old programs call functions that they do not declare: the compilers of their time took that.
            *("-Wno-implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion"),
            *("-Wno-error=incompatible-function-pointer-types", "-D__NO_CTYPE"),
            *(argument for folder in settings.include for argument in ("-I", folder)),
            *(argument for definition in settings.define for argument in ("-D", definition)),
            *(argument for header in settings.forced for argument in ("-include", header)),
            *search_arguments(settings.data_model),
            *include.ARGUMENTS,
        ]

    def _complain(self, unit: int, source: Source) -> None:
        """The first error with its line, the rest below it, each as the compiler words it."""
        errors: list[tuple[Span, str]] = []
        for position in range(self._clang.clang_getNumDiagnostics(unit)):
            diagnostic = self._clang.clang_getDiagnostic(unit, position)
            if self._clang.clang_getDiagnosticSeverity(diagnostic) >= _ERROR:
                location = self._clang.clang_getDiagnosticLocation(diagnostic)
                errors.append((self._span(location, source), text(self._clang.clang_getDiagnosticSpelling(diagnostic))))
            self._clang.clang_disposeDiagnostic(diagnostic)
        if not errors:
            return
        span, message = errors[0]
        others = [f"{where}: error: {what}" for where, what in errors[1 : _MORE_SHOWN + 1]]
        if len(errors) > _MORE_SHOWN + 1:
            others.append(f"and {len(errors) - _MORE_SHOWN - 1} more")
        if "file not found" in message:
            others.append("Name the folder of the missing file with -I.")
        excerpt = _line(source, span)
        raise InputError(f"error: {message}", span, hint="\n  ".join(others), excerpt=excerpt, marker=span.column)

    def _span(self, location: libclang.CXSourceLocation, source: Source) -> Span:
        file, line, column = c_void_p(), c_uint(), c_uint()
        self._clang.clang_getExpansionLocation(
            location, byref(file), byref(line), byref(column), ctypes.POINTER(c_uint)()
        )
        if not file.value:  # what compilers make of the options that they are given
            return Span("<command line>")
        name = text(self._clang.clang_getFileName(file.value))
        return Span(source.name if name == (source.path or "text.c") else name, line.value, column.value)


def _standard_arguments(settings: CSettings, version: str = OWN_VERSION) -> list[str]:
    """The language, and what it is compiled for."""
    target = settings.data_model.target
    return ["-x", "c", f"-std={version}", "-target", target, "-ffreestanding", "-fno-builtin", "-w"]


def _content(source: Source) -> str:
    """The text, in whatever encoding it is."""
    return source.text if source.text is not None else Path(source.path).read_text(errors="replace")


def _line(source: Source, span: Span) -> str:
    """The line that a message is about."""
    if source.text is not None and span.file == source.name:
        content = source.text
    else:
        try:
            content = Path(span.file).read_text(errors="replace")
        except OSError:
            return ""
    lines = lines_of(content)
    return lines[span.line - 1].replace("\t", " ") if 0 < span.line <= len(lines) else ""
