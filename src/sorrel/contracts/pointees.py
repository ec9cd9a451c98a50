"""What pointers given to a function lead to, by the names that the function's contract has for it: `*p`, `r->head`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sorrel.program.expression import Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Call
from sorrel.program.types import Array, is_integer
from sorrel.program.visible import EntryKind, EntryPart


def pointees(program: Program, procedure: Procedure) -> Mapping[str, Variable]:
    """The parts of objects that parameters of the function lead to in every call: nothing is passed to say which."""
    names = {text: own for own, text in _names(program, procedure).items()}
    single = {
        part.text
        for part in program.entry_parts
        if part.kind is EntryKind.LENGTH and not part.variable and part.each == 1 and part.text in names
    }
    known = {variable.name: variable for variable in program.globals}
    return {
        text: known[part.variable]
        for part in program.entry_parts
        if part.variable in known and part.text in single
        for text in _texts(part, names[part.text], known[part.variable])
    }


def _names(program: Program, procedure: Procedure) -> Mapping[str, str]:
    """Parameters that nothing is passed of, and what the function under test calls what they lead to."""
    if procedure.name == _called(program):
        return {part.text: part.text for part in program.entry_parts if _is_fixed(part.text, procedure)}
    handed = program.handed_on.get(procedure.name, {})
    return {own: text for own, text in handed.items() if _is_fixed(own, procedure)}


def _called(program: Program) -> str:
    """The function that the procedure calls which stands for all callers."""
    main = program.procedure[program.main]
    calls = [each.procedure for block in main.blocks for each in block.statements if isinstance(each, Call)]
    return calls[-1] if calls else ""


def _is_fixed(name: str, procedure: Procedure) -> bool:
    """A parameter of which nothing is passed: there is one object that it can lead to."""
    passed = re.compile(rf"{re.escape(name)}(\.\d+)?(\.|$)")
    return name.isidentifier() and not any(passed.match(each.name) for each in procedure.parameters)


def _texts(part: EntryPart, pointer: str, variable: Variable) -> Iterator[str]:
    sayable = is_integer(variable.type) or (isinstance(variable.type, Array) and is_integer(variable.type.element))
    if part.kind is not EntryKind.CONTENTS or part.first is not None or "?" in part.path or not sayable:
        return
    if not part.path:
        yield f"*{pointer}"
    elif re.fullmatch(r"(\.[A-Za-z_]\w*)+", part.path):
        yield f"{pointer}->{part.path[1:]}"
