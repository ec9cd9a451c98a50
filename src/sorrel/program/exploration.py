"""Runs of a program, state by state: which of them violates an assertion, if a few values are tried for each input.

Two runs that stop before the same choice in the same state go on alike, so one of them is followed. That is what chance
does not see: an error behind a dozen choices, each of which has few consequences. Nothing follows from finding none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from sorrel.model.values import dataclass
from sorrel.model.work import METER, STEP
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.expression import Variable
from sorrel.program.interpreter import Ended, Interpreter, Snapshot
from sorrel.program.liveness import live_variables, reads
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.run import Violated
from sorrel.program.statement import Choice, Havoc
from sorrel.program.traversal import steps, written
from sorrel.program.types import Boolean, Machine, Type, Unbounded
from sorrel.program.value import Value, fits, zero

MOST_STATES = 4_000
"""So many are explored in a second or two; errors of state machines with a hundred lines take a tenth of it."""
LONGEST_STRETCH = 20_000
"""Steps from one choice to the next; a run that takes more is not followed."""
MOST_VALUES = 20

_Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A state before a choice, and how it was reached: from `parent`, with these values."""

    state: Snapshot
    parent: _Node | None
    values: tuple[Value, ...]

    def choices(self) -> tuple[Value, ...]:
        """All values from the start."""
        found: list[tuple[Value, ...]] = []
        node: _Node | None = self
        while node is not None:
            found.append(node.values)
            node = node.parent
        return tuple(value for values in reversed(found) for value in values)


def find_violation(program: Program, constants: Sequence[int], go_on: Callable[[], bool]) -> tuple[Value, ...] | None:
    """The choices of a run that violates an assertion; None if none was found while `go_on` says so."""
    return _Exploration(program, constants).run(go_on)


class _Exploration:
    def __init__(self, program: Program, constants: Sequence[int]) -> None:
        self._program = program
        self._numbers = _numbers(constants)
        self._machine = Interpreter(program, self._choose, 0, record=False)
        self._live = {procedure.name: _Live(procedure) for procedure in program.procedures}
        self._next: Value | None = None
        self._seen: set[_Key] = set()
        self._places: set[tuple[str, str]] = set()
        self._waiting: list[tuple[bool, int, _Node]] = []

    def run(self, go_on: Callable[[], bool]) -> tuple[Value, ...] | None:
        found = self._follow(None, None)
        while found is None and self._waiting and len(self._seen) < MOST_STATES:
            _, _, node = heappop(self._waiting)
            found = self._leave(node, go_on)
            if not go_on():
                break
        return found

    def _leave(self, node: _Node, go_on: Callable[[], bool]) -> tuple[Value, ...] | None:
        """Every value for the choice that is due there."""
        self._machine.resume(node.state)
        step = self._machine.next_step
        for value in self._options(step.target.type) if isinstance(step, Havoc) else ():
            if not go_on():
                return None
            found = self._follow(node, value)
            if found is not None:
                return found
        return None

    def _follow(self, node: _Node | None, value: Value | None) -> tuple[Value, ...] | None:
        """Up to the next choice, where the state waits if it is new; the choices if an assertion is violated."""
        machine, is_new = self._machine, False
        self._next = value
        try:
            if node is None:
                machine.start()
            else:
                machine.resume(node.state)
                machine.step()
            for _ in range(LONGEST_STRETCH):
                if _is_open(machine):
                    self._wait(node, is_new)
                    return None
                machine.step()
                METER.add(STEP)
                frame = machine.frames[-1]
                place = (frame.prepared.procedure.name, frame.label)
                if place not in self._places:
                    self._places.add(place)
                    is_new = True
        except UndefinedOperation:
            return None
        except Ended as ended:
            if isinstance(ended.end, Violated):
                return self._node(node).choices()
        return None

    def _wait(self, parent: _Node | None, is_new: bool) -> None:
        """States that were reached through code that no other run had seen go first."""
        key = self._key()
        if key not in self._seen:
            self._seen.add(key)
            heappush(self._waiting, (not is_new, len(self._seen), self._node(parent)))

    def _node(self, parent: _Node | None) -> _Node:
        values = tuple(used.value for used in self._machine.used)
        state = self._machine.snapshot() if self._machine.frames else Snapshot({}, (), {})
        return _Node(state, parent, values)

    def _key(self) -> _Key:
        """The state, without the locals that nobody will read."""
        machine = self._machine
        frames = []
        for frame in machine.frames:
            name = frame.prepared.procedure.name
            live = self._live[name].at(frame.label, frame.position)
            frames.append((name, frame.label, frame.position, *(frame.locals[each] for each in live)))
        return (*machine.globals.values(), *frames)

    def _choose(self, type: Type) -> Value:
        """What the choice at hand was given; others, such as what a variable starts with, are 0."""
        value, self._next = self._next, None
        return zero(type) if value is None else value

    def _options(self, type: Type) -> Iterator[Value]:
        match type:
            case Boolean():
                yield from (False, True)
            case Machine() | Unbounded():
                yield from (number for number in self._numbers if fits(number, type))
            case _:
                yield zero(type)


def _is_open(machine: Interpreter) -> bool:
    """Whether the next step chooses a value from outside the program."""
    step = machine.next_step
    return isinstance(step, Havoc) and step.choice is not Choice.ABSTRACTION


def _numbers(constants: Sequence[int]) -> tuple[int, ...]:
    """Small numbers, what the program compares with, and the neighbours of that."""
    near = sorted({c + d for c in constants for d in (0, 1, -1)}, key=lambda n: (n not in constants, abs(n)))
    return tuple(dict.fromkeys((0, 1, *near, -1)))[:MOST_VALUES]


class _Live:
    """The locals of a procedure that are read after a step, by name, worked out when they are asked for."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._at_start: Mapping[str, frozenset[Variable]] = live_variables(procedure)
        self._own = frozenset(procedure.variables)
        self._known: dict[tuple[str, int], tuple[str, ...]] = {}

    def at(self, label: str, position: int) -> tuple[str, ...]:
        if (label, position) not in self._known:
            self._known[label, position] = self._worked_out(label, position)
        return self._known[label, position]

    def _worked_out(self, label: str, position: int) -> tuple[str, ...]:
        """What the steps from this position on read; a result that a call has yet to write counts as read."""
        block = self._procedure.block[label]
        live = {each for target in successors(block.terminator) for each in self._at_start[target]}
        outputs = frozenset(self._procedure.outputs)
        for step in reversed(steps(block)[position:]):
            live.difference_update(written(step))
            live.update(reads(step, outputs, lambda callee: ()))
        return tuple(sorted(each.name for each in live & self._own))
