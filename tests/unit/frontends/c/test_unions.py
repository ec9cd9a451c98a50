"""Unions of numbers and pointers, each of whose layouts is kept in a place of its own."""

from __future__ import annotations

import pytest

from asking import verified
from c_execution import executed, interpreted, left_open, program_of, require_compiler
from sorrel.model.outcome import Answer

_HEADER = """
#include <stdlib.h>
#include <string.h>
union both { int *p; long n; double d; };
struct value { int kind; union { int *at; double number; int flag; }; };
union parts { int *p; int row[3]; struct { int *at; int size; } block; };
static union both same(union both x) { return x; }
static union both table[2] = {{.n = 4}, {0}};
static int seven = 7;
"""


def _main(body: str) -> str:
    return f"{_HEADER}int main(void) {{ {body} }}\n"


@pytest.mark.parametrize(
    "body",
    [
        "union both x; x.p = &seven; return *x.p;",
        "union both x = {&seven}, y = x; x.n = 3; return *y.p + x.n;",
        "union both x = {.n = 25}; x = same(x); return x.n;",
        "union both x = {.n = 1}; x.n += 2; x.n++; return x.n;",
        "table[1].p = &seven; return table[0].n + *table[1].p;",
        "table[1] = table[0]; table[0].p = 0; return table[1].n;",
        "union both *x = calloc(2, sizeof *x); x[0].n = 2; int r = (x[1].p == 0) + x[0].n + x[1].n; free(x); return r;",
        "union both x, y; x.n = 5; memcpy(&y, &x, sizeof y); memset(&x, 0, sizeof x); return y.n + x.n + (x.p == 0);",
        "struct value v = {1, {&seven}}, w = v; v.flag = 2; return *w.at + v.flag;",
        "struct value v = {.kind = 2, .flag = 6}; return v.flag;",
        "union parts x = {0}; x.row[1] = 4; x.row[2]++; return x.row[0] + x.row[1] + x.row[2];",
        "union parts x[2]; x[1].p = &seven; int i = 1; x[i].row[i] = 4; x[0].row[i] = 2; return x[1].row[1] * 3;",
        "union parts x; x.block.size = 3; union parts y = x; x.p = &seven; return y.block.size + *x.p;",
        "union parts x, y; x.row[0] = 1; x.row[1] = x.row[0] + 1; y.p = &seven; y = x; return y.row[1];",
        "union parts *x = calloc(2, sizeof *x); x[1].row[2] = 9; x[0].p = 0; int r = x[1].row[2]; free(x); return r;",
    ],
)
def test_what_was_written_last_is_read_as_compiled(body: str) -> None:
    require_compiler()
    text = _main(body)
    assert interpreted(program_of(text)) == executed(text)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("union both x; x.p = &seven; x.n == 1;", "what another member of a union left there"),
        ("union both x; x.n = 1; x.d = 2; x.n == 1;", "what another member of a union left there"),
        ("union both x; long *q = &x.n; *q = 1; x.n == 2;", "union both, whose members differ in layout"),
        (
            "union parts x; x.row[0] = 1; x.p = 0; x.row[1] = 2; x.row[0] == 1;",
            "what another member of a union left there",
        ),
        (
            "union parts x; x.row[0] = 1; int *q = x.row; *q = 2; x.row[0] == 1;",
            "union parts, whose members differ in layout",
        ),
    ],
)
def test_what_was_written_as_another_member_or_through_a_pointer_to_one_is_any_value(body: str, reason: str) -> None:
    text = f"{_HEADER}void reach_error(void);\nint main(void) {{ if (({{ {body} }})) reach_error(); return 0; }}\n"
    assert any(reason in each for each in left_open(program_of(text)))
    assert verified(text, goal="unreach-call", timeout=10.0).answer is Answer.UNKNOWN


def test_no_contract_speaks_of_members_that_may_hold_something_else() -> None:
    text = (
        f"{_HEADER}void reach_error(void);\n"
        "static struct value number(double x) { struct value v; v.kind = 1; v.number = x; return v; }\n"
        "int main(void) { struct value v = number(2.0); if (v.kind != 1) reach_error(); return 0; }\n"
    )
    outcome = verified(text, goal="unreach-call", timeout=10.0)
    assert outcome.answer is Answer.SAFE
    told = "".join(str(each) for each in outcome.program_contracts)
    assert "\\\\result.kind" in told
    assert not any(name in told for name in ("written", ".flag", ".at", ".number"))
