"""Runs that never end: a call inside of a call of the same function with the same arguments and memory.

What a function does depends on its arguments, on what it captured, on the references and arrays that it can reach
from these, and on inputs. If a call comes to a call of itself in which all of that is as it was, without an input in
between, it comes to the next one in the same way.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sorrel.functional.execution import Execution, Exhausted
from sorrel.functional.exploration import choosers
from sorrel.functional.interpreter import Watcher, execute
from sorrel.functional.program import Program
from sorrel.functional.term import Function
from sorrel.functional.value import Block, Cell, Closure, Made, Unknown, Value
from sorrel.model.work import METER

STEPS, MOST_CALLS, DEEPEST = 20_000, 3_000, 400


@dataclass(frozen=True, slots=True)
class Lasso:
    """The function and its arguments, and the run that comes to it."""

    function: Function
    arguments: tuple[Value, ...]
    run: Execution


def find_lasso(program: Program, seconds: float, seed: int = 0) -> Lasso | None:
    deadline = METER.now() + seconds
    for choose in choosers(program, seed):
        watching = _Watching()
        tried = execute(program, choose, frozenset(), steps=STEPS, watcher=watching)
        if watching.found is not None:
            return repeated(program, [used.value for used in tried.used])
        if not tried.used and not isinstance(tried.end, Exhausted):
            return None
        if METER.now() > deadline:
            return None
    return None


def repeated(program: Program, values: Sequence[Value]) -> Lasso | None:
    """The run with these values, recorded, if it comes to a call of itself."""
    watching = _Watching()
    run = execute(program, values, frozenset(), steps=STEPS, record=True, watcher=watching)
    return Lasso(*watching.found, run) if watching.found is not None else None


class _Watching(Watcher):
    """Remembers the calls that have not returned."""

    def __init__(self) -> None:
        self.found: tuple[Function, tuple[Value, ...]] | None = None
        self._active: list[tuple[Hashable, int]] = []
        self._calls = 0

    def entered(self, closure: Closure, arguments: tuple[Value, ...], inputs: int) -> bool:
        self._calls += 1
        if self._calls > MOST_CALLS or len(self._active) > DEEPEST:
            return True
        state = frozen((closure, *arguments))
        if (state, inputs) in self._active[-DEEPEST:]:
            self.found = (closure.function, arguments)
            return False
        self._active.append((state, inputs))
        return True

    def left(self) -> None:
        if self._active:
            self._active.pop()


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
