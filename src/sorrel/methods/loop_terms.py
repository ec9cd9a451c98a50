"""What guesses about a loop speak of: numbers with what they were in the states that runs came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sorrel.model.values import dataclass
from sorrel.program.cutting import Cut
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import (
    COMPARISONS,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Select,
    Store,
    Unary,
    Variable,
)
from sorrel.program.liveness import live_variables
from sorrel.program.program import Program
from sorrel.program.statement import Assert, Assign, Block, Kind
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Boolean, Machine, Type, Unbounded
from sorrel.program.value import ArrayValue
from sorrel.testing.loop_states import LoopState

MOST_ELEMENTS = 256
"""Elements of arrays that are looked at one by one."""
MOST_NUMBERS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An expression over what lives at the head of a loop, and its value in each state that was seen.

    `limits` are numbers that the program compares it with, and the ends of arrays; `cases` are those that it is told
    apart from by `==` and `!=`.
    """

    expression: Expression
    seen: tuple[int, ...]
    limits: frozenset[int] = frozenset()
    cases: frozenset[int] = frozenset()

    @property
    def type(self) -> Type:
        return self.expression.type


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The first elements of an array."""

    array: Variable
    elements: tuple[Term, ...]

    @property
    def type(self) -> Type:
        return self.elements[0].type


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Numbers that a round changes, those beside them, truth values, and arrays that a round changes."""

    changed: tuple[Term, ...]
    beside: tuple[Term, ...]
    truths: tuple[Term, ...]
    rows: tuple[Row, ...]
    numbers: tuple[int, ...]


def seen(program: Program, cut: Cut, states: list[LoopState], numbers: tuple[int, ...]) -> Seen:
    main = program.procedure[program.main]
    live = {variable.name for variable in live_variables(main)[cut.label]}
    own = {variable.name for variable in main.variables}
    changed = [each for each in cut.changed if each.name in live or each.name not in own]
    names = {each.name for each in changed}
    others = [each for each in main.variables if each.name in live and each.name not in names]
    sizes = _sizes(program)
    known = _Comparisons(program, sizes.values())
    rows = (row for each in changed for row in _rows(each, states, sizes, numbers, known))

    def term(variable: Variable) -> Term:
        values = tuple(int(state[variable.name]) for state in states)  # type: ignore[arg-type]
        return Term(variable, values, known.limits(variable), known.cases(variable))

    return Seen(
        tuple(term(each) for each in changed if isinstance(each.type, Machine | Unbounded))[:MOST_NUMBERS],
        tuple(term(each) for each in others if isinstance(each.type, Machine))[:MOST_NUMBERS],
        tuple(term(each) for each in changed if isinstance(each.type, Boolean))[:MOST_NUMBERS],
        tuple(rows),
        numbers,
    )


class _Comparisons:
    """Which numbers the program compares a variable with, or elements of an array, also after they were copied."""

    def __init__(self, program: Program, sizes: Iterable[int]) -> None:
        self._ends = frozenset(size + by for size in sizes for by in (-1, 0))
        self._limits: dict[str, set[int]] = {}
        self._cases: dict[str, set[int]] = {}
        for procedure in program.procedures:
            copies: dict[str, str] = {}
            for block in procedure.blocks:
                for statement in block.statements:
                    source = _named(statement.value) if isinstance(statement, Assign) else None
                    if isinstance(statement, Assign) and source is not None:
                        copies[statement.target.name] = source
            for block in procedure.blocks:
                for step in steps(block):
                    for whole in expressions(step):
                        for each in subexpressions(whole):
                            self._note(each, copies)

    def _note(self, expression: Expression, copies: Mapping[str, str]) -> None:
        match expression:
            case Binary(operator, left, Constant(value)) if operator in COMPARISONS:
                name = _named(left)
                exact = operator in (Operator.EQUAL, Operator.DIFFERENT)
                for each in (name, copies.get(name or "")):
                    if each is not None:
                        (self._cases if exact else self._limits).setdefault(each, set()).add(int(value))

    def limits(self, variable: Variable) -> frozenset[int]:
        found = self._limits.get(variable.name, set())
        return self._ends.union(each + by for each in found for by in (-1, 0, 1))

    def cases(self, variable: Variable) -> frozenset[int]:
        return frozenset(self._cases.get(variable.name, ()))


def _named(expression: Expression) -> str | None:
    """The variable that it is, or the array of which it is an element."""
    expression = _plain(expression)
    if isinstance(expression, Select):
        expression = expression.array
    return expression.name if isinstance(expression, Variable) else None


