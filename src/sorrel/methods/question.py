"""What every question has, whatever it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sorrel.evidence.effort import Effort
from sorrel.methods.features import Features
from sorrel.methods.schedule import Lane
from sorrel.model.outcome import Cause, Outcome

if TYPE_CHECKING:
    from sorrel.horn.system import HornSystem


class Unanswerable(Exception):
    """There is no method for a question of this kind."""

    def __init__(self, cause: Cause, message: str) -> None:
        super().__init__(message)
        self.cause = cause


class Question(Protocol):
    """Read once; what is computed for one method is kept for the others."""

    @property
    def features(self) -> Features:
        """What is known of it so far; looking at it may make more known."""

    def clauses(self) -> HornSystem | None:
        """What an engine is asked about; None if there are no clauses that all engines get."""

    def look_alone(self) -> None:
        """Find out whether there is only one run, if nobody has."""

    def prepare(self, lane: Lane) -> None:
        """Compute what steps of a lane need before any solver has run in it."""

    def effort(self, given: Effort) -> Effort:
        """What a method gets to work with, with what is known of the question."""

    def finished(self, outcome: Outcome, effort: Effort) -> Outcome:
        """The outcome of an attempt with what it takes for granted, and worth as much as that."""
