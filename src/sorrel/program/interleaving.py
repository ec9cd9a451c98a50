"""Runs of programs with threads: who moves when, with which values; and all of them, where they are few.

A schedule names, step by step, the thread that moves and the values that it chooses on the way. Replaying one is the
meaning of an interleaving; exploring is the truth that tests compare proofs with, for programs with few states.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from sorrel.model.errors import NOWHERE, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.model.work import METER, STEP
from sorrel.program.evaluation import Code, UndefinedOperation, compile, evaluate
from sorrel.program.expression import Constant, Expression, Variable
from sorrel.program.liveness import live_variables
from sorrel.program.statement import Assert, Assign, Assume, Branch, Call, Choice, Goto, Havoc, Kind, Return, Stop
from sorrel.program.threads import Thread, Threads
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.types import BOOLEAN, Array, Type
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
class Wrote:
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
class Undefined:
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Open:
    """A value is to be chosen, and there was none left."""

    type: Type
    choice: Choice


Taken: TypeAlias = Moved | Failed | Impossible | Undefined | Open


class Interleaving:
    """Takes steps of the threads of one program."""

    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self._names = frozenset(each.name for each in threads.globals)
        self._codes: dict[int, tuple[Expression, Code]] = {}
        self._live = [live_variables(thread.procedure) for thread in threads.threads]
        self.events: list[Wrote | Decided] = []
        self.record = False

    def start(self, choices: Sequence[Value] = ()) -> Configuration | Open:
        """Globals get their initial values; those without one are chosen."""
        given = iter(choices)
        values: dict[str, Value] = {}
        for each in self.threads.globals:
            initial = self.threads.initial.get(each.name)
            if initial is None:
                value = next(given, None)
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
        own = {each.name: value for each, value in zip(thread.locals, here.locals[move.thread], strict=True)}
        shared = {each.name: value for each, value in zip(self.threads.globals, here.globals, strict=True)}
        try:
            end = self._walk(thread, label, own, shared, iter(move.choices))
        except UndefinedOperation as problem:
            return Undefined(problem.message, self._span)
        return self._after(here, thread, end, own, shared) if isinstance(end, str) else end

    def _walk(
        self, thread: Thread, label: str, own: dict[str, Value], shared: dict[str, Value], choices: Iterator[Value]
    ) -> str | Taken:
        """From a cut to the next: its label, or how the step ended otherwise."""
        while True:
            block = thread.procedure.block[label]
            for statement in block.statements:
                self._span = statement.span
                match statement:
                    case Assign(target, value):
                        self._write(thread, own, shared, target, self._value(value, own, shared), statement.span)
                    case Havoc(target, choice):
                        chosen = next(choices, None)
                        if chosen is None:
                            return Open(target.type, choice)
                        if not fits(chosen, target.type):
                            return Impossible(f"{chosen} is no value of {target.name}", statement.span)
                        self._write(thread, own, shared, target, chosen, statement.span, choice)
                    case Assume(condition):
                        if not self._value(condition, own, shared):
                            return Impossible(statement.reason or "the thread waits", statement.span)
                    case Assert(condition):
                        if not self._value(condition, own, shared):
                            return Failed(statement, thread.number)
                    case Call(name):
                        raise InternalError(f"a thread still calls {name}")
            self._span = block.terminator.span
            match block.terminator:
                case Goto(to):
                    label = to
                case Branch(condition, then, otherwise):
                    taken = bool(self._value(condition, own, shared))
                    label = then if taken else otherwise
                    if self.record:
                        self.events.append(Decided(thread.number, block.terminator.span, taken))
                case Return():
                    return RETURNED
                case Stop():
                    return STOPPED
            if label in thread.cuts:
                return label

    def _after(
        self, here: Configuration, thread: Thread, label: str, own: Mapping[str, Value], shared: Mapping[str, Value]
    ) -> Moved:
        live = self._live[thread.number].get(label, frozenset())
        kept = tuple(own[each.name] if each in live else zero(each.type) for each in thread.locals)
        number = thread.number
        places = (*here.places[:number], label, *here.places[number + 1 :])
        locals = (*here.locals[:number], kept, *here.locals[number + 1 :])
        return Moved(Configuration(places, locals, tuple(shared[each.name] for each in self.threads.globals)))

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
            self.events.append(Wrote(thread.number, span, target, value, choice))

    def holds(self, condition: Expression, here: Configuration) -> bool:
        """Whether a condition over globals is true."""
        shared = {each.name: value for each, value in zip(self.threads.globals, here.globals, strict=True)}
        return bool(self._value(condition, {}, shared))

    def _value(self, expression: Expression, own: Mapping[str, Value], shared: Mapping[str, Value]) -> Value:
        known = self._codes.get(id(expression))
        if known is None:
            known = self._codes[id(expression)] = (expression, compile(expression, self._names))
        return evaluate(known[1], own, shared, _no_function)


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise InternalError(f"the function {function}, of which nothing is known, in a program with threads")


# A given schedule


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a schedule ended, and what happened on the way."""

    end: Taken
    events: tuple[Wrote | Decided, ...]


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


