"""The state that a run began with is made in C: the compiled function does what the interpreter's run does."""

from __future__ import annotations

import pytest

from c_execution import program_of
from sorrel.model.errors import Span
from sorrel.model.outcome import ReplayResult, Violation
from sorrel.model.source import Source
from sorrel.model.task import Task, data_model_here
from sorrel.program.checks import instrument
from sorrel.program.interpreter import run
from sorrel.program.run import Violated
from sorrel.program.statement import Kind
from sorrel.replay.calling import prepared
from sorrel.replay.compiler import compiler, replay
from sorrel.replay.entry import Entry, NoHarness
from sorrel.replay.harness import write_harness
from sorrel.replay.instrumenting import parameters_of
from sorrel.testing.probe import choosers, constants_of

_STATES = {
    "members": "struct b { char c; const int n; }; int f(struct b *b) { if (b->n == 7 && b->c == 7) reach_error(); }",
    "a buffer": "struct b { char *d; int n; }; int f(struct b *b) { if (b->d && b->n == 2 && b->d[0]) reach_error(); }",
    "two buffers that are one": """struct b { int *x, *y; };
int f(struct b *b) { if (b->x && b->x == b->y) reach_error(); b->x = b->y; }""",
    "pointers to pointers": "int f(int **p) { if (*p && **p == 3) reach_error(); }",
    "a structure by value": "struct s { int a[3], *p; }; int f(struct s s) { if (s.p && s.a[1] == 3) reach_error(); }",
    "a variable that points to another": """int h, *g; void set(void) { g = &h; }
int f(int n) { if (g == &h) reach_error(); if (n) set(); }""",
    "what is behind the beginning": "int f(char **p) { if (*p && (*p)[-1] == 5) reach_error(); }",
    "a table of structures": """struct e { int key, row[2]; } t[3];
int f(int k) { if (t[1].row[1] == 5 && t[k & 1].key == 5) reach_error(); }
void set(int i) { t[i].row[0]++; }""",
    "a global matrix": "int grid[3][4]; int f(int r) { if (r >= 0 && r < 3 && grid[r][2] == 3) reach_error(); }",
    "a number behind a pointer to anything": "int f(void *p) { if (*(int *)p == 5) reach_error(); }",
    "numbers behind a pointer to anything in a structure": """struct w { const void *data; int n; };
int f(struct w *w) { const long *a = w->data; if (w->n == 2 && a && a[1] == 2) reach_error(); }""",
    "a constant array": "int f(const short a[static 3], int n) { if (a[2] == 2 && n == a[1]) reach_error(); }",
}


@pytest.mark.skipif(not compiler(), reason="no C compiler")
@pytest.mark.parametrize("body", _STATES.values(), ids=_STATES)
def test_the_compiled_function_starts_with(body: str) -> None:
    text = f"void reach_error(void);\n{body}\n"
    program = instrument(program_of(text, function="f"), frozenset({Kind.ERROR_CALL, Kind.BOUNDS}))
    runs = (run(program, choose, steps=3000) for choose in choosers(constants_of(program), most=3000))
    found = next(r for r in runs if isinstance(r.end, Violated) and r.end.assertion.kind is Kind.ERROR_CALL)
    parameters = parameters_of(text, "f", program.procedure[program.main].span)
    entry = Entry("f", "source0.c", tuple(name for name, _ in parameters), tuple(prepared(program, found, parameters)))
    violation = Violation("error-call", "reach_error is called", Span("a.c", 2, 1), "f")
    task = Task((Source(text=text),), data_model=data_model_here(), function="f")
    harness = write_harness(violation, [], [text], "cc harness.c", entry)
    assert replay(task, violation, harness, 30.0, included=entry.file).result is ReplayResult.REACHED


_HELD = {
    "a pointer in an array": "struct v { int *items[3]; }; int f(struct v *v) { if (v->items[1]) reach_error(); }",
    "a pointer to anything for a structure": """struct v { int a; short b; };
int f(void *p) { struct v *v = p; if (v->b == 3) reach_error(); }""",
    "a pointer in each of many": """struct v { char *name; };
int f(struct v *v, int n) { for (int i = 0; i < n; i++) if (v[i].name) reach_error(); }""",
}


@pytest.mark.parametrize("body", _HELD.values(), ids=_HELD)
def test_no_harness_is_written_without_the_objects_that_it_would_need(body: str) -> None:
    text = f"void reach_error(void);\n{body}\n"
    program = instrument(program_of(text, function="f"), frozenset({Kind.ERROR_CALL}))
    runs = (run(program, choose, steps=3000) for choose in choosers(constants_of(program), most=3000))
    found = next(r for r in runs if isinstance(r.end, Violated))
    with pytest.raises(NoHarness, match=r"holds pointers to objects without a name|of another type"):
        prepared(program, found, parameters_of(text, "f", program.procedure[program.main].span))
