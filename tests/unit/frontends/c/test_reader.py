"""What the reader promises beyond the meaning of programs: messages, several files, entries, names, assumptions."""

from __future__ import annotations

import csv
import time
from pathlib import Path

import pytest

from c_execution import interpreted, program_of
from sorrel.frontends.c import CSettings, DataModel, Unsupported, read
from sorrel.model.errors import InputError, UsageError
from sorrel.model.source import Source
from sorrel.program.interpreter import run
from sorrel.program.run import Violated
from sorrel.program.statement import Assert, Choice, Havoc, Kind
from sorrel.program.types import Array, Machine, Type
from sorrel.program.validate import validate
from sorrel.program.value import ArrayValue, Value

INT = Machine(32, True)


def _statements(text: str) -> list[object]:
    program = program_of(text)
    return [s for procedure in program.procedures for block in procedure.blocks for s in block.statements]


def test_a_missing_include_is_reported_as_the_compiler_does() -> None:
    text = '#include "nowhere.h"\nint main(void) { return 0; }\n'
    with pytest.raises(InputError) as raised:
        read([Source("prog.c", text)], CSettings())
    assert str(raised.value).startswith("prog.c:1:10: error: 'nowhere.h' file not found")
    assert '#include "nowhere.h"' in str(raised.value)
    assert "-I" in raised.value.hint


def test_a_syntax_error_has_its_line_and_column_and_the_others_follow() -> None:
    with pytest.raises(InputError) as raised:
        read([Source("prog.c", "int main(void) {\n  int x = ;\n  return y;\n}\n")], CSettings())
    assert (raised.value.span.line, raised.value.span.column) == (2, 11)
    assert raised.value.message == "error: expected expression"
    assert "prog.c:3:10: error: use of undeclared identifier 'y'" in raised.value.hint


def test_a_file_that_is_not_there_and_no_file_at_all() -> None:
    with pytest.raises(InputError, match="no such file"):
        read([Source("/nowhere/prog.c")], CSettings())
    with pytest.raises(UsageError):
        read([], CSettings())


def test_a_program_without_the_function_names_those_that_there_are() -> None:
    with pytest.raises(InputError) as raised:
        read([Source("prog.c", "int f(void) { return 1; }\n")], CSettings())
    assert "there is no function main" in str(raised.value)
    assert "f" in raised.value.hint


def test_folders_and_definitions_reach_the_preprocessor(tmp_path: Path) -> None:
    (tmp_path / "limits_of_ours.h").write_text("#define LIMIT 7\n")
    text = '#include "limits_of_ours.h"\nint main(void) { return LIMIT + EXTRA; }\n'
    settings = CSettings(DataModel.LP64, include=(str(tmp_path),), define=("EXTRA=3",))
    program = read([Source("prog.c", text)], settings)
    assert interpreted(program).text == "returned 10"


def test_several_files_make_one_program_and_static_names_stay_apart() -> None:
    one = "static int secret = 3; int shared; int other(void); static int f(void) { return secret; }"
    one += " int main(void) { shared = 4; return other() * 10 + f(); }"
    two = "extern int shared; static int secret = 5; static int f(void) { return secret; }"
    two += " int other(void) { return shared * 10 + f(); }"
    program = read([Source("one.c", one), Source("two.c", two)], CSettings())
    validate(program)
    assert interpreted(program).text == "returned 453"
    assert {procedure.name for procedure in program.procedures} == {"main", "other", "f", "f.2"}


def test_two_definitions_of_one_name_are_refused_with_both_places() -> None:
    with pytest.raises(InputError) as raised:
        read(
            [Source("a.c", "int main(void) { return 0; }"), Source("b.c", "int main(void) { return 1; }")], CSettings()
        )
    assert "multiple definition of main" in str(raised.value)
    assert "a.c:1:1" in raised.value.hint


STRONG = "int f(void) { return 1; }"


