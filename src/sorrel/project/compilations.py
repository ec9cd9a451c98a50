"""What compilers are told about files: the entries of a compile_commands.json; nothing in one is run."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.project.files import text_of


def demand_one_meaning(define: Sequence[str]) -> None:
    known: dict[str, str] = {}
    for each in define:
        name, _, value = each.partition("=")
        if not each.isprintable():  # a new line would begin another command of the preprocessor
            raise InputError(f"{name.split()[:1]}: a macro is defined in one line, as NAME=VALUE")
        if known.setdefault(name, value) != value:
            raise InputError(
                f"{name} is defined as {known[name]} and as {value}",
                hint="All files of a project are read together: prove the two builds as two projects.",
            )


@dataclass(frozen=True, slots=True)
class Compilation:
    """`standard` is what -std says; `forced` are headers that are read first."""

    directory: str
    file: str
    include: tuple[str, ...]
    define: tuple[str, ...]
    standard: str = ""
    forced: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return (Path(self.directory) / self.file).resolve()

    def with_commands(self, commands: str, files: Sequence[str]) -> Compilation:
        """With what a compile_commands.json says about the files; what is said here comes first."""
        wanted = {Path(file).resolve() for file in files}
        found = self
        known = [each for each in compilations(Path(commands)) if each.path in wanted]
        missing = wanted - {each.path for each in known}
        if missing:
            names = ", ".join(sorted(str(path) for path in missing))
            raise InputError(f"{commands}: there is no entry for {names}")
        for each in known:
            found = found._joined(each)
        demand_one_meaning(found.define)
        return found

    def _joined(self, other: Compilation) -> Compilation:
        folder = Path(other.directory)
        if self.standard and other.standard and self.standard != other.standard:
            raise InputError(
                f"{other.file} is compiled with -std={other.standard}, another file with -std={self.standard}",
                hint="All files are read together: say which it is with -std.",
            )
        return replace(
            self,
            include=tuple(dict.fromkeys((*self.include, *(str(folder / each) for each in other.include)))),
            define=tuple(dict.fromkeys((*self.define, *other.define))),
            standard=self.standard or other.standard,
            forced=tuple(dict.fromkeys((*self.forced, *(_found(folder, each) for each in other.forced)))),
        )


def _found(folder: Path, header: str) -> str:
    """A header beside the compilation, or one that the compiler looks for."""
    return str(folder / header) if (folder / header).is_file() else header


def compilations(path: Path) -> Iterator[Compilation]:
    """What a compile_commands.json says; nothing in it is run."""
    try:
        data = json.loads(text_of(path))
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: cannot be read: {problem}") from None
    if not isinstance(data, list):
        raise InputError(f"{path}: this is no list of compilations")
    for number, entry in enumerate(data):
        yield _compilation(path, number, entry)


def _compilation(path: Path, number: int, entry: Any) -> Compilation:
    match entry:
        case {"directory": str(directory), "file": str(file), "arguments": list(words)}:
            pass
        case {"directory": str(directory), "file": str(file), "command": str(command)}:
            words = _words(path, number, command)
        case _:
            raise InputError(f"{path}: entry {number} has no directory, file and command")
    texts = [str(word) for word in words]
    if any("\0" in text for text in (directory, file, *texts)):
        raise InputError(f"{path}: entry {number} has a zero byte in it")
    forced = tuple(_given(texts, "-include"))
    texts = [text for text in texts if not text.startswith("-include")]
    include = tuple(folder for option in ("-iquote", "-I", "-isystem") for folder in _given(texts, option))
    standard = next((text.removeprefix("-std=") for text in reversed(texts) if text.startswith("-std=")), "")
    return Compilation(directory, file, include, tuple(_given(texts, "-D")), standard, forced)


def _words(path: Path, number: int, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise InputError(f"{path}: the command of entry {number} cannot be read: {problem}") from None


def _given(words: Sequence[str], option: str) -> Iterator[str]:
    for position, word in enumerate(words):
        if word == option and position + 1 < len(words):
            yield words[position + 1]
        elif word.startswith(option) and len(word) > len(option):
            yield word.removeprefix(option)
