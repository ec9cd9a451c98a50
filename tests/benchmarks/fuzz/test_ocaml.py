"""Random OCaml programs: what the interpreter and Sorrel say of them is what OCaml does."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from bench.fuzz.ocaml.campaign import BATCH, compiled, difference, hash_of
from bench.fuzz.ocaml.generator import generate
from sorrel.frontends import ocaml
from sorrel.functional.simplify import simplified
from sorrel.functional.term import Constant
from sorrel.functional.type import INT
from sorrel.model.source import Source

needs_ocaml = pytest.mark.skipif(shutil.which("ocamlc") is None, reason="there is no ocamlc")


def test_the_same_seed_gives_the_same_program() -> None:
    assert generate(7) == generate(7)
    assert generate(7) != generate(8)


@needs_ocaml
def test_runs_are_those_of_the_compiled_program_before_and_after_simplification() -> None:
    programs = {number: generate(hash_of(20, number)) for number in range(BATCH)}
    for number, results in compiled(programs).items():
        read = ocaml.read([Source("program.ml", programs[number].text)], "body")
        assert not difference(read, results), number
        assert not difference(simplified(read), results), number


@needs_ocaml
def test_a_program_that_does_something_else_is_noticed() -> None:
    programs = {0: generate(hash_of(20, 0))}
    read = ocaml.read([Source("program.ml", programs[0].text)], "body")
    assert difference(replace(read, body=Constant(12345, INT)), compiled(programs)[0])
