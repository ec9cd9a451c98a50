"""From what a user names (C files, a task file or a program in text form, a property or a property file) to tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sorrel.frontends import svcomp
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import OVERFLOWS, Finite
from sorrel.model.property import Property, property_named
from sorrel.model.source import Source
from sorrel.model.task import ARITHMETICS, COMPOSITIONS, DATA_MODELS, DEFAULT_ENTRY, Task, data_model_here
from sorrel.model.values import dataclass

if TYPE_CHECKING:
    from sorrel.relate.specification import Specification

WIDEST = 1024


@dataclass(frozen=True, slots=True)
class Request:
    """Tasks, one for each property; none if no property is ours, and then the notes say which were asked for."""

    tasks: tuple[Task, ...]
    name: str
    notes: tuple[str, ...] = ()


STANDARDS = tuple(
    f"{family}{year}" for family in ("c", "gnu") for year in ("89", "90", "99", "11", "17", "18", "2x", "23")
)
"""Versions of C that compilers know by these names."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What compilers of C are told beside -I and -D: the version of the language, headers that are read first.

    `library` are files that say what functions without a body do; `assume` are conditions on the state before a call.
    """

    standard: str = ""
    forced: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    failing_allocation: bool = False  # malloc and its kin may return null

    def applied(self, task: Task) -> Task:
        if self.standard and self.standard not in STANDARDS:
            raise UsageError(f"there is no version {self.standard} of C; there are: {', '.join(STANDARDS)}")
        said = any((self.standard, self.forced, self.library, self.assume, self.failing_allocation))
        if said and (task.is_java or task.is_ocaml or task.is_program_text):
            raise UsageError("-std, -include, --library, --assume and --malloc-may-fail are for C")
        if self.assume and task.function == DEFAULT_ENTRY:
            raise UsageError("--assume is about the state before a call: name a function with --function")
        return replace(
            task,
            standard=self.standard,
            forced=self.forced,
            library=self.library,
            assume=self.assume,
            failing_allocation=self.failing_allocation,
        )


def request(
    sources: Sequence[Source],
    *,
    goal: str | Sequence[str] = "",
    data_model: str = "",
    arithmetic: str = "auto",
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    function: str = "",
    specification: str = "",
    composition: str = "",
    public: Sequence[str] = (),
    secret: Sequence[str] = (),
    reading: Reading | None = None,
) -> Request:
    """A task file and a program in text form stand alone; C files together make one program.

    `goal` is a property or a property file, or several of them. `specification` is a law by name, the name of one in a
    comment of the sources, or a file of some; `composition` says how runs that are compared meet. `public` and `secret`
    name inputs for information flow. `reading` is what else compilers of C are told.
    """
    if not sources:
        raise UsageError("there is nothing to verify: name C files, a task file, or a program in text form")
    if data_model and data_model not in DATA_MODELS:
        raise UsageError(f"there is no data model {data_model}; there are: {', '.join(DATA_MODELS)}")
    if arithmetic not in ARITHMETICS:
        raise UsageError(f"there is no arithmetic {arithmetic}; there are: {', '.join(ARITHMETICS)}")
    if composition and composition not in COMPOSITIONS:
        raise UsageError(f"there is no composition {composition}; there are: {', '.join(COMPOSITIONS)}")
    goals = [goal] if isinstance(goal, str) else list(goal)
    goals = [each for each in goals if each]
    if specification and goals:
        raise UsageError("a specification is a property of its own: use --spec without --property")
    asked = _goals(goals or ([str(Property.SPECIFICATION)] if specification else []))
    wanted, entry, notes = asked.wanted, asked.entry, asked.notes
    if Property.SPECIFICATION in wanted and not specification:
        raise UsageError("which specification? Name it with --spec")
    task_files = [source for source in sources if Path(source.path).suffix in (".yml", ".yaml")]
    if task_files:
        if len(sources) > 1:
            raise UsageError("a task file names its own C files: give no other file")
        file = svcomp.read_task_file(task_files[0].path)
        sources = [Source(name) for name in file.input_files]
        data_model = data_model or file.data_model
        if not goals:
            wanted = {each.property: each.unchecked for each in file.properties}
            notes = file.notes
    elif not goals and not specification:
        wanted = {Property.ASSERTIONS: ()}
    whole = next((source for source in sources if source.reader), None)
    if whole and len(sources) > 1:
        raise UsageError(f"{whole.name} is a whole program: give no other file")
    model, settings = data_model or data_model_here(), (tuple(include), tuple(define))
    start = function or ("" if any(source.is_java for source in sources) else entry)
    tasks = [
        Task(tuple(sources), each, model, arithmetic, *settings, start, unchecked=unchecked)
        for each, unchecked in wanted.items()
    ]
    if tasks and tasks[0].is_java:
        _demand_java(tasks, specification)
    if tasks and tasks[0].is_ocaml:
        _demand_ocaml(tasks, specification, data_model)
    if composition and not all(task.goal.is_relational for task in tasks):
        raise UsageError("--composition is for properties that compare several runs")
    if (public or secret) and not all(task.goal.is_relational and not specification for task in tasks):
        raise UsageError("--public and --secret are for noninterference, constant-time and constant-steps")
    tasks = [replace(task, composition=composition, public=tuple(public), secret=tuple(secret)) for task in tasks]
    tasks = [(reading or Reading()).applied(task) for task in tasks]
    if specification:
        tasks = list(_specified(tasks[0], specification, function))
    return Request(tuple(tasks), " ".join(source.name for source in sources), notes)


def summary_request(
    sources: Sequence[Source],
    *,
    data_model: str = "",
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    function: str = "",
    flow: bool = False,
    reading: Reading | None = None,
) -> Task:
    """What is asked of functions on their own; of OCaml about all that the last file defines, unless one is named."""
    asked = request(sources, data_model=data_model, include=include, define=define, function=function, reading=reading)
    task = asked.tasks[0]
    if not task.is_ocaml:
        return task
    if flow:
        raise UsageError("--flow is for C programs: it does not go with OCaml")
    return replace(task, function=function)


def _specified(task: Task, wanted: str, function: str) -> Iterator[Task]:
    """One task for each specification; in the order in which they are sought: comments, files, laws by name."""
    from sorrel.relate.library import members  # few questions are about several runs
    from sorrel.relate.sources import in_comments, in_file

    for source in task.sources:
        for found, below in in_comments(_text(source), source.name):
            if wanted in (found.name, "comments"):
                yield from _about(task, found, function or below)
                if wanted != "comments":
                    return
    if wanted == "comments":
        return
    if Path(wanted).is_file():
        for found in in_file(_text(Source(wanted)), wanted):
            yield from _about(task, found, function)
        return
    for name in members(wanted):
        if not function and not task.is_java:
            raise UsageError(f"{wanted} is a law about a function: name it with --function")
        yield replace(task, function=function, specification=name)


def _demand_java(tasks: Sequence[Task], specification: str) -> None:
    """Java programs are asked about laws, and files of two languages make no program."""
    if not all(source.is_java for source in tasks[0].sources):
        raise UsageError("Java files cannot be combined with others in one program: verify them separately")
    if not specification:
        raise UsageError("Java programs are checked against laws: name one with --spec, for example --spec comparator")


def _demand_ocaml(tasks: Sequence[Task], specification: str, data_model: str) -> None:
    """What is said about C has no meaning there."""
    task = tasks[0]
    if not all(source.is_ocaml for source in task.sources):
        raise UsageError("OCaml files cannot be combined with others in one program: verify them separately")
    given = {
        "--spec": specification,
        "--arith": task.arithmetic not in ("auto", "ideal"),
        "--data-model": data_model,
        "-I": task.include,
        "-D": task.define,
    }
    for option in (name for name, value in given.items() if value):
        raise UsageError(f"{option} is for other languages: it does not go with OCaml")


def _about(task: Task, found: Specification, function: str) -> Iterator[Task]:
    """A run that names no function is one of the given function; if all name one, the first is where we start."""
    start = function or next((run.function for run in found.runs if run.function), "")
    if not start:
        raise UsageError(f"{found.name} is about a function: name it with --function")
    yield replace(task, function=start, specification=str(found))


def finite_request(sources: Sequence[Source], finite: Finite) -> Finite:
    """How to read programs over words, checked: C needs to know which function is meant."""
    if not 1 <= finite.width <= WIDEST:
        raise UsageError(f"a word has from 1 to {WIDEST} bits")
    if finite.overflow not in OVERFLOWS:
        raise UsageError(f"overflow is one of: {', '.join(OVERFLOWS)}")
    model = finite.data_model or data_model_here()
    if model not in DATA_MODELS:
        raise UsageError(f"there is no data model {model}; there are: {', '.join(DATA_MODELS)}")
    if any(source.path.endswith((".c", ".i")) for source in sources) and not finite.function:
        raise UsageError("C programs have several functions: name the one to learn about with --function")
    return replace(finite, data_model=model)


def _text(source: Source) -> str:
    return source.read_as_compilers_do()


@dataclass(frozen=True, slots=True)
class _Goals:
    """The properties that are asked for, each with what is asked for together with it and is not ours."""

    wanted: dict[Property, tuple[str, ...]]
    entry: str
    notes: tuple[str, ...]


def _goals(words: Sequence[str]) -> _Goals:
    """What words and property files ask for, where runs start, and notes."""
    wanted: dict[Property, tuple[str, ...]] = {}
    entries: dict[str, None] = {}
    notes: list[str] = []
    for word in words:
        if not word.endswith(".prp"):
            wanted.setdefault(property_named(word), ())
            continue
        file = svcomp.read_property_file(word)
        if not file.properties:
            Source(word).read()  # a file of others' properties is one thing, no file is another
        entries[file.entry] = None
        notes += file.notes
        for each in file.properties:
            wanted[each] = (*wanted.get(each, ()), *file.unchecked)
    if len(entries) > 1:
        raise UsageError(f"property files start runs at different functions: {', '.join(entries)}; give them apart")
    return _Goals(wanted, next(iter(entries), DEFAULT_ENTRY), tuple(notes))


def for_all_functions(asked: Request) -> Request:
    """The same properties of each function that the C files define, one after the other.

    `main` is left out, and so are functions that are visible in their file alone and mentioned there by another one:
    they are checked with the arguments that they are called with.
    """
    from sorrel.frontends.c import CSettings, outline  # solving Horn clauses needs nothing of this

    if not asked.tasks or any(task.is_java or task.is_ocaml or task.is_program_text for task in asked.tasks):
        raise UsageError("--all-functions is for C")
    names = {source.name for source in asked.tasks[0].sources}
    declared = [
        each for each in outline(asked.tasks[0].sources, CSettings.of(asked.tasks[0])) if each.span.file in names
    ]
    called = {name for each in declared for name in each.mentions if name != each.name}
    wanted = [
        each.name for each in declared if each.name != DEFAULT_ENTRY and (each.external or each.name not in called)
    ]
    if not wanted:
        raise InputError(f"{asked.name}: there is no function other than main")
    tasks = tuple(replace(task, function=name) for name in dict.fromkeys(wanted) for task in asked.tasks)
    return replace(asked, tasks=tasks)
