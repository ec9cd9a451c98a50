"""Ways to the same memory: unions, members, elements and whole objects, each program against its compiled self."""

from __future__ import annotations

import pytest

from c_execution import Behaviour, executed, interpreted, left_open, program_of, require_compiler
from sorrel.program.program import Program
from sorrel.program.statement import Choice, Havoc

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


_COMPARED = {
    "a structure and its first member": """
struct s { int a, b; };
int main(void) { struct s s; return ((void *)&s == (void *)&s.a) * 10 + ((void *)&s == (void *)&s.b); }
""",
    "a structure and the first of its first": """
struct s { struct { int a[2]; } in; int b; };
int main(void) {
  struct s s, *p = &s;
  void *q = p;
  return (q == (void *)&p->in.a[0]) * 100 + (q == (void *)&p->in.a[1]) * 10 + (q != (void *)&s.in);
}
""",
    "members of a union": """
union u { int a, b; };
int main(void) { union u u; return (&u.a == &u.b) * 10 + ((void *)&u == (void *)&u.b); }
""",
    "an array and its first element": """
int main(void) { int a[3]; return ((void *)a == (void *)&a[0]) * 100 + ((void *)&a == (void *)a) * 10 + (a == &a[1]); }
""",
    "elements of an array of structures and their members": """
struct s { int a, b; };
int main(void) {
  struct s t[3]; int r = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r = r * 2 + ((void *)&t[i] == (void *)&t[j].a) + 3 * ((void *)&t[i] == (void *)&t[j].b);
  return r;
}
""",
    "blocks and their members": """
void *malloc(unsigned long);
struct s { int a; struct s *next; };
int main(void) {
  struct s *list = 0;
  for (int i = 0; i < 3; i++) { struct s *n = malloc(sizeof *n); n->a = i; n->next = list; list = n; }
  int r = 0;
  for (struct s *p = list; p; p = p->next)
    r = r * 4 + ((void *)p == (void *)&p->a) + 2 * ((void *)list == (void *)&p->a);
  return r;
}
""",
    "members by their order": """
struct s { int a, b, c[2]; };
int main(void) {
  struct s s;
  return (&s.a < &s.b) + 2 * (&s.b < &s.a) + 4 * (&s.b <= &s.c[0]) + 8 * (&s.c[1] > &s.c[0]) + 16 * (s.c >= &s.a);
}
""",
    "members by their order through pointers": """
struct s { int a, b; };
static int before(int *p, int *q) { return p < q; }
int main(void) { struct s s; int *p = &s.b, *q = &s.a; return before(p, q) * 10 + before(q, p) + 100 * (p - q); }
""",
    "members of elements by their order": """
struct s { int a, b; };
int main(void) {
  struct s t[2]; int r = 0;
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) r = r * 4 + (&t[i].a < &t[j].b) + 2 * (&t[i].b <= &t[j].a);
  return r;
}
""",
    "elements by their order": """
int main(void) {
  int a[4], *p = a + 1, *q = &a[3];
  return (p < q) + 2 * (q <= p) + 4 * (q - p) + 64 * (a + 4 > q) + 128 * (p - a);
}
""",
    "rows": """
int main(void) { int m[3][2]; int (*p)[2] = m, (*q)[2] = &m[2]; return (q - p) * 10 + (p < q); }
""",
    "the end of an inner array and the next one": """
struct s { int a[2], b; };
int main(void) {
  struct s t[2]; int *end = &t[0].a[2], *next = &t[1].a[0];
  return (end == next) * 10 + (end == &t[0].a[2]);
}
""",
    "null and what is not": """
struct s { int a, b; };
int main(void) {
  struct s s, *p = 0, *q = &s; int *r = 0;
  return ((void *)p == (void *)r) * 10 + ((void *)q == (void *)r);
}
""",
}

_CLEARED = {
    "a pointer": "int main(void) { int x; int *p = &x; memset(&p, 0, sizeof p); return p ? 1 : 2; }",
    "a pointer in a structure": """
struct s { int n; int *p; };
int main(void) { int x; struct s s = { 1, &x }; memset(&s, 0, sizeof s); return s.p == 0 ? s.n + 2 : 1; }
""",
    "pointers in an array": """
int main(void) { int x, *t[3] = { &x, &x, &x }; memset(t, 0, 2 * sizeof *t); return !t[0] + 2 * !t[1] + 4 * !t[2]; }
""",
    "pointers in an array in a structure": """
struct s { int k; int *t[2]; int a[2]; };
int main(void) {
  int x; struct s s = { 1, { &x, &x }, { 5, 6 } };
  memset(&s, 0, sizeof s);
  return !s.t[0] + 2 * !s.t[1] + 4 * s.a[1] + s.k;
}
""",
    "a pointer in one of many blocks": """
struct s { int n; int *p; };
int main(void) {
  int x = 3, r = 0;
  for (int i = 0; i < 3; i++) {
    struct s *q = malloc(sizeof *q);
    q->p = &x;
    if (i == 1) memset(q, 0, sizeof *q);
    r = r * 2 + (q->p == 0);
  }
  return r;
}
""",
    "a block of zeros": """
struct s { int n; int *p; };
int main(void) {
  int x; struct s *q = calloc(2, sizeof *q); q[0].p = &x;
  return (q[1].p == 0) * 10 + (q[0].p == 0) + q[1].n;
}
""",
    "numbers with ones": "int main(void) { int a[2] = { 1, 2 }; memset(a, -1, sizeof a); return a[0] + a[1]; }",
}
_LIBRARY = "void *memset(void *, int, unsigned long), *malloc(unsigned long), *calloc(unsigned long, unsigned long);\n"


