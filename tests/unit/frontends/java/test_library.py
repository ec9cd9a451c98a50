"""Methods of Java's own classes: what is modelled is what a real machine does, and what is not is never claimed."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, TypeAlias

import pytest

from bench.fuzz.java.machine import call_all
from bench.fuzz.java.methods import Written
from bench.fuzz.java.translation import interpreted, program_of
from bench.fuzz.java.values import MACHINES, TEXTS
from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import library, numbers, read
from sorrel.frontends.java.strings import OF_STRINGS
from sorrel.frontends.java.texts import DERIVED, EXACT
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.replay.java import is_there, run_java

needs_java = pytest.mark.skipif(not is_there(), reason="there is no Java compiler and machine here")

# The table, against a machine

_TYPES = {"Math": ("int", "long"), "StrictMath": ("int",), "Character": ("char", "int"), "Boolean": ("boolean",)}
_OWN = {"Integer": "int", "Long": "long", "Short": "short", "Byte": "byte"}
_SECOND = {"rotateLeft": "int", "rotateRight": "int"}
_ONLY = {"compare": "char", "hashCode": "char", "isISOControl": "char", "toIntExact": "long"}


def _edges(type: str) -> list[Any]:
    if type == "boolean":
        return [True, False]
    machine = MACHINES[type]
    near = [machine.smallest, machine.smallest + 1, machine.largest - 1, machine.largest]
    return list(dict.fromkeys(machine.wrap(each) for each in (*near, 0, 1, -1, 2, -2, 7, 10, 31, 33, 64, 97, 1 << 40)))


def _methods() -> list[Written]:
    made: list[Written] = []
    for owner, table in numbers.METHODS.items():
        short = owner.rpartition(".")[2]
        for name, count in table:
            for type in _TYPES.get(short, (_OWN.get(short, ""),)):
                if short in ("Character", "Math") and type != _ONLY.get(name, type):
                    continue
                parameters = [type, *[_SECOND.get(name, type)] * (count - 1)]
                made.append(_calling(len(made), short, name, parameters))
    made += [_calling(len(made) + at, "Math", "floorMod", types) for at, types in enumerate([["long", "int"]])]
    return made


_RESULTS = {"Boolean": {"logicalAnd": "boolean", "logicalOr": "boolean", "logicalXor": "boolean"}}


def _calling(number: int, owner: str, name: str, parameters: list[str]) -> Written:
    names = [f"p{at}" for at in range(len(parameters))]
    given = ", ".join(f"{type} {each}" for type, each in zip(parameters, names, strict=True))
    is_truth = name.startswith(("is", "logical"))
    result = "boolean" if is_truth else "long"
    text = f"class M{number} {{ static {result} f({given}) {{ return {owner}.{name}({', '.join(names)}); }} }}"
    return Written(f"M{number}", text, tuple(parameters), result, frozenset())


_Calls: TypeAlias = list[tuple[Written, list[Any]]]


def _of_numbers() -> _Calls:
    every = {each: list(product(*(_edges(type) for type in each.parameters))) for each in _methods()}
    # Of pairs every third: that many have each value on each side.
    return [(each, list(values)) for each, all in every.items() for values in (all[::3] if len(all) > 16 else all)]


def _of_characters() -> _Calls:
    written = [each for each in _methods() if "Character." in each.text and each.parameters == ("char",)]
    assert len(written) > 10
    return [(each, [code]) for each in written for code in range(140)]


@cache
def _on_a_machine() -> dict[tuple[str, tuple[Any, ...]], str]:
    """What each call returns, all of them by one machine: to start it takes longer than to call."""
    calls = [*_of_numbers(), *_of_characters(), *_of_strings()]
    written = {each.name: each for each, _ in calls}
    returned = call_all(list(written.values()), calls)
    return {(each.name, tuple(values)): real for (each, values), real in zip(calls, returned, strict=True)}


def _agree(calls: _Calls) -> None:
    """The interpreter returns what the machine does, and throws where it does; what is open is not compared."""
    programs = {each.name: program_of(each) for each in {each.name: each for each, _ in calls}.values()}
    compared = dict.fromkeys(programs, 0)
    for each, values in calls:
        ours, real = interpreted(programs[each.name], each, values), _on_a_machine()[each.name, tuple(values)]
        if not ours.startswith("skipped"):
            compared[each.name] += 1
            assert ours == ("!" if real.startswith("!") else real), (each.text, values)
    assert all(compared.values()), [name for name, count in compared.items() if not count]


@needs_java
def test_methods_of_numbers_return_what_a_machine_returns() -> None:
    _agree(_of_numbers())


@needs_java
def test_methods_of_ascii_characters_return_what_a_machine_returns() -> None:
    _agree(_of_characters())


_OF_TEXTS = [
    ("int", "p0.compareTo(p1)"),
    ("int", "p0.compareToIgnoreCase(p1)"),
    ("boolean", "p0.equals(p1)"),
    ("boolean", "p0.equalsIgnoreCase(p1)"),
    ("boolean", "p0.isEmpty()"),
    ("int", "p0.length()"),
    ("int", "p0.hashCode()"),
    ("int", "p0.charAt(p2)"),
    ("int", "p0.indexOf(p1)"),
    ("int", "p0.indexOf(p1, p2)"),
    ("int", "p0.indexOf(97)"),
    ("int", "p0.indexOf(97, p2)"),
    ("int", "p0.lastIndexOf(p1)"),
    ("int", "p0.lastIndexOf(97)"),
    ("boolean", "p0.startsWith(p1)"),
    ("boolean", "p0.endsWith(p1)"),
    ("boolean", "p0.contains(p1)"),
    ("boolean", "p0.trim().equals(p1)"),
    ("boolean", "p0.toString().equals(p1)"),
    ("int", "p0.toLowerCase().compareTo(p1)"),
    ("int", "p0.toUpperCase().compareTo(p1)"),
    ("int", "p0.substring(p2).hashCode()"),
    ("int", "p0.substring(p2, 2).hashCode()"),
    ("int", "p0.concat(p1).hashCode()"),
]


def _of_strings() -> _Calls:
    written = [
        Written(
            f"S{at}",
            f"class S{at} {{ static {result} f(String p0, String p1, int p2) {{ return {text}; }} }}",
            ("String", "String", "int"),
            result,
            frozenset(),
        )
        for at, (result, text) in enumerate(_OF_TEXTS)
    ]
    some = list(product((*TEXTS, None), TEXTS[:8], (-1, 0, 1, 3)))[::7]
    return [(each, list(values)) for each in written for values in some]


@needs_java
def test_methods_of_strings_return_what_a_machine_returns() -> None:
    _agree(_of_strings())


def test_every_exact_method_of_strings_is_compared_with_a_machine() -> None:
    named = {name.partition("(")[0] for name in (*EXACT, *DERIVED)} | {name for name, _ in OF_STRINGS}
    assert all(any(f".{name}(" in text for _, text in _OF_TEXTS) for name in named)


_REFLECTION = """
import java.lang.reflect.*;
public class Types {
  public static void main(String[] names) throws Exception {
    for (String line : %s.split(" ")) {
      String[] words = line.split("#");
      boolean found = false;
      for (Method each : Class.forName(words[1]).getMethods())
        if (each.getName().equals(words[2]) && Modifier.isStatic(each.getModifiers()) == words[0].equals("s")) {
          found = true;
          if (!each.isBridge() && !each.getReturnType().getSimpleName().equals(words[3])) System.out.println(each);
        }
      if (!found) System.out.println("there is no " + line);
    }
  }
}
"""


@needs_java
def test_open_methods_return_values_of_the_types_that_the_table_says() -> None:
    lines = [
        f"{kind}#{owner}#{name}#{type}"
        for kind, table in (("s", library._STATIC_RESULTS), ("i", library._RESULTS))
        for owner, methods in table.items()
        for name, type in methods.items()
    ]
    quoted = '"' + '"\n + " '.join(lines) + '"'
    ran = run_java({"Types.java": _REFLECTION % f"({quoted})"}, "Types", 120)
    assert ran.compiled, ran.errors
    assert ran.output == ""
    assert ran.code == 0


# Verdicts

MEMBERS = "String s; int n; char c; Color k; Integer i; Long l; boolean f; double d; int[] m;"


def asked(body: str, law: str = "P1", *, before: str = "", members: str = MEMBERS, replay: bool = False) -> Outcome:
    text = f"{before} class T {{ {members} int compare(T a, T b) {{ {body} }} }} enum Color {{ RED, GREEN, BLUE }}"
    task = Task((Source("T.java", text),), Property.SPECIFICATION, function="", specification=law)
    return pipeline.verify(task, Options(engine="flower", budget=Budget(seconds=60), replay=replay))


@pytest.mark.parametrize(
    "body",
    [
        "return a.k.ordinal() > 2 || a.k.ordinal() < 0 ? 1 : 0;",
        "return a.k.ordinal() == b.k.ordinal() && a.k != b.k ? 1 : 0;",
        "return a.k.compareTo(b.k) != a.k.ordinal() - b.k.ordinal() ? 1 : 0;",
        "return Math.floorMod(a.n, 10) < 0 ? 1 : 0;",
        "return Integer.compareUnsigned(a.n, 0) < 0 ? 1 : 0;",
        "return Math.abs(a.n) < 0 && a.n != Integer.MIN_VALUE ? 1 : 0;",
        "return a.i.compareTo(b.i) > 1 ? 1 : 0;",
        "return a.i.equals(a.l) ? 1 : 0;",
        "return a.s.length() < 0 ? 1 : 0;",
        "return a.s.isEmpty() != (a.s.length() == 0) ? 1 : 0;",
        "return a.s.compareTo(b.s) + b.s.compareTo(a.s) != 0 ? 1 : 0;",
        "return a.s.equals(b.s) && a.s.hashCode() != b.s.hashCode() ? 1 : 0;",
        "return Boolean.compare(a.f, b.f) > 1 ? 1 : 0;",
        "return Integer.numberOfLeadingZeros(a.n) > 32 ? 1 : 0;",
    ],
)
def test_values_that_no_machine_has_are_not_met(body: str) -> None:
    assert asked(body).answer is Answer.SAFE


@pytest.mark.parametrize(
    ("body", "method"),
    [
        ("return Integer.reverse(a.n) == 5 && a.n == 1 ? 1 : 0;", "Integer.reverse"),
        ("return Character.toLowerCase(a.c) == 'A' ? 1 : 0;", "Character.toLowerCase"),
        pytest.param("return a.k.name().length() > 100 ? 1 : 0;", "Color.name", marks=pytest.mark.long),
        ("return a.hashCode() == 7 ? 1 : 0;", "T.hashCode"),
        pytest.param("return String.valueOf(a.n).length() > 20 ? 1 : 0;", "String.valueOf", marks=pytest.mark.long),
        pytest.param("return a.s.matches(b.s) ? 1 : 0;", "String.matches", marks=pytest.mark.long),
    ],
)
def test_a_violation_that_depends_on_an_open_method_is_not_claimed(body: str, method: str) -> None:
    outcome = asked(body)
    assert outcome.answer is Answer.UNKNOWN
    assert method in str(outcome.reason)


def test_runs_that_need_no_open_method_are_found_beside_those_that_do() -> None:
    assert asked("return Character.isLetter(a.c) ? 1 : 0;").answer is Answer.UNSAFE


@pytest.mark.long
def test_a_difference_of_lengths_is_not_bounded_by_that_of_characters() -> None:
    outcome = asked("return a.s.compareTo(b.s) * 32768;", replay=is_there())
    assert outcome.answer is Answer.UNSAFE
    assert any("characters)" in each.value for each in outcome.functions)


def test_how_far_objects_are_apart_need_not_be_the_same_both_ways() -> None:
    members = "Level level;"
    assert asked("return a.level.compareTo(b.level) + b.level.compareTo(a.level);", members=members).answer is (
        Answer.UNSAFE
    )


@pytest.mark.parametrize(
    ("before", "body", "answer"),
    [
        ("class Math { static int abs(int x) { return 5; } }", "return Math.abs(a.n) - 5;", Answer.SAFE),
        ("import static java.lang.Math.abs;", "return abs(a.n) == -5 ? 1 : 0;", Answer.SAFE),
        ("import static java.lang.Math.*;", "return max(a.n, 3) < 3 ? 1 : 0;", Answer.SAFE),
        ("class List { int size(); }", "return size(new1()).size() < 0 ? 1 : 0;", Answer.UNSAFE),
    ],
)
def test_methods_are_found_by_declaration(before: str, body: str, answer: Answer) -> None:
    members = f"{MEMBERS} List size(List l); List new1();"
    assert asked(body, before=before, members=members if "List" in before else MEMBERS).answer is answer


def test_a_field_and_a_method_of_one_name_have_nothing_to_do_with_each_other() -> None:
    assert asked("return a.size - a.size();", members="int size; int size();").answer is Answer.UNSAFE


@pytest.mark.parametrize(
    "text",
    [
        "class Character { } class T { int compare(T a, T b) { return 0; } }",
        "class T<Integer> { int compare(T a, T b) { return 0; } }",
        "import com.shop.String; class T { int compare(T a, T b) { return 0; } }",
    ],
)
def test_a_class_of_its_own_that_hides_one_of_the_language_is_refused(text: str) -> None:
    with pytest.raises(Unsupported, match="a class of its own"):
        read([Source("T.java", text)])


@pytest.mark.parametrize(
    ("members", "answer"),
    [
        ("private final int n; T(int n) { this.n = n; }", Answer.UNSAFE),
        ("private int n; void setN(int value) { n = value; }", Answer.UNSAFE),
        ("private final int n; T(int n) { this.n = Math.max(n, 0); }", Answer.UNKNOWN),
        ("private int n; void setN(int value) { if (value < 0) return; n = value; }", Answer.UNKNOWN),
        ("static final int n = 2 * 3;", Answer.SAFE),
        ("final int n = 6;", Answer.SAFE),
        ("private int n = 6;", Answer.SAFE),
        ("private static int n = 6;", Answer.SAFE),
        ("int n = 6;", Answer.UNSAFE),
    ],
)
def test_a_field_has_the_values_that_its_class_stores_there(members: str, answer: Answer) -> None:
    assert asked("return a.n - b.n;", members=members).answer is answer


@pytest.mark.parametrize(
    "text",
    [
        "if (!(o instanceof T)) return false; T t = (T) o; return t.x == x;",
        "T t = (T) o; return t.x == x;",
        "return o instanceof T && ((T) o).x == x;",
    ],
)
@pytest.mark.parametrize("law", ["equals-reflexivity", "equals-symmetry", "equals-transitivity"])
def test_an_object_is_of_the_type_that_it_is_declared_with(text: str, law: str) -> None:
    source = Source("T.java", f"class T {{ int x; public boolean equals(Object o) {{ {text} }} }}")
    task = Task((source,), Property.SPECIFICATION, function="T.equals", specification=law)
    assert pipeline.verify(task, Options(engine="flower", budget=Budget(seconds=60))).answer is Answer.SAFE


A_CLASS = "interface I { default int m() { return 1; } } class A { public int m() { return 2; } }"
AN_INTERFACE = "interface I { default int m() { return 1; } } interface J extends I { default int m() { return 3; } }"


@pytest.mark.parametrize(
    ("before", "members", "body", "answer"),
    [
        (f"{A_CLASS} class B extends A {{ }} class C extends B implements I {{ }}", "C c;", "a.c.m() - 2", Answer.SAFE),
        (f"{AN_INTERFACE} class C implements I, J {{ }}", "C c;", "a.c.m() - 3", Answer.SAFE),
        ("class A { } class B extends A { public boolean equals(Object o) { return false; } }", "A x;",
         "a.x.equals(a.x) ? 0 : 1", Answer.UNKNOWN),
        ("class A { }", "A x;", "a.x.equals(a.x) ? 0 : 1", Answer.SAFE),
        ("class A { int n; } class B extends A { int n; }", "B x;", "((A) a.x).n - a.x.n", Answer.UNSAFE),
        ("record A(int n) { }", "A x;", "a.x.n() == b.x.n() != a.x.equals(b.x) ? 1 : 0", Answer.SAFE),
    ],
)  # fmt: skip
def test_the_method_that_is_called_is_the_one_that_java_calls(
    before: str, members: str, body: str, answer: Answer
) -> None:
    assert asked(f"return {body};", before=before, members=members).answer is answer


def test_boxes_of_one_value_may_be_two_objects() -> None:
    outcome = asked("Integer p = a.n, q = a.n; return p == q ? 0 : 1;")
    assert outcome.answer is Answer.UNKNOWN
    assert "made on the way" in str(outcome.reason)


def test_the_sign_of_a_zero_is_not_claimed() -> None:
    outcome = asked("return a.d == 0 && Double.compare(-a.d, a.d) == 0 ? 1 : 0;")
    assert outcome.answer is Answer.UNKNOWN
    assert "sign of a zero" in str(outcome.reason)


@needs_java
@pytest.mark.parametrize(
    "body",
    [
        "return a.n - b.n;",
        pytest.param("return a.i - b.i;", marks=pytest.mark.long),
        pytest.param("return a.m[0] - b.m[0];", marks=pytest.mark.long),
        pytest.param("return a.s.equals(b.s) ? 0 : 1;", marks=pytest.mark.long),
        pytest.param("return a.k == b.k ? 0 : 1;", marks=pytest.mark.long),
        pytest.param("return a.f ? 1 : 0;", marks=pytest.mark.long),
        pytest.param("return a.s == null ? 1 : 0;", marks=pytest.mark.long),
        pytest.param('return a.s.equals("x") ? 1 : b.s.equals("x") ? -1 : 0;', marks=pytest.mark.long),
    ],
)
def test_a_violation_is_repeated_on_a_machine(body: str) -> None:
    outcome = asked(body, replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.confirmations[-1].checker == "the compiled program", outcome.replay
