"""What the container file copies and installs is enough to check a project, without a compiler beside it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = "#include <assert.h>\nint main(void) { int x = 3; assert(x > 2); return 0; }\n"
UNREACHABLE = ("No matching distribution", "Could not find a version", "Temporary failure in name resolution")


def steps(word: str) -> list[str]:
    lines = (ROOT / "integration" / "Containerfile").read_text().splitlines()
    return [line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} ")]


def test_what_the_container_file_names_is_there() -> None:
    for copied in steps("COPY"):
        *names, target = copied.split()
        assert target.startswith("/build/")
        assert all((ROOT / name).exists() for name in names)
    assert steps("ENTRYPOINT") == ['["sorrel"]']


@pytest.mark.long
def test_the_container_s_steps_make_an_installation_that_proves_and_checks(tmp_path: Path) -> None:
    """Those that need no container: the same files, the same installation, in an environment of its own."""
    build, fresh = tmp_path / "build", tmp_path / "fresh"
    for copied in steps("COPY"):
        *names, target = copied.split()
        place = tmp_path / target.removeprefix("/")
        for name in names:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place)
            else:
                place.mkdir(exist_ok=True)
                shutil.copy(ROOT / name, place)
    subprocess.run([sys.executable, "-m", "venv", str(fresh)], check=True, timeout=300)
    (installing,) = (part for step in steps("RUN") for part in step.split(" && ") if part.startswith("pip "))
    words = [str(fresh / "bin" / "pip"), *shlex.split(installing.replace("/build", str(build)))[1:]]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=1800)
    if any(told in done.stderr for told in UNREACHABLE):
        pytest.skip("the packages that are needed cannot be reached")
    assert done.returncode == 0, done.stderr
    project = tmp_path / "project"
    project.mkdir()
    (project / "main.c").write_text(PROGRAM)
    (project / "sorrel.toml").write_text('sources = ["main.c"]\n')
    environment = {**os.environ, "PATH": str(fresh / "bin"), "PYTHONPATH": ""}
    for command in ("prove", "check"):
        run = subprocess.run(
            [str(fresh / "bin" / "sorrel"), command, "--jobs", "1"],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert run.returncode == 0, run.stdout + run.stderr
