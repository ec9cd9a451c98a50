"""Concrete runs: the meaning of programs, which replays counterexamples and which tests take for the truth.

Values that the program leaves open come from outside, in the order of execution:

- at the start, the globals without an initial value, then the parameters of the main procedure;
- at each entry of a procedure, the outputs and locals of `liveness.open_starts`: those that may be read unwritten;
- each Havoc;
- each application of an uninterpreted function to arguments that it did not have before in this run, unless the caller
  gave its value: runs side by side share their functions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.model.work import METER, STEP
from sorrel.program import failing
from sorrel.program.checks import guards
from sorrel.program.evaluation import Code, UndefinedOperation, compile, evaluate
from sorrel.program.expression import Store, Variable
from sorrel.program.liveness import open_starts
from sorrel.program.printing import Written, write
from sorrel.program.program import Procedure, Program
from sorrel.program.run import (
    Application,
    Branched,
    End,
    Entered,
    Event,
    Exhausted,
    Finished,
    Functions,
    Observed,
    Passed,
    Refused,
    Returned,
    Run,
    Starved,
    Stopped,
    Undefined,
    Used,
    Violated,
    Wrote,
)
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Branch,
    Call,
    Choice,
    Goto,
    Havoc,
    Kind,
    Observe,
    Print,
    Return,
    Statement,
    Stop,
    Stream,
    Terminator,
)
from sorrel.program.stretches import Stretch
from sorrel.program.traversal import expressions, steps
from sorrel.program.types import Type
from sorrel.program.value import ArrayValue, IndeterminateRead, Value, fits, indeterminate, zero


@dataclass(frozen=True, slots=True)
class ByVariable:
    """Choices that depend on the variable that gets the value; None: there is no value left for it."""

    choose: Callable[[Type, str], Value | None]


Choices: TypeAlias = Iterable[Value] | Callable[[Type], Value] | ByVariable


def run(
    program: Program,
    choices: Choices = (),
    *,
    steps: int = 1_000_000,
    record: bool = False,
    functions: Functions | None = None,
    prepared: Prepared | None = None,
    indeterminate: Collection[Choice] = (),
) -> Run:
    """One run of a valid program. `choices` are values in order, or made when they are asked for.

    Uninterpreted functions have the values in `functions`; those that are not there are chosen. Each statement and each
    end of a block is a step. Who runs a program often hands over the same `prepared`.

    `indeterminate`: what is open for these reasons is not chosen, and the run is starved if such a value is needed.
    If it ends otherwise, it would have done so whatever those values are.
    """
    machine = Interpreter(program, choices, steps, record, functions, prepared, indeterminate)
    end = machine.run()
    taken = steps - machine.left
    METER.add(STEP * taken)
    return Run(end, tuple(machine.events), tuple(machine.used), machine.written, taken)


NOBODYS = (Choice.UNINITIALISED, Choice.ABSTRACTION)
"""Reasons why a value is open although nobody chooses it."""
_Action: TypeAlias = "Callable[[Interpreter, _Frame, Any, tuple[Code, ...]], None]"
_Compiled: TypeAlias = "tuple[_Action, Statement | Terminator, tuple[Code, ...]]"


class Ended(Exception):
    def __init__(self, end: End) -> None:
        super().__init__(end)
        self.end = end


class _Steps(dict[str, tuple[_Compiled, ...]]):
    """By label the actions of a block with their expressions, compiled when a run first comes there."""

    def __init__(self, procedure: Procedure, globals: frozenset[str]) -> None:
        self._blocks, self._globals = procedure.block, globals

    def __missing__(self, label: str) -> tuple[_Compiled, ...]:
        self[label] = tuple(map(self._compiled, steps(self._blocks[label])))
        return self[label]

    def _compiled(self, step: Statement | Terminator) -> _Compiled:
        return _ACTIONS[type(step)], step, tuple(compile(each, self._globals) for each in expressions(step))


@dataclass(frozen=True, slots=True)
class _Prepared:
    procedure: Procedure
    steps: _Steps
    stretches: dict[str, Stretch]
    open: tuple[Variable, ...]
    start: dict[str, Value]  # of the locals and outputs whose first value nobody reads


@dataclass(slots=True)
class _Frame:
    prepared: _Prepared
    locals: dict[str, Value]
    results: tuple[Variable | None, ...]
    call: Span
    label: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a machine was between two steps; several machines may go on from there, with nothing written."""

    globals: Mapping[str, Value]
    frames: tuple[_Frame, ...]
    functions: Mapping[Application, Value]


