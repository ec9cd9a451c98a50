"""The language of proof rules, and the built-in rules on small programs and their broken variants."""

from __future__ import annotations

import pytest

from asking import asked
from c_threads import HEADER, read, threads_text
from sorrel.encode.rules.builtin import builtin_rule, builtin_rules
from sorrel.encode.rules.reading import read_rule
from sorrel.model.errors import InputError, UsageError
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.program.statement import Kind

START = 'rule r\nabout "x"\nproves safety of threads\nassertion R(V)\n'


@pytest.mark.parametrize("rule", builtin_rules(), ids=lambda rule: rule.name)
def test_printing_a_rule_and_reading_it_gives_the_rule(rule: object) -> None:
    assert str(read_rule(str(rule), "again.rule")) == str(rule)


def test_every_rule_of_the_paper_is_built_in() -> None:
    names = {rule.name for rule in builtin_rules()}
    assert names >= {
        "invariance",
        "transition-invariants",
        "summarisation",
        "descent",
        "owicki-gries",
        "rely-guarantee",
        "rely-guarantee-termination",
    }
    assert all(rule.sound and rule.sentence for rule in builtin_rules())


def test_an_unknown_rule_is_told_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="there is no rule nonsense; there are: descent"):
        builtin_rule("nonsense")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("rule", "1:5", "the name of the rule"),
        ('rule r\nabout "x"\nproves peace of threads', "3:8", "“safety” or “termination”"),
        (START + "clause c: R(V) & error(V) -> false", "5:16", "unexpected character '&'"),
        (START + "clause c: Q(V) -> false", "5:11", "there is no assertion or relation Q"),
        (START + "clause c: R(V, V') -> false", "5:11", "R takes 0 indices and 1 vector, not 0 and 2"),
        (START + "clause c: next[i](V, V') -> R(V')", "5:11", "the index i ranges over nothing"),
        (START + "clause c: R(V) -> init(V)", "5:19", "the head of a clause is one assertion"),
        (START + "clause c: R(V[f]) -> false", "5:15", "it has no index"),
        (START + "clause c: init(V) -> R(V)", "1:1", "needs a clause with the head false"),
        (START.replace("safety", "termination") + "clause c: R(V) -> false", "1:1", "needs a dwf"),
        (START + "clause c: R(V) -> false\ndwf d: R(V)", "6:8", "dwf speaks of assertions over two vectors"),
        (START + "assertion R(V)", "5:11", "there is already something called R"),
    ],
)
def test_mistakes_in_a_rule_are_shown_where_they_are(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as problem:
        read_rule(text, "my.rule")
    assert str(problem.value).startswith(f"my.rule:{place}: ")
    assert message in str(problem.value)


# Rules on programs

COUNTER = "while (__VERIFIER_nondet_int()) { if (x < 10) x = x + 1; }"
SAFE_SEQUENTIAL = [
    f"int main(void) {{ int x = 0; {COUNTER} if (x > 10) reach_error(); return 0; }}",
    "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } if (x != y) reach_error(); }",
    "int g; void set(void) { g = 1; } int main(void) { set(); if (g != 1) reach_error(); return 0; }",
]
BROKEN_SEQUENTIAL = [
    f"int main(void) {{ int x = 0; {COUNTER} if (x > 9) reach_error(); return 0; }}",
    "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y--; } if (x != y) reach_error(); }",
    "int g; void set(void) { g = 2; } int main(void) { set(); if (g != 1) reach_error(); return 0; }",
]
SAFE_THREADS = [
    threads_text("_Atomic int a;", ["a = 1;", "a = 2;"], "if (a == 0) reach_error();"),
    threads_text("_Atomic int g;", ["g++;", "g++;"], "if (g != 2) reach_error();"),
    threads_text("_Atomic int f, d;", ["d = 1; f = 1;", "if (f) { if (d != 1) reach_error(); }"]),
]
BROKEN_THREADS = [
    threads_text("_Atomic int a;", ["a = 1;", "a = 2;"], "if (a == 1) reach_error();"),
    threads_text("_Atomic int g;", ["g = g + 1;", "g++;"], "if (g != 2) reach_error();"),
    threads_text("_Atomic int f, d;", ["f = 1; d = 1;", "if (f) { if (d != 1) reach_error(); }"]),
]
ENDING = [
    "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x = x - 1; return 0; }",
    "int main(void) { int x = __VERIFIER_nondet_int(); for (int i = 0; i < x; i++) { } return 0; }",
    "int main(void) { int x = 9; while (x != 0) { x = x - 1; } return 0; }",
]
ENDLESS = [
    "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x = x - x; while (x == 0) { } return 0; }",
    "int main(void) { int x = 1; while (x) { } return 0; }",
    "int main(void) { int x = 9; while (x != 0) { x = 1; } return 0; }",
]
RECURSIVE = [
    "int f(int n) { return n <= 0 ? 0 : f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }",
    "int f(int n, int m) { return n <= m ? 0 : f(n, m + 1); } int main(void) { return f(__VERIFIER_nondet_int(), 0); }",
    "void f(int n) { while (n > 0) n--; } int main(void) { f(__VERIFIER_nondet_int()); return 0; }",
]
ENDLESS_RECURSIVE = [
    "int f(int n) { return n == 0 ? 0 : f(n); } int main(void) { return f(__VERIFIER_nondet_int()); }",
    "int f(int n) { return f(n + 1); } int main(void) { return f(0); }",
    "void f(int n) { while (n > 0) n = 1; } int main(void) { f(__VERIFIER_nondet_int()); return 0; }",
]

ENDING_THREADS = [
    threads_text("_Atomic int a;", ["a = 1;"]),
    threads_text("_Atomic int a;", ["a++;"], "a = 2;"),
    "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x = x - 1; return 0; }",
]
ENDLESS_THREADS = [
    threads_text("_Atomic int a;", ["while (a == 0) { }"]),
    threads_text("_Atomic int a;", ["while (a != 2) a = 1;"]),
    "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x = x + 1; return 0; }",
]


def _asked(rule: str, text: str, seconds: float = 300.0) -> Outcome:
    chosen = builtin_rule(rule)
    kinds = frozenset({Kind.ERROR_CALL}) if chosen.conclusion == "safety" else frozenset()
    program = read(text if "pthread" in text else HEADER + text, kinds)
    goal = Property.UNREACH_CALL if kinds else Property.TERMINATION
    return asked(program, goal, seconds=seconds, rule=rule)


PROVED = [
    *(("invariance", text) for text in SAFE_SEQUENTIAL),
    *(("summarisation", text) for text in SAFE_SEQUENTIAL),
    *(("owicki-gries", text) for text in SAFE_THREADS),
    *(("rely-guarantee", text) for text in SAFE_THREADS),
    *(("transition-invariants", text) for text in ENDING),
    *(("descent", text) for text in RECURSIVE),
    *(("rely-guarantee-termination", text) for text in ENDING_THREADS),
]
NEVER_PROVED = [
    *(("invariance", text) for text in (*BROKEN_SEQUENTIAL, *BROKEN_THREADS)),
    *(("summarisation", text) for text in BROKEN_SEQUENTIAL),
    *(("owicki-gries", text) for text in BROKEN_THREADS),
    *(("rely-guarantee", text) for text in BROKEN_THREADS),
    *(("transition-invariants", text) for text in ENDLESS),
    *(("descent", text) for text in ENDLESS_RECURSIVE),
    *(("rely-guarantee-termination", text) for text in ENDLESS_THREADS),
]


def test_every_rule_is_tried_on_three_programs_and_on_three_that_are_broken() -> None:
    for rule in builtin_rules():
        assert sum(name == rule.name for name, _ in PROVED) >= 3
        assert sum(name == rule.name for name, _ in NEVER_PROVED) >= 3


LONG = {
    ("invariance", SAFE_SEQUENTIAL[1]),
    ("transition-invariants", ENDING[2]),
    ("owicki-gries", SAFE_THREADS[1]),
    *(("rely-guarantee", text) for text in SAFE_THREADS[1:]),
    *(("descent", text) for text in RECURSIVE[:2]),
    *(("rely-guarantee-termination", text) for text in ENDING_THREADS),
}
"""What takes seconds where a shorter program shows the same of the rule."""


@pytest.mark.parametrize(
    ("rule", "text"), [pytest.param(*each, marks=pytest.mark.long if each in LONG else ()) for each in PROVED]
)
def test_a_rule_proves_what_holds(rule: str, text: str) -> None:
    outcome = _asked(rule, text)
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert f"rule satisfied: {rule}" in outcome.notes
    assert any(confirmation.accepted for confirmation in outcome.confirmations)


@pytest.mark.parametrize(("rule", "text"), NEVER_PROVED)
def test_a_rule_does_not_prove_what_does_not_hold(rule: str, text: str) -> None:
    assert _asked(rule, text, seconds=0.5).answer is not Answer.SAFE  # other rules and runs may refute it, or nobody


def test_a_rule_of_the_user_is_as_good_as_the_user_says() -> None:
    text = str(builtin_rule("invariance")).replace("sound\n", "")
    program = read(HEADER + SAFE_SEQUENTIAL[0])
    outcome = asked(program, seconds=20, rule=text, rule_file="mine.rule")
    assert outcome.answer is Answer.SAFE
    assert "The rule invariance is sound: its conditions imply safety." in [each.text for each in outcome.assumptions]
