"""Calling a function under test as a run called it: arguments, what pointers point to, and global variables, in C."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Sequence

from sorrel.model.values import dataclass
from sorrel.program.program import Program
from sorrel.program.run import Run, Used
from sorrel.program.types import Array, Unbounded
from sorrel.program.value import ArrayValue, Value
from sorrel.program.visible import VisibleVariable

_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class NoHarness(Exception):
    """The call cannot be written in C, and why."""


_OF_POINTERS = ("object", "offset", "length")
"""Parts that pointers have in the model, where numbers are unbounded: they are no members of C."""


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


def bits_of(value: float, size: int) -> int:
    """How a floating-point number of so many bits is kept."""
    letters = ("f", "I") if size == 32 else ("d", "Q")
    return int(struct.unpack(f"<{letters[1]}", struct.pack(f"<{letters[0]}", value))[0])


def constant(value: Value) -> str:
    """A number as a constant expression, of type long long if it is an integer: its bits for large unsigned ones."""
    if isinstance(value, float):
        finite = f"({value.hex()})" if math.isfinite(value) else ""
        return finite or ('__builtin_nan("")' if math.isnan(value) else f"({'-' if value < 0 else ''}__builtin_inf())")
    number = int(value) if isinstance(value, int) else 0
    number = (number + 2**63) % 2**64 - 2**63
    return "(-9223372036854775807LL - 1)" if number == -(2**63) else f"{number}LL"


def global_values(used: Used, kept: Sequence[VisibleVariable]) -> Iterator[str]:
    """Assignments to the global variables that are `kept` there; objects that pointers come from are made elsewhere."""
    if used.source.startswith("input."):
        return
    if kept:
        for each in kept:
            yield from _numbers(each, used.value)
    elif _PLACE.fullmatch(used.source):
        yield from _by_its_name(used)


def _numbers(kept: VisibleVariable, value: Value) -> Iterator[str]:
    """Whatever is an array of structures of arrays to C is one row of numbers in the run."""
    if kept.first is None or not isinstance(value, ArrayValue):
        yield f"{kept.computed('0')} = {constant(value)};"
        return
    if value.default:
        each = kept.computed("sorrel_i")
        yield f"for (long sorrel_i = 0; sorrel_i < {kept.count}; sorrel_i++) {each} = {constant(value.default)};"
    for index, number in value.entries.items():
        if 0 <= index - kept.first < kept.count:
            yield f"{kept.computed(str(index - kept.first))} = {constant(number)};"


def _by_its_name(used: Used) -> Iterator[str]:
    base, _, part = used.source.rpartition(".")
    element = used.type.element if isinstance(used.type, Array) else used.type
    if isinstance(element, Unbounded) and part in _OF_POINTERS:
        if is_nothing(used.value):
            yield f"memset((void *)&{base}, 0, sizeof {base});"
            return
        raise NoHarness(f"{base} holds pointers to objects without a name")
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


def is_nothing(value: Value) -> bool:
    """A null pointer, or an array of them."""
    entries = [value.default, *value.entries.values()] if isinstance(value, ArrayValue) else [value]
    return not any(entries)
