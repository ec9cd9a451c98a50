"""What a program lets others use of it: types, exceptions and values, as an OCaml interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.functional.type import (
    BUILT_IN,
    EXCEPTION,
    SCALARS,
    STRING,
    Constructor,
    Data,
    Named,
    Rigid,
    Type,
    parts,
    pruned,
    shown,
)
from sorrel.model.values import dataclass

_EVERYWHERE = frozenset(
    ("array", "ref", "float", *(each.name for each in (*SCALARS, STRING, EXCEPTION)), *(each.name for each in BUILT_IN))
)


_WORDS = ("mod", "land", "lor", "lxor", "lsl", "lsr", "asr", "or")
"""Operators that are words."""


@dataclass(frozen=True)
class Interface:
    """The definitions at top level of the last file that others can name, in their order."""

    types: tuple[Data, ...] = ()
    exceptions: tuple[Constructor, ...] = ()
    values: tuple[tuple[str, Type], ...] = ()

    def text(self, refined: Mapping[str, str]) -> str:
        """As a file that the program compiles with. `refined` are types that say more, told in comments."""
        return "\n".join(self._lines(refined)) + "\n"

    def _lines(self, refined: Mapping[str, str]) -> Iterator[str]:
        for data in self.types:
            if all(self._is_known(argument) for each in data.constructors for argument in each.arguments):
                yield f"type {_declaration(data)}"
        for exception in self.exceptions:
            if all(self._is_known(argument) for argument in exception.arguments):
                yield f"exception {_case(exception)}"
        for name, type in self.values:
            if self._is_known(type):
                yield f"val {_value_name(name)} : {shown(type)}"
            if self._is_known(type) and refined.get(name, shown(type)) != shown(type):
                yield f"(** {refined[name]} *)"

    def _is_known(self, type: Type) -> bool:
        """Whether the type has a name out there; those of modules inside have none."""
        type = pruned(type)
        if isinstance(type, Named) and type.name not in (*_EVERYWHERE, *(each.name for each in self.types)):
            return False
        return all(self._is_known(part) for part in parts(type))


def _value_name(name: str) -> str:
    """Operators stand in parentheses."""
    is_word = name.replace("_", "").replace("'", "").isalnum() and name not in _WORDS
    return name if is_word or name == "_" else f"( {name} )"


def _declaration(data: Data) -> str:
    variables = [f"'{each}" for each in data.parameters]
    before = f"({', '.join(variables)}) " if len(variables) > 1 else "".join(f"{each} " for each in variables)
    return f"{before}{data.name.split('.')[0]} = {_cases(data)}"


def _cases(data: Data) -> str:
    only = data.constructors[0]
    if not only.is_record:
        return " | ".join(_case(each) for each in data.constructors)
    return _fields(only)


def _fields(only: Constructor) -> str:
    fields = []
    mutable = only.mutable or (False,) * len(only.fields)
    for name, type, changes in zip(only.fields, only.arguments, mutable, strict=True):
        content = type.arguments[0] if changes and isinstance(type, Named) else type
        fields.append(f"{'mutable ' if changes else ''}{name} : {shown(content)}")
    return "{ " + "; ".join(fields) + " }"


def _case(constructor: Constructor) -> str:
    name = constructor.name.split(".")[0]
    if constructor.fields:
        return f"{name} of {_fields(constructor)}"
    arguments = " * ".join(_argument(each) for each in constructor.arguments)
    return f"{name} of {arguments}" if arguments else name


def _argument(type: Type) -> str:
    """An argument of a constructor; a tuple or a function among several stands in parentheses."""
    text = shown(type)
    return text if isinstance(pruned(type), Named | Rigid) else f"({text})"
