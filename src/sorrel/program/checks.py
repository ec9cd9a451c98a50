"""What can go wrong inside expressions, made explicit: assertions where it is to be shown absent.

An operation is guarded before the statement that evaluates it, in the order of evaluation and under the conditions
under which it is evaluated, so that the first guard that fails is the first operation that has no value.
Conditions on results speak of exact integers; they have values whenever the guards before them hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from sorrel.model.assumption import AssumptionKind
from sorrel.model.values import dataclass
from sorrel.program.construction import binary, every, negation, unbounded, zero
from sorrel.program.evaluation import DIVISION_BY_ZERO, OUT_OF_RANGE, SHIFT_AMOUNT, overflow
from sorrel.program.expression import (
    CONNECTIVES,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
)
from sorrel.program.intervals import combined, interval
from sorrel.program.program import Procedure, Program
from sorrel.program.rounding import is_number_of
from sorrel.program.statement import Assert, Assume, Block, Kind, Observe, Print, Purpose, Statement, Stop, Terminator
from sorrel.program.traversal import expressions, operands
from sorrel.program.types import UNBOUNDED, Float, Machine
from sorrel.program.unset import watching_reads

REASONS = {
    Kind.ERROR_CALL: "no error function is called",
    Kind.ASSERTION: "every assertion of the program holds",
    Kind.OVERFLOW: AssumptionKind.OVERFLOW.brief,
    Kind.BOUNDS: AssumptionKind.BOUNDS.brief,
    Kind.DIVISION: AssumptionKind.DIVISION.brief,
    Kind.LIFETIME: AssumptionKind.LIFETIME.brief,
    Kind.FREE: AssumptionKind.FREE.brief,
    Kind.UNINITIALISED: "what was never set is not read",
    Kind.UNTRACKED: "memory is not lost",
    Kind.NOT_FREED: "memory is freed",
    Kind.LEAK: "the runs agree where they should",
    Kind.RACE: "there are no data races",
    Kind.POSSIBLE_RACE: "functions without a body have no data races",
    Kind.DEADLOCK: "no thread waits forever",
    Kind.DESCENT: "calls do not nest forever",
}
"""What is assumed in place of an assertion that is not looked at, by its kind."""


WATCHED = "memory.$watch"
"""The variable that holds the number of the object that is watched, of a program that makes objects and ends them."""
MANAGED = frozenset({Kind.LIFETIME, Kind.FREE, Kind.UNTRACKED, Kind.NOT_FREED})
"""About objects and their ends. No run becomes impossible because nobody looks at these."""


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition under which an operation has a value; `wraps`: with wrap-around arithmetic it always has one."""

    condition: Expression
    kind: Kind
    message: str
    wraps: bool = False


def instrument(program: Program, kinds: frozenset[Kind], *, wrapping: bool = False) -> Program:
    """The program whose assertions are those of the given kinds, with the implicit ones among them explicit.

    Other assertions become assumptions: runs that violate them are not looked at. So do divisors that are not zero.
    What becomes of memory that has ended is looked at only where it is asked for: nothing is assumed of it.
    For overflow not among the kinds nothing is inserted: what an operation that overflows means is for the reader of
    the program to say. A reader to whom results wrap around (`wrapping`) still has no value for some operations, such
    as shifts by too much: these are asserted not to happen. What is printed is evaluated, so that it is guarded; the
    text itself and the status at the end are left out.
    """
    if Kind.UNINITIALISED in kinds:
        program = watching_reads(program)
    selection = _Selection(kinds, wrapping)
    if not kinds & MANAGED:
        program = unwatched(program)
    return replace(program, procedures=tuple(_procedure(procedure, selection) for procedure in program.procedures))


def unwatched(program: Program) -> Program:
    """The program in which no object is watched: nothing is chosen for that, and no assertion about it fails."""
    return watching(program, 0)


def watching(program: Program, number: int) -> Program:
    """The program in which the object with the number is watched, if it has any that end."""
    if not any(variable.name == WATCHED for variable in program.globals):
        return program
    return replace(program, initial={**program.initial, WATCHED: Constant(number, UNBOUNDED)})


def may_overflow(program: Program) -> bool:
    """Whether some operation might leave its type, as far as types and constants tell."""
    blocks = (block for procedure in program.procedures for block in procedure.blocks)
    steps = (step for block in blocks for step in (*block.statements, block.terminator))
    return any(guard.kind is Kind.OVERFLOW for step in steps for each in expressions(step) for guard in guards(each))


