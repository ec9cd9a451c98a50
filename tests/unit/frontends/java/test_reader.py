"""Java: what is read, how it computes, which laws hold of comparators, and how violations are shown."""

from __future__ import annotations

import re
import textwrap
from fractions import Fraction

import pytest

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import called, read
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.process.request import request
from sorrel.program.floating import is_float
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Finished, Functions, Refused, Run, Stopped
from sorrel.program.types import BOOLEAN, UNBOUNDED, Machine
from sorrel.program.validate import validate
from sorrel.program.value import Value
from sorrel.relate.claims import subject
from sorrel.report.excerpt import Paint, Texts
from sorrel.report.verification import verification_lines

INT, CHAR = Machine(32, True), Machine(16, False)
SMALLEST, LARGEST = INT.smallest, INT.largest
SWITCH = "switch (a) { case 1: case 2: a = 9; break; default: a = 5; case 7: a++; } return a;"
OVERRIDDEN = "int g(int a) { return 1; } static class U extends T { int g(int a) { return 2; } }"


def program(text: str, function: str = "f") -> Program:
    made = read([Source("T.java", textwrap.dedent(text))], function)
    validate(made)
    return made


def method(text: str) -> Program:
    return program(f"class T {{ {text} }}")


def ran(made: Program, *inputs: Value, functions: Functions | None = None) -> Run:
    return run(subject(made, called(made)).program, inputs, functions=functions)


def result(made: Program, *inputs: Value, functions: Functions | None = None) -> Value:
    end = ran(made, *inputs, functions=functions).end
    assert isinstance(end, Finished), end
    return end.outputs[-1]


def verified(text: str, law: str, engine: str = "flower", seconds: float = 600) -> Outcome:
    task = Task((Source("T.java", textwrap.dedent(text)),), Property.SPECIFICATION, function="", specification=law)
    return pipeline.verify(task, Options(engine=engine, budget=Budget(seconds=seconds)))


# What it computes


@pytest.mark.parametrize(
    ("body", "inputs", "expected"),
    [
        ("int f(int a, int b) { return a + b; }", (LARGEST, 1), SMALLEST),
        ("int f(int a, int b) { return a - b; }", (SMALLEST, 1), LARGEST),
        ("int f(int a, int b) { return a * b; }", (1 << 30, 4), 0),
        ("int f(int a) { return -a; }", (SMALLEST,), SMALLEST),
        ("int f(int a, int b) { return a / b; }", (SMALLEST, -1), SMALLEST),
        ("int f(int a, int b) { return a / b; }", (-7, 2), -3),
        ("int f(int a, int b) { return a % b; }", (-7, 2), -1),
        ("int f(int a, int b) { return a << b; }", (1, 33), 2),
        ("int f(int a, int b) { return a >> b; }", (-8, 1), -4),
        ("int f(int a, int b) { return a >>> b; }", (-1, 28), 15),
        ("int f(int a, int b) { return (a & b) | (a ^ b); }", (12, 10), 14),
        ("int f(int a) { return ~a; }", (5,), -6),
        ("long f(int a, int b) { return (long) a - b; }", (LARGEST, -1), LARGEST + 1),
        ("int f(long a) { return (int) a; }", (1 << 32 | 5,), 5),
        ("int f(int a) { return (byte) a; }", (200,), -56),
        ("int f(char a, char b) { return a - b; }", (0, 65535), -65535),
        ("int f(int a) { a += 3; a *= 2; return a; }", (LARGEST,), 4),
        ("int f(byte a) { a += 100; return a; }", (100,), -56),
        ("int f(int a) { return a++ + a; }", (5,), 11),
        ("int f(int a) { return ++a + a--; }", (5,), 12),
        ("int f(int a) { int b; int c = b = a; return b + c; }", (4,), 8),
        ("int f(boolean a, boolean b) { return a ^ b ? 1 : 2; }", (True, False), 1),
        ("int f(int a) { return a == 'A' ? 1 : a > 0x10 ? 2 : 3; }", (65,), 1),
        ("int f(int a) { return a == -2147483648 ? 1 : 0; }", (SMALLEST,), 1),
        ("int f(int a) { return Math.abs(a); }", (SMALLEST,), SMALLEST),
        ("int f(int a, int b) { return Math.min(a, b) - Math.max(a, b); }", (3, 8), -5),
        ("int f(int a, int b) { return Integer.compare(a, b); }", (SMALLEST, 1), -1),
        ("int f(long a, int b) { return Long.compare(a, b); }", (1 << 40, 1), 1),
        ("int f(char a, char b) { return Character.compare(a, b); }", (70, 65), 5),
        ("int f(boolean a, boolean b) { return Boolean.compare(a, b); }", (True, False), 1),
        ("int f(double a, double b) { return Double.compare(a, b); }", (Fraction(1, 2), Fraction(3)), -1),
        ("int f(int a) { return a > Integer.MAX_VALUE - 1 ? 1 : 0; }", (LARGEST,), 1),
        ("static final int K = -4; int f(int a) { return a + K; }", (6,), 2),
        ("int f(int a) { int s = 0; for (int i = 0, j = a; i < j; i++, j--) s += j; return s; }", (5,), 12),
        ("int f(int a) { int s = 0; while (true) { if (s > a) break; s += 3; } return s; }", (7,), 9),
        ("int f(int a) { int s = 0; do { s++; if (s == 2) continue; } while (s < a); return s; }", (0,), 1),
        ("int f(int a) { o: for (;;) { for (;;) { if (a > 9) break o; a++; continue o; } } return a; }", (1,), 10),
        ("int f(int a) { b: { if (a > 0) break b; a = 7; } return a; }", (-1,), 7),
        (f"int f(int a) {{ {SWITCH} }}", (2,), 9),
        (f"int f(int a) {{ {SWITCH} }}", (3,), 6),
        ("int g(int x) { return x * 2; } int f(int a) { return g(a) + g(a + 1); }", (3,), 14),
        ("static int g(int x) { return x < 1 ? 0 : x + g(x - 1); } int f(int a) { return g(a); }", (4,), 10),
        ("int g(int x) { return x / 0; } int f(int a) { return a > 0 || g(a) > 0 ? 1 : 2; }", (1,), 1),
        ("int f(Object a, Object b) { return a == b ? 1 : a == null ? 2 : 3; }", (0, 4), 2),
    ],
)
def test_methods_compute_as_in_java(body: str, inputs: tuple[Value, ...], expected: Value) -> None:
    made = method(re.sub(r"(?<!static )\b(int|long) ([fg])\(", r"static \1 \2(", body))
    assert result(made, *inputs) == expected


