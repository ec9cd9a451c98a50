"""Small programs in areas where readers of C go wrong: each prints in the interpreter what it prints compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

import c_idioms
import c_language
from bench.conformance.behaviour import compiled, interpreted
from c_execution import require_compiler

_HEADERS = "".join(
    f"#include <{name}.h>\n"
    for name in ("stdio", "string", "stdlib", "stddef", "limits", "stdint", "stdarg", "ctype", "stdbool")
)
_PROGRAMS = c_language.PROGRAMS | c_idioms.PROGRAMS


@pytest.mark.long
@pytest.mark.parametrize("name", _PROGRAMS)
def test_a_small_program_does_what_it_does_compiled(name: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(_HEADERS + _PROGRAMS[name], encoding="utf-8")
    assert interpreted(file) == compiled(file, require_compiler())
