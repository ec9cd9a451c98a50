"""In which order the goals of a path are done, settled once and for all: then a step costs microseconds.

Tests and equations come as soon as all that they speak of is known, then choices whose cases exclude each other by
tests; where nothing follows, a variable gets a value from outside. Within a choice the cases are tried one after the
other; what fails after a choice ends the attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import Protocol, TypeAlias

from sorrel.engines.whale.program import Choice, Equation, Goal, Test
from sorrel.logic.compiled import Calculation
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

Values: TypeAlias = list[int | None]
Run: TypeAlias = Callable[[Sequence[int | None]], int]
MOST_PLANNED, MOST_SPLIT = 120_000, 30_000
"""Goals that are looked at while an order is searched for, and while the rest may be planned for each case anew."""
PROBES = (-7, 0, 1, 12, 1000)


class Unordered(Exception):
    """No order was found."""


class Source(Protocol):
    """Where what a path leaves open comes from."""

    def value(self, place: int) -> int:
        """Of the variable at a place."""

    def order(self, choice: Choose) -> Sequence[int]:
        """In which order cases are tried."""


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """The variable gets a value, unless a case of a choice has given it one: then both have to be the same."""

    place: int
    run: Run

    def do(self, values: Values, source: Source) -> bool:
        return _given(values, self.place, self.run(values))


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    run: Run

    def do(self, values: Values, source: Source) -> bool:
        return bool(self.run(values))


@dataclass(frozen=True, slots=True, eq=False)
class Solve:
    """The only unknown variable of a term gets the value with which the term has that of another."""

    place: int
    term: Run
    other: Run

    def do(self, values: Values, source: Source) -> bool:
        before, wanted = values[self.place], self.other(values)
        values[self.place] = 0
        low = self.term(values)
        values[self.place] = 1
        found = (wanted - low) * (self.term(values) - low)
        values[self.place] = found
        is_right = self.term(values) == wanted
        values[self.place] = before
        return is_right and _given(values, self.place, found)


@dataclass(frozen=True, slots=True, eq=False)
class Invent:
    """A value from outside, unless a case of a choice has given one."""

    place: int

    def do(self, values: Values, source: Source) -> bool:
        if values[self.place] is None:
            values[self.place] = source.value(self.place)
        return True


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """`places` are the variables that it gives values to, which are taken back if it fails."""

    actions: tuple[Action, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choose:
    cases: tuple[Case, ...]

    def do(self, values: Values, source: Source) -> bool:
        for number in source.order(self):
            case = self.cases[number]
            if done(case.actions, values, source):
                return True
            for place in case.places:
                values[place] = None
        return False


def done(actions: Sequence[Action], values: Values, source: Source) -> bool:
    """Do the actions; False if one of them fails."""
    for action in actions:  # noqa: SIM110 (this is where the time goes)
        if not action.do(values, source):
            return False
    return True


def _given(values: Values, place: int, value: int) -> bool:
    before = values[place]
    if before is None:
        values[place] = value
        return True
    return before == value


Action: TypeAlias = Assign | Check | Solve | Invent | Choose


def ordered(goals: Sequence[Goal], known: Iterable[int], wanted: Iterable[int]) -> tuple[Action, ...]:
    """Actions that do the goals and give values to what is wanted."""
    have = _Known(set(known), set())
    actions = _Planner().plan(goals, have, None)
    if actions is None:
        raise Unordered
    return (*actions, *(Invent(place) for place in sorted(set(wanted) - have.surely)))


@dataclass(slots=True, eq=False)
class _Known:
    """Variables that have a value for sure, and those that have one after some cases of choices."""

    surely: set[int]
    perhaps: set[int]

    def add(self, place: int) -> None:
        self.surely.add(place)
        self.perhaps.discard(place)

    def copy(self) -> _Known:
        return _Known(set(self.surely), set(self.perhaps))

    def after(self, cases: Sequence[_Known]) -> None:
        """One of the cases was taken."""
        everywhere = set.intersection(*(case.surely for case in cases))
        somewhere = set().union(*(case.surely | case.perhaps for case in cases))
        self.surely |= everywhere
        self.perhaps = (self.perhaps | somewhere) - self.surely


@dataclass(slots=True, eq=False)
class _Planned:
    """A choice with its cases in order, what is known after each, and how many of them no test decides."""

    choice: Choice
    cases: list[Case] = field(default_factory=list)
    after: list[_Known] = field(default_factory=list)
    undecided: int = 0

    def take(self, pending: list[Goal], known: _Known, actions: list[Action]) -> None:
        pending.remove(self.choice)
        actions.append(Choose(tuple(self.cases)))
        known.after(self.after)


class _Planner:
    def __init__(self) -> None:
        self._looked = 0
        self._places: dict[int, frozenset[int]] = {}

    def plan(self, goals: Sequence[Goal], known: _Known, outside: frozenset[int] | None) -> list[Action] | None:
        """The actions, with what is known after them added; None if it depends on what is to come from outside."""
        actions: list[Action] = []
        pending = list(goals)
        while pending:
            pending = self._simple(pending, known, actions)
            if not pending:
                break
            unknown = self._of_all(pending) - known.surely
            if outside:
                unknown -= outside | self._bound_to(pending, outside - known.surely)
            possible = self._possible(pending, known, outside)
            sure = next((each for each in possible if each.undecided <= 1), None)
            if sure is not None:
                sure.take(pending, known, actions)
            elif _invented(unknown & known.perhaps or unknown - _told(pending, known.surely), known, actions):
                continue
            elif possible:
                possible[0].take(pending, known, actions)
            elif self._split(pending, known, outside, actions):
                break
            elif not _invented(unknown, known, actions):
                return None
        return actions

    def _simple(self, pending: list[Goal], known: _Known, actions: list[Action]) -> list[Goal]:
        """Tests and equations, until none of them can be done."""
        done = True
        while done:
            done = False
            left: list[Goal] = []
            for goal in pending:
                self._looked += 1
                action = None if isinstance(goal, Choice) else _simply(goal, known.surely)
                if action is None:
                    left.append(goal)
                    continue
                actions.append(action)
                if not isinstance(action, Check):
                    known.add(action.place)
                done = True
            pending = left
        if self._looked > MOST_PLANNED:
            raise Unordered
        return pending

    def _possible(self, pending: Sequence[Goal], known: _Known, outside: frozenset[int] | None) -> list[_Planned]:
        """Choices whose cases can be done now, up to the first that tests decide."""
        found: list[_Planned] = []
        for goal in pending:
            if not isinstance(goal, Choice):
                continue
            others = self._of_all(other for other in pending if other is not goal) | (outside or frozenset())
            planned = self._cases(goal, known, others)
            if planned is not None:
                found.append(planned)
                if planned.undecided <= 1:
                    break
        return found

    def _split(
        self, pending: Sequence[Goal], known: _Known, outside: frozenset[int] | None, actions: list[Action]
    ) -> bool:
        """Where choices tell each other what they need: all the rest within each case of one of them."""
        if self._looked > MOST_SPLIT:
            return False
        # The smallest first: the others are planned anew for each of its cases.
        for choice in sorted((goal for goal in pending if isinstance(goal, Choice)), key=_size):
            rest = [goal for goal in pending if goal is not choice]
            whole = Choice(tuple((*case, *rest) for case in choice.cases))
            planned = self._cases(whole, known, outside or frozenset())
            if planned is not None:
                planned.take([whole], known, actions)
                return True
        return False

    def _cases(self, choice: Choice, known: _Known, others: frozenset[int]) -> _Planned | None:
        planned = _Planned(choice)
        for case in choice.cases:
            own = known.copy()
            actions = self.plan(case, own, others)
            if actions is None:
                return None
            planned.undecided += not _is_decided(actions)
            given = (own.surely | own.perhaps) - known.surely - known.perhaps
            planned.cases.append(Case(tuple(actions), tuple(sorted(given))))
            planned.after.append(own)
        return planned

    def _of_all(self, goals: Iterable[Goal]) -> frozenset[int]:
        return frozenset().union(*(self._of(goal) for goal in goals))

    def _bound_to(self, pending: Iterable[Goal], outside: frozenset[int]) -> frozenset[int]:
        """What stands in an equation with something from outside waits for that."""
        equations = (each for each in _literals(pending) if isinstance(each, Equation))
        return self._of_all(each for each in equations if not outside.isdisjoint(self._of(each)))

    def _of(self, goal: Goal) -> frozenset[int]:
        if id(goal) not in self._places:
            self._places[id(goal)] = frozenset(
                place for each in _literals([goal]) for term in _terms(each) for place in term.places
            )
        return self._places[id(goal)]


def _invented(unknown: frozenset[int], known: _Known, actions: list[Action]) -> bool:
    """One of the variables gets a value."""
    if not unknown:
        return False
    place = min(unknown)
    actions.append(Invent(place))
    known.add(place)
    return True


def _literals(goals: Iterable[Goal]) -> list[Test | Equation]:
    found: list[Test | Equation] = []
    stack = list(goals)
    while stack:
        goal = stack.pop()
        if isinstance(goal, Choice):
            stack.extend(each for case in goal.cases for each in case)
        elif isinstance(goal, Test | Equation):
            found.append(goal)
        else:
            raise InternalError("a call is left")
    return found


def _size(choice: Choice) -> int:
    return len(_literals([choice]))


def _terms(literal: Test | Equation) -> tuple[Calculation, ...]:
    return (literal.condition,) if isinstance(literal, Test) else (literal.left, literal.right)


def _told(goals: Iterable[Goal], known: set[int]) -> set[int]:
    """The variables that an equation may tell: not by another variable that nothing tells."""
    told: set[int] = set()
    alike: list[tuple[int, int]] = []
    for left, right in (_terms(each) for each in _literals(goals) if isinstance(each, Equation)):
        one, other = left.variable, right.variable
        if one is not None and other is not None and one not in known and other not in known:
            alike.append((one, other))
        else:
            told.update(place for place in (one, other) if place is not None)
    grown = True
    while grown:
        more = {place for pair in alike if told & {*pair} for place in pair} - told
        told |= more
        grown = bool(more)
    return told


def _is_decided(actions: Sequence[Action]) -> bool:
    """Does a test come before anything is invented?"""
    for action in actions:
        if isinstance(action, Invent):
            return False
        if isinstance(action, Check):
            return True
        if isinstance(action, Choose):
            return all(_is_decided(case.actions) for case in action.cases)
    return False


def _simply(goal: Goal, known: set[int]) -> Assign | Check | Solve | None:
    if isinstance(goal, Test):
        return Check(goal.condition.run) if known.issuperset(goal.condition.places) else None
    if not isinstance(goal, Equation):
        return None
    has_left, has_right = known.issuperset(goal.left.places), known.issuperset(goal.right.places)
    if has_left and has_right:
        return Check(_same(goal.left.run, goal.right.run))
    if has_left:
        return _telling(goal.right, known, goal.left.run)
    return _telling(goal.left, known, goal.right.run) if has_right else None


def _same(left: Run, right: Run) -> Run:
    return lambda values: left(values) == right(values)


def _telling(term: Calculation, known: set[int], other: Run) -> Assign | Solve | None:
    if term.variable is not None:
        return Assign(term.variable, other)
    unknown = [place for place in term.places if place not in known]
    if len(unknown) != 1 or not _is_slope(term, unknown[0]):
        return None
    return Solve(unknown[0], term.run, other)


def _is_slope(term: Calculation, place: int) -> bool:
    """Does the term grow or fall by one with the variable, as far as some values show?"""
    slopes = set()
    for probe in PROBES:
        values: Values = [probe] * (max(term.places) + 1)
        try:
            low = term.run(values)
            values[place] = probe + 1
            slopes.add(term.run(values) - low)
        except ZeroDivisionError:
            return False
    return slopes in ({1}, {-1})
