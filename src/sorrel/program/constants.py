"""Variables that have one known value at the start of a block, whichever way a run came there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from fractions import Fraction

from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Apply, Binary, Constant, Expression, Operator, Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Assign, Statement
from sorrel.program.traversal import operands, rewrite, substitute, written
from sorrel.program.types import Array, Type
from sorrel.program.value import ArrayValue, Value

Known = Mapping[Variable, Constant]


@dataclass(frozen=True)
class Propagation:
    """Constants of the variables that are `followed`, scalars all of them; `changed` are those that a statement writes,
    itself or by what it calls."""

    followed: Callable[[Variable], bool]
    changed: Callable[[Statement], Iterable[Variable]] = field(default=written)

    def at_blocks(self, procedure: Procedure, start: Known) -> Mapping[str, Known]:
        """For each label that is reached; `start` are those at the entry.

        Values only leave the maps as more ways are seen, so a fixed point is reached: this is Kildall's analysis (A
        unified approach to global program optimization, 1973) without a look at branch conditions.
        """
        order = {label: number for number, label in enumerate(reverse_postorder(procedure))}
        found: dict[str, dict[Variable, Constant]] = {procedure.entry: dict(start)}
        work = {procedure.entry}
        while work:
            label = min(work, key=order.__getitem__)
            work.discard(label)
            after = self.after(procedure.block[label].statements, found[label])
            for target in successors(procedure.block[label].terminator):
                left = common(found[target], after) if target in found else after
                if target not in found or len(left) < len(found[target]):
                    found[target] = left
                    work.add(target)
        return found

    def after(self, statements: Iterable[Statement], before: Known) -> dict[Variable, Constant]:
        """What is known when the statements were made."""
        known = dict(before)
        for statement in statements:
            self.through(statement, known)
        return known

    def through(self, statement: Statement, known: dict[Variable, Constant]) -> None:
        value = folded(substitute(statement.value, known)) if isinstance(statement, Assign) else None
        for target in self.changed(statement):
            known.pop(target, None)
            if isinstance(value, Constant) and self.followed(target) and not isinstance(target.type, Array):
                known[target] = value


def common(one: Known, other: Known) -> dict[Variable, Constant]:
    return {variable: value for variable, value in one.items() if other.get(variable) == value}


def folded(expression: Expression) -> Expression:
    """With the values of operations on constants in place of them."""
    return rewrite(expression, _folded_node)


def _folded_node(node: Expression) -> Expression:
    inner = operands(node)
    if not inner or isinstance(node, Apply) or isinstance(node.type, Array):
        return node
    if isinstance(node, Binary) and node.operator in (Operator.AND, Operator.OR):
        return _connected(node)
    if not all(isinstance(each, Constant) for each in inner):
        return node
    try:
        value = evaluate(compile(node, frozenset()), {}, {}, _no_function)
    except UndefinedOperation:
        return node
    return node if isinstance(value, ArrayValue) else _constant(value, node)


def _constant(value: int | Fraction | float, node: Expression) -> Expression:
    """The node itself if no constant tells its value: a negative zero, an infinite one, NaN."""
    if not isinstance(value, float):
        return Constant(value, node.type)
    told = math.isfinite(value) and (value != 0 or math.copysign(1.0, value) > 0)
    return Constant(Fraction(value), node.type) if told else node


def _connected(node: Binary) -> Expression:
    """A connective of which one side is known; the right side is kept only if it is evaluated."""
    neutral = node.operator is Operator.AND
    if isinstance(node.left, Constant):
        return node.right if node.left.value is neutral else node.left
    if isinstance(node.right, Constant) and node.right.value is neutral:
        return node.left
    return node


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise InternalError(f"{function} has no constant value")
