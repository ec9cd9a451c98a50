"""Whole numbers as machines compute with them: quotients, masks, and what bit operations make of ranges."""

from __future__ import annotations

from typing import TypeAlias

Range: TypeAlias = tuple[int, int]
"""The least and the largest number."""


def quotient(left: int, right: int) -> int:
    """Towards zero; 0 in place of what has no value."""
    if right == 0:
        return 0
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def is_mask(number: int) -> bool:
    """Whether it is 2**n - 1: the lowest bits and no others. All bits, which is -1, are endless."""
    return number >= 0 and number & (number + 1) == 0


def hull(here: Range, there: Range) -> Range:
    """All numbers of as many bits as both need."""
    most = (1 << max(_bits(each) for each in (*here, *there))) - 1
    return (-most - 1 if here[0] < 0 or there[0] < 0 else 0), most


def _bits(number: int) -> int:
    return (~number if number < 0 else number).bit_length()
