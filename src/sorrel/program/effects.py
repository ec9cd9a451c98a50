"""What a procedure does beyond its parameters and outputs: the globals it touches, and whether it may fail."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assert, Call
from sorrel.program.traversal import read, steps, written


@dataclass(frozen=True, slots=True)
class Effects:
    """Of a procedure with all that it calls; globals stand in the order in which the program declares them."""

    reads: tuple[Variable, ...]
    writes: tuple[Variable, ...]
    may_fail: bool


@dataclass(slots=True)
class _Found:
    reads: set[Variable]
    writes: set[Variable]
    callees: set[str]
    may_fail: bool


def effects(program: Program) -> Mapping[str, Effects]:
    """The effects of each procedure, by name: the least ones closed under calls."""
    globals = frozenset(program.globals)
    found = {procedure.name: _own(procedure, globals) for procedure in program.procedures}
    callers: dict[str, list[str]] = {name: [] for name in found}
    for name, own in found.items():
        for callee in own.callees:
            callers[callee].append(name)
    work = dict.fromkeys(found)
    while work:
        name, _ = work.popitem()
        for caller in callers[name]:
            if _absorb(found[caller], found[name]):
                work[caller] = None
    return {name: _in_order(program, all_of_it) for name, all_of_it in found.items()}


def _own(procedure: Procedure, globals: frozenset[Variable]) -> _Found:
    found = _Found(set(), set(), set(), False)
    for label in reverse_postorder(procedure):
        for step in steps(procedure.block[label]):
            found.reads.update(globals.intersection(read(step)))
            found.writes.update(globals.intersection(written(step)))
            if isinstance(step, Call):
                found.callees.add(step.procedure)
            elif isinstance(step, Assert):
                found.may_fail = True
    return found


def _absorb(caller: _Found, callee: _Found) -> bool:
    """Add the callee's effects to the caller's; whether that made them more."""
    before = (len(caller.reads), len(caller.writes), caller.may_fail)
    caller.reads |= callee.reads
    caller.writes |= callee.writes
    caller.may_fail |= callee.may_fail
    return before != (len(caller.reads), len(caller.writes), caller.may_fail)


def _in_order(program: Program, found: _Found) -> Effects:
    return Effects(
        tuple(variable for variable in program.globals if variable in found.reads),
        tuple(variable for variable in program.globals if variable in found.writes),
        found.may_fail,
    )
