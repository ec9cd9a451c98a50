"""Smaller values that lead to the same violation: what a person has to understand of a counterexample.

First values are left out, many at once and then fewer, with a number before them lowered by as many: what counts how
often the program reads. Then each value is tried as zero, and nearer and nearer to zero by bisection, the later ones
first, for as long as something becomes smaller; whatever still violates the same assertion is kept. Nothing here is
believed: the caller repeats the run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sorrel.program.interpreter import Prepared, run
from sorrel.program.program import Program
from sorrel.program.run import Run, Used, Violated
from sorrel.program.statement import Choice
from sorrel.program.types import Array, Machine, Type
from sorrel.program.value import ArrayValue, Value, zero

MOST_STEPS = 2_000_000
"""Of all runs together that are made to find smaller values."""
MOST_RUNS, MOST_CHOICES, MOST_PARTNERS, MOST_COUNTS = 400, 200, 4, 3
FIRST_STEPS, LEAST_RUNS = 500, 16
"""Nothing is tried of a run that is so long that only a few others could be."""


def shrunk(program: Program, choices: Sequence[Value], most: int, *, together: bool = False) -> list[Value]:
    """Values that violate the assertion that these violate; the same ones if they violate none, or take too long.

    `together`: values that are equal are first tried to be changed as one, as the inputs that two runs share.
    """
    search = _Search(program, most, together)
    first = search.shortest(choices)
    if first is None or len(first.used) > MOST_CHOICES:
        return list(choices)
    return search.smaller(search.fewer(first))


class _Search:
    def __init__(self, program: Program, most: int, together: bool) -> None:
        self._program = program
        self._together = together
        self._most = most
        self._prepared: Prepared = {}
        self._steps = FIRST_STEPS
        self._left = MOST_RUNS

    def shortest(self, choices: Sequence[Value]) -> Run | None:
        """The run, with the number of steps that is enough for it and others like it."""
        while self._steps <= min(self._most, MOST_STEPS // LEAST_RUNS):
            result = self._run(choices)
            if isinstance(result.end, Violated):
                self._left = min(MOST_RUNS, MOST_STEPS // self._steps)
                return result
            self._steps *= 4
        return None

    def fewer(self, best: Run) -> Run:
        """The best run without values that it does not need, in half of what may be tried."""
        least = self._left // 2
        for lowered in [*self._counts(best), ()]:
            by = len(best.used)
            while by > 0 and self._left > least:
                found = self._without(best, by, lowered, least)
                best, by = (found, by) if found else (best, by // 2)
        return best

    def _counts(self, best: Run) -> list[tuple[int, ...]]:
        """Where numbers stand that may tell how many values follow; of several runs, next to each other in each."""
        numbers = [at for at, used in enumerate(best.used) if type(used.value) is int and used.value > 1]
        single: list[tuple[int, ...]] = [(at,) for at in numbers[:MOST_COUNTS]]
        pairs = [(at, at + 1) for at, *_ in single if at + 1 in numbers and _alike(best.used[at], best.used[at + 1])]
        return [*pairs, *single] if self._together else single

    def _without(self, best: Run, by: int, lowered: tuple[int, ...], least: int) -> Run | None:
        """A run with the numbers in these places lowered, and so many values for each left out next to each other."""
        values = _values(best)
        number = by * max(1, len(lowered))
        for place in lowered:
            value = values[place] if place < len(values) else None
            if not isinstance(value, int) or value <= by:
                return None
            values[place] = value - by
        for at in range(max(lowered, default=-1) + 1, len(values) - number + 1):
            if self._left <= least:
                return None
            self._left -= 1
            tried = self._run([*values[:at], *values[at + number :]])
            if self._same(tried, best) and len(tried.used) < len(best.used):
                return tried
        return None

    def smaller(self, best: Run) -> list[Value]:
        changed = True
        while changed and self._left > 0:
            changed = False
            for position in reversed(range(len(best.used))):
                if position < len(best.used):
                    found = self._at(best, position)
                    changed = changed or found is not best
                    best = found
        return _values(best)

    def _at(self, best: Run, position: int) -> Run:
        """The best run with something smaller in that place."""

        def attempt(value: Value) -> bool:
            nonlocal best
            if self._left <= 0:
                return False
            self._left -= 1
            tried = self._run([value if at in places else each for at, each in enumerate(_values(best))])
            if not self._same(tried, best) or len(tried.used) > len(best.used):
                return False
            best = tried
            return True

        used = best.used[position]
        places = {position}
        if used.choice is not Choice.ABSTRACTION and used.arguments is None:
            equal = [at for at, each in enumerate(best.used) if _alike(each, used)] if self._together else []
            for group in [{*equal}, *({position, at} for at in equal[:MOST_PARTNERS] if at != position), {position}]:
                if group and position < len(best.used):
                    places = group
                    _lessen(best.used[position].value, used.type, attempt)
        return best

    def _run(self, choices: Sequence[Value]) -> Run:
        return run(self._program, choices, steps=self._steps, prepared=self._prepared)

    @staticmethod
    def _same(tried: Run, best: Run) -> bool:
        match tried.end, best.end:
            case Violated() as reached, Violated() as claimed:
                return reached.assertion == claimed.assertion and reached.procedure == claimed.procedure
            case _:
                return False


def _alike(one: Used, other: Used) -> bool:
    return one.type == other.type and one.value == other.value


def _values(found: Run) -> list[Value]:
    return [used.value for used in found.used]


def _lessen(value: Value, type: Type, attempt: Callable[[Value], bool]) -> None:
    """Offer smaller and smaller values of the type; `attempt` says which of them will do."""
    if value == zero(type) or attempt(zero(type)):
        return
    match value, type:
        case ArrayValue(), Array(element):
            _lessen_elements(value, element, attempt)
        case bool(), _:
            return
        case int(), _:
            if value < 0 and _fits(-value, type) and attempt(-value):
                value = -value
            _bisect(value, attempt)


def _fits(value: int, type: Type) -> bool:
    return not isinstance(type, Machine) or type.contains(value)


def _bisect(value: int, attempt: Callable[[Value], bool]) -> None:
    """Towards zero, which will not do: if smaller ones do whenever larger ones do, the smallest is found."""
    sign = 1 if value > 0 else -1
    low, high = 0, abs(value)
    while high - low > 1:
        middle = (low + high) // 2
        if attempt(sign * middle):
            high = middle
        else:
            low = middle


def _lessen_elements(value: ArrayValue, element: Type, attempt: Callable[[Value], bool]) -> None:
    def put(array: ArrayValue) -> bool:
        nonlocal value
        if attempt(array):
            value = array
            return True
        return False

    def put_at(index: int, smaller: Value) -> bool:
        return put(value.store(index, smaller))

    if value.default != zero(element):
        put(ArrayValue(zero(element), value.entries))
    for index in reversed(value.entries):
        _lessen(value[index], element, partial(put_at, index))