@dataclass(frozen=True, slots=True)
class _Selection:
    """Which guards are asserted."""

    kinds: frozenset[Kind]
    wrapping: bool

    def holds(self, guard: Guard) -> bool:
        return guard.kind in self.kinds or (self.wrapping and guard.kind is Kind.OVERFLOW and not guard.wraps)


def _procedure(procedure: Procedure, selection: _Selection) -> Procedure:
    return replace(procedure, blocks=tuple(_block(block, selection) for block in procedure.blocks))


def _block(block: Block, selection: _Selection) -> Block:
    statements: list[Statement] = []
    for statement in block.statements:
        statements += _inserted(statement, selection)
        left_out = isinstance(statement, Assert) and statement.kind in MANAGED and statement.kind not in selection.kinds
        if isinstance(statement, Print):
            statements += _printed(statement, selection.kinds)
        elif not left_out:
            statements.append(_selected(statement, selection.kinds))
    statements += _inserted(block.terminator, selection)
    terminator = Stop(block.terminator.span) if isinstance(block.terminator, Stop) else block.terminator
    return replace(block, statements=tuple(statements), terminator=terminator)


def _printed(statement: Print, kinds: frozenset[Kind]) -> list[Statement]:
    """What is printed is read, which matters only to those who ask about accesses."""
    read = statement.arguments if Kind.RACE in kinds else ()
    return [Observe(each, Purpose.COMPARED, "", statement.span) for each in read]


def _selected(statement: Statement, kinds: frozenset[Kind]) -> Statement:
    if isinstance(statement, Assert) and statement.kind not in kinds:
        return Assume(statement.condition, REASONS[statement.kind], statement.span)
    return statement


def _inserted(step: Statement | Terminator, selection: _Selection) -> Iterator[Statement]:
    for expression in expressions(step):
        for guard in guards(expression):
            if selection.holds(guard):
                yield Assert(guard.condition, guard.kind, guard.message, step.span)
            elif guard.kind is Kind.DIVISION:
                yield Assume(guard.condition, REASONS[Kind.DIVISION], step.span)


# Where operations are evaluated

_Path: TypeAlias = "tuple[_Path, Expression] | None"


def guards(expression: Expression) -> Iterator[Guard]:
    """What has to hold for the expression to have a value, in the order of evaluation."""
    if not operands(expression):
        return
    stack: list[tuple[Expression, _Path, bool]] = [(expression, None, False)]
    while stack:
        node, path, ready = stack.pop()
        if ready:
            for guard in own_guards(node):
                yield replace(guard, condition=_under(path, guard.condition))
        else:
            stack.append((node, path, True))
            # Variables and constants, which are most of what there is, have a value whatever holds.
            below = [pair for pair in _evaluated(node, path) if operands(pair[0])]
            stack.extend([(operand, inner, False) for operand, inner in reversed(below)])


def _evaluated(expression: Expression, path: _Path) -> list[tuple[Expression, _Path]]:
    """The operands, each with the conditions under which it is evaluated."""
    match expression:
        case Binary(operator, left, right) if operator in CONNECTIVES:
            return [(left, path), (right, (path, negation(left) if operator is Operator.OR else left))]
        case Conditional(condition, then, otherwise):
            return [(condition, path), (then, (path, condition)), (otherwise, (path, negation(condition)))]
        case _:
            return [(operand, path) for operand in operands(expression)]


def _under(path: _Path, condition: Expression) -> Expression:
    """Outer conditions first: an inner one may have a value only if they hold."""
    while path is not None:
        path, premise = path
        condition = binary(Operator.IMPLIES, premise, condition)
    return condition


# What each operation needs


def own_guards(expression: Expression) -> Iterator[Guard]:
    """What the operation itself has to meet once its operands have values."""
    match expression:
        case Unary(UnaryOperator.NEGATE, operand, Machine(signed=True) as type):
            if interval(operand)[0] == type.smallest:
                smallest = Constant(type.smallest, type)
                condition = binary(Operator.DIFFERENT, operand, smallest)
                yield Guard(condition, Kind.OVERFLOW, overflow(UnaryOperator.NEGATE), wraps=True)
        case Convert(operand, Machine() as type) if isinstance(operand.type, Float):
            yield Guard(_fits_in(operand, operand.type, type), Kind.OVERFLOW, OUT_OF_RANGE)
        case Binary(Operator.DIVIDE | Operator.REMAINDER, _, _) if not isinstance(expression.type, Float):
            yield from _division(expression)
        case Binary(Operator.SHIFT_LEFT | Operator.SHIFT_RIGHT, _, _, Machine() as type):
            yield from _shift(expression, type)
        case Binary(Operator.ADD | Operator.SUBTRACT | Operator.MULTIPLY, _, _, Machine(signed=True) as type):
            yield from _result_fits(expression, type)
        case _:
            pass


