"""Runs of finite functions on values, with a cache, detection of repeated calls, and a budget of steps.

A call that occurs below itself with the same arguments cannot contribute to a result: a derivation of it would
contain a smaller one (section IV of the paper). So the path that makes it fails; the others are still tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sorrel.finite.function import FiniteFunction, FiniteProgram, Path
from sorrel.logic.compiled import Guarded, Values, guarded
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

Key: TypeAlias = tuple[str, Values]


@dataclass(frozen=True, slots=True)
class Returned:
    values: Values
    path: int  # which of the function's paths


@dataclass(frozen=True, slots=True)
class NoReturn:
    """It is known that no run returns: it does not end, or is stuck."""


@dataclass(frozen=True, slots=True)
class OutOfSteps:
    """Not known within the budget."""


Result: TypeAlias = Returned | NoReturn | OutOfSteps
NO_RETURN = NoReturn()
OUT_OF_STEPS = OutOfSteps()


@dataclass(frozen=True, slots=True, eq=False)
class RunStep:
    """One call of a run that returned: its path, the values of the path's variables, and the calls it made."""

    function: str
    path: Path
    values: Values  # parameters, then results of calls, as `stage_variables` lists them
    premises: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Stage:
    """Up to the next call, or to the end: None if the guard does not hold, else arguments or results."""

    function: str  # whom to call; empty at the end
    run: Guarded


@dataclass(slots=True)
class _Frame:
    key: Key
    depth: int
    stages: Sequence[Sequence[_Stage]]
    environment: Values
    path: int = 0
    stage: int = 0
    lowest: int = 1 << 60  # depth of the lowest call on the stack that a failure rests on


def stage_variables(function: FiniteFunction, path: Path) -> tuple[Term, ...]:
    return (*function.parameters, *(result for call in path.calls for result in call.results))


class Simulator:
    """Membership queries are answered here. Unknown answers are not kept."""

    def __init__(self, program: FiniteProgram) -> None:
        self._program = program
        self._stages = {f.name: [_stages(f, path) for path in f.paths] for f in program.functions}
        self._cache: dict[Key, Returned | NoReturn] = {}
        self.calls = 0

    def known(self, function: str) -> list[tuple[Values, Values]]:
        """Arguments and results of all calls seen so far that return."""
        return [
            (arguments, result.values)
            for (name, arguments), result in self._cache.items()
            if name == function and isinstance(result, Returned)
        ]

    def run(self, function: str, arguments: Values, steps: int) -> Result:
        root = (function, arguments)
        self.calls += 1
        if root in self._cache:
            return self._cache[root]
        stack = [self._frame(root, 0)]
        on_stack = {root: 0}
        while stack:
            frame = stack[-1]
            called = self._advance(frame, on_stack)
            if called is None:
                stack.pop()
                del on_stack[frame.key]
                self._resume(frame, stack)
            else:
                steps -= 1
                if steps < 0:
                    return OUT_OF_STEPS
                on_stack[called] = len(stack)
                stack.append(self._frame(called, len(stack)))
        return self._cache[root]

    def _frame(self, key: Key, depth: int) -> _Frame:
        return _Frame(key, depth, self._stages[key[0]], key[1])

    def _advance(self, frame: _Frame, on_stack: dict[Key, int]) -> Key | None:
        """Go on until a call has to be run first, or until the function is done: then its cache entry is made."""
        while frame.path < len(frame.stages):
            stage = frame.stages[frame.path][frame.stage]
            value = stage.run(frame.environment)
            if value is None:
                _next_path(frame)
                continue
            if not stage.function:
                self._cache[frame.key] = Returned(value, frame.path)
                return None
            key = (stage.function, value)
            match self._cache.get(key):
                case Returned(values):
                    frame.environment += values
                    frame.stage += 1
                case NoReturn():
                    _next_path(frame)
                case _:
                    if key not in on_stack:
                        return key
                    frame.lowest = min(frame.lowest, on_stack[key])
                    _next_path(frame)
        if frame.lowest >= frame.depth:
            self._cache[frame.key] = NO_RETURN
        return None

    def _resume(self, done: _Frame, stack: list[_Frame]) -> None:
        """The caller finds the answer in the cache, unless it is a failure that rests on a call below."""
        if done.key in self._cache or not stack:
            return
        caller = stack[-1]
        caller.lowest = min(caller.lowest, done.lowest)
        _next_path(caller)

    def trace(self, function: str, arguments: Values) -> list[RunStep]:
        """The run that returned, callees first, each call once."""
        root = (function, arguments)
        done: dict[Key, int] = {}
        steps: list[RunStep] = []
        stack = [root]
        while stack:
            key = stack[-1]
            if key in done:
                stack.pop()
                continue
            path, values, premises = self._replay(key)
            waiting = [premise for premise in premises if premise not in done]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            stack.pop()
            done[key] = len(steps)
            steps.append(RunStep(key[0], path, values, tuple(done[premise] for premise in premises)))
        return steps

    def _replay(self, key: Key) -> tuple[Path, Values, list[Key]]:
        result = self._cache.get(key)
        if not isinstance(result, Returned):
            raise InternalError(f"{key[0]}{key[1]} was not seen to return")
        environment = key[1]
        premises: list[Key] = []
        for stage in self._stages[key[0]][result.path]:
            value = stage.run(environment)
            if value is None:
                raise InternalError("a run that returned does not return when it is repeated")
            if stage.function:
                premises.append((stage.function, value))
                callee = self._cache[stage.function, value]
                if not isinstance(callee, Returned):
                    raise InternalError("a run that returned has a call that does not")
                environment += callee.values
        return self._program.function[key[0]].paths[result.path], environment, premises


def _next_path(frame: _Frame) -> None:
    frame.path += 1
    frame.stage = 0
    frame.environment = frame.key[1]


def _stages(function: FiniteFunction, path: Path) -> list[_Stage]:
    variables = list(function.parameters)
    stages = []
    for call in path.calls:
        stages.append(_Stage(call.function, guarded(variables, call.guard, call.arguments)))
        variables += call.results
    stages.append(_Stage("", guarded(variables, path.guard, path.results)))
    return stages
