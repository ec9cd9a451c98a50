"""Loops that are entered in several places, as loops that are entered in one.

Whoever goes to one of the places says which one in a variable and goes to a common head, which goes on there (Ashcroft
and Manna's way of doing without jumps). What a run does in between stays what it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from sorrel.model.components import strongly_connected
from sorrel.model.values import dataclass
from sorrel.program.construction import binary
from sorrel.program.expression import Constant, Operator, Variable
from sorrel.program.graph import predecessors, reached_only
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Assign, Block, Branch, Goto
from sorrel.program.traversal import retarget
from sorrel.program.types import UNBOUNDED


@dataclass(frozen=True, slots=True)
class _Open:
    """A loop that is entered in several places."""

    labels: frozenset[str]
    entries: tuple[str, ...]


def reducible(procedure: Procedure) -> Procedure:
    """The procedure, in which each loop has one block that every way into it passes."""
    numbers = count()
    while (found := _open_loop(procedure)) is not None:
        procedure = _with_head(procedure, found, f"way.{next(numbers)}")
    return procedure


def _open_loop(procedure: Procedure) -> _Open | None:
    before = predecessors(procedure)
    waiting: list[frozenset[str]] = [frozenset(before)]
    while waiting:
        for loop in _loops_within(procedure, waiting.pop()):
            entries = [each for each in before if each in loop and not loop.issuperset(before[each])]
            if procedure.entry in loop and procedure.entry not in entries:
                entries.append(procedure.entry)
            if len(entries) > 1:
                return _Open(loop, tuple(entries))
            waiting.append(loop.difference(entries))
    return None


def _loops_within(procedure: Procedure, labels: frozenset[str]) -> list[frozenset[str]]:
    ahead = {
        block.label: tuple(each for each in successors(block.terminator) if each in labels)
        for block in procedure.blocks
        if block.label in labels
    }
    groups = strongly_connected(ahead)
    return [frozenset(group) for group in groups if len(group) > 1 or group[0] in ahead[group[0]]]


def _with_head(procedure: Procedure, loop: _Open, name: str) -> Procedure:
    """Ways from outside and from inside choose in blocks of their own, so that the head is all that is entered."""
    way = Variable(name, UNBOUNDED)
    into = {label: f"{name}.into.{number}" for number, label in enumerate(loop.entries)}
    again = {label: f"{name}.again.{number}" for number, label in enumerate(loop.entries)}
    blocks = [_redirected(each, again if each.label in loop.labels else into) for each in procedure.blocks]
    for number, label in enumerate(loop.entries):
        chosen = (Assign(way, Constant(number, UNBOUNDED)),)
        blocks += [Block(each, chosen, Goto(f"{name}.0")) for each in (into[label], again[label])]
    last = len(loop.entries) - 2
    for number, label in enumerate(loop.entries[:-1]):
        following = f"{name}.{number + 1}" if number < last else loop.entries[-1]
        here = binary(Operator.EQUAL, way, Constant(number, UNBOUNDED))
        blocks.append(Block(f"{name}.{number}", (), Branch(here, label, following)))
    entry = into.get(procedure.entry, procedure.entry)
    return reached_only(replace(procedure, blocks=tuple(blocks), locals=(*procedure.locals, way), entry=entry))


def _redirected(block: Block, labels: Mapping[str, str]) -> Block:
    return replace(block, terminator=retarget(block.terminator, lambda label: labels.get(label, label)))
