"""A function starts in any state that its types allow: its pointers lead to objects, to one or to many, or are null."""

from __future__ import annotations

import pytest

from c_execution import program_of
from sorrel.program.interpreter import Prepared, run
from sorrel.program.run import Finished, Violated
from sorrel.program.statement import Kind
from sorrel.program.types import UNBOUNDED, Array, Type
from sorrel.program.value import ArrayValue, Value
from sorrel.testing.probe import choosers, constants_of

_ERROR = "void reach_error(void); int n(void);\n"
_POSSIBLE = {
    "a pointer inside is null": "struct b { char *d; }; int f(struct b *b) { if (!b->d) reach_error(); return 0; }",
    "a pointer inside leads somewhere": "struct b { char *d; }; int f(struct b *b) { if (b->d) reach_error(); }",
    "what it leads to has any value": """struct b { int *d; };
int f(struct b *b) { if (b->d && *b->d == 7) reach_error(); return 0; }""",
    "pointers that meet lead to one object": """struct b { int *x, *y; };
int f(struct b *b) {
  int *t = b->x;
  if (n()) t = b->y;
  if (b->x && b->y) { *b->x = 1; *b->y = 2; if (*b->x != 1) reach_error(); }
  return t != 0;
}""",
    "pointers that meet lead to two objects": """struct b { int *x, *y; };
int f(struct b *b) { if (b->x && b->y && b->x != b->y) reach_error(); b->x = b->y; return 0; }""",
    "a list has two members": """struct l { struct l *next; int v; };
int f(struct l *l) { if (l->next && l->next != l) reach_error(); return 0; }""",
    "a list is a circle": """struct l { struct l *next; int v; };
int f(struct l *l) { struct l *m = l; while (m->next && n()) m = m->next; if (m->next == l) reach_error(); }""",
    "a pointer in an array leads somewhere": "int f(char **v) { if (v[1]) reach_error(); return 0; }",
    "a structure by value has pointers": """struct s { int *p; };
int f(struct s s) { if (s.p && *s.p == 3) reach_error(); return 0; }""",
    "a variable points to another": """int h, *g; void set(void) { g = &h; }
int f(void) { h = 1; if (g) { *g = 2; if (h == 2) reach_error(); } if (n()) set(); return 0; }""",
    "an unknown function returns anything": """struct s { int (*f)(int); };
int f(struct s *s) { if (s->f && s->f(1) == 5) reach_error(); return 0; }""",
    "an unknown function changes what it is given": """struct s { void (*f)(int *); };
int f(struct s *s) { int x = 1; if (s->f) s->f(&x); if (x == 5) reach_error(); return 0; }""",
    "a pointer from a function without a body leads to pointers": """struct s { int *p; }; struct s *make(void);
int f(void) { struct s *s = make(); if (s && s->p && *s->p == 4) reach_error(); return 0; }""",
    "several bytes are copied, and no pointer is moved": """void *memcpy(void *, const void *, unsigned long);
int f(char *d, const char *s) { memcpy(d, s, 3); reach_error(); return 0; }""",
    "several elements are copied at once": """void *memcpy(void *, const void *, unsigned long);
int f(int *d, const int *s) { memcpy(d, s, 2 * sizeof *d); reach_error(); return 0; }""",
    "several structures are filled at once": """void *memset(void *, int, unsigned long);
struct s { int a, b; }; int f(struct s *s) { memset(s, 0, 2 * sizeof *s); reach_error(); return 0; }""",
    "a function without a body sets a pointer": """void set(int **);
int f(void) { int x = 0, *p = &x; set(&p); if (p && *p == 9) reach_error(); return 0; }""",
}
_IMPOSSIBLE = {
    "what is not null can be used": """struct b { char *d; };
int f(struct b *b) { if (b->d) { *b->d = 1; if (*b->d != 1) reach_error(); } return 0; }""",
    "two objects are apart": """struct b { int *x, *y; };
int f(struct b *b) {
  if (b->x && b->y && b->x != b->y) { *b->x = 1; *b->y = 2; if (*b->x != 1) reach_error(); }
  b->x = b->y;
  return 0;
}""",
    "lists can be walked": """struct l { struct l *next; int v; };
int f(struct l *l) { int k = 0; for (struct l *m = l; m && k < 9; m = m->next) k += m->v != m->v; return k; }""",
    "strings in an array can be used": "int f(char **v) { if (v[0]) v[0][0] = 1; return 0; }",
    "members of a crowd have different places": """struct l { struct l *next; int v[3]; };
int f(struct l *l) {
  struct l *m = l->next;
  if (!m || m == l || !m->next || m->next == m || m->next == l) return 0;
  m->v[2] = 1; m->next->v[0] = 2; m->next->v[2] = 3;
  if (m->v[2] != 1) reach_error();
  return 0;
}""",
    "a member may be called length": """struct s { int length, *p; };
int f(struct s *s, int i) { s->length = 7; if (s->length != 7 || (s->p && !i && s->p[i] != *s->p)) reach_error(); }""",
    "a pointer is not what it leads to": """struct s { void **item; int n; };
int f(struct s *s) { if (s->item) { void **i = s->item; s->item[0] = s; if (s->item != i) reach_error(); } }""",
    "what a function without a body sets can be used": """void set(int **);
int f(void) { int x = 0, *p = &x; set(&p); if (p) *p = 9; return 0; }""",
}


def _ends(text: str) -> tuple[set[Kind], int]:
    """The kinds of assertions that runs violate, and how many runs end well."""
    program = program_of(_ERROR + text, function="f")
    found: set[Kind] = set()
    well = 0
    prepared: Prepared = {}
    for choose in choosers(constants_of(program), most=400):
        end = run(program, choose, steps=3000, prepared=prepared).end
        if isinstance(end, Violated):
            found.add(end.assertion.kind)
        well += isinstance(end, Finished)
    return found, well


@pytest.mark.parametrize("text", _POSSIBLE.values(), ids=_POSSIBLE)
def test_a_state_before_the_call_in_which(text: str) -> None:
    assert Kind.ERROR_CALL in _ends(text)[0]


@pytest.mark.parametrize("text", _IMPOSSIBLE.values(), ids=_IMPOSSIBLE)
def test_in_every_state_before_the_call(text: str) -> None:
    kinds, well = _ends(text)
    assert not kinds
    assert well


def test_numbers_of_objects_start_where_those_of_the_program_end() -> None:
    text = "struct s { char **item; }; int f(struct s *s) { s->item[0] = s->item[1]; return s->item[0] == 0; }"
    program = program_of(text, function="f")
    if "memory.next" in {variable.name for variable in program.globals}:
        assert "memory.next" in program.initial


def test_no_object_from_outside_is_so_long_that_it_reaches_another() -> None:
    text = f"""{_ERROR}void *malloc(unsigned long); struct l {{ struct l *next; int v; }};
int f(struct l *n) {{
  struct l *m = malloc(sizeof *m);
  m->v = 3; m->next = n->next; n->next = m;
  if (m->next) {{ m->next->v = 4; if (m->v != 3) reach_error(); }}
  return 0;
}}"""
    program = program_of(text, function="f")
    far = 5 * 2**48 + 35  # from the fifth object of a crowd to the first that malloc makes

    def choose(type: Type) -> Value:
        return ArrayValue(2**60) if isinstance(type, Array) else -5 if len(chosen) < 1 else far

    chosen: list[Value] = []

    def counted(type: Type) -> Value:
        value = choose(type)
        if type == UNBOUNDED:
            chosen.append(value)
        return value

    assert not isinstance(run(program, counted, steps=3000).end, Violated)
