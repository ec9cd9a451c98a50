"""Constructs of C, each in a small program that must return what the compiled one returns."""

from __future__ import annotations

import pytest

from c_execution import executed, interpreted, program_of, require_compiler
from sorrel.model.errors import InputError
from sorrel.program.statement import Havoc

_RECORD = "struct record { int key, row[3]; }; "
_MADE = _RECORD + "struct record made(int x) { struct record r = {x, {x, x + 1, x + 2}}; return r; } "
_VARIABLES = (
    "struct s { int k, b[3]; }; int i = 1, x = 4, a[3] = {1, 2, 3}, m[2][2] = {{1, 2}, {3, 4}}; "
    'struct s s = {7, {8, 9, 10}}; char *text = "abc"; '
)

_PROGRAMS = {
    "loops of macros whose heads have gaps": "#define A(s) for (i = 0; s[i] != 0 && s[i] != 'x';) i++;\n"
    "#define B(n) for (; i < n;) i++;\n#define C(n) for (;; i++) { if (i >= n) break; }\n"
    "#define D(n) for (; ({ int k = i; k; }) < n; i += 2) { int j; for (j = 0; j < 2;) j++; r += j; }\n"
    '#define E(a, b) for (a; b;) { r++; i--; }\nint main(void) { int i, r = 0; const char *s = "abc"; '
    "A(s) r += i; B(5) r += i; C(9) r += i; D(14) r += i; E(i = 7, i > 2) return r + i; }",
    "loops whose heads have gaps and comments": "int main(void) { int i = 0, r = 0; for (/* ; */; i < 3;) r += i++; "
    "for (i = 5 /* start */; /* none; */; i--) { if (i < 2) break; r += i; } "
    "for (;; /* step */) { break; } return r; }",
    "a member of a conditional structure": _RECORD
    + "struct { struct record a, b; } o = {{1, {1, 2, 3}}, {2, {4, 5, 6}}}; "
    "int main(void) { int i = 1; return (i ? o.a : o.b).key + 10 * (i ? o.b : o.a).row[i]; }",
    "a conditional structure that is not chosen": _RECORD
    + "struct record a = {1}, b = {2}; int main(void) { int x = 0, *p = 0; "
    "int r = x && (1 / x ? a : b).key; r += p ? (*p ? a : b).key : 5; return r + (!p || (*p ? a : b).key); }",
    "a member of a result": _MADE + "int main(void) { int i = 2; return made(3).key + 10 * made(4).row[i]; }",
    "a member of an assignment and of a comma": _RECORD
    + "int main(void) { struct record s = {1, {2, 3, 4}}, t; int i = 0; "
    "return (i++, s).row[1] + 10 * (t = s).key + 100 * (t = s).row[2] + 1000 * i; }",
    "a member of a statement expression": _RECORD
    + "int main(void) { struct record s = {1, {2, 3, 4}}; return ({ s; }).row[2]; }",
    "rows inside of a result": "struct inner { int x[2]; }; struct outer { struct inner i[2]; }; "
    "struct outer made(void) { struct outer s = {{{{1, 2}}, {{3, 4}}}}; return s; } "
    "int main(void) { int a = 1; return made().i[a].x[a]; }",
    "an array of a result as an argument": _MADE
    + "int second(int *p) { return p[1]; } int main(void) { return second(made(5).row) + *made(6).row; }",
    "results of a function that calls itself": _RECORD
    + "struct record down(int n) { struct record r = {n, {0, n, 0}}; "
    "if (n > 0) r.key = down(n - 1).row[1] + down(n - 1).key * 2; return r; } int main(void) { return down(4).key; }",
    "pointers in a result": "struct t { int v; }; struct s { struct t *p; int *q; }; struct t t = {5}; int n = 6; "
    "struct s made(void) { struct s s = {&t, &n}; return s; } int main(void) { return made().p->v + 10 * *made().q; }",
    "a function that returns a pointer to a function": "int add(int a, int b) { return a + b; } "
    "int (*chosen(void))(int, int) { return add; } int main(void) { return chosen()(2, 3); }",
    "a function that a block announces": "int main(void) { extern int after(int); int later(int); "
    "return after(2) + later(3); } int after(int x) { return x * 3; } int later(int x) { return x * 5; }",
    "a variable that a block announces": "int f(void) { extern int g; return g; } int g = 4; "
    "int main(void) { int g = 1; { extern int g; return f() * 10 + g; } }",
    "?: without a middle evaluates its first operand once": "int c; int f(void) { return c++; } "
    "int main(void) { int a = f() ?: 7; int b = f() ?: 9; return a * 100 + b * 10 + c; }",
    "a choice made by the compiler": "int main(void) { int x = 3; "
    "return __builtin_choose_expr(1, x, 2L) + 10 * __builtin_types_compatible_p(int, int); }",
    "the offset of an element": "struct s { int a[4], b; }; "
    "int main(void) { return __builtin_offsetof(struct s, a[2]) + __builtin_offsetof(struct s, b); }",
    "a statement with an attribute": "int main(void) { int x = 1; switch (x) { case 1: x = 5; "
    "__attribute__((fallthrough)); case 2: x++; } return x; }",
    "typedef'd arrays are pointed to as a whole": "typedef unsigned char S[4][4]; "
    "void set(S *s) { (*s)[1][2] = 7; s[1][0][1] = 9; } int get(S s) { return s[1][2]; } "
    "int main(void) { S a[2] = {0}; set(a); return sizeof(S) + 100 * get(a[0]) + 1000 * a[1][0][1]; }",
    "pointers to rows move by rows": "int m[3][4]; int main(void) { int (*p)[4] = m; "
    "for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) p[i][j] = i * 10 + j; "
    "p++; int (*q)[4] = p + 1; return (*p)[2] + 100 * (*q)[3] + (int)(q - p); }",
    "arguments that nobody reads": "int first(int x, ...) { return x; } "
    "int main(void) { int y = 1; return first(3, y++, 5) + 10 * y; }",
    "an array whose length comes later": "static int a[]; static int a[3]; "
    "int main(void) { a[2] = 4; return a[2] + sizeof a; }",
    "a truth value as an index": "int main(void) { int a[2] = {3, 4}, i = 7; return a[(_Bool)i]; }",
    "a function reached by its address": "int f(void) { return 4; } int main(void) { int (*p)(void) = *&f; "
    "return (*p)() + (**p)() + (*&f)(); }",
    "truth values as indices": "long g[2] = {5, 6}; int m[2][2] = {{1, 2}, {3, 4}}; int main(void) { _Bool b = 1; "
    "int a[2] = {1, 2}, *p = a, v = a[b]++; a[!b] = 7; *(p + b) += 1; return v + 10 * a[b] + 100 * g[b] + m[b][!b]; }",
    "nameless members that one macro makes": "#define ONE(n) struct { int n; };\n#define TWO ONE(a) ONE(b)\n"
    "struct s { TWO int c; }; int main(void) { struct s s = {1, 2, 3}; "
    "s.b = 5; struct s t = s; return t.a * 1000 + t.b * 100 + t.c * 10; }",
    "a definition in the old style": "int f(a, b) int a; char b; { return a + b; } int main() { return f(3, 4); }",
    **{
        f"the expression {expression}": _VARIABLES + f"int main(void) {{ return {expression}; }}"
        for expression in (
            *('"hello"[i]', '*"xyz"', '(&"abc"[1])[0]', 'sizeof "abcd"', 'i["qrs"]', '*("abc" + i)', '*(&"abc"[1])'),
            *('(1, "abc")[1]', '(i ? "abc" : "de")[1]', '(*&"abc")[1]', "text[2]", 'L"xy"[1] + sizeof(L"abc")'),
            *("(&a[1])[1]", "(&a[0])[i]", "(&x)[0]", "(&m[1][0])[1]", "(&m[1])[0][1]", "(*&a)[1]", "(&a)[0][1]"),
            *(
                "(&s)->k",
                "(&s.b[1])[0]",
                "(&s)[0].k",
                "0[&x]",
                "*(*(m + 1) + 1)",
                "(m + 1)[0][1]",
                "**m",
                "(&a[1])[-1]",
            ),
        )
    },
    **{
        f"an assignment to {place}": _VARIABLES
        + f"int main(void) {{ {place} = 30; return x + a[2] * 2 + m[1][1] * 4 + s.b[1] * 8 + s.k * 16; }}"
        for place in ("(&a[1])[1]", "(&x)[0]", "(&m[1][0])[1]", "(&m[1])[0][1]", "(&s.b[1])[0]", "(&s)[0].k")
    },
}


