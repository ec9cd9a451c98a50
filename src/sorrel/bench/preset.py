"""A preset: a benchmark run that has a name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sorrel.bench.tool import read_tables
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """What the command line would say; empty and None leave it to the command line or its defaults."""

    name: str
    suites: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    property: str = ""
    timeout: float | None = None
    cpu_time: float | None = None
    memory: int | None = None


LISTS = ("suites", "families", "tools")
NUMBERS = ("timeout", "cpu_time", "memory")


def read_presets(file: Path) -> dict[str, Preset]:
    """The [preset.NAME] tables of a configuration file."""
    return {name: read_preset(file, name, table) for name, table in read_tables(file, "preset").items()}


def read_preset(file: Path, name: str, table: Mapping[str, Any]) -> Preset:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key in LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
            values[key] = tuple(value)
        elif (key in NUMBERS and type(value) in (int, float)) or (key == "property" and isinstance(value, str)):
            values[key] = value
        else:
            raise InputError(
                f"[preset.{name}]: `{key}` is not known, or of the wrong type",
                Span(str(file)),
                hint=f"Lists of strings: {', '.join(LISTS)}; numbers: {', '.join(NUMBERS)}; text: property.",
            )
    return Preset(name, **values)


def builtin_presets() -> dict[str, Preset]:
    return read_presets(Path(__file__).with_name("presets.toml"))
