"""Looking for runs that come back to where they were (`evidence.lasso`), with small values."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from sorrel.evidence.lasso import STEPS, Lasso, Stack, Watch, comes_back, look
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.interpreter import Ended, Interpreter, Prepared
from sorrel.program.program import Program
from sorrel.program.types import BOOLEAN, Array, Real, Type
from sorrel.program.value import Value, fits, zero

_SMALL = (0, 1, -1, 2, 3, -2, 5, 10, 4, -5, 7, 100)


def find_lasso(program: Program, clock: Clock, seed: int = 0) -> Lasso | None:
    """By running the program with small values; nothing if no run comes back."""
    watch = Watch.of(program)
    prepared: Prepared = {}
    for attempt in range(2_000):
        if clock.expired():
            return None
        source = _Source(random.Random(seed * 7919 + attempt), attempt)
        found = _followed(program, watch, source.choose, prepared)
        if isinstance(found, Lasso):
            confirmed = comes_back(program, watch, found)
            if confirmed:
                return found
        if found is None and not source.asked:
            return None  # there is only one run
    return None


def lasso_with(program: Program, choices: Sequence[Value]) -> Lasso | None:
    """The run with these choices, if it comes back to where it was before it has used them up."""
    waiting = iter(choices)

    def choose(type: Type) -> Value:
        value = next(waiting, None)
        return value if value is not None and fits(value, type) else zero(type)

    watch = Watch.of(program)
    found = _followed(program, watch, choose, {})
    return found if isinstance(found, Lasso) and comes_back(program, watch, found) else None


@dataclass(slots=True)
class _Source:
    """Small values first, then any; the first runs use one value throughout."""

    random: random.Random
    attempt: int
    asked: bool = False

    def choose(self, type: Type) -> Value:
        self.asked = True
        if isinstance(type, Array):
            return zero(type)
        if type == BOOLEAN:
            return self.random.random() < 0.5
        number = _SMALL[self.attempt % len(_SMALL)] if self.attempt < len(_SMALL) else self._any()
        value: Value = number if not isinstance(type, Real) else zero(type)
        return value if fits(value, type) else abs(number) if fits(abs(number), type) else zero(type)

    def _any(self) -> int:
        spread = self.random.choice((1, 3, 10, 100))
        return self.random.randint(-spread, spread)


def _followed(
    program: Program, watch: Watch, choose: Callable[[Type], Value], prepared: Prepared
) -> Lasso | str | None:
    """A lasso, nothing if the run ended, or a word if it was given up."""
    machine = Interpreter(program, choose, STEPS, record=False, prepared=prepared)
    stack = Stack()
    try:
        machine.start()
        for _ in range(STEPS):
            found = look(machine, watch, stack)
            if found is not None:
                return found
            machine.step()
    except (Ended, UndefinedOperation):
        return None
    return "long"
