"""What a step reads of the variables that several threads can see, access by access, in the order of evaluation.

What the right side of a connective reads is read in any case, which changes nothing; an access knows the condition
under which the program makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE, every, negation, zero
from sorrel.program.expression import CONNECTIVES, Binary, Conditional, Expression, Operator, Select, Store, Variable
from sorrel.program.statement import Assert, Assign, Assume, Call, Havoc, Observe, Print, Statement, Terminator
from sorrel.program.traversal import expressions, operands, rewrite_statement, rewrite_terminator, with_operands

Way: TypeAlias = tuple[tuple[Expression, int], ...]
"""From an expression to one inside: each time the parent and the position of the operand."""


@dataclass(frozen=True, slots=True)
class Load:
    """`place` gets what is read; the program reads it only if the condition is true."""

    place: Variable
    read: Expression
    condition: Expression


class Accesses:
    """Takes steps apart; `locals` are the variables that were made for that."""

    def __init__(self, visible: frozenset[Variable], prefix: str) -> None:
        self._visible = visible
        self._prefix = prefix
        self.locals: list[Variable] = []

    def of(self, step: Statement | Terminator) -> Iterator[tuple[Expression, Expression]]:
        """What is read, each with the condition under which it is."""
        kept = step.target if isinstance(step, Assign) else None
        for expression, under in _evaluated(step):
            yield from ((node, both(under, condition(way))) for node, way in self._within(expression, kept))

    def loaded(self, statement: Statement) -> tuple[list[Load], Statement]:
        """What the statement reads, one after the other, and the statement over what was read."""
        loads: list[Load] = []
        write = write_of(statement)
        if isinstance(statement, Assign) and write is not None:
            under = self._load(write.condition, loads)
            index = None if write.index is None else self._load(write.index, loads, under)
            value = self._load(write.value, loads, under, kept=write.target)
            return loads, replace(statement, value=Write(write.target, under, index, value).assigned)
        if isinstance(statement, Assign | Assume | Assert | Havoc | Call | Observe | Print):
            return loads, rewrite_statement(statement, lambda each: self._load(each, loads))
        return loads, statement

    def loaded_terminator(self, terminator: Terminator) -> tuple[list[Load], Terminator]:
        loads: list[Load] = []
        return loads, rewrite_terminator(terminator, lambda each: self._load(each, loads))

    def _load(
        self, expression: Expression, loads: list[Load], under: Expression = TRUE, kept: Variable | None = None
    ) -> Expression:
        while True:
            found = next(self._within(expression, kept), None)
            if found is None:
                return expression
            access, way = found
            place = Variable(f"{self._prefix}.{len(self.locals) + 1}", access.type)
            self.locals.append(place)
            loads.append(Load(place, access, both(under, condition(way))))
            expression = _replaced(way, place)

    def _within(self, expression: Expression, kept: Variable | None) -> Iterator[tuple[Expression, Way]]:
        """`kept` is an array whose elements are written: what stores into it leave as it is is not read."""
        stack: list[tuple[Expression, Way, bool]] = [(expression, (), False)]
        while stack:
            node, way, ready = stack.pop()
            if ready or (isinstance(node, Variable) and node in self._visible):
                yield node, way
                continue
            inner = operands(node)
            first = 1 if isinstance(node, Store) and node.array == kept and _is_whole(way) else 0
            if isinstance(node, Select) and node.array in self._visible:  # its index is read before the element
                stack.append((node, way, True))
                first = 1
            stack.extend((inner[i], (*way, (node, i)), False) for i in reversed(range(first, len(inner))))


@dataclass(frozen=True, slots=True)
class Write:
    """The target, or its element at the index, gets the value if the condition is true, and else stays as it is."""

    target: Variable
    condition: Expression
    index: Expression | None
    value: Expression

    @property
    def assigned(self) -> Expression:
        """What the whole target is assigned."""
        new = self.value if self.index is None else Store(self.target, self.index, self.value, self.target.type)
        if self.condition == TRUE:
            return new
        return Conditional(self.condition, new, self.target, self.target.type)


def write_of(statement: Statement) -> Write | None:
    """What an assignment writes."""
    return _write(statement.target, statement.value) if isinstance(statement, Assign) else None


def _write(target: Variable, value: Expression) -> Write:
    under: Expression = TRUE
    if isinstance(value, Conditional) and value.otherwise == target:
        under, value = value.condition, value.then
    if isinstance(value, Store) and value.array == target:
        return Write(target, under, value.index, value.value)
    return Write(target, under, None, value)


def with_saved_parts(target: Variable, value: Expression, save: Callable[[Expression], Expression]) -> Expression:
    """What an assignment assigns, of parts that were saved before: all but what the target keeps."""
    write = _write(target, value)
    condition = write.condition if write.condition == TRUE else save(write.condition)

    def saved(part: Expression) -> Expression:
        if part == target:
            return target
        if isinstance(part, Store) and _base(part) == target:
            return Store(saved(part.array), saved(part.index), saved(part.value), part.type)
        return save(part if condition == TRUE else Conditional(condition, part, zero(part.type), part.type))

    new = Write(target, TRUE, write.index, write.value).assigned
    return Write(target, condition, None, saved(new)).assigned


def _is_whole(way: Way) -> bool:
    """Whether what lies at the end of the way is the array that elements are stored into, and nothing is read of it."""
    return all(isinstance(parent, Store) and position == 0 for parent, position in way)


def _base(array: Expression) -> Expression:
    """What elements are stored into."""
    while isinstance(array, Store):
        array = array.array
    return array


def both(one: Expression, other: Expression) -> Expression:
    """Their conjunction, evaluated from left to right."""
    return every([each for each in (one, other) if each != TRUE])


def condition(way: Way) -> Expression:
    """Under which what lies at the end of the way is evaluated."""
    parts: list[Expression] = []
    for parent, position in way:
        match parent:
            case Binary(operator, left, _) if operator in CONNECTIVES and position == 1:
                parts.append(negation(left) if operator is Operator.OR else left)
            case Conditional(chosen, _, _) if position > 0:
                parts.append(chosen if position == 1 else negation(chosen))
            case _:
                pass
    return every(parts) if parts else TRUE


def _replaced(way: Way, new: Expression) -> Expression:
    """The expression that the way starts from, with something else at its end: each read is one of its own."""
    for parent, position in reversed(way):
        inner = operands(parent)
        new = with_operands(parent, (*inner[:position], new, *inner[position + 1 :]))
    return new


def _evaluated(step: Statement | Terminator) -> list[tuple[Expression, Expression]]:
    """What is read, each with the condition under which it is: of a store into an array not the array itself."""
    write = None if isinstance(step, Terminator) else write_of(step)
    if write is None:
        return [(each, TRUE) for each in expressions(step)]
    index = [] if write.index is None else [write.index]
    return [(write.condition, TRUE), *((each, write.condition) for each in (*index, write.value))]
