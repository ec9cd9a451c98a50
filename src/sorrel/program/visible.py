"""Variables of a source text as the text names them, and where a run keeps their values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class VisibleVariable:
    """All numbers of one kind in a variable of a file, or of the `procedure`, row by row.

    `parts` is how C writes one: a name, lengths of arrays, and members, such as ("table", 3, ".row", 4) for
    table[i].row[j]. `variable` holds them: from `first` on, or alone if `first` is None.
    """

    file: str
    parts: tuple[str | int, ...]
    variable: str
    first: int | None
    procedure: str = ""

    @property
    def count(self) -> int:
        return math.prod(part for part in self.parts if isinstance(part, int))

    @property
    def base(self) -> str:
        """What stands before the first index."""
        return "".join(str(part) for part in self.parts[: self._before_indices])

    @property
    def is_row(self) -> bool:
        """An array of numbers: one index says which."""
        return self._before_indices == len(self.parts) - 1

    @property
    def _before_indices(self) -> int:
        return next((at for at, part in enumerate(self.parts) if isinstance(part, int)), len(self.parts))

    def element(self, number: int) -> str:
        """What stands behind the base for the number at this place among all of them."""
        return self._indexed(lambda left, length: f"[{number // left % length}]")

    def computed(self, index: str) -> str:
        """How C writes the number at the place that an expression has among all of them."""
        return self.base + self._indexed(lambda left, length: f"[{index} / {left} % {length}]")

    @property
    def every(self) -> str:
        """All of it; [] stands for each index, where a member follows one."""
        return self.base + ("" if self.is_row else self._indexed(lambda left, length: "[]"))

    def _indexed(self, written: Callable[[int, int], str]) -> str:
        text, left = "", self.count
        for part in self.parts[self._before_indices :]:
            if isinstance(part, int):
                left //= part or 1  # gcc has arrays of no elements
                text += written(left, part)
            else:
                text += part
        return text


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer as it is kept: names of variables for the number of its object (0 is null), and for how far in it is.

    A name is empty where there is one object that the pointer can lead to, or one place in it. Pointers compare as
    these numbers do if their `region` is the same; it is None if nothing is known of places there. `counted`: one step
    of the pointer is one of the second number.
    """

    object: str
    offset: str
    region: int | None
    counted: bool


class EntryKind(StrEnum):
    ARGUMENT = "argument"
    LENGTH = "length"  # of the object that a pointer leads to, in elements; one if there is no variable for it
    CONTENTS = "contents"  # of such an object: a part of all its elements
    HELD = "held"  # of such an object: pointers in its elements; without a variable, what nothing is known of
    POINTER = "pointer"  # where it leads: 0 is null
    OFFSET = "offset"  # how many elements behind the first of the object


@dataclass(frozen=True, slots=True)
class EntryPart:
    """A part of the state before a function is called, in C, and the variable that a run chooses it for.

    `text` is an argument or a pointer, as C writes it, and `parent` the pointer that leads to where that is. `path`
    says which part of the elements `CONTENTS` are; the first is at `first` in a variable that holds other objects, too.
    A `POINTER` leads to one of the `others`, by number, or else to an object of its own if it has one; numbers below -1
    mean one of many objects that have no name, where there is such a `crowd`. Of a `LENGTH`, one element of the
    pointer's type has `each` of those that are counted, none if that cannot be said; `compared`: the program may look
    at the pointer itself, so that one that is null is not like one to nothing; `apart`: it may demand that what the
    pointer leads to does not overlap with other objects, whatever is in them.
    """

    variable: str
    kind: EntryKind
    text: str
    parent: str = ""
    path: str = ""
    others: Mapping[int, str] = field(default_factory=dict)
    own: bool = True
    crowd: bool = False
    first: int | None = None
    each: int = 1
    compared: bool = True
    apart: bool = False
