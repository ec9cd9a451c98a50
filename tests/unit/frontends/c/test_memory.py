"""Pointers, where the model of memory has to be exactly right: each program against its compiled self."""

from __future__ import annotations

import pytest

from c_execution import executed, interpreted, program_of, require_compiler
from sorrel.frontends.errors import Unsupported
from sorrel.program.liveness import live_variables
from sorrel.program.loops import loops
from sorrel.program.types import Array

_PROGRAMS = {
    "rows of structures among many objects": """
struct s { int x; short y[2][2]; };
int f(int n) {
  struct s a[2][2] = { { { 1, { { 2, 3 }, { 4 } } } }, { { n }, { 5 } } }, *p = &a[1][0]; struct s b;
  int r;
  if (n == 0) return 0;
  p->x += n; p[1].y[1][0] = n; b = a[1][1];
  r = f(n - 1);
  return r * 3 + a[0][0].x + a[0][0].y[0][1] + a[0][1].x + a[1][0].x * 2 + b.y[1][0] + a[1][1].x;
}
int main(void) { return f(3) & 127; }
""",
    "a pointer to numbers that are signed here and unsigned there": """
unsigned a = 4294967291u; int b = -7, c;
unsigned char x = 200; signed char y = -100;
int main(void) {
  int i, *p, r = 0; unsigned char *q;
  for (i = 0; i < 2; i++) {
    p = i ? (int *)&a : &b; q = i ? &x : (unsigned char *)&y;
    *p ^= 6; r = r * 3 + *p; *q += 3; r += *q;
    if (*(unsigned *)p > 5u) r += 1000;
  }
  return r + x + y + (a == 4294967293u) + (b == -1);
}
""",
    "parameters that are declared as arrays": """
int f(int m[4], const int k[], int r[2][3]) {
  int *p = m + 2, *q = (m + 1) + 1, *s = 1 + m, *t = m ? m : 0, *u = (0, m), *v;
  *p = 3; v = m; v += 1; m++; ++m; m -= 1; --m;
  const int *w = k ? k + 1 : 0; int (*x)[3] = r + 1;
  return m[2] + *q + *s + *t + *u + *v + *w + (*x)[1] + (m + 3 - m) + (m + 1 > m) + *(m = m + 1);
}
int main(void) { int a[4] = { 5, 6, 7, 8 }, k[3] = { 9, 10, 11 }, r[2][3] = { { 1, 2, 3 }, { 4 } }; return f(a, k, r); }
""",
    "a reference to a global that the callee names": """
int g = 1;
int f(int *p) { *p = 5; g += 10; return *p; }
int main(void) { int r = f(&g); return r * 100 + g; }
""",
    "two elements that may be one": """
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t + 1; }
int main(void) {
  int a[3] = { 1, 2, 3 }, i = 1;
  swap(&a[i], &a[1]);
  swap(&a[0], &a[2]);
  return a[0] * 100 + a[1] * 10 + a[2];
}
""",
    "two fields of one structure": """
struct s { int x, y; };
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) { struct s s = { 1, 2 }; swap(&s.x, &s.y); swap(&s.x, &s.x); return s.x * 10 + s.y; }
""",
    "a callee that keeps the address": """
int *kept;
void keep(int *p) { kept = p; *p = 1; }
int main(void) { int x = 0, y = 7; keep(&x); *kept += 2; keep(&y); *kept = 9; return x * 10 + y; }
""",
    "a pointer to the bigger one": """
int *bigger(int *a, int *b) { return *a > *b ? a : b; }
int main(void) { int x = 3, y = 4; *bigger(&x, &y) = 10; *bigger(&x, &y) += 1; return x * 100 + y; }
""",
    "a pointer written through a pointer": """
int g = 4;
void get(int **where, int *what) { *where = what; **where += 1; }
int main(void) { int l = 2; int *p = &l; *p = 3; get(&p, &g); *p += 1; get(&p, &l); return l * 10 + g; }
""",
    "a chain that is changed at its end": """
struct node { int v; struct node *next; };
int main(void) {
  struct node a = { 1, 0 }, b = { 2, 0 }, c = { 3, 0 };
  a.next = &b; b.next = &a;
  struct node *p = &a;
  p->next->next = &c;
  p->next = p->next->next;
  int n = 0;
  for (struct node *q = &a; q; q = q->next) n = n * 10 + q->v;
  return n;
}
""",
    "a structure overwritten through itself": """
struct node { struct node *next; int v; };
int main(void) {
  struct node a = { 0, 1 }, b = { 0, 2 };
  a.next = &b; b.next = &a;
  struct node *p = &a;
  *p->next = *p;
  p = p->next;
  return (p == &b) * 100 + p->v * 10 + (p->next == &b);
}
""",
    "an index that the assignment changes": """
struct e { int at; int v; };
int main(void) {
  struct e t[3] = { { 1, 10 }, { 2, 20 }, { 0, 30 } };
  t[t[0].at] = t[2];
  t[0] = t[t[0].at];
  return t[0].v * 1000 + t[1].v * 10 + t[1].at;
}
""",
    "a pointer that moves while it is read": """
int main(void) {
  int a[4] = { 1, 2, 3, 4 }, *p = a;
  int x = *p++ * 10;
  x += *p++;
  *p++ = x;
  p[0] += 5;
  p -= 2;
  return a[2] * 1000 + a[3] * 10 + (p == a + 1) + (p > a);
}
""",
    "arrays handed down and back": """
void fill(int *a, int n) { if (n == 0) return; a[n - 1] = n; fill(a, n - 1); }
int deep(int n, int *out) {
  int mine[3] = { 0 };
  fill(mine, 3);
  if (n == 0) { out[1] = 7; return mine[2]; }
  return deep(n - 1, mine) + mine[1] + out[0];
}
int main(void) { int a[3] = { 1, 1, 1 }; int r = deep(2, a); return r * 100 + a[0] * 10 + a[1]; }
""",
    "an array of pointers": """
int main(void) {
  int x = 1, y = 2, *t[3] = { &x, &y };
  *t[1] += 5;
  t[2] = t[0];
  *t[2] = 9;
  return x * 10 + y + (t[0] == t[2]) + (t[1] != 0);
}
""",
    "strings in a table": """
int main(void) {
  const char *names[] = { "ab", "c", "" };
  int n = 0;
  for (int i = 0; i < 3; i++) for (const char *p = names[i]; *p; p++) n = n * 3 + *p;
  return n;
}
""",
    "a structure with a pointer, by value": """
struct view { int *data; int n; };
int sum(struct view v) { int s = 0; while (v.n > 0) s += v.data[--v.n]; v.data[0] = 50; return s; }
struct view make(int *p, int n) { struct view v = { p, n }; return v; }
int main(void) { int a[3] = { 1, 2, 3 }; int s = sum(make(a, 3)); return s * 100 + a[0] + make(a, 2).n; }
""",
    "a pointer into a structure inside": """
struct in { int u, v; };
struct out { int k; struct in a, b; };
void set(struct in *i, int x) { i->u = x; i->v = x + 1; }
int main(void) {
  struct out o = { 0 };
  struct in *p = &o.a;
  set(p, 3); set(&o.b, 5); p = &o.b; p->u++;
  int *q = &p->v; *q *= 2;
  return o.a.u * 1000 + o.a.v * 100 + o.b.u * 10 + o.b.v;
}
""",
    "more objects than cases": """
int main(void) {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10;
  int *p[] = { &a, &b, &c, &d, &e, &f, &g, &h, &i, &j };
  for (int k = 0; k < 10; k++) *p[k] += k;
  return a + b * 2 + j * 100 + (*p[4] == e);
}
""",
    "functions in a structure": """
struct ops { int (*apply)(int, int); int bias; };
int add(int a, int b) { return a + b; }
int mul(int a, int b) { return a * b; }
int run(struct ops *o, int x) { return o->apply(x, 3) + o->bias; }
int main(void) {
  struct ops o[2] = { { add, 1 }, { mul, 2 } }, *p = o;
  int r = run(p, 4);
  p++;
  return r * 100 + run(p, 4);
}
""",
    "a null pointer is not followed": """
int get(int *p) { return p ? *p : -1; }
int main(void) { int x = 3; return get(&x) * 10 + get(0); }
""",
    "a matrix given away by rows": """
void clear(int (*m)[2], int n) { for (int i = 0; i < n; i++) m[i][1] = i; }
int main(void) {
  int m[3][2] = { { 1, 1 }, { 1, 1 }, { 1, 1 } };
  clear(m + 1, 2);
  return m[0][1] * 100 + m[1][1] * 10 + m[2][1];
}
""",
    "a static pointer": """
int *next(int *from) { static int *p; if (from) p = from; return p++; }
int main(void) { int a[3] = { 5, 6, 7 }; next(a); int x = *next(0); return x * 10 + *next(0); }
""",
    "blocks of different lengths": """
void *malloc(unsigned long);
int *make(int n) { int *p = malloc(n * sizeof *p); for (int i = 0; i < n; i++) p[i] = n; return p; }
int main(void) { int *a = make(2), *b = make(3); b[2] = 8; a[1] += b[2]; return a[0] * 1000 + a[1] * 10 + b[0]; }
""",
    "a tree in memory": """
void *malloc(unsigned long);
struct tree { struct tree *l, *r; int v; };
struct tree *insert(struct tree *t, int v) {
  if (!t) { t = malloc(sizeof *t); t->l = t->r = 0; t->v = v; return t; }
  if (v < t->v) t->l = insert(t->l, v); else t->r = insert(t->r, v);
  return t;
}
int walk(struct tree *t, int n) { return t ? walk(t->r, walk(t->l, n) * 10 + t->v) : n; }
int main(void) {
  struct tree *t = 0;
  int in[4] = { 3, 1, 4, 2 };
  for (int i = 0; i < 4; i++) t = insert(t, in[i]);
  return walk(t, 0);
}
""",
    "memory moved over itself": """
void *memmove(void *, const void *, unsigned long);
int main(void) { int a[4] = { 1, 2, 3, 4 }; memmove(a + 1, a, 3 * sizeof(int)); return a[1] * 100 + a[2] * 10 + a[3]; }
""",
    "a parameter whose address is taken": """
int bump(int *p) { return ++*p; }
int f(int n, int k) { int *q = &n; *q += k; int *r = q; if (k > 0) return f(n, k - 1) + bump(r); return *r; }
int main(void) { return f(1, 3); }
""",
    "a local array of every activation": """
int f(int n, int *up) { int a[2] = { n, n }; int *p = n % 2 ? up : a; p[1] += 1; return n ? f(n - 1, p) + a[1] : p[1]; }
int main(void) { int z[2] = { 0, 0 }; return f(3, z) * 10 + z[1]; }
""",
    "outside of an array": """
int main(void) { int a[3] = { 1, 2, 3 }, i = 3; int *p = a; return p[i]; }
""",
    "a null pointer that is followed": """
int main(void) { int *p = 0, x = 1; if (x > 5) p = &x; return *p; }
""",
}


