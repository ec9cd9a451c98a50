"""The command line as a real process: answers, errors, limits and signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from asking import commanded

SORREL = [sys.executable, "-m", "sorrel"]

SAFE = """(set-logic HORN)
(declare-fun up (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (up x))))
(assert (forall ((x Int)) (=> (up x) (up (+ x 1)))))
(assert (forall ((x Int)) (=> (and (up x) (< x {bound})) false)))
(check-sat)
"""
# No argument of one call alone proves this: neither Spacer nor unwinding ends on it.
HARD = """(set-logic HORN)
(declare-fun even (Int Bool) Bool)
(declare-fun odd (Int Bool) Bool)
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) r) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) (not r)) (odd x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (not (= x 0)) (odd (- x 1) r)) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (not (= x 0)) (even (- x 1) r)) (odd x r))))
(assert (forall ((x Int)) (=> (and (even x true) (odd x true)) false)))
(check-sat)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "safe.smt2").write_text(SAFE.format(bound=0))
    (tmp_path / "unsafe.smt2").write_text(SAFE.format(bound=1))
    (tmp_path / "hard.smt2").write_text(HARD)
    (tmp_path / "broken.smt2").write_text("(set-logic HORN)\n(assert (nonsense 1))\n")
    return tmp_path


def run(folder: Path, *words: str, input: str | None = None, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SORREL, *words], cwd=folder, input=input, capture_output=True, text=True, timeout=seconds)


