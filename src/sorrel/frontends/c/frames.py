"""Frames in the user's words: what a function changes at most, as `assigns` of ACSL lists it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.written_places import ANYWHERE, FOLLOW, Place, Places, holds_pointers

MOST_TOLD = 4
"""Places in a frame that a person reads."""


def frame(written: Places, visible: Mapping[str, Object]) -> tuple[str, ...] | None:
    """The places, told by names that are visible at the function; nothing is changed if there are none.

    None if there is no way to tell them. What is found through a pointer in memory is found there at the entry only if
    no pointer in memory changes.
    """
    if ANYWHERE in written:
        return None
    if any(place.loaded for place in written) and any(map(holds_pointers, written)):
        return None
    if any(not _is_named(place, visible) for place in written):
        return None
    kept = _fewer(_without_covered(list(written)))
    return tuple(sorted(map(_text, kept)))


def _is_named(place: Place, visible: Mapping[str, Object]) -> bool:
    root = place.root
    return root is not None and bool(root.source_name) and visible.get(root.source_name) is root


def _without_covered(places: list[Place]) -> list[Place]:
    found: list[Place] = []
    for place in sorted(places, key=lambda each: (len(each.steps), _text(each))):
        if not any(other.covers(place) for other in found):
            found = [other for other in found if not place.covers(other)]
            found.append(place)
    return found


def _fewer(places: list[Place]) -> list[Place]:
    """Many elements are told as all of them, many members of one object as the object."""
    while len(places) > MOST_TOLD:
        wider = next((each for each in map(_wider, sorted(places, key=_depth)) if each is not None), None)
        if wider is None:
            return places
        places = _without_covered([*places, wider])
    return places


def _depth(place: Place) -> int:
    return -len(place.steps)


def _wider(place: Place) -> Place | None:
    single = [at for at, step in enumerate(place.steps) if isinstance(step, int)]
    if single:
        return replace(place, steps=(*place.steps[: single[-1]], None, *place.steps[single[-1] + 1 :]))
    last = place.steps[-1] if place.steps else FOLLOW
    if last is None or last == FOLLOW:
        return None
    return replace(place, steps=place.steps[:-1])


def _text(place: Place) -> str:
    text, follows = place.root.source_name if place.root is not None else "", 0
    steps = list(place.steps)
    for position, step in enumerate(steps):
        if step == FOLLOW:
            follows += 1
            continue
        if isinstance(step, str) and follows and position and steps[position - 1] == FOLLOW:
            text, follows = f"{_whole(text, follows - 1)}->{step[1:]}", 0
            continue
        text, follows = _whole(text, follows), 0
        text += step if isinstance(step, str) else f"[{'..' if step is None else step}]"
    return f"{'*' * follows}{text}"


def _whole(text: str, follows: int) -> str:
    return f"({'*' * follows}{text})" if follows else text