@pytest.mark.parametrize(
    ("one", "two", "end"),
    [
        ("__attribute__((weak)) int f(void) { return 2; }", STRONG, "returned 1"),
        (STRONG, "int __attribute__((__weak__)) f(void) { return 2; }", "returned 1"),
        ("int f(void) __attribute__((weak)); int f(void) { return 2; }", STRONG, "returned 1"),
        ("#define WEAK __attribute__((noinline, weak))\nWEAK int f(void) { return 2; }", STRONG, "returned 1"),
        ("__attribute__((weak)) int f(void) { return 2; }", "", "returned 2"),
    ],
)
def test_a_weak_definition_is_taken_if_there_is_no_other(one: str, two: str, end: str) -> None:
    main = "int f(void); int main(void) { return f(); }"
    given = [Source(name, text) for name, text in (("main.c", main), ("one.c", one), ("two.c", two))]
    assert interpreted(read(given, CSettings())).text == end
    assert interpreted(read([*given[1:], given[0]], CSettings())).text == end


def test_a_weak_definition_beside_two_others_does_not_excuse_them() -> None:
    texts = ("__attribute__((weak)) int main(void) { return 0; }", *["int main(void) { return 1; }"] * 2)
    with pytest.raises(InputError, match="multiple definition of main") as raised:
        read([Source(f"{number}.c", text) for number, text in enumerate(texts)], CSettings())
    assert "1.c:1:1" in raised.value.hint


def test_what_cannot_be_reached_may_be_unsupported() -> None:
    text = 'void f(void) { __asm__("nop"); } int main(void) { return 2; }'
    assert interpreted(program_of(text)).text == "returned 2"


def test_unsupported_names_file_line_and_construct() -> None:
    with pytest.raises(Unsupported) as raised:
        read([Source("prog.c", 'int main(void) {\n  __asm__("nop");\n}\n')], CSettings())
    assert str(raised.value) == "prog.c:2:3: inline assembly: not supported"


def test_a_function_is_verified_for_all_inputs() -> None:
    text = "int g; extern void reach_error(void);"
    text += "int f(int n, int *p, char *s) { if (n == 7 && *p == n && g == 9 && s[0] == 'x') reach_error(); return 0; }"
    program = program_of(text, function="f")
    assert program.main == "entry.point"
    inputs = [s for b in program.procedure["entry.point"].blocks for s in b.statements if isinstance(s, Havoc)]
    assert {havoc.choice for havoc in inputs} == {Choice.INPUT}
    first = iter([9])  # the global comes first

    def choose(type: Type) -> Value:
        if isinstance(type, Array):
            return ArrayValue(ord("x") if type.element == Machine(8, True) else 7)
        return next(first, 7)

    end = run(program, choose).end
    assert isinstance(end, Violated)
    assert end.assertion.kind is Kind.ERROR_CALL


def test_external_functions_are_listed_as_assumptions() -> None:
    program = program_of("int f(int *); int main(void) { int x = 1; return f(&x) + x; }")
    assert any("f, which has no body" in premise.text for premise in program.assumptions)
    havocs = [s for b in program.procedures[0].blocks for s in b.statements if isinstance(s, Havoc)]
    assert [havoc.choice for havoc in havocs] == [Choice.EXTERNAL, Choice.EXTERNAL]


def test_names_are_the_users_and_lead_back_to_them() -> None:
    text = "int x; void f(int *p) { *p = 1; } int g(void) { return x; }"
    text += "int main(void) { int x = g(); { int x = 5; f(&x); } return x; }"
    main, f = (program_of(text).procedure[name] for name in ("main", "f"))
    assert {name: main.source_names.get(name) for name in ("x.2", "x.3")} == {"x.2": "x", "x.3": "x"}
    assert f.source_names == {"p.value": "*p"}
    assert main.source_names["return.value"] == "\\result"


def test_a_reference_parameter_is_passed_in_and_out_by_value() -> None:
    text = "void f(int *p, int n) { *p += n; } int main(void) { int a = 1, b = 2; f(&a, 3); f(&b, 4); return a + b; }"
    program = program_of(text)
    f = program.procedure["f"]
    assert [variable.type for variable in f.parameters] == [INT, INT]
    assert f.outputs == f.parameters[:1]
    assert program.globals == ()


