"""The system's compiler as the judge: a C program compiled and run, beside the same program interpreted."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.model.source import Source
from sorrel.program.checks import unwatched
from sorrel.program.construction import zero as zero_expression
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Finished, Refused, Run, Stopped, Undefined, Violated
from sorrel.program.statement import Assign, Choice, Havoc, Kind, Statement
from sorrel.program.types import BOOLEAN, Array, Machine, Type
from sorrel.program.validate import validate
from sorrel.program.value import Value, zero

_HARNESS = """#include <stdio.h>
#include <stdlib.h>
static char **values;
static long long next(void) { return *values ? atoll(*values++) : 0; }
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
long long __VERIFIER_nondet_longlong(void) { return next(); }
static void finish(const char *how) { printf("%s\\n", how); fflush(stdout); _Exit(0); }
void reach_error(void) { finish("error"); }
void __VERIFIER_assume(int condition) { if (!condition) finish("refused"); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { reach_error(); for (;;); }
int program_main(void);
int main(int count, char **arguments) {
  values = arguments + 1;
  int result = program_main();
  printf("returned %d\\n", result);
  return 0;
}
"""
_UNDEFINED = "signed-integer-overflow,shift,integer-divide-by-zero,bounds,float-cast-overflow"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """`undefined`, `error`, `refused`, `stopped`, or `returned N`."""

    text: str


@cache
def compiler() -> str | None:
    return shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")


def require_compiler() -> str:
    found = compiler()
    if found is None:
        pytest.skip("there is no C compiler")
    return found


@cache
def has_memory_sanitizer() -> bool:
    """Only clang has one, and its library may be a package of its own."""
    clang = shutil.which("clang")
    if clang is None:
        return False
    command = [clang, "-fsanitize=memory", "-x", "c", "-", "-o", "/dev/null"]
    return (
        subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True, check=False).returncode == 0
    )


@cache
def _workshop() -> Path:
    """A folder with the compiled harness, for as long as the tests run."""
    folder = Path(tempfile.mkdtemp(prefix="sorrel-c-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "harness.c").write_text(_HARNESS)
    command = [require_compiler(), "-O0", "-w", "-c", str(folder / "harness.c"), "-o", str(folder / "harness.o")]
    subprocess.run(command, check=True, timeout=60)
    return folder


def executed(
    text: str, choices: Sequence[int] = (), *, defines: Sequence[str] = (), beside: Sequence[str] = ()
) -> Behaviour:
    """What the compiled program does; undefined behaviour traps. `beside` are the texts of its other files."""
    path, folder = require_compiler(), _workshop()
    programs, binary = [folder / f"program{number}.c" for number in range(1 + len(beside))], folder / "binary"
    for program, content in zip(programs, (text, *beside), strict=True):
        program.write_text(content)
    flags = ["-O0", "-w", "-std=gnu17", f"-fsanitize={_UNDEFINED}", "-fsanitize-undefined-trap-on-error"]
    renamed = ["-Dmain=program_main", *(f"-D{definition}" for definition in defines)]
    command = [path, *flags, *renamed, *map(str, programs), str(folder / "harness.o"), "-o", str(binary)]
    subprocess.run(command, check=True, timeout=60)
    arguments = [str(binary), *(str(choice) for choice in choices)]
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=20, check=False)
    if result.stdout.strip():
        return Behaviour(result.stdout.strip())
    return Behaviour("undefined" if result.returncode < 0 else "stopped")


def program_of(
    text: str, model: DataModel = DataModel.LP64, function: str = "main", *, beside: Sequence[str] = ()
) -> Program:
    """Read and validated."""
    others = (Source(f"beside{number + 1}.c", content) for number, content in enumerate(beside))
    program = read([Source("program.c", text), *others], CSettings(model, function=function))
    validate(program)
    return program


def _settled(program: Program) -> Program:
    """What is not initialised is zero: programs that read such variables are not for comparison."""

    def settled(statement: Statement) -> Statement:
        if isinstance(statement, Havoc) and statement.choice is Choice.UNINITIALISED:
            return Assign(statement.target, zero_expression(statement.target.type), statement.span)
        return statement

    procedures = tuple(
        replace(
            procedure,
            blocks=tuple(
                replace(block, statements=tuple(map(settled, block.statements))) for block in procedure.blocks
            ),
        )
        for procedure in program.procedures
    )
    return replace(program, procedures=procedures)


def left_open(program: Program) -> set[str]:
    """Why values of the program are not modelled."""
    return {
        statement.source
        for procedure in program.procedures
        for block in procedure.blocks
        for statement in block.statements
        if isinstance(statement, Havoc) and statement.choice is Choice.ABSTRACTION
    }


def supply(choices: Sequence[int]) -> Callable[[Type], Value]:
    """Numbers in order; memory that nothing was stored in yet may hold anything, so zeros will do."""
    remaining = iter(choices)

    def choose(type: Type) -> Value:
        if isinstance(type, Array):
            return zero(type)
        value = next(remaining, 0)
        if type == BOOLEAN:
            return bool(value)
        return type.wrap(value) if isinstance(type, Machine) else value

    return choose


def interpreted(program: Program, choices: Sequence[int] = (), *, steps: int = 200_000) -> Behaviour:
    """What the interpreter says; an access out of bounds is undefined in C."""
    outcome: Run = run(unwatched(_settled(program)), supply(choices), steps=steps)
    match outcome.end:
        case Finished(outputs):
            return Behaviour(f"returned {outputs[0]}" if outputs else "returned")
        case Violated(assertion):
            return Behaviour("undefined" if assertion.kind is Kind.BOUNDS else "error")
        case Undefined():
            return Behaviour("undefined")
        case Refused():
            return Behaviour("refused")
        case Stopped():
            return Behaviour("stopped")
        case end:
            return Behaviour(f"{type(end).__name__}")