@pytest.mark.parametrize("name", _PROGRAMS)
def test_a_construct_behaves_as_when_compiled(name: str) -> None:
    require_compiler()
    expected = executed(_PROGRAMS[name])
    assert expected.text.startswith("returned")
    assert interpreted(program_of(_PROGRAMS[name])) == expected


@pytest.mark.parametrize(
    ("one", "other", "open"),
    [('"abc"', '"abc"', True), ('"abc"', '"bc"', True), ('"abc"', '"abd"', False), ('"a"', "0", False)],
)
def test_whether_equal_literals_are_one_object_is_open(one: str, other: str, open: bool) -> None:
    text = f"int main(void) {{ const char *p = {one}, *q = {other}; return p == q; }}"
    statements = [each for block in program_of(text).procedures[0].blocks for each in block.statements]
    assert any(isinstance(each, Havoc) and "string literals" in each.source for each in statements) is open


@pytest.mark.parametrize("head", ["HEAD)", "HEAD i++)", "NOTHING; i < 3;)"])
def test_a_loop_whose_head_a_macro_makes_with_gaps_is_refused(head: str) -> None:
    macros = "#define HEAD ; i < 3;\n#define NOTHING\n"
    with pytest.raises(InputError, match="head is made by a macro"):
        program_of(f"{macros}int main(void) {{ int i = 0; for ({head} {{ i++; i++; }} return i; }}")
