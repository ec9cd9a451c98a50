"""Executions by running paths on numbers, without a solver.

A path is run by doing its goals: tests decide, equations tell values, choices with one possible case are no choices.
What is left open is decided by a policy, and taken back if it leads nowhere; so is what the environment returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol, TypeAlias

from sorrel.engines.whale.executions import Execution
from sorrel.engines.whale.function import Function
from sorrel.engines.whale.program import Body, Call, Choice, Equation, Goal, Test
from sorrel.horn.clause import Role
from sorrel.logic import terms
from sorrel.logic.compiled import Calculation
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_DECISIONS = 60
"""A run that has decided so often without an end is given up."""
MOST_FRAMES = 400

Given: TypeAlias = Mapping[str, Sequence[Execution]]


class Policy(Protocol):
    def order(self, key: object, count: int) -> list[int]:
        """In which order the cases of a choice are tried."""

    def values(self, key: object, is_truth: bool) -> list[int]:
        """What a variable that nothing determines may be."""

    def took(self, key: object, choice: int) -> None:
        """A choice of a run that came to its end."""


@dataclass(eq=False, slots=True)
class Frame:
    """One instance of a path: values by the places of its variables; None where there is none yet."""

    body: Body
    values: list[int | None]
    callees: dict[int, Frame | Execution] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class _Bound:
    """A term of one frame is a term of another: an argument."""

    left: Calculation
    outer: Frame
    right: Calculation
    inner: Frame


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """An execution, and what was passed on the way: cases of choices and paths of callees, by their goal."""

    execution: Execution
    places: tuple[tuple[Goal, int], ...]


_Pending: TypeAlias = tuple[Goal | _Bound, Frame]
_FAILED, _DONE, _WAITING = 0, 1, 2


@dataclass(eq=False, slots=True)
class _Decision:
    """What to go back to: the alternatives that are left, and everything as it was."""

    key: object
    choices: list[int]
    apply: Callable[[int], list[_Pending] | None]
    pending: list[_Pending]
    trail: int
    entered: int
    passed: int
    taken: int = -1


class Runner:
    """Runs bodies by the name of their function; a function without bodies cannot be run."""

    def __init__(self, functions: Mapping[str, Function], bodies: Mapping[str, Sequence[Body]]) -> None:
        self._functions = functions
        self._bodies = bodies

    def run(self, start: Body, calls: Mapping[int, Execution], policy: Policy) -> Passed | None:
        """An execution of a path whose calls at the given positions are these."""
        return _Attempt(self._functions, self._bodies, policy).run(start, calls)


class _Attempt:
    def __init__(self, functions: Mapping[str, Function], bodies: Mapping[str, Sequence[Body]], policy: Policy) -> None:
        self._functions = functions
        self._bodies = bodies
        self._policy = policy
        self._trail: list[tuple[Frame, int]] = []
        self._entered: list[tuple[Frame, int]] = []
        self._passed: list[tuple[Goal, int]] = []
        self._pending: list[_Pending] = []
        self._decisions: list[_Decision] = []
        self._frames = 0

    def run(self, start: Body, calls: Mapping[int, Execution]) -> Passed | None:
        top = self._frame(start)
        for goal in start.goals:
            if not isinstance(goal, Call) or goal.position not in calls:
                self._pending.append((goal, top))
            elif not self._given(top, goal, calls[goal.position]):
                return None
        for _ in range(MOST_DECISIONS):
            alive = self._propagate()
            if alive and not self._pending:
                for decision in self._decisions:
                    self._policy.took(decision.key, decision.taken)
                return Passed(_execution(top), tuple(self._passed))
            if alive:
                alive = self._decide()
            if not alive and not self._take_back():
                return None
            if self._frames > MOST_FRAMES:
                return None
        return None

    def _frame(self, body: Body) -> Frame:
        self._frames += 1
        return Frame(body, [None] * len(body.path.clause.variables))

    def _given(self, frame: Frame, call: Call, execution: Execution) -> bool:
        """The call returned what an execution did."""
        frame.callees[call.position] = execution
        for argument, value in zip(call.arguments, execution.arguments, strict=True):
            number = terms.as_number(value)
            if number is None or not self._becomes(frame, argument, int(number)):
                return False
        return True

    # What follows

    def _propagate(self) -> bool:
        """Do goals until nothing more follows; False if something is wrong. Choices are looked at last."""
        while True:
            done = self._pass(lambda goal: not isinstance(goal, Choice | Call))
            if done == _DONE:
                continue
            if done == _FAILED:
                return False
            done = self._pass(lambda goal: isinstance(goal, Choice))
            if done != _DONE:
                return done == _WAITING

    def _pass(self, concerned: Callable[[Goal | _Bound], bool]) -> int:
        """Do the goals of a kind once; was one done, did one fail, or do all wait?"""
        work = self._pending
        self._pending = []
        result = _WAITING
        for goal, frame in work:
            outcome = self._do(goal, frame) if result != _FAILED and concerned(goal) else _WAITING
            if outcome == _WAITING:
                self._pending.append((goal, frame))
            else:
                result = outcome
        return result

    def _do(self, goal: Goal | _Bound, frame: Frame) -> int:
        if isinstance(goal, Test):
            return _tested(goal.condition, frame)
        if isinstance(goal, Equation):
            return self._equal(goal.left, frame, goal.right, frame)
        if isinstance(goal, _Bound):
            return self._equal(goal.left, goal.outer, goal.right, goal.inner)
        if isinstance(goal, Choice):
            possible = [k for k, case in enumerate(goal.cases) if _is_possible(case, frame)]
            if len(possible) == 1:
                self._pending.extend(self._case(goal, frame, possible[0]))
                return _DONE
            return _WAITING if possible else _FAILED
        return _WAITING

    def _equal(self, left: Calculation, outer: Frame, right: Calculation, inner: Frame) -> int:
        known_left, known_right = _is_known(left, outer), _is_known(right, inner)
        try:
            if known_left:
                return self._told(right, inner, known_right, left.run(outer.values))
            if known_right:
                return self._told(left, outer, known_left, right.run(inner.values))
        except ZeroDivisionError:
            return _FAILED
        return _WAITING

    def _told(self, term: Calculation, frame: Frame, known: bool, value: int) -> int:
        if known:
            return _DONE if term.run(frame.values) == value else _FAILED
        unknown = [place for place in term.places if frame.values[place] is None]
        if len(unknown) != 1:
            return _WAITING
        return self._solved(term, frame, unknown[0], value)

    def _becomes(self, frame: Frame, term: Calculation, value: int) -> bool:
        return self._told(term, frame, _is_known(term, frame), value) == _DONE

    def _solved(self, term: Calculation, frame: Frame, place: int, value: int) -> int:
        """The only variable without a value in a term gets one, if the term grows or falls with it by one."""
        if term.variable == place:
            self._assign(frame, place, value)
            return _DONE
        values = list(frame.values)
        values[place] = 0
        low = term.run(values)
        values[place] = 1
        slope = term.run(values) - low
        if slope not in (1, -1):
            return _WAITING
        values[place] = (value - low) * slope
        if term.run(values) != value:
            return _WAITING
        self._assign(frame, place, (value - low) * slope)
        return _DONE

    def _assign(self, frame: Frame, place: int, value: int) -> None:
        frame.values[place] = value
        self._trail.append((frame, place))

    # What is decided

    def _decide(self) -> bool:
        """Enter a call whose inputs are known, decide a choice, enter any call, or invent a value, in this order."""
        calls = [k for k, (goal, _) in enumerate(self._pending) if isinstance(goal, Call)]
        ready = [k for k in calls if self._has_inputs(k)]
        choices = [k for k, (goal, _) in enumerate(self._pending) if isinstance(goal, Choice)]
        for found in (ready, choices, calls):
            if found:
                return self._branch(found[0])
        return self._invent()

    def _has_inputs(self, index: int) -> bool:
        goal, frame = self._pending[index]
        if not isinstance(goal, Call):
            return False
        formal = self._functions[goal.function].arguments
        inputs = [a for a, own in zip(goal.arguments, formal, strict=True) if own.role is Role.INPUT]
        return all(_is_known(argument, frame) for argument in inputs)

    def _branch(self, index: int) -> bool:
        goal, frame = self._pending.pop(index)
        if isinstance(goal, Choice):
            choice, cases = goal, goal.cases
            possible = [k for k, case in enumerate(cases) if _is_possible(case, frame)]
            return self._choose(goal, len(cases), possible, lambda k: self._case(choice, frame, k))
        if not isinstance(goal, Call):
            return False
        call, bodies = goal, self._bodies.get(goal.function, ())
        everyone = list(range(len(bodies)))
        return self._choose(call, len(bodies), everyone, lambda k: self._enter(call, frame, k))

    def _case(self, choice: Choice, frame: Frame, k: int) -> list[_Pending]:
        self._passed.append((choice, k))
        return [(each, frame) for each in choice.cases[k]]

    def _enter(self, call: Call, frame: Frame, k: int) -> list[_Pending]:
        body = self._bodies[call.function][k]
        self._passed.append((call, k))
        inner = self._frame(body)
        frame.callees[call.position] = inner
        self._entered.append((frame, call.position))
        bound = [_Bound(a, frame, r, inner) for a, r in zip(call.arguments, body.returned, strict=True)]
        return [*((each, frame) for each in bound), *((goal, inner) for goal in body.goals)]

    def _invent(self) -> bool:
        """A value for a variable of the first goal that waits for one."""
        goal, frame = self._pending[0]
        found = _unknown_in(goal, frame)
        if found is None:
            return False
        owner, place = found
        variable = owner.body.path.clause.variables[place]
        values = self._policy.values((owner.body, place), terms.is_boolean(variable))

        def assign(k: int) -> list[_Pending]:
            self._assign(owner, place, values[k])
            return []

        return self._choose((owner.body, place), 0, list(range(len(values))), assign)

    def _choose(
        self, key: object, count: int, possible: Sequence[int], apply: Callable[[int], list[_Pending] | None]
    ) -> bool:
        order = [k for k in self._policy.order(key, count) if k in possible] if count else list(possible)
        decision = _Decision(key, order, apply, list(self._pending), *self._marks())
        self._decisions.append(decision)
        return self._next(decision)

    def _marks(self) -> tuple[int, int, int]:
        return len(self._trail), len(self._entered), len(self._passed)

    def _next(self, decision: _Decision) -> bool:
        if not decision.choices:
            return False
        decision.taken = decision.choices.pop(0)
        self._pending = list(decision.pending)
        self._pending = [*(decision.apply(decision.taken) or []), *self._pending]
        return True

    def _take_back(self) -> bool:
        """Back to the last decision that has another choice."""
        while self._decisions:
            decision = self._decisions[-1]
            while len(self._trail) > decision.trail:
                frame, place = self._trail.pop()
                frame.values[place] = None
            while len(self._entered) > decision.entered:
                frame, position = self._entered.pop()
                del frame.callees[position]
            del self._passed[decision.passed :]
            if self._next(decision):
                return True
            self._decisions.pop()
        return False


def _is_known(term: Calculation, frame: Frame) -> bool:
    values = frame.values
    for place in term.places:  # noqa: SIM110 (this is where the time goes)
        if values[place] is None:
            return False
    return True


def _tested(condition: Calculation, frame: Frame) -> int:
    if not _is_known(condition, frame):
        return _WAITING
    try:
        return _DONE if condition.run(frame.values) else _FAILED
    except ZeroDivisionError:
        return _FAILED


def _is_possible(case: Sequence[Goal], frame: Frame) -> bool:
    """Does no literal of the case contradict the values that there are?"""
    values = frame.values
    for goal in case:
        if isinstance(goal, Test):
            if _tested(goal.condition, frame) == _FAILED:
                return False
        elif isinstance(goal, Equation) and _is_known(goal.left, frame) and _is_known(goal.right, frame):
            try:
                if goal.left.run(values) != goal.right.run(values):
                    return False
            except ZeroDivisionError:
                return False
    return True


def _unknown_in(goal: Goal | _Bound, frame: Frame) -> tuple[Frame, int] | None:
    terms_of: list[tuple[Calculation, Frame]] = []
    if isinstance(goal, Test):
        terms_of = [(goal.condition, frame)]
    elif isinstance(goal, Equation):
        terms_of = [(goal.left, frame), (goal.right, frame)]
    elif isinstance(goal, _Bound):
        terms_of = [(goal.left, goal.outer), (goal.right, goal.inner)]
    for term, owner in terms_of:
        for place in term.places:
            if owner.values[place] is None:
                return owner, place
    return None


def _execution(top: Frame) -> Execution:
    """Frames as executions, callees first; variables that nothing depends on are 0."""
    done: dict[int, Execution] = {}
    stack: list[tuple[Frame, bool]] = [(top, False)]
    while stack:
        frame, entered = stack.pop()
        if not entered:
            stack.append((frame, True))
            stack.extend((callee, False) for callee in frame.callees.values() if isinstance(callee, Frame))
            continue
        callees = [frame.callees[k] for k in range(len(frame.body.path.calls))]
        own = tuple(done[id(callee)] if isinstance(callee, Frame) else callee for callee in callees)
        variables = frame.body.path.clause.variables
        values = {v: _value(v, number) for v, number in zip(variables, frame.values, strict=True)}
        done[id(frame)] = Execution(frame.body.path.clause, values, own)
    return done[id(top)]


def _value(variable: Term, number: int | None) -> Term:
    if terms.is_boolean(variable):
        return terms.TRUE if number else terms.FALSE
    return terms.integer(number or 0)
