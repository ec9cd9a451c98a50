"""Calls of a function with small inputs: the state before each, and whether something went wrong in it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from sorrel.contracts.entry import EntryState
from sorrel.contracts.locating import Located
from sorrel.contracts.meaning import Meaning
from sorrel.methods.preconditions.plan import PLAN
from sorrel.model.errors import InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Variable
from sorrel.program.interpreter import ByVariable, Prepared, run
from sorrel.program.program import Program
from sorrel.program.run import Entered, Finished, Passed, Run, Stopped, Violated, Wrote
from sorrel.program.statement import Assert
from sorrel.program.types import Array, Machine, Type, Unbounded
from sorrel.program.value import ArrayValue, Value
from sorrel.program.visible import EntryKind
from sorrel.testing.probe import constants_of, fitting

MOST_STEPS, MOST_CALLS = 2_000, 400
LONGEST, FEW = 400, 6
"""Objects are no longer than this; most are much shorter, so that numbers and lengths meet."""
_CELLS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`state` is what variables held before the call; `reached` are the assertions that the run got past."""

    state: Mapping[str, Value]
    is_safe: bool
    reached: frozenset[Span]
    run: Run


class Judge:
    """A condition, to be looked at in many states; where it speaks of a zero, of the first one."""

    def __init__(self, said: Meaning) -> None:
        self._code = compile(said.holds, frozenset())
        self._bound = said.bound
        self._zeros = [(each.zero.name, _Zero(each)) for each in said.witnesses if each.zero is not None]

    def holds(self, state: Mapping[str, Value]) -> bool:
        known = dict(state)
        for name, zero in self._zeros:
            known[name] = zero.first(state)
        if not self._bound:
            return self._holds(known)
        return all(self._holds({**known, **bound}) for bound in _instances(self._bound))

    def _holds(self, state: Mapping[str, Value]) -> bool:
        try:
            return evaluate(self._code, state, {}, _unknown) is True
        except (UndefinedOperation, KeyError):
            return False


class _Zero:
    """The first zero from where a pointer leads to on; -1 if there is none within the object."""

    def __init__(self, pointer: Located) -> None:
        if pointer.contents is None:
            raise InternalError("a string without elements")
        self._contents = pointer.contents.name
        self._ends = [compile(each, frozenset()) for each in (pointer.offset, pointer.length)]

    def first(self, state: Mapping[str, Value]) -> int:
        start, length = (evaluate(each, state, {}, _unknown) for each in self._ends)
        array = state[self._contents]
        if not isinstance(array, ArrayValue) or not isinstance(start, int) or not isinstance(length, int):
            return -1
        return next((place for place in range(start, min(length, start + LONGEST)) if array[place] == 0), -1)


def _unknown(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise KeyError(function)


def _instances(bound: Sequence[Variable]) -> Iterator[Mapping[str, Value]]:
    """The values at which a condition for all numbers is looked at: as far as small objects go."""
    if not bound:
        yield {}
    elif len(bound) == 1:
        yield from ({bound[0].name: value} for value in range(-1, LONGEST))
    else:
        yield from ({**inner, bound[0].name: value} for inner in _instances(bound[1:]) for value in range(-1, FEW))


def calls(state: EntryState, seconds: float = PLAN.sampling, seed: int = 0) -> list[Call]:
    """Calls with many small inputs; those that neither end nor go wrong are left out. Seconds are the processor's."""
    deadline = time.process_time() + seconds
    prepared: Prepared = {}
    found: list[Call] = []
    for choose in _choosers(state, random.Random(seed)):
        if len(found) >= MOST_CALLS or time.process_time() > deadline:
            break
        made = called(state, run(state.program, ByVariable(choose), steps=MOST_STEPS, record=True, prepared=prepared))
        if made is not None:
            found.append(made)
    return found


def called(state: EntryState, result: Run) -> Call | None:
    """What a run of the program shows about one call; None if it shows nothing."""
    if not isinstance(result.end, Finished | Stopped | Violated):
        return None
    before: dict[str, Value] = {}
    reached: set[Span] = set()
    entered = False
    for event in result.events:
        if isinstance(event, Entered) and event.procedure == state.function:
            entered = True
        elif isinstance(event, Wrote) and not entered:
            before[event.variable.name] = event.value
        elif isinstance(event, Passed) and isinstance(event.statement, Assert):
            reached.add(event.span)
    if not entered:
        return None
    return Call(before, not isinstance(result.end, Violated), frozenset(reached), result)


def _choosers(state: EntryState, chance: random.Random) -> Iterator[Callable[[Type, str], Value]]:
    kinds = {part.variable: part.kind for part in state.program.entry_parts}
    near = _near(state.program)
    for number in range(4 * MOST_CALLS):
        large = number % 7 == 6

        def choose(type: Type, name: str, large: bool = large) -> Value:
            match kinds.get(name):
                case EntryKind.LENGTH:
                    return _length(chance, near)
                case EntryKind.POINTER:
                    return int(chance.random() < 0.9)
                case EntryKind.OFFSET:
                    return 0 if chance.random() < 0.9 else chance.randint(0, 2)
                case _:
                    return _value(type, chance, near, large)

        yield choose


def _near(program: Program) -> list[int]:
    """Numbers around the constants of the program: what is one too many shows there."""
    found = [c + d for c in constants_of(program) for d in (-1, 0, 1)]
    return list(dict.fromkeys([*range(FEW), *(n for n in found if abs(n) <= 2**63)]))


def _length(chance: random.Random, near: Sequence[int]) -> int:
    if chance.random() < 0.75:
        return chance.randint(0, FEW)
    return chance.choice([n for n in near if 0 <= n <= LONGEST])


def _value(type: Type, chance: random.Random, near: Sequence[int], large: bool) -> Value:
    match type:
        case Array(element):
            cells = {place: _value(element, chance, near, large) for place in range(_CELLS)}
            return ArrayValue(fitting(element, chance.choice((0, 1, 1))), cells)
        case Machine() if large and chance.random() < 0.5:
            return chance.choice((type.largest, type.smallest, type.largest - 1, type.smallest + 1, type.largest // 2))
        case Machine() | Unbounded():
            few = chance.randint(-1, FEW) if chance.random() < 0.7 else chance.choice(near)
            return fitting(type, few)
        case _:
            return fitting(type, chance.randint(0, 1))
