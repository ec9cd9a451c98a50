"""Conditions put into the program, as assertions where they are said to hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sorrel.contracts.meaning import Meaning
from sorrel.contracts.vocabulary import saved
from sorrel.model.errors import NOWHERE, Span
from sorrel.program.construction import every
from sorrel.program.expression import Constant, Expression
from sorrel.program.program import CONTRACT, Procedure, Program
from sorrel.program.statement import Assert, Assign, Block, Goto, Kind, Return, Statement
from sorrel.program.traversal import free_variables, substitute
from sorrel.program.types import UNBOUNDED

INSTANCES = range(-1, 9)
"""The values at which a condition for all numbers is looked at."""
ENTERED = "entered.."


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said to hold in a procedure: at the start of a block, or by its contract when it returns.

    `at_entry`: by its contract, when it is called.
    """

    procedure: str
    label: str
    said: Meaning
    text: str
    span: Span = NOWHERE
    at_entry: bool = False

    @property
    def assertion(self) -> Assert:
        return Assert(_instances(self.said), Kind.ASSERTION, self.text, self.span)


def with_claims(program: Program, claims: Sequence[Claim]) -> Program:
    """The program with an assertion for each claim; the parts of the user come after those of the claims."""
    changed = []
    for procedure in program.procedures:
        own = [claim for claim in claims if claim.procedure == procedure.name]
        changed.append(_procedure(program, procedure, own) if own else procedure)
    return replace(program, procedures=tuple(changed))


def _instances(said: Meaning) -> Expression:
    found = [said.holds]
    for variable in said.bound:
        found = [substitute(each, {variable: Constant(n, UNBOUNDED)}) for each in found for n in INSTANCES]
    return every(found)


def _procedure(program: Program, procedure: Procedure, claims: Sequence[Claim]) -> Procedure:
    """The values at the entry are kept in a block of its own: a loop may come back to the entry."""
    started = {saved(variable): variable for variable in (*procedure.variables, *program.globals)}
    used = dict.fromkeys(variable for claim in claims for variable in free_variables(claim.said.holds))
    kept = [variable for variable in used if variable in started]
    entering: list[Statement] = [Assign(variable, started[variable]) for variable in kept]
    entering += [claim.assertion for claim in claims if claim.at_entry]
    first = Block(ENTERED, tuple(entering), Goto(procedure.entry))
    blocks = tuple(_block(block, claims) for block in procedure.blocks)
    return replace(procedure, locals=(*procedure.locals, *kept), blocks=(first, *blocks), entry=ENTERED)


def _block(block: Block, claims: Sequence[Claim]) -> Block:
    before = [claim.assertion for claim in claims if claim.label == block.label and not claim.at_entry]
    leaves = isinstance(block.terminator, Return)
    after = [claim.assertion for claim in claims if leaves and claim.label == CONTRACT and not claim.at_entry]
    return replace(block, statements=(*before, *block.statements, *after))
