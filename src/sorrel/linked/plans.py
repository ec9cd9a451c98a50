"""In which ways the memory of a program may be described, the cheapest first."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.linked.abstraction import Plan
from sorrel.linked.hoisting import hoisted
from sorrel.linked.records import Attribute
from sorrel.linked.regions import Region, regions
from sorrel.program.program import Program

MOST_ATTRIBUTES = 6


def has_linked_objects(program: Program) -> bool:
    """Whether there is memory that can be described by what is the same of all objects."""
    return bool(regions(hoisted(program)))


def plans(program: Program) -> Iterator[Plan]:
    """Nothing but fields; what objects held when they were made; lengths; sums; then with objects in focus."""
    found = regions(hoisted(program))
    seen: list[Plan] = []
    for focus in (0, 1, 2) if found else ():
        for chosen in (_none, _values, _lengths, _sums):
            attributes = {region.name: chosen(region)[:MOST_ATTRIBUTES] for region in found}
            plan = Plan(attributes, focus)
            if plan not in seen and (focus < 2 or chosen is _none):
                seen.append(plan)
                yield plan


def _none(_: Region) -> tuple[Attribute, ...]:
    return ()


def _values(region: Region) -> tuple[Attribute, ...]:
    return tuple(Attribute(data=each) for each in region.fields if each not in region.links)


def _lengths(region: Region) -> tuple[Attribute, ...]:
    return tuple(Attribute(link=each) for each in region.fields if each in region.links)


def _sums(region: Region) -> tuple[Attribute, ...]:
    links = [each for each in region.fields if each in region.links]
    data = [each for each in region.fields if each not in region.links]
    return tuple(Attribute(one, other) for other in links for one in data)
