"""Structures in programs of several files: those that are declared alike are one type, the others are not."""

from __future__ import annotations

import re

import pytest

from c_execution import executed, interpreted, left_open, program_of, require_compiler

_ALIKE = {
    "a structure by pointer": (
        "struct s { int a, b; }; int get(struct s *); int main(void) { struct s s = { 1, 2 }; return get(&s) + s.a; }",
        "struct s { int a, b; }; int get(struct s *p) { p->a = 7; return p->b; }",
    ),
    "a list": (
        """struct n { int v; struct n *next; }; int sum(struct n *);
int main(void) { struct n a = { 1, 0 }, b = { 2, &a }, *p = &b; return sum(p) * 10 + p->next->v; }""",
        """struct n { int v; struct n *next; };
int sum(struct n *p) { int s = 0; for (struct n *q = p; q; q = q->next) { s += q->v; q->v++; } return s; }""",
    ),
    "records that name each other": (
        """struct b; struct a { int x; struct b *b; }; struct b { int y; struct a *a; };
int f(struct a *); int main(void) { struct a a; struct b b = { 3, &a }; a.x = 2; a.b = &b; return f(&a) - b.y; }""",
        """struct a; struct b { int y; struct a *a; }; struct a { int x; struct b *b; };
int f(struct a *a) { a->b->y = 5; return a->b->a->x; }""",
    ),
    "a type that one file only announces": (
        """struct s; struct s *make(int); int get(const struct s *);
static struct s *kept;
int main(void) { kept = make(4); return get(kept); }""",
        """struct s { int v; }; static struct s one;
struct s *make(int v) { one.v = v; return &one; } int get(const struct s *s) { return s->v; }""",
    ),
    "a type without a tag": (
        "typedef struct { int a, t[2]; } T; int f(T *, int *); int main() { T t = { 1 }; return f(&t, t.t) + t.a; }",
        "typedef struct { int a, t[2]; } T; int f(T *t, int *p) { t->a = 3; p[1] = 6; return t->t[1]; }",
    ),
    "nameless members": (
        """struct s { int k; union { int a, b; }; };
int f(struct s *); int main(void) { struct s s = { 1, { 2 } }; return f(&s) * 10 + s.b; }""",
        """/* elsewhere */
struct s { int k; union { int a, b; }; }; int f(struct s *s) { s->b = 5; return s->a; }""",
    ),
    "by value, in arrays and in globals": (
        """struct s { int a; short b; }; extern struct s table[2]; struct s swap(struct s);
int main(void) { table[0] = swap(table[1]); return table[0].a * 10 + table[0].b; }""",
        "struct s { int a; short b; }; struct s table[2] = { { 1, 2 }, { 3, 4 } };\n"
        "struct s swap(struct s s) { struct s t = { s.b, s.a }; return t; }",
    ),
    "functions in a structure": (
        """struct s; struct s { int (*f)(struct s *); int k; };
int call(struct s *); static int own(struct s *s) { return s->k; }
int main(void) { struct s s = { own, 4 }; return call(&s); }""",
        "struct s { int (*f)(struct s *); int k; }; int call(struct s *s) { s->k++; return s->f(s); }",
    ),
}


@pytest.mark.parametrize(("text", "beside"), _ALIKE.values(), ids=_ALIKE)
def test_structures_that_files_declare_alike_are_one_type(text: str, beside: str) -> None:
    require_compiler()
    expected = executed(text, beside=[beside])
    assert interpreted(program_of(text, beside=[beside])) == expected
    assert interpreted(program_of(beside, beside=[text])) == expected


@pytest.mark.parametrize(
    "other",
    [
        "struct s { int b, a; };",
        "struct s { int a; unsigned b; };",
        "struct s { int a, b, c; };",
        "struct s { int a; struct t { int k; } b; };",
        "struct s { int a:4, b:4; };",
        "struct s { int a, b __attribute__((aligned(8))); };",
    ],
)
def test_structures_that_files_declare_differently_are_as_compiled_or_told_with_both_places(other: str) -> None:
    require_compiler()
    text = "struct s { int a, b; };\nint f(struct s *); int main(void) { struct s s = { 1, 2 }; return f(&s) + s.b; }"
    beside = f"\n{other}\nint f(struct s *p) {{ p->a = 7; return 0; }}"
    told = re.compile(r"struct s of program\.c:1.*struct s of beside1\.c:2|1\.c:2.*program\.c:1")
    program = program_of(text, beside=[beside])
    if not any(told.search(reason) for reason in left_open(program)):
        assert interpreted(program) == executed(text, beside=[beside])


def test_a_type_that_two_files_define_differently_is_not_one_through_a_third() -> None:
    """It is announced in one file, and defined in two others, which do not agree."""
    text = "struct s; struct s *make(void); int f(struct s *); int main(void) { return f(make()); }"
    one = "struct s { int a; }; static struct s s; struct s *make(void) { s.a = 1; return &s; }"
    other = "struct s { short b, a; }; int f(struct s *p) { return p->a; }"
    for files in ([one, other], [other, one]):
        program = program_of(text, beside=files)
        assert any("struct s of" in premise.text for premise in program.assumptions)
