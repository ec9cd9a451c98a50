"""The C files of a project, from patterns or from what the build system says about its compilations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.model.values import dataclass
from sorrel.project.compilations import by_file, compilations, demand_one_meaning
from sorrel.project.settings import Settings


@dataclass(frozen=True, slots=True)
class Sources:
    """Files in a fixed order, with what the preprocessor is told; paths are relative to the project's folder."""

    files: tuple[str, ...]
    include: tuple[str, ...]
    define: tuple[str, ...]
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What the compiler is told about one file, beside what it is told about all."""

    @property
    def given(self) -> tuple[Source, ...]:
        """The files as the reader of C takes them."""
        return tuple(Source(name, options=self.own.get(name, ())) for name in self.files)


def sources(settings: Settings) -> Sources:
    folder = Path(settings.folder)
    found: dict[str, tuple[str, ...]] = {
        path: () for pattern in settings.sources for path in _matching(folder, pattern)
    }
    found |= _compiled(folder, settings) if settings.compile_commands else {}
    excluded = {path for pattern in settings.exclude for path in _matching(folder, pattern, demanded=False)}
    files = tuple(sorted(path for path in found if path not in excluded))
    if not files:
        raise InputError(f"{settings.folder}: no source file is left; check sources and exclude in sorrel.toml")
    for name in files:
        if not name.isprintable():  # they are told, stored, and given to others as text
            raise InputError(f"{name!r}: the name of this file has characters in it that cannot be written; rename it")
    demand_one_meaning(settings.define)
    own = {name: found[name] for name in files if found[name]}
    return Sources(files, tuple(dict.fromkeys(settings.include)), tuple(dict.fromkeys(settings.define)), own)


def _compiled(folder: Path, settings: Settings) -> dict[str, tuple[str, ...]]:
    """The C files that are compiled, each with what the compiler is told about it alone."""
    found = {}
    for path, each in by_file(compilations(folder / settings.compile_commands)).items():
        name = _below(folder, path)
        if not name.endswith(".c"):
            continue
        if each.model not in ("", settings.model):
            raise InputError(f"{name} is compiled for {each.model}, and the project for {settings.model}")
        demand_one_meaning((*settings.define, *each.define))
        found[name] = each.words(lambda value: _below(folder, Path(value)))
    return found


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
