"""Generated programs that reach the same memory in many ways, against the compiled programs."""

from __future__ import annotations

from hypothesis import assume, given

from c_aliasing import aliasing_programs
from c_execution import executed, interpreted, program_of, require_compiler
from sorrel.frontends.c import Unsupported


@given(text=aliasing_programs())
def test_memory_that_is_reached_in_many_ways_is_what_it_is_when_compiled(text: str) -> None:
    require_compiler()
    try:
        program = program_of(text)
    except Unsupported:
        assume(False)
    assert interpreted(program) == executed(text)
