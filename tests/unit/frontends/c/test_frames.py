"""What a function is said to change at most: each place that it may write is in the frame, told at its entry."""

from __future__ import annotations

import pytest

from sorrel.frontends import c
from sorrel.model.source import Source
from sorrel.program.program import CONTRACT

DECLARATIONS = """
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; int a[4]; union { int i; char *s; } u; };
int g, h[10], *gp;
struct node pool;
void elsewhere(int *p);
void one(int *p) { *p = 1; }
void all(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
int *either(int *p, int c) { return c ? p : &g; }
"""


def frame(body: str) -> tuple[str, ...] | None:
    """Of the function f."""
    text = f"{DECLARATIONS}\n{body}\n"
    program = c.read([Source("f.c", text)], c.CSettings(c.DataModel.LP64, function="f"))
    scopes = program.procedure["f"].scopes
    assert scopes is not None
    return scopes[CONTRACT].frame


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int f(int n) { int t[4]; all(t, 4); return t[0] + n; }", ()),
        ("int *f(int n) { int *q = malloc(4); *q = n; one(q); return q; }", ()),
        ("void f(void) { g = 1; h[3] = 4; }", ("g", "h[3]")),
        ("void f(int *p) { *p = 1; }", ("*p",)),
        ("void f(int *p) { p[0] = 1; p[2] = 1; }", ("*p", "p[2]")),
        ("void f(int *p, int n) { while (n--) *p++ = 0; }", ("p[..]",)),
        ("void f(int *p, int n) { int *q = p + n; *q = 0; }", ("p[..]",)),
        ("void f(struct node *x) { x->v = 2; x->a[1] = 3; }", ("x->a[1]", "x->v")),
        ("void f(struct node *x) { x->next->v = 1; }", ("x->next->v",)),
        ("void f(void) { all(h, 10); one(&g); one(&pool.a[2]); }", ("g", "h[..]", "pool.a[2]")),
        ("void f(int *p) { *either(p, 1) = 3; }", ("*p", "g")),
        ("void f(char *d, const char *s) { strcpy(d, s); }", ("d[..]",)),
        ("void f(struct node *x) { memset(x, 0, sizeof *x); }", ("x[..]",)),
        ("void f(void) { *gp = 5; }", ("*gp",)),
        ("void f(int a[3][4], int i) { a[i][2] = 1; }", ("a[..][2]",)),
        (
            "void f(int a[8][4], int i) { a[0][i] = 1; a[1][i] = 1; a[2][i] = 1; a[3][i] = 1; a[4][i] = 1; }",
            ("a[..][..]",),
        ),
    ],
)
def test_a_frame_lists_what_may_be_written(body: str, expected: tuple[str, ...]) -> None:
    assert frame(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "void f(struct node *x) { while (x) { x->v = 0; x = x->next; } }",
        "void f(struct node *x, struct node *y) { x->next = y; x->next->v = 1; }",
        "void f(struct node *x) { x->u.i = 3; x->next->v = 2; }",
        "void f(struct node *x) { memset(&x->v, 0, 16); x->next->v = 2; }",
        "void f(int *p) { gp = p; *gp = 1; }",
        "void f(void (*h)(int)) { h(1); }",
        "void f(void *v) { *(char *)v = 1; }",
        "void f(int *p) { elsewhere(p); }",
        "void f(int *p) { free(p); }",
        "int f(void) { static int k; return ++k; }",
        "static int hidden; void o(void) { hidden = 1; } void f(int hidden) { o(); }",
        "void f(int *p) { int *own[2]; own[0] = p; *own[0] = 1; }",
        "void f(int *p) { int *q, **r = &q; *r = p; *q = 1; }",
        "void f(int *p) { long n = (long)p; *(int *)n = 1; }",
    ],
)
def test_what_cannot_be_told_at_the_entry_has_no_frame(body: str) -> None:
    assert frame(body) is None
