"""How much types tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sorrel.model.values import dataclass

MOST_GHOSTS, MOST_AROUND = 3, 6
"""Numbers that one parameter captured, and variables at the place of a use, that types may speak of."""


@dataclass(frozen=True, slots=True)
class Precision:
    """What types may tell apart, where it is not enough that each function has one.

    `copies`: each use of a function has a type of its own. `unfolded`: and the call from outside is walked on the spot,
    so that types begin with the first call from inside. `ghosts`: for functions by name, how many numbers that
    functions captured which it takes its type may speak of, for each parameter.
    `measures`: data is told by a group of measures, not only by its size.
    """

    copies: bool = False
    ghosts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    unfolded: bool = False
    measures: str = ""

    @property
    def told(self) -> str:
        """For people."""
        return (
            f"types tell {self.measures} of data" if self.measures else "each use of a function has a type of its own"
        )
