"""Which inputs are public: named by the user in place of calls in the program."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from sorrel.contracts.checks import entered
from sorrel.model.errors import InputError
from sorrel.program.expression import Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import READS, Block, Choice, Goto, Havoc, Observe, Purpose, Statement

_FROM_OUTSIDE = (Choice.INPUT, Choice.EXTERNAL)


def declared(program: Program, public: Collection[str], secret: Collection[str]) -> Program:
    """The program in which inputs that are public are low where they come in.

    An input is named by the parameter of the function that is verified, which stands for what it points to as well, by
    the function that returns it, or by a variable of the file that has any value before the call. If secrets are named,
    all others are public.
    """
    if not public and not secret:
        return program
    brought = (name for p in program.procedures for b in p.blocks for s in b.statements for name in _name(s))
    there_before = {each: found[0] for each in _open(program) if (found := _OWNER.match(each.name))}
    known = dict.fromkeys((*brought, *there_before.values()))
    for name in (*public, *secret):
        if name not in known:
            there = ", ".join(known) or "none"
            raise InputError(f"there is no input {name}", hint=f"The inputs are: {there}.")
        if name in public and name in secret:
            raise InputError(f"{name} is declared both public and secret")

    def is_public(name: str) -> bool:
        return name in public or (bool(secret) and name not in secret)

    def block(each: Block) -> Block:
        statements: list[Statement] = []
        for statement in each.statements:
            statements.append(statement)
            if isinstance(statement, Havoc) and any(map(is_public, _name(statement))):
                statements.append(Observe(statement.target, Purpose.LOW, "", statement.span))
        return replace(each, statements=tuple(statements))

    low = tuple(Observe(each, Purpose.LOW) for each, name in there_before.items() if is_public(name))

    def procedure(each: Procedure) -> Procedure:
        blocks = tuple(map(block, each.blocks))
        if each.name != program.main or not low:
            return replace(each, blocks=blocks)
        first = Block(entered(each), low, Goto(each.entry))
        return replace(each, blocks=(first, *blocks), entry=first.label)

    return replace(program, procedures=tuple(map(procedure, program.procedures)))


def _open(program: Program) -> Iterator[Variable]:
    """Variables of the file that have any value when a run begins; what only we have words for is brought in later."""
    own = {part.variable for part in program.entry_parts}
    for variable in program.globals:
        if variable.name not in program.initial and variable.name not in own and "$" not in variable.name:
            yield variable


def _name(statement: Statement) -> tuple[str, ...]:
    """The name of the input that the statement brings in; what only we have words for has none, and stays secret."""
    if isinstance(statement, Havoc) and statement.choice in _FROM_OUTSIDE:
        found = _PLACE.fullmatch(statement.source.removeprefix(READS))
        return (found[1],) if found else ()
    return ()


_OWNER = re.compile(r"(?!(?:input|memory|block|string|literal|temporary)\.)[A-Za-z_]\w*(?=\.[^.]|$)")
_PLACE = re.compile(r"[*&(]*([A-Za-z_]\w*)(?:->\w+|\.\w+|\[\w*\]|\))*(?: offset)?")