Prepared: TypeAlias = "dict[str, _Prepared]"
"""What is made of the procedures of one program before they are run, by name; it starts empty."""


class Interpreter:
    def __init__(
        self,
        program: Program,
        choices: Choices,
        steps: int,
        record: bool,
        functions: Functions | None = None,
        prepared: Prepared | None = None,
        indeterminate: Collection[Choice] = (),
    ) -> None:
        self._indeterminate = indeterminate
        self._program = program
        self._choose = _chooser(choices)
        self.left = steps
        self._record = record
        self._prepared: Prepared = {} if prepared is None else prepared
        self._names = frozenset(variable.name for variable in program.globals)
        self.globals: dict[str, Value] = {}
        self._given: Functions = functions or {}
        self._functions: dict[Application, Value] = {}
        self.frames: list[_Frame] = []
        # Where we are, for whatever goes wrong there.
        self._procedure = program.main
        self._span = program.procedure[program.main].span
        self.events: list[Event] = []
        self.used: list[Used] = []
        self.written: dict[Stream, Written] = {}
        self.notice: Callable[[Observe, Value], None] | None = None  # who wants to know what is observed

    def run(self) -> End:
        try:
            self.start()
            while self.left > 0:
                if self._record or not self._leap():
                    self.left -= 1
                    self.step()
        except UndefinedOperation as undefined:
            return Undefined(undefined.kind, undefined.message, self._procedure, self._span)
        except IndeterminateRead:
            return Starved(self._procedure, self._span, None)
        except Ended as ended:
            return ended.end
        return Exhausted(self._procedure, self._span)

    def start(self) -> None:
        for variable in self._program.globals:
            initial = self._program.initial.get(variable.name)
            if initial is None:
                self.globals[variable.name] = self._chosen(
                    variable.type, Choice.UNINITIALISED, variable.name, variable.name
                )
            else:
                code = compile(initial, self._names)
                self.globals[variable.name] = evaluate(code, {}, self.globals, self._apply)
        main = self._program.procedure[self._program.main]
        arguments = tuple(self._chosen(each.type, Choice.INPUT, each.name, each.name) for each in main.parameters)
        self._enter(main.name, arguments, (None,) * len(main.outputs), main.span)

    @property
    def next_step(self) -> Statement | Terminator:
        """What the next step does."""
        frame = self.frames[-1]
        return frame.prepared.steps[frame.label][frame.position][1]

    def snapshot(self) -> Snapshot:
        """What the rest of the run depends on; what was used so far is not part of it."""
        frames = tuple(replace(frame, locals=_apart(frame.locals)) for frame in self.frames)
        return Snapshot(_apart(self.globals), frames, dict(self._functions))

    def resume(self, snapshot: Snapshot) -> None:
        """Go on from there, with nothing used."""
        self.globals = dict(snapshot.globals)
        self.frames = [replace(frame, locals=dict(frame.locals)) for frame in snapshot.frames]
        self._functions = dict(snapshot.functions)
        self._procedure = self.frames[-1].prepared.procedure.name
        self.used, self.events, self.written = [], [], {}

    def _leap(self) -> bool:
        """Take the first steps of a block together, if that can be; False if the next step is to be taken alone."""
        frame = self.frames[-1]
        if frame.position:
            return False
        stretch = frame.prepared.stretches[frame.label]
        if stretch.function is None:
            stretch.met()
            return False
        if stretch.count > self.left:
            return False
        reached = stretch.function(frame.locals, self.globals, self._apply)
        if isinstance(reached, int):
            self.left -= reached
            frame.position = reached
            return False
        self.left -= stretch.count
        self._span = stretch.span
        if reached is None:
            frame.position = stretch.count
        else:
            frame.label = reached
        return True

    def step(self) -> None:
        frame = self.frames[-1]
        action, step, codes = frame.prepared.steps[frame.label][frame.position]
        frame.position += 1
        self._span = step.span
        action(self, frame, step, codes)

    def _assign(self, frame: _Frame, step: Assign, codes: tuple[Code, ...]) -> None:
        try:
            value = self._value(codes[0], frame)
        except IndeterminateRead:
            if next(guards(step.value), None) is not None:
                raise  # for some values of what nobody chose there is no result
            value = indeterminate(step.target.type)
        index = self._index(frame, step) if self._record else None
        self._write(frame, step.target, value, index=index)

    def _index(self, frame: _Frame, step: Assign) -> int | None:
        """Which element of the target is written, where it is one."""
        if not isinstance(step.value, Store) or step.value.array != step.target:
            return None
        try:
            index = self._value(compile(step.value.index, self._names), frame)
        except (IndeterminateRead, UndefinedOperation):
            return None
        return index if isinstance(index, int) else None

    def _havoc(self, frame: _Frame, step: Havoc, codes: tuple[Code, ...]) -> None:
        value = self._chosen(step.target.type, step.choice, step.source or step.target.name, step.target.name)
        self._write(frame, step.target, value, step.choice)

    def _check(self, frame: _Frame, step: Assume | Assert, codes: tuple[Code, ...]) -> None:
        if not self._value(codes[0], frame):
            if isinstance(step, Assert):
                raise Ended(Violated(step, self._procedure, self._why(frame, step)))
            raise Ended(Refused(self._procedure, step.span, step.reason or "an assumption is false"))
        if self._record:
            self.events.append(Passed(self._procedure, len(self.frames) - 1, step.span, step))

    def _why(self, frame: _Frame, step: Assert) -> str:
        if step.kind is not Kind.BOUNDS:
            return ""
        try:
            return failing.reason(step.condition, lambda part: self._value(compile(part, self._names), frame))
        except (IndeterminateRead, UndefinedOperation):
            return ""  # a part that the condition itself does not come to; the violation stands

    def _observe(self, frame: _Frame, step: Observe, codes: tuple[Code, ...]) -> None:
        value = self._value(codes[0], frame)
        if self.notice is not None:
            self.notice(step, value)
        if self._record:
            self.events.append(Observed(self._procedure, len(self.frames) - 1, step.span, step, value))

    def _print(self, frame: _Frame, step: Print, codes: tuple[Code, ...]) -> None:
        written = self.written.setdefault(step.stream, Written(bytearray()))
        write(step.format, [self._value(code, frame) for code in codes], written)

    def _call(self, frame: _Frame, step: Call, codes: tuple[Code, ...]) -> None:
        self._enter(step.procedure, tuple([self._value(code, frame) for code in codes]), step.results, step.span)

    def _branch(self, frame: _Frame, step: Branch, codes: tuple[Code, ...]) -> None:
        taken = bool(self._value(codes[0], frame))
        frame.label, frame.position = (step.then if taken else step.otherwise), 0
        if self._record:
            self.events.append(Branched(self._procedure, len(self.frames) - 1, step.span, taken))

    def _goto(self, frame: _Frame, step: Goto, codes: tuple[Code, ...]) -> None:
        frame.label, frame.position = step.target, 0

    def _stop(self, frame: _Frame, step: Stop, codes: tuple[Code, ...]) -> None:
        status = self._value(codes[0], frame) if codes else None
        raise Ended(Stopped(self._procedure, step.span, status if isinstance(status, int) else None))

    def _value(self, code: Code, frame: _Frame) -> Value:
        return evaluate(code, frame.locals, self.globals, self._apply)

    def _write(
        self, frame: _Frame, target: Variable, value: Value, choice: Choice | None = None, index: int | None = None
    ) -> None:
        (self.globals if target.name in self._names else frame.locals)[target.name] = value
        if self._record:
            depth = len(self.frames) - 1
            self.events.append(Wrote(self._procedure, depth, self._span, target, value, choice, index))

    def _enter(self, name: str, arguments: tuple[Value, ...], results: tuple[Variable | None, ...], span: Span) -> None:
        prepared = self._prepare(name)
        procedure = prepared.procedure
        start = prepared.start.copy()
        for parameter, value in zip(procedure.parameters, arguments, strict=True):
            start[parameter.name] = value
        frame = _Frame(prepared, start, results, span, procedure.entry)
        self.frames.append(frame)
        self._procedure = name
        if self._record:
            self.events.append(Entered(name, len(self.frames) - 1, span, arguments))
        for each in prepared.open:
            value = self._chosen(each.type, Choice.UNINITIALISED, each.name, each.name)
            self._write(frame, each, value, Choice.UNINITIALISED)

    def _return(self, frame: _Frame, step: Return, codes: tuple[Code, ...]) -> None:
        outputs = tuple([frame.locals[each.name] for each in frame.prepared.procedure.outputs])
        if self._record:
            self.events.append(Returned(self._procedure, len(self.frames) - 1, self._span, outputs))
        self.frames.pop()
        if not self.frames:
            raise Ended(Finished(outputs, tuple(self.globals[each.name] for each in self._program.globals)))
        caller = self.frames[-1]
        self._procedure, self._span = caller.prepared.procedure.name, frame.call
        for target, value in zip(frame.results, outputs, strict=True):
            if target is not None:
                self._write(caller, target, value)

    def _chosen(self, type: Type, choice: Choice, source: str, target: str = "") -> Value:
        if choice in self._indeterminate:
            return indeterminate(type)
        return self._taken(Used(self._next(type, target), type, choice, source, self._procedure, self._span, target))

    def _next(self, type: Type, target: str) -> Value:
        value = self._choose(type, target)
        if value is None:
            raise Ended(Starved(self._procedure, self._span, type))
        return value

    def _taken(self, used: Used) -> Value:
        if not fits(used.value, used.type):
            reason = f"{used.value} was chosen for {used.source}, which is not a value of type {used.type}"
            raise Ended(Refused(self._procedure, self._span, reason))
        self.used.append(used)
        return used.value

    def _apply(self, function: str, arguments: tuple[Value, ...], type: Type) -> Value:
        """What was chosen once for these arguments stays."""
        application = (function, arguments, type)
        if application not in self._functions:
            value = self._given[application] if application in self._given else self._next(type, "")
            where = (self._procedure, self._span)
            self._functions[application] = self._taken(
                Used(value, type, Choice.EXTERNAL, function, *where, arguments=arguments)
            )
        return self._functions[application]

    def _prepare(self, name: str) -> _Prepared:
        if name not in self._prepared:
            procedure = self._program.procedure[name]
            stretches = {block.label: Stretch(block, self._names) for block in procedure.blocks}
            starts = open_starts(procedure)
            others = {each.name: zero(each.type) for each in procedure.variables if each not in starts}
            self._prepared[name] = _Prepared(procedure, _Steps(procedure, self._names), stretches, starts, others)
        return self._prepared[name]


_ACTIONS: dict[type, _Action] = {
    Assign: Interpreter._assign,
    Havoc: Interpreter._havoc,
    Assume: Interpreter._check,
    Assert: Interpreter._check,
    Observe: Interpreter._observe,
    Print: Interpreter._print,
    Call: Interpreter._call,
    Goto: Interpreter._goto,
    Branch: Interpreter._branch,
    Return: Interpreter._return,
    Stop: Interpreter._stop,
}


def _apart(values: Mapping[str, Value]) -> dict[str, Value]:
    """A copy whose arrays are shared with nobody: versions of one array are slow to use by turns."""
    return {
        name: ArrayValue(value.default, value.entries) if isinstance(value, ArrayValue) else value
        for name, value in values.items()
    }


def _chooser(choices: Choices) -> Callable[[Type, str], Value | None]:
    if isinstance(choices, ByVariable):
        return choices.choose
    if callable(choices):
        make = choices
        return lambda type, target: make(type)
    values = iter(choices)
    return lambda type, target: next(values, None)
