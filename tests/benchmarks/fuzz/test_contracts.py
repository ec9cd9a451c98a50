"""Contracts of other people's functions: which count, and that a false one is seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.fuzz.contracts import Function, Search, Told, carried_on, declared, evaluated, functions, implied, summary
from c_execution import require_compiler

LIBRARY = """#include <stddef.h>
int clamp(int x) {
  if (x < 0) return 0;
  if (x > 9) return 9;
  return x;
}
double half(double x) { return x / 2; }
void nothing(int x) { }
unsigned char low(unsigned x) { return x & 15; }
"""


@pytest.mark.parametrize(
    ("text", "is_implied"),
    [
        ("\\result >= 0", True),
        ("\\result <= 255", True),
        ("\\result <= 254", False),
        ("x >= -2147483648", True),
        ("x > -2147483648", False),
        ("y >= 0", False),
        ("\\result == 0", False),
        ("\\result <= x", False),
    ],
)
def test_bounds_of_the_type_do_not_count(text: str, is_implied: bool) -> None:
    assert implied(text, {"\\result": {8}, "x": {-32}}) is is_implied


def test_functions_of_numbers_are_taken(tmp_path: Path) -> None:
    require_compiler()
    (tmp_path / "library.c").write_text(LIBRARY)
    (tmp_path / "copy.c").write_text(LIBRARY)
    found = list(functions(Search(tmp_path)))
    assert sorted(each.name for each in found) == ["clamp", "low"]
    sizes = declared(Path(found[0].file))
    assert (sizes["clamp"], sizes["low"]) == ({"\\result": {-32}, "x": {-32}}, {"\\result": {8}, "x": {32}})


def test_contracts_are_evaluated_and_recorded_once(tmp_path: Path) -> None:
    require_compiler()
    (tmp_path / "library.c").write_text(LIBRARY)
    record = tmp_path / "record.jsonl"
    told = carried_on(Search(tmp_path), record, 100, 60)
    assert any(each.function == "clamp" and each.counts for each in told)
    assert not any(each.false for each in told)
    assert len(record.read_text().splitlines()) == 2
    assert carried_on(Search(tmp_path), record, 100, 60) == told
    assert len(record.read_text().splitlines()) == 2
    assert {json.loads(line)["function"] for line in record.read_text().splitlines()} == {"clamp", "low"}


def test_false_contracts_are_named() -> None:
    told = Told("a/b.c", "f", "f", "function", "\\result == 0", 20, 3, "")
    assert "FALSE a/b.c f: \\result == 0" in summary([told])


def test_what_cannot_be_read_has_no_contracts(tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    file.write_text('int f(int x) { asm("nop"); return x; }')
    assert evaluated(Function(str(file), "f", 1, 1), Search(tmp_path)) == []
