"""What is known about each open document, and the question that is being answered about it.

One question a document: a new version, or a new question, cancels the one before. Questions run in threads; answers
come back to the loop of the server, which alone touches what is here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import field

from sorrel.asynchronous import verify
from sorrel.lsp.findings import Document
from sorrel.lsp.stored import stored
from sorrel.model.errors import SorrelError, Span
from sorrel.model.outcome import Answer, Cause, Outcome, Reason, Violation
from sorrel.model.source import Source
from sorrel.model.values import dataclass
from sorrel.project.result import FunctionResult

DELAY = 0.2
"""Seconds after the last keystroke before a question is asked."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the editor configures."""

    property: str = "assertions"
    timeout: float = 20.0
    on_type: bool = True


@dataclass
class Known:
    """The last outcome about a document is about the version that it had then."""

    document: Document
    outcome: Outcome | None = None
    about: int = -1
    task: asyncio.Task[None] | None = None
    stored: tuple[FunctionResult, ...] = ()
    stored_about: int = -1
    looking: asyncio.Task[None] | None = None

    @property
    def current(self) -> Outcome | None:
        """The outcome, if it is about the text as it is now."""
        return self.outcome if self.about == self.document.version else None

    @property
    def kept(self) -> tuple[FunctionResult, ...]:
        """What the project's store has for the text as it is now."""
        return self.stored if self.stored_about == self.document.version else ()


Told = Callable[[Known], Awaitable[None]]
Working = Callable[[Known, str, Awaitable[Outcome]], Awaitable[Outcome]]


@dataclass
class Session:
    """`told` is called with every new outcome; `working` shows that a question is being answered."""

    told: Told
    working: Working
    settings: Settings = field(default_factory=Settings)
    known: dict[str, Known] = field(default_factory=dict)

    def open(self, document: Document) -> Known:
        found = self.known.setdefault(document.uri, Known(document))
        found.document = document
        return found

    def changed(self, document: Document) -> None:
        """Ask anew, soon: more keystrokes may follow."""
        known = self.open(document)
        self._stop(known)
        if self.settings.on_type:
            self.ask(document.uri, delay=DELAY)

    def ask(self, uri: str, function: str = "", delay: float = 0.0) -> None:
        known = self.known[uri]
        self._stop(known)
        known.task = asyncio.ensure_future(self._ask(known, known.document, function, delay))

    def look_up(self, uri: str) -> None:
        """In the store of the project, which is about the file as it was saved."""
        known = self.known[uri]
        if known.looking is None or known.looking.done():
            known.looking = asyncio.ensure_future(self._look_up(known, known.document))

    async def _look_up(self, known: Known, document: Document) -> None:
        found = await stored(document.path)
        if known.document.version == document.version and found:
            known.stored, known.stored_about = found, document.version
            await self.told(known)

    def close(self, uri: str) -> None:
        known = self.known.pop(uri, None)
        if known is not None:
            self._stop(known)

    async def end(self) -> None:
        """No question goes on."""
        tasks = [task for known in self.known.values() for task in (known.task, known.looking) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _stop(self, known: Known) -> None:
        for task in (known.task, known.looking):
            if task is not None and not task.done():
                task.cancel()

    async def _ask(self, known: Known, document: Document, function: str, delay: float) -> None:
        await asyncio.sleep(delay)
        try:
            outcome = await self.working(known, function, self._answer(document, function))
        except SorrelError as problem:
            outcome = _unread(document, problem)
        if known.document.version == document.version:
            known.outcome, known.about = outcome, document.version
            await self.told(known)

    async def _answer(self, document: Document, function: str) -> Outcome:
        source = Source(document.path, "".join(document.lines))
        start = function if function and function != "main" else ""
        return await verify(source, property=self.settings.property, function=start, timeout=self.settings.timeout)


def _unread(document: Document, problem: SorrelError) -> Outcome:
    """A text that cannot be read, with the place where the reader stopped as the place of a violation."""
    message = str(problem).splitlines()[0]
    found = _PLACE.match(message)
    span = Span(document.path, 1, 1)
    if found and found["file"] == document.path:
        span, message = Span(document.path, int(found["line"]), int(found["column"])), found["message"]
    reason = Reason(Cause.INPUT, message)
    return Outcome(Answer.UNKNOWN, document.path, reason=reason, violation=Violation("input", message, span, ""))


_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)")
