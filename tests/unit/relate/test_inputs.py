"""Inputs that the user names as public or secret, and the header by which programs say so themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.include import ARGUMENTS, FOLDER
from sorrel.model.errors import InputError, UsageError
from sorrel.model.source import Source
from sorrel.process.request import request
from sorrel.program.checks import instrument
from sorrel.program.program import Program
from sorrel.program.statement import Observe
from sorrel.relate.inputs import declared
from sorrel.relate.labels import labelled
from sorrel.relate.observing import traced

COMPARE = (
    "int f(const char *a, const char *b, int n) { int d = 0; for (int i = 0; i < n; i++) d |= a[i] ^ b[i]; return d; }"
)


def program(text: str, function: str) -> Program:
    return instrument(read((Source("f.c", text),), CSettings(DataModel("LP64"), (), (), function)), frozenset())


def takes_the_same_time(public: tuple[str, ...] = (), secret: tuple[str, ...] = ()) -> bool:
    return labelled(traced(declared(program(COMPARE, "f"), public, secret))) is not None


def test_everything_is_secret_unless_it_is_said_to_be_public() -> None:
    assert not takes_the_same_time()
    assert takes_the_same_time(public=("n",))


def test_everything_else_is_public_if_secrets_are_named() -> None:
    assert takes_the_same_time(secret=("a", "b"))
    assert not takes_the_same_time(secret=("n",))


def test_variables_of_the_file_are_inputs_of_a_function() -> None:
    text = "int g; int f(int key) { if (g) return 1; return 0; }"
    whole = program(text, "f")
    assert labelled(traced(declared(whole, (), ("key",)))) is not None
    assert labelled(traced(declared(whole, ("g",), ()))) is not None
    assert labelled(traced(declared(whole, ("key",), ()))) is None
    assert labelled(traced(declared(whole, (), ("g",)))) is None


def test_functions_that_return_inputs_are_named_like_parameters() -> None:
    text = "extern int __VERIFIER_nondet_int(void); int main(void) { if (__VERIFIER_nondet_int()) return 1; return 0; }"
    assert labelled(traced(declared(program(text, "main"), ("__VERIFIER_nondet_int",), ()))) is not None


def test_what_is_no_input_is_refused_with_those_that_are() -> None:
    with pytest.raises(InputError, match=r"no input m\n.*a, b, n"):
        takes_the_same_time(public=("m",))
    with pytest.raises(InputError, match="both public and secret"):
        takes_the_same_time(public=("n",), secret=("n",))


def test_memory_that_has_no_name_of_its_own_stays_secret() -> None:
    text = "struct n { int v; struct n *next; }; int f(struct n *p) { return p && p->next && p->next->v ? 1 : 0; }"
    known = declared(program(text, "f"), (), ("p",))
    low = [s for each in known.procedures for b in each.blocks for s in b.statements if isinstance(s, Observe)]
    assert low == []


def test_single_runs_have_no_secrets() -> None:
    with pytest.raises(UsageError, match="--public"):
        request([Source("f.c", COMPARE)], goal="assertions", public=["n"])


@pytest.mark.parametrize("flags", [(), ARGUMENTS])
def test_compilers_take_the_header(flags: tuple[str, ...], tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    file = tmp_path / "f.c"
    file.write_text("#include <sorrel.h>\nint f(int x) { sorrel_low(x); sorrel_assert_low(x + 1); return x; }\n")
    command = [compiler, "-Wall", "-Werror", "-fsyntax-only", f"-I{FOLDER}", *flags, str(file)]
    assert subprocess.run(command, check=False).returncode == 0


def test_the_front_end_finds_the_header_by_itself() -> None:
    text = "#include <sorrel.h>\nint f(int x) { sorrel_low(x); if (x) return 1; return 0; }"
    assert labelled(traced(program(text, "f"))) is not None


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("(int) n", True),
        ("(unsigned) (int) n + 1u", True),
        ("~n ^ 5u", True),
        ("-(int) n", True),
        ("(unsigned char) n", False),
        ("n / 2u", False),
        ("2u * n", False),
        ("n & 3u", False),
        ("n + n", False),
    ],
)
def test_who_knows_what_an_input_was_turned_into_knows_the_input(said: str, known: bool) -> None:
    """If no two inputs are turned into the same."""
    text = f"extern void sorrel_low(unsigned);\nint f(unsigned n) {{ sorrel_low({said}); if (n) return 1; return 0; }}"
    assert (labelled(traced(program(text, "f"))) is not None) is known
