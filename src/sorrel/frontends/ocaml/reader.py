"""OCaml files to a functional program: the whole path on one page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import PurePath

from sorrel.frontends.ocaml.definitions import definitions
from sorrel.frontends.ocaml.needed import Library
from sorrel.frontends.ocaml.tree import parse
from sorrel.functional.inference import typed_program
from sorrel.functional.program import File, Program
from sorrel.functional.syntax import Expression, LetDefinition
from sorrel.model.errors import InputError
from sorrel.model.source import Source


def read(sources: Sequence[Source], function: str) -> Program:
    """The program of all files, in this order, started at the function with any arguments."""
    files = [_file(source) for source in sources]
    return typed_program(_prelude().needed(files, function), files, function)


def read_functions(sources: Sequence[Source], function: str) -> Program:
    """The program of all files, asked about the functions of the last one, or about that one."""
    files = [_file(source) for source in sources]
    return typed_program(_prelude().needed(files, function), files, function, offering=True)


def read_condition(text: str) -> Expression:
    """An expression on its own, as it stands in a type."""
    (definition,) = definitions(parse(f"let condition = {text}", "a condition"))
    if not isinstance(definition, LetDefinition):
        raise InputError(f"this is not a condition: {text}")
    return definition.bindings[0].value


@cache
def _prelude() -> Library:
    """What we have of OCaml's standard library in OCaml."""
    text = resources.files("sorrel.frontends.ocaml").joinpath("prelude.ml").read_text(encoding="utf-8")
    return Library(File("prelude", "Stdlib", definitions(parse(text, "OCaml's library"))))


def _file(source: Source) -> File:
    stem = PurePath(source.name).name.split(".")[0]
    text = source.read()
    return File(source.name, stem[:1].upper() + stem[1:], definitions(parse(text, source.name)))
