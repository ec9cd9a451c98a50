"""Property files and task files of SV-COMP.

A property file holds lines such as `CHECK( init(main()), LTL(G ! overflow) )`. It is recognised by what it says; a
file that is not there is recognised by its name, since benchmark collections are often copied without their
property folder. A task file (YAML) names input files, properties and the data model.
"""

from __future__ import annotations

import re
from pathlib import Path

from sorrel.model.errors import InputError, Span
from sorrel.model.property import MEMORY_SAFETY, Property
from sorrel.model.source import Source
from sorrel.model.task import DATA_MODELS
from sorrel.model.values import dataclass

_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(?P<entry>\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((?P<formula>[^\n]*)\)\s*\)")
_FORMULAS = {
    "G!call(reach_error())": Property.UNREACH_CALL,
    "G!call(__VERIFIER_error())": Property.UNREACH_CALL,
    "G!overflow": Property.NO_OVERFLOW,
    "Gvalid-deref": Property.VALID_DEREF,
    "Gvalid-free": Property.VALID_FREE,
    "Gvalid-memtrack": Property.VALID_MEMTRACK,
    "Gvalid-memcleanup": Property.VALID_MEMCLEANUP,
    "G!division-by-zero": Property.NO_DIVISION_BY_ZERO,
    "G!data-race": Property.NO_DATA_RACE,
    "Fend": Property.TERMINATION,
}
_NAMES = {
    "unreach-call": Property.UNREACH_CALL,
    "no-overflow": Property.NO_OVERFLOW,
    "valid-deref": Property.VALID_DEREF,
    "valid-memsafety": Property.VALID_MEMSAFETY,
    "valid-memcleanup": Property.VALID_MEMCLEANUP,
    "no-division-by-zero": Property.NO_DIVISION_BY_ZERO,
    "no-data-race": Property.NO_DATA_RACE,
    "termination": Property.TERMINATION,
}


@dataclass(frozen=True, slots=True)
class PropertyFile:
    """The properties of ours that the file asks for; `unchecked` are those that are not, in its own words."""

    path: str
    properties: tuple[Property, ...]
    entry: str = "main"
    notes: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedProperty:
    """A property of a task and the verdict that its authors expect, if they say; `unchecked` is asked for with it."""

    property: Property
    file: str
    expected: bool | None
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskFile:
    path: str
    input_files: tuple[str, ...]
    properties: tuple[WantedProperty, ...]
    data_model: str
    notes: tuple[str, ...] = ()


def read_property_file(path: str) -> PropertyFile:
    if not Path(path).exists():
        return _by_name(path)
    return _by_content(path, Source(path).read())


def _by_name(path: str) -> PropertyFile:
    name = Path(path).stem
    known = _NAMES.get(name)
    notes = (f"{path} is not there; taken for {known} by its name",) if known else (f"{name} is not checked by Sorrel",)
    return PropertyFile(path, (known,) if known else (), notes=notes)


def _by_content(path: str, text: str) -> PropertyFile:
    found = list(_CHECK.finditer(text))
    if not found:
        if "COVER(" in text:
            return PropertyFile(path, (), notes=(f"{Path(path).stem} is not checked by Sorrel",))
        raise InputError(
            "there is no property in this file",
            Span(path, 1, 1),
            hint="A property is a line such as CHECK( init(main()), LTL(G ! call(reach_error())) ).",
        )
    formulas = [re.sub(r"\s", "", match["formula"]) for match in found]
    ours = tuple(dict.fromkeys(known for formula in formulas if (known := _FORMULAS.get(formula)) is not None))
    if set(MEMORY_SAFETY) <= set(ours):
        ours = (Property.VALID_MEMSAFETY, *(each for each in ours if each not in MEMORY_SAFETY))
    others = [match["formula"].strip() for match, f in zip(found, formulas, strict=True) if _FORMULAS.get(f) is None]
    notes = [f"{path}: {formula} is not checked by Sorrel" for formula in others]
    return PropertyFile(path, ours, found[0]["entry"], tuple(notes), tuple(others))


def read_task_file(path: str) -> TaskFile:
    """A task of SV-COMP, format 2.0; files that it names are looked for beside it."""
    content = _load(path)
    folder = Path(path).parent
    inputs = _words(path, content, "input_files")
    if not inputs:
        raise InputError(f"{path}: names no input_files")
    wanted, notes = _properties(path, folder, content)
    options = content.get("options") or {}
    if not isinstance(options, dict):
        raise InputError(f"{path}: options is not a mapping")
    if options.get("language", "C") != "C":
        raise InputError(f"{path}: the language is {options['language']}; Sorrel reads C")
    data_model = options.get("data_model", "ILP32")
    if data_model not in DATA_MODELS:
        raise InputError(f"{path}: there is no data model {data_model}; there are: {', '.join(DATA_MODELS)}")
    return TaskFile(path, tuple(str(folder / name) for name in inputs), tuple(wanted), data_model, tuple(notes))


def _load(path: str) -> dict[str, object]:
    import yaml  # most runs need no YAML

    text = Source(path).read()
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        span = Span(path, mark.line + 1, mark.column + 1) if mark else Span(path)
        raise InputError(f"this is not YAML: {getattr(problem, 'problem', problem)}", span) from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: this is not a task file", hint="It has input_files, properties and options.")
    return content


def _words(path: str, content: dict[str, object], key: str) -> list[str]:
    match content.get(key):
        case None:
            return []
        case str(word):
            return [word]
        case list(words) if all(isinstance(word, str) for word in words):
            return list(words)
        case other:
            raise InputError(f"{path}: {key} is a name or a list of names, not {other!r}")


def _properties(path: str, folder: Path, content: dict[str, object]) -> tuple[list[WantedProperty], list[str]]:
    entries = content.get("properties") or []
    if not isinstance(entries, list):
        raise InputError(f"{path}: properties is not a list")
    wanted: list[WantedProperty] = []
    notes: list[str] = []
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("property_file"), str):
            raise InputError(f"{path}: every property has a property_file")
        file = read_property_file(str(folder / entry["property_file"]))
        if not file.properties:
            notes.append(f"property {Path(file.path).stem} is not checked by Sorrel")
            continue
        notes.extend(file.notes)
        expected = entry.get("expected_verdict")
        verdict = expected if isinstance(expected, bool) else None
        wanted.extend(WantedProperty(each, file.path, verdict, file.unchecked) for each in file.properties)
    return wanted, notes
