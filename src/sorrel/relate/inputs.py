"""Which inputs are public: named by the user in place of calls in the program."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from sorrel.model.errors import InputError
from sorrel.program.program import Program
from sorrel.program.statement import READS, Block, Choice, Havoc, Observe, Purpose, Statement

_FROM_OUTSIDE = (Choice.INPUT, Choice.EXTERNAL)


def declared(program: Program, public: Collection[str], secret: Collection[str]) -> Program:
    """The program in which inputs that are public are low where they come in.

    An input is named by the parameter of the function that is verified, which stands for what it points to as well, or
    by the function that returns it. If secrets are named, all others are public.
    """
    if not public and not secret:
        return program
    known = dict.fromkeys(name for p in program.procedures for b in p.blocks for s in b.statements for name in _name(s))
    for name in (*public, *secret):
        if name not in known:
            there = ", ".join(known) or "none"
            raise InputError(f"there is no input {name}", hint=f"The inputs are: {there}.")
        if name in public and name in secret:
            raise InputError(f"{name} is said to be both public and secret")

    def is_public(name: str) -> bool:
        return name in public or (bool(secret) and name not in secret)

    def block(each: Block) -> Block:
        statements: list[Statement] = []
        for statement in each.statements:
            statements.append(statement)
            if isinstance(statement, Havoc) and any(map(is_public, _name(statement))):
                statements.append(Observe(statement.target, Purpose.LOW, "", statement.span))
        return replace(each, statements=tuple(statements))

    procedures = (replace(each, blocks=tuple(map(block, each.blocks))) for each in program.procedures)
    return replace(program, procedures=tuple(procedures))


def _name(statement: Statement) -> tuple[str, ...]:
    """The name of the input that the statement brings in; what only we have words for has none, and stays secret."""
    if isinstance(statement, Havoc) and statement.choice in _FROM_OUTSIDE:
        found = _PLACE.fullmatch(statement.source.removeprefix(READS))
        return (found[1],) if found else ()
    return ()


_PLACE = re.compile(r"[*&(]*([A-Za-z_]\w*)(?:->\w+|\.\w+|\[\w*\]|\))*(?: offset)?")
