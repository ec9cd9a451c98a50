"""From what a user names (C files or a task file, a property or a property file) to tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sorrel.errors import UsageError
from sorrel.frontends import svcomp
from sorrel.property import Property, property_named
from sorrel.source import Source
from sorrel.task import ARITHMETICS, DATA_MODELS, Task, data_model_here


@dataclass(frozen=True, slots=True)
class Request:
    """Tasks, one for each property; none if no property is ours, and then the notes say which were asked for."""

    tasks: tuple[Task, ...]
    name: str
    notes: tuple[str, ...] = ()


def request(
    sources: Sequence[Source],
    *,
    goal: str = "",
    data_model: str = "",
    arithmetic: str = "auto",
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    function: str = "",
) -> Request:
    """A task file stands alone; C files together make one program."""
    if not sources:
        raise UsageError("there is nothing to verify: name C files or a task file")
    if data_model and data_model not in DATA_MODELS:
        raise UsageError(f"there is no data model {data_model}; there are: {', '.join(DATA_MODELS)}")
    if arithmetic not in ARITHMETICS:
        raise UsageError(f"there is no arithmetic {arithmetic}; there are: {', '.join(ARITHMETICS)}")
    wanted, entry, notes = _goals(goal)
    task_files = [source for source in sources if Path(source.path).suffix in (".yml", ".yaml")]
    if task_files:
        if len(sources) > 1:
            raise UsageError("a task file names its C files itself: give it alone")
        file = svcomp.read_task_file(task_files[0].path)
        sources = [Source(name) for name in file.input_files]
        data_model = data_model or file.data_model
        if not goal:
            wanted = tuple(dict.fromkeys(each.property for each in file.properties))
            notes = file.notes
    elif not goal:
        wanted = (Property.ASSERTIONS,)
    tasks = tuple(
        Task(
            tuple(sources),
            each,
            data_model or data_model_here(),
            arithmetic,
            tuple(include),
            tuple(define),
            function or entry,
        )
        for each in wanted
    )
    return Request(tasks, " ".join(source.name for source in sources), notes)


def _goals(word: str) -> tuple[tuple[Property, ...], str, tuple[str, ...]]:
    """The property that a word or a property file asks for, where runs start, and notes."""
    if not word.endswith(".prp"):
        return ((property_named(word),) if word else ()), "main", ()
    file = svcomp.read_property_file(word)
    return ((file.property,) if file.property else ()), file.entry, file.notes