@pytest.mark.parametrize("text", _PROGRAMS.values(), ids=_PROGRAMS)
def test_memory_behaves_as_when_compiled(text: str) -> None:
    require_compiler()
    expected = executed(text)
    if "outside" in _name(text):
        expected = type(expected)("undefined")  # the compiler's checks do not follow pointers
    assert interpreted(program_of(text)) == expected


def _name(text: str) -> str:
    return next(name for name, each in _PROGRAMS.items() if each == text)


_WRITING = "static void f(char *p, int c) { if (c) p[0] = 'x'; } static void g(char **p) { **p = 'x'; }\n"


@pytest.mark.parametrize(
    "statement", ["s[0] = 'x';", "\"a\"[1] = 'x';", "f(s, 1);", 'f("abc", 1);', "g(&s);", "*(1 ? s : b) = 'x';"]
)
def test_a_string_literal_is_not_written_to(statement: str) -> None:
    program = program_of(f'{_WRITING}int main(void) {{ char b[4] = "xyz", *s = "abc"; {statement} return b[0] == 0; }}')
    assert "returned" not in interpreted(program).text


@pytest.mark.parametrize("statement", ["s = b; *s = 'x';", 'f("abc", 0);', "f(b, 1);", "*(0 ? s : b) = 'x';"])
def test_what_may_point_to_a_string_literal_may_point_to_what_is_written(statement: str) -> None:
    program = program_of(f'{_WRITING}int main(void) {{ char b[4] = "xyz", *s = "abc"; {statement} return b[0] == 0; }}')
    assert interpreted(program).text == "returned 0"


