"""Initialisers by the rules of the current object, against the compiler."""

from __future__ import annotations

from hypothesis import given, reject

from c_execution import executed, interpreted, program_of, require_compiler
from c_initializers import initializer_programs
from sorrel.frontends.c import Unsupported


@given(text=initializer_programs())
def test_every_subobject_has_the_value_that_the_compiler_gives_it(text: str) -> None:
    require_compiler()
    try:
        program = program_of(text)
    except Unsupported:
        reject()  # a call whose value is replaced: whether it is made is not specified
    assert interpreted(program) == executed(text)
