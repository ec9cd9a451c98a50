"""Where pointers lead, as conditions speak of it: whether an object is there, how long it is, where it has a zero."""

from __future__ import annotations

from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE, binary, every
from sorrel.program.expression import Binary, Constant, Expression, Operator, Select, Variable
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array

NONE = Constant(0, UNBOUNDED)
ONE = Constant(1, UNBOUNDED)


@dataclass(frozen=True, slots=True)
class Located:
    """`there` says that the pointer leads to an object: one of `length` elements, `offset` behind the first of them.

    `contents` are the elements, where one variable holds them. `zero` is a variable of no program, for the place of a
    zero among them. `root` is the object's name, the same for pointers that lead to one object.
    """

    root: str
    there: Expression = TRUE
    offset: Expression = NONE
    length: Expression = ONE
    contents: Variable | None = None
    zero: Variable | None = None

    @property
    def is_string(self) -> bool:
        """Whether its elements may be characters, with a zero behind the last."""
        return self.contents is not None and self.zero is not None


def valid(pointer: Located, low: Expression, high: Expression) -> Expression:
    """The elements from `low` to `high` are there; nothing is said if there are none."""
    first, last = plus(pointer.offset, low), plus(pointer.offset, high)
    parts = [pointer.there] if pointer.there != TRUE else []
    parts += [] if first == NONE else [binary(Operator.AT_LEAST, first, NONE)]
    parts.append(binary(Operator.LESS, last, pointer.length))
    if low == high or (isinstance(high, Constant) and isinstance(low, Constant) and low.value <= high.value):
        return every(parts)
    return Binary(Operator.OR, binary(Operator.MORE, low, high), every(parts), BOOLEAN)


def terminated(pointer: Located) -> Expression:
    """There is a zero at the place that `zero` stands for."""
    if pointer.contents is None or pointer.zero is None or not isinstance(pointer.contents.type, Array):
        raise ValueError("this has no elements that could be characters")
    element = pointer.contents.type.element
    parts = [pointer.there] if pointer.there != TRUE else []
    parts += [
        binary(Operator.AT_LEAST, pointer.zero, pointer.offset),
        binary(Operator.LESS, pointer.zero, pointer.length),
        binary(Operator.EQUAL, Select(pointer.contents, pointer.zero, element), Constant(0, element)),
    ]
    return every(parts)


def plus(left: Expression, right: Expression) -> Expression:
    """Their sum, without what adds nothing."""
    if left == NONE:
        return right
    return left if right == NONE else binary(Operator.ADD, left, right)


def minus(left: Expression, right: Expression) -> Expression:
    return left if right == NONE else binary(Operator.SUBTRACT, left, right)
