"""Ways to the same memory: unions, members, elements and whole objects, each program against its compiled self."""

from __future__ import annotations

import pytest

from c_execution import Behaviour, executed, interpreted, program_of, require_compiler

_TWICE = "static int twice(int *p, int *q) { *p = 1; *q = 2; return *p * 10 + *q; }\n"

_UNIONS = {
    "members of a union": "union u { int a, b; }; int main(void) { union u u; return twice(&u.a, &u.b); }",
    "the same member": "union u { int a, b; }; int main(void) { union u u; return twice(&u.b, &u.b); }",
    "members of different signs": """
static int f(int *p, unsigned *q) { *p = -1; *q = 5; return *p; }
union u { int a; unsigned b; };
int main(void) { union u u; return f(&u.a, &u.b); }
""",
    "a nameless union": """
struct s { int k; union { int a, b; }; };
int main(void) { struct s s; s.k = 3; return twice(&s.a, &s.b) * 10 + s.k; }
""",
    "a union within a union": """
union u { union { int a, b; } x, y; };
int main(void) { union u u; return twice(&u.x.a, &u.y.b); }
""",
    "a union first in a structure": """
struct s { union { int a, b; } u; int c; };
int main(void) { struct s s; int r = twice(&s.u.a, &s.u.b); return r * 100 + twice(&s.u.b, &s.c); }
""",
    "a union in an array": """
union u { int a, b; };
int main(void) { union u t[3]; int i = 1; return twice(&t[i].a, &t[1].b) * 100 + twice(&t[0].a, &t[2].b); }
""",
    "a union in a structure in an array": """
struct s { int k; union { int a, b; } u; };
int main(void) { struct s t[2]; int i = 1; return twice(&t[i].u.a, &t[1].u.b) * 100 + twice(&t[1].k, &t[1].u.b); }
""",
    "arrays in a union": """
static int f(int *p, int *q) { p[1] = 1; q[1] = 2; return p[1]; }
union u { int a[2], b[2]; };
int main(void) { union u u; return f(u.a, u.b); }
""",
    "elements of arrays in a union": """
union u { int a[2], b[2]; };
int main(void) { union u u; int i = 1; return twice(&u.a[i], &u.b[1]) * 100 + twice(&u.a[0], &u.b[i]); }
""",
    "structures in a union": """
struct p { int x, y; };
union u { struct p a, b; };
static int f(struct p *p, struct p *q) { p->x = 1; q->x = 2; q->y = 3; return p->x * 10 + p->y; }
int main(void) { union u u; return f(&u.a, &u.b) * 100 + twice(&u.a.x, &u.b.x); }
""",
    "different members of structures in a union": """
struct p { int x, y; };
union u { struct p a, b; };
int main(void) { union u u; return twice(&u.a.x, &u.b.y) * 100 + twice(&u.a.y, &u.b.y); }
""",
    "a structure and a member of it": """
struct p { int x, y; };
static int f(struct p *p, int *q) { p->x = 1; *q = 2; return p->x; }
int main(void) { struct p s; int r = f(&s, &s.x); return r * 10 + f(&s, &s.y); }
""",
    "a structure in a union and a member of the other": """
struct p { int x, y; };
union u { struct p a, b; };
static int f(struct p *p, int *q) { p->x = 1; *q = 2; return p->x; }
int main(void) { union u u; return f(&u.a, &u.b.x); }
""",
    "a union handed on": """
union u { int a, b; };
static int f(union u *p, union u *q) { return twice(&p->a, &q->b); }
int main(void) { union u u, v; return f(&u, &u) * 100 + f(&u, &v); }
""",
    "a member handed on": """
union u { int a, b; };
static int g(int *p, int *q) { return twice(p, q); }
static int f(union u *p) { return g(&p->a, &p->b); }
int main(void) { union u u; return f(&u); }
""",
    "pointers to members that variables keep": """
union u { int a, b; };
int main(void) { union u u; int *p = &u.a, *q = &u.b; *p = 1; *q = 2; return *p * 10 + (p == q); }
""",
    "a pointer to a member beside a name": """
union u { int a, b; };
int main(void) { union u u; int *p = &u.b; u.a = 1; *p = 2; return u.a * 10 + u.b; }
""",
    "a global union that the callee names": """
union u { int a, b; } g;
static int f(int *p) { *p = 1; g.b = 2; return *p; }
int main(void) { return f(&g.a); }
""",
    "a global's member that the callee names as a whole": """
struct s { int a, b; } g, h = { 7, 8 };
static int f(int *p) { *p = 1; g = h; return *p; }
int main(void) { return f(&g.b); }
""",
    "a global's member that a function called later names": """
struct s { int a, b; } g;
static void set(void) { g.b = 4; }
static int f(int *p) { *p = 1; set(); return *p; }
int main(void) { return f(&g.b); }
""",
    "a union given a value by its second member": """
union u { int a, b; };
int main(void) { union u u = { .b = 6 }, v; v = u; return v.a * 10 + u.a; }
""",
    "a union passed and returned by value": """
union u { int a, b; };
static union u f(union u p) { p.a++; return p; }
int main(void) { union u u; u.b = 4; u = f(u); return u.b * 10 + u.a; }
""",
    "pointers in a union": """
union u { int *p, *q; };
int main(void) { int x = 1, y = 2; union u u; u.p = &x; u.q = &y; *u.p = 5; return x * 10 + y; }
""",
    "pointers in a union by reference": """
union u { int *p, *q; };
static int f(int **p, int **q, int *x, int *y) { *p = x; *q = y; return **p; }
int main(void) { int x = 1, y = 2; union u u; return f(&u.p, &u.q, &x, &y); }
""",
}

