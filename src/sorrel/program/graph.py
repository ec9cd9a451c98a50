"""Who calls whom; and the flow graph of a procedure: which blocks are reached, in what order, and which ones are passed
on every way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.model.components import reached
from sorrel.program.program import Procedure, Program, successors


def called(program: Program, start: str | None = None) -> tuple[str, ...]:
    """The procedures that a run can enter from the main one, or from another, which comes first."""
    return reached([start or program.main], lambda name: program.procedure[name].callees)


def reverse_postorder(procedure: Procedure) -> tuple[str, ...]:
    """The labels reached from the entry; without loops, each stands after all its predecessors."""
    return procedure.order


def loop_heads(procedure: Procedure) -> frozenset[str]:
    """Targets of edges that go back in the order of the labels: every cycle passes one of them."""
    order = {label: number for number, label in enumerate(reverse_postorder(procedure))}
    return frozenset(
        target
        for label in order
        for target in successors(procedure.block[label].terminator)
        if order[target] <= order[label]
    )


def predecessors(procedure: Procedure) -> Mapping[str, tuple[str, ...]]:
    """For each label that is reached, the reached ones that lead to it."""
    found: dict[str, dict[str, None]] = {label: {} for label in reverse_postorder(procedure)}
    for label in found:
        for target in successors(procedure.block[label].terminator):
            found[target][label] = None
    return {label: tuple(before) for label, before in found.items()}


def reached_only(procedure: Procedure) -> Procedure:
    """The procedure without the blocks that no way from the entry leads to."""
    reached = set(reverse_postorder(procedure))
    return replace(procedure, blocks=tuple(block for block in procedure.blocks if block.label in reached))


def immediate_dominators(procedure: Procedure) -> Mapping[str, str]:
    """For each label that is reached, the nearest other one on every way to it; the entry has itself.

    Cooper, Harvey and Kennedy, A simple, fast dominance algorithm, 2001.
    """
    order = reverse_postorder(procedure)
    number = {label: position for position, label in enumerate(order)}
    before = predecessors(procedure)
    nearest: dict[str, str] = {procedure.entry: procedure.entry}

    def common(left: str, right: str) -> str:
        while left != right:
            while number[left] > number[right]:
                left = nearest[left]
            while number[right] > number[left]:
                right = nearest[right]
        return left

    changed = True
    while changed:
        changed = False
        for label in order[1:]:
            known = [each for each in before[label] if each in nearest]
            best = known[0]
            for each in known[1:]:
                best = common(best, each)
            if nearest.get(label) != best:
                nearest[label] = best
                changed = True
    return nearest
