"""Programs with a known number of threads: each a flow graph without calls, over globals that they share.

A front end says where threads start and end and what is atomic by calls of procedures with the names below, which do
nothing: as a sequential program, a thread runs to its end when it is created.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.errors import InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, TRUE, binary, every, negation, zero
from sorrel.program.creation import (
    START,
    THREAD_BEGIN,
    THREAD_END,
    THREAD_JOIN,
    Creation,
    UnsupportedThreads,
    creations,
    rewritten,
    unrolled,
    with_starts,
)
from sorrel.program.deadlocks import Blocked, with_deadlock_checks
from sorrel.program.expression import Binary, Conditional, Constant, Expression, Operator, Variable
from sorrel.program.graph import reached_only
from sorrel.program.inline import Inliner
from sorrel.program.program import Procedure, Program
from sorrel.program.races import with_race_checks
from sorrel.program.shared import one_access_each
from sorrel.program.statement import Assign, Assume, Block, Call, Choice, Goto, Havoc, Kind, Return, Statement
from sorrel.program.tidy import tidied
from sorrel.program.traversal import free_variables, substitute
from sorrel.program.types import BOOLEAN, Array, Type

ATOMIC_BEGIN, ATOMIC_END = "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"
THREAD_RESULT = "__VERIFIER_thread_take"
RESULT = "__VERIFIER_thread_result"
"""Begins the names of the variables in which a program finds what a thread returned, once it has asked for that."""
THREAD_SELF = "__VERIFIER_thread_self"
"""Gives a bit that no other thread has."""
THREAD_NUMBER = "__VERIFIER_thread_number"
"""Gives what others call the thread by."""
THREAD_EXIT = "__VERIFIER_thread_exit"
"""Ends the thread, wherever it is; what it returns is in `RESULT` then."""
MOST_THREADS, MOST_THREADS_THAT_WAIT = 32, 8
_SECTION = (ATOMIC_BEGIN, ATOMIC_END)
_ATOMIC_FUNCTION = "__VERIFIER_atomic_"
_MARKERS = frozenset({ATOMIC_BEGIN, ATOMIC_END, THREAD_BEGIN, THREAD_END, THREAD_JOIN, THREAD_RESULT, THREAD_EXIT})

SEQUENTIAL_CONSISTENCY = Premise(
    AssumptionKind.THREADS,
    "Threads see each other's writes in one order (sequential consistency), and read operands from left to right.",
)
ATOMIC_ORDER = Premise(
    AssumptionKind.THREADS,
    "Atomic accesses are sequentially consistent, whatever order they ask for; operands are read from left to right.",
    words="atomic accesses are sequentially consistent",
)
CREATION = Premise(
    AssumptionKind.THREADS,
    "Creating a thread always succeeds, and its identifier is stored before it starts.",
    words="every thread is created",
)

EACH_GOES_ON = Premise(
    AssumptionKind.OTHER,
    "No thread waits forever while others go on.",
    words="no thread waits forever while others go on",
)


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

    A thread whose step would assume something false cannot take it now. `Stop` ends the whole run. `blocked` are the
    places where each thread can wait, if that is looked at.
    """

    threads: tuple[Thread, ...]
    globals: tuple[Variable, ...]
    initial: Mapping[str, Expression]
    assumptions: tuple[Premise, ...] = ()
    blocked: tuple[tuple[Blocked, ...], ...] = ()


def has_threads(program: Program) -> bool:
    return any(THREAD_BEGIN in procedure.callees for procedure in program.procedures)


def has_sections(program: Program) -> bool:
    """Whether it uses what threads use, though there may be one only."""
    return any(ATOMIC_BEGIN in procedure.callees for procedure in program.procedures)


def threads_of(program: Program, kinds: frozenset[Kind] = frozenset()) -> Threads:
    """The threads of a program; one if it creates none, provided that nothing calls itself.

    There are assertions about races and deadlocks if these are among the kinds.
    """
    return _Splitter(program, kinds).run()


