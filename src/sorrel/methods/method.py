"""What can decide a question: its name, which questions it is for, whether it fits, and where its attempt is.

Nothing here loads a solver: a method's own module is loaded when it is attempted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from sorrel.engines.options import NoOptions
from sorrel.methods.features import Features, Subject
from sorrel.model.values import dataclass

if TYPE_CHECKING:
    from sorrel.evidence.effort import Effort
    from sorrel.methods.question import Question
    from sorrel.model.outcome import Outcome

Attempt: TypeAlias = "Callable[[Question, Effort], Outcome]"


class MethodKind(StrEnum):
    """What a method does, for the list that `sorrel engines` prints."""

    ENGINE = "engines on Horn clauses"
    RUNNING = "running the program"
    PROGRAM = "programs as a whole"
    ENDING = "termination"
    THREADS = "threads"
    RELATION = "several runs at once"


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a method can be asked; if not, the reason in words for the user."""

    reason: str = ""

    def __bool__(self) -> bool:
        return not self.reason


def _nothing_against(_: Features) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Method:
    """`ways` has the attempt for each kind of question, as module:function; `decided` says who decided, in words.

    `lacks` is a function, too: it looks at a question of a kind that fits and says what the method would need in it.
    One that `may_find_nothing` looks for something that need not be there, so that finding none says nothing.
    """

    name: str
    sentence: str
    kind: MethodKind
    ways: Mapping[Subject, str]
    decided: str = ""
    options: type[Any] = NoOptions
    refuses: Callable[[Features], str] = _nothing_against
    may_find_nothing: bool = False
    lacks: str = ""

    def fits(self, features: Features) -> Fit:
        """Whether it can be asked a question with these features."""
        if features.subject not in self.ways:
            about = ", ".join(subject.value for subject in self.ways)
            return Fit(f"{self.name} is for {about}, and this question is about {features.subject.value}")
        return Fit(self.refuses(features))

    def attempt(self, question: Question, effort: Effort) -> Outcome:
        """What comes of it: an outcome that the evidence supports, or why there is none."""
        found: Attempt = _loaded(self.ways[question.features.subject])
        return found(question, effort)

    def missing(self, question: Question) -> str:
        """What the question lacks that the method would need, found out by looking at it; or nothing."""
        if not self.lacks:
            return ""
        look: Callable[[Question], str] = _loaded(self.lacks)
        return look(question)


def _loaded(place: str) -> Any:
    module, _, function = place.partition(":")
    return getattr(import_module(module), function)
