"""Contracts speak of pointers as pointers, of fields by their names, and of nothing that was not proved."""

from __future__ import annotations

import pytest

from sorrel.explain.compiled import compiled_runs
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.source import Source
from sorrel.model.task import Task, data_model_here
from sorrel.process import pipeline

DECLARATIONS = "#include <stdlib.h>\nstruct node { int v; struct node *next; };\nint g;\n"


def contract(function: str) -> ProgramContract:
    task = Task((Source(text=DECLARATIONS + function),), function="f", data_model=data_model_here())
    outcome = pipeline.summarize(task, Options(budget=Budget(60.0)))
    (found,) = [
        each for each in outcome.program_contracts if each.procedure == "f" and each.kind is ContractKind.FUNCTION
    ]
    for told in compiled_runs(task, [found], 5):
        assert not told.false, told.text
    return found


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param(
            "int *f(int *a, int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return &a[i]; return 0; }",
            ("\\result == \\null || a <= \\result < a + n",),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "struct node *f(void) { struct node *n = malloc(sizeof *n); if (!n) return 0; n->next = 0; return n; }",
            ("\\result != \\null",),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "char *f(char *s) { while (*s == ' ') s++; return s; }", ("s <= \\result",), marks=pytest.mark.long
        ),
        pytest.param(
            "struct node *f(struct node *p, struct node *q) { return p->v > q->v ? p : q; }",
            ("\\result == p || \\result == q",),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "struct node *f(struct node *p, int c) { if (c) return 0; return p; }",
            ("c == 0 ==> \\result == p", "c != 0 ==> \\result == \\null"),
            marks=pytest.mark.long,
        ),
        ("int *f(int *p) { p++; return p; }", ("p <= \\result",)),
        pytest.param(
            "void f(int *p, int *q) { int t = *p; *p = *q; *q = t; }",
            ("*p == \\old(*q)", "*q == \\old(*p)"),
            marks=pytest.mark.long,
        ),
        ("void f(struct node *x) { x->v = 0; g = 1; }", ("g == 1", "x->v == 0")),
    ],
)
def test_what_is_told_of_pointers(function: str, expected: tuple[str, ...]) -> None:
    assert contract(function).conjuncts == expected


@pytest.mark.parametrize(
    "function",
    [
        pytest.param("int *f(int *p, int c) { return c > 100 ? &g : p; }", marks=pytest.mark.long),
        pytest.param(
            "int *f(int *p, int *q, int c) { int *r = p; p = q; q = r; return c > 7 ? p : q; }", marks=pytest.mark.long
        ),
        "int *f(int n) { return n > 77 ? malloc(4) : 0; }",
    ],
)
def test_what_is_not_always_so_is_not_told(function: str) -> None:
    told = contract(function).conjuncts
    assert not {"\\result == p", "\\result != \\null", "\\result == \\null", "\\result == \\null || \\result == p"} & {
        *told
    }


@pytest.mark.parametrize(
    ("function", "assumed"),
    [
        pytest.param("int f(int a, int b) { return a / b; }", "no division by zero", marks=pytest.mark.long),
        ("int h[4]; int f(int i) { return h[i]; }", "all memory accesses are in bounds"),
        ("#include <assert.h>\nint f(int a) { assert(a > 3); return a; }", "every assertion of the program holds"),
    ],
)
def test_a_contract_says_what_it_rests_on(function: str, assumed: str) -> None:
    task = Task((Source(text=DECLARATIONS + function),), function="f", data_model=data_model_here())
    outcome = pipeline.summarize(task, Options(budget=Budget(60.0)))
    assert assumed in {each.brief for each in outcome.assumptions}


def test_facts_about_pointers_require_that_they_are_apart() -> None:
    assert contract("void f(int *p) { *p = 1; g = 2; }").requires == ("\\valid(p) && \\separated(p, &g)",)