_FIXED = """#include <string.h>
static const int c = 1; static const int t[3] = { 1, 2, 3 }; static int v;
static const struct { int x, y; } r = { 1, 2 };
static void f(int *p, int w) { if (w) *p = 5; }
int main(void) { const int d = 4; static const int e = 6; int *p = (int *)&c; %s return c + t[1] + r.y + d + e; }
"""


@pytest.mark.parametrize(
    "statement",
    [
        "*(int *)&c = 2;",
        "*p = 2;",
        "f(p, 1);",
        "f((int *)&c, 1);",
        "f((int *)&d, 1);",
        "*(int *)&e = 2;",
        "((int *)t)[1]++;",
        "*(int *)&r.y += 1;",
        "memset((int *)t, 0, sizeof t);",
        "p = 1 ? (int *)&d : &v; *p = 3;",
    ],
)
def test_constants_are_not_written_to_by_any_way(statement: str) -> None:
    assert "returned" not in interpreted(program_of(_FIXED % statement)).text


@pytest.mark.parametrize("statement", ["", "f(p, 0);", "p = &v; *p = 3;", "f(&v, 1);", "v = *p; v += t[0];"])
def test_what_may_point_to_a_constant_may_point_to_what_is_written(statement: str) -> None:
    assert interpreted(program_of(_FIXED % statement)).text == "returned 15"