FIELDS = """
    class Point {
      int x; String name; boolean seen; int[] marks; List<Integer> sizes; Color color;
      int weight(int unit);
      static int f(Point p, Point q) { return %s; }
    }
    enum Color { RED, GREEN, BLUE }
    """


@pytest.mark.parametrize(
    ("expression", "functions", "expected"),
    [
        ("p.x - q.x", {("Point.x", (1,), INT): 7, ("Point.x", (2,), INT): 3}, 4),
        ("p.weight(5)", {("Point.weight", (1, 5), INT): 8}, 8),
        (
            "p.marks[1]",
            {("Point.marks", (1,), UNBOUNDED): 5, ("[].length", (5,), INT): 2, ("int[]", (5, 1), INT): 6},
            6,
        ),
        ("p.marks.length", {("Point.marks", (1,), UNBOUNDED): 5, ("[].length", (5,), INT): 2}, 2),
        (
            "p.sizes.get(0)",
            {
                ("Point.sizes", (1,), UNBOUNDED): 5,
                ("java.util.List.size", (5,), INT): 1,
                ("java.util.List.get", (5, 0), UNBOUNDED): 9,
                ("java.lang.Integer.value", (9,), INT): 44,
            },
            44,
        ),
        (
            "p.name.charAt(1) - 'a'",
            {
                ("Point.name", (1,), UNBOUNDED): 5,
                ("java.lang.String.content", (5,), UNBOUNDED): 50,
                ("java.lang.String.length", (50,), INT): 2,
                ("java.lang.String.charAt", (50, 1), CHAR): 99,
            },
            2,
        ),
        (
            "p.name.compareTo(q.name) < 0 ? 1 : 0",
            {
                ("Point.name", (1,), UNBOUNDED): 5,
                ("Point.name", (2,), UNBOUNDED): 6,
                ("java.lang.String.content", (5,), UNBOUNDED): 50,
                ("java.lang.String.content", (6,), UNBOUNDED): 60,
            },
            1,
        ),
        ("p.color == Color.GREEN ? 1 : 0", {("Point.color", (1,), UNBOUNDED): 2}, 1),
        ("p instanceof Dotted ? 1 : 0", {("instanceof Dotted", (1,), BOOLEAN): True}, 1),
    ],
)
def test_members_are_functions_of_their_object(expression: str, functions: dict[object, Value], expected: int) -> None:
    made = program(FIELDS % expression)
    assert result(made, 1, 2, functions=_Given(functions)) == expected