def test_a_bounds_check_holds_only_where_the_access_happens() -> None:
    text = "int main(void) { int a[3] = { 1, 2, 3 }, i = 5; return i < 3 && a[i] > 0; }"
    checks = [s for s in _statements(text) if isinstance(s, Assert) and s.kind is Kind.BOUNDS]
    assert len(checks) == 1
    assert interpreted(program_of(text)).text == "returned 0"


def test_uninitialised_variables_may_have_any_value() -> None:
    havocs = [s for s in _statements("int main(void) { int x; return x; }") if isinstance(s, Havoc)]
    assert [havoc.choice for havoc in havocs] == [Choice.UNINITIALISED]


def test_long_expressions_are_read() -> None:
    text = f"int main(void) {{ int x = 1; return {' + '.join(['x'] * 4000)}; }}"
    assert interpreted(program_of(text)).text == "returned 4000"


def test_long_chains_of_choices_are_read() -> None:
    tests = " else ".join(f"if (x == {n}) x = {n + 1};" for n in range(600))
    assert interpreted(program_of(f"int main(void) {{ int x = 599; {tests} return x; }}")).text == "returned 600"


@pytest.mark.parametrize("model", list(DataModel))
def test_system_headers_are_read_in_both_data_models(model: DataModel) -> None:
    text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n#include <stdint.h>\n"
    text += 'int main(void) { printf("%d\\n", 3); assert(sizeof(long) == sizeof(void *)); return (int)sizeof(size_t); }'
    if not Path("/usr/include/stdio.h").exists():
        pytest.skip("there are no system headers")
    expected = "returned 4" if model is DataModel.ILP32 else "returned 8"
    assert interpreted(program_of(text, model)).text == expected


def _generated(lines: int) -> str:
    """Functions that call one another and the library, with loops, choices, arrays, structures and tables."""
    found = ["extern int __VERIFIER_nondet_int(void);", "int g, t[64];", "struct s { int a; unsigned b; int c[4]; };"]
    found += ["unsigned long strlen(const char *);"]
    number = 0
    while len(found) < lines:
        number += 1
        found += [f"static int own{number}[8];"]
        found += [f"int f{number}(int x, int y, int *out) {{", "  int i, s = 0;", "  struct s r = { 1, 2 };"]
        found += [f'  own{number}[3] += strlen("text");']
        for step in range(6):
            found += [f"  if (x + {step} > y && s < {step * 7}) {{", f"    s += x * {step} - y;", "  } else {"]
            found += [f"    g = g + {step};", "  }"]
        found += ["  for (i = 0; i < 9; i++) {", "    t[i & 63] = t[(i + 1) & 63] + s;", "    r.c[i & 3] += i;"]
        found += ["    switch (s & 7) {", "      case 0: s++;", "      case 1: s--; break;", "      default: continue;"]
        found += ["    }", "  }", "  *out = s;"]
        found += [f"  if (x > 0) s += f{number - 1}(x - 1, y, &i);"] if number > 1 else []
        found += ["  return s > 10 ? s : r.a;", "}"]
    found.append(f"int main(void) {{ int r; return f{number}(__VERIFIER_nondet_int(), 3, &r); }}")
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("lines", [1000, pytest.param(5000, marks=pytest.mark.long)])
def test_five_thousand_lines_take_less_than_five_seconds(lines: int) -> None:
    start = time.process_time()
    program = read([Source("big.c", _generated(lines))], CSettings())
    assert time.process_time() - start < max(2, lines / 1000)  # the headers take their time, too
    assert len(program.procedures) > lines / 50
    validate(program)


def test_third_party_programs_are_read(bench_folder: Path) -> None:
    with (bench_folder / "index-c.csv").open() as index:
        names = [row["file"] for row in csv.DictReader(index)]
    files = [name for name in names if name.startswith("c/") and name.endswith((".c", ".i"))]
    assert files
    for name in files:
        validate(read([Source(str(bench_folder / name))], CSettings()))
