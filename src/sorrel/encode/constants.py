"""Variables that have one known value at the start of a block, whichever way a run came there.

A bound that is set once before a loop needs no place in the loop's invariant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from sorrel.model.errors import InternalError
from sorrel.program.effects import Effects
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Apply, Constant, Expression
from sorrel.program.graph import reverse_postorder
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Assign, Call, Havoc, Statement
from sorrel.program.traversal import subexpressions, written
from sorrel.program.types import Array, Type
from sorrel.program.value import Value

Constants: TypeAlias = Mapping[str, Value]
"""By name, scalar values only."""


def constants(procedure: Procedure, effects: Mapping[str, Effects], start: Constants) -> Mapping[str, Constants]:
    """For each label that is reached; `start` are those at the entry.

    Values only leave the maps as more ways are seen, so a fixed point is reached: this is Kildall's analysis (A unified
    approach to global program optimization, 1973) without a look at branch conditions.
    """
    order = reverse_postorder(procedure)
    found: dict[str, dict[str, Value]] = {procedure.entry: dict(start)}
    position = {label: number for number, label in enumerate(order)}
    work = {procedure.entry}
    while work:
        label = min(work, key=position.__getitem__)
        work.discard(label)
        after = dict(found[label])
        for statement in procedure.block[label].statements:
            _through(statement, after, effects)
        for target in successors(procedure.block[label].terminator):
            if target not in found:
                found[target] = dict(after)
                work.add(target)
            elif _narrow(found[target], after):
                work.add(target)
    return found


def _narrow(known: dict[str, Value], other: Constants) -> bool:
    """Keep only what both agree on; whether that took something away."""
    gone = [name for name, value in known.items() if name not in other or not _same(other[name], value)]
    for name in gone:
        del known[name]
    return bool(gone)


def _same(left: Value, right: Value) -> bool:
    return type(left) is type(right) and left == right


def _through(statement: Statement, known: dict[str, Value], effects: Mapping[str, Effects]) -> None:
    match statement:
        case Assign(target, value):
            result = constant_value(value, known, target.type)
            known.pop(target.name, None)
            if result is not None:
                known[target.name] = result
        case Havoc() | Call():
            for variable in written(statement):
                known.pop(variable.name, None)
            if isinstance(statement, Call):
                for variable in effects[statement.procedure].writes:
                    known.pop(variable.name, None)


def constant_value(expression: Expression, known: Constants, type: Type) -> Value | None:
    """The scalar value of an expression over known variables, if it has one."""
    if isinstance(type, Array):
        return None
    if isinstance(expression, Constant):
        return expression.value
    if any(isinstance(node, Apply) or isinstance(node.type, Array) for node in subexpressions(expression)):
        return None
    try:
        return evaluate(compile(expression, frozenset()), known, {}, _no_function)
    except (KeyError, UndefinedOperation):
        return None


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise InternalError(f"{function} has no constant value")
