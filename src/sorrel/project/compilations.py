"""What compilers are told about files: the entries of a compile_commands.json; nothing in one is run."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.project.files import text_of


def demand_one_meaning(define: Sequence[str]) -> None:
    known: dict[str, str] = {}
    for each in define:
        declared, given, value = each.partition("=")
        name, with_parameters, _ = declared.partition("(")
        value = each if with_parameters else value if given else "1"
        if not each.isprintable():  # a new line would begin another command of the preprocessor
            raise InputError(f"{name.split()[:1]}: a macro is defined in one line, as NAME=VALUE")
        if known.setdefault(name, value) != value:
            raise InputError(
                f"{name} is defined as {known[name]} and as {value}",
                hint="All files of a project are read together: prove the two builds as two projects.",
            )


@dataclass(frozen=True, slots=True)
class Compilation:
    """`standard` is what -std says; `forced` are headers that are read first; `model` is what -m32 or -m64 asks for.

    `options` are all of these as the compiler has them, in their order and each with its value, and others that change
    what a text means.
    `plain`: they say nothing but `include`, `define`, `standard` and `forced`.
    """

    directory: str
    file: str
    include: tuple[str, ...]
    define: tuple[str, ...]
    standard: str = ""
    forced: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    plain: bool = True
    model: str = ""

    @property
    def path(self) -> Path:
        return (Path(self.directory) / self.file).resolve()

    def with_commands(self, commands: str, files: Sequence[str]) -> Told:
        """With what a compile_commands.json says about the files; what is said here comes first."""
        wanted = {Path(file).resolve(): file for file in files}
        found = by_file(compilations(Path(commands)))
        missing = wanted.keys() - found.keys()
        if missing:
            names = ", ".join(sorted(str(path) for path in missing))
            raise InputError(f"{commands}: there is no entry for {names}")
        known = {file: found[path] for path, file in wanted.items()}
        for each in known.values():
            demand_one_meaning((*self.define, *each.define))
        models = {each.model for each in known.values()} - {""}
        if len(models) > 1:
            raise InputError(f"{commands}: files are compiled for {' and for '.join(sorted(models))}")
        model = next(iter(models), "")
        first = next(iter(known.values()))
        if all(each.plain and each.options == first.options for each in known.values()):
            return Told(self._joined(first), model=model)
        return Told(self, {file: each.words(version=not self.standard) for file, each in known.items()}, model)

    def words(self, placed: Callable[[str], str] = str, *, version: bool = True) -> tuple[str, ...]:
        """The options as words; `placed` says how a path is written, without `version` the one of C is left out."""
        told = [pair for pair in self.options if version or pair[0] not in _VERSIONS]
        return tuple(word for option, value in told for word in _as_words(option, value, placed))

    def _joined(self, other: Compilation) -> Compilation:
        return replace(
            self,
            include=tuple(dict.fromkeys((*self.include, *other.include))),
            define=tuple(dict.fromkeys((*self.define, *other.define))),
            standard=self.standard or other.standard,
            forced=tuple(dict.fromkeys((*self.forced, *other.forced))),
        )


@dataclass(frozen=True, slots=True)
class Told:
    """What all files are compiled with, and what each of them is beside that, where they differ."""

    shared: Compilation
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    model: str = ""


def by_file(found: Iterable[Compilation]) -> dict[Path, Compilation]:
    """A file that is compiled twice has one meaning, or is refused."""
    known: dict[Path, Compilation] = {}
    for each in found:
        earlier = known.setdefault(each.path, each)
        if (earlier.options, earlier.model) != (each.options, each.model):
            raise InputError(
                f"{each.file} is compiled twice, with different options",
                hint="Prove the two builds as two projects, each with a compile_commands.json of its own.",
            )
    return known


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
        raise InputError(f"{path}: this is not a compilation database")
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
    return _read(directory, file, tuple(_meaning(Path(directory), _demanded(file, texts))), texts)


def _read(directory: str, file: str, told: Sequence[tuple[str, str]], words: Sequence[str]) -> Compilation:
    def given(*options: str) -> tuple[str, ...]:
        return tuple(value for wanted in options for option, value in told if option == wanted)

    models = [word for word in words if word in _MODELS]
    return Compilation(
        directory,
        file,
        given("-I", "-isystem"),
        given("-D"),
        (given("-std=") or ("",))[-1],
        given("-include"),
        tuple(told),
        all(option in _PLAIN for option, _ in told),
        _MODELS[models[-1]] if models else "",
    )


_MODELS = {"-m32": "ILP32", "-m64": "LP64"}
_FOLDERS = ("-iquote", "-isystem", "-idirafter", "-I")
_HEADERS = ("-include", "-imacros")
_MACROS = ("-D", "-U")
_ALONE = ("-ansi", "-trigraphs", "-traditional-cpp", "-undef")
_VERSIONS = ("-std=", "-ansi")
_PLAIN = ("-I", "-isystem", "-D", "-std=", "-include")
_OTHER_MEANINGS = (
    *("-funsigned-char", "-fno-signed-char", "-fshort-enums", "-fpack-struct", "-fshort-wchar", "-funsigned-bitfields"),
    *("-mms-bitfields", "-malign-double", "-mlong-double-", "-ffast-math", "-Ofast", "-fsingle-precision-constant"),
    *("-mx32", "-m16", "-include-pch", "@"),
)
"""Options under which a text may mean something else than what is read here, or that hide others."""


def _demanded(file: str, given: Sequence[str]) -> list[str]:
    """The options of a command, if C means with them what it means here."""
    words = [word for each in given[1:] for word in _passed_on(each)]
    for word in words:
        if word.startswith(_OTHER_MEANINGS):
            raise InputError(
                f"{file} is compiled with {word}: not supported",
                hint="Leave the option out of the file of commands if the text means the same without it.",
            )
    return words


def _passed_on(word: str) -> list[str]:
    """What the preprocessor and the compiler proper are told through the compiler."""
    if word.startswith("-Wp,"):
        return word.split(",")[1:]
    return [] if word in ("-Xclang", "-Xpreprocessor") else [word]


def _meaning(folder: Path, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options that change what the text means, in their order, each with its value."""
    rest = iter(words)
    for word in rest:
        if word in ("-o", "-MF", "-MT", "-MQ"):  # what follows may look like anything
            next(rest, "")
            continue
        option = next((each for each in (*_FOLDERS, *_HEADERS, *_MACROS) if word.startswith(each)), "")
        if option:
            value = word.removeprefix(option) or next(rest, "")
            yield option, _placed(folder, option, value)
        elif word.startswith("-std="):
            yield "-std=", word.removeprefix("-std=")
        elif word in _ALONE:
            yield word, ""


def _placed(folder: Path, option: str, value: str) -> str:
    if option in _FOLDERS:
        return str(folder / value)
    return _found(folder, value) if option in _HEADERS else value


def _as_words(option: str, value: str, placed: Callable[[str], str]) -> tuple[str, ...]:
    if option == "-std=":
        return (f"-std={value}",)
    if option in _ALONE:
        return (option,)
    return option, placed(value) if option in _FOLDERS else value


def _words(path: Path, number: int, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise InputError(f"{path}: the command of entry {number} cannot be read: {problem}") from None
