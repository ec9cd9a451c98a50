"""Programs with a known number of threads: each a flow graph without calls, over globals that they share.

A front end says where threads start and end and what is atomic by calls of procedures with the names below, which do
nothing: as a sequential program, a thread runs to its end when it is created.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.components import reached
from sorrel.model.errors import InputError, Span
from sorrel.program.construction import FALSE, TRUE, binary, every
from sorrel.program.expression import Binary, Constant, Expression, Operator, Variable
from sorrel.program.inline import Inliner
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.races import with_race_checks
from sorrel.program.shared import one_access_each
from sorrel.program.statement import Assign, Assume, Block, Call, Goto, Return, Statement
from sorrel.program.tidy import tidied
from sorrel.program.types import BOOLEAN, Array

ATOMIC_BEGIN, ATOMIC_END = "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"
THREAD_BEGIN, THREAD_END = "__VERIFIER_thread_begin", "__VERIFIER_thread_end"
THREAD_JOIN = "__VERIFIER_thread_join"
_SECTION = (ATOMIC_BEGIN, ATOMIC_END)
_ATOMIC_FUNCTION = "__VERIFIER_atomic_"
_MARKERS = frozenset({ATOMIC_BEGIN, ATOMIC_END, THREAD_BEGIN, THREAD_END, THREAD_JOIN})

SEQUENTIAL_CONSISTENCY = Premise(
    AssumptionKind.THREADS, "Threads see each other's writes in one order (sequential consistency)."
)
CREATION = Premise(
    AssumptionKind.THREADS, "Every thread that the program asks for is created.", words="every thread is created"
)


class UnsupportedThreads(InputError):
    """What is not a fixed number of threads, or shares memory in a way that we do not follow."""


@dataclass(frozen=True, slots=True)
class Thread:
    """`procedure` has no calls, parameters or outputs; its locals have names that no other thread's have.

    A step goes from one of the `cuts`, which are labels, to the next, without interruption; it touches what others may
    touch only at its start, or in an atomic section there. `number` counts from 0, which is the main thread.
    """

    number: int
    name: str
    procedure: Procedure
    cuts: frozenset[str]

    @property
    def locals(self) -> tuple[Variable, ...]:
        return self.procedure.locals


@dataclass(frozen=True, slots=True)
class Threads:
    """A run gives each global its initial value; then some thread takes a step, and so on.

    A thread whose step would assume something false cannot take it now. `Stop` ends the whole run.
    """

    threads: tuple[Thread, ...]
    globals: tuple[Variable, ...]
    initial: Mapping[str, Expression]
    assumptions: tuple[Premise, ...] = ()


def has_threads(program: Program) -> bool:
    return any(THREAD_BEGIN in procedure.callees for procedure in program.procedures)


def threads_of(program: Program, *, races: bool = False) -> Threads:
    """The threads of a program; one if it creates none, provided that nothing calls itself.

    With `races` the assertions say that there are no data races.
    """
    return _Splitter(program, races).run()


@dataclass(slots=True)
class _Spawned:
    function: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(slots=True)
class _Splitter:
    program: Program
    races: bool = False
    spawned: list[_Spawned] = field(default_factory=list)
    globals: dict[str, Variable] = field(default_factory=dict)
    initial: dict[str, Expression] = field(default_factory=dict)
    _creating: list[int] = field(default_factory=list)

    def run(self) -> Threads:
        _refuse_references(self.program)
        flat = [self._flat(self.program.main, "")]
        number = 0
        while number < len(self.spawned):
            flat.append(self._thread(number + 1, self.spawned[number]))
            number += 1
        procedures = [self._joined(procedure) for procedure in flat]
        for procedure in procedures:
            _refuse_repeated_creation(procedure)
        globals = (*self.program.globals, *self.globals.values())
        initial: Mapping[str, Expression] = {**self.program.initial, **self.initial}
        assumptions = self.program.assumptions
        if self.spawned:
            # Without races C promises that there is one order.
            ordered = () if self.races else (SEQUENTIAL_CONSISTENCY,)
            assumptions = (*assumptions, *ordered, CREATION)
        names = [self.program.main, *(each.function for each in self.spawned)]
        if self.races:
            checked = with_race_checks(procedures, globals, names, _SECTION)
            procedures, globals = checked.procedures, (*globals, *checked.globals)
            initial = {**initial, **checked.initial}
        procedures, globals, initial = tidied(procedures, globals, initial)
        cut = one_access_each(procedures, globals, _SECTION)
        pairs = zip(names, cut, strict=True)
        threads = tuple(Thread(number, name, body, cuts) for number, (name, (body, cuts)) in enumerate(pairs))
        return Threads(threads, globals, initial, assumptions)

    def _flat(self, name: str, prefix: str) -> Procedure:
        return Inliner(self.program, prefix, self._kept, _atomic_around).run(name)

    def _thread(self, number: int, spawned: _Spawned) -> Procedure:
        """Waits until it is created, takes its arguments, and says when it is done."""
        prefix = f"{number}."
        body = self._flat(spawned.function, prefix)
        taken = [
            Assign(parameter, argument, spawned.span)
            for parameter, argument in zip(body.parameters, spawned.arguments, strict=True)
        ]
        label = f"{prefix}start"
        while label in body.block:  # of a procedure whose own block has that name
            label += ".thread"
        start = Block(label, (Assume(_flag("started", number), span=spawned.span), *taken), Goto(body.entry))
        done = Assign(_flag("done", number), TRUE, spawned.span)
        blocks = [
            replace(each, statements=(*each.statements, done)) if isinstance(each.terminator, Return) else each
            for each in body.blocks
        ]
        locals = (*body.parameters, *body.locals)
        return replace(body, parameters=(), locals=locals, blocks=(start, *blocks), entry=start.label)

    def _kept(self, call: Call) -> list[Statement] | None:
        name = call.procedure
        if name == THREAD_BEGIN:
            if self._creating:
                raise UnsupportedThreads("a thread is created while another one is", call.span)
            number = len(self.spawned) + len(self._creating) + 1
            self._creating.append(number)
            targets = [target for target in call.results if target is not None]
            return [Assign(target, Constant(number, target.type), call.span) for target in targets]
        if name == THREAD_END:
            if self._creating:
                raise UnsupportedThreads("the function of a thread must be known", call.span)
            return []
        if name in _MARKERS:
            return [call]
        if self._creating:
            return self._spawn(self._creating.pop(), call)
        return None

    def _spawn(self, number: int, call: Call) -> list[Statement]:
        done: list[Statement] = []
        arguments: list[Expression] = []
        for position, argument in enumerate(call.arguments):
            if isinstance(argument, Constant):
                arguments.append(argument)
                continue
            place = Variable(f"argument.{number}.{position}", argument.type)
            self.globals[place.name] = place
            done.append(Assign(place, argument, call.span))
            arguments.append(place)
        for what in ("started", "done"):
            flag = _flag(what, number)
            self.globals[flag.name], self.initial[flag.name] = flag, FALSE
        self.spawned.append(_Spawned(call.procedure, tuple(arguments), call.span))
        return [*done, Assign(_flag("started", number), TRUE, call.span)]

    def _joined(self, procedure: Procedure) -> Procedure:
        """With assumptions in place of joins: whoever waits cannot go on before."""
        blocks = [
            replace(block, statements=tuple(self._join(each) for each in block.statements))
            for block in procedure.blocks
        ]
        return replace(procedure, blocks=tuple(blocks))

    def _join(self, statement: Statement) -> Statement:
        if not (isinstance(statement, Call) and statement.procedure == THREAD_JOIN):
            return statement
        (thread,) = statement.arguments
        done = [
            every([binary(Operator.EQUAL, thread, Constant(number, thread.type)), _flag("done", number)])
            for number in range(1, len(self.spawned) + 1)
        ]
        condition: Expression = FALSE
        for each in done:
            condition = Binary(Operator.OR, condition, each, BOOLEAN) if condition is not FALSE else each
        return Assume(condition, span=statement.span)


def _flag(what: str, number: int) -> Variable:
    return Variable(f"{what}.{number}", BOOLEAN)


def _atomic_around(name: str) -> tuple[list[Statement], list[Statement]]:
    if name.startswith(_ATOMIC_FUNCTION) and name not in _MARKERS:
        return [Call(ATOMIC_BEGIN, ())], [Call(ATOMIC_END, ())]
    return [], []


def _refuse_references(program: Program) -> None:
    """What a pointer parameter points to travels as a copy, which other threads would not see change."""
    if not has_threads(program):
        return
    for procedure in program.procedures:
        for parameter in procedure.parameters:
            shown = procedure.source_names.get(parameter.name, "")
            if isinstance(parameter.type, Array) or shown.startswith("*") or "->" in shown:
                message = f"{procedure.name} is given {shown or parameter.name} by reference in a program with threads"
                raise UnsupportedThreads(message, procedure.span)


def _refuse_repeated_creation(procedure: Procedure) -> None:
    creating = [
        (block.label, statement.span)
        for block in procedure.blocks
        for statement in block.statements
        if isinstance(statement, Assign) and statement.target.name.startswith("started.")
    ]
    for label, span in creating:
        if label in _reached_after(procedure, label):
            raise UnsupportedThreads("threads are created in a loop", span)


def _reached_after(procedure: Procedure, label: str) -> set[str]:
    def following(each: str) -> tuple[str, ...]:
        return successors(procedure.block[each].terminator)

    return set(reached(following(label), following))
