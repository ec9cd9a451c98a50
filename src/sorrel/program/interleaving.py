"""Runs of programs with threads: who moves when, with which values.

A schedule names, step by step, the thread that moves and the values that it chooses on the way. Replaying one is the
meaning of an interleaving.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from sorrel.model.errors import NOWHERE, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.evaluation import Code, UndefinedOperation, compile, evaluate
from sorrel.program.expression import Expression, Variable
from sorrel.program.liveness import live_variables
from sorrel.program.statement import Assert, Assign, Assume, Branch, Call, Choice, Goto, Havoc, Return, Stop
from sorrel.program.threads import Thread, Threads
from sorrel.program.types import Array, Type
from sorrel.program.value import Value, fits, zero

RETURNED, STOPPED = "return", "stop"


@dataclass(frozen=True, slots=True)
class Configuration:
    """Where each thread is, what its locals are that matter there, and the globals, in the order of declaration."""

    places: tuple[str, ...]
    locals: tuple[tuple[Value, ...], ...]
    globals: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a thread, with the values that it chose."""

    thread: int
    choices: tuple[Value, ...] = ()


Schedule: TypeAlias = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class WroteInThread:
    """In a step of `thread`, a variable got a value; `choice` if it was chosen."""

    thread: int
    span: Span
    variable: Variable
    value: Value
    choice: Choice | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """In a step of `thread`, a condition was true or false."""

    thread: int
    span: Span
    taken: bool


# How a step ends


@dataclass(frozen=True, slots=True)
class Moved:
    configuration: Configuration


@dataclass(frozen=True, slots=True)
class Failed:
    """An assertion was false."""

    assertion: Assert
    thread: int


@dataclass(frozen=True, slots=True)
class Impossible:
    """The thread cannot take this step now: it is at its end, waits, or the choices do not fit."""

    reason: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class UndefinedInThread:
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Open:
    """A value is to be chosen, and there was none left."""

    type: Type
    choice: Choice


Taken: TypeAlias = Moved | Failed | Impossible | UndefinedInThread | Open


class _Unset:
    """In place of a value that nobody has chosen and nobody has asked for."""

    def __repr__(self) -> str:
        return "unset"


UNSET = cast(Value, _Unset())


