"""Digests change with the meaning of a component and with nothing else."""

from __future__ import annotations

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.pieces import Pieces
from sorrel.frontends import c
from sorrel.logic import terms
from sorrel.model.source import Source
from sorrel.modular.component import split
from sorrel.modular.known import Known
from sorrel.program.checks import instrument
from sorrel.program.statement import Kind

PROGRAM = """
extern void __VERIFIER_assert(int);
int limit = 10;
int clamp(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }
int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i; } return s; }
int even(int n); int odd(int n) { if (n <= 0) return 0; return even(n - 1); }
int even(int n) { if (n <= 0) return 1; return odd(n - 1); }
int main(void) { int c = clamp(sum(5), 0, limit); __VERIFIER_assert(c <= 10 && even(c) <= 1); return 0; }
"""


def digests(text: str) -> dict[str, str]:
    program = instrument(c.read([Source("a.c", text)], c.CSettings()), frozenset({Kind.ASSERTION, Kind.ERROR_CALL}))
    known = Known(split(Pieces(program, Arithmetic.IDEAL, alone=True)), "assertions")
    return {component.name: known.clauses(component) for component in known.parts.components}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int main", "/* a\n comment */ int main"),
        ("int sum(int n) { int s = 0;", "\n\n\nint sum(int n) {\n\n int s = 0;\n"),
        (
            "int s = 0; for (int i = 0; i < n; i++) { s += i; } return s;",
            "int t = 0; int k = 0; while (k < n) { t += k; k++; } return t;",
        ),
        ("if (x < lo)", "if (!(x >= lo))"),
        ("int limit = 10;", "int unused = 3; int limit = 10;"),
        ("limit", "bound"),
    ],
)
def test_what_means_the_same_has_the_same_digest(old: str, new: str) -> None:
    assert old in PROGRAM
    assert digests(PROGRAM.replace(old, new)) == digests(PROGRAM)


@pytest.mark.parametrize(
    ("old", "new", "component"),
    [
        ("x < lo", "x <= lo", "clamp"),
        ("s += i;", "s += i + 1;", "sum"),
        ("return even(n - 1)", "return even(n - 2)", "even+odd"),
    ],
)
def test_a_change_of_meaning_changes_the_digest_of_its_component_alone(old: str, new: str, component: str) -> None:
    before, after = digests(PROGRAM), digests(PROGRAM.replace(old, new))
    assert {name for name in before if before[name] != after[name]} == {component}


def test_what_the_solver_has_seen_before_leaves_no_trace() -> None:
    before = digests(PROGRAM)
    held = [
        terms.variable(name, terms.INT) + number for number in range(50) for name in ("s", "i", "n", "hi", "lo", "x")
    ]
    assert digests(PROGRAM) == before
    assert len(held) == 300
