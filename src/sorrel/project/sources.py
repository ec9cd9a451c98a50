"""The C files of a project, from patterns or from what the build system says about its compilations."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sorrel.model.errors import InputError
from sorrel.project.settings import Settings


@dataclass(frozen=True, slots=True)
class Sources:
    """Files in a fixed order, with what the preprocessor is told; paths are relative to the project's folder."""

    files: tuple[str, ...]
    include: tuple[str, ...]
    define: tuple[str, ...]


def sources(settings: Settings) -> Sources:
    folder = Path(settings.folder)
    include, define = list(settings.include), list(settings.define)
    found = {path: None for pattern in settings.sources for path in _matching(folder, pattern)}
    if settings.compile_commands:
        for compilation in _compilations(folder / settings.compile_commands):
            path = _below(folder, (Path(compilation.directory) / compilation.file))
            if path.endswith(".c"):
                found[path] = None
            include += [_below(folder, Path(compilation.directory) / each) for each in compilation.include]
            define += compilation.define
    excluded = {path for pattern in settings.exclude for path in _matching(folder, pattern, demanded=False)}
    files = tuple(sorted(path for path in found if path not in excluded))
    if not files:
        raise InputError(f"{settings.folder}: no source is left; look at sources and exclude in sorrel.toml")
    _demand_one_meaning(define)
    return Sources(files, tuple(dict.fromkeys(include)), tuple(dict.fromkeys(define)))


def _matching(folder: Path, pattern: str, *, demanded: bool = True) -> Iterator[str]:
    if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
        raise InputError(f"{pattern}: sources are named from the project's folder downwards")
    found = [path for path in folder.glob(pattern) if path.is_file()]
    if not found and demanded:
        raise InputError(f"{folder}: no file matches {pattern}")
    for path in found:
        yield path.relative_to(folder).as_posix()


def _below(folder: Path, path: Path) -> str:
    """Relative to the project's folder where that is possible."""
    try:
        return path.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return str(path.resolve())


def _demand_one_meaning(define: Sequence[str]) -> None:
    known: dict[str, str] = {}
    for each in define:
        name, _, value = each.partition("=")
        if known.setdefault(name, value) != value:
            raise InputError(
                f"{name} is defined as {known[name]} and as {value}",
                hint="All files of a project are read together: prove the two builds as two projects.",
            )


@dataclass(frozen=True, slots=True)
class _Compilation:
    directory: str
    file: str
    include: tuple[str, ...]
    define: tuple[str, ...]


def _compilations(path: Path) -> Iterator[_Compilation]:
    """What a compile_commands.json says; nothing in it is run."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: cannot be read: {problem}") from None
    if not isinstance(data, list):
        raise InputError(f"{path}: this is no list of compilations")
    for number, entry in enumerate(data):
        yield _compilation(path, number, entry)


def _compilation(path: Path, number: int, entry: Any) -> _Compilation:
    match entry:
        case {"directory": str(directory), "file": str(file), "arguments": list(words)}:
            pass
        case {"directory": str(directory), "file": str(file), "command": str(command)}:
            words = shlex.split(command)
        case _:
            raise InputError(f"{path}: entry {number} has no directory, file and command")
    texts = [str(word) for word in words]
    return _Compilation(directory, file, tuple(_given(texts, "-I")), tuple(_given(texts, "-D")))


def _given(words: Sequence[str], option: str) -> Iterator[str]:
    for position, word in enumerate(words):
        if word == option and position + 1 < len(words):
            yield words[position + 1]
        elif word.startswith(option) and len(word) > len(option):
            yield word.removeprefix(option)
