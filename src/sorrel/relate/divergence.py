"""Where runs part: blocks that one run may pass while the other is elsewhere.

In a product, a loop that both runs make is described by what they have in common. One that a run makes alone, in a
branch that a secret decides, needs to be described exactly. If its number of rounds is known, it is written out
instead: then nothing has to be found about it.

Which values may differ between runs is estimated, without regard to the order of statements: what comes from outside,
unless the program says that it is low or may be known, and whatever is computed from it or assigned where runs part.
An estimate is enough: writing out a loop is right for any loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sorrel.program.expression import Expression, Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.loops import loops
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.rounds import written_out
from sorrel.program.statement import Branch, Call, Havoc, Observe, Purpose, Statement
from sorrel.program.traversal import free_variables, read, written

Place = tuple[str, str]
"""A block: its procedure and its label."""


def met_alone_written_out(program: Program) -> Program:
    """The program in which loops that a run may make alone are written out if their number of rounds is known."""
    apart = _Parting(program).blocks()
    procedures = []
    for procedure in program.procedures:
        alone = {label for name, label in apart if name == procedure.name}
        wanted = {loop.header for loop in loops(procedure)} & alone if alone else set()
        procedures.append(written_out(procedure, wanted) if wanted else procedure)
    return replace(program, procedures=tuple(procedures))


class _Parting:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._globals = frozenset(program.globals)
        self._low = {key for procedure in program.procedures for key in self._agreed(procedure)}
        self._high: set[tuple[str, Variable]] = set()
        self._apart: set[Place] = set()
        self._regions = {procedure.name: _regions(procedure) for procedure in program.procedures}

    def blocks(self) -> frozenset[Place]:
        before = (-1, -1)
        while before != (len(self._high), len(self._apart)):
            before = (len(self._high), len(self._apart))
            for procedure in self._program.procedures:
                for block in procedure.blocks:
                    for statement in block.statements:
                        self._statement(procedure, block.label, statement)
                    if isinstance(block.terminator, Branch) and self._differs(procedure, block.terminator.condition):
                        region = self._regions[procedure.name][block.label]
                        self._apart |= {(procedure.name, label) for label in region}
        return frozenset(self._apart)

    def _key(self, procedure: Procedure, variable: Variable) -> tuple[str, Variable]:
        return ("" if variable in self._globals else procedure.name, variable)

    def _agreed(self, procedure: Procedure) -> Iterator[tuple[str, Variable]]:
        """What the program says to be low or known."""
        for block in procedure.blocks:
            for statement in block.statements:
                if isinstance(statement, Observe) and statement.purpose is not Purpose.COMPARED:
                    named = free_variables(statement.value)
                    if len(named) == 1:
                        yield self._key(procedure, named[0])

    def _differs(self, procedure: Procedure, *values: Expression) -> bool:
        return any(self._key(procedure, v) in self._high for v in free_variables(*values))

    def _mark(self, procedure: Procedure, variable: Variable) -> None:
        key = self._key(procedure, variable)
        if key not in self._low:
            self._high.add(key)

    def _statement(self, procedure: Procedure, label: str, statement: Statement) -> None:
        alone = (procedure.name, label) in self._apart
        if isinstance(statement, Call):
            self._call(procedure, alone, statement)
        elif (
            alone or isinstance(statement, Havoc) or any(self._key(procedure, v) in self._high for v in read(statement))
        ):
            for variable in written(statement):
                self._mark(procedure, variable)

    def _call(self, procedure: Procedure, alone: bool, call: Call) -> None:
        callee = self._program.procedure[call.procedure]
        if alone:
            self._apart |= {(callee.name, block.label) for block in callee.blocks}
        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            if self._differs(procedure, argument):
                self._mark(callee, parameter)
        for output, result in zip(callee.outputs, call.results, strict=True):
            if result is not None and (alone or self._key(callee, output) in self._high):
                self._mark(procedure, result)


def _regions(procedure: Procedure) -> Mapping[str, frozenset[str]]:
    """For each branch, the blocks between it and where all ways from it meet again."""
    order = reverse_postorder(procedure)
    everything = frozenset(order)
    passed = dict.fromkeys(order, everything)
    changed = True
    while changed:
        changed = False
        for label in reversed(order):
            ways = [passed[target] for target in successors(procedure.block[label].terminator)]
            found = (frozenset.intersection(*ways) if ways else frozenset()) | {label}
            if found != passed[label]:
                passed[label], changed = found, True
    return {
        label: _between(procedure, label, passed[label] - {label})
        for label in order
        if isinstance(procedure.block[label].terminator, Branch)
    }


def _between(procedure: Procedure, start: str, meeting: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    work = list(successors(procedure.block[start].terminator))
    while work:
        label = work.pop()
        if label not in found and label not in meeting:
            found.add(label)
            work += successors(procedure.block[label].terminator)
    return frozenset(found)
