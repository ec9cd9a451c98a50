"""Loops that are not written out: any round of them is taken for all, with facts that hold before each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from sorrel.model.values import dataclass
from sorrel.program.effects import effects
from sorrel.program.expression import (
    COMPARISONS,
    CONNECTIVES,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Select,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.liveness import live_variables
from sorrel.program.nesting import Nesting, nesting
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Assign, Block, Branch, Call, Choice, Goto, Havoc, Stop
from sorrel.program.traversal import read, steps, subexpressions, written
from sorrel.program.types import BOOLEAN, Array, Boolean, Machine, Unbounded
from sorrel.program.typing import complaint

Fact: TypeAlias = tuple[Expression, ...]
"""Conditions that are claimed together, over variables that live at the head of a loop."""
_TOTAL = frozenset({Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY})
_OVER = "after.the.loop"
MANY_ROUNDS, MANY_BLOCKS = 40, 6
"""A loop that may go on for so long, does so much in a round, and is left by an input, is one without an end."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The head of a loop of the main procedure, what the loop changes, and what is claimed before each round."""

    label: str
    changed: tuple[Variable, ...]
    facts: tuple[Fact, ...] = ()


Cuts: TypeAlias = Mapping[str, Cut]


def cut_at(program: Program, label: str, facts: tuple[Fact, ...] = ()) -> Cut | None:
    """All that a round may change is open there; None if that is no loop, or one that is entered elsewhere, too."""
    main = program.procedure[program.main]
    found = nesting(main)
    if label not in found.heads or not found.is_head(label):
        return None
    inside = [block for block in main.blocks if label in found.heads.get(block.label, ())]
    labels = {block.label for block in inside}
    outside = (block for block in main.blocks if block.label in found.heads and block.label not in labels)
    if any(labels.intersection(successors(block.terminator)) - {label} for block in outside):
        return None
    known = effects(program)
    changed: dict[str, Variable] = {}
    for block in inside:
        for step in steps(block):
            own = known[step.procedure].writes if isinstance(step, Call) else ()
            changed |= {each.name: each for each in (*written(step), *own)}
    return Cut(label, tuple(changed[name] for name in sorted(changed)), facts)


def rounds_alone(program: Program, label: str) -> Program:
    """Without what the main procedure does after the loop: its runs end where they leave it, and may be looked at."""
    main = program.procedure[program.main]
    heads = nesting(main).heads
    inside = {block.label for block in main.blocks if label in heads.get(block.label, ())}
    blocks = [_ending(block, inside) if block.label in inside else block for block in main.blocks]
    looked_at = sorted(live_variables(main)[label], key=lambda variable: variable.name)
    over = Block(_OVER, tuple(Assign(each, each) for each in looked_at), Stop())
    ended = replace(main, blocks=(*blocks, over))
    return replace(program, procedures=tuple(ended if each is main else each for each in program.procedures))


def _ending(block: Block, inside: set[str]) -> Block:
    match block.terminator:
        case Goto(target, span):
            return replace(block, terminator=Goto(target if target in inside else _OVER, span))
        case Branch(condition, then, otherwise, span):
            one, other = (target if target in inside else _OVER for target in (then, otherwise))
            return replace(block, terminator=Branch(condition, one, other, span))
        case _:
            return block


def is_plain(fact: Fact) -> bool:
    """Whether it is true or false in every state: no run ends, or is taken for another, because it is computed.

    Elements are there for every index. Sums, differences and products are those of integers without bounds, or of
    unsigned ones, which wrap around, as conversions do. A signed result that does not fit would end a run.
    """
    return all(
        part.type == BOOLEAN and all(_has_value(each) and not complaint(each) for each in subexpressions(part))
        for part in fact
    )


def is_about_head(program: Program, cut: Cut) -> bool:
    """Whether all that is claimed is about what lives at the head of the loop."""
    there = {*live_variables(program.procedure[program.main])[cut.label], *program.globals}
    named = {each for fact in cut.facts for part in fact for each in subexpressions(part) if isinstance(each, Variable)}
    return named <= there


def _has_value(expression: Expression) -> bool:
    match expression:
        case Variable() | Constant() | Select():
            return True
        case Unary(operator):
            return operator is UnaryOperator.NOT
        case Convert(operand, type):
            return isinstance(type, Machine | Unbounded) and isinstance(operand.type, Machine | Unbounded | Boolean)
        case Binary(operator, left):
            if operator in COMPARISONS or operator in CONNECTIVES:
                return not isinstance(left.type, Array)
            wraps = isinstance(left.type, Machine) and not left.type.signed
            return operator in _TOTAL and (wraps or isinstance(left.type, Unbounded))
        case Conditional(_, then):
            return isinstance(then.type, Machine | Unbounded | Boolean)
        case _:
            return False


def endless_loops(program: Program) -> tuple[str, ...]:
    """Outermost loops of the main procedure that go on as long as an input says so, also if they end after many rounds.

    Short ones are better written out, and so are those that do nothing but read.
    """
    main = program.procedure[program.main]
    found = nesting(main)
    heads = [label for label, around in found.heads.items() if around == (label,)]
    return tuple(label for label in heads if _is_endless(main, found, label))


def _is_endless(main: Procedure, found: Nesting, label: str) -> bool:
    inside = [block for block in main.blocks if label in found.heads.get(block.label, ())]
    head = main.block[label]
    if _is_left_by_input(head, found, label):
        return True
    calls = any(isinstance(step, Call) for block in inside for step in block.statements)
    is_long = (calls or len(inside) >= MANY_BLOCKS) and _most_rounds(head) >= MANY_ROUNDS
    return is_long and any(_is_left_by_input(each, found, label) for each in inside)


def _is_left_by_input(block: Block, found: Nesting, label: str) -> bool:
    inputs = {each.target for each in block.statements if isinstance(each, Havoc) and each.choice is Choice.INPUT}
    leaves = any(label not in found.heads.get(target, ()) for target in successors(block.terminator))
    return isinstance(block.terminator, Branch) and leaves and not inputs.isdisjoint(read(block.terminator))


def _most_rounds(head: Block) -> int:
    """What the condition compares with, if that is a number."""
    match head.terminator:
        case Branch(Binary(operator, _, Constant(value))) if operator in COMPARISONS:
            return int(value)
        case _:
            return 0
