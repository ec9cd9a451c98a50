"""Addresses of members and of elements: which object they are in, where they end, and that null has no members."""

from __future__ import annotations

import pytest

from asking import verified
from c_execution import executed, interpreted, program_of, require_compiler
from sorrel.model.outcome import Answer

_HEADER = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct row { int v; int w[2]; };
struct rows { struct single { long v; } r[2]; };
struct node { int v; struct node *next; };
"""


def _main(body: str) -> str:
    return f"{_HEADER}int main(void) {{ {body} }}\n"


@pytest.mark.parametrize(
    "body",
    [
        "struct row a[2], one, *p = &one; int *e = &p->w[2], *f = &one.w[2]; p = a; return e == f && p != &one;",
        "struct rows *o, two[2]; o = two; o = calloc(1, sizeof *o); int n = &o->r[2] - o->r; free(o); return n;",
        "struct node *n = malloc(sizeof *n); int *x = malloc(4); free(x); x = &n->v; *x = 4; free(x); return 0;",
    ],
)
def test_ends_of_rows_and_first_members_are_as_compiled(body: str) -> None:
    require_compiler()
    assert interpreted(program_of(_main(body))) == executed(_main(body))


@pytest.mark.parametrize(
    ("body", "goal", "answers"),
    [
        ("struct node *n = malloc(sizeof *n); free(&n->next); return 0;", "valid-free", (Answer.UNSAFE,)),
        (
            "struct node **t = calloc(2, sizeof *t), **k = &t[1], *n = malloc(sizeof *n); *k = n; k = &n->next; *k = 0;"
            " free(n); free(t); return 0;",
            "valid-free",
            (Answer.SAFE, Answer.ASSUMING),
        ),
        (
            "struct node a, *p = __VERIFIER_nondet_int() ? &a : 0, **k = &p->next; *k = 0; return 0;",
            "valid-deref",
            (Answer.UNSAFE,),
        ),
        (
            "struct node a, *p = __VERIFIER_nondet_int() ? &a : 0, **k = &p->next; if (p) *k = 0; return 0;",
            "valid-deref",
            (Answer.SAFE,),
        ),
    ],
)
def test_parts_are_told_from_objects_and_null_has_none(body: str, goal: str, answers: tuple[Answer, ...]) -> None:
    assert verified(_main(body), goal=goal, timeout=15.0).answer in answers