class _UnsetError(Exception):
    """Somebody asks for such a value now."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _NotTakenError(Exception):
    """The step ends here."""

    def __init__(self, taken: Taken) -> None:
        super().__init__(str(taken))
        self.taken = taken


class _Values(dict[str, Value]):
    """Variables by name, some of which may not have been set."""

    def __getitem__(self, name: str) -> Value:
        value = super().__getitem__(name)
        if value is UNSET:
            raise _UnsetError(name)
        return value


class Interleaving:
    """Takes steps of the threads of one program.

    `late`: what a variable holds before it is set is chosen when it is first read, so that where everybody sets
    variables before others read them there is nothing to choose. Arrays are chosen where they begin to be.
    """

    def __init__(self, threads: Threads, *, late: bool = True) -> None:
        self.threads = threads
        self._late = late
        locals = [each for thread in threads.threads for each in thread.locals]
        self._types = {each.name: each.type for each in (*threads.globals, *locals)}
        self._values: type[dict[str, Value]] = _Values if late and _may_be_unset(threads) else dict
        self._names = frozenset(each.name for each in threads.globals)
        self._codes: dict[int, tuple[Expression, Code]] = {}
        self._live = [live_variables(thread.procedure) for thread in threads.threads]
        self.events: list[WroteInThread | Decided] = []
        self.record = False

    def start(self, choices: Sequence[Value] = ()) -> Configuration | Open:
        """Globals get their initial values; those without one are chosen."""
        given = iter(choices)
        values: dict[str, Value] = {}
        for each in self.threads.globals:
            initial = self.threads.initial.get(each.name)
            if initial is None:
                value = UNSET if self._is_late(each.type) else next(given, None)
                if value is None:
                    return Open(each.type, Choice.UNINITIALISED)
                values[each.name] = value
            else:
                values[each.name] = self._value(initial, {}, values)
        places = tuple(thread.procedure.entry for thread in self.threads.threads)
        locals = tuple(tuple(zero(each.type) for each in thread.locals) for thread in self.threads.threads)
        return Configuration(places, locals, tuple(values[each.name] for each in self.threads.globals))

    def step(self, here: Configuration, move: Move) -> Taken:
        if STOPPED in here.places:
            return Impossible("the run has ended")
        thread = self.threads.threads[move.thread]
        label = here.places[move.thread]
        if label == RETURNED:
            return Impossible(f"thread {move.thread} has ended")
        pairs = zip(thread.locals, here.locals[move.thread], strict=True)
        own = self._values((each.name, value) for each, value in pairs)
        shared = self._shared(here)
        try:
            end = self._walk(thread, label, own, shared, iter(move.choices))
        except UndefinedOperation as problem:
            return UndefinedInThread(problem.message, self._span)
        except _NotTakenError as end_of_step:
            return end_of_step.taken
        return self._after(here, thread, end, own, shared) if isinstance(end, str) else end

    def _shared(self, here: Configuration) -> dict[str, Value]:
        return self._values((each.name, value) for each, value in zip(self.threads.globals, here.globals, strict=True))

    def _is_late(self, type: Type) -> bool:
        return self._late and not isinstance(type, Array)

    def _walk(
        self, thread: Thread, label: str, own: dict[str, Value], shared: dict[str, Value], choices: Iterator[Value]
    ) -> str | Taken:
        """From a cut to the next: its label, or how the step ended otherwise."""

        def value_of(expression: Expression) -> Value:
            while True:
                try:
                    return self._value(expression, own, shared)
                except _UnsetError as unset:
                    target = Variable(unset.name, self._types[unset.name])
                    value = self._chosen(target, Choice.UNINITIALISED, choices)
                    self._write(thread, own, shared, target, value, self._span, Choice.UNINITIALISED)

        while True:
            block = thread.procedure.block[label]
            for statement in block.statements:
                self._span = statement.span
                match statement:
                    case Assign(target, value):
                        self._write(thread, own, shared, target, value_of(value), statement.span)
                    case Havoc(target, Choice.UNINITIALISED) if self._is_late(target.type):
                        (shared if target.name in self._names else own)[target.name] = UNSET
                    case Havoc(target, choice):
                        chosen = self._chosen(target, choice, choices)
                        self._write(thread, own, shared, target, chosen, statement.span, choice)
                    case Assume(condition):
                        if not value_of(condition):
                            return Impossible(statement.reason or "the thread waits", statement.span)
                    case Assert(condition):
                        if not value_of(condition):
                            return Failed(statement, thread.number)
                    case Call(name):
                        raise InternalError(f"a thread still calls {name}")
            self._span = block.terminator.span
            match block.terminator:
                case Goto(to):
                    label = to
                case Branch(condition, then, otherwise):
                    taken = bool(value_of(condition))
                    label = then if taken else otherwise
                    if self.record:
                        self.events.append(Decided(thread.number, block.terminator.span, taken))
                case Return():
                    return RETURNED
                case Stop():
                    return STOPPED
            if label in thread.cuts:
                return label

    def _chosen(self, target: Variable, choice: Choice, choices: Iterator[Value]) -> Value:
        value = next(choices, None)
        if value is None:
            raise _NotTakenError(Open(target.type, choice))
        if not fits(value, target.type):
            raise _NotTakenError(Impossible(f"{value} is not a value of {target.name}", self._span))
        return value

    def _after(
        self, here: Configuration, thread: Thread, label: str, own: dict[str, Value], shared: dict[str, Value]
    ) -> Moved:
        live = self._live[thread.number].get(label, frozenset())
        kept = tuple(own.get(each.name, UNSET) if each in live else zero(each.type) for each in thread.locals)
        number = thread.number
        places = (*here.places[:number], label, *here.places[number + 1 :])
        locals = (*here.locals[:number], kept, *here.locals[number + 1 :])
        globals = tuple(shared.get(each.name, UNSET) for each in self.threads.globals)
        return Moved(Configuration(places, locals, globals))

    def _write(
        self,
        thread: Thread,
        own: dict[str, Value],
        shared: dict[str, Value],
        target: Variable,
        value: Value,
        span: Span,
        choice: Choice | None = None,
    ) -> None:
        (shared if target.name in self._names else own)[target.name] = value
        if self.record:
            self.events.append(WroteInThread(thread.number, span, target, value, choice))

    def holds(self, condition: Expression, here: Configuration) -> bool:
        """Whether a condition over globals is known to be true."""
        try:
            return bool(self._value(condition, {}, self._shared(here)))
        except _UnsetError:
            return False

    def completed(self, here: Configuration) -> Configuration:
        """With zero for what nobody has chosen: one of those that the configuration stands for."""
        locals = tuple(
            tuple(_or_zero(value, each) for each, value in zip(thread.locals, own, strict=True))
            for thread, own in zip(self.threads.threads, here.locals, strict=True)
        )
        globals = tuple(_or_zero(value, each) for each, value in zip(self.threads.globals, here.globals, strict=True))
        return Configuration(here.places, locals, globals)

    def _value(self, expression: Expression, own: Mapping[str, Value], shared: Mapping[str, Value]) -> Value:
        known = self._codes.get(id(expression))
        if known is None:
            known = self._codes[id(expression)] = (expression, compile(expression, self._names))
        return evaluate(known[1], own, shared, _no_function)


def _may_be_unset(threads: Threads) -> bool:
    return any(each.name not in threads.initial for each in threads.globals) or any(
        isinstance(statement, Havoc) and statement.choice is Choice.UNINITIALISED
        for thread in threads.threads
        for block in thread.procedure.blocks
        for statement in block.statements
    )


def _or_zero(value: Value, variable: Variable) -> Value:
    return zero(variable.type) if value is UNSET else value


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise InternalError(f"the function {function}, of which nothing is known, in a program with threads")


# A given schedule


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a schedule ended, and what happened on the way."""

    end: Taken
    events: tuple[WroteInThread | Decided, ...]


def replay(threads: Threads, schedule: Schedule, start: Sequence[Value] = ()) -> Replayed:
    """The schedule's last step decides: an error was reached exactly if it ends in `Failed`."""
    interleaving = Interleaving(threads)
    interleaving.record = True
    here = interleaving.start(start)
    if isinstance(here, Open):
        return Replayed(here, ())
    end: Taken = Moved(here)
    for move in schedule:
        end = interleaving.step(here, move)
        if not isinstance(end, Moved):
            break
        here = end.configuration
    return Replayed(end, tuple(interleaving.events))
