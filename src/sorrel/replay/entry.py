"""Calling a function under test as a run called it: arguments, what pointers point to, and global variables, in C."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sorrel.program.interpreter import Run, Used
from sorrel.program.program import Program
from sorrel.program.statement import Choice
from sorrel.program.types import Array, Machine, Type
from sorrel.program.value import ArrayValue, Value

MOST_BYTES = 1 << 28
_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_C_TYPES = {8: "char", 16: "short", 32: "int", 64: "long long"}


class NoHarness(Exception):
    """The call cannot be written in C, and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A function to be called in place of main, the file that defines it, statements before the call, arguments."""

    function: str
    file: str
    arguments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


def own_choices(program: Program, run: Run) -> tuple[bool, ...]:
    """For each choice of the run: was it made by the procedure that stands for all callers?"""
    return tuple(used.procedure == program.main for used in run.used)


def entry_of(program: Program, run: Run, function: str, file: str) -> Entry:
    """The call that the run began with; `NoHarness` if C cannot say it."""
    own = [used for used in run.used if used.procedure == program.main]
    before = [line for used in own if used.choice is Choice.UNINITIALISED for line in global_values(used)]
    arguments = []
    inputs = [used for used in own if used.choice is Choice.INPUT]
    for number, (source, group) in enumerate(groupby(inputs, key=lambda used: used.source)):
        chosen = list(group)
        if source.startswith("*"):
            name = f"sorrel_object{number}"
            before += _object(name, chosen)
            arguments.append(name)
        elif len(chosen) == 1 and isinstance(chosen[0].type, Machine):
            arguments.append(constant(chosen[0].value))
        else:
            raise NoHarness(f"the parameter {source} is neither a number nor a pointer")
    return Entry(function, file, tuple(arguments), tuple(before))


def constant(value: Value) -> str:
    """A number as a constant expression of type long long, its bits for large unsigned ones."""
    number = int(value) if isinstance(value, int) else 0
    number = (number + 2**63) % 2**64 - 2**63
    return "(-9223372036854775807LL - 1)" if number == -(2**63) else f"{number}LL"


def global_values(used: Used) -> Iterator[str]:
    """Assignments to a global variable; objects that pointers come from are made elsewhere."""
    if used.source.startswith("input.") or not _PLACE.fullmatch(used.source):
        return
    match used.value:
        case ArrayValue() as array:
            count = f"sizeof {used.source} / sizeof *{used.source}"
            if array.default:
                yield f"for (unsigned long i = 0; i < {count}; i++) {used.source}[i] = {constant(array.default)};"
            for index, value in array.entries.items():
                if index >= 0 and not isinstance(value, ArrayValue):
                    yield f"if ({index} < {count}) {used.source}[{index}] = {constant(value)};"
        case value:
            yield f"{used.source} = {constant(value)};"


def _object(name: str, chosen: Sequence[Used]) -> list[str]:
    """An object for a pointer: its length comes first, then what is in it."""
    length, contents = chosen[0].value, chosen[1:]
    if len(contents) != 1 or not isinstance(length, int):
        raise NoHarness(f"what {chosen[0].source.lstrip('*')} points to has several parts")
    element = contents[0].type.element if isinstance(contents[0].type, Array) else contents[0].type
    if length * _bytes(element, chosen[0].source) > MOST_BYTES:
        raise NoHarness(f"what {chosen[0].source.lstrip('*')} points to has {length} elements")
    lines = [f"{_c_type(element)} *{name} = calloc({length}, sizeof *{name});"]
    match contents[0].value:
        case ArrayValue() as array:
            if array.default:
                lines.append(f"for (long i = 0; i < {length}; i++) {name}[i] = {constant(array.default)};")
            entries = {i: v for i, v in array.entries.items() if 0 <= i < length}
            lines += [f"{name}[{index}] = {constant(value)};" for index, value in entries.items()]
        case value:
            lines.append(f"*{name} = {constant(value)};")
    return lines


def _bytes(element: Type, source: str) -> int:
    if not isinstance(element, Machine) or element.bits not in _C_TYPES:
        raise NoHarness(f"what {source.lstrip('*')} points to are no numbers")
    return element.bits // 8


def _c_type(element: Type) -> str:
    if not isinstance(element, Machine):
        raise NoHarness(f"there is no C type for {element}")
    return f"{'signed' if element.signed else 'unsigned'} {_C_TYPES[element.bits]}"
