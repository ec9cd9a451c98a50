"""Files that say what functions do, versions of the language, headers that are read first."""

from __future__ import annotations

from pathlib import Path

import pytest

from c_execution import interpreted
from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.frontends.c.errors import Unsupported
from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.program.program import Program

_LIBRARY = """
static int least(int a, int b) { return a < b ? a : b; }
int clamp(int x) { __sorrel_require(x > -100); return least(x < 0 ? 0 : x, 9); }
void fill(int *a, int n, int v) { for (int i = 0; i < n; i++) a[i] = v; }
unsigned long strlen(const char *s) { return 77; }
"""
_ANNOUNCED = "int clamp(int); void fill(int *, int, int); unsigned long strlen(const char *); "


def _read(tmp_path: Path, text: str, library: str = _LIBRARY) -> Program:
    file = tmp_path / "library.c"
    file.write_text(library)
    return read([Source(text=_ANNOUNCED + text)], CSettings(DataModel.LP64, library=(str(file),)))


def test_functions_do_what_the_library_file_says_and_that_is_an_assumption(tmp_path: Path) -> None:
    text = "int main(void) { int a[3], b[2]; fill(a, 3, clamp(20)); fill(b, 2, clamp(-5)); return a[2] * 10 + b[1]; }"
    program = _read(tmp_path, text)
    assert interpreted(program).text == "returned 90"
    told = [str(premise) for premise in program.assumptions]
    assert any("clamp behaves as" in each for each in told)
    assert any("fill behaves as" in each for each in told)


def test_what_the_library_file_requires_is_demanded_of_callers(tmp_path: Path) -> None:
    assert interpreted(_read(tmp_path, "int main(void) { return clamp(-500); }")).text == "undefined"


def test_a_library_file_comes_before_what_is_known_of_the_standard_library(tmp_path: Path) -> None:
    assert interpreted(_read(tmp_path, 'int main(void) { return strlen("abc"); }')).text == "returned 77"


def test_functions_of_the_program_come_before_the_library_file(tmp_path: Path) -> None:
    text = "int clamp(int x) { return x + 1; } int main(void) { return clamp(20); }"
    assert interpreted(_read(tmp_path, text)).text == "returned 21"


def test_a_pointer_to_a_function_of_the_library_file_calls_it(tmp_path: Path) -> None:
    assert interpreted(_read(tmp_path, "int main(void) { int (*f)(int) = clamp; return f(20); }")).text == "returned 9"


def test_a_call_with_other_types_is_refused_with_both_places(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"a call of clamp with other types than it has at .*library\.c:3"):
        _read(
            tmp_path,
            "int main(void) { return clamp(3); }",
            _LIBRARY.replace("int clamp(int x)", "int clamp(int *x)").replace(
                "x > -100); return least(x < 0 ? 0 : x, 9)", "x != 0); return 0"
            ),
        )


def test_mistakes_in_a_library_file_have_its_lines(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        _read(tmp_path, "int main(void) { return 0; }", "int f(void) {\n  return x;\n}\n")
    assert raised.value.span.line == 2


def test_versions_of_the_language_and_forced_headers(tmp_path: Path) -> None:
    header = tmp_path / "first.h"
    header.write_text("#define ANSWER 42\n")
    source = Source(text="int main(void) { int inline = 1; return ANSWER + inline; }")
    old = CSettings(DataModel.LP64, standard="c90", forced=(str(header),))
    assert interpreted(read([source], old)).text == "returned 43"
    with pytest.raises(InputError):
        read([source], CSettings(DataModel.LP64, standard="c99", forced=(str(header),)))


def test_models_are_read_whatever_the_version_of_the_program() -> None:
    text = 'unsigned long strlen(const char *); int main(void) { return (int)strlen("abc"); }'
    assert interpreted(read([Source(text=text)], CSettings(DataModel.LP64, standard="c90"))).text == "returned 3"
