"""Blocks that end where they call, so that all that a call leads to meets before anything else is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import fresh_name
from sorrel.program.statement import Block, Call, Goto


def with_calls_last(program: Program) -> Program:
    """The same program: what stands behind a call in its block is a block of its own. Labels stay where they were."""
    return replace(program, procedures=tuple(map(_split, program.procedures)))


def _split(procedure: Procedure) -> Procedure:
    taken = {block.label for block in procedure.blocks}
    return replace(procedure, blocks=tuple(part for block in procedure.blocks for part in _parts(block, taken)))


def _parts(block: Block, taken: set[str]) -> Iterator[Block]:
    label, first = block.label, 0
    for position, statement in enumerate(block.statements):
        if isinstance(statement, Call):
            rest = fresh_name(f"{block.label}.after", taken)
            yield replace(
                block,
                label=label,
                statements=block.statements[first : position + 1],
                terminator=Goto(rest, statement.span),
            )
            label, first = rest, position + 1
    yield replace(block, label=label, statements=block.statements[first:])
