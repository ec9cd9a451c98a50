"""Which variables a procedure may have changed by the time it reaches a block."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.program.effects import Effects
from sorrel.program.graph import reverse_postorder
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Call
from sorrel.program.traversal import written


def modified(procedure: Procedure, effects: Mapping[str, Effects]) -> Mapping[str, frozenset[str]]:
    """For each label that is reached, the names of variables that some way from the entry writes."""
    order = reverse_postorder(procedure)
    own = {label: _written(procedure, label, effects) for label in order}
    found: dict[str, frozenset[str]] = {label: frozenset() for label in order}
    work = dict.fromkeys(order)
    while work:
        label = next(iter(work))
        del work[label]
        after = found[label] | own[label]
        for target in successors(procedure.block[label].terminator):
            if not after <= found[target]:
                found[target] |= after
                work[target] = None
    return found


def _written(procedure: Procedure, label: str, effects: Mapping[str, Effects]) -> frozenset[str]:
    names: set[str] = set()
    for statement in procedure.block[label].statements:
        names.update(variable.name for variable in written(statement))
        if isinstance(statement, Call):
            names.update(variable.name for variable in effects[statement.procedure].writes)
    return frozenset(names)
