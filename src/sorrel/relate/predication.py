"""Functions with few ways through them as one step: assignments under conditions in place of branches.

Whoever explores runs way by way need not part them at every small helper. Runs are the same: a statement of a block
that a run passes over leaves everything as it is.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.program.construction import FALSE, TRUE, binary, negation, zero
from sorrel.program.expression import Conditional, Expression, Operator, Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Assert, Assign, Assume, Block, Branch, Goto, Return, Statement
from sorrel.program.types import BOOLEAN


def predicated(procedure: Procedure, most_ways: int) -> Procedure:
    """The procedure as one block if it is simple enough, else itself."""
    if not _is_simple(procedure, most_ways):
        return procedure
    active: dict[str, list[Expression]] = {procedure.entry: [TRUE]}
    statements: list[Statement] = []
    flags: list[Variable] = []
    for label in reverse_postorder(procedure):
        block = procedure.block[label]
        here = _some(active[label])
        if here != TRUE:
            flag = Variable(f"is.at.{label}", BOOLEAN)
            flags.append(flag)
            statements.append(Assign(flag, here, block.terminator.span))
            here = flag
        statements += [_under(here, statement) for statement in block.statements]
        match block.terminator:
            case Goto(target):
                active.setdefault(target, []).append(here)
            case Branch(condition, then, otherwise, span):
                taken = Variable(f"is.taken.{label}", BOOLEAN)
                flags.append(taken)
                statements.append(Assign(taken, _both(here, condition), span))
                active.setdefault(then, []).append(taken)
                active.setdefault(otherwise, []).append(_both(here, negation(taken)))
            case _:
                pass
    only = Block("start", tuple(statements), Return(procedure.span))
    made = replace(procedure, blocks=(only,), entry="start", locals=(*procedure.locals, *flags))
    # An assignment that is passed over keeps a value that nobody chose: it is fixed, so that no choice is left for it.
    fixed = [Assign(variable, zero(variable.type)) for variable in open_starts(made)]
    return replace(made, blocks=(replace(only, statements=(*fixed, *statements)),))


def _is_simple(procedure: Procedure, most_ways: int) -> bool:
    """No loops, nothing chosen, called or stopped, and few ways."""
    labels = reverse_postorder(procedure)
    blocks = [procedure.block[label] for label in labels]
    if not all(isinstance(s, Assign | Assume | Assert) for block in blocks for s in block.statements):
        return False
    if not all(isinstance(block.terminator, Goto | Branch | Return) for block in blocks) or open_starts(procedure):
        return False
    number = {label: position for position, label in enumerate(labels)}
    ways = dict.fromkeys(labels, 0)
    ways[procedure.entry] = 1
    total = 0
    for block in blocks:
        for target in successors(block.terminator):
            if number[target] <= number[block.label]:
                return False
            ways[target] += ways[block.label]
        total += ways[block.label] if isinstance(block.terminator, Return) else 0
    return total <= most_ways


def _under(guard: Expression, statement: Statement) -> Statement:
    if guard == TRUE:
        return statement
    match statement:
        case Assign(target, value):
            return replace(statement, value=Conditional(guard, value, target, target.type))
        case Assume(condition) | Assert(condition):
            return replace(statement, condition=binary(Operator.IMPLIES, guard, condition))
        case _:
            return statement


def _both(one: Expression, other: Expression) -> Expression:
    return other if one == TRUE else binary(Operator.AND, one, other)


def _some(conditions: list[Expression]) -> Expression:
    result: Expression = FALSE
    for condition in conditions:
        if condition == TRUE:
            return TRUE
        result = condition if result == FALSE else binary(Operator.OR, result, condition)
    return result
