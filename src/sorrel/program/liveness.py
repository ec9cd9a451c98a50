"""Which variables may still be read before they are written, at the start of each block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sorrel.program.expression import Variable
from sorrel.program.graph import predecessors, reverse_postorder
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Call, Havoc, Return, Statement, Terminator
from sorrel.program.traversal import read, steps, written


def live_variables(
    procedure: Procedure,
    *,
    at_return: Iterable[Variable] = (),
    read_by: Callable[[str], Iterable[Variable]] = lambda callee: (),
) -> Mapping[str, frozenset[Variable]]:
    """For each label that is reached, the variables that live at its start.

    The outputs live at each Return, and so do those `at_return`: the globals that the caller may read. `read_by` gives
    the globals that a callee may read. A call kills nothing but its results: what it writes it may also leave alone.
    """
    labels = reverse_postorder(procedure)
    before = predecessors(procedure)
    last = frozenset((*procedure.outputs, *at_return))
    facts = {label: _used_and_written(procedure, label, last, read_by) for label in labels}
    live: dict[str, frozenset[Variable]] = {label: frozenset() for label in labels}
    work = dict.fromkeys(labels)
    while work:
        label, _ = work.popitem()  # the last one first: facts flow backwards
        after = frozenset().union(*(live[each] for each in successors(procedure.block[label].terminator)))
        used, killed = facts[label]
        now = used | (after - killed)
        if now != live[label]:
            live[label] = now
            work.update(dict.fromkeys(before[label]))
    return live


def _used_and_written(
    procedure: Procedure, label: str, last: frozenset[Variable], read_by: Callable[[str], Iterable[Variable]]
) -> tuple[frozenset[Variable], frozenset[Variable]]:
    """What the block reads before it writes it, and what it writes."""
    used: set[Variable] = set()
    killed: set[Variable] = set()
    for step in reversed(steps(procedure.block[label])):
        used.difference_update(written(step))
        killed.update(written(step))
        used.update(reads(step, last, read_by))
    return frozenset(used), frozenset(killed)


def reads(
    step: Statement | Terminator, last: frozenset[Variable], read_by: Callable[[str], Iterable[Variable]]
) -> tuple[Variable, ...]:
    """What the step reads, by itself or through what it calls or returns to; `last` are those read after Return."""
    match step:
        case Call(callee):
            return (*read(step), *read_by(callee))
        case Return():
            return tuple(last)
        case _:
            return read(step)


def is_determined(program: Program) -> bool:
    """Whether no variable gets a value that is chosen: but for functions that nobody defines there is one run only."""
    if program.procedure[program.main].parameters:
        return False
    if any(program.initial.get(variable.name) is None for variable in program.globals):
        return False
    return not any(open_starts(each) or _chooses(each) for each in program.procedures)


def _chooses(procedure: Procedure) -> bool:
    return any(isinstance(statement, Havoc) for block in procedure.blocks for statement in block.statements)


def open_starts(procedure: Procedure) -> tuple[Variable, ...]:
    """The outputs and locals whose first value may be read: each call chooses one for them, in this order.

    What all other outputs and locals start with cannot be observed.
    """
    live = live_variables(procedure)[procedure.entry]
    given = frozenset(procedure.parameters)
    return tuple(variable for variable in procedure.variables if variable in live and variable not in given)
