"""Loops that are not written out: any round of them is taken for all, with facts that hold before each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from sorrel.model.values import dataclass
from sorrel.program.effects import effects
from sorrel.program.expression import COMPARISONS, Binary, Constant, Expression, Select, Variable
from sorrel.program.nesting import Nesting, nesting
from sorrel.program.program import Program, successors
from sorrel.program.statement import Branch, Call, Choice, Havoc
from sorrel.program.traversal import read, steps, subexpressions, written

Fact: TypeAlias = tuple[Expression, ...]
"""Conditions that are claimed together, over variables that live at the head of a loop."""


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


def is_plain(fact: Fact) -> bool:
    """Whether it has a value in every state: variables, elements and numbers are compared, and nothing is computed."""
    return all(
        isinstance(part, Binary)
        and part.operator in COMPARISONS
        and all(isinstance(each, Variable | Constant | Select) for each in subexpressions(part) if each is not part)
        for part in fact
    )


def endless_loops(program: Program) -> tuple[str, ...]:
    """Outermost loops of the main procedure that go on as long as an input says so, and for no other reason."""
    main = program.procedure[program.main]
    found = nesting(main)
    heads = [label for label, around in found.heads.items() if around == (label,)]
    return tuple(label for label in heads if _is_endless(program, found, label))


def _is_endless(program: Program, found: Nesting, label: str) -> bool:
    block = program.procedure[program.main].block[label]
    inputs = {each.target for each in block.statements if isinstance(each, Havoc) and each.choice is Choice.INPUT}
    leaves = any(label not in found.heads.get(target, ()) for target in successors(block.terminator))
    return isinstance(block.terminator, Branch) and leaves and not inputs.isdisjoint(read(block.terminator))
