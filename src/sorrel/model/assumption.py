"""What an answer may take for granted: kinds of assumptions, and what a front end assumes about a program."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sorrel.model.errors import Span


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
    INTEGERS = "integers"
    FLOATS = "floats"
    THREADS = "threads"
    OTHER = "other"
    QUESTION = "question"

    @property
    def brief(self) -> str:
        return _BRIEF[self]


_BRIEF = {
    AssumptionKind.OVERFLOW: "no signed operation overflows",
    AssumptionKind.WRAPPING: "signed operations that overflow wrap round",
    AssumptionKind.BOUNDS: "every access is inside its object",
    AssumptionKind.DIVISION: "no divisor is zero",
    AssumptionKind.ORDER: "the order of evaluation makes no difference",
    AssumptionKind.POINTERS: "pointers that are compared or subtracted point into one object",
    AssumptionKind.LIFETIME: "nothing is used after its end",
    AssumptionKind.FREE: "what is freed was allocated, and not freed before",
    AssumptionKind.LIBRARY: "functions without a body do what is listed",
    AssumptionKind.PRINTING: "what is printed is there",
    AssumptionKind.ALLOCATION: "there is memory",
    AssumptionKind.VOLATILE: "volatile variables are changed by the program only",
    AssumptionKind.ENTRY: "the program starts as listed",
    AssumptionKind.INTEGERS: "numbers have no bounds",
    AssumptionKind.FLOATS: "floating-point numbers are as listed",
    AssumptionKind.THREADS: "threads see each other's writes in one order",
    AssumptionKind.OTHER: "what is listed",
    AssumptionKind.QUESTION: "the question is understood as listed",
}


@dataclass(frozen=True, slots=True)
class Premise:
    """What a front end takes for granted about a program, in a sentence for the user; `places`: where it matters."""

    kind: AssumptionKind
    text: str
    places: tuple[Span, ...] = ()

    def __str__(self) -> str:
        return self.text
