"""How a program's machine integers are read; free of any solver, so that options can name it."""

from __future__ import annotations

from enum import StrEnum


class Arithmetic(StrEnum):
    """Every run of the program that has a meaning is a run of each of the readings.

    Unsigned arithmetic is exact in all of them. They differ in signed arithmetic, where a result out of range has no
    meaning in C: IDEAL lets it be a larger number (so its proofs are the strongest, and its counterexamples may be
    none), RANGED leaves out such runs, EXACT does so over bit-vectors. WRAPPED and WRAPPED_BITS let it wrap around, as
    compilers do that are asked to: a proof of theirs needs no assumption about overflow. Operations that have no value
    even then (`program.checks.Guard.wraps`) must be asserted not to happen.
    """

    IDEAL = "ideal"
    RANGED = "ranged"
    EXACT = "exact"
    WRAPPED = "wrapped"
    WRAPPED_BITS = "wrapped-bits"

    @property
    def wrapping(self) -> Arithmetic:
        """The reading over the same numbers in which signed results wrap around."""
        bits = self in (Arithmetic.EXACT, Arithmetic.WRAPPED_BITS)
        return Arithmetic.WRAPPED_BITS if bits else Arithmetic.WRAPPED

    @property
    def is_wrapping(self) -> bool:
        return self is self.wrapping

    @property
    def is_partial(self) -> bool:
        """Whether operations end a run silently if they have no value."""
        return self in (Arithmetic.RANGED, Arithmetic.EXACT)


GROWING = (Arithmetic.IDEAL, Arithmetic.RANGED, Arithmetic.EXACT)
"""What is tried for a proof, one after the other."""
