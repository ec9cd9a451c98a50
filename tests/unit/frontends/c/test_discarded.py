"""What can go wrong in a value is part of the program, whether or not anybody asks for the value."""

from __future__ import annotations

import pytest

from c_execution import interpreted, program_of
from sorrel.program.checks import instrument
from sorrel.program.statement import Kind

_PROGRAM = """
double half(double given) {{ return given; }}
double whole(int given) {{ return 5 / given; }}
void *malloc(unsigned long); int abs(int);
struct s {{ double d; int n; }};
int main(void) {{ int x = 0, a[3] = {{ 0 }}; double d = 0, e[2]; {statement} return 0; }}
"""
_DIVISIONS = [
    "5 / x;",
    "(void)(5 / x);",
    "(5 / x, 1);",
    "!(5 / x);",
    "x == 0 && 5 / x;",
    "x ? 1 : 5 / x;",
    "a + 5 / x;",
    "a[5 / x > 0];",
    "({ 5 / x; });",
    "if (5 / x);",
    "if (5 / x) { } else { }",
    "if (x == 0) { if (5 / x > 3) { } }",
    "switch (5 / x) { default: ; }",
    "d = 5 / x;",
    "d = d + 5 / x;",
    "e[1] += 5 / x;",
    "d = x == 0 ? 5 / x : 1.0;",
    "if (1.5 > 5 / x) return 1;",
    "half(5 / x);",
    "whole(x);",
    "struct s s = { 5 / x, 1 };",
    "__builtin_expect(5 / x, 0);",
    "abs(5 / x);",
    "malloc(5 / x);",
]


def _divided(statement: str) -> str:
    program = instrument(program_of(_PROGRAM.format(statement=statement)), frozenset({Kind.DIVISION}))
    return interpreted(program).text


@pytest.mark.parametrize("statement", _DIVISIONS)
def test_a_value_that_nobody_uses_is_computed_all_the_same(statement: str) -> None:
    assert _divided(statement) != "returned 0"


@pytest.mark.parametrize("statement", ["x && 5 / x;", "x ? 5 / x : 1;", "d = x ? 5 / x : 1.0;", "if (x) if (5 / x);"])
def test_what_is_not_evaluated_cannot_go_wrong(statement: str) -> None:
    assert _divided(statement) == "returned 0"
