"""The property that a program ends with status 0, as assertions where it ends."""

from __future__ import annotations

from dataclasses import replace

from sorrel.model.errors import Span
from sorrel.program.construction import binary
from sorrel.program.expression import Constant, Convert, Expression, Operator
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assert, Block, Kind, Return, Stop
from sorrel.program.types import Machine

MESSAGE = "the program ends with status 0"
_BYTE = Machine(8, False)


def returning_zero(program: Program) -> Program:
    """The program, with assertions that its status is 0: where main returns, and wherever the program stops."""
    procedures = tuple(_procedure(each, is_main=each.name == program.main) for each in program.procedures)
    return replace(program, procedures=procedures)


def _procedure(procedure: Procedure, is_main: bool) -> Procedure:
    result = procedure.outputs[0] if is_main and procedure.outputs else None
    return replace(procedure, blocks=tuple(_block(block, result) for block in procedure.blocks))


def _block(block: Block, result: Expression | None) -> Block:
    match block.terminator:
        case Return(span) if result is not None:
            checked = _is_zero(result, span)
        case Stop(span, status) if status is not None:
            checked = _is_zero(status, span)
        case _:
            return block
    return replace(block, statements=(*block.statements, checked))


def _is_zero(status: Expression, span: Span) -> Assert:
    """Of a status the environment sees the lowest byte."""
    condition = binary(Operator.EQUAL, Convert(status, _BYTE), Constant(0, _BYTE))
    return Assert(condition, Kind.ASSERTION, MESSAGE, span)
