"""Small functions of bytes, and laws that they obey or do not: all arguments are tried in the compiled program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from bench.fuzz.c import statements
from bench.fuzz.c.calls import body
from bench.fuzz.c.judge import Run
from bench.fuzz.c.program import Draft
from bench.fuzz.c.shapes import Object, Scalar
from bench.fuzz.c.values import BYTE, INT
from bench.fuzz.c.writer import Writer

VIOLATED = 103
"""The slot that says whether some arguments violate the law."""
_ALL = "for (int x = 0; x < 256; x++)"
_PAIRS = f"{_ALL} for (int y = 0; y < 256; y++)"
_LAWS: Mapping[str, tuple[int, str, str]] = {
    "commutativity": (2, _PAIRS, "{f}(x, y) != {f}(y, x)"),
    "monotonicity": (1, f"{_ALL} for (int y = x; y < 256; y++)", "{f}(x) > {f}(y)"),
    "injectivity": (1, f"{_ALL} for (int y = x + 1; y < 256; y++)", "{f}(x) == {f}(y)"),
    "determinism": (2, _PAIRS, "{f}(x, y) != {f}(x, y)"),
    "P1": (2, _PAIRS, "({f}(x, y) > 0) - ({f}(x, y) < 0) != ({f}(y, x) < 0) - ({f}(y, x) > 0)"),
}
_OBEYING: Mapping[str, tuple[str, ...]] = {
    "commutativity": ("{h}(x, y) + {h}(y, x)", "x < y ? {h}(x, y) : {h}(y, x)", "x == y ? 0 : {h}(x * y, x + y)"),
    "monotonicity": ("x / {n} + {m}", "x > {m} ? {m} : x", "x * {n} - {m}"),
    "injectivity": ("x * {n} + {m}", "{m} - x", "x > {m} ? x + 1 : x"),
    "determinism": ("{h}(x, y) - {h}(y, x)", "{h}(y, y)"),
    "P1": ("{h}(x, y) - {h}(y, x)", "x < y ? -1 : x > y", "(x - y) * {n}"),
}
_OTHERS = ("{h}(x, {y})", "{h}({y}, x) + x", "x % {n} - {y}", "x == {m} ? {n} : {y}", "x - {y} + {n}")


@dataclass(frozen=True, slots=True)
class Lawful:
    """A program with a function, the law, and lines that tell whether it is violated."""

    draft: Draft
    function: str
    law: str
    lines: tuple[str, ...]


def drawn(chance: Random, tag: str) -> Lawful:
    writer = Writer(chance, tag)
    law = writer.pick(list(_LAWS))
    count, loop, violation = _LAWS[law]
    helper, name = writer.file("h"), writer.file("f")
    held = Scalar(BYTE, 0, 255)
    with body(writer, f"static int {helper}(int x, int y)", sees_globals=False):
        writer.scope.objects += [Object("x", Scalar(INT, 0, 10**5)), Object("y", Scalar(INT, 0, 10**5))]
        statements.some(writer, 0, 1)
        writer.page.write(f"return {writer.value_for(writer.scalar(INT), 2)};")
    forms = _OBEYING[law] if writer.one_in(2) else _OTHERS
    value = writer.pick(forms).format(
        h=helper, n=writer.number(2, 5), m=writer.number(0, 200), y="y" if count == 2 else writer.number(0, 9)
    )
    parameters = "unsigned char x, unsigned char y" if count == 2 else "unsigned char x"
    writer.functions.write(f"int {name}({parameters}) {{ return {value}; }}")
    writer.used("law", f"law {law}", f"type {held.type.name}")
    lines = (
        "int violated = 0;",
        f"{loop} if ({violation.format(f=name)}) violated = 1;",
        f"observe({VIOLATED}, violated);",
    )
    functions = tuple(writer.functions.lines)
    constructs = frozenset(writer.constructs)
    draft = Draft(tag, (), tuple(writer.definitions.lines), (), functions, (), (), (), constructs, False)
    return Lawful(draft, name, law, lines)


def is_violated(run: Run) -> bool:
    return dict(run.seen).get(VIOLATED) == 1
