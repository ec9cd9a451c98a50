"""Large blocks: the paths of a flow graph from one cut to the next, as terms, merged where they meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.encode.execution import Execution
from sorrel.encode.expressions import Evaluation
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.region import Region
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.encode.state import State, merge
from sorrel.encode.trace import Trace
from sorrel.logic import walk
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Expression, Variable
from sorrel.program.interleaving import RETURNED, STOPPED
from sorrel.program.program import Procedure
from sorrel.program.statement import Call

RETURN, STOP, ERROR = "return", "stop", "error"
"""Places that no label names: the graph was left, the whole run ended, an assertion failed."""


def place_of(label: str) -> str:
    """The place that an interleaving calls by a label, or by how its thread ended."""
    return {RETURNED: RETURN, STOPPED: STOP}.get(label, label)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """From `source` to `target`: if `conditions` hold of the variables in `start`, they get `values`.

    `facts` are what the types of the variables say. Other variables in the terms were chosen on the way.
    """

    source: str
    target: str
    conditions: tuple[Term, ...]
    facts: tuple[Term, ...]
    start: Mapping[str, Term]
    values: Mapping[str, Term]
    trace: Trace | None
    abstractions: tuple[str, ...]
    span: Span


class Explorer(Execution):
    """Steps of one graph over `variables`: its own and the globals."""

    def __init__(
        self, semantics: Semantics, procedure: Procedure, cuts: frozenset[str], variables: Sequence[Variable]
    ) -> None:
        super().__init__(semantics, procedure)
        self._cuts = cuts
        self._variables = variables

    def run(self) -> list[Step]:
        return [step for label in self._order if label in self._cuts for step in self.steps_from(label)]

    def steps_from(self, source: str, among: Sequence[Variable] | None = None) -> list[Step]:
        """The steps that start at the place; `among` are the variables that they read and write, if they are known."""
        variables = self._variables if among is None else among
        self._region = Region(self._semantics, FUNCTION_NAMES)
        self._start = {each.name: self._region.variable(each.name, each.type) for each in variables}
        state = State(dict(self._start), Knowledge())
        for each in variables:
            scope = Scope(self._region.names, state.knowledge)
            self._semantics.know_type(scope, self._start[each.name], each.type)
        self._ends: dict[str, list[tuple[State, Span]]] = {}
        self._follow(source, state)
        return [step for target in self._ends for step in self._finished(source, target)]

    def _finished(self, source: str, target: str) -> list[Step]:
        found = []
        ends = self._ends[target]
        for state in merge([state for state, _ in ends], list(self._start)):
            if not state.is_possible:
                continue
            conditions = tuple(state.path.values())
            mentioned = walk.free_variables(*conditions, *state.values.values())
            facts = tuple(self._region.facts(mentioned))
            found.append(
                Step(
                    source,
                    target,
                    conditions,
                    facts,
                    self._start,
                    state.values,
                    state.trace,
                    state.abstractions,
                    ends[0][1],
                )
            )
        return found

    def _end(self, target: str, state: State, span: Span) -> None:
        if state.is_possible:
            self._ends.setdefault(target, []).append((state, span))

    def _ends_at(self, target: str) -> bool:
        return target in self._cuts

    def _arrive(self, label: str, states: list[State], span: Span) -> None:
        if label in self._cuts:
            for state in states:
                self._end(label, state, span)
            return
        for merged in merge(states, list(self._start)):
            self._block(label, merged)

    def _return(self, state: State, span: Span) -> None:
        self._end(RETURN, state, span)

    def _stop(self, state: State, span: Span) -> None:
        self._end(STOP, state, span)

    def _fail(self, state: State, span: Span) -> None:
        self._end(ERROR, state, span)

    def _call(self, state: State, call: Call) -> None:
        state.is_possible = False  # a step of its own, that whoever knows about calls describes


def initial_values(
    semantics: Semantics, globals: Sequence[Variable], initial: Mapping[str, Expression], names: Names
) -> tuple[dict[str, Term], list[Term]]:
    """Of each global that has one, and what their evaluation takes for granted."""
    values: dict[str, Term] = {}
    assumed: list[Term] = []
    for each in globals:
        expression = initial.get(each.name)
        if expression is None:
            values[each.name] = names.variable(each.name, semantics.sort(each.type))
            assumed += semantics.type_facts(values[each.name], each.type)
        else:
            scope = Scope(names, Knowledge())
            values[each.name] = Evaluation(semantics, values, scope).run(expression)
            assumed += scope.assumptions
            if scope.applications:
                raise InternalError(f"the initial value of {each.name} is not known")
    return values, assumed
