"""A call of a function with the inputs of a run, over the declarations that its own text gives its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from sorrel.program.interpreter import Run, Used
from sorrel.program.program import Program
from sorrel.program.statement import Choice
from sorrel.program.types import Array, Boolean, Machine, Type
from sorrel.program.value import ArrayValue, Value
from sorrel.replay.entry import NoHarness, constant, global_values

_SIZES = {8: 1, 16: 2, 32: 4, 64: 8}
MOST_ELEMENTS = 4096


def call_of(program: Program, run: Run, function: str, parameters: Sequence[tuple[str, str]]) -> list[str]:
    """Statements of C. `parameters` are names with declarations; `NoHarness` if the inputs cannot be made."""
    own = [used for used in run.used if used.procedure == program.main]
    lines = [line for used in own if used.choice is Choice.UNINITIALISED for line in global_values(used)]
    inputs = [used for used in own if used.choice is Choice.INPUT]
    given = {source.lstrip("*"): list(group) for source, group in groupby(inputs, key=lambda used: used.source)}
    for name, declaration in parameters:
        chosen = given.get(name, [])
        lines.append(f"{as_variable(name, declaration)};")
        if not chosen:
            lines.append(f"memset((void *)&{name}, 0, sizeof {name});")
        elif chosen[0].source.startswith("*"):
            lines += _object(name, chosen)
        elif len(chosen) == 1 and isinstance(chosen[0].type, Machine | Boolean):
            lines.append(f"{name} = {constant(chosen[0].value)};")
        else:
            raise NoHarness(f"the parameter {name} is neither a number nor a pointer")
    return [*lines, f"{function}({', '.join(name for name, _ in parameters)});"]


def as_variable(name: str, declaration: str) -> str:
    """An array that is a parameter is a pointer; what gets its value later is not constant."""
    pointer = re.sub(rf"\b{re.escape(name)}\s*\[[^]]*\]", f"(*{name})", declaration, count=1)
    return re.sub(r"\b(?:const|restrict|__restrict|register)\b", "", pointer)


def _object(name: str, chosen: Sequence[Used]) -> Iterator[str]:
    """What a pointer points to: how many there are comes first, then each part of all of them."""
    length = chosen[0].value
    if not isinstance(length, int) or not 0 < length <= MOST_ELEMENTS:
        raise NoHarness(f"what {name} points to has {length} elements")
    yield f"{name} = calloc({length}, sizeof *{name});"
    for used in chosen[1:]:
        path = used.target.removeprefix(f"input.{name}")
        if not isinstance(used.value, ArrayValue) or not isinstance(used.type, Array) or ".." in path:
            raise NoHarness(f"what {name} points to has parts that are no numbers")
        yield from _part(name, path, length, used.type.element, used.value)


def _part(name: str, path: str, length: int, element: Type, values: ArrayValue) -> Iterator[str]:
    bits = 8 if isinstance(element, Boolean) else element.bits if isinstance(element, Machine) else 0
    if not bits:
        raise NoHarness(f"what {name} points to has parts that are no numbers")
    if bits not in _SIZES:  # a bit-field has no address
        for index in range(length):
            yield f"{name}[{index}]{path} = {constant(_value(values, index))};"
        return
    size = _SIZES[bits]
    yield f"for (long i = 0; i < {length} * (long)(sizeof {name}[0]{path} / {size}); i++)"
    cases = "".join(f"i == {index} ? {constant(value)} : " for index, value in values.entries.items() if index >= 0)
    yield (
        f"{{ long long number = {cases}{constant(values.default)}; const long count = sizeof {name}[0]{path} / {size}; "
        f"memcpy((char *)&{name}[i / count]{path} + i % count * {size}, &number, {size}); }}"
    )


def _value(values: ArrayValue, index: int) -> Value:
    found = values.entries.get(index)
    return values.default if found is None else found
