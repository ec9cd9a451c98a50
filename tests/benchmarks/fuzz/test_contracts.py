"""Contracts of other people's functions: which count, and that a false one is seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.fuzz import contracts
from bench.fuzz.contracts import carried_on, chosen, declared, evaluated, hashed, implied, in_stages, main
from bench.fuzz.found import COLUMNS, Recorded, Search, Told, counted, summary, write_table
from bench.fuzz.scanning import Found, files, scan
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
        ("*p <= 255", True),
        ("0 < *p <= 255", False),
        ("p <= 255", False),
    ],
)
def test_bounds_of_the_type_do_not_count(text: str, is_implied: bool) -> None:
    assert implied(text, {"\\result": {8}, "x": {-32}, "*p": {8}}) is is_implied


def test_functions_of_numbers_that_are_whole_are_taken_once(tmp_path: Path) -> None:
    require_compiler()
    (tmp_path / "library.c").write_text(LIBRARY)
    (tmp_path / "copy.c").write_text(LIBRARY.replace("clamp", "between"))
    ((file, functions),) = chosen(Search(tmp_path), Recorded())
    assert sorted(each.name for each in functions)[1:] == ["low", "set"]
    sizes = declared(file)
    assert sizes["low"] == {"\\result": {8}, "x": {32}, "elsewhere": {-32}, "level": {-32}}


def test_what_a_pointer_leads_to_has_a_type_too(tmp_path: Path) -> None:
    file = tmp_path / "library.c"
    file.write_text("typedef unsigned char byte;\nvoid f(byte *p, const int *q) { *p = *q > 3; }")
    assert declared(file)["f"] == {"*p": {8}, "*q": {-32}}


def test_contracts_are_evaluated_and_recorded_once(tmp_path: Path) -> None:
    require_compiler()
    (tmp_path / "library.c").write_text(LIBRARY)
    record = tmp_path / "record.jsonl"
    found = carried_on(Search(tmp_path), record, 100, 60)
    assert any(each.function == "clamp" and each.counts for each in found.told)
    assert not any(each.false for each in found.told)
    lines = record.read_text().splitlines()
    assert carried_on(Search(tmp_path), record, 100, 60) == found
    assert record.read_text().splitlines() == lines
    assert sorted(name for line in lines for name in json.loads(line)["functions"]) == ["clamp", "low", "set"]


def test_false_contracts_are_named() -> None:
    told = Told("a/b.c", "f", "f", "function", "\\result == 0", 20, 3, "")
    assert "FALSE a/b.c f: \\result == 0" in summary(Recorded(told=[told]), Search(Path("a")))


def test_an_error_of_ours_is_recorded_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise IndexError("of ours")

    monkeypatch.setattr(contracts, "of_program", broken)
    file = tmp_path / "library.c"
    file.write_text(LIBRARY)
    found = Recorded()
    found.add(evaluated(file, [each for each in scan(file, 9).functions if each.name == "clamp"], Search(tmp_path)))
    (place,) = found.errors
    assert place == f"{file} clamp"
    assert "IndexError: of ours" in summary(found, Search(tmp_path))


def test_a_function_is_not_counted_for_the_same_condition_in_other_words() -> None:
    texts = ("\\result >= 0", "0 <= \\result", "\\result > -1", "\\result >= 1")
    told = [Told("a/b.c", "f", "f", "function", text, 20, 0, "") for text in texts]
    assert [each.text for each in counted(told, Search(Path("a")))] == ["\\result >= 0", "\\result >= 1"]


def test_copies_that_two_searches_met_are_counted_once() -> None:
    first = Told("a/b/b.c", "f", "f", "function", "\\result >= 1", 20, 0, "", "same")
    copy = Told("a/d/d.c", "g", "g", "function", "1 <= \\result", 20, 0, "", "same")
    assert counted([first, copy], Search(Path("a"))) == [first]


def test_of_one_package_not_too_many_count() -> None:
    packages = ["one", "one", "two", "one"]
    told = [
        Told(f"a/{name}/b.c", f"f{n}", f"f{n}", "function", "\\result >= 1", 20, 0, "")
        for n, name in enumerate(packages)
    ]
    found = counted(told, Search(Path("a"), each=2))
    assert [each.function for each in found] == ["f0", "f1", "f2"]
    assert "beyond 2 of one package, not counted" in summary(Recorded(told=told), Search(Path("a"), each=2))


def test_what_another_search_recorded_is_not_asked_again(tmp_path: Path) -> None:
    require_compiler()
    file = tmp_path / "library.c"
    file.write_text(LIBRARY)
    keys = {hashed(each) for each in scan(file, 9).functions if each.name != "low"}
    ((_, functions),) = chosen(Search(tmp_path), Recorded(keys=keys))
    assert [each.name for each in functions] == ["low"]


def test_a_package_is_left_when_enough_was_told_of_it(tmp_path: Path) -> None:
    require_compiler()
    file = tmp_path / "one" / "b.c"
    file.parent.mkdir()
    file.write_text(LIBRARY)
    told = Told(str(tmp_path / "one" / "a.c"), "f", "f", "function", "\\result >= 1", 20, 0, "")
    assert list(chosen(Search(tmp_path, each=1), Recorded(told=[told]))) == []
    assert len(list(chosen(Search(tmp_path, each=2), Recorded(told=[told])))) == 1


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_shares_have_all_packages_each_once(tmp_path: Path, parts: int) -> None:
    for number in range(5):
        (tmp_path / f"{number}.c").write_text(f"int f(int x) {{ return x > {number} ? x : {number}; }}")
    found = [each.file.name for part in range(parts) for each in files(tmp_path, 1, 9, share=(part + 1, parts))]
    assert sorted(found) == [f"{number}.c" for number in range(5)]


def test_few_runs_are_not_enough() -> None:
    assert not counted([Told("a/b.c", "f", "f", "function", "\\result == 0", 9, 0, "")], Search(Path("a")))


def test_what_cannot_be_read_has_no_contracts(tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    file.write_text('int f(int x) { asm("nop"); return x; }')
    found = evaluated(file, [Found("f", 1, 1, 0.0, "")], Search(tmp_path))
    assert (found["functions"], found["told"], found["errors"]) == (["f"], [], {})


def test_a_table_has_what_counts_without_any_text(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    told = [
        Told(str(folder / "one_1%2.0-1" / "src" / "b.c"), "f", "f", "function", "\\result >= 1", 20, 0, "", "k1"),
        Told(str(folder / "one_1%2.0-1" / "src" / "b.c"), "f", "f", "function", "1 <= \\result", 20, 0, "", "k1"),
        Told(str(folder / "one_1%2.0-1" / "src" / "b.c"), "g", "g", "function", "\\result >= 1", 9, 0, "", "k2"),
        Told(str(folder / "alone.c"), "h", "h", "loop", "n >= 1", 12, 1, "", "k3"),
    ]
    table = tmp_path / "kept" / "contracts.csv"
    write_table(table, told, Search(folder))
    header, alone, one = table.read_text().splitlines()
    assert header == ",".join(COLUMNS)
    assert alone.startswith("alone.c,,alone.c,h,h,loop,k3,")
    assert alone.endswith(",12,1")
    assert one.startswith("one,1%2.0-1,src/b.c,f,f,function,k1,")
    assert "result" not in table.read_text()


def test_a_search_goes_on_from_a_table(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    told = [
        Told(str(folder / "one_1" / "b.c"), "f", "f", "function", "\\result >= 1", 20, 0, "", "k1"),
        Told(str(folder / "b.c"), "h", "h", "loop", "n >= 1", 12, 1, "", "k3"),
    ]
    table = tmp_path / "contracts.csv"
    write_table(table, told, Search(folder))
    found = Recorded(told=[Told(str(folder / "two" / "b.c"), "g", "g", "function", "1 <= \\result", 20, 0, "", "k1")])
    found.read_table(table, Search(folder))
    assert found.keys == {"k1", "k3"}
    assert sorted(each.file for each in counted(found.told, Search(folder))) == sorted(each.file for each in told)
    assert "FALSE" in summary(found, Search(folder))
    again = tmp_path / "again.csv"
    write_table(again, found.told, Search(folder))
    assert again.read_text() == table.read_text()


def test_functions_in_a_table_are_not_asked_again(tmp_path: Path) -> None:
    require_compiler()
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "library.c").write_text(LIBRARY)
    table, first, second = (tmp_path / name for name in ("contracts.csv", "first.jsonl", "second.jsonl"))
    main([str(folder), "--table", str(table), "--record", str(first), "--seconds", "60"])
    rows = table.read_text()
    assert "library.c,,library.c,clamp,clamp,function," in rows
    main([str(folder), "--table", str(table), "--record", str(second), "--seconds", "60"])
    assert table.read_text() == rows
    asked = {name for line in second.read_text().splitlines() for name in json.loads(line)["functions"]}
    assert "clamp" not in asked


def test_easy_functions_of_all_files_come_before_harder_ones(tmp_path: Path) -> None:
    require_compiler()
    easy, hard = "int easy{0}(int x) {{ return x > {0}; }}", "int hard{0}(int x) {{ while (x > {0}) x--; return x; }}"
    for number in (3, 4):
        (tmp_path / f"{number}.c").write_text("\n".join((easy.format(number), hard.format(number))))
    recorded = Recorded()
    order = []
    for file, functions, effort in in_stages(Search(tmp_path), recorded):
        order.append([each.name.rstrip("34") for each in functions])
        row = {"file": str(file), "effort": effort, "functions": [], "told": []}
        recorded.add({**row, "keys": [hashed(each) for each in functions]})
    assert order == [["easy"], ["easy"], ["hard"], ["hard"]]
    assert not list(in_stages(Search(tmp_path), recorded))
