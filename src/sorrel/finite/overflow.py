"""What happens when a word is too short."""

from __future__ import annotations

from enum import StrEnum


class Overflow(StrEnum):
    """What happens when the exact result of +, - or * does not fit, or a divisor is 0."""

    WRAP = "wrap"  # modulo 2^width, as SMT-LIB defines it
    DISCARD = "discard"  # the run does not return