@pytest.mark.parametrize("text", [*_UNIONS.values(), *_PARTS.values()], ids=[*_UNIONS, *_PARTS])
def test_what_shares_memory_is_read_as_the_compiler_reads_it(text: str) -> None:
    require_compiler()
    assert interpreted(program_of(_TWICE + text)) == executed(_TWICE + text)


@pytest.mark.parametrize("text", _COMPARED.values(), ids=_COMPARED)
def test_pointers_into_one_object_compare_as_its_layout_has_it(text: str) -> None:
    require_compiler()
    assert interpreted(program_of(text)) == executed(text)


@pytest.mark.parametrize("text", _CLEARED.values(), ids=_CLEARED)
def test_memory_that_is_set_to_zero_has_null_pointers(text: str) -> None:
    require_compiler()
    assert interpreted(program_of(_LIBRARY + text)) == executed(_LIBRARY + text)


@pytest.mark.parametrize(
    "comparison",
    ["a + 2 == b", "&b[2] == a", "a < b", "&b[1] > a", "p == b", "(void *)(&x + 1) == (void *)a", "b - a > 0"],
)
def test_what_lies_beside_an_object_is_left_open(comparison: str) -> None:
    text = f"int main(void) {{ int a[2], b[2], x, *p = a; p += 2; if (x) p = b; return {comparison}; }}"
    program = program_of(text)
    assert _open_choices(program)
    values = {interpreted(program, [value] * 9).text for value in (0, 1)}
    assert len(values) > 1 or comparison == "b - a > 0"


@pytest.mark.parametrize("comparison", ["&s.a + 1 == &s.b", "&s.b == 1 + &s.a", "&x + 1 == &y", "p + 1 == &s.b"])
def test_a_pointer_that_is_moved_only_to_be_compared_may_meet_its_neighbour(comparison: str) -> None:
    program = program_of(f"int main(void) {{ struct {{ int a, b; }} s; int x, y, *p = &s.a; return {comparison}; }}")
    assert {interpreted(program, [value] * 9).text for value in (0, 1)} == {"returned 0", "returned 1"}


def test_a_pointer_that_is_moved_is_not_equal_to_itself() -> None:
    program = program_of("int main(void) { int x, *p = &x; return (&x + 1 == &x) + (p + 1 == p) + (p + 1 - 1 != p); }")
    assert interpreted(program) == Behaviour("returned 0")


@pytest.mark.parametrize("comparison", ['p == "ab"', 'p + 1 == "b"', "p == q", 'f("ab") == p'])
def test_whether_strings_share_memory_is_left_open(comparison: str) -> None:
    text = f"""static const char *f(const char *s) {{ return s; }}
int main(void) {{ const char *p = "ab", *q = "ab"; return {comparison}; }}"""
    program = program_of(text)
    assert {interpreted(program, [value] * 9).text for value in (0, 1)} == {"returned 0", "returned 1"}


def test_a_string_is_equal_to_itself() -> None:
    program = program_of('int main(void) { const char *p = "ab", *q = p, *r = "c"; return (p == q) + (p == 0) + !r; }')
    assert interpreted(program) == Behaviour("returned 1")


def test_pointers_to_different_objects_are_different() -> None:
    program = program_of("int main(void) { int a[2], b[2], i = 1; return (&a[1] == &b[0]) + (&a[0] == &b[1]); }")
    assert not _open_choices(program)
    assert interpreted(program) == Behaviour("returned 0")


def _open_choices(program: Program) -> list[Havoc]:
    return [
        statement
        for procedure in program.procedures
        for block in procedure.blocks
        for statement in block.statements
        if isinstance(statement, Havoc) and statement.choice is Choice.ABSTRACTION
    ]


@pytest.mark.parametrize("value", ["-1", "1", "n"])
def test_bytes_of_pointers_other_than_zero_make_any_pointer(value: str) -> None:
    program = program_of(f"{_LIBRARY}int main(int n) {{ int *p; memset(&p, {value}, sizeof p); return p != 0; }}")
    assert left_open(program)


def test_more_bytes_than_there_are_is_out_of_bounds() -> None:
    program = program_of(f"{_LIBRARY}int main(void) {{ int x, y; memset(&x, 0, 2 * sizeof x); return 0; }}")
    assert interpreted(program) == Behaviour("undefined")


def test_the_end_of_an_inner_array_is_no_element() -> None:
    text = "struct s { int a[2], b; }; int main(void) { struct s t[2] = { 0 }; int *p = &t[0].a[2]; return *p; }"
    assert interpreted(program_of(text)) == Behaviour("undefined")


def test_members_of_a_union_passed_by_reference_overlap() -> None:
    text = """
extern void reach_error(void);
union u { int a, b; };
static void f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) reach_error(); }
int main(void) { union u u; f(&u.a, &u.b); return 0; }
"""
    assert interpreted(program_of(text)) == Behaviour("error")