def workers() -> set[str]:
    """Process ids of workers on this machine."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if b"sorrel.process.worker" in (entry / "cmdline").read_bytes():
                    found.add(entry.name)
            except OSError:
                continue
    return found


def children(pid: int) -> set[str]:
    """Workers whose parent is the given process."""
    found = set()
    for worker in workers():
        try:
            status = Path(f"/proc/{worker}/stat").read_text()
        except OSError:
            continue
        if int(status.rsplit(")", 1)[1].split()[1]) == pid:
            found.add(worker)
    return found


def awaited_children(process: int) -> set[str]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = children(process)
        if found:
            return found
        time.sleep(0.05)
    return set()


def test_safe_is_sat_and_0(folder: Path) -> None:
    result = run(folder, "solve", "safe.smt2")
    assert (result.returncode, result.stdout.splitlines()[0], result.stderr) == (0, "sat", "")


def test_unsafe_is_unsat_and_10(folder: Path) -> None:
    result = run(folder, "solve", "unsafe.smt2")
    assert (result.returncode, result.stdout.splitlines()[0]) == (10, "unsat")


def test_a_limit_that_is_reached_is_unknown_and_5_with_a_reason(folder: Path) -> None:
    started = time.monotonic()
    result = run(folder, "solve", "--engine", "spacer", "--timeout", "2", "hard.smt2")
    assert time.monotonic() - started < 5
    assert (result.returncode, result.stdout.splitlines()[0]) == (5, "unknown")
    assert "time" in result.stdout


def test_a_memory_limit_holds(folder: Path) -> None:
    wide = "(_ BitVec 512)"
    product = "(= (bvmul x x x y) (bvadd (bvmul z z z y) (bvmul x y z)))"
    given = f"(and (p x) (p y) (p z) {product} (distinct x y z))"
    query = f"(assert (forall ((x {wide}) (y {wide}) (z {wide})) (=> {given} false)))"
    start = f"(assert (forall ((x {wide})) (p x)))"
    (folder / "wide.smt2").write_text(f"(set-logic HORN)\n(declare-fun p ({wide}) Bool)\n{start}\n{query}\n")
    result = run(folder, "solve", "--engine", "clover", "--memory", "256", "--timeout", "60", "wide.smt2")
    assert (result.returncode, result.stdout.splitlines()[0], result.stderr) == (5, "unknown", "")
    assert "memory" in result.stdout


@pytest.mark.long
def test_a_memory_limit_holds_for_each_worker(folder: Path) -> None:
    """Each may use little; the answer is unknown for lack of memory or of time, never a crash."""
    clauses = "\n".join(
        f"(assert (forall ((x Int) (y Int)) (=> (and (p{i} x y) (> (* x y) {i})) (p{i + 1} y (+ x (* y y))))))"
        for i in range(60)
    )
    declarations = "\n".join(f"(declare-fun p{i} (Int Int) Bool)" for i in range(61))
    query = "(assert (forall ((x Int) (y Int)) (=> (and (p60 x y) (= (* x x y) 7)) false)))"
    start = "(assert (forall ((x Int) (y Int)) (p0 x y)))"
    (folder / "large.smt2").write_text(f"(set-logic HORN)\n{declarations}\n{start}\n{clauses}\n{query}\n")
    result = run(folder, "solve", "--memory", "300", "--timeout", "10", "large.smt2")
    assert (result.returncode, result.stdout.splitlines()[0], result.stderr) == (5, "unknown", "")


@pytest.mark.usefixtures("in_this_process")
def test_model_is_a_list_of_definitions(folder: Path) -> None:
    lines = commanded(folder, "solve", "--model", "safe.smt2").stdout.splitlines()
    assert lines[0] == "sat"
    assert any(line.startswith("(define-fun up ((x Int)) Bool ") for line in lines)
    assert any(line.startswith("; up(x): ") for line in lines)


@pytest.mark.usefixtures("in_this_process")
def test_proof_of_unsat_is_a_derivation(folder: Path) -> None:
    lines = commanded(folder, "solve", "--proof", "unsafe.smt2").stdout.splitlines()
    assert any(line.startswith("(step 0 ") for line in lines)
    assert any("up(0)" in line for line in lines)


@pytest.mark.usefixtures("in_this_process")
def test_json_is_one_document(folder: Path) -> None:
    outcome = json.loads(commanded(folder, "solve", "--json", "safe.smt2").stdout)
    assert outcome["answer"] == "safe"
    assert outcome["contracts"][0]["predicate"] == "up"
    assert all(c["accepted"] for c in outcome["confirmations"])


@pytest.mark.usefixtures("in_this_process")
def test_several_files_get_a_table_and_the_worst_code(folder: Path) -> None:
    result = commanded(folder, "solve", "safe.smt2", "unsafe.smt2")
    assert result.returncode == 10
    assert result.stdout.splitlines()[:2] == ["safe.smt2: sat", "unsafe.smt2: unsat"]
    assert "; 2 files: 1 sat, 1 unsat, 0 unknown, 0 not read" in result.stdout


@pytest.mark.usefixtures("in_this_process")
def test_a_bad_file_among_several_does_not_stop_the_rest(folder: Path) -> None:
    result = commanded(folder, "solve", "broken.smt2", "missing.smt2", "safe.smt2")
    assert result.returncode == 2
    assert "safe.smt2: sat" in result.stdout
    assert "broken.smt2:2:" in result.stderr
    assert "missing.smt2: no such file" in result.stderr


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["solve", "missing.smt2"], 2, "no such file"),
        (["solve", "broken.smt2"], 2, "broken.smt2:2:"),
        (["solve", "."], 2, "this is a folder"),
        (["solve", "--engine", "magic", "safe.smt2"], 1, "there is no engine magic"),
        (["solve", "-o", "levels", "--engine", "unwind", "safe.smt2"], 1, "NAME=VALUE"),
        (["solve", "-o", "speed=9", "--engine", "unwind", "safe.smt2"], 1, "there is no option speed"),
        (["solve", "-o", "levels=many", "--engine", "unwind", "safe.smt2"], 1, "levels"),
        (["solve", "--timeout", "-1", "safe.smt2"], 1, "positive"),
        (["solve", "--timeout", "inf", "safe.smt2"], 1, "at most"),
        (["solve", "--timeout", "soon", "safe.smt2"], 1, "positive number"),
        (["solve", "--seed", "-1", "safe.smt2"], 1, "number from 0"),
        (["solve", "--memory", "3", "safe.smt2"], 1, "at least 256"),
        (["solve"], 1, "FILE"),
        ([], 1, "COMMAND"),
        (["nonsense"], 1, "nonsense"),
    ],
)
def test_errors_say_what_is_wrong(folder: Path, words: list[str], code: int, message: str) -> None:
    result = commanded(folder, *words)
    assert result.returncode == code
    assert message in result.stderr
    assert result.stdout == ""


def test_standard_input_is_read(folder: Path) -> None:
    result = run(folder, "solve", "-", input=SAFE.format(bound=0))
    assert (result.returncode, result.stdout.splitlines()[0]) == (0, "sat")


@pytest.mark.usefixtures("in_this_process")
def test_a_saved_certificate_is_checked_alone(folder: Path) -> None:
    for name, code in (("safe", 0), ("unsafe", 10)):
        commanded(folder, "solve", f"{name}.smt2", "--certificate", "proof.smt2")
        assert commanded(folder, "check", f"{name}.smt2", "proof.smt2").returncode == code
        assert commanded(folder, "check", f"{name}.smt2", "proof.smt2", "--recheck", "z3").returncode == code


@pytest.mark.usefixtures("in_this_process")
def test_a_certificate_for_another_system_is_refused(folder: Path) -> None:
    commanded(folder, "solve", "safe.smt2", "--certificate", "proof.smt2")
    result = commanded(folder, "check", "unsafe.smt2", "proof.smt2")
    assert result.returncode == 5
    assert result.stdout.startswith("rejected")


@pytest.mark.usefixtures("in_this_process")
def test_seeds_must_be_inductive(folder: Path) -> None:
    (folder / "seeds.smt2").write_text("(set-info :sorrel-certificate facts)\n(define-fun up ((x Int)) Bool (> x 3))\n")
    result = commanded(folder, "solve", "--engine", "spacer", "--seeds", "seeds.smt2", "unsafe.smt2")
    assert result.returncode == 2
    assert "not inductive" in result.stderr


@pytest.mark.usefixtures("in_this_process")
def test_seeds_help(folder: Path) -> None:
    commanded(folder, "solve", "safe.smt2", "--certificate", "proof.smt2")
    result = commanded(folder, "solve", "--engine", "spacer", "--seeds", "proof.smt2", "safe.smt2")
    assert result.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_cleanly_and_leaves_no_process(folder: Path, number: int) -> None:
    process = subprocess.Popen(
        [*SORREL, "solve", "--engine", "spacer+unwind", "hard.smt2", "--html", f"ended{number}.html"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    mine = awaited_children(process.pid)
    for worker in mine:
        awaited_children(int(worker))  # lanes: whoever has some was told its job, by a command that hears signals
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert output.splitlines()[0] == "unknown"
    assert "interrupted after" in output
    assert "interrupted after" in (folder / f"ended{number}.html").read_text(encoding="utf-8")
    assert "Traceback" not in errors
    assert mine
    assert not mine & workers()


def test_a_worker_that_is_killed_is_told_as_unknown(folder: Path) -> None:
    command = [*SORREL, "solve", "--engine", "spacer", "hard.smt2"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    mine = awaited_children(process.pid)
    time.sleep(1)
    for worker in mine:
        os.killpg(int(worker), signal.SIGKILL)
    output, errors = process.communicate(timeout=60)
    assert output.startswith("unknown")
    assert "lack of memory" in output + errors
    assert "Traceback" not in errors


def test_workers_end_with_a_killed_supervisor(folder: Path) -> None:
    command = [*SORREL, "solve", "--engine", "spacer+unwind", "hard.smt2"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE)
    mine = awaited_children(process.pid)
    mine |= {lane for worker in mine for lane in awaited_children(int(worker))}
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 60
    while mine & workers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert mine
    assert not mine & workers()


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m sorrel solve --model --proof --stats safe.smt2 unsafe.smt2 safe.smt2 | true"
    result = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in result.stderr
    assert "BrokenPipe" not in result.stderr


def test_nothing_in_the_current_folder_is_imported(folder: Path) -> None:
    for name in ("z3", "json", "sorrel"):
        (folder / f"{name}.py").write_text("raise SystemExit('imported from the current folder')\n")
    command = [str(Path(sys.executable).parent / "sorrel"), "solve", "safe.smt2"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout.splitlines()[0]) == (0, "sat")


@pytest.mark.usefixtures("in_this_process")
def test_an_unreadable_file_is_json_too(folder: Path) -> None:
    result = commanded(folder, "solve", "--json", "broken.smt2")
    assert result.returncode == 2
    assert "broken.smt2:2:" in json.loads(result.stdout)["error"]


@pytest.mark.usefixtures("in_this_process")
def test_a_printed_model_is_a_certificate(folder: Path) -> None:
    (folder / "model.smt2").write_text(commanded(folder, "solve", "--model", "safe.smt2").stdout)
    assert commanded(folder, "check", "safe.smt2", "model.smt2").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is always full here")
@pytest.mark.usefixtures("in_this_process")
def test_an_answer_survives_a_certificate_that_cannot_be_written(folder: Path) -> None:
    result = commanded(folder, "solve", "--certificate", "/dev/full", "safe.smt2")
    assert result.stdout.splitlines()[0] == "sat"
    assert result.returncode == 1
    assert "cannot be written" in result.stderr


@pytest.mark.usefixtures("in_this_process")
def test_a_check_without_time_is_not_called_rejected(folder: Path) -> None:
    commanded(folder, "solve", "safe.smt2", "--certificate", "proof.smt2")
    result = commanded(folder, "check", "safe.smt2", "proof.smt2", "--timeout", "0.001")
    # A machine may be fast enough to finish nevertheless.
    assert (result.returncode, result.stdout.splitlines()[0]) in [(5, "not confirmed"), (0, "accepted: sat")]


def test_an_old_locale_does_not_cost_the_answer(folder: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [*SORREL, "solve", "--proof", "--model", "unsafe.smt2"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, env=environment)
    assert (result.returncode, result.stdout.splitlines()[0]) == (10, "unsat")


def test_version_and_engines(folder: Path) -> None:
    assert run(folder, "--version").stdout.startswith("sorrel ")
    assert "unwind:" in run(folder, "engines").stdout


def test_the_supervisor_loads_no_solver(folder: Path) -> None:
    code = "import sys, sorrel, sorrel.cli, sorrel.bench.command; sys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=folder, env={**os.environ}).returncode == 0


def test_the_python_interface_has_the_same_power(folder: Path) -> None:
    import sorrel

    outcome = sorrel.solve(folder / "unsafe.smt2", timeout=30, recheck="z3")
    assert outcome.answer is sorrel.Answer.UNSAFE
    assert len(outcome.confirmations) == 2
    assert sorrel.check(folder / "unsafe.smt2", outcome.certificate).answer is sorrel.Answer.UNSAFE
    assert sorrel.solve(SAFE.format(bound=0), engine="spacer").answer is sorrel.Answer.SAFE
    with pytest.raises(sorrel.InputError):
        sorrel.solve(folder / "missing.smt2")
    with pytest.raises(sorrel.UsageError):
        sorrel.solve(folder / "safe.smt2", engine="magic")


SUM = """
sum(n: word) returns (r: word) { var a: word; assume n != 0; if n = 1 then return 1; fi a := sum(n - 1); return n + a; }
"""


@pytest.mark.usefixtures("in_this_process")
def test_learn_prints_the_summary_of_a_program_and_saves_what_check_reads(folder: Path) -> None:
    (folder / "sum.bool").write_text(SUM)
    words = ["--width", "8", "--overflow", "discard", "--property", "r > 0", "--property", "r >= n"]
    result = commanded(folder, "learn", "sum.bool", *words, "--horn", "sum.smt2", "--certificate", "sum.cert")
    assert (result.returncode, result.stdout.splitlines()[0], result.stderr) == (0, "safe", "")
    assert "; sum(n, r): " in result.stdout
    assert commanded(folder, "check", "sum.smt2", "sum.cert").stdout.startswith("accepted: sat")
    seeded = commanded(folder, "learn", "sum.bool", *words, "--property", "r != 0", "--seeds", "sum.cert", "-v")
    assert "property_2: by the summary known before" in seeded.stdout


@pytest.mark.usefixtures("in_this_process")
def test_learn_refutes_with_a_run_and_tells_mistakes_with_their_place(folder: Path) -> None:
    (folder / "sum.bool").write_text(SUM)
    result = commanded(folder, "learn", "sum.bool", "--width", "4", "--property", "r >= n")
    assert (result.returncode, result.stdout.splitlines()[0]) == (10, "unsafe")
    assert "violates property_0" in result.stdout
    assert commanded(folder, "learn", "sum.bool").returncode == 2
    broken = commanded(folder, "learn", "sum.bool", "--property", "r > q")
    assert (broken.returncode, "--property:1:5: there is no variable q" in broken.stderr) == (2, True)
    assert commanded(folder, "learn", "sum.bool", "--width", "0").returncode == 1


@pytest.mark.usefixtures("in_this_process")
def test_several_properties_are_each_checked(folder: Path) -> None:
    text = "extern int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() / 2 + 1; }\n"
    (folder / "half.c").write_text(text)
    asked = ["--property", "no-overflow", "--property", "valid-deref", "--property", "no-overflow"]
    result = commanded(folder, "verify", "half.c", *asked, "--json")
    assert result.returncode == 0
    assert [each["goal"] for each in json.loads(result.stdout)] == ["no-overflow", "valid-deref"]
    (folder / "next.c").write_text(text.replace("/ 2", ""))
    result = commanded(folder, "verify", "next.c", *asked)
    assert (result.returncode, result.stdout.split("\n")[0]) == (10, "unsafe")


@pytest.mark.usefixtures("in_this_process")
def test_a_property_file_that_is_checked_in_part_is_not_safe(folder: Path) -> None:
    (folder / "nothing.c").write_text("int main(void) { return 0; }\n")
    formulas = ("G ! overflow", "G ! worry")
    (folder / "both.prp").write_text("".join(f"CHECK( init(main()), LTL({formula}) )\n" for formula in formulas))
    result = commanded(folder, "verify", "nothing.c", "--property", "both.prp")
    assert (result.returncode, result.stdout.split("\n")[0]) == (5, "unknown")
    assert "worry" in result.stdout


@pytest.mark.usefixtures("in_this_process")
def test_an_open_assumption_has_a_first_line_and_a_code_of_its_own(folder: Path) -> None:
    text = "extern int sensor(void); extern void reach_error(void);\nint x = 1;\n"
    (folder / "open.c").write_text(f"{text}int main(void) {{ sensor(); if (x != 1) reach_error(); return 0; }}\n")
    result = commanded(folder, "verify", "open.c", "--timeout", "30")
    first = result.stdout.split("\n")[0]
    assert (result.returncode, first) == (3, "safe, assuming functions without a body behave as listed")
    strict = commanded(folder, "verify", "open.c", "--strict", "--timeout", "30")
    assert (strict.returncode, strict.stdout.split("\n")[0]) == (5, "unknown")
    assert "sensor" in strict.stdout
