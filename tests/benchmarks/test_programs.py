"""The programs of bench/programs: all are listed, compile, and do what their index says."""

from __future__ import annotations

import csv
import os
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest

from folders import PROGRAMS
from samples import some
from sorrel.bench.suite import Selection, read_tasks
from sorrel.model.outcome import Answer

PROPERTIES = {
    "numeric": ("unreach-call",),
    "arrays": ("unreach-call",),
    "arrays-fresh": ("unreach-call",),
    "drivers": ("unreach-call",),
    "threads": ("unreach-call",),
    "pthreads": ("no-data-race", "no-deadlock"),
    "termination": ("termination",),
    "pacemaker": ("unreach-call",),
    "pacemaker-fresh": ("unreach-call",),
    "flow": ("noninterference", "constant-time"),
    "crypto": ("noninterference", "constant-time"),
    "pick": ("P13", "P14"),
    "floats": ("unreach-call",),
}
ASSUMPTION_FALSE, NO_MORE_INPUTS, TOO_MANY_STEPS = 103, 104, 105
# A run that ends by itself, in one of the two ways in which a program can, or because the inputs are used up.
ORDINARY = {0, 1, NO_MORE_INPUTS}
ERROR = -signal.SIGABRT
STEPS = 100_000
COMPILER = shutil.which("gcc") or shutil.which("cc")
WARNINGS = ("-Wall", "-Wextra", "-Werror")
# Undefined behaviour ends in SIGILL, which no test takes for an error that was called.
SANITISERS = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
TRACES = ("-fsanitize=thread", "-fsanitize-coverage=trace-pc")

needs_compiler = pytest.mark.skipif(
    COMPILER is None or not sys.platform.startswith("linux"), reason="a C compiler on Linux is needed"
)
needs_coroutines = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the explorer knows the registers of x86-64"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of an index. `witness` and the other columns are as written there."""

    set: str
    file: str
    verdicts: dict[str, bool]
    witness: str
    schedule: str
    values: str

    @property
    def path(self) -> Path:
        return PROGRAMS / self.set / self.file


