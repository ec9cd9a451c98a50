"""Memory that is kept as bytes: numbers and structures seen through other types are as the compiler has them."""

from __future__ import annotations

from functools import cache

import pytest

from c_execution import executed, interpreted, left_open, program_of, require_compiler, supply
from sorrel.program.checks import unwatched
from sorrel.program.interpreter import run
from sorrel.program.run import Refused, Violated

_HEAD = """#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); long long __VERIFIER_nondet_longlong(void);
struct in { short k; int v; }; struct out { int a; struct in i; unsigned char t[3]; short s; };
struct text { int n; unsigned char d[]; };
typedef union { unsigned u; unsigned char b[4]; } word;
struct named { char name[6]; int n; short m; }; struct pair { int a, b; };
static void fill(char *to, int n) { for (int i = 0; i < 3; i++) *to++ = (char)('a' + n + i); *to = 0; }
static struct named made(int n) { struct named s = {"m", n, 1}; s.name[2] = (char)n; return s; }
static int sum_of(struct named s) { return s.name[0] + s.name[2] + s.n + s.m; }
static void swap(int *a, int *b, int x, int y) { *a = x; *b = y; int *low = x < y ? a : b; *low += 1; }
static unsigned load(const unsigned char *p) { unsigned v; memcpy(&v, p, 4); return v; }
static void store(unsigned char *p, unsigned v) { memcpy(p, &v, 4); }
"""
_BODIES = {
    "a union of a number and its bytes": "word w; w.u = x; return w.b[0] + 2 * w.b[3];",
    "bytes of a union make a number": "word w; w.b[0] = x; w.b[1] = y; w.b[2] = 1; w.b[3] = 2; return w.u;",
    "a union of numbers of different sizes": "union { int i; short s[2]; } u; u.i = x; u.s[1] = y; return u.i;",
    "a narrow member": "struct { int n; union { int i; signed char c; } u; } h; h.u.i = x; return h.u.c;",
    "a union in an array": "word a[3]; for (int i = 0; i < 3; i++) a[i].u = x + i; return a[1].b[1] ^ a[2].u;",
    "a union in a structure that is copied": (
        "struct { int n; word w; } a, b; a.n = 1; a.w.u = x; b = a; b.w.b[1] = y; return b.w.u ^ a.w.b[1];"
    ),
    "unions are assigned": "word a, b; a.u = x; b = a; b.b[2]++; return b.u - a.u;",
    "a union of 64 bits": (
        "union { long long l; int i[2]; } u; u.l = (long long)x * 1048576 ^ y; return u.i[0] ^ u.i[1];"
    ),
    "a text in each structure of an array": (
        "x %= 999; y %= 99; "
        "struct named a[3]; for (int i = 0; i < 3; i++) { a[i].n = x + i; fill(a[i].name, i); a[i].m = y; } "
        "return a[1].name[1] + a[2].n * 3 + a[0].m + (int)strlen(a[2].name);"
    ),
    "numbers in structures of an array that begins with values": (
        "x %= 999; y %= 99; "
        'struct named a[3] = {{"ab", 7, 2}, {"c", 8, 3}, {.m = 9, .name = "xyz"}}; int k = (unsigned)x % 3; '
        "fill(a[k].name + 1, k); return a[0].name[0] + a[1].name[1] * 5 + a[2].name[2] * 7 + a[k].n + a[2].m;"
    ),
    "structures with texts that are allocated": (
        "x %= 999; y %= 99; "
        "struct named *p = calloc(4, sizeof *p); for (int i = 0; i < 4; i++) { fill(p[i].name, i); p[i].n += x; } "
        "struct named one = p[2]; one.m = y; p[3] = one; int r = p[3].m + p[3].name[2] + p[1].n; free(p); return r;"
    ),
    "structures with texts that are passed and returned": (
        "x %= 999; y %= 99; "
        "struct named a[2]; a[0] = made(x); a[1] = made(y); fill(a[1].name, 2); return sum_of(a[0]) * 2 - sum_of(a[1]);"
    ),
    "texts in structures inside of structures in an array": (
        "x %= 999; y %= 99; "
        "struct { int before; struct named in; short after[2]; } a[3]; memset(a, 0, sizeof a); "
        "for (int i = 0; i < 3; i++) { fill(a[i].in.name, i); a[i].in.n = x; a[i].after[1] = y; a[i].before = i; } "
        "return a[2].in.name[1] + a[1].in.n + a[0].after[1] + a[2].before + a[1].in.m;"
    ),
    "a pointer along one member of structures in an array": (
        "x %= 999; y %= 99; "
        "struct named a[3]; memset(a, 0, sizeof a); short *p = &a[1].m; *p = x; p[0]++; struct named *q = &a[2]; "
        "q--; q->n = y; char *t = q->name; *t++ = 1; *t = 2; return a[1].m + a[1].n + a[1].name[1] * 3;"
    ),
    "two members of each of many structures": (
        "x %= 999; y %= 99; "
        "struct pair *p[3]; for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof **p); "
        "swap(&p[i]->a, &p[i]->b, x + i, y); } "
        "int r = p[0]->a + 2 * p[1]->b + 3 * p[2]->a; for (int i = 0; i < 3; i++) free(p[i]); return r;"
    ),
    "a structure in a union": (
        "union { struct in s; unsigned char b[8]; } u; u.s.k = x; u.s.v = y; return u.b[1] + u.b[5];"
    ),
    "a union that is initialised": "word w = { x }; return w.b[1];",
    "a member that is initialised": "word w = { .b = { 1, 2, x } }; return w.u;",
    "a union passed and returned": "word w = { x }; w = turned(w); return w.u;",
    "a union passed by address": "word w = { x }; turn(&w); return w.u;",
    "a union behind a pointer": (
        "struct cell c = { 3, { x } }; struct cell *p = &c; c.n += p->w.b[1]; p->w.b[0]++; return shown(p);"
    ),
    "a union behind one of two pointers": (
        "struct cell c = { 3, { x } }, d = { 4, { y } }; struct cell *p = x > 0 ? &c : &d; p->w.b[2] = 9; return"
        " (int)(c.w.u % 1000 + d.w.b[2]) + shown(p);"
    ),
    "unions in allocated structures": (
        "int s = 0; for (int i = 0; i < 3; i++) { struct cell *p = malloc(sizeof *p); p->n = i; p->w.u = x;"
        " p->w.b[i] ^= 1; s = s * 2 % 1000 + shown(p); free(p); } return s;"
    ),
    "a number seen as characters": "int v = x; char *c = (char *)&v; c[1] = 7; return v;",
    "characters of a number are signed": "int v = x; signed char *c = (signed char *)&v; return c[0] + c[3];",
    "a number seen as halves": "int v = x; short *h = (short *)&v; h[1] += y; return v;",
    "an array seen as bytes": (
        "int v[3] = { x, y, 5 }; unsigned char *c = (unsigned char *)v; int s = 0; for (unsigned i = 0; i <"
        " sizeof v; i++) s = s * 3 % 1000 + c[i]; return s;"
    ),
    "bytes seen as a number": (
        "unsigned char b[8] = { 1, 2, x, y, 5, 6, 7 }; return *(int *)(b + 2) ^ *(short *)&b[6];"
    ),
    "a structure seen as bytes": (
        "struct out o = { x, { y, 3 }, { 1, 2, 3 }, 9 }; unsigned char *c = (unsigned char *)&o; return c[0] +"
        " c[4] + c[offsetof(struct out, t) + 1] + c[offsetof(struct out, s)];"
    ),
    "structures of characters are compared": (
        "struct { unsigned char o[3]; } a = { { 1, x, 3 } }, b = { { 1, y, 3 } };"
        " return (memcmp(&a, &b, sizeof a) > 0) - (memcmp(&a, &b, sizeof a) < 0);"
    ),
    "structures of numbers are compared": (
        "struct { int a; short b, c; } s = { x, 1, 2 }, t = { y, 1, 2 };"
        " return (memcmp(&s, &t, sizeof s) > 0) + 2 * (memcmp(&s, &s, sizeof s) == 0);"
    ),
    "a member of structures in an array is compared": (
        "struct { struct { unsigned char o[2]; } k; unsigned n; } a[3] = { { { { 1, 2 } }, 5 }, { { { x, y } }, 6 } };"
        " for (int i = 0; i < 3; i++) if (memcmp(&a[i].k, &a[1].k, 2) == 0) { a[i].n++; return i * 100 + a[i].n; }"
        " return -1;"
    ),
    "a structure that starts with another": (
        "struct wide { struct in i; int more; } w = { { x, y }, 4 }; struct in *p = (struct in *)&w; p->v++;"
        " return w.i.v + ((struct wide *)p)->more + p->k;"
    ),
    "the structure around a member": (
        "struct out o = { 1, { x, y } }; struct in *p = &o.i; ((struct out *)((char *)p - offsetof(struct out,"
        " i)))->a = p->v; return o.a;"
    ),
    "memory that is cleared": (
        "struct in s; memset(&s, 0, sizeof s); s.v = x; unsigned char *c = (unsigned char *)&s; return c[2] + c[5];"
    ),
    "a copy of bytes into a number": "unsigned char b[6] = { 9, x, y, 4, 5 }; return load(b + 1);",
    "a copy of a number into bytes": "unsigned char b[6] = { 9 }; store(b + 2, x); return b[0] + b[2] * b[5];",
    "halves that are copied": "int v = x; short h; memcpy(&h, (char *)&v + 2, 2); return h;",
    "a copy of part of an array": (
        "int a[2] = { x, y }, b[2] = { 0 }; memcpy(b, a, 6); memmove((char *)b + 1, b, 3); unsigned char *c ="
        " (unsigned char *)b; return b[0] ^ c[5];"
    ),
    "allocated memory": (
        "unsigned char *b = malloc(12); memset(b, 3, 12); int *p = (int *)(b + 4); *p = x; int r = b[5];"
        " free(b); return r;"
    ),
    "an array at the end": (
        "struct text *t = malloc(sizeof *t + 4); t->n = 4; for (int i = 0; i < t->n; i++) t->d[i] = x + i; int r"
        " = t->d[3] + t->n; free(t); return r;"
    ),
    "distance in elements": (
        "int a[4] = { x }; char *c = (char *)a; c[5] = 1; return (int)(&a[3] - &a[1]) + (int)(c + 6 - c);"
    ),
    "a parameter seen as bytes": "return low(x) + low(y);",
    "a table of bytes": (
        "static const unsigned char t[8] = { 1, 2, 3, 4, 250, 6, 7, 8 }; return load(t + (x & 3)) ^ *(const"
        " short *)(t + 4);"
    ),
    "a table of numbers": (
        "static const unsigned t[2] = { 0x01020304u, 0xfffefdfcu }; return ((const unsigned char *)t)[x & 7];"
    ),
    "structures that are assigned": (
        "struct out o = { x, { y, 3 }, { 1, 2, 3 }, 9 }, p; unsigned char *c = (unsigned char *)&p; p = o;"
        " c[0]++; return p.a + p.i.k + p.t[2] + c[4];"
    ),
    "an array of structures inside": (
        "struct { struct in a[2]; } s = { { { 1, x }, { 2, y } } }, t; t = s; unsigned char *c = (unsigned char"
        " *)&t; return c[4] + 3 * c[12] + c[8];"
    ),
}
_FUNCTIONS = """static word turned(word w) { unsigned char t = w.b[0]; w.b[0] = w.b[3]; w.b[3] = t; return w; }
static void turn(word *w) { unsigned char t = w->b[1]; w->b[1] = w->b[2]; w->b[2] = t; }
struct cell { int n; word w; };
static int shown(const struct cell *p) { return (int)(p->w.u % 100000) + p->n * 3 + p->w.b[3]; }
static int low(int v) { unsigned char *c = (unsigned char *)&v; c[1] = 0; return v + c[0]; }
"""
_VALUES = [(0, 0), (-1, 255), (305419896, -2), (-2147483648, 127), (65535, -128)]


