"""Functions with few ways through them as one step: the value of each result as an expression.

Whoever explores runs way by way need not part them at every small helper. Runs that have a meaning are the same; an
operation without a value whose result is not used is no longer evaluated, which only adds runs.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.program.construction import TRUE, negation, zero
from sorrel.program.expression import Conditional, Expression, Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Assert, Assign, Assume, Block, Branch, Goto, Return, Statement
from sorrel.program.traversal import operands, subexpressions, substitute, written
from sorrel.relate.conditions import both_of, some_of, under_guard

MOST_NODES = 400


def predicated(procedure: Procedure, most_ways: int) -> Procedure:
    """The procedure as one block if it is simple enough, else itself: an assignment for each output."""
    if not _is_simple(procedure, most_ways):
        return procedure
    active: dict[str, list[Expression]] = {procedure.entry: [TRUE]}
    values: dict[Variable, Expression] = {}
    statements: list[Statement] = []
    for label in reverse_postorder(procedure):
        block = procedure.block[label]
        here = some_of(active[label])
        for statement in block.statements:
            match statement:
                case Assign(target, value):
                    # What a variable starts with is read by nobody: any value will do where it is not written.
                    before = values.get(target, target if target in procedure.parameters else zero(target.type))
                    values[target] = _chosen(here, substitute(value, values), before)
                case Assume(condition) | Assert(condition):
                    under = under_guard(here, substitute(condition, values))
                    statements.append(replace(statement, condition=under))
                case _:
                    return procedure
        match block.terminator:
            case Goto(following):
                active.setdefault(following, []).append(here)
            case Branch(condition, then, otherwise):
                taken = substitute(condition, values)
                active.setdefault(then, []).append(both_of(here, taken))
                active.setdefault(otherwise, []).append(both_of(here, negation(taken)))
            case _:
                pass
    results = [values.get(output, zero(output.type)) for output in procedure.outputs]
    if sum(_size(result) for result in results) > MOST_NODES:
        return procedure
    statements += [Assign(output, result) for output, result in zip(procedure.outputs, results, strict=True)]
    only = Block("start", tuple(statements), Return(procedure.span))
    return replace(procedure, blocks=(only,), entry="start")


def _size(expression: Expression) -> int:
    """Nodes as a tree: whoever evaluates the expression meets what is shared each time."""
    sizes: dict[int, int] = {}
    for node in subexpressions(expression):
        sizes[id(node)] = 1 + sum(sizes[id(operand)] for operand in operands(node))
    return sizes[id(expression)]


def _is_simple(procedure: Procedure, most_ways: int) -> bool:
    """No loops, nothing chosen, called, stopped or written that is global, and few ways."""
    labels = reverse_postorder(procedure)
    blocks = [procedure.block[label] for label in labels]
    if not all(isinstance(s, Assign | Assume | Assert) for block in blocks for s in block.statements):
        return False
    if not all(isinstance(block.terminator, Goto | Branch | Return) for block in blocks) or open_starts(procedure):
        return False
    own = frozenset(procedure.variables)
    if not all(v in own for block in blocks for s in block.statements for v in written(s)):
        return False
    if any(output in procedure.parameters for output in procedure.outputs):
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


def _chosen(guard: Expression, value: Expression, before: Expression) -> Expression:
    return value if guard == TRUE else Conditional(guard, value, before, value.type)
