"""Frames list the elements that are written, where it can be shown that no others are."""

from __future__ import annotations

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.explain.telling import contracts
from sorrel.frontends import c
from sorrel.horn.clause import Predicate
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.outcome import ContractKind
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.smt.solver import Oracle


def _counts_up(predicate: Predicate) -> Term:
    """What an engine proves of the loops below."""
    return terms.conjunction(
        formal >= 0 for formal in predicate.formals if terms.name_of(formal) == "i" and "@" in predicate.name
    )


def frame(text: str) -> tuple[str, ...] | None:
    program = c.read([Source("f.c", text)], c.CSettings(c.DataModel.LP64, function="f"))
    oracle = Oracle(Budget(seconds=20.0).start(), query_seconds=1.0)
    encoding = encode(instrument(program, frozenset()), Arithmetic.IDEAL, alone=True)
    nothing = {predicate.name: terms.TRUE for predicate in encoding.system.predicates}
    told = contracts(encoding, nothing, oracle, {p.name: _counts_up(p) for p in encoding.system.predicates})
    (own,) = [each for each in told if each.procedure == "f" and each.kind is ContractKind.FUNCTION]
    return own.assigns


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("void f(int *a, int i) { a[i] = 0; }", ("a[i]",)),
        ("void f(int *a, int i, int j) { int t = a[i]; a[i] = a[j]; a[j] = t; }", ("a[i]", "a[j]")),
        ("void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }", ("a[0 .. n - 1]",)),
        ("void f(int *a, int n) { for (int i = 0; i <= n; i++) a[i] = 0; }", ("a[0 .. n]",)),
        ("int g[9], t; void f(int v) { g[t++] = v; }", ("g[t]", "t")),
        ("int g[9]; void h(int i) { g[i] = 1; } void f(int i) { h(i); }", ("g[i]",)),
        (
            "struct r { int head, data[16]; }; void f(struct r *r, int v) { r->data[r->head++] = v; }",
            ("r->data[r->head]", "r->head"),
        ),
    ],
)
def test_a_frame_lists_what_is_written(text: str, expected: tuple[str, ...]) -> None:
    assert frame(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "void f(int *a, int n) { for (int i = 0; i <= n; i++) a[2 * i] = 0; }",
        "void f(int *a, int i) { a[i] = 0; a[i + 1] = 0; }",
        "void f(int *a, int i) { i++; a[i] = 0; }",
    ],
)
def test_elements_that_have_no_name_at_the_entry_are_all(text: str) -> None:
    assert frame(text) == ("a[..]",)
