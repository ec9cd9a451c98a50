"""Chains like `p->next->data` step by step: the pointer that is followed is always a variable.

Reading an element of an array has a value whatever the index, so that it may be done before it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorrel.program.expression import Binary, Constant, Expression, Operator, Select, Store, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Statement
from sorrel.program.traversal import free_variables, rewrite, rewrite_statement, rewrite_terminator, written
from sorrel.program.types import UNBOUNDED


def hoisted(program: Program) -> Program:
    """The same program; an index is a variable to which a number may be added, where it was read from an array."""
    return replace(program, procedures=tuple(_Hoisting(procedure).done() for procedure in program.procedures))


class _Hoisting:
    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._added: dict[Expression, Variable] = {}
        self._before: list[Statement] = []
        self._known: set[Variable] = set()

    def done(self) -> Procedure:
        blocks = tuple(map(self._block, self._procedure.blocks))
        return replace(self._procedure, blocks=blocks, locals=(*self._procedure.locals, *self._added.values()))

    def _block(self, block: Block) -> Block:
        statements: list[Statement] = []
        self._known = set()
        for statement in block.statements:
            self._before = []
            changed = rewrite_statement(statement, self._change)
            statements += [*self._before, changed]
            self._forget(written(statement))
        self._before = []
        terminator = rewrite_terminator(block.terminator, self._change)
        return replace(block, statements=(*statements, *self._before), terminator=terminator)

    def _forget(self, changed: Sequence[Variable]) -> None:
        """What was read where something has changed is read again when it is needed."""
        for read, variable in self._added.items():
            if not set(changed).isdisjoint(free_variables(read)):
                self._known.discard(variable)

    def _change(self, expression: Expression) -> Expression:
        def step(node: Expression) -> Expression:
            match node:
                case Select(array, index, type):
                    return Select(array, self._index(index), type)
                case Store(array, index, value, type):
                    return Store(array, self._index(index), value, type)
                case Binary(Operator.MORE | Operator.DIFFERENT, Select() as read, Constant(0)):
                    return replace(node, left=self._variable(read))  # the check that comes before it is followed
                case _:
                    return node

        return rewrite(expression, step)

    def _index(self, index: Expression) -> Expression:
        match index:
            case Select():
                return self._variable(index)
            case Binary(Operator.ADD, Select() as base, Constant()):
                return replace(index, left=self._variable(base))
            case _:
                return index

    def _variable(self, read: Select) -> Expression:
        """Set in front of the statement, once."""
        if read.type != UNBOUNDED:
            return read
        name = f"followed.{len(self._added) + 1}"
        variable = self._added.setdefault(read, Variable(name, UNBOUNDED))
        if variable not in self._known:
            self._known.add(variable)
            self._before.append(Assign(variable, read))
        return variable
