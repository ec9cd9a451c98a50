"""Programs over words, whose width is part of the question: Boolean programs, and functions of C."""

from __future__ import annotations

from sorrel.encode.functions import finite_program
from sorrel.finite.function import FiniteProgram
from sorrel.finite.horn import horn_system
from sorrel.finite.overflow import Overflow
from sorrel.frontends import boolean, c
from sorrel.horn.system import HornSystem
from sorrel.model.errors import InputError
from sorrel.model.options import Finite
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.narrowing import narrowed
from sorrel.program.statement import Kind


def finite_system(text: str, source: Source, finite: Finite) -> HornSystem:
    """The clauses of the program that the source holds."""
    return horn_system(_finite_function(source, finite) if finite.function else _boolean_program(text, source, finite))


def _boolean_program(text: str, source: Source, finite: Finite) -> FiniteProgram:
    overflow = Overflow(finite.overflow)
    program = boolean.read_program(
        text, source.name, width=finite.width, overflow=overflow, properties=finite.properties
    )
    if not program.properties:
        raise InputError(
            f"{source.name}: there is no property to prove",
            hint="Write property r > 0; in the file, or use --property 'r > 0'.",
        )
    return program


def _finite_function(source: Source, finite: Finite) -> FiniteProgram:
    """A function in C on a machine with words of the given width, with its assertions and the given properties."""

    settings = c.CSettings(c.DataModel(finite.data_model), finite.include, finite.define, finite.function)
    read = narrowed(c.read((source,), settings), finite.width)
    checked = instrument(read, frozenset({Kind.ASSERTION, Kind.ERROR_CALL}))
    program = finite_program(checked, finite.function, Overflow(finite.overflow), finite.properties)
    if not program.properties:
        raise InputError(
            f"{source.name}: there is no property of {finite.function} to prove",
            hint="Write an assertion into it, or use --property '\\result > 0'.",
        )
    return program
