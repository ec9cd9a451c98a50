"""Programs from their sources, as a property asks for them: with assertions where it may fail."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.effort import Reading
from sorrel.frontends import c
from sorrel.methods.annotated import Texts, annotated
from sorrel.model.errors import InputError
from sorrel.model.task import DEFAULT_ENTRY, Task
from sorrel.program.checks import instrument
from sorrel.program.program import Program
from sorrel.program.statement import Kind

PLAIN = Reading(frozenset(), Arithmetic.IDEAL)
"""With assertions for what is asked and for nothing else."""


def read_program(task: Task, *, narrow: bool = False, asserting: bool = True) -> Program:
    """`asserting`: with what annotations of C assert, if that is asked about. It need not hold where nobody looks."""
    if task.is_java:
        from sorrel.frontends import java  # as large as the reader of C, with a parser of its own

        return java.read(task.sources, task.function, narrow=narrow)
    if task.is_program_text:
        return _read_whole_program(task)
    texts = Texts.of(task)
    return annotated(c.read(texts.sources, c.CSettings.of(task)), task, texts, asserting=asserting)


def _read_whole_program(task: Task) -> Program:
    """A program in one file, by the reader of its language, started at the function that is asked for."""
    (source,) = task.sources
    module, _, function = source.reader.partition(":")
    program: Program = getattr(import_module(module), function)(source.read(), source.name)
    if task.function in (DEFAULT_ENTRY, program.main):
        return program
    if task.function not in program.procedure:
        raise InputError(f"{source.name}: there is no procedure {task.function}")
    return replace(program, main=task.function)


def instrumented(program: Program, task: Task, reading: Reading = PLAIN) -> Program:
    """With assertions where the property may fail, and assumptions where others may."""
    kinds = reading.kinds | frozenset(map(Kind, task.goal.kinds))
    return instrument(program, kinds, wrapping=reading.arithmetic.is_wrapping)


def checked(task: Task, reading: Reading = PLAIN) -> Program:
    return instrumented(read_program(task), task, reading)
