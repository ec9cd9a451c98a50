"""Packs: what the functions of a library do, in C that stands in place of their bodies, and where that was proved.

A pack is a file of C that people can read and that `verify --library` takes as well: each function demands what callers
must grant and returns anything that its contract allows. A comment at its head says what the contracts are about, which
source they were proved for, and what that proof takes for granted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass
from sorrel.project.files import bytes_of, text_of

TITLE = "/* sorrel pack 1: contracts that were proved, as C; checked where the source is, assumed elsewhere"
RESULT = "sorrel_result"
"""What the models call what they return."""


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function of numbers as C declares it; `result` is empty if it returns nothing."""

    name: str
    result: str
    parameters: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        given = ", ".join(f"{kind} {name}" for kind, name in self.parameters)
        return f"{self.result or 'void'} {self.name}({given or 'void'})"


@dataclass(frozen=True, slots=True)
class Model:
    """A function with what its callers grant and what it ensures, as expressions of C."""

    prototype: Prototype
    requires: tuple[str, ...]
    ensures: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        result = self.prototype.result
        yield f"{self.prototype} {{"
        yield from (f"  __VERIFIER_assert({each});" for each in self.requires)
        if result:
            yield f"  {result} {RESULT} = {input_name(result)}();"
        yield from (f"  __VERIFIER_assume({each});" for each in self.ensures)
        if result:
            yield f"  return {RESULT};"
        yield "}"


_WORDS = {
    "signed char": "char",
    "unsigned char": "uchar",
    "unsigned short": "ushort",
    "unsigned int": "uint",
    "long long": "longlong",
}


def input_name(kind: str) -> str:
    """What gives any value of a type."""
    return f"__VERIFIER_nondet_{_WORDS.get(kind, kind)}"


@dataclass(frozen=True, slots=True)
class Header:
    """`about` is the property, `sources` gives the digest of each file, `open` is what nobody has shown."""

    about: str
    data_model: str
    numbers: str
    sources: dict[str, str]
    open: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        yield TITLE
        for name in ("about", "data_model", "numbers", "sources", "open"):
            told = json.dumps(getattr(self, name), sort_keys=True).replace("*/", "*\\/")
            yield f" * {name} = {told}"
        yield " */"

    def is_beside(self, folder: Path) -> bool:
        """Whether the source that it is about stands in the folder."""
        return self.sources == digests(folder, tuple(self.sources))


def digests(folder: Path, files: Sequence[str]) -> dict[str, str]:
    """Of those files that can be read."""
    found = {}
    for name in files:
        with suppress(InputError):
            found[name] = hashlib.sha256(bytes_of(folder / name)).hexdigest()
    return found


def pack_text(header: Header, models: Sequence[Model]) -> str:
    kinds = sorted({model.prototype.result for model in models} - {""})
    lines = [*header.lines(), "", "extern void __VERIFIER_assert(int);", "extern void __VERIFIER_assume(int);"]
    lines += [f"extern {kind} {input_name(kind)}(void);" for kind in kinds]
    for model in sorted(models, key=lambda each: each.prototype.name):
        lines += ["", *model.lines()]
    return "\n".join(lines) + "\n"


def read_header(path: Path) -> Header:
    """What a pack says about itself, which may be anything that has the form."""
    lines = text_of(path).splitlines()
    if not lines or lines[0] != TITLE:
        raise InputError(
            "this is not a pack", Span(str(path), 1, 1), hint="sorrel pack writes one, in the library's folder."
        )
    found: dict[str, Any] = {}
    for line in lines[1 : lines.index(" */") if " */" in lines else 0]:
        name, _, value = line.removeprefix(" * ").partition(" = ")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            raise InputError(f"the pack is damaged: {name[:20]!r} has no value", Span(str(path))) from None
    return _header(found, path)


def _header(found: dict[str, Any], path: Path) -> Header:
    match found:
        case {
            "about": str(about),
            "data_model": str(model),
            "numbers": str(numbers),
            "sources": dict(sources),
            "open": list(taken),
        } if all(isinstance(each, str) for each in (*sources, *sources.values(), *taken)):
            return Header(about, model, numbers, sources, tuple(taken))
    raise InputError("the pack is damaged: what it is about is not said", Span(str(path)))
