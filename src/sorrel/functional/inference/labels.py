"""Which argument is for which parameter, where callers call some of them by their labels."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.functional.type import is_optional

ABSENT = -1
"""In place of an argument: the parameter is optional, and is left out."""


def matched(
    parameters: Sequence[str], arguments: Sequence[str], *, is_closed: bool
) -> tuple[list[int | None], list[int]]:
    """For each parameter, by its label, the position of its argument or None while it waits; and what is left over.

    `is_closed`: what the function gives in the end is known, so that it is known to have no further parameters. Then
    labels may be left out all together where nothing is missing.
    """
    by_place = [position for position, label in enumerate(arguments) if not label]
    needed = [label for label in parameters if not is_optional(label)]
    if is_closed and len(by_place) == len(arguments) == len(needed) and any(needed):
        return [ABSENT if is_optional(label) else by_place.pop(0) for label in parameters], []
    by_label = {position: label.lstrip("?") for position, label in enumerate(arguments) if label}
    slots: list[int | None] = []
    for label in parameters:
        if not label:
            slots.append(by_place.pop(0) if by_place else None)
            continue
        found = next((position for position, name in by_label.items() if name == label.lstrip("?")), None)
        if found is not None:
            del by_label[found]
        elif is_optional(label) and by_place:
            found = ABSENT
        slots.append(found)
    return slots, sorted([*by_place, *by_label])