def _fits_in(operand: Expression, source: Float, target: Machine) -> Expression:
    """Whether a floating-point number is one of the type when it is cut off; NaN is below and above nothing.

    The end that is a power of two is a number of every floating-point type, and so is -1.
    """
    above = Constant(Fraction(target.largest + 1), source)
    not_negative = binary(Operator.MORE, operand, Constant(Fraction(-1), source))
    low = _not_below(operand, source, target) if target.signed else not_negative
    return every([low, binary(Operator.LESS, operand, above)])


def _not_below(operand: Expression, source: Float, target: Machine) -> Expression:
    """x > smallest - 1, which is no number of the type where numbers are so far apart that it means x ≥ smallest."""
    below = Fraction(target.smallest - 1)
    if is_number_of(below, source):
        return binary(Operator.MORE, operand, Constant(below, source))
    return binary(Operator.AT_LEAST, operand, Constant(Fraction(target.smallest), source))


def _division(expression: Binary) -> Iterator[Guard]:
    left, right, type = expression.left, expression.right, expression.type
    if not (isinstance(right, Constant) and right.value != 0):
        yield Guard(binary(Operator.DIFFERENT, right, zero(type)), Kind.DIVISION, DIVISION_BY_ZERO)
    if isinstance(type, Machine) and type.signed and interval(left)[0] == type.smallest:
        low, high = interval(right)
        if low <= -1 <= high:
            usual = binary(Operator.DIFFERENT, left, Constant(type.smallest, type))
            fits = binary(Operator.OR, usual, binary(Operator.DIFFERENT, right, Constant(-1, type)))
            yield Guard(fits, Kind.OVERFLOW, overflow(expression.operator))


def _shift(expression: Binary, type: Machine) -> Iterator[Guard]:
    left, amount = expression.left, expression.right
    low, high = interval(amount)
    parts = [binary(Operator.AT_LEAST, amount, Constant(0, amount.type))] if low < 0 else []
    parts += [binary(Operator.LESS, amount, Constant(type.bits, amount.type))] if high >= type.bits else []
    if parts:
        yield Guard(every(parts), Kind.OVERFLOW, SHIFT_AMOUNT)
    if expression.operator is Operator.SHIFT_LEFT and type.signed:
        largest_shifted = _largest_shifted(type, amount)
        parts = [binary(Operator.AT_LEAST, left, Constant(0, type))] if interval(left)[0] < 0 else []
        parts += [binary(Operator.AT_MOST, left, largest_shifted)]
        yield Guard(every(parts), Kind.OVERFLOW, overflow(Operator.SHIFT_LEFT), wraps=True)


def _largest_shifted(type: Machine, amount: Expression) -> Expression:
    """The largest number whose product with 2^amount still fits: the largest of the type, shifted back."""
    if isinstance(amount, Constant) and 0 <= amount.value < type.bits:
        return Constant(type.largest >> int(amount.value), type)
    return Binary(Operator.SHIFT_RIGHT, Constant(type.largest, type), amount, type)


def _result_fits(expression: Binary, type: Machine) -> Iterator[Guard]:
    known = combined(expression.operator, interval(expression.left), interval(expression.right))
    low, high = known if known is not None else (type.smallest - 1, type.largest + 1)
    exact = Binary(expression.operator, unbounded(expression.left), unbounded(expression.right), UNBOUNDED)
    parts: list[Expression] = []
    if low < type.smallest:
        parts.append(binary(Operator.AT_LEAST, exact, Constant(type.smallest, UNBOUNDED)))
    if high > type.largest:
        parts.append(binary(Operator.AT_MOST, exact, Constant(type.largest, UNBOUNDED)))
    if parts:
        yield Guard(every(parts), Kind.OVERFLOW, overflow(expression.operator), wraps=True)
