"""Flow graphs without what is known beforehand: constants in place of variables, cells in place of arrays.

Copies of procedures are full of parameters that are constants, and of array accesses at constant positions. Only
variables that one graph has for itself are followed: what is shared, others may change at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from sorrel.model.errors import InternalError
from sorrel.program.constants import Known, Propagation, folded
from sorrel.program.construction import TRUE
from sorrel.program.expression import (
    Constant,
    Expression,
    Filled,
    Select,
    Store,
    Variable,
)
from sorrel.program.graph import reached_only
from sorrel.program.liveness import live_variables
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Assign, Assume, Block, Branch, Goto, Havoc, Statement
from sorrel.program.traversal import (
    operands,
    read,
    rewrite,
    rewrite_statement,
    rewrite_terminator,
    steps,
    subexpressions,
    substitute,
    written,
)
from sorrel.program.types import Array

Globals = tuple[Variable, ...]
Initial = Mapping[str, Expression]


def tidied(
    procedures: Sequence[Procedure], globals: Globals, initial: Initial
) -> tuple[list[Procedure], Globals, Initial]:
    """Graphs with the same runs over the same globals, except that some arrays are cells now."""
    shorter = [_shortened(procedure) for procedure in procedures]
    found, globals, initial = _with_cells(shorter, globals, initial)
    return found, globals, initial


# Constants


def _shortened(procedure: Procedure) -> Procedure:
    propagation = Propagation(set(procedure.variables).__contains__)
    known = propagation.at_blocks(procedure, {})
    blocks = tuple(
        folded_block(block, known[block.label], propagation) for block in procedure.blocks if block.label in known
    )
    return _without_unread(reached_only(replace(procedure, blocks=blocks)))


def folded_block(block: Block, start: Known, propagation: Propagation) -> Block:
    """With constants in place of what is known at its start and after."""
    known = dict(start)
    done: list[Statement] = []
    for statement in block.statements:
        shorter = rewrite_statement(statement, lambda each: folded(substitute(each, known)))
        if not (isinstance(shorter, Assume) and shorter.condition == TRUE):
            done.append(shorter)
        propagation.through(statement, known)
    terminator = rewrite_terminator(block.terminator, lambda each: folded(substitute(each, known)))
    if isinstance(terminator, Branch) and isinstance(terminator.condition, Constant):
        target = terminator.then if terminator.condition.value else terminator.otherwise
        return Block(block.label, tuple(done), Goto(target, terminator.span))
    return Block(block.label, tuple(done), terminator)


def _without_unread(procedure: Procedure) -> Procedure:
    """Without assignments to variables of its own that nobody reads any more."""
    while True:
        live = live_variables(procedure)
        blocks = tuple(_without_idle(block, live, set(procedure.variables)) for block in procedure.blocks)
        needed = {each for block in blocks for step in steps(block) for each in (*read(step), *written(step))}
        locals = tuple(each for each in procedure.locals if each in needed)
        shorter = replace(procedure, blocks=blocks, locals=locals)
        if shorter.blocks == procedure.blocks:
            return shorter
        procedure = shorter


def _without_idle(block: Block, live: Mapping[str, frozenset[Variable]], own: set[Variable]) -> Block:
    after: set[Variable] = set()
    for target in successors(block.terminator):
        after |= live[target]
    after.update(read(block.terminator))
    kept: list[Statement] = []
    for statement in reversed(block.statements):
        targets = written(statement)
        idle = isinstance(statement, Assign | Havoc) and all(t in own and t not in after for t in targets)
        if not idle:
            kept.append(statement)
            after.difference_update(targets)
            after.update(read(statement))
    return replace(block, statements=tuple(reversed(kept)))


# Arrays as cells


def _with_cells(
    procedures: list[Procedure], globals: Globals, initial: Initial
) -> tuple[list[Procedure], Globals, Initial]:
    cells: dict[Variable, dict[int, Variable]] = {}
    for array in globals:
        indices = _constant_indices(array, procedures)
        start = _cells_at_start(array, indices, initial) if indices is not None else None
        if indices and start is not None:
            cells[array] = _cells(array, indices)
            initial = {**initial, **{cells[array][index].name: value for index, value in start.items()}}
    for procedure in procedures:
        for array in procedure.locals:
            if indices := _constant_indices(array, [procedure]):
                cells[array] = _cells(array, indices)
    if not cells:
        return procedures, globals, initial
    kept = _in_place(globals, cells)
    names = {each.name for each in kept}
    start_of_kept = {name: value for name, value in initial.items() if name in names}
    return [_shortened(_in_cells(procedure, cells)) for procedure in procedures], kept, start_of_kept


def _cells(array: Variable, indices: list[int]) -> dict[int, Variable]:
    if not isinstance(array.type, Array):
        raise InternalError(f"{array.name} is not an array")
    return {index: Variable(f"{array.name}[{index}]", array.type.element) for index in indices}


def _in_place(variables: Iterable[Variable], cells: Mapping[Variable, Mapping[int, Variable]]) -> Globals:
    """With cells in place of arrays."""
    kept: list[Variable] = []
    for each in variables:
        kept += cells[each].values() if each in cells else [each]
    return tuple(kept)


def _constant_indices(array: Variable, procedures: Iterable[Procedure]) -> list[int] | None:
    """The positions at which the array is used; None if they are not all constants."""
    if not isinstance(array.type, Array) or isinstance(array.type.element, Array):
        return None
    found: dict[int, None] = {}
    for procedure in procedures:
        for block in procedure.blocks:
            for step in steps(block):
                if array not in read(step) and array not in written(step):
                    continue
                if _fills(step, array):
                    continue
                if array in written(step) and not _stores(step, array):
                    return None
                for part in _parts(step, array):
                    indices = _uses(part, array)
                    if indices is None:
                        return None
                    found.update(dict.fromkeys(indices))
    return sorted(found)


def _fills(step: object, array: Variable) -> bool:
    """Whether all its elements become the same, or open."""
    if isinstance(step, Assign) and step.target == array:
        return isinstance(step.value, Filled) and array not in read(step)
    return isinstance(step, Havoc) and step.target == array


def _stores(step: object, array: Variable) -> bool:
    return isinstance(step, Assign) and isinstance(step.value, Store) and step.value.array == array


def _parts(step: object, array: Variable) -> list[Expression]:
    """The expressions of the step; of a store into the array, its position as an access and its value."""
    if isinstance(step, Assign) and isinstance(step.value, Store) and step.target == array:
        return [Select(array, step.value.index, step.value.value.type), step.value.value]
    if isinstance(step, Assign):
        return [step.value]
    condition = getattr(step, "condition", None)
    return [condition] if condition is not None else list(getattr(step, "arguments", ()))


def _uses(expression: Expression, array: Variable) -> list[int] | None:
    """The constant positions, if the array occurs nowhere else than in accesses there."""
    found: list[int] = []
    for node in subexpressions(expression):
        if isinstance(node, Select) and node.array == array:
            if not isinstance(node.index, Constant):
                return None
            found.append(int(node.index.value))
        elif array in operands(node):
            return None
    return None if expression == array else found


def _cells_at_start(array: Variable, indices: list[int], initial: Initial) -> dict[int, Expression] | None:
    value = initial.get(array.name)
    if value is None:
        return None
    stored: dict[int, Expression] = {}
    while isinstance(value, Store) and isinstance(value.index, Constant):
        stored.setdefault(int(value.index.value), value.value)
        value = value.array
    if not isinstance(value, Filled):
        return None
    return {index: stored.get(index, value.value) for index in indices}


def _in_cells(procedure: Procedure, cells: Mapping[Variable, Mapping[int, Variable]]) -> Procedure:
    def access(node: Expression) -> Expression:
        if isinstance(node, Select) and isinstance(node.array, Variable) and node.array in cells:
            if not isinstance(node.index, Constant):
                raise InternalError(f"{node.array.name} is used at a position that is not constant")
            return cells[node.array][int(node.index.value)]
        return node

    def change(expression: Expression) -> Expression:
        return rewrite(expression, access)

    blocks = tuple(
        replace(
            block,
            statements=tuple(part for each in block.statements for part in _statement_in_cells(each, cells, change)),
            terminator=rewrite_terminator(block.terminator, change),
        )
        for block in procedure.blocks
    )
    return replace(procedure, blocks=blocks, locals=_in_place(procedure.locals, cells))


def _statement_in_cells(
    statement: Statement,
    cells: Mapping[Variable, Mapping[int, Variable]],
    change: Callable[[Expression], Expression],
) -> list[Statement]:
    if isinstance(statement, Havoc) and statement.target in cells:
        return [replace(statement, target=cell) for cell in cells[statement.target].values()]
    if isinstance(statement, Assign) and statement.target in cells:
        value = statement.value
        if isinstance(value, Filled):
            return [Assign(cell, change(value.value), statement.span) for cell in cells[statement.target].values()]
        if not (isinstance(value, Store) and isinstance(value.index, Constant)):
            raise InternalError(f"{statement.target.name} is used at a position that is not constant")
        return [Assign(cells[statement.target][int(value.index.value)], change(value.value), statement.span)]
    return [rewrite_statement(statement, change)]
