"""Executions found by walking: initial under-approximations that are deep where deciding things again and again is not.

A walk repeats one recursive path, each time from the last execution, and with the same choices as far as that is
possible. Loops of control programs reach in this way what no short unwinding shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from sorrel.engines.whale.conditions import Passage, Unrolling, execution_at, taken_in
from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Function, Path, Procedures
from sorrel.engines.whale.graph import InterproceduralGraph
from sorrel.engines.whale.plan import PLAN
from sorrel.horn.clause import Role
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, value_in
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.errors import InternalError
from sorrel.smt.solver import Oracle, Sat

MOST_STEPS, MOST_CHOICES = 50, 8


Way: TypeAlias = tuple[Term, ...]
"""Control variables of all paths that a step takes through functions that it looks through."""


class Walks:
    def __init__(self, graph: InterproceduralGraph, procedures: Procedures, oracle: Oracle) -> None:
        self._graph = graph
        self._functions = [f for f in procedures.functions.values() if not f.is_transparent]
        self._oracle = oracle

    def run(self, executions: Executions, clock: Clock) -> None:
        """Walk through each function that one of its paths repeats, until time is up."""
        for function in self._functions:
            for execution in self._from_the_start(function, clock):
                executions.add(execution)

    def _from_the_start(self, function: Function, clock: Clock) -> Iterator[Execution]:
        steps = [Step(path, self._graph, self._oracle) for path in function.paths]
        repeated = [step for step in steps if step.repeats(function)]
        if not repeated:
            return
        starts = [step.first() for step in steps if step.is_closed]
        fresh = [start for start in starts if start is not None]
        yield from fresh
        for _ in range(2):
            # Again from where one choice leads: some things happen only after something else has happened once.
            seconds: list[Execution] = []
            for start in fresh:
                for step in repeated:
                    for made in step.walks(start, clock):
                        seconds += made[:1]
                        yield from made
            fresh = seconds


class Step:
    """A path with transparent calls looked through and at most one other call, in a solver."""

    def __init__(self, path: Path, graph: InterproceduralGraph, oracle: Oracle) -> None:
        self._path = path
        through = graph.transparent_args(path)
        self._open = [k for k in range(len(path.calls)) if k not in through]
        unrolling = Unrolling(None, with_labels=False)
        self._ways = {k: unrolling.enter(arg, path.calls[k].arguments) for k, arg in through.items()}
        self._session = oracle.session("whale.walk")
        self._session.add(path.constraint, *unrolling.parts)
        self._choices = _choices(path, self._open)

    @property
    def name(self) -> str:
        return self._path.name

    @property
    def function(self) -> str:
        """The function that the path is one of."""
        return self._path.clause.head.predicate.name if self._path.clause.head else ""

    @property
    def returned(self) -> tuple[Term, ...]:
        return self._path.clause.head.arguments if self._path.clause.head else ()

    @property
    def is_closed(self) -> bool:
        return not self._open

    def repeats(self, function: Function) -> bool:
        return [self._path.calls[k].predicate.name for k in self._open] == [function.name]

    def first(self) -> Execution | None:
        match self._session.check(seconds=PLAN.step):
            case Sat(model):
                return self._execution(model, None)
        return None

    def walks(self, start: Execution, clock: Clock) -> Iterator[list[Execution]]:
        """Walks from an execution of the function that this path repeats, each beginning with another way through."""
        excluded: list[Term] = []
        for _ in range(MOST_CHOICES):
            if clock.expired():
                return
            model = self._model(start, excluded)
            if model is None:
                return
            excluded.append(terms.negation(terms.conjunction(self._controls(model))))
            pinned = [terms.equal(choice, value_in(model, choice)) for choice in self._choices]
            made = [self._execution(model, start)]
            while len(made) < MOST_STEPS and not clock.expired():
                model = self._model(made[-1], pinned)
                if model is None:
                    break
                made.append(self._execution(model, made[-1]))
                if _same(made[-1], made[-2]):
                    break
            yield made

    def taken(self, last: Execution, more: list[Term]) -> tuple[Execution, Way] | None:
        """A step from an execution, under conditions on the way that it takes, and that way."""
        model = self._model(last, more)
        return None if model is None else (self._execution(model, last), self._way(model))

    def _way(self, model: Model) -> Way:
        found: list[Term] = []
        stack = [taken_in(ways, model) for ways in self._ways.values()]
        while stack:
            passage = stack.pop()
            found.append(passage.control)
            stack.extend(taken_in(ways, model) for ways in passage.calls)
        return tuple(found)

    def _model(self, last: Execution, more: list[Term]) -> Model | None:
        (k,) = self._open
        call = self._path.calls[k]
        self._session.push()
        equations = [terms.equal(a, value) for a, value in zip(call.arguments, last.arguments, strict=True)]
        self._session.add(*equations, *more)
        answer = self._session.check(seconds=PLAN.step)
        self._session.pop()
        return answer.model if isinstance(answer, Sat) else None

    def _controls(self, model: Model) -> list[Term]:
        """Which ways are taken through the calls of the path."""
        return [taken_in(ways, model).control for ways in self._ways.values()]

    def _execution(self, model: Model, last: Execution | None) -> Execution:
        calls = []
        for k in range(len(self._path.calls)):
            if k in self._ways:
                calls.append(self._ways[k])
            elif last is not None:
                calls.append([Passage(terms.TRUE, None, last)])
            else:
                raise InternalError("a step without an execution to start from")
        identity = [(v, v) for v in self._path.clause.variables]
        return execution_at(Passage(terms.TRUE, self._path, renaming=identity, calls=calls), model)


def _choices(path: Path, open_calls: list[int]) -> list[Term]:
    """Variables that no call returns and no equation defines: what the environment decides."""
    returned: set[int] = set()
    for k, call in enumerate(path.calls):
        for argument, term in zip(call.predicate.arguments, call.arguments, strict=True):
            if k in open_calls or argument.role is not Role.INPUT:
                returned.update(v.get_id() for v in walk.free_variables(term))
    equations = [part for part in terms.conjuncts(path.constraint) if terms.is_equation(part)]
    defined = {side.get_id() for equation in equations for side in terms.children(equation) if terms.is_variable(side)}
    return [v for v in path.clause.variables if v.get_id() not in returned | defined]


def _same(left: Execution, right: Execution) -> bool:
    return all(terms.same(a, b) for a, b in zip(left.arguments, right.arguments, strict=True))