class _Given(dict):  # type: ignore[type-arg]
    """Functions with a value for everything: 0 or false where nothing else is said."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: tuple[str, tuple[Value, ...], object]) -> Value:
        return False if key[2] == BOOLEAN else 0


@pytest.mark.parametrize(
    "body",
    [
        "static int f(T a) { return a.x; } int x;",
        "static int f(T a) { throw new Error(); }",
        "static int f(T a) { return 1 / (a == null ? 0 : 1); }",
        "static int f(int[] a) { return a[-1]; }",
        "static int f(Integer a) { return a; }",
        "static int f(T a) { assume(a != null); return 1; }",
    ],
)
def test_runs_that_throw_are_not_looked_at(body: str) -> None:
    assert isinstance(ran(method(body), 0, functions=_Given(nothing=0)).end, Refused | Stopped)


def test_the_receiver_of_a_comparator_is_shared_and_that_of_compare_to_is_an_argument() -> None:
    comparator = program("class C { boolean up; int compare(T a, T b) { return up ? 1 : -1; } }", "")
    assert [v.name for v in comparator.procedure["compare"].parameters] == ["a", "b"]
    comparable = program("class C { int x; public int compareTo(C o) { return x - o.x; } }", "")
    assert [v.name for v in comparable.procedure["compareTo"].parameters] == ["this", "o"]


def test_functions_of_parameters_are_asked_for_once() -> None:
    made = program("class C { int n; int compare(C a, C b) { int s = 0; while (s < a.n) s++; return a.n - s; } }", "")
    assert sum("apply" in line for line in _text(made).splitlines()) == 1


def _text(made: Program) -> str:
    from sorrel.program.text import write

    return write(made)


# What it refuses


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("int x; int f(T a) { a.x = 1; return 0; }", "an assignment to a field"),
        ("int f(int[] a) { a[0] = 1; return 0; }", "an assignment to an element of an array"),
        ("Object f(int a) { return new Object(); }", "object creation expression"),
        ("int f(int a) { try { return 1; } finally { } }", "try statement"),
        ('String f(String a) { return a + "x"; }', "joining strings"),
        ("int f(T a) { return (int) (a.d * 2.0); } double d;", "a conversion of double to int"),
        ("int f(T a) { return a.strange() == a.other() ? 1 : 0; }", "T.other, whose type is not declared"),
        (f"int f(int a) {{ return g(a); }} {OVERRIDDEN}", "a call of g, which U overrides"),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(body: str, construct: str) -> None:
    with pytest.raises(Unsupported, match="not supported") as caught:
        method(body)
    assert caught.value.construct == construct
    assert (caught.value.span.file, caught.value.span.line) == ("T.java", 1)


def test_what_is_not_supported_is_unknown_and_an_input_problem() -> None:
    outcome = verified("class C { int compare(C a, C b) { return new C().hashCode(); } }", "P1")
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause == "input"


def test_text_that_is_no_java_is_an_error_with_its_place() -> None:
    with pytest.raises(InputError, match="no Java") as caught:
        method("int f( { }")
    assert caught.value.span.line == 1


def test_a_brace_that_closes_nothing_is_passed_over_with_a_note() -> None:
    assert any(
        "closes nothing" in told.text for told in program("class T { static int f() { return 1; } } }").assumptions
    )


def test_a_method_must_be_named_if_there_are_several() -> None:
    two = "class A { int compare(A a, A b) { return 0; } } class B { int compareTo(B b) { return 0; } }"
    with pytest.raises(InputError, match="several methods"):
        program(two, "")
    assert called(program(two, "B.compareTo")) == "compareTo"
    with pytest.raises(InputError, match="no method g"):
        program(two, "g")


def test_java_is_asked_about_laws_and_stands_alone() -> None:
    with pytest.raises(UsageError, match="laws"):
        request([Source("T.java", "class T {}")])
    with pytest.raises(UsageError, match="cannot be combined"):
        request([Source("T.java", "class T {}"), Source("t.c", "")], specification="P1")
    asked = request([Source("T.java", "class T {}")], specification="comparator")
    assert [task.specification for task in asked.tasks] == ["P1", "P2", "P3"]


# Laws

DIFFERENCE = """
    class Price implements Comparator<Price> {
      int cents;
      public int compare(Price a, Price b) {
        return a.cents - b.cents;
      }
    }
    """
LEXICOGRAPHIC = """
    class Name implements Comparable<Name> {
      int size();
      char at(int place);
      public int compareTo(Name other) {
        int most = Math.min(size(), other.size());
        for (int i = 0; i < most; i++) {
          if (at(i) != other.at(i)) return at(i) - other.at(i);
        }
        return Integer.compare(size(), other.size());
      }
    }
    """


@pytest.mark.parametrize(("law", "answer"), [("P1", "unsafe"), ("P2", "unsafe"), ("P3", "safe")])
def test_a_difference_wraps_so_that_it_is_no_order(law: str, answer: str) -> None:
    assert verified(DIFFERENCE, law).answer == answer


@pytest.mark.parametrize("law", ["P1", *(pytest.param(law, marks=pytest.mark.long) for law in ("P2", "P3"))])
def test_lexicographic_comparison_is_an_order_whatever_the_lengths(law: str) -> None:
    outcome = verified(LEXICOGRAPHIC, law)
    assert outcome.answer is Answer.ASSUMING  # that methods without a body are functions
    assert [c.checker for c in outcome.confirmations if c.accepted] == ["z3"]


@pytest.mark.parametrize(
    ("compare", "law", "answer"),
    [
        ("a.name.compareTo(b.name)", "P2", "safe"),
        ("a.name.compareToIgnoreCase(b.name)", "P2", "safe-assuming"),
        ("a.name.equals(b.name) ? 0 : 1", "P1", "unsafe"),
        ("a.rank.compareTo(b.rank)", "P1", "safe"),
        ("a == b ? 0 : Boolean.compare(a.seen, b.seen)", "P3", "safe"),
        ("a.level.compareTo(b.level)", "P3", "safe-assuming"),
        ("before(a) - before(b)", "P1", "unsafe"),
        ("Double.compare(a.weight, b.weight)", "P2", "safe-assuming"),
        ("a.weight < b.weight ? -1 : a.weight > b.weight ? 1 : 0", "P1", "safe-assuming"),
    ],
)
def test_laws_of_what_the_library_promises(compare: str, law: str, answer: str) -> None:
    members = "String name; Integer rank; boolean seen; Level level; double weight; int before(T a);"
    assert verified(f"class T {{ {members} int compare(T a, T b) {{ return {compare}; }} }}", law).answer == answer


def test_a_tolerance_is_not_transitive_and_the_witness_needs_no_rounding() -> None:
    close = "float d = a.at - b.at; if (d < 0.5f && d > -0.5f) return 0; return d < 0 ? -1 : 1;"
    outcome = verified(f"class T {{ float at; int compare(T a, T b) {{ {close} }} }}", "P3")
    assert outcome.answer is Answer.UNSAFE
    assert any("real numbers" in told.text for told in outcome.assumptions)
    assert all(is_float(Fraction(each.value)) for each in outcome.functions)


def test_numbers_that_a_float_cannot_hold_are_known() -> None:
    assert is_float(Fraction(3, 8))
    assert not is_float(Fraction(1, 3))
    assert not is_float(Fraction((1 << 24) + 1))
    assert not is_float(Fraction(1, 1 << 150))


NO_STRINGS = "if (a.s.equals(b.s)) return 0; return a.s.length() + b.s.length() == 0 ? 1 : a.s.compareTo(b.s);"


@pytest.mark.long
def test_what_no_strings_do_is_not_claimed() -> None:
    outcome = verified(f"class T {{ String s; int compare(T a, T b) {{ {NO_STRINGS} }} }}", "P1")
    assert outcome.answer is Answer.UNKNOWN
    assert "no strings were found" in str(outcome.reason)


def test_a_violation_is_shown_side_by_side_with_the_fields_of_the_objects() -> None:
    outcome = verified(DIFFERENCE, "P1")
    assert outcome.answer is Answer.UNSAFE
    text = textwrap.dedent(DIFFERENCE)
    task = Task((Source("T.java", text),))
    lines = list(verification_lines(outcome, Texts.of(task.sources), Paint(False)))
    shown = "\n".join(lines)
    values = {each.arguments: int(each.value) for each in outcome.functions}
    assert {each.function for each in outcome.functions} == {"Price.cents"}
    (one, other) = values.values()
    assert INT.wrap(one - other) == INT.wrap(other - one) == SMALLEST
    assert "compare returns -2147483648" in shown
    assert "values of functions (the same in all runs)" in shown
    assert all(f"  Price.cents({', '.join(arguments)}) = {value}" in lines for arguments, value in values.items())
    assert [run.name for run in outcome.runs] == ["a", "b"]
