"""A program as it is generated: with a place where a check will stand, and the values that it may speak of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from bench.fuzz.c.calls import CALLS
from bench.fuzz.c.data import DATA, Feature
from bench.fuzz.c.library import LIBRARY
from bench.fuzz.c.pointers import POINTERS
from bench.fuzz.c.shapes import Object, Scalar
from bench.fuzz.c.statements import STATEMENTS, some
from bench.fuzz.c.values import CHAR, INT, INTEGER_TYPES, UNSIGNED, Expression, IntegerType, constant
from bench.fuzz.c.writer import Writer

PRELUDE = """extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern long __VERIFIER_nondet_long(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
"""
_SOURCES: tuple[tuple[IntegerType, str], ...] = (
    (INT, "int"),
    (INT, "int"),
    (INT, "int"),
    (UNSIGNED, "uint"),
    (CHAR, "char"),
    (INTEGER_TYPES[8], "long"),
    (INTEGER_TYPES[4], "short"),
    (INTEGER_TYPES[0], "bool"),
)
_ROOMS: tuple[tuple[int, tuple[tuple[int, Feature], ...]], ...] = (
    (4, DATA),
    (4, STATEMENTS),
    (4, POINTERS),
    (5, CALLS),
    (2, LIBRARY),
)
_WATCHED = 4
_HEAD = re.compile(r"^(?:_Noreturn |__attribute__\(\(noreturn\)\) )?static (?P<head>[^=;{]*\)) \{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Input:
    """One value from outside, in the order in which they are asked for."""

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A program without its check, which stands at the end of `before`; `watched` can be evaluated there."""

    tag: str
    headers: tuple[str, ...]
    definitions: tuple[str, ...]
    variables: tuple[str, ...]
    functions: tuple[str, ...]
    before: tuple[str, ...]
    inputs: tuple[Input, ...]
    watched: tuple[Expression, ...]
    constructs: frozenset[str]
    in_two_files: bool

    def text(self, check: Sequence[str], extra: str = "", helpers: Sequence[str] = ()) -> str:
        """One file; `extra` are declarations that the check needs, `helpers` functions."""
        return (
            self._start(extra)
            + _lines((*self.definitions, *self.variables, *self.functions, *helpers))
            + self._main(check)
        )

    def _start(self, extra: str) -> str:
        return "".join(f"#include <{header}>\n" for header in self.headers) + PRELUDE + extra

    def _main(self, check: Sequence[str]) -> str:
        return _lines(("int main(void) {", *self.before, *(f"  {line}" for line in check), "  return 0;", "}"))

    def batched(self, check: Sequence[str], helpers: Sequence[str] = ()) -> str:
        """As a part of a file with many programs, whose beginning has all that is declared."""
        text = _lines((*self.definitions, *self.variables, *self.functions, *helpers)) + self._main(check)
        return text.replace("int main(void)", f"static int main_{self.tag}(void)")

    def files(self, check: Sequence[str], extra: str = "", helpers: Sequence[str] = ()) -> tuple[str, ...]:
        """One file, or main in one and everything else in another."""
        if not self.in_two_files:
            return (self.text(check, extra, helpers),)
        start = self._start(extra) + _lines(self.definitions)
        functions = "\n".join((*self.functions, *helpers))
        heads = [f"extern {found['head']};" for found in _HEAD.finditer(functions)]
        variables = [_extern(line) for line in self.variables]
        rest = _lines(line.replace("static ", "", 1) for line in self.variables)
        shared = re.sub(
            r"^((?:_Noreturn |__attribute__\(\(noreturn\)\) )?)static ", r"\1", functions, flags=re.MULTILINE
        )
        return start + _lines((*variables, *heads)) + self._main(check), start + rest + shared + "\n"


def _extern(definition: str) -> str:
    declaration = definition.removeprefix("static ").split(" = ")[0].rstrip(";")
    return f"extern {declaration};"


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def draft(chance: Random, tag: str, *, most_inputs: int = 2, features: int = 5) -> Draft:
    """Inputs, some features, a few statements that stir what there is, and values to watch."""
    writer = Writer(chance, tag)
    writer.scope = writer.globals.child()
    inputs = [_input(writer) for _ in range(0 if writer.one_in(4) else writer.number(1, most_inputs))]
    for _ in range(writer.number(2, features)):
        feature(writer)
    some(writer, 1, 2)
    watched = tuple(_watched(writer) for _ in range(_WATCHED))
    in_two_files = bool(writer.functions.lines) and writer.one_in(10)
    if in_two_files:
        writer.used("several files")
    return Draft(
        tag,
        tuple(sorted(writer.headers)),
        tuple(writer.definitions.lines),
        tuple(writer.variables.lines),
        tuple(writer.functions.lines),
        tuple(writer.page.lines),
        tuple(inputs),
        watched,
        frozenset(writer.constructs),
        in_two_files,
    )


def feature(writer: Writer) -> None:
    (room,) = writer.chance.choices([each for _, each in _ROOMS], [weight for weight, _ in _ROOMS])
    (chosen,) = writer.chance.choices([each for _, each in room], [weight for weight, _ in room])
    chosen(writer)


def _input(writer: Writer) -> Input:
    """Between two numbers that are near to each other."""
    type, suffix = writer.pick(_SOURCES)
    name = writer.local("in")
    low = 0 if not type.signed or not writer.one_in(3) else -2
    high = 1 if type.bits == 1 else low + writer.number(1, 4)
    writer.used(f"input {type.name}")
    writer.page.write(f"{type.name} {name} = __VERIFIER_nondet_{suffix}();")
    if type.bits > 1:
        lower = f"{low} <= {name} && " if type.signed else ""
        writer.page.write(f"__VERIFIER_assume({lower}{name} <= {high});")
    writer.scope.fixed.append(Object(name, Scalar(type, low, high), writable=False))
    return Input(name, low, high)


def _watched(writer: Writer) -> Expression:
    """A value of int, of what can be seen at the end; what does not fit is reduced."""
    held = Scalar(INT, -(10**6), 10**6)
    for _ in range(10):
        value = writer.expression(0) if writer.one_in(2) else writer.expression(2)
        if not value.is_constant and not (found := writer.fitted(value, held)).is_constant:
            return found
    return constant(0)
