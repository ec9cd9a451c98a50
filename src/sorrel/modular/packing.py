"""Contracts of a project's functions as a pack, and what a pack is worth to who uses it.

A pack says what is so if it is, letter for letter, what the proofs that are stored with the library's source give when
they are checked here. Whatever else it is, its contracts are assumptions, and are told as such.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from sorrel.contracts.reading import Dialect
from sorrel.contracts.reading import read as read_condition
from sorrel.contracts.writing import Inexpressible, Style, in_c
from sorrel.encode.encoding import encoding_of
from sorrel.encode.points import Point
from sorrel.frontends import c
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, SorrelError
from sorrel.model.outcome import ProgramContract
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.modular.inquiry import Inquiry, inquire
from sorrel.modular.plan import PLAN
from sorrel.modular.reading import MAIN, read
from sorrel.modular.weighing import weighed
from sorrel.project.pack import RESULT, Header, Model, Prototype, digests, pack_text, read_header
from sorrel.project.result import Verdict
from sorrel.project.settings import NAME, Settings, load
from sorrel.project.sources import sources
from sorrel.smt.solver import Oracle
from sorrel.store import lockfile

_RESULT = "\\result"


@dataclass(frozen=True, slots=True)
class Packed:
    """The text of a pack, the functions in it, and those that are not, each with the reason."""

    text: str
    functions: tuple[str, ...]
    left_out: tuple[str, ...]


def packed(settings: Settings) -> Packed:
    """What the store of a project shows about its functions; the project's folder is the current one."""
    files = sources(settings)
    goal = next((each for each in settings.goals if each is not Property.TERMINATION), None)
    if goal is None:
        raise InputError(
            f"{settings.folder}: packs say what functions return, not whether they do: name another property"
        )
    base = c.CSettings(c.DataModel(settings.model), files.include, files.define)
    with c.opened(files.given, base) as parsed:
        declared = dict.fromkeys(each.name for each in parsed.outline() if each.external and each.name != MAIN)
        closed = settings.entry_points == (MAIN,) or (not settings.entry_points and parsed.defines(MAIN))
        prototypes = {name: Prototype(*found) for name in declared if (found := parsed.prototype(name))}
        replaceable = parsed.replaceable() if prototypes else frozenset()
    # In runs of the project's own `main` a variable that no file writes has its initial value. A pack is for other
    # programs, and these may write it: so its functions are read as called by others.
    outside = replace(settings, entry_points=tuple(prototypes)) if closed and prototypes else settings
    reading = read(outside, files)
    asked = inquire(goal, settings, reading, lockfile.read(Path(lockfile.NAME)))
    asked.prove(None, lambda _: None, lambda: False, lambda: None)
    making = _Making(asked, prototypes, replaceable)
    models = list(making.models())
    _, _, taken = weighed([asked], list(asked.results.values()), ())
    header = Header(str(goal), settings.model, settings.numbers, digests(Path("."), files.files), taken)
    names = tuple(sorted(model.prototype.name for model in models))
    return Packed(pack_text(header, models), names, tuple(making.left_out))


class _Making:
    """The models of the functions whose contracts C can say."""

    def __init__(self, asked: Inquiry, prototypes: Mapping[str, Prototype], replaceable: Collection[str]) -> None:
        self._asked = asked
        self._prototypes = prototypes
        self._replaceable = replaceable
        self._encoding = encoding_of(asked.known.parts.pieces)
        self.left_out: list[str] = []

    def models(self) -> Iterator[Model]:
        for name, point in self._asked.known.parts.pieces.functions.items():
            if name not in self._asked.results or name not in self._prototypes:
                if name in self._asked.results:
                    self.left_out.append(f"{name}: it is not for others to call, or has other than numbers to do with")
                continue
            model = self._model(name, point)
            if isinstance(model, Model):
                yield model
            else:
                self.left_out.append(f"{name}: {model}")

    def _model(self, name: str, point: Point) -> Model | str:
        if any(meaning.is_global for meaning in point.meanings):
            return "it reads or writes memory or variables that are not its parameters"
        if name in self._replaceable:
            return "it is a weak symbol, or uses one: other files may define it"
        known = self._asked.known
        judged = self._asked.standing(name)
        if judged is Verdict.UNKNOWN or not known.settled.get(known.parts.owner[name].name):
            return "no stored proof shows when it does not fail"
        summary = known.contracts[point.predicate.name]
        clock = Budget(seconds=PLAN.packing).start()
        oracle = Oracle(clock, query_seconds=PLAN.packing_question, measure_sizes=False)
        (told,) = self._encoding.contracts({point.predicate.name: summary}, oracle) or (None,)
        if told is None:
            return "its contract cannot be expressed in C"
        return self._written(name, told, judged)

    def _written(self, name: str, told: ProgramContract, judged: Verdict) -> Model | str:
        requires = [_in_c(text) for text in told.requires]
        if (judged is Verdict.CONDITIONAL and not requires) or None in requires:
            return "its precondition cannot be expressed in C"
        ensures = (_in_c(text) for text in told.conjuncts)
        demanded = tuple(each for each in requires if each)
        return Model(self._prototypes[name], demanded, tuple(each for each in ensures if each))


def _in_c(text: str) -> str | None:
    """With wide numbers, so that nothing overflows that did not."""
    try:
        return in_c(read_condition(text, Dialect.ACSL), Style(_place))
    except (Inexpressible, InputError):
        return None


def _place(place: str) -> str:
    return f"(long long){RESULT if place == _RESULT else place}"


# For who uses packs


@dataclass(frozen=True, slots=True)
class Used:
    """Which packs say what is so, what that takes for granted, and what is to be said about the others."""

    confirmed: frozenset[str] = frozenset()
    open: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def used(settings: Settings) -> Used:
    """The packs of a project, each checked if its source stands beside it; the current folder is the project's."""
    confirmed: list[str] = []
    taken: list[str] = []
    notes: list[str] = []
    for name in settings.packs:
        header = read_header(Path(name))
        if header.data_model != settings.model:
            raise InputError(f"{name}: the pack is for {header.data_model}, and the project for {settings.model}")
        problem = _problem(Path(name), header, settings)
        if problem:
            notes.append(f"{name}: {problem}; its contracts are assumed")
        else:
            confirmed.append(name)
            taken += header.open
    return Used(frozenset(confirmed), tuple(dict.fromkeys(taken)), tuple(notes))


def _problem(path: Path, header: Header, settings: Settings) -> str:
    """Why a pack does not stand on its own; nothing if it does."""
    if {str(goal) for goal in settings.goals} != {header.about} or settings.numbers != header.numbers:
        return f"it is about {header.about} with {header.numbers} numbers, and this project is not about that alone"
    if header.about == Property.TERMINATION:  # what it demands of callers is not asked where runs are to end
        return "packs say nothing about whether functions return"
    folder = path.parent
    if not (folder / NAME).is_file():
        return "the project that it comes from is not next to it"
    if not header.is_beside(folder):
        return "the source next to it differs"
    try:
        with chdir(folder):
            found = packed(load(Path(NAME).resolve()))
    except SorrelError as problem:
        return f"the source next to it cannot be checked: {problem}"
    return "" if found.text == path.read_text(encoding="utf-8") else "the proofs next to it do not imply its contracts"