def _text(body: str) -> str:
    inputs = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();"
    return f"{_HEAD}{_FUNCTIONS}int main(void) {{ {inputs} {body} }}"


@cache
def _compiled() -> dict[tuple[str, tuple[int, int]], int]:
    """What the compiler makes of all of them, in one program."""
    bodies = "".join(f"static int f{n}(int x, int y) {{ {body} }}\n" for n, body in enumerate(_BODIES.values()))
    asked = [(n, name, values) for n, name in enumerate(_BODIES) for values in _VALUES]
    calls = "".join(f'printf("%d\\n", f{n}({x}, {y}));\n' for n, _, (x, y) in asked)
    text = f"#include <stdio.h>\n{_HEAD}{_FUNCTIONS}{bodies}int main(void) {{ {calls} return 0; }}"
    lines = executed(text).text.splitlines()
    return {(name, values): int(line) for (_, name, values), line in zip(asked, lines[:-1], strict=True)}


@pytest.mark.parametrize("name", _BODIES)
def test_bytes_are_as_compiled(name: str) -> None:
    require_compiler()
    program = program_of(_text(_BODIES[name]))
    assert not left_open(program) - {"what is between members", "what leads to memory that is left"}
    for values in _VALUES:
        assert interpreted(program, values).text == f"returned {_compiled()[name, values]}"


