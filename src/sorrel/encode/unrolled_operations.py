"""Operations on numbers while all runs are followed: what they make of nodes, and what they take for granted.

Numbers are exact. A signed result that does not fit ends the run, where a program is read so; what wraps around does.
Unbounded numbers are objects, offsets and lengths of ours: small in every run that a machine can make. What is computed
of them must lie in the *zone*, the numbers of `ZONE` bits, and so must what it is computed from; runs in which it does
not are left out, and told.

Why that is enough: take a run of which nothing is left out. Numbers outside of the zone can only have been chosen, and
nothing is done with them but to copy and to compare them and to look up elements by them. Their places outside of the
zone can be exchanged for others in the same order, of which the run needs finitely many; a choice has `WIDTH` bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from sorrel.encode.unrolled_state import State
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Truth, Value
from sorrel.logic.whole import Range
from sorrel.model.errors import InternalError
from sorrel.program.expression import COMPARISONS, Operator, UnaryOperator
from sorrel.program.types import Array, Boolean, Machine, Type, Unbounded

WIDTH, ZONE = 72, 68
"""Bits of an unbounded number; and of what may be computed with, which holds every number of 64 bits with its sign."""
_LEAST, _MOST = -(1 << (ZONE - 1)), (1 << (ZONE - 1)) - 1


class TooWide(Exception):
    """The program has values that are not modelled here."""


LeaveOut: TypeAlias = Callable[[Truth, State], None]
"""Notes runs that are not followed: those of the state in which the condition holds."""
Stack: TypeAlias = "list[Any]"
Step: TypeAlias = Callable[[State, Stack], "int | None"]
"""Does something to the stack; the place to go on at, if it is not the next one."""


class Operations:
    """Steps of code that take operands from a stack and put a result there."""

    def __init__(self, graph: Graph, wraps: bool, leave_out: LeaveOut) -> None:
        self._graph = graph
        self._wraps = wraps
        self._leave_out = leave_out

    def constant(self, value: Any, type: Type) -> Value:
        bounds_of(type)
        if isinstance(type, Boolean):
            return bool(value)
        if isinstance(type, Unbounded) and not _LEAST <= value <= _MOST:
            raise TooWide(f"numbers such as {value}")
        return int(value)

    def unary(self, operator: UnaryOperator, type: Type) -> Step:
        graph = self._graph
        bounds_of(type)

        def negated(_: State, stack: Stack) -> None:
            stack[-1] = graph.negation(stack[-1])

        if operator is UnaryOperator.NOT:
            return negated
        start = 0
        if operator is UnaryOperator.COMPLEMENT:
            start = type.largest if isinstance(type, Machine) and not type.signed else -1
        finish = self._finish(type)

        def turned(state: State, stack: Stack) -> None:
            operand = self._in_zone(state, stack[-1], type)
            made = graph.subtract(start, operand, (start, start), state.bounds.of(operand))
            stack[-1] = finish(state, made)

        return turned

    def conversion(self, source: Type, target: Type) -> Step:
        low, high = bounds_of(target)
        bounds_of(source)

        def of_truth(_: State, stack: Stack) -> None:
            stack[-1] = self._graph.choice(stack[-1], 1, 0, (1, 1), (0, 0))

        def same(_: State, stack: Stack) -> None:
            pass

        if isinstance(source, Boolean):
            return same if isinstance(target, Boolean) else of_truth
        if isinstance(target, Boolean | Array) or isinstance(source, Array):
            raise TooWide(f"conversions from {source} to {target}")
        if isinstance(target, Unbounded):
            return same
        bits, signed = target.bits, target.signed  # type: ignore[union-attr]

        def wrapped(state: State, stack: Stack) -> None:
            operand = stack[-1]
            if type(operand) is int and low <= operand <= high:
                return
            operand = self._in_zone(state, operand, source)
            stack[-1] = self._graph.wrap(operand, bits, signed, state.bounds.of(operand))

        return wrapped

    def binary(self, operator: Operator, type: Type, right_type: Type) -> Step:
        bounds_of(type)
        bounds_of(right_type)
        if isinstance(type, Array):
            raise TooWide("comparisons of arrays")
        if isinstance(type, Boolean):
            return self._truths_compared(operator)
        if operator in COMPARISONS:
            return self._comparison(operator)
        if operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT):
            return self._shift(operator, type, right_type)
        return self._arithmetic(operator, type)

    def _truths_compared(self, operator: Operator) -> Step:
        graph = self._graph
        if operator not in (Operator.EQUAL, Operator.DIFFERENT):
            raise InternalError(f"truth values have no {operator}")

        def step(_: State, stack: Stack) -> None:
            right = stack.pop()
            same = graph.truth_choice(stack[-1], right, graph.negation(right))
            stack[-1] = same if operator is Operator.EQUAL else graph.negation(same)

        return step

    def _comparison(self, operator: Operator) -> Step:
        graph = self._graph
        exchanged = operator in (Operator.MORE, Operator.AT_MOST)
        negated = operator in (Operator.DIFFERENT, Operator.AT_LEAST, Operator.AT_MOST)
        equates = operator in (Operator.EQUAL, Operator.DIFFERENT)
        compare = graph.equal if equates else graph.less

        def step(state: State, stack: Stack) -> None:
            right = stack.pop()
            left = stack[-1]
            if exchanged:
                left, right = right, left
            found = compare(left, right, state.bounds.of(left), state.bounds.of(right))
            if equates:
                state.tell(found, left, right)
            stack[-1] = graph.negation(found) if negated else found

        return step

    def _arithmetic(self, operator: Operator, type: Type) -> Step:
        graph = self._graph
        compute: Callable[[Value, Value, Range, Range], Value] = {
            Operator.ADD: graph.add,
            Operator.SUBTRACT: graph.subtract,
            Operator.MULTIPLY: graph.multiply,
            Operator.DIVIDE: graph.divide,
            Operator.REMAINDER: graph.remainder,
            Operator.BIT_AND: graph.bit_and,
            Operator.BIT_OR: graph.bit_or,
            Operator.BIT_XOR: graph.bit_xor,
        }[operator]
        divides = operator in (Operator.DIVIDE, Operator.REMAINDER)
        finish = self._finish(type)

        def step(state: State, stack: Stack) -> None:
            right = self._in_zone(state, stack.pop(), type)
            left = self._in_zone(state, stack[-1], type)
            if divides:
                self._divisible(state, left, right, type)
            made = compute(left, right, state.bounds.of(left), state.bounds.of(right))
            stack[-1] = finish(state, made)

        return step

    def _divisible(self, state: State, left: Value, right: Value, type: Type) -> None:
        graph = self._graph
        there = state.bounds.of(right)
        state.assume(graph, graph.negation(graph.equal(right, 0, there, (0, 0))))
        if isinstance(type, Machine) and type.signed and not self._wraps:
            least = type.smallest
            smallest = graph.equal(left, least, state.bounds.of(left), (least, least))
            turned = graph.equal(right, -1, there, (-1, -1))
            state.assume(graph, graph.negation(graph.conjunction(smallest, turned)))

    def _finish(self, type: Type) -> Callable[[State, Value], Value]:
        """A result in its type: what does not fit ends the run, wraps around, or is left out."""
        graph = self._graph
        if isinstance(type, Unbounded):
            return lambda state, made: self._in_zone(state, made, type)
        if not isinstance(type, Machine):
            raise InternalError(f"no arithmetic of {type}")
        low, high, bits, signed = type.smallest, type.largest, type.bits, type.signed

        def wrapped(state: State, made: Value) -> Value:
            known = state.bounds.of(made)
            if known[0] < low or known[1] > high:
                known = state.bounds.tight(made)
            return graph.wrap(made, bits, signed, known)

        def fitting(state: State, made: Value) -> Value:
            least, most = state.bounds.of(made)
            if least < low or most > high:
                state.assume(graph, self._fits(made, (least, most), low, high))
                least, most = state.bounds.of(made)
            return graph.within(made, max(least, low), min(most, high))

        return wrapped if self._wraps or not signed else fitting

    def _fits(self, value: Value, known: Range, low: int, high: int) -> Truth:
        graph = self._graph
        not_less = graph.negation(graph.less(value, low, known, (low, low)))
        return graph.conjunction(not_less, graph.negation(graph.less(high, value, (high, high), known)))

    def _in_zone(self, state: State, value: Value, type: Type) -> Value:
        """Where a number may leave the zone, runs in which it does are not followed."""
        if not isinstance(type, Unbounded):
            return value
        known = state.bounds.of(value)
        if known[0] >= _LEAST and known[1] <= _MOST:
            return value
        inside = self._fits(value, known, _LEAST, _MOST)
        self._leave_out(self._graph.negation(inside), state)
        state.assume(self._graph, inside)
        return value

    def _shift(self, operator: Operator, type: Type, right_type: Type) -> Step:
        graph = self._graph
        if not isinstance(type, Machine):
            raise InternalError(f"no shifts of {type}")
        bits = type.bits
        finish = self._finish(type)
        exact = type.signed and not self._wraps

        def step(state: State, stack: Stack) -> None:
            right = self._in_zone(state, stack.pop(), right_type)
            left = stack[-1]
            state.assume(graph, self._fits(right, state.bounds.of(right), 0, bits - 1))
            low, high = state.bounds.of(right)
            amount = (min(max(low, 0), bits - 1), max(0, min(high, bits - 1)))
            right = right if isinstance(right, Node) else amount[0]
            if operator is Operator.SHIFT_RIGHT:
                stack[-1] = finish(state, graph.shift_right(left, right, state.bounds.of(left), amount))
                return
            if exact:
                state.assume(graph, graph.negation(graph.less(left, 0, state.bounds.of(left), (0, 0))))
            stack[-1] = finish(state, graph.shift_left(left, right, state.bounds.of(left), amount))

        return step


def bounds_of(type: Type) -> Range:
    """Of numbers of the type; of others something that nobody looks at. Refuses what is not modelled."""
    match type:
        case Boolean():
            return 0, 1
        case Unbounded():
            return -(1 << (WIDTH - 1)), (1 << (WIDTH - 1)) - 1
        case Machine(bits):
            if bits > ZONE - 1:
                raise TooWide(f"numbers of {bits} bits")
            return type.smallest, type.largest
        case Array(Array()):
            raise TooWide("arrays of arrays")
        case Array(element):
            return bounds_of(element)
        case _:
            raise TooWide("numbers that are not integers")