def _rows(
    array: Variable,
    states: list[LoopState],
    sizes: Mapping[str, int],
    numbers: tuple[int, ...],
    comparisons: _Comparisons,
) -> Iterator[Row]:
    """As many elements as accesses are compared with, or as some number of the program says."""
    if not isinstance(array.type, Array) or not isinstance(array.type.element, Machine | Unbounded):
        return
    values = [value for state in states if isinstance(value := state[array.name], ArrayValue)]
    last = max((max(value.entries, default=-1) for value in values), default=-1)
    known = sizes.get(array.name)
    fitting = [each for each in numbers if max(last, 0) < each <= MOST_ELEMENTS][:2] if known is None else [known]
    for size in fitting:
        if last < size <= MOST_ELEMENTS:
            columns = ([int(value[index]) for value in values] for index in range(size))  # type: ignore[arg-type]
            limits, cases = comparisons.limits(array), comparisons.cases(array)
            parts = [Select(array, Constant(index, UNBOUNDED), array.type.element) for index in range(size)]
            yield Row(array, tuple(Term(part, tuple(c), limits, cases) for part, c in zip(parts, columns, strict=True)))


def _sizes(program: Program) -> dict[str, int]:
    """Of arrays, by what the indices of accesses are compared with."""
    found: dict[str, int] = {}
    for procedure in program.procedures:
        for block in procedure.blocks:
            limits = _limits(block)
            for step in steps(block) if limits else ():
                for whole in expressions(step):
                    for each in subexpressions(whole):
                        if isinstance(each, Select | Store) and isinstance(each.array, Variable):
                            size = limits.get(_plain(each.index))
                            if size is not None:
                                found[each.array.name] = max(size, found.get(each.array.name, 0))
    return found


def _limits(block: Block) -> dict[Expression, int]:
    found: dict[Expression, int] = {}
    for step in block.statements:
        if isinstance(step, Assert) and step.kind is Kind.BOUNDS:
            for each in subexpressions(step.condition):
                match each:
                    case Binary(Operator.LESS, left, Constant(value)):
                        found[_plain(left)] = int(value)
    return found


def _plain(index: Expression) -> Expression:
    while isinstance(index, Convert):
        index = index.operand
    return index


def numbers_of(program: Program) -> tuple[int, ...]:
    """Those that the program speaks of, also by computing with them, and their neighbours."""
    found = {0, 1, -1}
    for procedure in program.procedures:
        for block in procedure.blocks:
            for step in steps(block):
                for whole in expressions(step):
                    for each in subexpressions(whole):
                        value = _number(each)
                        if value is not None:
                            found |= {value - 1, value, value + 1}
    return tuple(sorted(found))


def _number(expression: Expression) -> int | None:
    if isinstance(expression, Constant):
        return int(expression.value) if isinstance(expression.value, int) else None
    if not isinstance(expression.type, Machine | Unbounded):
        return None
    if not all(isinstance(each, Constant | Unary | Binary | Convert) for each in subexpressions(expression)):
        return None
    try:
        value = evaluate(compile(expression, frozenset()), {}, {}, _nothing)
    except UndefinedOperation:
        return None
    return int(value)  # type: ignore[arg-type]


def _nothing(*_: object) -> int:
    raise UndefinedOperation(Kind.BOUNDS, "functions have no known value")


# Expressions of several terms


def as_integer(expression: Expression) -> Expression:
    return expression if isinstance(expression.type, Unbounded) else Convert(expression, UNBOUNDED)


def compared(operator: Operator, left: Expression, right: Expression | int) -> Expression:
    other = Constant(right, left.type) if isinstance(right, int) else right
    return Binary(operator, left, other, BOOLEAN)


def total(parts: list[Expression]) -> Expression:
    """The sum of numbers without bounds, in pairs: a part that changes is seen in few of the sums."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        added: list[Expression] = [Binary(Operator.ADD, left, right, UNBOUNDED) for left, right in pairs]
        parts = added + parts[len(added) * 2 :]
    return parts[0]


def counted(conditions: list[Term]) -> Term:
    """How many of the conditions hold."""
    one, none = Constant(1, UNBOUNDED), Constant(0, UNBOUNDED)
    parts: list[Expression] = [Conditional(each.expression, one, none, UNBOUNDED) for each in conditions]
    return Term(total(parts), tuple(sum(column) for column in zip(*(each.seen for each in conditions), strict=True)))
