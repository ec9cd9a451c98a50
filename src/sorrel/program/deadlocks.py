"""Threads that wait forever, as failed assertions: nobody is left who could end what they wait for.

A thread announces what it is about to wait for, in a step of its own, and takes that back when it goes on. Who does
so, and who ends, asserts that some thread is left that has started, has not ended and does not wait for what is
false. When no thread can go on any more, the last one that announced or ended has seen it. That one thread waits
forever while others go on is no matter of one state: `program/waiting.py` looks for it among all that were seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.concurrency import DONE, STARTED, WAITS
from sorrel.program.construction import FALSE, binary, every, negation, zero
from sorrel.program.creation import UnsupportedThreads
from sorrel.program.expression import Binary, Constant, Expression, Operator, Variable
from sorrel.program.program import Procedure
from sorrel.program.shared import atomic_depths, change_of_depth
from sorrel.program.statement import Assert, Assign, Assume, Block, Call, Kind, Return, Statement
from sorrel.program.traversal import free_variables, read, substitute
from sorrel.program.types import BOOLEAN, UNBOUNDED

Markers = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Wait:
    """`condition` is over globals alone; `copies` are those that stand for locals."""

    number: int
    condition: Expression
    copies: tuple[tuple[Variable, Variable], ...]
    span: Span


@dataclass(slots=True)
class _Waits:
    """What each thread can wait for, by where."""

    of: dict[int, dict[tuple[str, int], _Wait]] = field(default_factory=dict)

    def flag(self, thread: int) -> Variable:
        return Variable(f"{WAITS}{thread}", UNBOUNDED)

    def stuck(self, thread: int) -> Expression:
        """Whether a thread is over, not there yet, or waits for what is false; the end of main is the end of all."""
        waits = [each.condition for each in self.blocked(thread)]
        if thread == 0:
            return _some(waits)
        started, done = Variable(f"{STARTED}{thread}", BOOLEAN), Variable(f"{DONE}{thread}", BOOLEAN)
        return _some([done, negation(started), *waits])

    def blocked(self, thread: int) -> tuple[Blocked, ...]:
        return tuple(
            Blocked(every([_is(self.flag(thread), each.number), negation(each.condition)]), each.span)
            for each in self.of[thread].values()
        )

    def variables(self) -> list[Variable]:
        copies = [copy for waits in self.of.values() for wait in waits.values() for _, copy in wait.copies]
        return [*(self.flag(thread) for thread in self.of), *copies]


@dataclass(frozen=True, slots=True)
class Blocked:
    """A thread has announced what it waits for at a place, and that is false: over globals."""

    condition: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class CheckedForDeadlocks:
    """`blocked`: for each thread, the places where it can wait."""

    procedures: list[Procedure]
    globals: tuple[Variable, ...]
    blocked: tuple[tuple[Blocked, ...], ...]

    @property
    def initial(self) -> dict[str, Expression]:
        return {each.name: zero(each.type) for each in self.globals}


def with_deadlock_checks(
    procedures: Sequence[Procedure], names: Sequence[str], markers: Markers
) -> CheckedForDeadlocks:
    """The threads' graphs with announcements and assertions; `names` are the functions that they start with."""
    waits = _Waits()
    for number, procedure in enumerate(procedures):
        waits.of[number] = _waits_of(number, procedure, markers)
    done = [_Watcher(number, each, waits, tuple(names), markers).run() for number, each in enumerate(procedures)]
    return CheckedForDeadlocks(done, tuple(waits.variables()), tuple(map(waits.blocked, waits.of)))


def _waits_of(thread: int, procedure: Procedure, markers: Markers) -> dict[tuple[str, int], _Wait]:
    found: dict[tuple[str, int], _Wait] = {}
    own = frozenset(procedure.variables)
    depths = atomic_depths(procedure, markers)
    for block in procedure.blocks:
        depth = depths.get(block.label, 0)
        for position, statement in enumerate(block.statements):
            depth = max(0, depth + change_of_depth(statement, markers))
            if not isinstance(statement, Assume) or not _waits(statement, depth, own):
                continue
            if depth and (depth > 1 or _beginning(block.statements[:position], markers) is None):
                raise UnsupportedThreads("a thread waits in the middle of an atomic section", statement.span)
            number = len(found) + 1
            locals = [each for each in free_variables(statement.condition) if each in own]
            copies = tuple((each, Variable(f"{WAITS}{thread}.{number}.{each.name}", each.type)) for each in locals)
            condition = substitute(statement.condition, dict(copies))
            found[block.label, position] = _Wait(number, condition, copies, statement.span)
    return found