def test_a_pointer_to_bytes_from_outside_promises_one_byte() -> None:
    text = "unsigned load(const unsigned char *p) { return *(const unsigned *)p; }"
    outcome = run(unwatched(program_of(text, function="load")), supply([1]), steps=1000)
    assert isinstance(outcome.end, Violated)


def test_a_pointer_to_a_number_from_outside_promises_all_its_bytes() -> None:
    text = "int last(int *p) { unsigned char *c = (unsigned char *)p; return c[3]; }"
    outcome = run(unwatched(program_of(text, function="last")), supply([3]), steps=1000)
    assert isinstance(outcome.end, Refused)


@pytest.mark.parametrize(
    "call", ["memset(p, 0, sizeof *p);", "memcpy(p, &t, sizeof *p);", "memmove(p, &t, sizeof *p);"]
)
def test_a_structure_that_is_set_or_copied_as_a_whole_keeps_its_members(call: str) -> None:
    declared = "struct set { int keys[32]; int used; } s = { { 0 }, 1 }, t = { { 1 }, 2 };"
    changed = f"static void change(struct set *p) {{ {call} }}"
    main = "int main(void) { change(&s); s.used++; return s.used + t.used; }"
    program = program_of(f"#include <string.h>\n{declared} {changed} {main}")
    assert {"s.used", "t.used"} <= {each.name for each in program.globals}