# All schedules


Parents: TypeAlias = Mapping[Configuration, tuple[Configuration, Move] | None]


@dataclass(frozen=True, slots=True)
class Explored:
    """`reached` are the configurations met; `complete`: there are no others, for any values chosen."""

    reached: tuple[Configuration, ...]
    error: Schedule | None
    complete: bool


class Watcher(Protocol):
    """Looks on while interleavings are explored."""

    def __call__(self, here: Configuration, taken: Sequence[tuple[Move, Taken]], parents: Parents) -> None:
        """`taken` are all steps from here for the values that are tried; and `Open` ones where there are others."""


SMALL_VALUES: tuple[Value, ...] = (0, 1)
MOVE = 20
"""Steps of a program that take as long as one of a configuration."""
MOST_MENTIONED, LARGEST_MENTIONED = 4, 1_000


def mentioned_values(threads: Threads) -> tuple[Value, ...]:
    """Small values, and the smallest numbers that the program mentions: what it compares its inputs with."""
    numbers = {
        abs(part.value)
        for thread in threads.threads
        for block in thread.procedure.blocks
        for step in steps(block)
        for expression in expressions(step)
        for part in subexpressions(expression)
        if isinstance(part, Constant) and isinstance(part.value, int) and not isinstance(part.value, bool)
    }
    more = sorted(n for n in numbers | {2, 3} if 1 < n <= LARGEST_MENTIONED)
    return (*SMALL_VALUES, *more[:MOST_MENTIONED])


def explore(
    threads: Threads,
    *,
    most: int = 100_000,
    values: Sequence[Value] = SMALL_VALUES,
    go_on: Callable[[], bool] = lambda: True,
    watcher: Watcher | None = None,
) -> Explored:
    """Breadth-first, with the given values for each choice, until an error is found."""
    return Exploration(Interleaving(threads), values).run(most, go_on, watcher)


class Exploration:
    def __init__(self, interleaving: Interleaving, values: Sequence[Value] = SMALL_VALUES) -> None:
        self._interleaving = interleaving
        self._threads = range(len(interleaving.threads.threads))
        self._values = values

    def run(
        self,
        most: int,
        go_on: Callable[[], bool],
        watcher: Watcher | None = None,
        start: Configuration | None = None,
    ) -> Explored:
        first = start or self._interleaving.start()
        if isinstance(first, Open):
            return Explored((), None, False)
        parents: dict[Configuration, tuple[Configuration, Move] | None] = {first: None}
        waiting, complete = deque([first]), True
        while waiting:
            if len(parents) > most or not go_on():
                return Explored(tuple(parents), None, False)
            here = waiting.popleft()
            steps = [each for thread in self._threads for each in self._moves(here, thread)]
            for move, taken in steps:
                match taken:
                    case Failed(Assert(kind=Kind.POSSIBLE_RACE)):
                        complete = False
                    case Failed():
                        return Explored(tuple(parents), (*way(parents, here), move), False)
                    case Open():
                        complete = False
                    case Moved(configuration) if configuration not in parents:
                        parents[configuration] = (here, move)
                        waiting.append(configuration)
                    case _:
                        pass
            if watcher is not None:
                watcher(here, steps, parents)
        return Explored(tuple(parents), None, complete)

    def _moves(self, here: Configuration, thread: int) -> Iterator[tuple[Move, Taken]]:
        """The steps of a thread, for all values that are tried; and `Open` where there are others."""
        waiting: list[tuple[Value, ...]] = [()]
        while waiting:
            choices = waiting.pop()
            move = Move(thread, choices)
            taken = self._interleaving.step(here, move)
            METER.add(MOVE * STEP)
            if not isinstance(taken, Open):
                yield move, taken
                continue
            waiting += [(*choices, value) for value in self._options(taken)]
            if taken.type != BOOLEAN or taken.choice is Choice.ABSTRACTION:
                yield move, taken

    def _options(self, open_: Open) -> list[Value]:
        if open_.choice is Choice.ABSTRACTION or isinstance(open_.type, Array):
            return []
        if open_.type == BOOLEAN:
            return [False, True]
        return [value for value in self._values if fits(value, open_.type)]


def way(parents: Parents, here: Configuration) -> Schedule:
    moves: list[Move] = []
    known = parents[here]
    while known is not None:
        here, move = known
        moves.append(move)
        known = parents[here]
    return tuple(reversed(moves))
