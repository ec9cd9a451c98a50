"""Runs that never end: a call inside of a call of the same function with the same arguments and memory.

What a function does depends on its arguments, on what it captured, on the references and arrays that it can reach
from these, and on inputs. If a call comes to a call of itself in which all of that is as it was, without an input in
between, it comes to the next one in the same way. What it does not look at on the way may be another thing each time:
an accumulator, a list that grows. That is hidden from the run, which must come to the second call all the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice

from sorrel.functional.execution import Execution, Exhausted, Refused
from sorrel.functional.exploration import choosers
from sorrel.functional.hidden import Picture, TooLarge, Way, differences, hidden, picture
from sorrel.functional.interpreter import Watcher, execute
from sorrel.functional.program import Program
from sorrel.functional.term import Function
from sorrel.functional.value import Block, Cell, Closure, Made, Unknown, Value
from sorrel.model.values import dataclass
from sorrel.model.work import METER

STEPS, MOST_CALLS, DEEPEST = 20_000, 3_000, 250
MOST_ROUNDS, MOST_FUNCTIONS, MOST_APART, MOST_EXHAUSTED = 6, 3, 3, 3


@dataclass(frozen=True, slots=True)
class Lasso:
    """The function and its arguments, and the run that comes to it. `hidden`: what it does not look at is left out."""

    function: Function
    arguments: tuple[Value, ...]
    run: Execution
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that has not returned, the how-many-eth of its run."""

    number: int
    closure: Closure
    arguments: tuple[Value, ...]
    state: Hashable
    inputs: int
    height: int


def find_lasso(program: Program, seconds: float, seed: int = 0) -> Lasso | None:
    """A call that comes to itself, as far as it looks at what it is given."""
    deadline, exhausted = METER.now() + seconds, 0
    for choose in choosers(program, seed):
        watching = _Watching()
        tried = execute(program, choose, frozenset(), steps=STEPS, watcher=watching)
        # What is not followed any further may go on with numbers that nobody looks at.
        cut_off = isinstance(tried.end, Exhausted | Refused)
        exhausted += watching.found is None and cut_off
        if watching.found is not None or (cut_off and exhausted <= MOST_EXHAUSTED):
            found = repeated(program, [used.value for used in tried.used])
            if found is not None:
                return found
        if not tried.used and not cut_off:
            return None
        if METER.now() > deadline:
            return None
    return None


def repeated(program: Program, values: Sequence[Value]) -> Lasso | None:
    """The run with these values, recorded, if a call in it comes to itself."""
    watching = _Watching()
    run = execute(program, values, frozenset(), steps=STEPS, record=True, watcher=watching)
    if watching.found is not None:
        return Lasso(watching.found.closure.function, watching.found.arguments, run)
    for first, second in watching.pairs():
        found = _hiding(program, values, first, second)
        if found is not None:
            return found
    return None


def _hiding(program: Program, values: Sequence[Value], first: _Call, second: _Call) -> Lasso | None:
    """Each round hides more, until what the run comes to is covered by where it came from."""
    hiding = _Hiding(first, second)
    for _ in range(MOST_ROUNDS):
        hiding.again()
        try:
            run = execute(program, values, frozenset(), steps=STEPS, record=True, watcher=hiding)
        except TooLarge:
            return None
        if hiding.found is not None:
            return Lasso(first.closure.function, hiding.found, run, hidden=True)
        if not hiding.comes_back:
            return None
    return None


class _Calls(Watcher):
    """Remembers the calls that have not returned."""

    def __init__(self) -> None:
        self.active: list[_Call] = []
        self.count = 0

    def back_to(self, height: int) -> None:
        while self.active and self.active[-1].height >= height:
            self.active.pop()


