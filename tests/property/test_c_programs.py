"""What the front end makes of generated C programs, against the compiled programs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from c_execution import executed, interpreted, program_of, require_compiler
from c_programs import expression_programs, programs
from sorrel.frontends.c import DataModel

# The judge runs on 64 bits; a 32-bit long behaves as int does there, value for value.
_JUDGED_AS = {DataModel.LP64: (), DataModel.ILP32: ("LONG=int", "ULONG=unsigned")}


@pytest.mark.parametrize("model", list(DataModel))
@given(text=expression_programs())
def test_expressions_have_the_values_that_the_compiler_gives_them(model: DataModel, text: str) -> None:
    require_compiler()
    assert interpreted(program_of(text, model)) == executed(text, defines=_JUDGED_AS[model])


@given(text=programs(), inputs=st.lists(st.integers(0, 2**31 - 1), min_size=2, max_size=2))
def test_programs_behave_as_when_compiled(text: str, inputs: list[int]) -> None:
    require_compiler()
    assert interpreted(program_of(text), inputs) == executed(text, inputs)
