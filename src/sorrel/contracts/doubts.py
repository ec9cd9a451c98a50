"""Procedures of which something is taken for granted that we cannot read: runs through them show nothing.

A proof holds of all that such a procedure may do, and so of what it does. A run may do what is excluded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.contracts.checks import entered
from sorrel.program.expression import Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assume, Block, Choice, Goto, Havoc, Statement
from sorrel.program.types import BOOLEAN

UNREAD = "what is said in words that are not understood: "
"""What the source of such a choice begins with. No compiler knows either whether it holds."""
_DOUBT = Variable("doubt..", BOOLEAN)


def with_doubts(program: Program, doubts: Mapping[str, str]) -> Program:
    """The named procedures are entered if something holds that is not modelled: the text that says it.

    What functions return that are no procedures is not modelled either.
    """
    return replace(program, procedures=tuple(_doubted(each, doubts) for each in program.procedures))


def _doubted(procedure: Procedure, doubts: Mapping[str, str]) -> Procedure:
    blocks = tuple(_block(block, doubts) for block in procedure.blocks)
    if procedure.name not in doubts:
        return replace(procedure, blocks=blocks)
    span, source = procedure.span, UNREAD + doubts[procedure.name]
    asked = (Havoc(_DOUBT, Choice.ABSTRACTION, source, span), Assume(_DOUBT, "", span))
    first = Block(entered(procedure), asked, Goto(procedure.entry))
    locals = (*procedure.locals, _DOUBT)
    return replace(procedure, locals=locals, blocks=(first, *blocks), entry=first.label)


def _block(block: Block, doubts: Mapping[str, str]) -> Block:
    return replace(block, statements=tuple(_statement(each, doubts) for each in block.statements))


def _statement(statement: Statement, doubts: Mapping[str, str]) -> Statement:
    if isinstance(statement, Havoc) and statement.source in doubts:
        return replace(statement, choice=Choice.ABSTRACTION, source=UNREAD + doubts[statement.source])
    return statement
