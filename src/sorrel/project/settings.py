"""sorrel.toml: what a project consists of and what is asked about it. Every mistake has a place and a way out.

The file can name files and questions, and nothing that runs: whoever checks a stranger's branch runs none of its code.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from sorrel.model.budget import LONGEST
from sorrel.model.errors import InputError, Span, UsageError
from sorrel.model.plain import from_plain
from sorrel.model.property import Property, property_named
from sorrel.model.task import DATA_MODELS, data_model_here
from sorrel.model.values import dataclass
from sorrel.project.files import text_of

NAME = "sorrel.toml"
LEAST_MEMORY = 128
"""MiB: a solver does not start with less."""
NUMBERS = ("ideal", "ranged", "exact")
PROVABLE = (
    Property.ASSERTIONS,
    Property.UNREACH_CALL,
    Property.NO_OVERFLOW,
    Property.VALID_DEREF,
    Property.NO_DIVISION_BY_ZERO,
    Property.TERMINATION,
)
"""What is proved function by function."""


@dataclass(frozen=True, slots=True)
class Limits:
    """For one component: seconds of an attempt, MiB of a process."""

    seconds: float = 20.0
    memory: int = 2048


@dataclass(frozen=True, slots=True)
class Settings:
    """`sources` and `exclude` are patterns below the project's folder, `entry_points` functions where runs start.

    `packs` are files with contracts of libraries, which stand in place of bodies.

    Without entry points these are `main`, or, where there is none, the functions that others can call and none does.
    """

    folder: str
    sources: tuple[str, ...] = ()
    compile_commands: str = ""
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    data_model: str = ""
    properties: tuple[str, ...] = (str(Property.ASSERTIONS),)
    entry_points: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    numbers: str = "ideal"
    limits: Limits = field(default_factory=Limits)

    @property
    def model(self) -> str:
        return self.data_model or data_model_here()

    @property
    def goals(self) -> tuple[Property, ...]:
        return tuple(map(property_named, self.properties))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Settings:
        return from_plain(Settings, data)


_LISTS = ("sources", "exclude", "include", "define", "properties", "entry-points", "packs")
_WORDS = ("compile-commands", "data-model", "numbers")
_LIMITS = ("seconds", "memory")


def find(start: Path) -> Path:
    """The settings of the project that a file or folder belongs to: the nearest above it."""
    place = start.resolve()
    for folder in (place, *place.parents):
        if (folder / NAME).is_file():
            return folder / NAME
    raise UsageError(f"there is no {NAME} in {start} nor above it; `sorrel init` writes one")


def load(path: Path) -> Settings:
    text = text_of(path)
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise InputError(f"{path}: this is not TOML: {problem}") from None
    return _Reader(path, text, data).settings()


@dataclass(frozen=True, slots=True)
class _Reader:
    path: Path
    text: str
    data: Mapping[str, Any]

    def settings(self) -> Settings:
        self._demand_known(self.data, (*_LISTS, *_WORDS, "limits"))
        given: dict[str, Any] = {name.replace("-", "_"): self._list(name) for name in _LISTS if name in self.data}
        given |= {name.replace("-", "_"): self._word(name) for name in _WORDS if name in self.data}
        found = Settings(str(self.path.parent), **given, limits=self._limits())
        if not found.sources and not found.compile_commands:
            raise self._error("sources", 'there are no sources: sources = ["src/**/*.c"], or compile-commands = "…"')
        if found.data_model and found.data_model not in DATA_MODELS:
            raise self._error("data-model", f"there is no data model {found.data_model}", DATA_MODELS)
        if found.numbers not in NUMBERS:
            raise self._error("numbers", f"there is no kind of arithmetic {found.numbers}", NUMBERS)
        self._demand_properties(found)
        return found

    def _demand_properties(self, found: Settings) -> None:
        if not found.properties:
            raise self._error("properties", "nothing to check: properties is empty")
        for name in found.properties:
            try:
                known = property_named(name)
            except UsageError:
                raise self._error("properties", f"there is no property {name}", PROVABLE) from None
            if known not in PROVABLE:
                raise self._error("properties", f"{known} is not proved function by function", PROVABLE)

    def _limits(self) -> Limits:
        table = self.data.get("limits", {})
        if not isinstance(table, dict):
            raise self._error("limits", "limits is a table: [limits]")
        self._demand_known(table, _LIMITS)
        for name, value in table.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LONGEST:
                raise self._error(name, f"{name} is a number above 0, not {value!r}")
            if name == "memory" and value < LEAST_MEMORY:
                raise self._error(name, f"memory is in MiB, and {value} are too few: at least {LEAST_MEMORY}")
        given = Limits()
        return Limits(float(table.get("seconds", given.seconds)), int(table.get("memory", given.memory)))

    def _demand_known(self, table: Mapping[str, Any], known: Sequence[str]) -> None:
        for name in table:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}."
                raise InputError(f"there is no setting {name}", self._span(name), hint=hint)

    def _list(self, name: str) -> tuple[str, ...]:
        value = self.data[name]
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise self._error(name, f'{name} is a list of texts: {name} = ["…"]')
        if not all(each.isprintable() for each in value):
            raise self._error(name, f"there are control characters in {name}")
        return tuple(value)

    def _word(self, name: str) -> str:
        value = self.data[name]
        if not isinstance(value, str) or not value.isprintable():
            raise self._error(name, f'{name} is a text: {name} = "…"')
        return value

    def _error(self, name: str, message: str, known: Sequence[str] = ()) -> InputError:
        return InputError(message, self._span(name), hint=f"There are: {', '.join(known)}." if known else "")

    def _span(self, name: str) -> Span:
        """Where a setting stands; tomllib does not say."""
        for number, line in enumerate(self.text.split("\n"), 1):
            if line.strip().removeprefix("[").startswith(name):
                return Span(str(self.path), number, line.index(name) + 1)
        return Span(str(self.path), 1, 1)
