"""Sets of tuples that a program adds to and picks from, without saying which one it will get.

A relation is a pair of procedures: one keeps a tuple, the other recalls one that was kept at any time before, in any
order and any number of times, given its first parts. `encode` makes one predicate of the two, so that a solution says
what is true of every tuple. Read as a program, to recall is to choose any values.
"""

from __future__ import annotations

from functools import cached_property

from sorrel.model.values import dataclass
from sorrel.program.expression import Expression, Variable
from sorrel.program.program import Procedure
from sorrel.program.statement import Block, Call, Choice, Havoc, Return


@dataclass(frozen=True)
class Relation:
    """`keys` are given when a tuple is recalled, `values` are what one gets."""

    name: str
    keys: tuple[Variable, ...]
    values: tuple[Variable, ...]

    @cached_property
    def keeping(self) -> Procedure:
        parts = (*self.keys, *self.values)
        return Procedure(f"{self.name}.keep", parts, (), (), (Block("entry", (), Return()),), "entry")

    @cached_property
    def recalling(self) -> Procedure:
        any_values = tuple(Havoc(value, Choice.ABSTRACTION, self.name) for value in self.values)
        block = Block("entry", any_values, Return())
        return Procedure(f"{self.name}.recall", self.keys, self.values, (), (block,), "entry")

    def keep(self, parts: tuple[Expression, ...]) -> Call:
        return Call(self.keeping.name, parts)

    def recall(self, keys: tuple[Expression, ...], targets: tuple[Variable, ...]) -> Call:
        return Call(self.recalling.name, keys, targets)
