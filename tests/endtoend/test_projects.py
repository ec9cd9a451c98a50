"""Projects from the command line: new users, continuous integration, interruptions."""

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
from folders import ROOT

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int clamp(int x) {{ if (x < 0) return 0; if (x > {high}) return {high}; return x; }}
int main(void) {{ int r = clamp(__VERIFIER_nondet_int()); assert(r <= 10); return 0; }}
"""


def sorrel(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    given = [sys.executable, "-m", "sorrel", *words]
    return subprocess.run(given, cwd=folder, capture_output=True, text=True, check=False, timeout=240)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.c").write_text(PROGRAM.format(high=10))
    assert commanded(tmp_path, "init").returncode == 0
    return tmp_path


def test_a_project_is_proved_checked_and_found_out_when_it_breaks(project: Path) -> None:
    proved = sorrel(project, "prove", "--json")
    assert proved.returncode == 0, proved.stderr
    assert json.loads(proved.stdout)["answer"] == "safe"
    assert sorrel(project, "check", "-q").stdout.strip() == "safe"
    (project / "src" / "a.c").write_text(PROGRAM.format(high=11))
    checked = sorrel(project, "check")
    assert checked.returncode == 5
    assert "changed since" in checked.stderr
    broken = sorrel(project, "prove", "--sarif", "found.sarif")
    assert broken.returncode == 10
    assert "src/a.c:4" in broken.stderr
    (run,) = json.loads((project / "found.sarif").read_text())["runs"]
    (result,) = run["results"]
    assert result["level"] == "error"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/a.c"
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert "external/cwe/cwe-617" in rule["properties"]["tags"]
    known = sorrel(project, "check", "--baseline", "found.sarif")
    assert known.returncode == 0
    assert known.stdout.startswith("unsafe (1 of it known from the baseline)")  # what is known is no less there
    assert "src/a.c:4" not in known.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there are no sources"),
        ("sources = [", "not TOML"),
        ('source = ["a.c"]', "Did you mean sources?"),
        ('sources = "a.c"', "is a list of texts"),
        ('sources = ["b.c"]', "no file matches"),
        ('sources = ["../*.c"]', "downwards"),
        ('sources = ["src/*.c"]\nproperties = ["fast"]', "there is no property fast"),
        ('sources = ["src/*.c"]\nproperties = ["noninterference"]', "not proved function by function"),
        ('sources = ["src/*.c"]\ndata-model = "LP128"', "there is no data model"),
        ('sources = ["src/*.c"]\nentry-points = ["nobody"]', "there is no function nobody"),
        ('sources = ["src/*.c"]\n[limits]\nseconds = -1', "a number above 0"),
    ],
)
def test_each_mistake_in_the_settings_is_told(project: Path, text: str, said: str) -> None:
    (project / "sorrel.toml").write_text(text)
    found = commanded(project, "check")
    assert found.returncode == 2
    assert said in found.stderr
    assert "Traceback" not in found.stderr


def test_a_folder_without_settings_says_what_to_do(tmp_path: Path) -> None:
    found = commanded(tmp_path, "prove")
    assert found.returncode == 1
    assert "sorrel init" in found.stderr


@pytest.mark.long
def test_a_project_that_is_checked_in_copies_of_a_process_comes_to_an_end(project: Path) -> None:
    names = [f"f{number}" for number in range(14)]
    text = "".join(f"int {name}(int x) {{ return x > 9 ? 9 : x; }}\n" for name in names)
    calls = "".join(f"assert({name}(x) <= 9); " for name in names)
    start = f"int main(void) {{ int x = __VERIFIER_nondet_int(); {calls}return 0; }}\n"
    head = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
    (project / "src" / "a.c").write_text(head + text + start)
    assert sorrel(project, "prove", "--timeout", "60", "-q").stdout.strip() == "safe"
    checked = json.loads(sorrel(project, "check", "--jobs", "2", "--json").stdout)
    assert checked["answer"] == "safe"
    assert {each["source"] for each in checked["functions"]} == {"stored"}


@pytest.mark.long
def test_what_was_found_before_an_interruption_is_stored(project: Path) -> None:
    slow = "int slow(int a, int b) { int s = 0; while (a > 0) { s += a * b; a -= b * b + 1; } return s; }\n"
    checks = (
        "#include <assert.h>\nint clamp(int); "
        + slow
        + "int hard(int n) { int r = slow(n, n); assert(r * r >= 0); return r; }"
    )
    (project / "src" / "b.c").write_text(checks)
    main = PROGRAM.format(high=10).replace("return 0; }\n", "extern int hard(int); return hard(3); }\n")
    (project / "src" / "a.c").write_text(main)
    running = subprocess.Popen(
        [sys.executable, "-m", "sorrel", "prove", "--jobs", "1"], cwd=project, stdout=subprocess.PIPE, text=True
    )
    lock = project / "sorrel.lock"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and running.poll() is None and not lock.exists():
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    output, _ = running.communicate(timeout=60)
    assert running.returncode in (130, 0, 3, 5)
    assert "clamp" in lock.read_text() or "slow" in lock.read_text()
    assert output


def test_modules_in_the_folder_of_a_project_are_never_loaded(project: Path) -> None:
    for name in ("json", "resource", "selectors", "z3"):
        (project / f"{name}.py").write_text("open('loaded', 'a').close()\nraise SystemExit('loaded')\n")
    (project / "sorrel").mkdir()
    (project / "sorrel" / "__init__.py").write_text("open('loaded', 'a').close()\n")
    command = Path(sys.executable).with_name("sorrel")  # python -m would look into the folder itself
    for word in ("prove", "check"):
        done = subprocess.run([command, word, "-q"], cwd=project, capture_output=True, text=True, timeout=240)
        assert (done.returncode, done.stdout.strip()) == (0, "safe"), done.stderr
    assert not (project / "loaded").exists()


def test_settings_cannot_make_anything_run(project: Path) -> None:
    commands = [{"directory": str(project), "file": "src/a.c", "command": f"cc -c src/a.c; touch {project}/ran"}]
    (project / "compile_commands.json").write_text(json.dumps(commands))
    (project / "sorrel.toml").write_text('compile-commands = "compile_commands.json"\n')
    tools = project / "tools"
    tools.mkdir()
    for name in ("cc", "gcc", "clang", "cpp", "make", "ninja", "cmake", "ld", "as"):
        (tools / name).write_text(f'#!/bin/sh\necho "$@" >> {project}/ran\n')
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CC": str(tools / "cc")}
    given = [sys.executable, "-m", "sorrel", "prove", "--jobs", "1"]
    done = subprocess.run(given, cwd=project, env=environment, capture_output=True, check=False, timeout=240)
    assert done.returncode == 0
    # A compiler is asked where its headers are, and nothing else.
    assert set((project / "ran").read_text().splitlines()) <= {"-E -v -x c /dev/null"}
    assert not list(project.rglob("*.o"))


LIMIT = """#include "limit.h"
int limit(void) {
#ifdef WIDE
  return 2 * LIMIT;
#else
  return LIMIT;
#endif
}
"""
ASKING = """#include <assert.h>
#include "limit.h"
int limit(void);
int main(void) { assert(limit() == WANTED); return LIMIT == 0; }
"""


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("", "-DWIDE -DWANTED=10", 0),
        pytest.param("", "-DWIDE -DWANTED=20", 10, marks=pytest.mark.long),
        pytest.param("-DWIDE", "-DWANTED=20", 0, marks=pytest.mark.long),
        pytest.param("-DWIDE -UWIDE", "-DWANTED=20", 10, marks=pytest.mark.long),
        ("-include wide.h", "-DWANTED=10", 10),
        pytest.param("-Ismall", "-DWANTED=10", 10, marks=pytest.mark.long),
        pytest.param("-Ismall", "-DWANTED=5", 0, marks=pytest.mark.long),
        ("-fshort-enums", "-DWANTED=10", 2),
    ],
)
@pytest.mark.parametrize("command", ["prove", "verify"])
def test_each_file_is_read_as_it_is_compiled(
    tmp_path: Path, in_this_process: None, command: str, one: str, other: str, answer: int
) -> None:
    for name, text in {
        "a.c": LIMIT,
        "b.c": ASKING,
        "wide.h": "#define WIDE\n",
        "small/limit.h": "#define LIMIT 5\n",
        "large/limit.h": "#define LIMIT 10\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    told = {"a.c": f"{one} -Ilarge", "b.c": f"{other} -Ilarge"}
    commands = [{"directory": str(tmp_path), "file": f, "command": f"cc {o} -c {f}"} for f, o in told.items()]
    (tmp_path / "compile_commands.json").write_text(json.dumps(commands))
    (tmp_path / "sorrel.toml").write_text('compile-commands = "compile_commands.json"\n')
    given = ("prove", "--jobs", "1") if command == "prove" else ("verify", "a.c", "b.c", "--compile-commands")
    more = () if command == "prove" else ("compile_commands.json",)
    assert commanded(tmp_path, *given, *more).returncode == answer


def test_the_script_of_the_action_keeps_the_exit_code_and_writes_findings(project: Path) -> None:
    binaries = Path(sys.executable).parent
    outputs = project / "outputs"
    environment = {
        **os.environ,
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "SORREL_COMMAND": "prove",
        "SORREL_FOLDER": str(project),
        "SORREL_SARIF": str(project / "x.sarif"),
        "SORREL_OPTIONS": "--jobs 1",
        "GITHUB_OUTPUT": str(outputs),
    }
    done = subprocess.run(["bash", str(ROOT / "integration" / "action.sh")], env=environment, check=False, timeout=240)
    assert done.returncode == 0
    assert outputs.read_text() == "exit-code=0\n"
    assert json.loads((project / "x.sarif").read_text())["runs"][0]["results"] == []
    environment["SORREL_COMMAND"] = "prove; touch ran"
    done = subprocess.run(["bash", str(ROOT / "integration" / "action.sh")], env=environment, check=False, timeout=60)
    assert done.returncode == 1


def test_the_hook_lets_a_commit_pass_whose_proofs_fit_and_no_other(project: Path) -> None:
    pytest.importorskip("pre_commit")
    assert sorrel(project, "prove", "-q").returncode == 0
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text().replace("language: python", "language: system")
    indented = "".join(f"      {line}\n" for line in hook.splitlines())
    (project / ".pre-commit-config.yaml").write_text(f"repos:\n  - repo: local\n    hooks:\n{indented}")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(project / "cache"),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=240
        )

    assert run("git", "init", "-q").returncode == 0
    assert run(sys.executable, "-m", "pre_commit", "install").returncode == 0
    commit = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x")
    run("git", "add", "src", "sorrel.toml", "sorrel.lock", ".pre-commit-config.yaml")
    passed = run(*commit)
    assert passed.returncode == 0, passed.stderr
    assert "Passed" in passed.stderr
    (project / "src" / "a.c").write_text(PROGRAM.format(high=11))
    run("git", "add", "src")
    refused = run(*commit)
    assert refused.returncode != 0
    assert "changed since" in refused.stderr or "unknown" in refused.stderr
