"""Contracts are evaluated in the compiled program: those that are true are found so, others are found out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorrel.explain.compiled import Evaluated, Part, compiled_runs, part_of
from sorrel.explain.compiled import evaluated as evaluated_together
from sorrel.frontends import c
from sorrel.model.errors import Span
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.replay.compiler import compiler

pytestmark = pytest.mark.skipif(not compiler(), reason="there is no C compiler")

FUNCTION, LOOP = ContractKind.FUNCTION, ContractKind.LOOP
PROGRAM = """
struct pair { int low; unsigned high : 5; };
static int counter;
int next(int by) { return counter += by; }
static void raise(int *p, int by) { by++; *p += by; }
int deep(int n) { if (n <= 0) return 0; return 1 + deep(n - 1); }
struct pair both(int a) { struct pair made = { a, 7 }; return made; }
int f(int n, char *s) {
  int found = 0, i;
  for (i = 0; i < n; i++)
    if (s[i] == 'a') found++;
  while (n > 10) n = n - 1;
  do { found++; } while (found < 3);
  for (;;) { if (i-- <= 0) break; }
  raise(&found, 2);
  return next(found) + deep(n) + both(found).low;
}
"""


CASES = (
    ("next", FUNCTION, 4, 1, "\\result == \\old(counter) + by && \\result == counter", True),
    ("next", FUNCTION, 4, 1, "\\result == counter + by", False),
    ("raise", FUNCTION, 5, 1, "*p == \\old(*p) + by + 1", True),
    ("raise", FUNCTION, 5, 1, "*p == *p + by", False),
    ("deep", FUNCTION, 6, 1, "n <= 0 ? \\result == 0 : \\result == n", True),
    ("deep", FUNCTION, 6, 1, "\\result == n", False),
    ("both", FUNCTION, 7, 1, "\\result.low == a && \\result.high == 7", True),
    ("f", LOOP, 10, 3, "0 <= i && found <= i", True),
    ("f", LOOP, 10, 3, "i < n", False),
    ("f", LOOP, 12, 3, "n <= \\at(n, Pre)", True),
    ("f", LOOP, 12, 3, "n == \\at(n, Pre) - 1", False),
    ("f", LOOP, 13, 3, "found >= 0 && found < 100000", True),
    ("f", LOOP, 13, 3, "found < 0", False),
    ("f", LOOP, 14, 3, "\\forall integer k; k > i ==> k >= i + 1", True),
    ("f", LOOP, 14, 3, "\\forall integer k; k > i", False),
    ("f", LOOP, 14, 3, "(unsigned)-1 == 4294967295 && 9223372036854775807 + i >= 9223372036854775807", True),
)


@pytest.fixture(scope="module")
def evaluated() -> dict[str, Evaluated]:
    """All conditions in one program, by their text."""
    contracts = [
        ProgramContract(procedure, kind, Span("<text>", line, column), (text,))
        for procedure, kind, line, column, text, _ in CASES
    ]
    found = compiled_runs(Task((Source(text=PROGRAM),), function="f"), contracts, 12)
    return {each.text: each for each in found}


@pytest.mark.parametrize(("text", "holds"), [(case[-2], case[-1]) for case in CASES])
def test_conditions_mean_in_compiled_runs_what_they_say(
    evaluated: dict[str, Evaluated], text: str, holds: bool
) -> None:
    found = evaluated[text]
    assert not found.problem
    assert found.reached
    assert (found.false == 0) == holds


def test_conditions_of_one_place_are_looked_at_together() -> None:
    contract = ProgramContract("f", LOOP, Span("<text>", 14, 3), ("i <= n", "i >= -1", "found >= i"))
    found = compiled_runs(Task((Source(text=PROGRAM),), function="f"), [contract], 12)
    assert all(each.reached and not each.problem for each in found)
    assert [bool(each.false) for each in found] == [True, False, True]


def test_what_has_no_place_in_the_text_is_said_to_have_none() -> None:
    contract = ProgramContract("f", LOOP, Span("<text>", 9, 3), ("i >= 0",))
    (found,) = compiled_runs(Task((Source(text=PROGRAM),), function="f"), [contract], 1)
    assert found.reached == 0
    assert "macro or by goto" in found.problem


def test_a_run_without_a_meaning_proves_nothing() -> None:
    """Overflow ends the run before the contract is looked at."""
    text = "int f(int n) { return n + 2147483647; } int main(void) { return f(1) > 0; }"
    contract = ProgramContract("f", FUNCTION, Span("<text>", 1, 1), ("\\result == n + 2147483647",))
    (found,) = compiled_runs(Task((Source(text=text),)), [contract], 3)
    assert found == Evaluated(contract, contract.conjuncts[0])


def test_objects_of_structures_are_made_for_pointers() -> None:
    text = (
        "struct in { int k; char n[4]; }; struct s { int a; struct in b; unsigned c : 3; _Bool d; };\n"
        "int f(const struct s *p, int n, char t[], const int k[static 2]) {\n"
        "  if (n < 0 || n > 3) return -1; if (p->b.n[n] == t[0]) return k[1]; return (int)p->c + p->d + p->b.k; }"
    )
    contract = ProgramContract(
        "f", FUNCTION, Span("<text>", 2, 1), ("n < 0 ==> \\result == -1", "p->c <= 7 && p->d <= 1", "\\result == -1")
    )
    found = compiled_runs(Task((Source(text=text),), function="f"), [contract], 12)
    assert not any(each.problem for each in found)
    assert [bool(each.false) for each in found] == [False, False, True]
    assert all(each.reached == 12 for each in found)


def test_functions_of_other_files_that_are_missing_do_not_matter_to_others() -> None:
    text = "int far(int); extern int there; int g(int n) { return far(n) + there; }\nint f(int n) { return n < 3; }"
    contract = ProgramContract("f", FUNCTION, Span("<text>", 2, 1), ("\\result <= 1",))
    (found,) = compiled_runs(Task((Source(text=text),), function="f"), [contract], 5)
    assert (found.problem, found.reached, found.false) == ("", 5, 0)


def test_an_error_function_with_a_body_is_the_users_own() -> None:
    text = "void reach_error(void) { }\nint f(int n) { if (n > 50) reach_error(); return n < 3; }"
    contract = ProgramContract("f", FUNCTION, Span("<text>", 2, 1), ("\\result <= 1",))
    (found,) = compiled_runs(Task((Source(text=text),), function="f"), [contract], 5)
    assert (found.problem, found.reached > 0, found.false) == ("", True, 0)


def _part(text: str, function: str, line: int, *conditions: str) -> Part:
    task = Task((Source(text=text),), function=function)
    contract = ProgramContract(function, FUNCTION, Span("<text>", line, 1), conditions)
    return part_of(task, c.read(task.sources, c.CSettings.of(task)), [contract], 12)


def test_functions_of_one_file_share_a_program_and_no_runs() -> None:
    """What holds of the runs of g need not hold where f calls it."""
    text = "int g(int n) { return n < 0 ? 0 : n; }\nint f(int n) { return g(-7) + (n > 3); }"
    parts = [_part(text, "g", 1, "\\result >= n", "\\result < 0"), _part(text, "f", 2, "\\result <= 1")]
    found = evaluated_together(Task((Source(text=text),), function="f"), parts, 12)
    assert [(each.text, each.reached, each.false) for each in found] == [
        ("\\result >= n", 12, 0),
        ("\\result < 0", 12, 12),
        ("\\result <= 1", 12, 0),
    ]


def test_a_part_that_does_not_compile_leaves_others_alone() -> None:
    text = "int g(int n) { return n < 0 ? 0 : n; }\nint f(int n) { return n > 3; }"
    broken = replace(_part(text, "g", 1, "\\result >= 0"), calls=(("missing = 1;",),))
    task = Task((Source(text=text),), function="f")
    bad, good = evaluated_together(task, [broken, _part(text, "f", 2, "\\result <= 1")], 12)
    assert "does not compile" in bad.problem
    assert (good.problem, good.reached, good.false) == ("", 12, 0)


def test_variables_with_chosen_values_are_no_functions() -> None:
    """A function with the name of a stream of the library would be in the way of whoever prints to it."""
    text = (
        '#include <stdio.h>\nint level;\nint f(int n) { level = n; if (n > 90) fputs("high", stderr); return n > 3; }'
    )
    found = _part(text, "f", 3, "level == n")
    assert found.opened == ()
    (told,) = evaluated_together(Task((Source(text=text),), function="f"), [found], 12)
    assert (told.problem, told.reached >= 10, told.false) == ("", True, 0)


def test_inline_functions_have_a_body_to_be_called() -> None:
    text = "inline int f(int n) { return n < 3; }"
    (found,) = evaluated_together(Task((Source(text=text),), function="f"), [_part(text, "f", 1, "\\result <= 1")], 12)
    assert (found.problem, found.reached, found.false) == ("", 12, 0)


def test_what_is_hidden_and_nowhere_defined_is_not_missed_by_runs_that_do_not_need_it() -> None:
    hidden = '__attribute__((visibility("hidden")))'
    text = (
        f"extern int elsewhere(int) {hidden}; extern int level {hidden};\n"
        "int far(int x) { return elsewhere(x) + level; }\nint f(int n) { return n < 3; }"
    )
    contract = ProgramContract("f", FUNCTION, Span("<text>", 3, 1), ("\\result <= 1", "\\result >= 1"))
    good, bad = compiled_runs(Task((Source(text=text),), function="f"), [contract], 12)
    assert (good.problem, good.reached, good.false) == ("", 12, 0)
    assert bad.false > 0
