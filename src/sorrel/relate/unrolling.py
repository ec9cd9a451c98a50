"""Loops followed for a number of rounds, with an assertion where there would be one more."""

from __future__ import annotations

from dataclasses import replace

from sorrel.program.construction import FALSE
from sorrel.program.loops import Loop, loops
from sorrel.program.program import Procedure
from sorrel.program.statement import Assert, Block, Kind, Stop
from sorrel.program.traversal import retarget

LIMIT = "round.limit"
BEYOND = Assert(FALSE, Kind.LEAK, "a loop has more iterations than were followed")
MOST_BLOCKS = 4_000


def unrolled(procedure: Procedure, rounds: int) -> Procedure | None:
    """The procedure without loops, from the outside in; None if it would be too large."""
    if not loops(procedure):
        return procedure
    procedure = replace(procedure, blocks=(*procedure.blocks, Block(LIMIT, (BEYOND,), Stop())))
    count = 0
    while found := loops(procedure):
        count += 1
        procedure = _without(procedure, found[0], rounds, count)
        if len(procedure.blocks) > MOST_BLOCKS:
            return None
    return procedure


def _without(procedure: Procedure, loop: Loop, rounds: int, count: int) -> Procedure:
    """The first round keeps its labels; a jump back to the head goes to the next round."""
    body = frozenset(loop.body)
    blocks = [block for block in procedure.blocks if block.label not in body]
    for number in range(rounds + 1):

        def name(label: str, number: int = number) -> str:
            if label == loop.header:
                return _round(label, number + 1, count) if number < rounds else LIMIT
            return _round(label, number, count) if label in body else label

        for label in loop.body:
            block = procedure.block[label]
            blocks.append(Block(_round(label, number, count), block.statements, retarget(block.terminator, name)))
    return replace(procedure, blocks=tuple(blocks))


def _round(label: str, number: int, count: int) -> str:
    """`count` tells the loops apart, whose copies are unrolled again."""
    return f"{label}.round{count}.{number}" if number else label
