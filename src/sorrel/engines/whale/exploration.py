"""More executions, for guesses to be judged by, and perhaps a violation.

Functions with one recursive call are walked through, on numbers alone where that is possible (`long_walks.py`) and
otherwise goal by goal (`loop_walks.py`); those with several get executions from all that is known of their callees.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.engines.whale.conditions import InterproceduralCondition
from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Function, Path, Procedures
from sorrel.engines.whale.graph import InterproceduralGraph
from sorrel.engines.whale.long_walks import LongWalks
from sorrel.engines.whale.loop_walks import LoopWalk
from sorrel.engines.whale.plan import PLAN
from sorrel.engines.whale.walks import Walks
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.smt.solver import Oracle

MOST_COMPOSED = 60
FEW_STATES = 50
"""With fewer of them a function is walked through goal by goal as well."""


class Exploration:
    """Deterministic: chance starts from the same seed each time."""

    def __init__(
        self, graph: InterproceduralGraph, procedures: Procedures, executions: Executions, oracle: Oracle
    ) -> None:
        self._graph = graph
        self._functions = [f for f in procedures.functions.values() if not f.is_transparent]
        self._executions = executions
        self._oracle = oracle
        self._procedures = procedures

    def walk(self, clock: Clock) -> Execution | None:
        """Until there are enough executions, nothing new is found, or time is up; one of the main function, if met."""
        walks = LongWalks(self._procedures)
        violation = walks.run(clock)
        if violation is not None:
            return violation
        slow: list[Function] = []
        for function in self._functions:
            states = walks.states(function.name)
            self._executions.note(function.name, states)
            if len(states) < FEW_STATES:
                slow.append(function)
        return self._slowly(slow, clock)

    def _slowly(self, functions: Sequence[Function], clock: Clock) -> Execution | None:
        """Goal by goal, then by a solver."""
        if not functions:
            return None
        walk = LoopWalk(self._procedures, self._executions)
        for function in functions:
            violation = walk.through(function, clock)
            if violation is not None:
                return violation
        Walks(self._graph, self._procedures, self._oracle).run(self._executions, clock)
        return None

    # Several calls

    def compose(self, clock: Clock) -> None:
        """Executions of all paths from those of their calls, level by level."""
        found = True
        while found and not clock.expired():
            found = False
            for function in self._functions:
                for path in function.paths:
                    if len(self._executions.points(function.name)) < MOST_COMPOSED and not clock.expired():
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
        made = condition.check(self._oracle, PLAN.compose)
        if not isinstance(made, Execution):
            return False
        self._executions.add(made)
        return True


def _differs(path: Path, values: Sequence[Term]) -> Term:
    head = path.clause.head
    arguments = head.arguments if head else ()
    return terms.disjunction(terms.distinct(a, value) for a, value in zip(arguments, values, strict=True))
