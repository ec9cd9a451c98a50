"""Loops within loops, and an order of blocks in which every loop stands in one piece (Bourdoncle, 1993).

A loop is a set of blocks from each of which every other one of them can be reached; its head is the one that comes
first. Without the head, what is left of it may hold loops again. So it works for jumps into loops, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from sorrel.model.components import strongly_connected
from sorrel.model.values import dataclass
from sorrel.program.graph import reverse_postorder
from sorrel.program.program import Procedure, successors

Rounds: TypeAlias = tuple[int, ...]
"""Of each loop around a block, the outermost first, how many rounds of it are over."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """`position` is the place of each label in the order, `heads` are those of the loops around it, outermost first."""

    position: Mapping[str, int]
    heads: Mapping[str, tuple[str, ...]]

    def is_head(self, label: str) -> bool:
        heads = self.heads[label]
        return bool(heads) and heads[-1] == label

    def rounds(self, label: str, rounds: Rounds, target: str) -> Rounds:
        """Those at the target of a jump from a block: one more of the loop whose head it is and which it stays in."""
        here = dict(zip(self.heads[label], rounds, strict=True))
        return tuple(here[head] + (head == target) if head in here else 0 for head in self.heads[target])

    def key(self, label: str, rounds: Rounds) -> tuple[int, ...]:
        """What comes first has the smaller one: a round before the next one, a loop before what follows it."""
        around = (n for head, done in zip(self.heads[label], rounds, strict=True) for n in (self.position[head], done))
        return (*around, self.position[label])


def nesting(procedure: Procedure) -> Nesting:
    order = reverse_postorder(procedure)
    ahead = {label: successors(procedure.block[label].terminator) for label in order}
    number = {label: position for position, label in enumerate(order)}
    position: dict[str, int] = {}
    heads: dict[str, tuple[str, ...]] = {}
    waiting = _parts(order, ahead, number, ())[::-1]
    while waiting:
        part, around = waiting.pop()
        first = part[0]
        position[first] = len(position)
        if len(part) == 1 and first not in ahead[first]:
            heads[first] = around
            continue
        heads[first] = inside = (*around, first)
        waiting += reversed(_parts(part[1:], ahead, number, inside))
    return Nesting(position, heads)


def _parts(
    labels: Iterable[str], ahead: Mapping[str, tuple[str, ...]], number: Mapping[str, int], around: tuple[str, ...]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Loops and single blocks among the labels, in an order in which jumps between them go forward; heads first."""
    among = set(labels)
    graph = {label: tuple(each for each in ahead[label] if each in among) for label in labels}
    found = [tuple(sorted(part, key=number.__getitem__)) for part in strongly_connected(graph)]
    return [(part, around) for part in reversed(found)]
