"""By how many bits a program shifts to the right: what its author wrote as a shift is not to be read as a division."""

from __future__ import annotations

from sorrel.program.expression import Binary, Constant, Operator
from sorrel.program.program import Program
from sorrel.program.traversal import expressions, steps, subexpressions


def shifted(program: Program) -> frozenset[int]:
    """The constants that something is shifted by, without those whose power of two is also a divisor."""
    amounts: set[int] = set()
    divisors: set[int] = set()
    blocks = (block for procedure in program.procedures for block in procedure.blocks)
    for each in (part for block in blocks for step in steps(block) for part in expressions(step)):
        for part in subexpressions(each):
            match part:
                case Binary(Operator.SHIFT_RIGHT, _, Constant(int(amount))):
                    amounts.add(amount)
                case Binary(Operator.DIVIDE, _, Constant(int(divisor))):
                    divisors.add(divisor)
    return frozenset(amount for amount in amounts if 0 < amount < 64 and 1 << amount not in divisors)
