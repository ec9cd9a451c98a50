"""Files that cannot be read, and places that cannot be written: each is told by name, and costs no answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from asking import commanded

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x <= 0 || x > 0);
    return 0;
}
"""
FULL = Path("/dev/full")
full_device = pytest.mark.skipif(not FULL.exists(), reason="no device is always full here")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.c").write_text(PROGRAM)
    (tmp_path / "empty.c").write_text("")
    (tmp_path / "clamp.c").write_text("int clamp(int x) { return x < 0 ? 0 : x; }\n")
    (tmp_path / "binary.c").write_bytes(b"int main(void) {\n\x7fELF\0\0")
    (tmp_path / "folder.c").mkdir()
    return tmp_path


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("command", ["verify", "summarize"])
@pytest.mark.parametrize(
    ("name", "message", "next_step"),
    [
        ("missing.c", "missing.c: no such file", "Check the path."),
        ("missing.yml", "missing.yml: no such file", "Check the path."),
        ("folder.c", "folder.c: this is a folder", "sorrel prove"),
        ("binary.c", "binary.c:2:5: this is a binary file", "text in UTF-8"),
        ("empty.c", "empty.c: there is no function main", "No function has a body."),
    ],
)
def test_a_file_that_is_no_program_is_told_by_name(
    folder: Path, command: str, name: str, message: str, next_step: str
) -> None:
    result = commanded(folder, command, name)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert next_step in result.stderr
    assert "Errno" not in result.stderr


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["verify", "clamp.c"], 2, "Start at another one with --function: clamp."),
        (["verify", "clamp.c", "--function", "clamp2"], 2, "Functions with a body: clamp."),
        (["verify", "good.c", "--property", "missing.prp"], 2, "missing.prp: no such file"),
        (["verify", "good.c", "--compile-commands", "missing.json"], 2, "missing.json: no such file"),
        (["verify", "good.c", "-include", "missing.h"], 2, "<command line>: error: 'missing.h' file not found"),
        (["verify", "good.c", "-D", "1x=3"], 2, "<command line>: error: macro name must be an identifier"),
        (["report", "missing.json"], 2, "missing.json: no such file"),
        (["prove", "--timeout", "soon"], 1, "must be a positive number of seconds"),
        (["diff", "--timeout", "-1"], 1, "must be a positive number of seconds"),
    ],
)
def test_what_the_command_line_names_is_told_as_it_was_named(
    folder: Path, words: list[str], code: int, message: str
) -> None:
    result = commanded(folder, *words)
    assert (result.returncode, result.stdout) == (code, "")
    assert message in result.stderr


@pytest.mark.parametrize("option", ["--html", "--sarif", "--witness", "--certificate", "--horn", "--acsl", "--harness"])
@pytest.mark.usefixtures("in_this_process")
def test_a_place_that_is_not_there_is_told_before_the_search(folder: Path, option: str) -> None:
    result = commanded(folder, "verify", "good.c", option, "no/such/folder/file")
    assert (result.returncode, result.stdout) == (1, "")
    assert "no/such/folder/file: cannot be written: there is no folder no/such/folder" in result.stderr


@pytest.mark.usefixtures("in_this_process")
def test_a_folder_is_no_place_for_a_page(folder: Path) -> None:
    result = commanded(folder, "verify", "good.c", "--html", "folder.c")
    assert (result.returncode, result.stdout) == (1, "")
    assert "folder.c: cannot be written: this is a folder" in result.stderr


@full_device
@pytest.mark.parametrize(
    "option",
    [pytest.param("--html", marks=pytest.mark.long), "--sarif", pytest.param("--witness", marks=pytest.mark.long)],
)
def test_an_answer_survives_a_disk_that_is_full(folder: Path, option: str) -> None:
    result = commanded(folder, "verify", "good.c", "-q", option, str(FULL))
    assert (result.returncode, result.stdout) == (1, "safe\n")
    assert "/dev/full: cannot be written: No space left on device" in result.stderr


@full_device
@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["verify", "--help"],
        ["engines"],
        pytest.param(["verify", "good.c"], marks=pytest.mark.long),
    ],
)
def test_output_that_cannot_be_written_is_told_in_one_line(folder: Path, words: list[str]) -> None:
    with FULL.open("w") as full:
        command = [sys.executable, "-m", "sorrel", *words]
        result = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert result.returncode == 1
    assert result.stderr == "standard output: cannot be written: No space left on device\n"


def test_bytes_that_are_not_utf8_in_comments_and_strings_are_what_they_are(folder: Path) -> None:
    text = PROGRAM.replace(
        "int main", "/* caf\xe9 */ int first(const char *s) { return (unsigned char) s[0]; }\nint main"
    )
    text = text.replace("assert(x <= 0 || x > 0)", 'assert(first("\xe9") == 0xe9)')
    (folder / "old.c").write_bytes(text.encode("latin-1"))
    assert commanded(folder, "verify", "old.c", "-q").stdout == "safe\n"


def test_annotations_are_not_asserted_in_a_text_that_is_not_utf8(folder: Path) -> None:
    """With them the text is another one, in which strings would have changed."""
    text = PROGRAM.replace("int x", "/* caf\xe9 */ int x").replace(
        "    assert(x", "    //@ assert x < 1;\n    assert(x"
    )
    (folder / "old.c").write_bytes(text.encode("latin-1"))
    result = commanded(folder, "verify", "old.c")
    assert (result.returncode, result.stdout) == (2, "")
    assert "byte 0xe9 is not UTF-8" in result.stderr


def test_a_saved_outcome_is_read_from_standard_input(folder: Path) -> None:
    outcome = commanded(folder, "verify", "good.c", "--json").stdout
    command = [sys.executable, "-m", "sorrel", "report", "-", "-o", "page.html"]
    subprocess.run(command, cwd=folder, input=outcome, text=True, timeout=120, check=True)
    assert "<html" in (folder / "page.html").read_text()
