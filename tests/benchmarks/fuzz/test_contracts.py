"""Contracts of other people's functions: which count, and that a false one is seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.fuzz.contracts import Search, Told, carried_on, chosen, counted, declared, evaluated, implied, summary
from c_execution import require_compiler

LIBRARY = """#include <stddef.h>
int clamp(int x) {
  if (x < 0) return 0;
  if (x > 9) return 9;
  return x;
}
double half(double x) { return x / 2; }
void nothing(int x) { }
int same(int x) { return x; }
unsigned char low(unsigned x) { return x & 15; }
extern int elsewhere;
int far(int x) { return elsewhere + x; }
static int level;
void set(int x) { level = x; }
"""


@pytest.mark.parametrize(
    ("text", "is_implied"),
    [
        ("\\result >= 0", True),
        ("\\result <= 255", True),
        ("\\result <= 254", False),
        ("0 <= \\result <= 255", True),
        ("-1 < \\result < 256", True),
        ("0 <= \\result <= 254", False),
        ("1 <= \\result <= 255", False),
        ("x >= -2147483648", True),
        ("x > -2147483648", False),
        ("y >= 0", False),
        ("\\result == 0", False),
        ("\\result <= x", False),
    ],
)
def test_bounds_of_the_type_do_not_count(text: str, is_implied: bool) -> None:
    assert implied(text, {"\\result": {8}, "x": {-32}}) is is_implied


def test_functions_of_numbers_that_are_whole_are_taken_once(tmp_path: Path) -> None:
    require_compiler()
    (tmp_path / "library.c").write_text(LIBRARY)
    (tmp_path / "copy.c").write_text(LIBRARY.replace("clamp", "between"))
    ((file, names),) = chosen(Search(tmp_path))
    assert sorted(names)[1:] == ["low", "set"]
    sizes = declared(file)
    assert sizes["low"] == {"\\result": {8}, "x": {32}, "elsewhere": {-32}, "level": {-32}}


def test_contracts_are_evaluated_and_recorded_once(tmp_path: Path) -> None:
    require_compiler()
    (tmp_path / "library.c").write_text(LIBRARY)
    record = tmp_path / "record.jsonl"
    told = carried_on(Search(tmp_path), record, 100, 60)
    assert any(each.function == "clamp" and each.counts for each in told)
    assert not any(each.false for each in told)
    (line,) = record.read_text().splitlines()
    assert carried_on(Search(tmp_path), record, 100, 60) == told
    assert record.read_text().splitlines() == [line]
    assert set(json.loads(line)["functions"]) == {"clamp", "low", "set"}


def test_false_contracts_are_named() -> None:
    told = Told("a/b.c", "f", "f", "function", "\\result == 0", 20, 3, "")
    assert "FALSE a/b.c f: \\result == 0" in summary([told], Path("a"))


def test_a_function_is_not_counted_for_the_same_condition_in_other_words() -> None:
    texts = ("\\result >= 0", "0 <= \\result", "\\result > -1", "\\result >= 1")
    told = [Told("a/b.c", "f", "f", "function", text, 20, 0, "") for text in texts]
    assert [each.text for each in counted(told)] == ["\\result >= 0", "\\result >= 1"]


def test_few_runs_are_not_enough() -> None:
    assert not counted([Told("a/b.c", "f", "f", "function", "\\result == 0", 9, 0, "")])


def test_what_cannot_be_read_has_no_contracts(tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    file.write_text('int f(int x) { asm("nop"); return x; }')
    assert evaluated(file, ["f"], Search(tmp_path)) == (["f"], [])
