"""Results lie between numbers that the program need not mention."""

from __future__ import annotations

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.explain.bounds import bounds
from sorrel.frontends import c
from sorrel.logic import terms
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.smt.solver import Oracle


def limits(function: str, seen: int) -> set[str]:
    """What is said of the result of f, from one value of it that was seen."""
    text = f"extern int __VERIFIER_nondet_int(void); {function} int main(void) {{ return f(__VERIFIER_nondet_int()); }}"
    program = instrument(c.read((Source(text=text),), c.CSettings(c.DataModel("LP64"), (), (), "main")), frozenset())
    system = encode(program, Arithmetic.IDEAL, alone=True).system
    proved = {predicate.name: terms.TRUE for predicate in system.predicates}
    (own,) = [predicate for predicate in system.predicates if predicate.name == "f"]
    points = [tuple(seen for _ in own.arguments)]
    found = bounds(system, proved, {"f": points}, Oracle())
    return {str(each) for each in terms.conjuncts(found.get("f", terms.TRUE))} - {"True"}


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (
            "int f(int c) { if (c >= 'a' && c <= 'f') return c - 'a' + 10; return -1; }",
            {"return.value >= -1", "return.value <= 15"},
        ),
        ("int f(int c) { return c > 40 ? c : 41; }", {"return.value >= 41"}),
        ("int f(int c) { return c % 1000; }", {"return.value >= -999", "return.value <= 999"}),
        ("int f(int c) { return c; }", set()),
    ],
    ids=["digits", "from below", "remainders", "none"],
)
def test_the_tightest_bounds_of_results_are_found(function: str, expected: set[str]) -> None:
    assert limits(function, seen=-1 if "return -1" in function else 41) == expected
