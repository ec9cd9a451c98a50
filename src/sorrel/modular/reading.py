"""From the settings of a project to the program that its files make, and the places where runs of it start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from sorrel.frontends import c
from sorrel.model.errors import InputError, Span
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.program.program import LIBRARY, Procedure, Program
from sorrel.program.statement import Assert, Kind, Statement
from sorrel.project.pack import read_header
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
    """`program` starts with any of the starts; `refused` are functions that cannot be read, with the reasons.

    `files` are closed. They are held because to give their trees back takes a twentieth of the time of reading them,
    and a process that reads a project does not need the room.
    """

    program: Program
    starts: tuple[Start, ...]
    refused: Mapping[str, InputError] = field(default_factory=dict)
    files: c.Files | None = field(default=None, repr=False, compare=False)


def read(settings: Settings, files: Sources, meanwhile: Callable[[], None] | None = None) -> Reading:
    """The project's program. What cannot be read costs the entry points that reach it, not the others.

    `meanwhile` may be done while files are parsed.
    """
    base = c.CSettings(c.DataModel(settings.model), files.include, files.define, library=settings.packs)
    with c.opened(files.given, base, meanwhile) as parsed:
        return replace(_read(settings, parsed, base), files=parsed)


def with_demands(reading: Reading, settings: Settings, goal: Property) -> Reading:
    """What packs about the same property demand of callers is asked for, whatever the property is.

    A pack is text of C, in which a demand is an assertion; what other packs demand is taken for granted with them.
    """
    kinds = sorted(goal.kinds)
    packs = [says(name) for name in settings.packs if read_header(Path(name)).about == str(goal)]
    if not packs or not kinds or str(Kind.ASSERTION) in kinds:
        return reading
    told = [(premise.text, ending) for premise in reading.program.assumptions for ending in packs]
    names = {f"{LIBRARY}{text.removesuffix(ending)}" for text, ending in told if text.endswith(ending)}

    def demanding(program: Program) -> Program:
        made = [_demanding(each, Kind(kinds[0])) if each.name in names else each for each in program.procedures]
        return replace(program, procedures=tuple(made))

    starts = tuple(replace(start, program=demanding(start.program)) for start in reading.starts)
    return replace(reading, program=demanding(reading.program), starts=starts)


def _demanding(procedure: Procedure, kind: Kind) -> Procedure:
    def asked(statement: Statement) -> Statement:
        return replace(statement, kind=kind) if isinstance(statement, Assert) else statement

    blocks = [replace(block, statements=tuple(map(asked, block.statements))) for block in procedure.blocks]
    return replace(procedure, blocks=tuple(blocks))


def says(file: str) -> str:
    """How the reader of C ends what it says about a function whose meaning a file gives."""
    return f" behaves as {file} says."


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
        raise InputError("there is no entry point: name some with entry-points in sorrel.toml")
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
