"""How a program's machine integers are read; free of any solver, so that options can name it."""

from __future__ import annotations

from enum import StrEnum


class Arithmetic(StrEnum):
    """Every run of the program that has a meaning is a run of each of the three readings.

    Unsigned arithmetic is exact in all of them. They differ in signed arithmetic, where a result out of range has no
    meaning: IDEAL lets it be a larger number (so its proofs are the strongest, and its counterexamples may be none),
    RANGED leaves out such runs, EXACT does so over bit-vectors.
    """

    IDEAL = "ideal"
    RANGED = "ranged"
    EXACT = "exact"
