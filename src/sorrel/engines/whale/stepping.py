"""Steps on numbers: a path with one call that is not looked through leads from a state of the callee to one of its own.

A state is the arguments of a function. What a step was told from outside is kept, so that it can be repeated, and told
as an execution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from sorrel.engines.whale.executions import Execution
from sorrel.engines.whale.function import Function, Path
from sorrel.engines.whale.ordering import Action, Choose, Source, Unordered, Values, done, ordered
from sorrel.engines.whale.program import Body, Call, Equation, Goal, body
from sorrel.engines.whale.unfolding import TooLargeError, Unfolded, unfolded
from sorrel.logic import terms
from sorrel.logic.compiled import Calculation
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.model.work import METER

State: TypeAlias = tuple[int, ...]
Told: TypeAlias = tuple[int | Sequence[int], ...]
UNITS = 3
"""Of work, for each action of a step as it is counted: most of them are in cases that are not taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """`start` is the callee, None if there is none; `end` the function, None for the main one."""

    start: str | None
    end: str | None
    _unfolded: Unfolded
    _width: int
    _given: tuple[int, ...]
    _actions: tuple[Action, ...]
    _returned: tuple[Calculation, ...]

    @property
    def constraint(self) -> Term:
        return self._unfolded.path.constraint

    @property
    def variables(self) -> Sequence[Term]:
        return self._unfolded.path.clause.variables

    def after(self, state: State, source: Source) -> State | None:
        """Where the step leads; None if it leads nowhere this time."""
        values = self._run(state, source)
        return None if values is None else tuple(int(each.run(values)) for each in self._returned)

    def execution(self, state: State, told: Told, given: Sequence[Execution]) -> Execution | None:
        """The step that was told this, as an execution."""
        values = self._run(state, Repetition(told))
        if values is None:
            return None
        numbers = zip(self.variables, values, strict=False)
        return self._unfolded.execution([(v, _term(v, number)) for v, number in numbers], given)

    def _run(self, state: State, source: Source) -> Values | None:
        METER.add(UNITS * len(self._actions) + UNITS)
        values: Values = [None] * self._width
        for place, number in zip(self._given, state, strict=True):
            values[place] = number
        try:
            return values if done(self._actions, values, source) else None
        except ZeroDivisionError:
            return None


class Repetition:
    """A source that says again what was told."""

    def __init__(self, told: Told) -> None:
        self._told = iter(told)

    def value(self, place: int) -> int:
        found = next(self._told)
        return found if isinstance(found, int) else 0

    def order(self, choice: Choose) -> Sequence[int]:
        found = next(self._told)
        return () if isinstance(found, int) else found


def steps(functions: Sequence[Function], all_functions: Mapping[str, Function]) -> list[Step]:
    """Those of the functions' paths that can be run."""
    return [each for function in functions for path in function.paths for each in _steps(path, all_functions)]


def _steps(path: Path, functions: Mapping[str, Function]) -> Iterator[Step]:
    left = [call for call in path.calls if not functions[call.predicate.name].is_transparent]
    if len(left) > 1:
        return
    try:
        for whole in unfolded(path, functions):
            made = body(whole.path)
            if made is not None:
                yield _ordered(whole, made)
    except (TooLargeError, Unordered):
        return


def _ordered(whole: Unfolded, made: Body) -> Step:
    """The callee's state is in variables of the path, and where arguments are no such variables, behind these."""
    width = len(whole.path.clause.variables)
    goals: list[Goal] = []
    start: str | None = None
    given: list[int] = []
    for goal in made.goals:
        if not isinstance(goal, Call):
            goals.append(goal)
            continue
        start = goal.function
        for argument in goal.arguments:
            if argument.variable is None or argument.variable in given:
                goals.append(Equation(_at(width), argument))
                given.append(width)
                width += 1
            else:
                given.append(argument.variable)
    wanted = {place for term in made.returned for place in term.places}
    actions = ordered(goals, given, wanted)
    head = whole.path.clause.head
    return Step(start, head.predicate.name if head else None, whole, width, tuple(given), actions, made.returned)


def _at(place: int) -> Calculation:
    return Calculation((place,), partial(_item, place), place)


def _item(place: int, values: Sequence[int | None]) -> int:
    return values[place] or 0


def _term(variable: Term, number: int | None) -> Term:
    if terms.is_boolean(variable):
        return terms.TRUE if number else terms.FALSE
    return terms.integer(number or 0)
