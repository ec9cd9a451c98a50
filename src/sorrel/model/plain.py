"""Values that cross processes and files: dataclasses from JSON data, and the JSON schema that describes them.

Only what plain data needs: dataclasses, enumerations of strings, tuples of one kind, dictionaries, optional values,
numbers, texts and truth values.
"""

from __future__ import annotations

import types
from collections.abc import Hashable
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sorrel.model.errors import InternalError

T = TypeVar("T")
_SIMPLE = {str: "string", bool: "boolean", int: "integer", float: "number"}


def from_plain(kind: type[T], data: Any) -> T:
    """The value of a dataclass that `dataclasses.asdict` and JSON turned into dictionaries and lists."""
    value: T = _decode(kind, data)
    return value


@cache
def _hints(kind: Hashable) -> dict[str, Any]:
    return get_type_hints(kind)


def _decode(kind: Any, data: Any) -> Any:
    if kind is Any or kind in _SIMPLE or kind is types.NoneType:
        return data
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(data)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: _decode(hints[name], value) for name, value in data.items()})
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_decode(arguments[0], item) for item in data)
    if origin is dict:
        return {name: _decode(arguments[1], item) for name, item in data.items()}
    if origin in (Union, types.UnionType):
        return None if data is None else _decode(_present(kind), data)
    raise InternalError(f"{kind} is not plain data")


def _present(kind: Any) -> Any:
    """X of `X | None`."""
    (only,) = [argument for argument in get_args(kind) if argument is not types.NoneType]
    return only


def schema(kind: type[Any], address: str) -> dict[str, Any]:
    """A JSON schema (2020-12) of everything that a value of the dataclass can become."""
    definitions: dict[str, Any] = {}
    top = _describe(kind, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": address,
        "title": kind.__name__,
        **top,
        "$defs": dict(sorted(definitions.items())),
    }


def _describe(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if kind is Any:
        return {}
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    if isinstance(kind, type) and (issubclass(kind, StrEnum) or is_dataclass(kind)):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}  # held, in case it contains itself
            definitions[kind.__name__] = _definition(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple:
        return {"type": "array", "items": _describe(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _describe(arguments[1], definitions)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_describe(_present(kind), definitions), {"type": "null"}]}
    raise InternalError(f"{kind} is not plain data")


def _definition(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    meaning = " ".join((kind.__doc__ or "").split())
    described = {"description": meaning} if meaning and not meaning.startswith(f"{kind.__name__}(") else {}
    hints = _hints(kind)
    if issubclass(kind, StrEnum):
        return {**described, "enum": [str(member) for member in kind]}
    return {
        **described,
        "type": "object",
        "properties": {f.name: _describe(hints[f.name], definitions) for f in fields(kind)},
        "required": [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING],
        "additionalProperties": False,
    }
