"""Functions without a body: whatever they can reach may have changed, as it does with a body that changes it."""

from __future__ import annotations

import pytest

from c_execution import Behaviour, executed, interpreted, program_of, require_compiler
from sorrel.frontends.c import Unsupported

# What the program knows of the function, the program, and a body that makes it reach the error.
_CHANGED = {
    "what an argument points to": (
        "void change(int *);",
        "int main(void) { int x = 1; change(&x); if (x != 1) reach_error(); return 0; }",
        "void change(int *p) { *p = 2; }",
    ),
    "what a pointer in a structure points to": (
        "struct s { int n; int *p; }; void change(struct s);",
        "int main(void) { int x = 1; struct s s = { 0, &x }; change(s); if (x != 1) reach_error(); return 0; }",
        "void change(struct s s) { *s.p = 2; }",
    ),
    "what a pointer in a constant structure points to": (
        "struct s { int n; int *p; }; void change(const struct s *);",
        "int main(void) { int x = 1; struct s s = { 0, &x }; change(&s); if (x != 1) reach_error(); return 0; }",
        "void change(const struct s *s) { *s->p = 2; }",
    ),
    "what is two pointers away": (
        "struct a { int k; }; struct b { const struct c *c; }; struct c { struct a *a; }; void change(struct b);",
        """int main(void) {
  struct a a = { 1 }; struct c c = { &a }; struct b b = { &c };
  change(b);
  if (a.k != 1) reach_error();
  return 0;
}""",
        "void change(struct b b) { b.c->a->k = 2; }",
    ),
    "what pointers in an array point to": (
        "void change(int *const *);",
        "int main(void) { int x = 1, *t[2] = { 0, &x }; change(t); if (x != 1) reach_error(); return 0; }",
        "void change(int *const *t) { *t[1] = 2; }",
    ),
    "what pointers in an array in a structure point to": (
        "struct s { int *t[2]; }; void change(struct s);",
        "int main(void) { int x = 1; struct s s = { { 0, &x } }; change(s); if (x != 1) reach_error(); return 0; }",
        "void change(struct s s) { *s.t[1] = 2; }",
    ),
    "what was given to it before": (
        "void keep(int *); void change(void);",
        "int main(void) { int x; keep(&x); x = 1; change(); if (x != 1) reach_error(); return 0; }",
        "static int *kept; void keep(int *p) { kept = p; } void change(void) { *kept = 2; }",
    ),
    "what was given before in a structure": (
        "struct s { int *p; }; void keep(struct s); void change(int);",
        "int main(void) { int x; struct s s = { &x }; keep(s); x = 1; change(3); if (x != 1) reach_error(); }",
        "static struct s kept; void keep(struct s s) { kept = s; } void change(int k) { *kept.p = k; }",
    ),
    "what was stored where it was given before": (
        "struct s { int *p; }; void keep(const struct s *); void change(void);",
        """static struct s s;
int main(void) { int x; keep(&s); s.p = &x; x = 1; change(); if (x != 1) reach_error(); return 0; }""",
        "static const struct s *kept; void keep(const struct s *p) { kept = p; } void change(void) { *kept->p = 2; }",
    ),
    "what it returned before": (
        "int *give(void); void change(void);",
        "int main(void) { int *p = give(); if (!p) return 0; *p = 1; change(); if (*p != 1) reach_error(); return 0; }",
        "static int own; int *give(void) { return &own; } void change(void) { own = 2; }",
    ),
    "what a function of the program passed on": (
        "void change(int *);",
        """static void pass(int *p) { change(p); }
int main(void) { int x = 1; pass(&x); if (x != 1) reach_error(); return 0; }""",
        "void change(int *p) { *p = 2; }",
    ),
    "a member through a pointer to another way in": (
        "union u { int a, b; }; void change(int *);",
        "int main(void) { union u u; u.a = 1; change(&u.b); if (u.a != 1) reach_error(); return 0; }",
        "void change(int *p) { *p = 2; }",
    ),
    "a list": (
        "struct n { int v; struct n *next; }; void change(struct n *);",
        """int main(void) {
  struct n a = { 1, 0 }, b = { 1, &a };
  change(&b);
  if (a.v != 1) reach_error();
  return 0;
}""",
        "void change(struct n *n) { n->next->v = 2; }",
    ),
    "a pointer": (
        "void change(int **);",
        "int main(void) { int x = 1, *p = &x; change(&p); if (!p) reach_error(); return 0; }",
        "void change(int **p) { *p = 0; }",
    ),
}
_ERROR = "void reach_error(void);\n"


@pytest.mark.parametrize(("known", "program", "body"), _CHANGED.values(), ids=_CHANGED)
def test_what_a_function_without_a_body_can_reach_may_have_changed(known: str, program: str, body: str) -> None:
    require_compiler()
    assert executed(f"{_ERROR}{known}\n{body}\n{program}") == Behaviour("error")
    try:
        read = program_of(f"{_ERROR}{known}\n{program}")
    except Unsupported:
        return
    assert Behaviour("error") in {interpreted(read, choices) for choices in ([2] * 9, [2, 0] * 5, [0, 2] * 5)}


def test_that_a_function_which_is_handed_out_is_not_called_is_an_assumption() -> None:
    text = "struct s { void (*f)(void); }; void go(struct s); void g(void) {} int main(void) { go((struct s){g}); }"
    told = [premise.text for premise in program_of(text).assumptions]
    assert "go, which has no body, calls none of the program's functions that it is given." in told


def test_what_is_given_as_constant_stays() -> None:
    text = "void look(const int *); int main(void) { int x = 1; look(&x); return x; }"
    assert interpreted(program_of(text), [5] * 5) == Behaviour("returned 1")


def test_what_nobody_was_given_stays() -> None:
    text = "void look(int *); int main(void) { int x = 1, y, *p = &x; *p = 3; look(&y); return x; }"
    assert interpreted(program_of(text), [5] * 5) == Behaviour("returned 3")


def test_what_joining_a_thread_of_somebody_else_returns_is_not_guessed() -> None:
    text = "#include <pthread.h>\nint main(void) { pthread_t other = 7; return pthread_join(other, 0); }"
    with pytest.raises(Unsupported, match="a thread that the program did not create"):
        program_of(text)
