"""Tables of values and frames of elements are true of compiled functions, whatever the arguments are."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.writing import Style, in_c
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.explain.cases import cases
from sorrel.frontends import c
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.smt.solver import Oracle

NUMBERS = (-2147483648, -129, -128, -2, -1, 0, 1, 2, 3, 127, 128, 255, 256, 65535, 2147483647)
FUNCTIONS = (
    "int f(int x, int y) { if (x < y) return x; switch (y) { case 1: return 7; case 2: x = 3; default: return x; } }",
    "int f(int x, int y) { int r = x > 0; if (y == 3 || (x < -5 && y > 9)) r = 2; return r; }",
    "int f(int x, int y) { { int x = 4; if (x < y) return x; } return x > y ? y : x; }",
    "typedef unsigned char u8; int f(u8 x, signed char y) { return x > y ? 1 : x == 255 ? 2 : 3; }",
    "typedef unsigned char u8; int f(u8 x, u8 y) { u8 s = x + y; return s; }",
    "int f(unsigned x, int y) { return x > y ? 1 : y < 0 ? 2 : 3; }",
    "int f(_Bool x, int y) { return x ? y == 1 : y != 2; }",
    "int f(short x, int y) { x = y > 4 ? 9 : x; return x < y ? x : y; }",
)


def told(text: str) -> list[str]:
    program = c.read([Source("f.c", text)], c.CSettings(c.DataModel.LP64, function="f"))
    encoding = encode(instrument(program, frozenset()), Arithmetic.IDEAL, alone=True)
    oracle = Oracle(Budget(seconds=20.0).start(), query_seconds=2.0)
    nothing = {predicate.name: terms.TRUE for predicate in encoding.system.predicates}
    found = cases(encoding.system, nothing, oracle)
    said = {name: terms.conjunction(found.get(name, ())) for name in nothing}
    return [text for each in encoding.told(said, oracle) for text in each.contract.conjuncts]


@pytest.mark.skipif(shutil.which("cc") is None, reason="functions are compiled")
@pytest.mark.parametrize("text", FUNCTIONS)
def test_a_table_is_true_of_the_compiled_function(text: str, tmp_path: Path) -> None:
    """In wide numbers, so that the table's own arithmetic does not wrap."""
    facts = told(text)
    wide = [in_c(read(fact, Dialect.ACSL), Style(lambda place: {"\\result": "r"}.get(place, place))) for fact in facts]
    parameters = text[text.index("f(") + 2 : text.index(")")].split(", ")
    types = [each.rpartition(" ")[0] for each in parameters]
    check = " && ".join(f"({fact})" for fact in wide) or "1"
    (tmp_path / "f.c").write_text(
        f"{text}\nint holds(int a, int b) {{ long long x = ({types[0]})a, y = ({types[1]})b, r = f(x, y);"
        f" return {check}; }}\n"
    )
    subprocess.run(["cc", "-w", "-fwrapv", "-shared", "-fPIC", "-o", "f.so", "f.c"], cwd=tmp_path, check=True)
    compiled = ctypes.CDLL(str(tmp_path / "f.so"))
    assert facts or "unsigned x" in text
    assert [(a, b) for a in NUMBERS for b in NUMBERS if not compiled.holds(a, b)] == []
