"""Which objects are kept in variables at a place of the abstract program, and which pointers are known to mean them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from sorrel.model.values import dataclass
from sorrel.program.expression import Variable

SLOTS = 6
"""More objects than these of one region are not kept in variables at a time."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Variables of an object of the region, and what they are worth.

    `sealed`: its attributes are settled. `changed`: it differs from what was kept of it last. `wild`: the number is not
    that of an object that the program made, so that nothing is kept of it. `unset`: links that have no value yet.
    """

    region: str
    number: int
    sealed: bool = True
    changed: bool = False
    wild: bool = False
    unset: frozenset[Variable] = frozenset()

    @property
    def name(self) -> str:
        return f"{self.region}.{self.number}"


@dataclass(frozen=True, slots=True)
class Unpacked:
    """`slots`, those used least lately first, hold different objects; `holders` are pointers, each with its slot."""

    slots: tuple[Slot, ...] = ()
    holders: frozenset[tuple[Variable, str]] = frozenset()

    def of(self, pointer: Variable) -> Slot | None:
        name = next((name for holder, name in self.holders if holder == pointer), None)
        return next((slot for slot in self.slots if slot.name == name), None)

    def in_region(self, region: str) -> tuple[Slot, ...]:
        return tuple(slot for slot in self.slots if slot.region == region)

    def with_slot(self, slot: Slot) -> Unpacked:
        """The slot as it is now, used last."""
        return replace(self, slots=(*(each for each in self.slots if each.name != slot.name), slot))

    def without_slot(self, slot: Slot) -> Unpacked:
        rest = tuple(each for each in self.slots if each.name != slot.name)
        return Unpacked(rest, frozenset(pair for pair in self.holders if pair[1] != slot.name))

    def held(self, pointer: Variable, slot: Slot | None) -> Unpacked:
        """The pointer means what is in the slot; with none, it is not known what it means."""
        others = frozenset(pair for pair in self.holders if pair[0] != pointer)
        return replace(self, holders=others if slot is None else others | {(pointer, slot.name)})

    def alive(self, live: Container[Variable]) -> Unpacked:
        """What is known of pointers that nobody looks at any more is forgotten."""
        return replace(self, holders=frozenset(pair for pair in self.holders if pair[0] in live))

    def free(self, region: str) -> Slot | None:
        """A slot that is not in use."""
        used = {slot.number for slot in self.in_region(region)}
        return next((Slot(region, number) for number in range(SLOTS) if number not in used), None)

    def holding(self, slot: Slot) -> tuple[str, ...]:
        """The names of the pointers that are known to mean it, in order."""
        return tuple(sorted(holder.name for holder, name in self.holders if name == slot.name))
