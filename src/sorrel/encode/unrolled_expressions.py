"""Expressions compiled to a short code that makes nodes of a graph, in the order in which a run evaluates."""

from __future__ import annotations

from typing import Any, TypeAlias

from sorrel.encode.cells import Arrays, Cells, Content, Same
from sorrel.encode.unrolled_operations import LeaveOut, Operations, Stack, Step, TooWide, bounds_of
from sorrel.encode.unrolled_state import Applied, Chosen, State
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Open, Truth, Value, range_of
from sorrel.logic.whole import Range
from sorrel.program.expression import (
    CONNECTIVES,
    Apply,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Unary,
    Variable,
)
from sorrel.program.types import Array, Boolean, Type

Code: TypeAlias = "list[Step]"


class _Label:
    """A place in the code that is not known yet."""

    __slots__ = ("place",)

    def __init__(self) -> None:
        self.place = -1


class Expressions:
    """Compiles and evaluates the expressions of one program."""

    def __init__(self, graph: Graph, arrays: Arrays, globals: frozenset[str], wraps: bool, leave_out: LeaveOut) -> None:
        self._graph = graph
        self._arrays = arrays
        self._globals = globals
        self._operations = Operations(graph, wraps, leave_out)
        self._compiled: dict[int, tuple[Expression, Code]] = {}
        self._numbers: dict[str, int] = {}

    def evaluate(self, state: State, expression: Expression) -> Any:
        found = self._compiled.get(id(expression))
        if found is None:
            found = self._compiled[id(expression)] = (expression, self._code(expression))
        code = found[1]
        stack: Stack = []
        position, end = 0, len(code)
        while position < end:
            jump = code[position](state, stack)
            position = position + 1 if jump is None else jump
        return stack.pop()

    # What a run chooses

    def choose(self, state: State, wish: str, type: Type) -> Content:
        value = self.fresh(wish, type)
        state.trace = Chosen(state.trace, value, type)
        return value

    def fresh(self, wish: str, type: Type) -> Content:
        number = self._numbers[wish] = self._numbers.get(wish, 0) + 1
        name = f"{wish}!{number}"
        match type:
            case Array(element):
                return Cells(Open(name, *bounds_of(element), isinstance(element, Boolean)), {})
            case Boolean():
                return self._graph.truth_variable(name)
        return self._graph.variable(name, *bounds_of(type))

    # Code

    def _code(self, expression: Expression) -> Code:
        code: list[Any] = []
        work: list[Any] = [expression]
        while work:
            item = work.pop()
            if isinstance(item, _Label):
                item.place = len(code)
            elif callable(item):
                code.append(item)
            else:
                work += reversed(self._parts(item))
        return code

    def _parts(self, expression: Expression) -> list[Any]:
        """Operands and steps, in order."""
        match expression:
            case Constant(value, type):
                return [_push(self._operations.constant(value, type))]
            case Variable(name, type):
                bounds_of(type)
                return [_global(name) if name in self._globals else _local(name)]
            case Unary(operator, operand, type):
                return [operand, self._operations.unary(operator, type)]
            case Convert(operand, type):
                return [operand, self._operations.conversion(operand.type, type)]
            case Binary(operator, left, right) if operator in CONNECTIVES:
                end = _Label()
                return [left, self._enter(operator, end), right, self._leave(operator), end]
            case Binary(operator, left, right):
                return [left, right, self._operations.binary(operator, left.type, right.type)]
            case Conditional(condition, then, otherwise):
                other, end = _Label(), _Label()
                return [condition, self._split(other), then, self._between(end), other, otherwise, self._chosen(), end]
            case Select(array, index):
                return [array, index, self._select]
            case Store(array, index, value):
                return [array, index, value, self._store]
            case Filled(value):
                return [value, _filled]
            case Apply():
                return [*expression.arguments, self._application(expression)]

    # Connectives and conditions: what is evaluated under a condition is known to be so

    def _enter(self, operator: Operator, end: _Label) -> Step:
        ends_with = operator is Operator.OR

        def step(state: State, stack: Stack) -> int | None:
            left = stack[-1]
            decided = state.bounds.decide(left)
            if decided is None:
                self._open(state, stack, self._graph.negation(left) if ends_with else left)
                return None
            if decided is ends_with:
                stack[-1] = operator is not Operator.AND
                return end.place
            stack[-1] = None  # the right side alone decides
            return None

        return step

    def _open(self, state: State, stack: Stack, condition: Truth) -> None:
        stack.append(state.bounds)
        state.bounds = state.bounds.copy()
        state.bounds.learn(condition)
        state.guards.append(condition)

    def _close(self, state: State, stack: Stack) -> None:
        state.bounds = stack.pop()
        state.guards.pop()

    def _leave(self, operator: Operator) -> Step:
        join = {
            Operator.AND: self._graph.conjunction,
            Operator.OR: self._graph.disjunction,
            Operator.IMPLIES: self._graph.implication,
        }[operator]

        def step(state: State, stack: Stack) -> None:
            right = stack.pop()
            if stack[-1] is None:
                stack[-1] = right
                return
            self._close(state, stack)
            stack[-1] = join(stack[-1], right)

        return step

    def _split(self, other: _Label) -> Step:
        def step(state: State, stack: Stack) -> int | None:
            condition = stack[-1]
            decided = state.bounds.decide(condition)
            if decided is None:
                self._open(state, stack, condition)
                return None
            stack[-1] = None
            return None if decided else other.place

        return step

    def _between(self, end: _Label) -> Step:
        def step(state: State, stack: Stack) -> int | None:
            then = stack.pop()
            if stack[-1] is None:
                stack[-1] = then
                return end.place
            known = _range(state, then)
            self._close(state, stack)
            condition = stack[-1]
            stack.append((then, known))
            self._open(state, stack, self._graph.negation(condition))
            return None

        return step

    def _chosen(self) -> Step:
        def step(state: State, stack: Stack) -> None:
            otherwise = stack.pop()
            if stack[-1] is None:
                stack[-1] = otherwise
                return
            known = _range(state, otherwise)
            self._close(state, stack)
            then, before = stack.pop()
            stack[-1] = self._arrays.choice(stack[-1], then, otherwise, before, known)

        return step

    # Arrays and functions

    def _select(self, state: State, stack: Stack) -> None:
        index = stack.pop()
        found = self._arrays.read(stack[-1], index, state.bounds)
        stack[-1] = found if isinstance(found, Cells) else state.bounds.settled(found)

    def _store(self, state: State, stack: Stack) -> None:
        value, index = stack.pop(), stack.pop()
        stack[-1] = self._arrays.written(stack[-1], index, value, state.bounds)

    def _application(self, expression: Apply) -> Step:
        graph, count = self._graph, len(expression.arguments)
        if isinstance(expression.type, Array) or any(isinstance(each.type, Array) for each in expression.arguments):
            raise TooWide("functions of arrays")
        signature = (expression.function, expression.type, tuple(each.type for each in expression.arguments))

        def same(one: Any, other: Any, type: Type) -> Truth:
            if isinstance(type, Boolean):
                return graph.truth_choice(one, other, graph.negation(other))
            return graph.equal(one, other, range_of(one), range_of(other))

        def step(state: State, stack: Stack) -> None:
            given = tuple(stack[len(stack) - count :])
            del stack[len(stack) - count :]
            result: Any = self.fresh(expression.function, expression.type)
            for known in state.applied:
                other = known.expression
                if (other.function, other.type, tuple(each.type for each in other.arguments)) != signature:
                    continue
                alike: Truth = True
                for one, there, argument in zip(given, known.arguments, expression.arguments, strict=True):
                    alike = graph.conjunction(alike, same(one, there, argument.type))
                state.assume(graph, graph.implication(alike, same(result, known.result, expression.type)))
            guard: Truth = True
            for each in state.guards:
                guard = graph.conjunction(guard, each)
            state.trace = applied = Applied(state.trace, expression, given, result, guard)
            state.applied = (*state.applied, applied)
            stack.append(result)

        return step


def _range(state: State, value: Content) -> Range:
    return (0, 0) if isinstance(value, Cells) else state.bounds.of(value)


def _push(value: Value) -> Step:
    return lambda _, stack: stack.append(value)


def _local(name: str) -> Step:
    def step(state: State, stack: Stack) -> None:
        value = state.locals[name]
        stack.append(state.bounds.chosen(value) if isinstance(value, Node) else value)

    return step


def _global(name: str) -> Step:
    def step(state: State, stack: Stack) -> None:
        value = state.globals[name]
        stack.append(state.bounds.chosen(value) if isinstance(value, Node) else value)

    return step


def _filled(_: State, stack: Stack) -> None:
    stack[-1] = Cells(Same(stack[-1]), {})
