"""What the store of a project has for a document: checked against the source as it is, without any search."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from sorrel.model.errors import SorrelError
from sorrel.process.project import Job, News, run_project
from sorrel.project import settings
from sorrel.project.result import FunctionResult, Source, Verdict

LOCK = "sorrel.lock"


class _Cancelled(Exception):
    pass


async def stored(path: str) -> tuple[FunctionResult, ...]:
    """The functions of the file whose stored contracts hold; nothing for a file that is in no project, or has none."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(_checked, Path(path), stop)
    finally:
        stop.set()


def _checked(file: Path, stop: threading.Event) -> tuple[FunctionResult, ...]:
    def show(_: News) -> None:
        if stop.is_set():
            raise _Cancelled

    try:
        place = settings.find(file.parent)
        if not (place.parent / LOCK).is_file():
            return ()
        name = file.resolve().relative_to(place.parent.resolve()).as_posix()
        result = run_project(Job("check", settings.load(place), paths=(name,), extra={"assuming": []}), show)
    except (SorrelError, ValueError, OSError, _Cancelled):
        return ()  # the document is asked about by itself, which tells what is wrong
    return tuple(each for each in result.functions if each.span.file == name and each.source is not Source.NOT_TRIED)


def title(each: FunctionResult) -> str:
    """What a reader of the document sees above the function."""
    match each.verdict:
        case Verdict.PROVED:
            return f"proved: {each.goal} (stored)"
        case Verdict.CONDITIONAL:
            return f"proved: {each.goal}, requires {each.requires} (stored)"
        case Verdict.REFUTED:
            return f"violated: {each.goal}, {each.message} (stored)"
        case Verdict.UNKNOWN:
            return f"undecided: {each.goal} (stored)"
