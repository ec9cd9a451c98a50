"""The C files of a project, from patterns or from what the build system says about its compilations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.project.compilations import compilations, demand_one_meaning
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
        for compilation in compilations(folder / settings.compile_commands):
            path = _below(folder, (Path(compilation.directory) / compilation.file))
            if path.endswith(".c"):
                found[path] = None
            include += [_below(folder, Path(compilation.directory) / each) for each in compilation.include]
            define += compilation.define
    excluded = {path for pattern in settings.exclude for path in _matching(folder, pattern, demanded=False)}
    files = tuple(sorted(path for path in found if path not in excluded))
    if not files:
        raise InputError(f"{settings.folder}: no source is left; look at sources and exclude in sorrel.toml")
    for name in files:
        if not name.isprintable():  # they are told, stored, and given to others as text
            raise InputError(f"{name!r}: the name of this file has characters in it that cannot be written; rename it")
    demand_one_meaning(define)
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
