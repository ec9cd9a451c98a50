"""Where the runs of two versions of a project start: what variables start with, and the function that is called first.

Functions are compared in whatever state they are called. What is there before the first call is compared here, by its
text: another value is told as such, and another text of the first function as something that nothing is shown of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sorrel.program.expression import Constant
from sorrel.program.program import Program
from sorrel.program.writing import write_expression, write_step

_OURS = re.compile(r"[a-z]+\.\d|.*\$")
"""Names of storage that no user has named: their numbers change with what is around."""
_STATIC = ".."
"""Between a function and its variable that lives as long as the program."""


def other_values(old: Program, new: Program) -> Iterator[str]:
    """Variables of both versions that start with different values, where runs start with `main`."""
    known = {variable.name for variable in old.globals}
    for variable in new.globals:
        if variable.name not in known or _OURS.match(variable.name):
            continue
        before, after = _value(old, variable.name), _value(new, variable.name)
        if before != after:
            yield f"{_told(variable.name)} starts with {after}, and with {before} before"


def other_start(old: Program, new: Program) -> str | None:
    """The function that runs of both versions start with, if its text is another one."""
    name = new.main
    return name if name == old.main and _text(old, name) != _text(new, name) else None


def _value(program: Program, name: str) -> str:
    value = program.initial.get(name)
    if isinstance(value, Constant):
        return str(value.value)
    return "any value" if value is None else write_expression(value)


def _told(name: str) -> str:
    function, between, variable = name.partition(_STATIC)
    return f"{variable} of {function}" if between else name


def _text(program: Program, name: str) -> list[str]:
    blocks = program.procedure[name].blocks
    return [write_step(step) for block in blocks for step in (*block.statements, block.terminator)]
