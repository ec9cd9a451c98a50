"""What shells and manuals make of the commands."""

from __future__ import annotations

import inspect
import shutil
import subprocess

import pytest

from sorrel import api
from sorrel.cli.main import main
from sorrel.versions import PACKAGES, lines


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script_of_the_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "--property" in script
    if (found := shutil.which(shell)) is not None:
        assert subprocess.run([found, "-n"], input=script, text=True, check=False).returncode == 0


def test_bash_completes_commands(capsys: pytest.CaptureFixture[str]) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    main(["completion", "bash"])
    ask = 'COMP_WORDS=(sorrel ver); COMP_CWORD=1; _shtab_sorrel; echo "${COMPREPLY[@]}"'
    script = f"{capsys.readouterr().out}\n{ask}"
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=False)
    assert "verify" in done.stdout


def test_the_manual_has_every_command_and_is_read_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual"]) == 0
    page = capsys.readouterr().out
    assert page.startswith('.TH SORREL "1"')
    assert all(f"sorrel {command}" in page for command in ("verify", "solve", "prove", "check", "bench", "report"))
    if (groff := shutil.which("groff")) is not None:
        done = subprocess.run(
            [groff, "-k", "-man", "-Tutf8", "-ww"],
            input=page,
            capture_output=True,
            text=True,
            check=False,
            encoding="utf-8",
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_the_versions_of_solvers_and_parsers_are_told() -> None:
    told = list(lines())
    assert told[0].startswith("sorrel ")
    assert [line.split(" ")[0] for line in told[1:]] == list(PACKAGES)


def test_python_and_the_command_line_have_the_same_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    shown = capsys.readouterr().out
    ours = {"source", "include", "define", "standard", "forced", "progress", "cancellation", "options"}
    names = [name for name in inspect.signature(api.verify).parameters if name not in ours]
    assert [name for name in names if f"--{name.replace('_', '-')} " not in shown.replace("\n", " \n")] == []
