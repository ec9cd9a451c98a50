"""Runs of functional programs: an abstract machine with a stack of its own, so that deep recursion is no problem.

Arguments are evaluated from right to left, the function last; numbers have 63 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from sorrel.functional.execution import (
    End,
    Event,
    Execution,
    Exhausted,
    Finished,
    Kind,
    Refused,
    Starved,
    Used,
    Violated,
)
from sorrel.functional.matching import matches
from sorrel.functional.operations import Failed, operate
from sorrel.functional.operator import Operator
from sorrel.functional.program import Program
from sorrel.functional.term import (
    Apply,
    Assert,
    Branch,
    Constant,
    Construct,
    Definition,
    Function,
    If,
    Input,
    Let,
    Match,
    Operation,
    Raise,
    Recursive,
    Term,
    Try,
    Tuple,
    Variable,
    free_names,
)
from sorrel.functional.type import ASSERT_FAILURE, INT, Arrow, Type, uncurried
from sorrel.functional.value import Chooser, Closure, Hidden, Looked, Made, Unknown, Value, ranks
from sorrel.model.errors import InternalError, Span
from sorrel.model.values import dataclass
from sorrel.model.work import FUNCTIONAL_STEP, METER


class Watcher(Protocol):
    """Who is told of calls."""

    def entered(
        self, closure: Closure, arguments: tuple[Value, ...], inputs: int, height: int
    ) -> tuple[Value, ...] | None:
        """The arguments with which the run goes on, or None where it does not.

        `inputs` is how many values were chosen so far, `height` how much waits for the call to return.
        """

    def back_to(self, height: int) -> None:
        """Calls for which no less waited than that have returned, or an exception left them."""


class _Stop(Exception):
    def __init__(self, end: End) -> None:
        super().__init__()
        self.end = end


def execute(
    program: Program,
    choose: Chooser | Sequence[Value],
    forbidden: frozenset[Kind],
    *,
    steps: int = 100_000,
    record: bool = False,
    wraps: bool = False,
    watcher: Watcher | None = None,
) -> Execution:
    """The run with values that are asked for, or in order of a list. It ends at the first thing that is forbidden.

    Numbers that do not fit into 63 bits end a run that is not followed any further, unless they wrap. `watcher` is told
    of calls, and may end the run.
    """
    machine = _Machine(program, choose, forbidden, steps, record, wraps, watcher)
    try:
        end: End = Finished(machine.run(program.body))
    except _Stop as stop:
        end = stop.end
    except Looked:
        end = Refused("what is hidden matters", Span())
    METER.add(FUNCTIONAL_STEP * (steps - machine.left))
    return Execution(end, tuple(machine.used), steps - machine.left, tuple(machine.events))


_Environment: TypeAlias = dict[str, Value]
_Frame: TypeAlias = Callable[[Value], None]


@dataclass(slots=True)
class _Handler:
    """Where an exception goes on: the height of the stack there, and the cases."""

    height: int
    branches: tuple[Branch, ...]
    environment: _Environment
    depth: int


class _Machine:
    def __init__(
        self,
        program: Program,
        choose: Chooser | Sequence[Value],
        forbidden: frozenset[Kind],
        steps: int,
        record: bool,
        wraps: bool,
        watcher: Watcher | None,
    ) -> None:
        self.program = program
        self.choose = choose
        self.forbidden = forbidden
        self.left = steps
        self.record = record
        self._wraps = wraps
        self._watcher = watcher
        self.used: list[Used] = []
        self.events: list[Event] = []
        self._given = iter(self.choose) if not callable(self.choose) else None
        self._stack: list[_Frame] = []
        self._handlers: list[_Handler] = []
        self._ranks = ranks(dict(self.program.data))
        self._free: dict[int, tuple[str, ...]] = {}
        # Assertions that failed, by the exceptions that they raised: handlers may raise these again.
        self._failed: dict[int, tuple[Made, Span]] = {}
        self._depth = 0
        self._next: tuple[Term, _Environment] | None = None
        self._result: Value = None

    def run(self, term: Term) -> Value:
        self._next = (term, {})
        while True:
            if self._next is not None:
                self._count()
                current, environment = self._next
                self._next = None
                self._evaluate(current, environment)
            elif self._stack:
                self._stack.pop()(self._result)
            else:
                return self._result

    # One step

    def _evaluate(self, term: Term, at: _Environment) -> None:
        match term:
            case Constant(value):
                self._result = value
            case Variable(name):
                self._result = at[name]
            case Function():
                self._result = self._closure(term, at)
            case Operation(operator, arguments, _, span):
                self._sequence(arguments, at, lambda values: self._operate(operator, values, term))
            case If(condition, then, otherwise):
                self._then(condition, at, lambda value: self._go(then if value else otherwise, at))
            case Let(binder, value, body):
                self._then(value, at, lambda found: self._bind(binder.name, found, body, at))
            case Apply(function, arguments, _, span):
                self._sequence((function, *arguments), at, lambda values: self._apply(values[0], values[1:], span))
            case Recursive(definitions, body):
                at.update(self._group(definitions, at))
                self._go(body, at)
            case Tuple(items):
                self._sequence(items, at, self._give)
            case Construct(constructor, arguments):
                self._sequence(arguments, at, lambda values: self._give(Made(constructor, values)))
            case Match(subject, branches, span):
                self._then(subject, at, lambda value: self._branch(value, branches, 0, at, lambda: self._no_case(span)))
            case Try(body, branches):
                self._try(body, branches, at)
            case Raise(exception, _, span):
                self._then(exception, at, lambda value: self._raise(value, span))
            case Assert(condition, _, span):
                self._then(condition, at, lambda value: self._assert(bool(value), span))
            case Input(type, source, span, below):
                self._result = self._chosen(type, source, span, below)

    def _go(self, term: Term, at: _Environment) -> None:
        self._next = (term, at)

    def _give(self, value: Value) -> None:
        self._result = value

    def _then(self, term: Term, at: _Environment, frame: _Frame) -> None:
        self._stack.append(frame)
        self._next = (term, at)

    def _sequence(self, terms: tuple[Term, ...], at: _Environment, done: Callable[[tuple[Value, ...]], None]) -> None:
        """All values, the last one first. Most are at hand: a step for each, but no frame."""
        values: list[Value] = []

        def collect(value: Value) -> None:
            values.append(value)
            proceed()

        def proceed() -> None:
            for position in range(len(terms) - 1 - len(values), -1, -1):
                term = terms[position]
                if not isinstance(term, Variable | Constant):
                    self._then(term, at, collect)
                    return
                self._count()
                values.append(at[term.name] if isinstance(term, Variable) else term.value)
            values.reverse()
            done(tuple(values))

        proceed()

    def _count(self) -> None:
        if self.left <= 0:
            raise _Stop(Exhausted())
        self.left -= 1

    def _bind(self, name: str, value: Value, body: Term, at: _Environment) -> None:
        at[name] = value
        self._next = (body, at)

    def _free_of(self, function: Function) -> tuple[str, ...]:
        found = self._free.get(id(function))
        if found is None:
            found = self._free[id(function)] = tuple(free_names(function))
        return found

    def _closure(self, function: Function, at: _Environment, without: set[str] | None = None) -> Closure:
        names = self._free_of(function)
        return Closure(function, {name: at[name] for name in names if not without or name not in without})

    def _group(self, definitions: tuple[Definition, ...], at: _Environment) -> dict[str, Value]:
        """Closures that know each other."""
        names = {each.binder.name for each in definitions}
        made = {each.binder.name: self._closure(each.value, at, names) for each in definitions}
        for closure in made.values():
            free = self._free_of(closure.function)
            closure.captured.update({name: other for name, other in made.items() if name in free})
        return dict(made)

    # Functions

    def _apply(self, function: Value, arguments: tuple[Value, ...], span: Span) -> None:
        match function:
            case Closure(definition, captured, given):
                values = (*given, *arguments)
                wanted = len(definition.parameters)
                if len(values) < wanted:
                    self._give(Closure(definition, captured, values))
                    return
                rest = values[wanted:]
                if rest:
                    self._stack.append(lambda result: self._apply(result, rest, span))
                taken = values[:wanted]
                if self._watcher is not None:
                    taken = self._watch(self._watcher, Closure(definition, captured), taken)
                self._enter(definition, captured, taken, span)
            case Unknown(type, source):
                parameters, result = uncurried(type)
                if len(arguments) < len(parameters):
                    self._give(Unknown(_remaining(type, len(arguments)), source))
                    return
                rest = arguments[len(parameters) :]
                self._give(self._chosen(result, source, span, None))
                if rest:
                    value = self._result
                    self._apply(value, rest, span)
            case Hidden():
                raise Looked
            case _:
                raise InternalError(f"{span}: something that is not a function is applied")

    def _watch(self, watcher: Watcher, closure: Closure, values: tuple[Value, ...]) -> tuple[Value, ...]:
        height = len(self._stack)
        taken = watcher.entered(closure, values, len(self.used), height)
        if taken is None:
            raise _Stop(Exhausted())

        def left(value: Value) -> None:
            watcher.back_to(height)
            self._result = value

        self._stack.append(left)
        return taken

    def _enter(self, function: Function, captured: _Environment, values: tuple[Value, ...], span: Span) -> None:
        at = dict(captured)
        for parameter, value in zip(function.parameters, values, strict=True):
            at[parameter.name] = value
        if self.record and function.label:
            types = tuple(parameter.type for parameter in function.parameters)
            place = span if span.line else function.span  # whoever starts the program stands nowhere in it
            self.events.append(Event(function.label, values, types, place, self._depth))
            self._depth += 1
            self._stack.append(lambda value: self._leave(function, value))
        self._next = (function.body, at)

    def _leave(self, function: Function, value: Value) -> None:
        self._depth -= 1
        self.events.append(Event(function.label, (value,), (function.body.type,), function.span, self._depth, True))
        self._result = value

    # Decisions and exceptions

    def _branch(
        self, value: Value, branches: tuple[Branch, ...], position: int, at: _Environment, none: Callable[[], None]
    ) -> None:
        """The first case that matches and whose guard holds."""
        while position < len(branches):
            branch = branches[position]
            bound = matches(branch.pattern, value)
            position += 1
            if bound is None:
                continue
            at.update(bound)
            if branch.guard is None:
                self._go(branch.body, at)
                return
            following = position

            def decided(holds: Value, body: Term = branch.body, following: int = following) -> None:
                if holds:
                    self._go(body, at)
                else:
                    self._branch(value, branches, following, at, none)

            self._then(branch.guard, at, decided)
            return
        none()

    def _no_case(self, span: Span) -> None:
        self._raise(Made("Match_failure", ("",)), span)

    def _try(self, body: Term, branches: tuple[Branch, ...], at: _Environment) -> None:
        self._handlers.append(_Handler(len(self._stack), branches, at, self._depth))

        def done(value: Value) -> None:
            self._handlers.pop()
            self._result = value

        self._then(body, at, done)

    def _raise(self, exception: Value, span: Span) -> None:
        if not self._handlers:
            failed = self._failed.get(id(exception))
            if failed is not None and Kind.ASSERTION in self.forbidden:
                raise _Stop(Violated(Kind.ASSERTION, "assertion violated", failed[1]))
            name = exception.constructor.split(".")[0] if isinstance(exception, Made) else "an exception"
            if Kind.EXCEPTION in self.forbidden:
                raise _Stop(Violated(Kind.EXCEPTION, f"{name} is raised and not handled", span))
            raise _Stop(Finished(None))
        handler = self._handlers.pop()
        del self._stack[handler.height :]
        if self._watcher is not None:
            self._watcher.back_to(handler.height)
        self._depth = handler.depth
        self._branch(exception, handler.branches, 0, handler.environment, lambda: self._raise(exception, span))

    def _assert(self, holds: bool, span: Span) -> None:
        if holds:
            self._result = None
            return
        failure = Made(ASSERT_FAILURE, ("",))
        self._failed[id(failure)] = (failure, span)
        self._raise(failure, span)

    def _operate(self, operator: Operator, values: tuple[Value, ...], term: Operation) -> None:
        if operator is Operator.EXIT:
            raise _Stop(Finished(None))
        try:
            outcome = operate(operator, values, self._ranks, wraps=self._wraps)
        except Failed as failure:
            if failure.kind in self.forbidden:
                raise _Stop(Violated(Kind(failure.kind), failure.message, term.span)) from None
            if failure.exception is None:
                raise _Stop(Refused(failure.message, term.span)) from None
            self._raise(failure.exception, term.span)
            return
        self._result = outcome

    # Inputs

    def _chosen(self, type: Type, source: str, span: Span, below: int | None) -> Value:
        if isinstance(type, Arrow):
            return Unknown(type, source)
        if self._given is None:
            value = self.choose(type, below)  # type: ignore[operator]
        else:
            try:
                value = next(self._given)
            except StopIteration:
                raise _Stop(Starved()) from None
        if below is not None and type == INT and not (isinstance(value, int) and 0 <= value < below):
            raise _Stop(Refused(f"a random number below {below} is {value}", span))
        self.used.append(Used(value, type, source, span))
        return value


def _remaining(type: Arrow, given: int) -> Arrow:
    rest: Type = type
    for _ in range(given):
        if isinstance(rest, Arrow):
            rest = rest.result
    if not isinstance(rest, Arrow):
        raise InternalError("a function that has all its arguments")
    return rest
