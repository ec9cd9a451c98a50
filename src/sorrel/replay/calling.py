"""A call of a function with the inputs of a run, over the declarations that its own text gives its parameters.

Objects that pointers lead to are made from the outside in, each with the type that its pointer has; what is in them is
copied by size, since members may be constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from sorrel.program.effects import effects
from sorrel.program.program import Program
from sorrel.program.run import Run, Used
from sorrel.program.statement import Choice
from sorrel.program.types import Array, Boolean, Float, Machine, Type
from sorrel.program.value import ArrayValue, Value
from sorrel.program.visible import EntryKind, EntryPart
from sorrel.replay.entry import NoHarness, bits_of, constant, global_values, is_nothing

_SIZES = {8: 1, 16: 2, 32: 4, 64: 8}
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long long"}
MOST_ELEMENTS, MOST_MADE = 4096, 1 << 26
"""Elements that are given values one by one, and elements that an object may have."""


def call_of(program: Program, run: Run, function: str, parameters: Sequence[tuple[str, str]]) -> list[str]:
    """Statements of C. `parameters` are names with declarations; `NoHarness` if the inputs cannot be made."""
    names = ", ".join(name for name, _ in parameters)
    return [*prepared(program, run, parameters), f"{function}({names});"]


def prepared(program: Program, run: Run, parameters: Sequence[tuple[str, str]]) -> list[str]:
    """Statements that make the state that the run began with, and variables with the names of the parameters."""
    lines = [f"{as_variable(name, declaration)};" for name, declaration in parameters]
    lines += [f"memset((void *)&{name}, 0, sizeof {name});" for name, _ in parameters]
    own = [used for used in run.used if used.procedure == program.main]
    for used in own:
        if used.choice is Choice.UNINITIALISED:
            lines += global_values(used, [v for v in program.visible if not v.procedure and v.variable == used.target])
    return [*lines, *_State(program, own, [name for name, _ in parameters]).lines()]


def as_variable(name: str, declaration: str) -> str:
    """An array that is a parameter is a pointer; what gets its value later is not constant."""
    pointer = re.sub(rf"\b{re.escape(name)}\s*\[[^]]*\]", f"(*{name})", declaration, count=1)
    return re.sub(r"\b(?:const|restrict|__restrict|register)\b", "", pointer)


class _State:
    """Objects that pointers lead to, by the text of the pointer."""

    def __init__(self, program: Program, chosen: Sequence[Used], parameters: Sequence[str]) -> None:
        self._parts = program.entry_parts
        own = [each.reads for name, each in effects(program).items() if name != program.main]
        self._read = {variable.name for reads in own for variable in reads}
        self._chosen = {used.target: used for used in chosen}
        self._parameters = parameters
        self._bases: dict[str, str] = {}  # the C variable that points to the object
        self._numbers = count(1)

    def lines(self) -> Iterator[str]:
        for part in self._of(EntryKind.ARGUMENT):
            yield from _argument(part.text, self._chosen[part.variable])
        pointers = {part.text: part for part in self._of(EntryKind.POINTER)}
        shared: list[tuple[EntryPart, str]] = []
        texts = {part.text for part in self._parts if part.kind in (EntryKind.LENGTH, EntryKind.CONTENTS)}
        for text in sorted({*texts, *pointers}, key=len):
            pointer = pointers.get(text)
            if pointer is None:
                yield from self._object(text) if text in self._parameters else ()
            elif not pointer.parent or pointer.parent in self._bases:
                other = self._elsewhere(pointer)
                if other is None:
                    yield from self._object(text)
                else:
                    shared.append((pointer, other))
        for part, other in shared:
            if other and not other.startswith("&") and other not in self._bases:
                raise NoHarness(f"{part.text} leads to where another pointer would lead")
            yield f"{part.text} = (void *){self._bases.get(other, other) or '0'};"
            yield from self._moved(part.text) if other else ()

    def _of(self, kind: EntryKind) -> list[EntryPart]:
        return [part for part in self._parts if part.kind is kind and part.variable in self._chosen]

    def _value(self, part: EntryPart) -> Value:
        return self._chosen[part.variable].value

    def _elsewhere(self, pointer: EntryPart) -> str | None:
        """Where the pointer leads, if that is not an object of its own; empty for null."""
        value = self._value(pointer)
        if not isinstance(value, int) or (pointer.crowd and value < -1):
            raise NoHarness(f"{pointer.text} leads to one of many objects without a name")
        if value == 0 or (value not in pointer.others and not pointer.own):
            return ""
        return pointer.others.get(value)

    def _object(self, text: str) -> Iterator[str]:
        lengths = [self._value(part) for part in self._of(EntryKind.LENGTH) if part.text == text]
        length = lengths[0] if lengths else 1
        if not isinstance(length, int) or not 0 < length <= MOST_MADE:
            raise NoHarness(f"what {text} points to has {length} elements")
        held = [part for part in self._of(EntryKind.HELD) if part.text == text and part.variable in self._read]
        if not all(is_nothing(self._value(part)) for part in held):
            raise NoHarness(f"what {text} points to holds pointers to objects without a name")
        base = self._bases[text] = f"sorrel_object{next(self._numbers)}"
        yield f"{self._pointer_type(text)} {base} = calloc({length}, sizeof *{base});"
        for part in self._of(EntryKind.CONTENTS):
            if part.text == text:
                yield from _contents(base, part, length, self._chosen[part.variable])
        yield f"{text} = (void *){base};"
        yield from self._moved(text)

    def _pointer_type(self, text: str) -> str:
        """As it is declared, if what it leads to is of that type."""
        if all(part.each for part in self._parts if part.kind is EntryKind.LENGTH and part.text == text):
            return f"__typeof__({text})"
        types = [self._chosen[part.variable].type for part in self._of(EntryKind.CONTENTS) if part.text == text]
        kinds = {type.element if isinstance(type, Array) else type for type in types}
        if any(part.path for part in self._of(EntryKind.CONTENTS) if part.text == text) or len(kinds) > 1:
            raise NoHarness(f"what {text} points to is of another type than it is declared to lead to")
        return f"{_word(kinds.pop())} *" if kinds else f"__typeof__({text})"

    def _moved(self, text: str) -> Iterator[str]:
        for part in self._of(EntryKind.OFFSET):
            offset = self._value(part)
            lengths = [self._value(each) for each in self._of(EntryKind.LENGTH) if each.text == text]
            if part.text == text and isinstance(offset, int) and lengths and 0 <= offset < int(str(lengths[0])):
                yield f"{text} += {offset};"


def _word(type: Type) -> str:
    """How C calls it."""
    match type:
        case Boolean():
            return "_Bool"
        case Float(bits):
            return "float" if bits == 32 else "double"
        case Machine(bits) if bits in _INTEGERS:
            return _INTEGERS[bits]
        case _:
            raise NoHarness(f"values of type {type}")


def _argument(text: str, used: Used) -> Iterator[str]:
    if isinstance(used.type, Array) and isinstance(used.value, ArrayValue):
        yield from _elements(f"(&{text})", "", 1, used.type.element, used.value)
    else:
        yield f"{text} = {constant(used.value)};"


def _contents(base: str, part: EntryPart, length: int, used: Used) -> Iterator[str]:
    """One part of all elements."""
    if part.path == "?":
        raise NoHarness(f"what {part.text} points to has parts without a name")
    value, element = used.value, used.type
    if isinstance(element, Array) and isinstance(value, ArrayValue):
        yield from _elements(base, part.path, length, element.element, _from(value, part.first or 0))
    else:
        yield from _elements(base, part.path, length, element, ArrayValue(value))


def _from(values: ArrayValue, first: int) -> ArrayValue:
    return values if not first else ArrayValue(values.default, {i - first: v for i, v in values.entries.items()})


def _elements(base: str, path: str, length: int, element: Type, values: ArrayValue) -> Iterator[str]:
    bits = 8 if isinstance(element, Boolean) else element.bits if isinstance(element, Machine | Float) else 0
    if not bits:
        raise NoHarness(f"what {base}{path} holds are not numbers")
    values = _kept_as_bits(values, element)
    entries = {index: value for index, value in values.entries.items() if index >= 0}
    if not entries and not values.default:
        return
    if bits not in _SIZES:  # a bit-field has no address
        for index in range(min(length, MOST_ELEMENTS)):
            yield f"{base}[{index}]{path} = {constant(entries.get(index, values.default))};"
        return
    size = _SIZES[bits]
    yield f"for (long i = 0; i < {length} * (long)(sizeof {base}[0]{path} / {size}); i++)"
    cases = "".join(f"i == {index} ? {constant(value)} : " for index, value in entries.items())
    yield (
        f"{{ long long number = {cases}{constant(values.default)}; const long count = sizeof {base}[0]{path} / {size}; "
        f"memcpy((char *)&{base}[i / count]{path} + i % count * {size}, &number, {size}); }}"
    )


def _kept_as_bits(values: ArrayValue, element: Type) -> ArrayValue:
    """Floating-point numbers as the integers that their bytes are."""
    if not isinstance(element, Float):
        return values
    kept = {i: bits_of(v, element.bits) for i, v in values.entries.items() if isinstance(v, float)}
    return ArrayValue(bits_of(float(str(values.default)), element.bits), kept)
