"""Memory that is used as several types: what is in it is not modelled, and everything else is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from c_execution import executed, interpreted, left_open, program_of, require_compiler
from sorrel.program.construction import TRUE
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Choice, Havoc, Statement
from sorrel.program.types import BOOLEAN

_LIBRARY = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
_STRUCTURES = "struct in { int k; struct in *next; }; struct out { int a; struct in i; char *name; };\n"


def _inside(program: Program) -> Program:
    """The program in which accesses to memory of several types are where they should be."""

    def settled(statement: Statement) -> Statement:
        if isinstance(statement, Havoc) and statement.choice is Choice.ABSTRACTION and statement.target.type == BOOLEAN:
            return Assign(statement.target, TRUE, statement.span)
        return statement

    def with_blocks(procedure: Procedure) -> Procedure:
        blocks = [replace(each, statements=tuple(map(settled, each.statements))) for each in procedure.blocks]
        return replace(procedure, blocks=tuple(blocks))

    return replace(program, procedures=tuple(map(with_blocks, program.procedures)))


@pytest.mark.parametrize(
    "body",
    [
        "float x = 5; char *c = (char *)&x; c[0] = 9; return x == 5;",
        "_Bool x = 1; char *c = (char *)&x; *c = 9; return x == 1;",
        "int *x = 0; short *c = (short *)&x; *c = 9; return x == 0;",
        "union { float f; short s[2]; } u; u.f = 1; u.s[0] = 2; return u.s[1];",
        "union { struct { int a : 3; } b; int i; } u; u.i = 5; return u.b.a;",
        "int *a[2] = { 0 }; unsigned char b[16]; memcpy(b, a, 16); return b[0];",
        "struct out o = { 1 }; ((struct out *)((char *)&o.i - offsetof(struct out, i)))->a = 7; return o.a;",
        "struct out o = { 1 }; struct in *p = &o.i; *(int *)((char *)p - 8) = 7; return o.a;",
        "union { int i; int *p; } a, b, c; int x = 1; a.p = &x; b.i = 0; b = a; c = b; *c.p = 5; return x;",
        "int x = 1; uintptr_t n = (uintptr_t)&x; *(int *)n = 7; return x;",
        "struct out o = { 1 }, p = { 2 }; memcpy(&o, &p, 5); return o.a;",
    ],
)
def test_what_is_read_as_something_else_is_any_value(body: str) -> None:
    program = program_of(f"{_LIBRARY}{_STRUCTURES}int main(void) {{ {body} }}")
    assert left_open(program)


@pytest.mark.parametrize(
    "body",
    [
        "struct out o = { 3 }; char *c = (char *)&o; void *v = c; struct out *q = v; q->a++; return o.a;",
        "struct { int n; union { int i; char c; } u; int m; } h; h.n = h.m = 2; h.u.i = 1; h.u.c = 2; return h.n;",
        "unsigned a[2]; memset(a, 0x81, sizeof a); return a[1] == 0x81818181u;",
        "signed char a[3]; memset(a, 200, sizeof a); return a[2];",
        "int a[2]; int n = 511; memset(a, n, sizeof a); return a[0];",
        "int x = 1, y = 2; char *c = (char *)&y; c[0] = 9; return x;",
        "struct in *p = 0; return (size_t)&((struct in *)0)->k == 0 || p == 0;",
        "struct t { int n; char d[]; } *t = malloc(sizeof *t + 8); t->n = 5; t->d[7] = 1; int n = t->n; return n;",
        'struct e { char b[4]; int n; } a[2] = { { "ab", 1 }, { "c", 2 } }; char *p = a[1].b; p++; *p = 0; return 4;',
    ],
)
def test_what_is_beside_it_is_as_compiled(body: str) -> None:
    require_compiler()
    text = f"{_LIBRARY}{_STRUCTURES}int main(void) {{ {body} }}"
    assert interpreted(_inside(program_of(text))) == executed(text, [])


def test_memory_is_told_with_both_types_and_the_line() -> None:
    program = program_of("int main(void) {\n  int *x = 0;\n  char *c = (char *)&x;\n  return c[0];\n}")
    assert left_open(program) == {"program.c:4:10: memory used both as int * and as char"}


def test_a_pointer_into_the_middle_of_blurred_memory_is_not_known_to_be_one_that_may_be_freed() -> None:
    text = f"{_LIBRARY}int main(void) {{ int **p = malloc(8); *p = 0; char *c = (char *)p; c[0] = 1; free(c + 1); }}"
    assert any("memory used both" in reason for reason in left_open(program_of(text)))


def test_pointers_that_may_travel_as_bytes_are_an_assumption() -> None:
    moved = "int x, *a[1] = { &x }, *c[1]; unsigned char b[8]; memcpy(b, a, 8); memcpy(c, b, 8); return b[0];"
    program = program_of(f"{_LIBRARY}int main(void) {{ {moved} }}")
    assert any("copied as a whole" in premise.text for premise in program.assumptions)


def test_functions_that_do_not_fit_a_call_are_not_called() -> None:
    text = """typedef int (*unary)(int);
    static int one(int x) { return x + 1; } static int two(int x, int y) { return y; }
    int main(void) { void *table[2] = { (void *)one, (void *)two }; unary f = (unary)table[0]; return f(3); }"""
    require_compiler()
    assert interpreted(_inside(program_of(text))) == executed(text, [])