class _Watching(_Calls):
    """Until a call comes to one in which everything is the same."""

    def __init__(self) -> None:
        super().__init__()
        self.found: _Call | None = None

    def entered(
        self, closure: Closure, arguments: tuple[Value, ...], inputs: int, height: int
    ) -> tuple[Value, ...] | None:
        self.count += 1
        if self.count > MOST_CALLS or len(self.active) > DEEPEST:
            return arguments
        call = _Call(self.count, closure, arguments, frozen((closure, *arguments)), inputs, height)
        if any(call.state == each.state and inputs == each.inputs for each in self.active):
            self.found = call
            return None
        self.active.append(call)
        return arguments

    def pairs(self) -> Iterator[tuple[_Call, _Call]]:
        """Of some functions the last call and those before it, if nothing was asked for in between."""
        seen: set[int] = set()
        for position, second in reversed(list(enumerate(self.active))):
            function = second.closure.function
            if id(function) in seen or len(seen) >= MOST_FUNCTIONS:
                continue
            seen.add(id(function))
            before = reversed(self.active[:position])
            same = (each for each in before if each.closure.function is function and each.inputs == second.inputs)
            yield from ((first, second) for first in islice(same, MOST_APART))


class _Hiding(_Calls):
    """From one call to another one of the same function, without what differs between the two.

    If the run comes there although that is hidden, and all that is not hidden is as it was, then it comes there from
    any call that differs in hidden parts only, and so again and again.
    """

    def __init__(self, first: _Call, second: _Call) -> None:
        super().__init__()
        self._first, self._second = first.number, second.number
        self._ways: list[Way] = []
        self._before: Picture | None = None
        self._arguments: tuple[Value, ...] = ()
        self.found: tuple[Value, ...] | None = None
        self.comes_back = False

    def again(self) -> None:
        """Before the next run."""
        self.active, self.count, self.comes_back = [], 0, False

    def entered(
        self, closure: Closure, arguments: tuple[Value, ...], inputs: int, height: int
    ) -> tuple[Value, ...] | None:
        self.count += 1
        if self.count == self._first:
            self._before, arguments = self._hide(closure, arguments)
            self._arguments = arguments
            self.active = [_Call(self.count, closure, arguments, (), inputs, height)]
        elif self.count == self._second and self._before is not None and self.active:
            first = self.active[0]
            if first.closure.function is not closure.function or first.inputs != inputs:
                return None
            ways = list(differences(self._before, picture((closure, *arguments))))
            self.comes_back = True
            self._ways += ways
            self.found = None if ways else self._arguments
            return None
        return arguments

    def _hide(self, closure: Closure, arguments: tuple[Value, ...]) -> tuple[Picture, tuple[Value, ...]]:
        state: Value = (closure, *arguments)
        for way in self._ways:
            state = hidden(state, way)
        if not isinstance(state, tuple) or not isinstance(state[0], Closure):
            raise TooLarge  # the function itself is another one each time
        return picture(state), state[1:]


def frozen(values: tuple[Value, ...]) -> Hashable:
    """The values and all that they reach, in a form that can be compared; memory is the same only as the very one."""
    seen: dict[int, int] = {}
    flat: list[Hashable] = []
    stack: list[Value] = list(reversed(values))
    while stack:
        value = stack.pop()
        if isinstance(value, Cell | Block | Closure):
            if id(value) in seen:
                flat.append(("again", seen[id(value)]))
                continue
            seen[id(value)] = len(seen)
        match value:
            case Cell(content):
                flat.append(("cell", id(value)))
                stack.append(content)
            case Block(elements):
                flat.append(("block", id(value), len(elements)))
                stack.extend(elements)
            case Closure(function, captured, given):
                flat.append(("function", id(function), len(given)))
                stack.extend([*given, *captured.values()])
            case Made(constructor, arguments):
                flat.append(("made", constructor, len(arguments)))
                stack.extend(arguments)
            case tuple():
                flat.append(("tuple", len(value)))
                stack.extend(value)
            case Unknown():
                flat.append(("unknown", id(value)))
            case _:
                flat.append((type(value).__name__, value))
    return tuple(flat)
