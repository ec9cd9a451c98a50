"""Loops as tail calls: a procedure for each header, which does all that is left of the procedure around it.

`recursion` gives a loop a procedure that returns to the code behind it, with the variables it changed. Here nothing
comes back but the result of the whole procedure: what is said about results, such as a law, is then also what has to be
said about loops, however many ways lead out of them. What follows a loop is copied into the procedure of each loop
before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.model.errors import Span
from sorrel.program.expression import Variable
from sorrel.program.graph import reached_only
from sorrel.program.liveness import live_variables
from sorrel.program.loops import loops
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import LoopOrigin, fresh_name
from sorrel.program.statement import Block, Call, Return
from sorrel.program.traversal import retarget


def loops_as_tail_calls(program: Program) -> tuple[Program, Mapping[str, LoopOrigin]]:
    """The program without loops, with the same runs, and where the procedures come from that it has more."""
    taken = {procedure.name for procedure in program.procedures}
    origins: dict[str, LoopOrigin] = {}
    done: list[Procedure] = []
    for procedure in program.procedures:
        cut = _Cut(procedure, frozenset(program.globals), taken)
        done += [cut.beginning(), *(cut.rest(header) for header in cut.spans)]
        for header, span in cut.spans.items():
            origins[cut.names[header]] = LoopOrigin(procedure.name, header, span, ())
    return replace(program, procedures=tuple(done)), origins


class _Cut:
    """A procedure cut at the headers of its loops."""

    def __init__(self, procedure: Procedure, globals: frozenset[Variable], taken: set[str]) -> None:
        self._procedure = procedure
        self.spans: dict[str, Span] = {loop.header: loop.span for loop in loops(procedure)}
        self.names = {header: fresh_name(f"{procedure.name}.rest", taken) for header in self.spans}
        live = live_variables(procedure) if self.spans else {}
        self._inputs = {
            header: tuple(v for v in procedure.variables if v in live[header] and v not in globals)
            for header in self.spans
        }
        labels = set(procedure.block)
        self._again = {header: fresh_name(f"{header}.again", labels) for header in self.spans}

    def beginning(self) -> Procedure:
        """What is done before the first header; the procedure itself if it has no loop."""
        procedure = self._procedure
        entry = self._again.get(procedure.entry, procedure.entry)
        return self._from(entry, procedure) if self.spans else procedure

    def rest(self, header: str) -> Procedure:
        """What is done from a header on, up to the end or to the next header."""
        named = replace(
            self._procedure,
            name=self.names[header],
            parameters=self._inputs[header],
            span=self.spans[header],
        )
        return self._from(header, named)

    def _from(self, entry: str, named: Procedure) -> Procedure:
        blocks = [
            replace(block, terminator=retarget(block.terminator, lambda to: self._again.get(to, to)))
            for block in named.blocks
        ]
        blocks += [self._go_on(header) for header in self.spans]
        others = {*named.parameters, *named.outputs}
        locals_ = tuple(variable for variable in self._procedure.variables if variable not in others)
        return reached_only(replace(named, blocks=tuple(blocks), entry=entry, locals=locals_))

    def _go_on(self, header: str) -> Block:
        outputs, span = self._procedure.outputs, self.spans[header]
        return Block(
            self._again[header], (Call(self.names[header], self._inputs[header], outputs, span),), Return(span)
        )
