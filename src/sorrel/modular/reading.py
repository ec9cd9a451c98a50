"""From the settings of a project to the program that its files make, and the places where runs of it start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sorrel.frontends import c
from sorrel.model.errors import InputError, Span
from sorrel.model.source import Source
from sorrel.program.program import Program
from sorrel.project.settings import Settings
from sorrel.project.sources import Sources

MAIN = "main"


@dataclass(frozen=True, slots=True)
class Start:
    """A function where runs start, with the program that starts there."""

    function: str
    span: Span
    program: Program


@dataclass(frozen=True, slots=True)
class Reading:
    """`program` starts with any of the starts; `refused` are functions that cannot be read, with the reasons."""

    program: Program
    starts: tuple[Start, ...]
    refused: Mapping[str, InputError] = field(default_factory=dict)


def read(settings: Settings, files: Sources) -> Reading:
    """The project's program. What cannot be read costs the entry points that reach it, not the others."""
    base = c.CSettings(c.DataModel(settings.model), files.include, files.define, library=settings.packs)
    with c.opened([Source(name) for name in files.files], base) as parsed:
        return _read(settings, parsed, base)


def _read(settings: Settings, parsed: c.Files, base: c.CSettings) -> Reading:
    entries = settings.entry_points or _entries(parsed)
    if entries == (MAIN,):
        whole = parsed.read(base)
        return Reading(whole, (Start(MAIN, whole.procedure[whole.main].span, whole),))
    refused: dict[str, InputError] = {}
    program = _readable(parsed, base, entries, refused)
    if program is None:
        raise next(iter(refused.values()))
    names = tuple(name for name in entries if name not in refused)
    return Reading(program, tuple(_start(program, name, len(names) > 1) for name in names), refused)


def _start(program: Program, name: str, several: bool) -> Start:
    main = c.started_by(name) if several else program.main
    return Start(name, program.procedure[main].span, replace(program, main=main))


def _entries(parsed: c.Files) -> tuple[str, ...]:
    """Main, or the functions that others may call and none of the files does."""
    if parsed.defines(MAIN):
        return (MAIN,)
    declared = parsed.outline()
    mentioned = {name for each in declared for name in each.mentions - {each.name}}
    found = tuple(dict.fromkeys(each.name for each in declared if each.external and each.name not in mentioned))
    if not found:  # all of them call each other
        found = tuple(dict.fromkeys(each.name for each in declared if each.external))
    if not found:
        raise InputError("no function can be called from outside: name some with entry-points in sorrel.toml")
    return found


def _readable(
    parsed: c.Files, base: c.CSettings, entries: Sequence[str], refused: dict[str, InputError]
) -> Program | None:
    """The program of all entries that can be read; halves are tried where the whole cannot."""
    try:
        return parsed.read(replace(base, function=entries[0], entries=tuple(entries)))
    except InputError as problem:
        if len(entries) == 1:
            refused[entries[0]] = problem
            return None
        middle = len(entries) // 2
        for half in (entries[:middle], entries[middle:]):
            _readable(parsed, base, half, refused)
        left = [name for name in entries if name not in refused]
        if not left or len(left) == len(entries):
            refused.update((name, problem) for name in left)
            return None
        return _readable(parsed, base, left, refused)
