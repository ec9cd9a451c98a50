"""What the text of a C file tells before it is parsed: which functions are easy or copies, which files lack headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.fuzz.scanning import Scanned, files, functions, is_trivial, scan


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("int f(int x) { return x > 3; }", True),
        ("static unsigned char\nf(unsigned x)\n{\n  return x & 15;\n}", True),
        ("void f(int *p) { *p = 3; }", True),
        ("int f(void) { return ++calls; }", True),
        ("int f(int x) { return x; }", False),
        ("int f(int x) { return -(1); }", False),
        ("int main(int x) { return x > 3; }", False),
        ("double f(int x) { return x > 3; }", False),
        ("int f(double x) { return x > 3; }", False),
        ("int f(struct s x) { return x > 3; }", False),
        ("int f(char **x) { return x > 3; }", False),
        ('int f(int x) { __asm__("nop"); return x > 3; }', False),
        ("/* int f(int x) { return x > 3; } */", False),
    ],
)
def test_functions_of_numbers_that_do_something_are_found(text: str, is_found: bool) -> None:
    assert [each.name for each in functions(text, 10.0)] == (["f"] if is_found else [])


def test_what_is_hard_takes_more_effort() -> None:
    easy, hard = functions("int f(int x) { return x > 3; }\nint g(int *x) { while (h(x)) x++; return *x / 7; }", 10.0)
    assert easy.effort < 1 < hard.effort
    assert [each.name for each in functions("int g(int *x) { while (h(x)) x++; return *x / 7; }", 1.0)] == []


def test_copies_are_known_by_their_text() -> None:
    (first,) = functions("int f(int x) { return x > 3; }", 10.0)
    (copy,) = functions("int other(int x)\n{ /* the same */\n  return x > 3;\n}", 10.0)
    (letter,) = functions("int f(int x) { return x > 'a'; }", 10.0)
    (other_letter,) = functions("int f(int x) { return x > 'b'; }", 10.0)
    assert first.key == copy.key
    assert letter.key != other_letter.key


def test_a_file_that_lacks_a_header_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    text = "int f(int x) { return x > 3; }"
    file.write_text(f'#include "own.h"\n{text}')
    assert scan(file, 10.0) == Scanned(file, ())
    (tmp_path / "own.h").write_text("")
    assert [each.name for each in scan(file, 10.0).functions] == ["f"]
    file.write_text(f'#ifdef OTHER\n#include "other.h"\n#endif\n{text}')
    assert [each.name for each in scan(file, 10.0).functions] == ["f"]


def test_packages_take_turns_with_their_richest_files(tmp_path: Path) -> None:
    one = "int f(int x) { return x > 3; }\n"
    for package in ("a", "b"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "poor.c").write_text(one)
        (tmp_path / package / "rich.c").write_text(one + one.replace("f", "g"))
    found = list(files(tmp_path, 1, 10.0))
    assert [each.file.name for each in found] == ["rich.c", "rich.c", "poor.c", "poor.c"]
    assert {each.file.parent.name for each in found[:2]} == {"a", "b"}
    assert [each.file.name for each in files(tmp_path, 1, 10.0, 2)] == ["rich.c", "rich.c"]


@pytest.mark.parametrize(
    ("body", "trivial"),
    [
        ("{ }", True),
        ("{ return 0; }", True),
        ("{ return (x); }", True),
        ("{ return (int)sizeof(long); }", False),
        ("{ return sizeof(unsigned long); }", True),
        ("{ return x + 1; }", False),
    ],
)
def test_one_value_at_once_is_no_function_to_tell_of(body: str, trivial: bool) -> None:
    assert is_trivial(body) is trivial
