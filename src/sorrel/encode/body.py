"""The clauses of one procedure: paths between cut points, executed symbolically and merged where they meet."""

from __future__ import annotations

from collections.abc import Container, Mapping, Set
from dataclasses import replace
from functools import cached_property

from sorrel.encode.clauses import Clauses
from sorrel.encode.execution import Execution
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.modified import modified
from sorrel.encode.points import Meaning, Moment, Place, Point, predicate_for
from sorrel.encode.region import Region, writable
from sorrel.encode.relevance import Relevance, may_have_no_value
from sorrel.encode.scope import Scope
from sorrel.encode.state import State, merge
from sorrel.encode.survey import Survey
from sorrel.encode.trace import Called
from sorrel.horn.clause import Atom
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import NOWHERE, InternalError, Span
from sorrel.program.expression import Variable
from sorrel.program.graph import loop_heads
from sorrel.program.liveness import open_starts
from sorrel.program.loops import Loop, known_loops
from sorrel.program.program import Procedure
from sorrel.program.statement import Call
from sorrel.program.traversal import steps
from sorrel.program.types import Type
from sorrel.program.value import ArrayValue, Value

MOST_STATES = 8
"""More sequences of calls than this do not pass a join together: it becomes a cut point."""


class Body(Execution):
    """Encodes a procedure: as a summary from its entry to its return if it has a point, else as the start of runs."""

    def __init__(self, survey: Survey, procedure: Procedure, point: Point | None, clauses: Clauses) -> None:
        super().__init__(survey.semantics, procedure)
        self._survey = survey
        self._point = point
        self._clauses = clauses
        relevances = survey.relevances
        self._relevance: Relevance = relevances.called[procedure.name] if point else relevances.main
        self._loops = _loops(procedure)
        self._modified = modified(procedure, survey.effects)
        known = survey.frozen_values if point else survey.initial_values
        self._constants = survey.constants(procedure, known)
        self._headers = loop_heads(procedure)
        self._cuts: dict[str, Point] = {}
        self._waiting: list[str] = []

    # Globals are many, and most procedures speak of few: these are for procedures with places inside.

    @cached_property
    def _variables(self) -> tuple[Variable, ...]:
        return self._survey.variables(self._procedure)

    @cached_property
    def _types(self) -> Mapping[str, Type]:
        return {variable.name: variable.type for variable in self._variables}

    @cached_property
    def _globals(self) -> Set[str]:
        return {variable.name for variable in self._survey.program.globals}

    def run(self) -> None:
        self._explore(self._procedure.entry, None)
        while self._waiting:
            label = self._waiting.pop(0)
            self._explore(label, self._cuts[label])

    # Cut points

    def _cut(self, label: str) -> Point:
        """The point of a place that paths end at, made when the first one does."""
        if label not in self._cuts:
            self._cuts[label] = self._new_point(label)
            self._clauses.points[self._cuts[label].predicate.name] = self._cuts[label]
            self._waiting.append(label)
        return self._cuts[label]

    def _new_point(self, label: str) -> Point:
        loop = self._loops.get(label)
        span = loop.span if loop else _first_span(self._procedure, label)
        changed = self._modified[label]
        inputs = [m for m in self._point.meanings if m.moment is Moment.ENTRY] if self._point else []
        given = {m.variable.name for m in inputs if m.variable}
        now = [v for v in self._variables if self._needs_place(v, label, given)]
        meanings = [
            *(replace(m, unchanged=m.variable is not None and m.variable.name not in changed) for m in inputs),
            *(Meaning(Moment.NOW, v, is_global=v.name in self._globals) for v in now),
        ]
        place = Place.LOOP if label in self._headers else Place.JOIN
        where = f"{place}{span.line}" if span.line else label
        name = self._clauses.point_name(writable(f"{self._procedure.name}@{where}"))
        predicate = predicate_for(name, meanings, self._semantics, self._procedure, self._survey.copies)
        return Point(predicate, place, self._procedure.name, label, span, tuple(meanings))

    def _needs_place(self, variable: Variable, label: str, inputs: set[str]) -> bool:
        """Whether the value at the label is not one that is known anyway."""
        name = variable.name
        if name not in self._relevance.at[label] or name in self._survey.frozen or name in self._constants[label]:
            return False
        return name not in inputs or name in self._modified[label]

    # Where paths start

    def _explore(self, label: str, cut: Point | None) -> None:
        """All paths from a place to the next cut points, returns and failures."""
        self._region = Region(self._semantics, self._survey.reserved)
        self._from_cut = cut is not None
        start = State(dict(self._survey.frozen), Knowledge())
        if cut:
            self._start_at_cut(start, cut)
        else:
            self._start_at_entry(start)
        if cut is None and label in self._headers:
            self._arrive(label, [start], NOWHERE)
            return
        self._follow(label, start)

    def _idle(self, label: str) -> Container[int]:
        return self._relevance.idle[label]

    def _scope(self, state: State) -> Scope:
        region = self._region
        return Scope(
            region.names,
            state.knowledge,
            divisions=region.divisions,
            earlier=state.applications,
            results=region.results,
        )

    def _arrive(self, label: str, states: list[State], span: Span) -> None:
        """Paths that end at a cut point become clauses, others go on together."""
        merged = merge(states, sorted(self._relevance.at[label]))
        if label in self._headers or label in self._cuts or len(merged) > MOST_STATES:
            cut = self._cut(label)
            for state in merged:
                head = Atom(cut.predicate, tuple(self._value_at_cut(state, m) for m in cut.meanings))
                self._add(head, state, cut.span)
            return
        for state in merged:
            self._block(label, state)

    def _value_at_cut(self, state: State, meaning: Meaning) -> Term:
        if meaning.variable is None:
            raise InternalError("a cut point has no place for success")
        name = meaning.variable.name
        return self._inputs[name] if meaning.moment is Moment.ENTRY else state.values[name]

    def _start_at_cut(self, state: State, cut: Point) -> None:
        arguments: list[Term] = []
        self._inputs = {}
        for name, value in self._constants[cut.label].items():
            state.values[name] = self._constant(name, value)
        for meaning, formal in zip(cut.meanings, cut.predicate.arguments, strict=True):
            if meaning.variable is None:
                raise InternalError("a cut point has no place for success")
            term = self._fresh(state, formal.name, meaning.variable.type)
            arguments.append(term)
            if meaning.moment is Moment.ENTRY:
                self._inputs[meaning.variable.name] = term
            if meaning.moment is Moment.NOW or meaning.unchanged:
                state.values[meaning.variable.name] = term
        state.calls = (Atom(cut.predicate, tuple(arguments)),)

    def _start_at_entry(self, state: State) -> None:
        self._inputs = {}
        if self._point:
            for meaning in self._point.meanings:
                if meaning.moment is Moment.ENTRY and meaning.variable:
                    term = self._fresh(state, meaning.variable.name, meaning.variable.type)
                    self._inputs[meaning.variable.name] = state.values[meaning.variable.name] = term
        else:
            self._start_of_run(state)
        for variable in open_starts(self._procedure):
            self._choose(state, variable)

    def _start_of_run(self, state: State) -> None:
        """Globals get their initial values, parameters of the main procedure any."""
        for variable in self._survey.program.globals:
            initial = self._survey.program.initial.get(variable.name)
            if initial is None:
                self._choose(state, variable)
            elif variable.name not in state.values:
                state.values[variable.name] = self._evaluate(state, initial)
        for variable in self._procedure.parameters:
            self._choose(state, variable)

    def _constant(self, name: str, value: Value) -> Term:
        if isinstance(value, ArrayValue | float):
            raise InternalError(f"{name} has no value that a constant has")
        return self._semantics.constant(value, self._types[name])

    # Where paths end

    def _return(self, state: State, span: Span) -> None:
        if self._point:
            returned = tuple(self._returned(state, meaning) for meaning in self._point.meanings)
            self._add(Atom(self._point.predicate, returned), state, span)

    def _stop(self, state: State, span: Span) -> None:
        """Nothing is said of runs that end so."""

    def _returned(self, state: State, meaning: Meaning) -> Term:
        if meaning.variable is None:
            return terms.TRUE
        name = meaning.variable.name
        return self._inputs[name] if meaning.moment is Moment.ENTRY else state.values[name]

    def _fail(self, state: State, span: Span) -> None:
        """A run ends with a failure: at once if it started here, else the caller hears of it.

        What a procedure returns in that case is left open, so that nobody can rely on it.
        """
        if not self._point:
            self._add(None, state, span)
            return
        arguments: list[Term] = []
        for meaning, argument in zip(self._point.meanings, self._point.predicate.arguments, strict=True):
            if meaning.variable is None:
                arguments.append(terms.FALSE)
            elif meaning.moment is Moment.ENTRY:
                arguments.append(self._inputs[meaning.variable.name])
            else:
                arguments.append(self._region.names.variable(argument.name, argument.sort))
        self._add(Atom(self._point.predicate, tuple(arguments)), state, span)

    def _add(self, head: Atom | None, state: State, span: Span) -> None:
        self._clauses.add(self._procedure.name, head, state, self._region, span, self._from_cut)

    def _call(self, state: State, call: Call) -> None:
        if call.procedure in self._survey.keeping:
            given = tuple(self._evaluate(state, argument) for argument in call.arguments)
            self._add(Atom(self._survey.keeping[call.procedure], given), state, call.span)
            return
        if call.procedure in self._survey.recalling:
            self._recall(state, call)
            return
        callee = self._survey.functions[call.procedure]
        procedure = self._survey.program.procedure[call.procedure]
        values = self._arguments(state, call, callee)
        targets = {v.name: target for v, target in zip(procedure.outputs, call.results, strict=True) if target}
        arguments: list[Term] = []
        results: dict[str, Term] = {}
        for meaning in callee.meanings:
            variable = meaning.variable
            if variable is None:
                arguments.append(terms.TRUE)
            elif meaning.moment is Moment.ENTRY:
                arguments.append(state.values[variable.name] if meaning.is_global else values[variable.name])
            else:
                target = variable if meaning.is_global else targets.get(variable.name)
                made = self._fresh(state, target.name if target else variable.name, variable.type)
                arguments.append(made)
                if target:
                    results[target.name] = made
        if self._survey.effects[call.procedure].may_fail:
            failing = state.fork()
            self._enter(failing, Atom(callee.predicate, (*arguments[:-1], terms.FALSE)))
            self._fail(failing, call.span)
        self._enter(state, Atom(callee.predicate, tuple(arguments)))
        state.values.update(results)

    def _recall(self, state: State, call: Call) -> None:
        """Any of the tuples that were kept with these keys."""
        arguments = [self._evaluate(state, argument) for argument in call.arguments]
        for variable, target in zip(self._survey.program.procedure[call.procedure].outputs, call.results, strict=True):
            made = self._fresh(state, variable.name, variable.type)
            arguments.append(made)
            if target is not None:
                state.values[target.name] = made
        state.calls = (*state.calls, Atom(self._survey.recalling[call.procedure], tuple(arguments)))

    def _arguments(self, state: State, call: Call, callee: Point) -> Mapping[str, Term]:
        """The values of the parameters that matter to the callee; others are only evaluated if they may have none."""
        needed = {m.variable.name for m in callee.meanings if m.moment is Moment.ENTRY and m.variable}
        values: dict[str, Term] = {}
        parameters = self._survey.program.procedure[call.procedure].parameters
        for parameter, argument in zip(parameters, call.arguments, strict=True):
            if parameter.name in needed or (self._survey.partial_matters and may_have_no_value(argument)):
                values[parameter.name] = self._evaluate(state, argument)
        return values

    def _enter(self, state: State, atom: Atom) -> None:
        state.trace = Called(state.trace, len(state.calls))
        state.calls = (*state.calls, atom)


def _loops(procedure: Procedure) -> Mapping[str, Loop]:
    """Loops by header, for their spans. A procedure that jumps into loops is encoded all the same: see `loop_heads`."""
    return {loop.header: loop for loop in known_loops(procedure)}


def _first_span(procedure: Procedure, label: str) -> Span:
    spans = (step.span for step in steps(procedure.block[label]))
    return next((span for span in spans if span.line), NOWHERE)
