"""What an answer may take for granted: kinds of assumptions, and what a front end assumes about a program."""

from __future__ import annotations

from enum import StrEnum

from sorrel.model.errors import Span
from sorrel.model.values import dataclass


class AssumptionKind(StrEnum):
    """What is taken for granted. `brief` says it in the few words of a first line.

    What is of the kind QUESTION says how the question is understood, and leaves no run out: it weakens no answer.
    """

    OVERFLOW = "overflow"
    WRAPPING = "wrapping"
    BOUNDS = "bounds"
    DIVISION = "division"
    ORDER = "order"
    POINTERS = "pointers"
    LIFETIME = "lifetime"
    FREE = "free"
    LIBRARY = "library"
    PRINTING = "printing"
    ALLOCATION = "allocation"
    VOLATILE = "volatile"
    ENTRY = "entry"
    PRECONDITION = "precondition"
    INTEGERS = "integers"
    FLOATS = "floats"
    THREADS = "threads"
    OTHER = "other"
    QUESTION = "question"

    @property
    def brief(self) -> str:
        return _BRIEF[self]


_BRIEF = {
    AssumptionKind.OVERFLOW: "no signed overflow",
    AssumptionKind.WRAPPING: "signed overflow wraps around",
    AssumptionKind.BOUNDS: "all memory accesses are in bounds",
    AssumptionKind.DIVISION: "no division by zero",
    AssumptionKind.ORDER: "results do not depend on the order of evaluation",
    AssumptionKind.POINTERS: "compared and subtracted pointers point into the same object",
    AssumptionKind.LIFETIME: "no object is used after its lifetime",
    AssumptionKind.FREE: "only live allocations are freed",
    AssumptionKind.LIBRARY: "functions without a body behave as listed",
    AssumptionKind.PRINTING: "arguments of output functions are readable",
    AssumptionKind.ALLOCATION: "memory allocation succeeds",
    AssumptionKind.VOLATILE: "volatile variables change only by the program",
    AssumptionKind.ENTRY: "the program starts in the listed state",
    AssumptionKind.PRECONDITION: "callers meet the precondition",
    AssumptionKind.INTEGERS: "integers are unbounded",
    AssumptionKind.FLOATS: "floating-point numbers behave as listed",
    AssumptionKind.THREADS: "memory is sequentially consistent",
    AssumptionKind.OTHER: "what is listed",
    AssumptionKind.QUESTION: "the question is understood as listed",
}


APART = "are not null and point to different objects, none of them a variable of the program"
"""What is taken for granted of the pointers that a function is called with."""


@dataclass(frozen=True, slots=True)
class Premise:
    """What a front end takes for granted about a program, in a sentence for the user; `places`: where it matters.

    `words` say it briefly, where those of its kind say less.
    """

    kind: AssumptionKind
    text: str
    places: tuple[Span, ...] = ()
    words: str = ""

    def __str__(self) -> str:
        return self.text