def test_a_constant_of_which_there_are_many_is_not_guessed_about() -> None:
    text = """int f(int n, int *q) { const int c = n; int v = n; if (n <= 0) { *q = 5; return *q; }
      return f(n - 1, n == 2 ? (int *)&c : &v) + v; }
    int main(void) { int x = 0; return f(3, &x); }"""
    with pytest.raises(Unsupported, match="a constant of which there are many"):
        program_of(text)


@pytest.mark.parametrize(
    ("copied", "overlap"),
    [
        ("memcpy(b + 1, b, 4)", True),
        ("memcpy(b, b + 3, 4)", True),
        ("memcpy(a + 1, a, 2 * sizeof *a)", True),
        ("memcpy(b + 4, b, 4)", False),
        ("memcpy(b, b + 4, 4)", False),
        ("memcpy(b, b, 0)", False),
        ("memcpy(a, a + 2, 2 * sizeof *a)", False),
        ("memmove(b + 1, b, 4)", False),
        ("memcpy(x ? b : other, b + 1, 4)", True),
        ("memcpy(x ? other : b, b + 1, 4)", False),
    ],
)
def test_memcpy_of_blocks_that_overlap_is_undefined(copied: str, overlap: bool) -> None:
    text = f"""#include <string.h>
    int main(void) {{ char b[9] = "abcdefgh", other[9] = ""; int a[4] = {{ 1 }}, x = 1; {copied}; return 0; }}"""
    assert ("returned" not in interpreted(program_of(text)).text) is overlap


def test_arrays_of_structures_that_are_handed_over_leave_no_copies_behind() -> None:
    program = program_of("""
        struct set { struct { int low, high; } item[4]; int count; };
        int within(const struct set *s, int x) {
          for (int i = 0; i < s->count; i++) if (s->item[i].low <= x && x <= s->item[i].high) return 1;
          return 0;
        }
        int main(void) {
          struct set s = { { { 1, 2 }, { 5, 9 } }, 2 };
          int found = 0;
          for (int x = 0; x < 10; x++) found += within(&s, x);
          return found;
        }
    """)
    (main,) = (each for each in program.procedures if each.name == "main")
    live = live_variables(main)
    heads = [live[loop.header] for loop in loops(main)]
    assert len(heads) == 1
    assert {variable.name for variable in heads[0] if isinstance(variable.type, Array)} == {"s.item.low", "s.item.high"}