@dataclass(slots=True)
class _Spawned:
    """`results` are what is kept of what the function returns: the global, and its value over the call's results."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span
    call: Call
    results: tuple[tuple[Variable, Expression], ...] = ()


@dataclass(slots=True)
class _Splitter:
    program: Program
    kinds: frozenset[Kind] = frozenset()
    spawned: list[_Spawned] = field(default_factory=list)
    globals: dict[str, Variable] = field(default_factory=dict)
    initial: dict[str, Expression] = field(default_factory=dict)
    joinable: list[int] = field(default_factory=list)
    """Numbers of the threads that may be waited for."""

    def run(self) -> Threads:
        _refuse_references(self.program)
        self.program = with_starts(self.program)
        flat = [self._main()]
        number = 0
        while number < len(self.spawned):
            flat.append(self._thread(number + 1, self.spawned[number]))
            number += 1
        procedures = [self._joined(procedure) for procedure in flat]
        globals = (*self.program.globals, *self.globals.values())
        initial: Mapping[str, Expression] = {**self.program.initial, **self.initial}
        assumptions = self.program.assumptions
        if self.spawned:
            # Without races C promises one order of all accesses, if the atomic ones ask for it.
            order = ATOMIC_ORDER if Kind.RACE in self.kinds else SEQUENTIAL_CONSISTENCY
            assumptions = (*assumptions, order, CREATION)
        names = [self.program.main, *(each.function for each in self.spawned)]
        if Kind.RACE in self.kinds:
            checked = with_race_checks(procedures, globals, names, _SECTION)
            procedures, globals = checked.procedures, (*globals, *checked.globals)
            initial = {**initial, **checked.initial}
        procedures, globals, initial = tidied(procedures, globals, initial)
        blocked: tuple[tuple[Blocked, ...], ...] = ()
        if Kind.DEADLOCK in self.kinds:
            watched = with_deadlock_checks(procedures, names, _SECTION)
            procedures, globals = watched.procedures, (*globals, *watched.globals)
            initial = {**initial, **watched.initial}
            blocked = watched.blocked
            assumptions = (*assumptions, EACH_GOES_ON) if self.spawned and any(blocked) else assumptions
        cut = one_access_each(procedures, globals, _SECTION)
        pairs = zip(names, cut, strict=True)
        threads = tuple(Thread(number, name, body, cuts) for number, (name, (body, cuts)) in enumerate(pairs))
        return Threads(threads, globals, initial, assumptions, blocked)

    def _main(self) -> Procedure:
        """Waits for all others where it leaves without ending the program."""
        main = _with_inputs(self._flat(self.program.main, "", 0))
        if not any(_leaves(statement) for block in main.blocks for statement in block.statements):
            return main
        self.joinable.append(0)
        flag = _flag("done", 0)
        self.globals[flag.name], self.initial[flag.name] = flag, FALSE
        blocks = [
            replace(each, statements=tuple(self._kept_result(0, s) for s in each.statements)) for each in main.blocks
        ]
        return replace(main, blocks=tuple(blocks))

    def _flat(self, name: str, prefix: str, number: int) -> Procedure:
        flat = Inliner(self.program, prefix, lambda call: _kept(call, number), _atomic_around).run(name)
        flat = unrolled(_left(flat))
        changes: dict[tuple[str, int], list[Statement]] = {}
        for creation in creations(flat):
            changes.update(self._created(flat, creation))
        return rewritten(flat, changes)

    def _created(self, procedure: Procedure, creation: Creation) -> dict[tuple[str, int], list[Statement]]:
        """What stands for a creation: the new thread has a number and arguments, and may start."""
        number = len(self.spawned) + 1
        if number > MOST_THREADS:
            raise UnsupportedThreads(f"there are more than {MOST_THREADS} threads", procedure.span)
        begin, call = (procedure.block[label].statements[at] for label, at in (creation.begin, creation.start))
        if not (isinstance(begin, Call) and isinstance(call, Call)):
            raise InternalError("a thread starts with something other than a call")
        after = [procedure.block[label].statements[at] for label, at in creation.after]
        targets = [target for target in begin.results if target is not None]
        named: list[Statement] = [Assign(target, Constant(number, target.type), call.span) for target in targets]
        removed = {place: list[Statement]() for place in (*creation.after, creation.end)}
        return {**removed, creation.begin: named, creation.start: self._spawn(number, call, after)}

    def _spawn(self, number: int, call: Call, after: Sequence[Statement]) -> list[Statement]:
        done: list[Statement] = []
        arguments: list[Expression] = []
        for position, argument in enumerate(call.arguments):
            if isinstance(argument, Constant):
                arguments.append(argument)
                continue
            place = self._global(f"argument.{number}.{position}", argument.type)
            done.append(Assign(place, argument, call.span))
            arguments.append(place)
        for what in ("started", "done"):
            flag = _flag(what, number)
            self.globals[flag.name], self.initial[flag.name] = flag, FALSE
        results = tuple((each.target, each.value) for each in after if isinstance(each, Assign) and _keeps(each))
        for target, _ in results:
            self._global(_result(number, target), target.type)
        self.joinable.append(number)
        self.spawned.append(_Spawned(call.procedure.removeprefix(START), tuple(arguments), call.span, call, results))
        return [*done, Assign(_flag("started", number), TRUE, call.span)]

    def _global(self, name: str, type: Type) -> Variable:
        place = self.globals.setdefault(name, Variable(name, type))
        self.initial[name] = zero(type)
        return place

    def _thread(self, number: int, spawned: _Spawned) -> Procedure:
        """Waits until it is created, takes its arguments, and says when it is done."""
        prefix = f"{number}."
        body = self._flat(spawned.function, prefix, number)
        taken = [
            Assign(parameter, argument, spawned.span)
            for parameter, argument in zip(body.parameters, spawned.arguments, strict=True)
        ]
        label = f"{prefix}start"
        while label in body.block:  # of a procedure whose own block has that name
            label += ".thread"
        start = Block(label, (Assume(_flag("started", number), span=spawned.span), *taken), Goto(body.entry))
        returned = tuple(self._returned(number, spawned))
        done = Assign(_flag("done", number), TRUE, spawned.span)
        blocks = [self._ended(number, each, returned, done) for each in body.blocks]
        locals = (*body.parameters, *body.locals)
        return replace(body, parameters=(), locals=locals, blocks=(start, *blocks), entry=start.label)

    def _ended(self, number: int, block: Block, returned: Sequence[Statement], done: Statement) -> Block:
        """What others find when the thread has ended here."""
        own = tuple(self._kept_result(number, each) for each in block.statements)
        if not isinstance(block.terminator, Return):
            return replace(block, statements=own)
        if own and _leaves(own[-1]):
            return replace(block, statements=(*own[:-1], done))
        return replace(block, statements=(*own, *returned, done))

    def _kept_result(self, number: int, statement: Statement) -> Statement:
        """A thread that leaves has said before what it returns."""
        if not (isinstance(statement, Assign) and _keeps(statement)):
            return statement
        target = statement.target
        return replace(statement, target=self._global(_result(number, target), target.type))

    def _returned(self, number: int, spawned: _Spawned) -> Iterator[Statement]:
        """What others find when they have waited for the thread."""
        outputs = self.program.procedure[spawned.function].outputs
        pairs = zip(spawned.call.results, outputs, strict=True)
        own = {
            result: replace(output, name=f"{number}.{output.name}") for result, output in pairs if result is not None
        }
        for target, value in spawned.results:
            if not all(each in own for each in free_variables(value)):
                raise InternalError(f"what {spawned.function} returns depends on who called it")
            yield Assign(Variable(_result(number, target), target.type), substitute(value, own), spawned.span)

    def _joined(self, procedure: Procedure) -> Procedure:
        """With assumptions in place of joins: whoever waits cannot go on before."""
        blocks = [
            replace(block, statements=tuple(part for each in block.statements for part in self._join(each)))
            for block in procedure.blocks
        ]
        return replace(procedure, blocks=tuple(blocks))

    def _join(self, statement: Statement) -> list[Statement]:
        if isinstance(statement, Call) and statement.procedure == THREAD_RESULT:
            return self._taken(statement)
        if _leaves(statement):
            left = Assign(_flag("done", 0), TRUE, statement.span)
            return [left, Assume(self._all_ended(), span=statement.span)]
        if not (isinstance(statement, Call) and statement.procedure == THREAD_JOIN):
            return [statement]
        (thread,) = statement.arguments
        done = [every([_is(thread, number), _flag("done", number)]) for number in self.joinable]
        condition: Expression = FALSE
        for each in done:
            condition = Binary(Operator.OR, condition, each, BOOLEAN) if condition is not FALSE else each
        return [Assume(condition, span=statement.span)]

    def _all_ended(self) -> Expression:
        """The program goes on without main until every thread that was created has ended."""
        numbers = range(1, len(self.spawned) + 1)
        waiting = [every([_flag("started", each), negation(_flag("done", each))]) for each in numbers]
        return every([negation(each) for each in waiting])

    def _taken(self, call: Call) -> list[Statement]:
        """What the thread returned, where the program looks for it."""
        (thread,) = call.arguments
        found: dict[Variable, Expression] = {}
        targets = {target: None for spawned in self.spawned for target, _ in spawned.results}
        for number in self.joinable:
            for target in targets:
                returned = self._global(_result(number, target), target.type)
                chosen = Conditional(_is(thread, number), returned, found.get(target, zero(target.type)), target.type)
                found[target] = chosen
        return [Assign(target, value, call.span) for target, value in found.items()]


def _with_inputs(main: Procedure) -> Procedure:
    """What main is given is chosen where it starts."""
    if not main.parameters:
        return main
    label = f"{main.entry}.given"
    while label in main.block:
        label += "."
    chosen = tuple(Havoc(each, Choice.INPUT, main.user_name(each.name), main.span) for each in main.parameters)
    start = Block(label, chosen, Goto(main.entry))
    locals = (*main.parameters, *main.locals)
    return replace(main, parameters=(), locals=locals, blocks=(start, *main.blocks), entry=label)


def _kept(call: Call, number: int) -> list[Statement] | None:
    """What stands for a call in the thread of that number."""
    if call.procedure == THREAD_SELF:
        if number >= MOST_THREADS_THAT_WAIT:
            raise UnsupportedThreads(f"more than {MOST_THREADS_THAT_WAIT} threads wait for signals", call.span)
        targets = [target for target in call.results if target is not None]
        return [Assign(target, Constant(2**number, target.type), call.span) for target in targets]
    if call.procedure == THREAD_NUMBER:
        return [Assign(each, Constant(number, each.type), call.span) for each in call.results if each is not None]
    return [call] if call.procedure in _MARKERS or call.procedure.startswith(START) else None


def _leaves(statement: Statement) -> bool:
    return isinstance(statement, Call) and statement.procedure == THREAD_EXIT


def _left(procedure: Procedure) -> Procedure:
    """With nothing behind what ends the thread."""

    def block(each: Block) -> Block:
        at = next((position for position, statement in enumerate(each.statements) if _leaves(statement)), None)
        return each if at is None else Block(each.label, each.statements[: at + 1], Return(each.statements[at].span))

    return reached_only(replace(procedure, blocks=tuple(map(block, procedure.blocks))))


def _keeps(statement: Assign) -> bool:
    """Whether it keeps what the function of a thread returned."""
    return statement.target.name.startswith(RESULT)


def _result(number: int, target: Variable) -> str:
    return f"result.{number}.{target.name}"


def _is(thread: Expression, number: int) -> Expression:
    return binary(Operator.EQUAL, thread, Constant(number, thread.type))


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
