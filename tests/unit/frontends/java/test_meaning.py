"""What Java says of variables, constants, conditional expressions and null, where it is easily misread.

Each body is asked about by P1: one that returns 1 in a run and 0 otherwise keeps the law only if it never returns 1.
"""

from __future__ import annotations

import pytest

from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline

MEMBERS = "int n; Integer i; boolean f; byte y; short z;"


def asked(body: str, *, before: str = "", members: str = MEMBERS) -> Answer:
    text = f"{before} class T {{ {members} int compare(T a, T b) {{ {body} }} }}"
    task = Task((Source("T.java", text),), Property.SPECIFICATION, function="", specification="P1")
    return pipeline.verify(task, Options(engine="flower", budget=Budget(seconds=60))).answer


def test_a_variable_in_parentheses_is_changed_all_the_same() -> None:
    assert asked("int k = a.n; (k)++; return k == a.n ? 1 : 0;") is Answer.SAFE
    assert asked("return a.n - b.n;", members="private int n = 3; void up() { (n)++; }") is Answer.UNKNOWN


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < 0; i += b.n) { } int k = b.n; return b == null ? 1 : 0;",
        "int z = 0; do { if (z == 0) break; } while (b.n > 0); int k = b.n; return b == null ? 1 : 0;",
        "int z = 0; x: { if (z == 0) break x; int q = b.n; } int k = b.n; return b == null ? 1 : 0;",
    ],
)
def test_what_is_learned_on_a_way_that_is_not_taken_is_not_known(body: str) -> None:
    assert asked(body) is Answer.SAFE


@pytest.mark.parametrize(
    ("members", "answer"),
    [
        ("static final int A = T.B + 1; static final int B = 2;", Answer.SAFE),
        ("static final int A = T.B + 1; private static int B = 2;", Answer.UNKNOWN),
        ("static final int A = T.B + 1; static final int B = T.C == null ? 2 : 1; static final String C = null;",
         Answer.UNKNOWN),
    ],
)  # fmt: skip
def test_a_variable_that_is_no_constant_may_be_asked_before_it_has_its_value(members: str, answer: Answer) -> None:
    assert asked("return A - 3;", members=members) is answer


def test_a_constant_of_an_enumeration_is_not_there_before_its_class() -> None:
    members = "static final boolean A = T.B == C.RED; static final C B = C.RED;"
    assert asked("return A ? 0 : 1;", before="enum C { RED }", members=members) is Answer.UNKNOWN


def test_arrays_in_records_are_equal_if_they_are_the_same() -> None:
    body = "return a.r.equals(b.r) && a.r.v() != b.r.v() ? 1 : 0;"
    assert asked(body, before="record R(int[] v) { }", members="R r;") is Answer.SAFE


def test_a_box_beside_a_number_may_be_null_for_objects() -> None:
    assert asked("boolean e = Objects.equals(a.i, 5); return a.i == null ? 1 : 0;") is not Answer.SAFE
    assert asked("return Objects.equals(a.i, 5) && a.i != 5 ? 1 : 0;") is Answer.SAFE


def test_equals_that_a_class_defines_is_not_any_equivalence() -> None:
    before = "class A { public boolean equals(Object o) { return true; } }"
    body = "return a.x != null && b.x != null && !Objects.equals(a.x, b.x) ? 1 : 0;"
    assert asked(body, before=before, members="A x;") is Answer.UNKNOWN
    assert asked("return a.x.equals(a.x) ? 0 : 1;", before=before, members="Object x;") is Answer.UNKNOWN


def test_of_a_byte_and_a_short_one_is_chosen_as_a_short() -> None:
    methods = " ".join(
        f"static int w({type} x) {{ return {value}; }}" for type, value in (("byte", 1), ("short", 0), ("int", 1))
    )
    assert asked("return w(a.f ? a.y : a.z);", members=f"{MEMBERS} {methods}") is Answer.SAFE


def test_importing_a_package_leaves_the_classes_of_the_language_where_they_are() -> None:
    assert asked("return Math.abs(a.n) == -5 ? 1 : 0;", before="import java.util.*;") is Answer.SAFE