_PARTS = {
    "an array and its element": """
static int f(int *a, int *p) { a[1] = 1; *p = 2; return a[1]; }
int main(void) { int a[3]; return f(a, &a[1]) * 10 + f(a, &a[2]); }
""",
    "one element by two indices": """
int main(void) { int a[3], i = 2, j = 1; return twice(&a[i - 1], &a[j]) * 100 + twice(&a[i], &a[j]); }
""",
    "a row and an element": """
static int f(int *a, int *p) { a[1] = 1; *p = 2; return a[1]; }
int main(void) { int m[2][3], i = 1; return f(m[i], &m[1][1]) * 10 + f(m[0], &m[1][1]); }
""",
    "fields of elements": """
struct s { int a, b; };
int main(void) { struct s t[2]; int i = 1, j = 1; return twice(&t[i].a, &t[j].b) * 100 + twice(&t[i].a, &t[j].a); }
""",
    "an array inside of a structure": """
struct s { int a[2], b[2]; };
static int f(int *p, int *q) { p[0] = 1; q[0] = 2; return p[0]; }
int main(void) { struct s s; return f(s.a, s.b) * 10 + f(s.a, s.a); }
""",
    "elements of arrays inside of elements": """
struct s { int a[2]; int k; };
int main(void) {
  struct s t[2]; int i = 1, j = 1;
  return twice(&t[i].a[j], &t[1].a[1]) * 100 + twice(&t[0].a[1], &t[1].a[0]);
}
""",
    "a structure copied over itself": """
struct s { int a, b; };
static void copy(struct s *p, const struct s *q) { p->a = q->b; p->b = q->a; }
int main(void) { struct s s = { 1, 2 }, t = { 3, 4 }; copy(&s, &s); copy(&t, &s); return s.a * 1000 + s.b * 100 + t.a; }
""",
    "a reference that is also returned": """
static int *pick(int *p, int *q, int c) { return c ? p : q; }
int main(void) { int x = 1, y = 2; *pick(&x, &y, 1) = 5; *pick(&x, &x, 0) += 1; return x * 10 + y; }
""",
}


@pytest.mark.parametrize("text", [*_UNIONS.values(), *_PARTS.values()], ids=[*_UNIONS, *_PARTS])
def test_what_shares_memory_is_read_as_the_compiler_reads_it(text: str) -> None:
    require_compiler()
    assert interpreted(program_of(_TWICE + text)) == executed(_TWICE + text)


def test_members_of_a_union_passed_by_reference_overlap() -> None:
    text = """
extern void reach_error(void);
union u { int a, b; };
static void f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) reach_error(); }
int main(void) { union u u; f(&u.a, &u.b); return 0; }
"""
    assert interpreted(program_of(text)) == Behaviour("error")
