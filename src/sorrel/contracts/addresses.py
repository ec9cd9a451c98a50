"""Pointers in conditions of contracts and loops: equal, null, and one before another in the same object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.contracts.locating import NONE, minus, plus
from sorrel.contracts.vocabulary import saved
from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE, binary, every, negation
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.types import UNBOUNDED
from sorrel.program.visible import Address


@dataclass(frozen=True, slots=True)
class Pointed:
    """Where a pointer leads: the number of an object, 0 for none, and a place in it; both are None if there is one."""

    object: Expression | None
    offset: Expression | None
    region: int | None
    counted: bool

    @staticmethod
    def of(address: Address, known: Mapping[str, Variable], *, past: bool) -> Pointed | None:
        names = [name for name in (address.object, address.offset) if name]
        if any(name not in known for name in names):
            return None
        object, offset = (known.get(name) for name in (address.object, address.offset))
        if past:
            object, offset = (saved(each) if each is not None else None for each in (object, offset))
        return Pointed(object, offset, address.region, address.counted)

    def moved(self, by: Expression, *, back: bool) -> Pointed | None:
        if not self.counted or self.offset is None:
            return None
        return replace(self, offset=(minus if back else plus)(self.offset, by))

    @property
    def is_null(self) -> Expression:
        zero = Constant(0, UNBOUNDED)
        return negation(TRUE) if self.object is None else binary(Operator.EQUAL, self.object, zero)


def compared(operator: Operator, left: Pointed, right: Pointed) -> Expression | None:
    """None if that is not known. One is before another only in one object."""
    if left.region is None or left.region != right.region:
        return None
    same = [] if left.object is None or right.object is None else [binary(Operator.EQUAL, left.object, right.object)]
    one, other = left.offset or NONE, right.offset or NONE
    if operator in (Operator.EQUAL, Operator.DIFFERENT):
        equal = every([*same, *([] if one == other else [binary(Operator.EQUAL, one, other)])])
        return equal if operator is Operator.EQUAL else negation(equal)
    return every([*same, binary(operator, one, other)])