def _beginning(before: Sequence[Statement], markers: Markers) -> int | None:
    """Where the atomic section begins of which nothing has been done yet, if there is one; conditions do nothing."""
    for position in reversed(range(len(before))):
        statement = before[position]
        if change_of_depth(statement, markers) > 0:
            return position
        if not isinstance(statement, Assert) and not (isinstance(statement, Assume) and statement.reason):
            return None
    return None


def _waits(statement: Assume, depth: int, own: frozenset[Variable]) -> bool:
    """In an atomic section for what others do, or for the end of a thread; what else is assumed cuts off runs."""
    touched = [each for each in read(statement) if each not in own]
    if statement.reason:
        return False
    if any(each.name.startswith(DONE) for each in touched):
        return True
    return depth > 0 and bool(touched) and not any(each.name.startswith(STARTED) for each in touched)


class _Watcher:
    def __init__(
        self, number: int, procedure: Procedure, waits: _Waits, names: tuple[str, ...], markers: Markers
    ) -> None:
        self._number = number
        self._procedure = procedure
        self._waits = waits
        self._names = names
        self._markers = markers

    def run(self) -> Procedure:
        return replace(self._procedure, blocks=tuple(map(self._block, self._procedure.blocks)))

    def _block(self, block: Block) -> Block:
        done: list[Statement] = []
        for position, statement in enumerate(block.statements):
            wait = self._waits.of[self._number].get((block.label, position))
            if wait is None:
                done.append(statement)
                continue
            start = _beginning(done, self._markers)
            begin = [] if start is None else done[start:]
            done = done if start is None else done[:start]
            go_on = Assign(self._waits.flag(self._number), Constant(0, UNBOUNDED), statement.span)
            waiting: list[Statement] = [statement, go_on]
            done += self._section(self._announced(wait))
            done += [*begin, *waiting] if begin else self._section(waiting)
        if isinstance(block.terminator, Return) and self._number > 0:
            done += self._ended(block.terminator.span)
        return replace(block, statements=tuple(done))

    def _announced(self, wait: _Wait) -> list[Statement]:
        flag = Assign(self._waits.flag(self._number), Constant(wait.number, UNBOUNDED), wait.span)
        copies = [Assign(copy, each, wait.span) for each, copy in wait.copies]
        told = f"deadlock: thread {self._number} ({self._names[self._number]}) waits here forever"
        left = negation(every([negation(wait.condition), *self._others()]))
        return [flag, *copies, Assert(left, Kind.DEADLOCK, f"{told}, and no other one can go on", wait.span)]

    def _ended(self, span: Span) -> list[Statement]:
        """The end of a thread, too, can be what leaves others waiting."""
        waiting = [
            binary(Operator.DIFFERENT, self._waits.flag(thread), Constant(0, UNBOUNDED))
            for thread in self._waits.of
            if thread != self._number
        ]
        left = negation(every([_some(waiting), *self._others()]))
        told = f"deadlock: thread {self._number} ({self._names[self._number]}) ends here, and others wait forever"
        return self._section([Assert(left, Kind.DEADLOCK, told, span)])

    def _others(self) -> list[Expression]:
        return [self._waits.stuck(thread) for thread in self._waits.of if thread != self._number]

    def _section(self, statements: Sequence[Statement]) -> list[Statement]:
        begin, end = self._markers
        span = statements[0].span
        return [Call(begin, (), (), span), *statements, Call(end, (), (), span)]


def _is(flag: Variable, number: int) -> Expression:
    return binary(Operator.EQUAL, flag, Constant(number, UNBOUNDED))


def _some(conditions: Sequence[Expression]) -> Expression:
    found: Expression = FALSE
    for each in conditions:
        found = each if found is FALSE else Binary(Operator.OR, found, each, BOOLEAN)
    return found
