"""An access that fails says why: which index, of how many elements, or that the pointer is null."""

from __future__ import annotations

import pytest

from sorrel.frontends import c
from sorrel.model.source import Source
from sorrel.program.interpreter import run
from sorrel.program.run import Violated
from sorrel.program.value import zero

HEAD = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("int a[4], i = 4; a[i] = 1;", "index 4, length 4"),
        ("int a[4], i = -1; a[i] = 1;", "index -1, length 4"),
        ("struct { int n, a[2]; } s; s.n = 3; s.a[s.n] = 1;", "index 3, length 2"),
        ("int a[2][3], j = 3; a[1][j] = 1;", "index 3, length 3"),
        ("n = 5; int *p = malloc(n * sizeof *p); p[n] = 1;", "index 5, length 5"),
        ("int a[2], b[3], *p = n ? a : b; p[2 - n] = 1; p += 3; *p = 1;", "index 3, length 3"),
        ("int a[2], *p = n ? a : NULL; p[0] = 1;", "the pointer is null"),
        ("int a[2], b[3], *p = NULL; if (n) p = n > 1 ? a : b; p[0] = 1;", "the pointer is null"),
        ("int *p = NULL; *p = 1;", "the pointer is null or leads to no object"),
    ],
)
def test_an_access_that_fails_says_why(body: str, why: str) -> None:
    text = f"{HEAD}int main(void) {{ int n = __VERIFIER_nondet_int(); {body} }}"
    program = c.read((Source(text=text),), c.CSettings(c.DataModel("LP64"), (), (), "main"))
    end = run(program, zero).end
    assert isinstance(end, Violated)
    assert end.why == why