def rows_of(name: str) -> Iterator[Row]:
    with (PROGRAMS / name / "index.csv").open(newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            verdicts = dict(pair.split("=") for pair in line["expected_verdict"].split(";"))
            yield Row(
                set=name,
                file=line["file"],
                verdicts={name: {"true": True, "false": False}[word] for name, word in verdicts.items()},
                witness=line["witness"],
                schedule=line.get("schedule", ""),
                values=line.get("values", ""),
            )


ROWS = [row for name in PROPERTIES for row in rows_of(name)]
OF_ONE_THREAD = ("numeric", "arrays", "arrays-fresh", "drivers", "pacemaker", "pacemaker-fresh", "floats")
SEQUENTIAL = [row for row in ROWS if row.set in OF_ONE_THREAD]


def chosen(rows: Sequence[Row], name: str, verdict: bool) -> list[Row]:
    return [row for row in rows if row.verdicts.get(name) is verdict]


def named(row: Row) -> str:
    return f"{row.set}/{row.file}"


def compile_to(target: Path, *arguments: str | Path) -> Path:
    assert COMPILER is not None
    done = subprocess.run([COMPILER, "-O0", *arguments, "-o", target], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("runtime") / "sequential.o"
    return compile_to(target, *WARNINGS, "-c", PROGRAMS / "runtime" / "sequential.c")


@pytest.fixture(scope="session")
def interleave(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("runtime") / "interleave"
    return compile_to(target, *WARNINGS, "-O2", "-rdynamic", PROGRAMS / "runtime" / "interleave.c", "-ldl")


def executable(row: Row, runtime: Path, folder: Path, *flags: str) -> Path:
    part = compile_to(folder / "program.o", *WARNINGS, *flags, "-c", row.path)
    return compile_to(folder / "program", part, runtime)


def shared_object(source: Path, folder: Path, *flags: str) -> Path:
    part = compile_to(folder / "program.o", *flags, "-fPIC", "-fsanitize=thread", "-c", source)
    return compile_to(folder / "program.so", "-shared", "-Wl,-Bsymbolic", "-Wl,-z,norelro", part)


def explore(interleave: Path, program: Path, values: str) -> str:
    command = [str(interleave), str(program), "explore", "100000", *values.split()]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@dataclass(frozen=True, slots=True)
class Run:
    code: int
    lines: tuple[str, ...]

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(line for line in self.lines if not line.startswith("path "))

    @property
    def path(self) -> str:
        return next(line for line in self.lines if line.startswith("path "))


def run(program: Path, inputs: str, **environment: str) -> Run:
    done = subprocess.run(
        [program],
        input=inputs,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
        env={**os.environ, **environment},
    )
    return Run(done.returncode, tuple(done.stdout.splitlines()))


def random_inputs(seed: int) -> list[int]:
    """Mostly small numbers, since large ones are seldom allowed: first how much there is, then what it is."""
    source = random.Random(seed)
    largest = source.choice((1, 2, 3, 4, 6, 20))
    smallest = source.choice((0, 0, 0, -3))
    inputs = [source.randint(smallest, largest) for _ in range(source.choice((30, 120, 400)))]
    return [source.randint(1, 4), *(sorted(inputs) if source.random() < 0.2 else inputs)]


def text_of(inputs: Sequence[int]) -> str:
    return " ".join(map(str, inputs))


# Indexes


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_program_is_listed_once(name: str) -> None:
    files = [row.file for row in rows_of(name)]
    assert sorted(files) == sorted(path.name for path in (PROGRAMS / name).glob("*.c"))
    assert (PROGRAMS / name / "README.md").is_file()


@pytest.mark.parametrize("name", PROPERTIES)
def test_an_index_is_a_suite_of_tasks(name: str) -> None:
    for each in PROPERTIES[name]:
        tasks = read_tasks([str(PROGRAMS / name)], Selection(property=each))
        expected = {row.file: row.verdicts[each] for row in rows_of(name) if each in row.verdicts}
        assert {task.name: task.expected is Answer.SAFE for task in tasks} == expected


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_exactly_the_false_verdicts_have_a_witness(row: Row) -> None:
    assert set(row.verdicts) <= set(PROPERTIES[row.set])
    assert bool(row.witness or row.schedule) is not all(row.verdicts.values())


# Reachability of errors


@needs_compiler
@pytest.mark.parametrize("row", some(chosen(SEQUENTIAL, "unreach-call", False), 4), ids=named)
def test_the_witness_of_an_unsafe_program_reaches_the_error(row: Row, runtime: Path, tmp_path: Path) -> None:
    program = executable(row, runtime, tmp_path, *SANITISERS)
    assert run(program, row.witness).code == ERROR
    # The last input matters: the error is not already reached before it is asked for.
    assert run(program, " ".join(row.witness.split()[:-1])).code == NO_MORE_INPUTS


@needs_compiler
@pytest.mark.parametrize("row", some(chosen(SEQUENTIAL, "unreach-call", True), 4), ids=named)
def test_a_safe_program_reaches_no_error_on_random_inputs(row: Row, runtime: Path, tmp_path: Path) -> None:
    program = executable(row, runtime, tmp_path, *SANITISERS)
    codes = {run(program, text_of(random_inputs(seed))).code for seed in range(16)}
    assert codes <= ORDINARY | {ASSUMPTION_FALSE}
    assert codes & ORDINARY


# Threads

THREADS = [row for row in ROWS if row.set == "threads"]


@needs_compiler
@needs_coroutines
@pytest.mark.parametrize("row", some(chosen(THREADS, "unreach-call", False), 4), ids=named)
def test_the_schedule_of_an_unsafe_threaded_program_reaches_the_error(
    row: Row, interleave: Path, tmp_path: Path
) -> None:
    program = shared_object(row.path, tmp_path, *WARNINGS)
    done = subprocess.run([interleave, program, "replay", row.schedule], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "error\n")


@needs_compiler
@needs_coroutines
@pytest.mark.parametrize("row", some(chosen(THREADS, "unreach-call", True), 4), ids=named)
def test_no_interleaving_of_a_safe_threaded_program_reaches_an_error(
    row: Row, interleave: Path, tmp_path: Path
) -> None:
    said = explore(interleave, shared_object(row.path, tmp_path, *WARNINGS), row.values)
    assert re.fullmatch(r"safe: all \d+ states, 0 of them deadlocks\n", said), said


@needs_compiler
@needs_coroutines
@pytest.mark.parametrize(
    ("file", "line", "replacement"),
    [
        ("peterson.c", "    victim = self;\n", ""),
        ("bakery.c", "    while (choosing[other]) {\n    }\n", ""),
        ("readers_writer.c", "!writing && readers == 0", "!writing"),
        ("time_varying.c", "if (busy == 0)", "if (inode == 0)"),
    ],
)
def test_the_explorer_sees_errors_that_are_put_into_safe_programs(
    file: str, line: str, replacement: str, interleave: Path, tmp_path: Path
) -> None:
    (row,) = (row for row in THREADS if row.file == file)
    text = row.path.read_text(encoding="utf-8")
    assert line in text
    broken = tmp_path / file
    broken.write_text(text.replace(line, replacement), encoding="utf-8")
    said = explore(interleave, shared_object(broken, tmp_path), row.values)
    assert said.startswith("unsafe"), said


# Termination

PTHREADS = [row for row in ROWS if row.set == "pthreads"]


@needs_compiler
@pytest.mark.long
@pytest.mark.parametrize("row", chosen(PTHREADS, "no-deadlock", True), ids=named)
def test_the_sanitizer_sees_the_races_and_no_others(row: Row, tmp_path: Path) -> None:
    program = compile_to(tmp_path / "program", "-fsanitize=thread", "-g", row.path, "-lpthread")
    runs = [subprocess.run([program], capture_output=True, text=True, timeout=60) for _ in range(5)]
    assert any("data race" in each.stderr for each in runs) is not row.verdicts["no-data-race"]


LOOPS = [row for row in ROWS if row.set == "termination"]


@needs_compiler
@pytest.mark.parametrize("row", some(chosen(LOOPS, "termination", True), 4), ids=named)
def test_a_terminating_program_ends_on_random_inputs(row: Row, runtime: Path, tmp_path: Path) -> None:
    program = executable(row, runtime, tmp_path, *SANITISERS)
    codes = {run(program, text_of(random_inputs(seed))).code for seed in range(16)}
    assert codes <= ORDINARY | {ASSUMPTION_FALSE}
    assert codes & {0, 1}


@needs_compiler
@pytest.mark.parametrize("row", some(chosen(LOOPS, "termination", False), 4), ids=named)
def test_a_non_terminating_program_goes_on_without_further_inputs(row: Row, runtime: Path, tmp_path: Path) -> None:
    program = executable(row, runtime, tmp_path, *SANITISERS, "-fsanitize-coverage=trace-pc")
    assert run(program, row.witness, STEPS=str(STEPS)).code == TOO_MANY_STEPS


# Information flow

FLOWS = [row for row in ROWS if row.set in ("flow", "crypto")]


def first_difference(one: Run, other: Run) -> str | None:
    """What kind of event is the first in which the runs differ; None if there is none."""
    for left, right in zip_longest(one.events, other.events, fillvalue="end"):
        if left.split()[0] != right.split()[0]:
            return "kind"
        if left != right:
            return left.split()[0]
    return None


def both_runs(program: Path, witness: str) -> tuple[Run, Run]:
    one, other = (run(program, inputs, TRACE="1") for inputs in witness.split("|"))
    assert one.code in (0, 1)
    assert other.code in (0, 1)
    return one, other


@needs_compiler
@pytest.mark.parametrize("row", some(chosen(FLOWS, "noninterference", False), 4), ids=named)
def test_two_runs_of_a_leaking_program_differ_in_what_must_be_low(row: Row, runtime: Path, tmp_path: Path) -> None:
    program = executable(row, runtime, tmp_path, *TRACES)
    assert first_difference(*both_runs(program, row.witness)) == "assert"


@needs_compiler
@pytest.mark.parametrize("row", some(chosen(FLOWS, "constant-time", False), 4), ids=named)
def test_two_runs_of_a_program_that_is_not_constant_time_take_different_paths(
    row: Row, runtime: Path, tmp_path: Path
) -> None:
    program = executable(row, runtime, tmp_path, *TRACES)
    one, other = both_runs(program, row.witness)
    assert first_difference(one, other) in (None, "assert")
    assert one.path != other.path


def similar(inputs: Sequence[int], seed: int) -> list[int]:
    """The inputs with a few of them changed or exchanged."""
    source = random.Random(seed)
    changed = list(inputs)
    for _ in range(source.randint(1, 3)):
        place, other = source.randrange(min(45, len(changed))), source.randrange(min(45, len(changed)))
        changed[place], changed[other] = changed[other], changed[place]
        changed[place] += source.choice((0, 0, 1, -1))
    return changed


@needs_compiler
@pytest.mark.parametrize("row", some(chosen(FLOWS, "noninterference", True), 4), ids=named)
def test_runs_of_a_program_without_leaks_differ_first_in_inputs_or_in_what_is_released(
    row: Row, runtime: Path, tmp_path: Path
) -> None:
    program = executable(row, runtime, tmp_path, *TRACES)
    compared = 0
    for seed in range(25):
        inputs = random_inputs(seed)
        one, other = (run(program, text_of(each), TRACE="1") for each in (inputs, similar(inputs, seed)))
        if {one.code, other.code} <= {0, 1}:
            difference = first_difference(one, other)
            assert difference in (None, "low", "declassify")
            if difference is None:
                compared += 1
                assert not row.verdicts.get("constant-time", False) or one.path == other.path
    assert compared


# Laws of pick functions

PICKS = [row for row in ROWS if row.set == "pick"]
ORDERS = {"P13": ((1, 0, 2),), "P14": ((1, 0, 2), (2, 1, 0))}
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
static int v[{count}];
static void report(const char *law) {{
    printf("%s", law);
    for (int i = 0; i < {count}; i++)
        printf(" %d", v[i]);
    printf("\\n");
}}
static void judge(void) {{
    int picked = {picked};
{laws}
}}
int main(int count, char **arguments) {{
    if (count > 1) {{
        for (int i = 0; i < {count}; i++)
            v[i] = atoi(arguments[i + 1]);
        judge();
        return 0;
    }}
    srand(1);
    for (int round = 0; round < 200000; round++) {{
        int spread = 2 + round % 5;
        for (int i = 0; i < {count}; i++)
            v[i] = rand() % spread - round % 2;
        judge();
    }}
    return 0;
}}
"""


def width_of(row: Row) -> int:
    found = re.search(r"int pick\(([^)]*)\)", row.path.read_text(encoding="utf-8"))
    assert found is not None
    parameters = found.group(1).count(",") + 1
    assert parameters % 3 == 0
    return parameters // 3


def judging_program(row: Row, folder: Path) -> Path:
    """Prints each law that fails, with the arguments: for those on the command line, or for many random ones."""
    width = width_of(row)

    def call(order: Sequence[int]) -> str:
        return "pick(" + ", ".join(f"v[{each * width + i}]" for each in order for i in range(width)) + ")"

    laws = "\n".join(
        f'    if ({" || ".join(f"picked != {call(order)}" for order in orders)})\n        report("{law}");'
        for law, orders in ORDERS.items()
    )
    driver = folder / "driver.c"
    source = row.path.read_text(encoding="utf-8")
    driver.write_text(source + DRIVER.format(count=3 * width, picked=call((0, 1, 2)), laws=laws), encoding="utf-8")
    return compile_to(folder / "driver", *WARNINGS, *SANITISERS, driver)


@needs_compiler
@pytest.mark.parametrize("row", some(PICKS, 4), ids=named)
def test_laws_of_pick_fail_exactly_where_the_index_says_so(row: Row, tmp_path: Path) -> None:
    program = judging_program(row, tmp_path)
    false = {law for law, holds in row.verdicts.items() if not holds}
    on_random = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert {line.split()[0] for line in on_random} == false
    if false:
        on_witness = subprocess.run([program, *row.witness.split()], capture_output=True, text=True, check=True)
        assert {line.split()[0] for line in on_witness.stdout.splitlines()} == false
