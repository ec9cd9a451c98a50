"""More executions, for guesses to be judged by: each is a step from known ones, and new ways through a step come first.

Control programs are explored by walks that go on in the same way as long as they can, since counters must run before
something else happens. Functions with several recursive calls get executions from all that is known of their callees.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from sorrel.budget import Clock
from sorrel.engines.whale.conditions import InterproceduralCondition
from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Function, Path, Procedures
from sorrel.engines.whale.graph import InterproceduralGraph
from sorrel.engines.whale.walks import Step, Way
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle

MOST_EXECUTIONS = 400
MOST_COMPOSED = 60
LONGEST_WALK = 80
STUBBORN = 0.85
"""How often a walk goes on in the same way, if that is possible."""
CURIOUS = 0.1
"""How often a walk tries something that never happened."""
FEW_VALUES = 4
COMPOSE_SECONDS = 1.0


class Exploration:
    """Deterministic: chance starts from the same seed each time."""

    def __init__(
        self, graph: InterproceduralGraph, procedures: Procedures, executions: Executions, oracle: Oracle
    ) -> None:
        self._graph = graph
        self._functions = [f for f in procedures.functions.values() if not f.is_transparent]
        self._executions = executions
        self._oracle = oracle
        self._chance = random.Random(0)
        self._steps: dict[str, list[Step]] = {}
        self._seen: dict[str, list[Way]] = {}

    def run(self, clock: Clock) -> None:
        """Until there are enough executions, nothing new is found, or time is up."""
        for position, function in enumerate(self._functions):
            own = clock.share(1 / (len(self._functions) - position))
            repeated = [step for step in self._steps_of(function) if step.repeats(function)]
            if repeated:
                self._walk(function, repeated, own)
        self._compose(clock)

    def _steps_of(self, function: Function) -> list[Step]:
        if function.name not in self._steps:
            self._steps[function.name] = [Step(path, self._graph, self._oracle) for path in function.paths]
        return self._steps[function.name]

    # Walks

    def _walk(self, function: Function, repeated: Sequence[Step], clock: Clock) -> None:
        self._begin(function)
        failures = 0
        while not clock.expired() and failures < 2 and len(self._executions.of(function.name)) < MOST_EXECUTIONS:
            known = self._executions.of(function.name)
            if not known:
                return
            before = len(known)
            self._walk_from(self._chance.choice(known), self._chance.choice(repeated), clock)
            failures = failures + 1 if len(self._executions.of(function.name)) == before else 0

    def _begin(self, function: Function) -> None:
        """At least the executions without recursion."""
        for step in self._steps_of(function):
            if step.is_closed and not self._executions.of(function.name):
                first = step.first()
                if first is not None:
                    self._executions.add(first)

    def _walk_from(self, last: Execution, step: Step, clock: Clock) -> None:
        way: Way | None = None
        for _ in range(LONGEST_WALK):
            if clock.expired():
                return
            made = self._next(step, last, way)
            if made is None:
                return
            last, way = made
            self._executions.add(last)

    def _next(self, step: Step, last: Execution, way: Way | None) -> tuple[Execution, Way] | None:
        seen = self._seen.setdefault(step.name, [])
        if self._chance.random() < CURIOUS:
            new = step.taken(last, [self._novel(step)])
            if new is not None:
                return new
        if way is not None and self._chance.random() < STUBBORN:
            again = step.taken(last, list(way))
            if again is not None:
                return again
        fresh = step.taken(last, [terms.negation(terms.conjunction(other)) for other in seen])
        if fresh is not None:
            seen.append(fresh[1])
            return fresh
        for other in self._chance.sample(seen, min(3, len(seen))):
            found = step.taken(last, list(other))
            if found is not None:
                return found
        return step.taken(last, [])

    def _novel(self, step: Step) -> Term:
        """Some argument gets a value that it never had; those that had many do not count."""
        found = []
        known = self._executions.of(step.function)
        for position, argument in enumerate(step.returned):
            values = {execution.arguments[position] for execution in known[-MOST_EXECUTIONS:]}
            if len(values) <= FEW_VALUES:
                found.append(terms.conjunction(terms.distinct(argument, value) for value in values))
        return terms.disjunction(found)

    # Several calls

    def _compose(self, clock: Clock) -> None:
        """Executions of all paths from those of their calls, level by level."""
        found = True
        while found and not clock.expired():
            found = False
            for function in self._functions:
                for path in function.paths:
                    if len(self._executions.of(function.name)) < MOST_COMPOSED and not clock.expired():
                        found = self._composed(function, path) or found

    def _composed(self, function: Function, path: Path) -> bool:
        """One more execution of the path, with arguments that are new."""
        if path.clause.head is None:
            return False
        other = [_differs(path, execution.arguments) for execution in self._executions.of(function.name)]
        callees = self._graph.complete_or_empty(path)
        condition = InterproceduralCondition(
            [path.constraint, *other], path, callees, range(len(callees)), self._executions, known_only=True
        )
        made = condition.check(self._oracle, COMPOSE_SECONDS)
        if not isinstance(made, Execution):
            return False
        self._executions.add(made)
        return True


def _differs(path: Path, values: Sequence[Term]) -> Term:
    head = path.clause.head
    arguments = head.arguments if head else ()
    return terms.disjunction(terms.distinct(a, value) for a, value in zip(arguments, values, strict=True))
