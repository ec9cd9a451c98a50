"""Statements to paths: symbolic execution that joins branches without calls, and inlines what is not recursive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorrel.finite.function import Call, FiniteFunction, Path
from sorrel.finite.overflow import Overflow
from sorrel.frontends.boolean.expressions import Translation
from sorrel.frontends.boolean.syntax import (
    Assign,
    Assume,
    Block,
    CallStatement,
    Expression,
    Function,
    If,
    Name,
    Return,
    Statement,
    Variable,
)
from sorrel.logic import terms, words
from sorrel.logic.listing import BOOLEAN
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.sexpr import Text
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass

MOST_PATHS = 1024


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Where an execution stands: `guard` is what was assumed since the last call."""

    environment: Mapping[str, Term]
    calls: tuple[Call, ...] = ()
    guard: tuple[Term, ...] = ()
    returned: tuple[Term, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What is needed to read statements: `inlined` are the functions that are not recursive."""

    text: Text
    width: int
    overflow: Overflow
    functions: Mapping[str, Function]
    inlined: frozenset[str]


def finite_function(function: Function, reading: Reading) -> FiniteFunction:
    parameters = tuple(_variable(v) for v in function.parameters)
    results = tuple(_variable(v) for v in function.results)
    executor = _Executor(
        reading,
        Names((*(v.name for v in (*function.parameters, *function.results)), *reading.functions, *FUNCTION_NAMES)),
    )
    states = executor.function(function, parameters, _State({}))
    paths = []
    for number, state in enumerate(states):
        guard = terms.conjunction(state.guard)
        span = reading.text.span(function.at)
        paths.append(Path(f"{function.name}_{number}", state.calls, guard, state.returned or (), span))
    return FiniteFunction(function.name, parameters, results, tuple(paths))


def _variable(variable: Variable) -> Term:
    return terms.variable(variable.name, words.sort_of_width(variable.width))


class _Executor:
    def __init__(self, reading: Reading, names: Names) -> None:
        self._reading = reading
        self._names = names
        self._function: Function | None = None

    def function(self, function: Function, arguments: Sequence[Term], entry: _State) -> list[_State]:
        """The states in which the function returns; the caller's variables are put aside meanwhile."""
        outer, self._function = self._function, function
        # Variables that are not parameters start as all ones, which is `true` (section II.A).
        start = {v.name: words.all_ones(v.width) for v in (*function.declared, *function.results)}
        start |= {name: terms.TRUE for name in _assigned(function.body) if name not in start}
        start |= {p.name: a for p, a in zip(function.parameters, arguments, strict=True)}
        states = self._block(function.body, [replace(entry, environment=start)])
        self._function = outer
        found = []
        for state in states:
            if state.returned is None:
                if not function.named_results and function.results:
                    raise self._reading.text.error(f"{function.name} can end without a return", function.at)
                state = replace(state, returned=tuple(state.environment[r.name] for r in function.results))
            found.append(state)
        return found

    def _block(self, block: Block, states: list[_State]) -> list[_State]:
        for statement in block:
            states = [
                after
                for state in states
                for after in ([state] if state.returned is not None else self._statement(statement, state))
            ]
            if len(states) > MOST_PATHS:
                raise self._reading.text.error(
                    f"more than {MOST_PATHS} paths lead through here",
                    statement.at,
                    hint="Branches with calls multiply; move some of them into a function of their own.",
                )
        return states

    def _statement(self, statement: Statement, state: _State) -> list[_State]:
        match statement:
            case Assign(target, value):
                term, state = self._evaluate(value, state, self._width_of(target))
                return [replace(state, environment={**state.environment, target.name: term})]
            case Assume(condition):
                term, state = self._evaluate(condition, state, BOOLEAN)
                return self._assume(state, term)
            case Return(values):
                return [self._return(statement, values, state)]
            case If():
                return self._branch(statement, state)
            case CallStatement():
                return self._call(statement, state)
        raise self._reading.text.error("a loop is left over", statement.at)

    def _width_of(self, target: Name) -> int:
        function = self._current()
        if target.name in {p.name for p in function.parameters}:
            return next(p.width for p in function.parameters if p.name == target.name)
        return function.widths.get(target.name, BOOLEAN)

    def _current(self) -> Function:
        if self._function is None:
            raise InputError("a statement stands outside of a function")
        return self._function

    def _evaluate(self, expression: Expression, state: _State, width: int) -> tuple[Term, _State]:
        translation = Translation(self._reading.text, self._reading.width, state.environment)
        term = translation.of_width(expression, width)
        if self._reading.overflow is Overflow.DISCARD and translation.exact:
            state = replace(state, guard=(*state.guard, *translation.exact))
        return term, state

    @staticmethod
    def _assume(state: _State, condition: Term) -> list[_State]:
        decided = terms.simplify(condition)
        if terms.is_false(decided):
            return []
        return [state if terms.is_true(decided) else replace(state, guard=(*state.guard, condition))]

    def _return(self, statement: Return, values: Sequence[Expression], state: _State) -> _State:
        results = self._current().results
        if len(values) != len(results):
            raise self._reading.text.error(
                f"{self._current().name} has {len(results)} results, not {len(values)}", statement.at
            )
        returned = []
        for value, result in zip(values, results, strict=True):
            term, state = self._evaluate(value, state, result.width)
            returned.append(term)
        return replace(state, returned=tuple(returned))

    def _branch(self, statement: If, state: _State) -> list[_State]:
        condition, state = self._evaluate(statement.condition, state, BOOLEAN)
        then = self._block(statement.then, self._assume(state, condition))
        otherwise = self._block(statement.otherwise, self._assume(state, terms.negation(condition)))
        joined = _joined(condition, state, then, otherwise)
        return [joined] if joined is not None else [*then, *otherwise]

    def _call(self, statement: CallStatement, state: _State) -> list[_State]:
        name = statement.function.name
        callee = self._reading.functions.get(name)
        if callee is None:
            raise self._reading.text.error(f"there is no function {name}", statement.function.at)
        if len(statement.arguments) != len(callee.parameters):
            raise self._reading.text.error(
                f"{name} takes {len(callee.parameters)} arguments, not {len(statement.arguments)}", statement.at
            )
        if len(statement.targets) != len(callee.results):
            raise self._reading.text.error(
                f"{name} has {len(callee.results)} results, not {len(statement.targets)}", statement.at
            )
        self._demand_types(statement, callee)
        arguments = []
        for argument, parameter in zip(statement.arguments, callee.parameters, strict=True):
            term, state = self._evaluate(argument, state, parameter.width)
            arguments.append(term)
        if name in self._reading.inlined:
            inside = self.function(callee, arguments, state)
            return [self._receive(statement, after, after.returned or (), state) for after in inside]
        results = tuple(
            self._names.variable(target.name, words.sort_of_width(result.width))
            for target, result in zip(statement.targets, callee.results, strict=True)
        )
        call = Call(terms.conjunction(state.guard), name, tuple(arguments), results)
        return [self._receive(statement, replace(state, calls=(*state.calls, call), guard=()), results, state)]

    def _demand_types(self, statement: CallStatement, callee: Function) -> None:
        for target, result in zip(statement.targets, callee.results, strict=True):
            if self._width_of(target) != result.width:
                raise self._reading.text.error(
                    f"{target.name} has another type than the result of {callee.name}",
                    target.at,
                    hint="Names without a type are truth values; declare others: var x: word;",
                )

    @staticmethod
    def _receive(statement: CallStatement, after: _State, results: Sequence[Term], caller: _State) -> _State:
        received = {t.name: r for t, r in zip(statement.targets, results, strict=True)}
        return replace(after, environment={**caller.environment, **received}, returned=None)


def _joined(condition: Term, entry: _State, then: list[_State], otherwise: list[_State]) -> _State | None:
    """Two branches without calls as one state with conditional values: the edges that section VII merges."""
    if len(then) != 1 or len(otherwise) != 1:
        return None
    (a,), (b,) = then, otherwise
    if len(a.calls) != len(entry.calls) or len(b.calls) != len(entry.calls):
        return None
    if (a.returned is None) != (b.returned is None):
        return None
    start = len(entry.guard)
    assumed = [terms.implication(condition, g) for g in a.guard[start:] if not terms.same(g, condition)]
    opposite = terms.negation(condition)
    assumed += [terms.implication(opposite, g) for g in b.guard[start:] if not terms.same(g, opposite)]
    environment = {name: _choice(condition, a.environment[name], b.environment[name]) for name in a.environment}
    returned = None
    if a.returned is not None and b.returned is not None:
        returned = tuple(_choice(condition, x, y) for x, y in zip(a.returned, b.returned, strict=True))
    return replace(entry, environment=environment, guard=(*entry.guard, *assumed), returned=returned)


def _choice(condition: Term, then: Term, otherwise: Term) -> Term:
    return then if terms.same(then, otherwise) else terms.ite(condition, then, otherwise)


def _assigned(block: Block) -> set[str]:
    found: set[str] = set()
    for statement in block:
        match statement:
            case Assign(target):
                found.add(target.name)
            case CallStatement(targets):
                found.update(target.name for target in targets)
            case If(_, then, otherwise):
                found |= _assigned(then) | _assigned(otherwise)
            case _:
                pass
    return found
