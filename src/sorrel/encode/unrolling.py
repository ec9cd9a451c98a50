"""All runs of a program at once: loops are written out round by round and calls are followed, paths meet again.

What comes of it is a formula without loops (Clarke, Kroening and Lerda, TACAS 2004): in which runs an assertion fails,
and in which runs something was left out. A program none of whose runs is among them is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cache
from heapq import heappop, heappush

from sorrel.encode.execution import Execution
from sorrel.encode.expressions import Evaluation
from sorrel.encode.region import Region
from sorrel.encode.scope import Scope
from sorrel.encode.state import State, merge
from sorrel.encode.trace import Applied, Chosen, Trace
from sorrel.encode.trace_reading import Functions, Reading
from sorrel.encode.word_knowledge import WordKnowledge
from sorrel.encode.words import Words
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import NOWHERE, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Expression
from sorrel.program.liveness import live_variables, open_starts
from sorrel.program.nesting import Nesting, Rounds, nesting
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Call, Statement
from sorrel.program.value import Value

DEEPEST = 60
"""Calls within calls that are followed."""
LONGEST_PATH = 6
"""Conditions of a path before they get a name."""


class OutOfTime(Exception):
    """Runs are left that nobody has followed."""


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """Runs that come to one place: the condition under which a run is one of them, and what it chose."""

    guard: Term
    trace: Trace | None
    span: Span


@dataclass(slots=True, eq=False)
class Unrolled:
    """The runs of a program. All conditions mean what they say where all `definitions` hold.

    `failed` are runs in which an assertion fails. `left_out` are runs that were not followed to their ends, or whose
    numbers are too large: where there is one of these, nothing is known.
    """

    definitions: list[Term] = field(default_factory=list)
    failed: list[Ending] = field(default_factory=list)
    left_out: list[Ending] = field(default_factory=list)
    steps: int = 0


Possible = Callable[[Term], bool]
"""Whether a run may exist that satisfies the condition, as far as the definitions so far tell."""
Continue = Callable[[], bool]
"""Whether there is time to go on."""


def unrolled(program: Program, semantics: Words, into: Unrolled, possible: Possible, going_on: Continue) -> bool:
    """Follow all runs; whether there was time for it.

    Those of which `possible` says that there are none are not followed any further, and noted as left out.
    """
    activation = _Activation(_Runs(program, semantics, into, possible, going_on), program.procedure[program.main], 0)
    state = State({}, WordKnowledge())
    try:
        activation.start(state)
        activation.run(state)
    except OutOfTime:
        return False
    return True


class _Runs:
    """What all activations share."""

    def __init__(
        self, program: Program, semantics: Words, into: Unrolled, possible: Possible, going_on: Continue
    ) -> None:
        self.program = program
        self.semantics = semantics
        self.region = Region(semantics, frozenset())
        self.into = into
        self.possible = possible
        self.globals = tuple(variable.name for variable in program.globals)
        self._going_on = going_on
        self.nesting: Callable[[str], Nesting] = cache(lambda name: nesting(program.procedure[name]))
        self.live: Callable[[str], Mapping[str, tuple[str, ...]]] = cache(self._live)

    def _live(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """What may still be read from each block on; of globals, all."""
        found = live_variables(self.program.procedure[name])
        own = set(self.globals)
        return {label: tuple(sorted({*(v.name for v in variables), *own})) for label, variables in found.items()}

    def step(self) -> None:
        self.into.steps += 1
        if not self.into.steps % 64 and not self._going_on():
            raise OutOfTime

    def fail(self, state: State, span: Span) -> None:
        self.into.failed.append(Ending(_guard(state), state.trace, span))

    def leave_out(self, state: State, span: Span) -> None:
        self.into.left_out.append(Ending(_guard(state), state.trace, span))

    def name_path(self, state: State) -> None:
        """One truth value in place of the conditions that a path has met."""
        guard = _guard(state)
        if terms.is_variable(guard) or terms.is_true(guard):
            return
        named = self.region.names.variable("path", terms.BOOL)
        self.into.definitions.append(terms.equal(named, guard))
        state.path = {terms.identity(named): named}


def _guard(state: State) -> Term:
    return terms.conjunction(state.path.values())


class _Activation(Execution):
    """One call of a procedure; a block is a place once for each combination of rounds of the loops around it."""

    def __init__(self, runs: _Runs, procedure: Procedure, depth: int) -> None:
        super().__init__(runs.semantics, procedure)
        self._runs = runs
        self._region = runs.region
        self._depth = depth
        self._nesting = runs.nesting(procedure.name)
        self._live = runs.live(procedure.name)
        self._here: tuple[str, Rounds] = (procedure.entry, ())
        self._places: dict[tuple[str, Rounds], list[State]] = {}
        self._ahead: list[tuple[tuple[int, ...], str, Rounds]] = []
        self._returned: list[State] = []
        self._last: dict[tuple[str, Rounds], Term] = {}

    def start(self, state: State) -> None:
        """Globals get their initial values, parameters of the main procedure any."""
        for variable in self._runs.program.globals:
            initial = self._runs.program.initial.get(variable.name)
            if initial is None:
                self._choose(state, variable)
            else:
                state.values[variable.name] = self._evaluate(state, initial)
        for variable in self._procedure.parameters:
            self._choose(state, variable)

    def run(self, state: State) -> State | None:
        """All paths from the entry to returns, as one; None if none returns."""
        for variable in open_starts(self._procedure):
            self._choose(state, variable)
        entry = self._procedure.entry
        self._push(entry, tuple(0 for _ in self._nesting.heads[entry]), state)
        while self._ahead:
            _, label, rounds = heappop(self._ahead)
            self._here = (label, rounds)
            self._arrive(label, self._places.pop((label, rounds)), NOWHERE)
        if not self._returned:
            return None
        names = sorted({*(variable.name for variable in self._procedure.outputs), *self._runs.globals})
        return self._together(self._returned, names)

    def _together(self, states: list[State], names: Iterable[str]) -> State:
        (state,) = merge(states, names)
        if len(states) > 1 or len(state.path) > LONGEST_PATH:
            self._runs.name_path(state)
        return state

    def _push(self, label: str, rounds: Rounds, state: State) -> None:
        if (label, rounds) not in self._places:
            self._places[label, rounds] = []
            heappush(self._ahead, (self._nesting.key(label, rounds), label, rounds))
        self._places[label, rounds].append(state)

    def _go(self, target: str, state: State, span: Span) -> None:
        if state.is_possible:
            label, rounds = self._here
            self._push(target, self._nesting.rounds(label, rounds, target), state)

    def _arrive(self, label: str, states: list[State], span: Span) -> None:
        self._runs.step()  # a loop may have no statement
        state = self._together(states, self._live[label])
        if self._nesting.is_head(label) and self._here[1][-1] and not self._goes_on(label, state):
            self._runs.leave_out(state, self._procedure.block[label].terminator.span)
            return
        self._block(label, state)

    def _goes_on(self, label: str, state: State) -> bool:
        """Whether another round is to be followed: if nothing new was decided, what was possible still is."""
        *around, done = self._here[1]
        self._runs.name_path(state)
        guard, place = _guard(state), (label, tuple(around))
        if terms.is_true(guard) or terms.identity(guard) == terms.identity(self._last.get(place, terms.FALSE)):
            return True
        self._last[place] = guard
        return not _is_looked_at(done) or self._runs.possible(guard)

    # What paths do

    def _statement(self, statement: Statement, state: State) -> None:
        self._runs.step()
        super()._statement(statement, state)

    def _return(self, state: State, span: Span) -> None:
        self._returned.append(state)

    def _stop(self, state: State, span: Span) -> None:
        """Such a run ends well."""

    def _fail(self, state: State, span: Span) -> None:
        if state.is_possible:
            self._runs.fail(state, span)

    def _call(self, state: State, call: Call) -> None:
        callee = self._runs.program.procedure[call.procedure]
        arguments = [self._evaluate(state, argument) for argument in call.arguments]
        if not state.is_possible:
            return
        if self._depth == DEEPEST:
            self._runs.leave_out(state, call.span)
            state.is_possible = False
            return
        own = state.values
        inside = state.fork()
        inside.values = {name: own[name] for name in self._runs.globals}
        inside.values |= {each.name: value for each, value in zip(callee.parameters, arguments, strict=True)}
        back = _Activation(self._runs, callee, self._depth + 1).run(inside)
        if back is None:
            state.is_possible = False
            return
        results = zip(call.results, callee.outputs, strict=True)
        taken = {target.name: back.values[output.name] for target, output in results if target is not None}
        state.values = {**own, **{name: back.values[name] for name in self._runs.globals}, **taken}
        state.path, state.knowledge, state.trace = back.path, back.knowledge, back.trace
        state.abstractions, state.applications = back.abstractions, back.applications

    def _scope(self, state: State) -> Scope:
        region = self._region
        return Scope(region.names, state.knowledge, earlier=state.applications, results=region.results)

    def _evaluate(self, state: State, expression: Expression) -> Term:
        scope = self._scope(state)
        term = Evaluation(self._semantics, state.values, scope).run(expression)
        for fact in scope.obligations:
            if state.decide(fact) is not True:
                failing = state.fork()
                failing.assume(terms.negation(fact))
                self._runs.leave_out(failing, NOWHERE)
                state.assume(fact)
        state.evaluated(scope)
        if isinstance(state.knowledge, WordKnowledge):
            state.knowledge.remember(term)
        return term


def _is_looked_at(done: int) -> bool:
    """After which rounds a solver is asked whether there is another one: less and less often."""
    return done % max(8, 1 << max(0, done.bit_length() - 2)) == 0


# Back to runs


def choices(ending: Ending, semantics: Words, value: Callable[[Term], Term]) -> list[Value]:
    """What a run into the ending chooses, in order; `value` is that of a term in the model that shows the run."""
    reading = Reading(semantics, value)
    applied: Functions = set()
    found: list[Value] = []
    for event in reading.ordered(ending.trace):
        match event:
            case Chosen(_, chosen, type):
                found.append(reading.value(chosen, type))
            case Applied(_, application):
                found += reading.result(application, applied)
            case _:
                raise InternalError("calls are followed, and not told")
    return found
