"""Commands that compare the interpreter with compilers, on programs that are not ours."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench.conformance import c_testsuite, csmith
from bench.conformance.__main__ import main
from bench.conformance.behaviour import Behaviour, Ending, compiled, interpreted
from bench.conformance.returning import returning_zero
from c_execution import program_of, require_compiler
from sorrel.program.interpreter import run
from sorrel.program.run import Finished, Stopped, Violated
from sorrel.program.validate import complaints

ENDED = Behaviour(Ending.ENDED, 0, "text")


@pytest.mark.parametrize("ending", ["return n;", "exit(n);", "if (n == 5) exit(n); return n;"])
def test_a_status_that_is_not_zero_violates_the_assertion_wherever_the_program_ends(ending: str) -> None:
    text = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"
    asked = returning_zero(program_of(f"{text}int main(void) {{ int n = __VERIFIER_nondet_int(); {ending} }}"))
    assert not list(complaints(asked))
    assert isinstance(run(asked, [0]).end, Finished | Stopped)
    assert isinstance(run(asked, [256]).end, Finished | Stopped)  # the environment sees a byte
    assert isinstance(run(asked, [5]).end, Violated)


@pytest.mark.parametrize(
    ("ours", "verdict", "wrong"),
    [
        (ENDED, "safe", False),
        (ENDED, "unsafe", True),
        (Behaviour(Ending.ENDED, 0, "other"), "safe", True),
        (Behaviour(Ending.ENDED, 1, "text"), "safe", True),
        (Behaviour(Ending.WRONG), "unknown", True),
        (Behaviour(Ending.CRASHED), "not read", True),
        (Behaviour(Ending.OPEN), "unknown", False),
        (Behaviour(Ending.REFUSED), "not read", False),
    ],
)
def test_an_answer_is_wrong_if_the_compiled_program_refutes_it(ours: Behaviour, verdict: str, wrong: bool) -> None:
    assert c_testsuite.Result("name", ours, ENDED, "text", verdict).is_wrong is wrong


def test_generated_programs_have_no_undefined_behaviour_so_that_meeting_some_is_a_difference() -> None:
    assert csmith.Result(1, ENDED, (ENDED, ENDED)).agrees
    assert csmith.Result(1, Behaviour(Ending.WRONG), (ENDED, ENDED)).differs
    assert csmith.Result(1, Behaviour(Ending.ENDED, 0, "other"), (ENDED, ENDED)).differs
    assert not csmith.Result(1, Behaviour(Ending.REFUSED), (ENDED, ENDED)).differs
    assert not csmith.Result(1, ENDED, (ENDED, Behaviour(Ending.ENDED, 0, "other"))).is_comparable
    assert not csmith.Result(1, ENDED, ()).agrees


def test_folders_without_programs_are_skipped_politely(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["c-testsuite", str(tmp_path)]) == 0
    assert "skipped" in capsys.readouterr().out


def test_third_party_programs_end_as_they_should_in_the_interpreter(bench_folder: Path) -> None:
    """Those that are read; the command also compiles and verifies them."""
    programs = c_testsuite.programs(bench_folder / "c-testsuite")
    if not programs:
        pytest.skip("c-testsuite is not there")
    ends = {program: interpreted(program) for program in programs}
    for program, ours in ends.items():
        assert ours.ending in (Ending.ENDED, Ending.OPEN, Ending.REFUSED), f"{program}: {ours}"
        if ours.ending is Ending.ENDED:
            expected = program.with_name(program.name + ".expected").read_bytes().decode("latin-1")
            assert (ours.status, ours.output) == (0, expected), program
    assert sum(ours.ending is Ending.ENDED for ours in ends.values()) >= 0.85 * len(ends)


RUNTIME_CASES = """#include "csmith.h"
static const int64_t corners[9] = {0, 1, -1, 2, 127, -128, INT32_MAX, INT64_MAX, INT64_MIN};
#define BOTH(NAME, T) \\
  transparent_crc(safe_##NAME((T)corners[i], (T)corners[j]), #NAME, 1);
#define ONE(NAME, T) transparent_crc(safe_##NAME((T)corners[i]), #NAME, 0);
#define SHIFTS(T, L) \\
  transparent_crc(safe_lshift_func_##T##_##L##_s((T)corners[i], (int)corners[j]), #T, 0); \\
  transparent_crc(safe_lshift_func_##T##_##L##_u((T)corners[i], (unsigned)corners[j]), #T, 0); \\
  transparent_crc(safe_rshift_func_##T##_##L##_s((T)corners[i], (int)corners[j]), #T, 0); \\
  transparent_crc(safe_rshift_func_##T##_##L##_u((T)corners[i], (unsigned)corners[j]), #T, 0);
#define ALL(T, L) \\
  BOTH(add_func_##T##_##L##_##L, T) BOTH(sub_func_##T##_##L##_##L, T) BOTH(mul_func_##T##_##L##_##L, T) \\
  BOTH(mod_func_##T##_##L##_##L, T) BOTH(div_func_##T##_##L##_##L, T) ONE(unary_minus_func_##T##_##L, T) SHIFTS(T, L)
int main(void) {
  int i, j;
  platform_main_begin();
  crc32_gentab();
  for (i = 0; i < 9; i++)
    for (j = 0; j < 9; j++) {
      ALL(int8_t, s) ALL(int16_t, s) ALL(int32_t, s) ALL(int64_t, s)
      ALL(uint8_t, u) ALL(uint16_t, u) ALL(uint32_t, u) ALL(uint64_t, u)
    }
  platform_main_end(crc32_context ^ 0xFFFFFFFFUL, 0);
  return 0;
}
"""


@pytest.mark.long
def test_the_runtime_of_generated_programs_is_defined_for_all_operands(tmp_path: Path) -> None:
    require_compiler()
    path = tmp_path / "cases.c"
    path.write_text(RUNTIME_CASES)
    include = (str(csmith.RUNTIME),)
    checked = ("-fsanitize=undefined", "-fno-sanitize-recover=all")
    theirs = compiled(path, require_compiler(), include, flags=checked)
    assert theirs.status == 0
    assert interpreted(path, include) == theirs


@pytest.mark.parametrize("seed", [3, pytest.param(6, marks=pytest.mark.long)])
def test_a_generated_program_has_one_checksum(seed: int, tmp_path: Path) -> None:
    if shutil.which("csmith") is None:
        pytest.skip("there is no csmith")
    path = csmith.generated(seed, tmp_path)
    ours = interpreted(path, (str(csmith.RUNTIME),))
    assert ours == compiled(path, require_compiler(), (str(csmith.RUNTIME),))
    assert ours.output.startswith("checksum = ")


def test_what_differs_is_made_small_without_creduce_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.conformance.csmith.shutil.which", lambda _: None)
    monkeypatch.setattr(csmith, "differs", lambda path, _: "wrong" in path.read_text())
    path = tmp_path / "csmith-1.c"
    path.write_text("int a;\nint b;\nint wrong;\nint c;\n")
    csmith.reduce(path, csmith.Plan((1,), "", tmp_path, True, 1))
    assert path.read_text() == "int wrong;\n"
    assert "int c;" in (tmp_path / "csmith-1.original.c").read_text()
