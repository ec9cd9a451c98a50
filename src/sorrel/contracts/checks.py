"""Conditions put into the program, as assertions where they are said to hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from sorrel.contracts.meaning import Meaning
from sorrel.contracts.vocabulary import saved
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.construction import every
from sorrel.program.expression import Constant, Expression
from sorrel.program.program import CONTRACT, Procedure, Program
from sorrel.program.statement import Assert, Assign, Assume, Block, Choice, Goto, Havoc, Kind, Return, Statement
from sorrel.program.traversal import free_variables, substitute
from sorrel.program.types import UNBOUNDED

INSTANCES = range(-1, 9)
"""The values at which a condition for all numbers is looked at."""
ENTERED = "entered.."


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said to hold in a procedure: at the start of a block, or by its contract when it returns.

    `at_entry`: by its contract, when it is called. `exact`: what holds for all numbers is asserted of any of them, not
    only looked at for a few. `assumed`: it is taken for granted, where nobody can look. `kind` is what the assertion
    counts as, for properties that are about some kinds only.
    """

    procedure: str
    label: str
    said: Meaning
    text: str
    span: Span = NOWHERE
    at_entry: bool = False
    exact: bool = False
    assumed: bool = False
    kind: Kind = Kind.ASSERTION

    @property
    def assertion(self) -> Assert:
        condition = self.said.holds if self.exact else _instances(self.said)
        return Assert(condition, self.kind, self.text, self.span)

    @property
    def statements(self) -> tuple[Statement, ...]:
        if self.assumed:
            return (Assume(self.assertion.condition, "", self.span),)
        chosen = (Havoc(each, Choice.INPUT, each.name, self.span) for each in self.said.bound if self.exact)
        return (*chosen, self.assertion)


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
    entering += [each for claim in claims if claim.at_entry for each in claim.statements]
    first = Block(entered(procedure), tuple(entering), Goto(procedure.entry))
    blocks = tuple(_block(block, claims) for block in procedure.blocks)
    bound = dict.fromkeys(each for claim in claims if claim.exact for each in claim.said.bound)
    locals = tuple(dict.fromkeys((*procedure.locals, *kept, *bound)))
    return replace(procedure, locals=locals, blocks=(first, *blocks), entry=first.label)


def entered(procedure: Procedure) -> str:
    """A label for what comes before all else; there may be something of that kind already."""
    return next(label for n in count() if (label := f"{ENTERED}{n or ''}") not in procedure.block)


def _block(block: Block, claims: Sequence[Claim]) -> Block:
    here = [claim for claim in claims if claim.label == block.label and not claim.at_entry]
    before = [each for claim in here for each in claim.statements]
    leaves = isinstance(block.terminator, Return)
    final = [claim for claim in claims if leaves and claim.label == CONTRACT and not claim.at_entry]
    after = [each for claim in final for each in claim.statements]
    return replace(block, statements=(*before, *block.statements, *after))
