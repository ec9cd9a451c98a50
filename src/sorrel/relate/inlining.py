"""Calls that lead to no recursion, replaced by what they do.

A law about functions without loops is then one question without any procedure, whose proof needs no summaries. Runs are
the same, choice for choice: what a procedure starts with and may read is chosen where the call was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from sorrel.program.expression import Expression, Variable
from sorrel.program.inline import leading_to_recursion
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Call, Choice, Goto, Havoc, Return, Statement
from sorrel.program.traversal import rename, retarget, rewrite_terminator, substitute

MOST_BLOCKS = 5_000
"""A procedure that would become larger keeps its calls."""


def inlined(
    program: Program, reshape: Callable[[Procedure], Procedure] = lambda procedure: procedure
) -> tuple[Program, Mapping[str, str]]:
    """The program in which every procedure that leads to no recursion is part of its callers.

    With it, for each variable that is new, the name of the one that it stands for. `reshape` is asked about each
    procedure before it becomes part of others.
    """
    kept = leading_to_recursion(program)
    done: dict[str, Procedure] = {}
    names: dict[str, str] = {}
    for name in _callees_first(program):
        inlining = _Inlining(program.procedure[name], done, kept)
        done[name] = reshape(inlining.result())
        names.update({new: names.get(old, old) for new, old in inlining.stands_for.items()})
    return replace(program, procedures=tuple(done[procedure.name] for procedure in program.procedures)), names


def _callees_first(program: Program) -> Iterator[str]:
    seen: set[str] = set()
    for root in program.procedure:
        stack = [(root, False)]
        while stack:
            name, ready = stack.pop()
            if ready:
                yield name
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                stack += [(callee, False) for callee in program.procedure[name].callees]


class _Inlining:
    """One procedure with the bodies of its callees, which have been treated before."""

    def __init__(self, procedure: Procedure, done: dict[str, Procedure], kept: frozenset[str]) -> None:
        self._procedure = procedure
        self._done = done
        self._kept = kept
        self._locals: list[Variable] = list(procedure.locals)
        self.stands_for: dict[str, str] = {}
        self._blocks: list[Block] = []
        self._count = 0

    def result(self) -> Procedure:
        for block in self._procedure.blocks:
            self._block(block)
        return replace(self._procedure, blocks=tuple(self._blocks), locals=tuple(self._locals))

    def _block(self, block: Block) -> None:
        label, statements = block.label, list[Statement]()
        for statement in block.statements:
            if not isinstance(statement, Call) or not self._is_taken(statement):
                statements.append(statement)
                continue
            self._count += 1
            after = f"{block.label}.call.{self._count}"
            entry, given = self._body(statement, after)
            self._blocks.append(Block(label, (*statements, *given), Goto(entry)))
            label, statements = after, []
        self._blocks.append(Block(label, tuple(statements), block.terminator))

    def _is_taken(self, call: Call) -> bool:
        callee = self._done.get(call.procedure)
        room = callee is not None and len(self._blocks) + len(callee.blocks) <= MOST_BLOCKS
        return room and call.procedure not in self._kept

    def _body(self, call: Call, after: str) -> tuple[str, list[Statement]]:
        """Adds the blocks of the callee; where they begin, and what happens before them."""
        callee = self._done[call.procedure]
        prefix = f"{callee.name}.{self._count}"
        mine = {v: Variable(f"{prefix}.{v.name}", v.type) for v in callee.variables}
        as_expressions: dict[Variable, Expression] = dict(mine)
        self._locals += mine.values()
        self.stands_for.update({new.name: old.name for old, new in mine.items()})
        outputs = [
            Assign(target, mine[own], call.span)
            for target, own in zip(call.results, callee.outputs, strict=True)
            if target is not None
        ]
        for block in callee.blocks:
            statements = [rename(statement, mine) for statement in block.statements]
            terminator = rewrite_terminator(block.terminator, lambda e: substitute(e, as_expressions))
            if isinstance(terminator, Return):
                statements += outputs
                terminator = Goto(after, terminator.span)
            else:
                terminator = retarget(terminator, lambda label: f"{prefix}.{label}")
            self._blocks.append(Block(f"{prefix}.{block.label}", tuple(statements), terminator))
        given: list[Statement] = [
            Assign(mine[parameter], argument, call.span)
            for parameter, argument in zip(callee.parameters, call.arguments, strict=True)
        ]
        given += [Havoc(mine[v], Choice.UNINITIALISED, v.name, call.span) for v in open_starts(callee)]
        return f"{prefix}.{callee.entry}", given
