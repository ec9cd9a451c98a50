"""Floating-point numbers of C: runs are those of the compiled program, and no answer contradicts one."""

from __future__ import annotations

import math
import random
import subprocess
from pathlib import Path

import pytest

from asking import verified
from c_execution import executed, interpreted, program_of, require_compiler
from c_floats import closed_program, open_program
from sorrel.model.outcome import Answer, Cause, ReplayResult

_INPUTS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 10.0, -10.0, 100.0, 1e-45, -1e-45, 0.1)
_SPECIAL = (math.inf, -math.inf, math.nan)
_RUNTIME = """
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void) { int v; if (scanf("%d", &v) != 1) exit(0); return v; }
float __VERIFIER_nondet_float(void) { float v; if (scanf("%f", &v) != 1) exit(0); return v; }
double __VERIFIER_nondet_double(void) { double v; if (scanf("%lf", &v) != 1) exit(0); return v; }
void reach_error(void) { _Exit(10); }
"""


@pytest.mark.parametrize("seed", range(3))
def test_runs_are_those_of_the_compiled_program(seed: int) -> None:
    text = closed_program(seed)
    assert interpreted(program_of(text)) == executed(text)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_runs_are_those_of_the_compiled_program(seed: int) -> None:
    text = closed_program(seed)
    assert interpreted(program_of(text)) == executed(text)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200))
def test_no_answer_contradicts_a_compiled_run(seed: int, tmp_path: Path) -> None:
    text = open_program(seed)
    source, runtime, binary = tmp_path / "program.c", tmp_path / "runtime.c", tmp_path / "program"
    source.write_text(text)
    runtime.write_text(_RUNTIME)
    subprocess.run([require_compiler(), "-w", str(source), str(runtime), "-o", str(binary)], check=True)
    chance = random.Random(seed)
    reached = False
    for _ in range(60):
        numbers = [str(chance.randint(0, 50)), *(repr(chance.choice((*_INPUTS, *_SPECIAL))) for _ in range(2))]
        numbers += [str(chance.randint(0, 3)) for _ in range(chance.choice((1, 3, 200)))]
        numbers.append("0")
        given = " ".join(numbers)
        reached |= subprocess.run([str(binary)], input=given, text=True, check=False, timeout=10).returncode == 10
    outcome = verified(source, timeout=8.0)
    assert outcome.reason is None or outcome.reason.cause is not Cause.INTERNAL, text
    assert not (reached and outcome.answer is Answer.SAFE), text
    if outcome.answer is Answer.UNSAFE:
        assert outcome.replay is not None
        assert outcome.replay.result is ReplayResult.REACHED, text
