"""All runs of a program at once: loops are written out round by round and calls are followed, paths meet again.

What comes of it is a graph without loops (Clarke, Kroening and Lerda, TACAS 2004): in which runs an assertion fails,
and in which runs something was left out. A program none of whose runs is among them is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from heapq import heappop, heappush
from typing import assert_never

from sorrel.encode.bounds import Bounds
from sorrel.encode.cells import Arrays, Content
from sorrel.encode.splitting import in_all_cases
from sorrel.encode.unrolled_apart import Apart
from sorrel.encode.unrolled_expressions import Expressions
from sorrel.encode.unrolled_state import Joining, State, Trace
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Truth
from sorrel.model.errors import NOWHERE, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.calls_last import with_calls_last
from sorrel.program.cutting import Cut, Cuts, Fact
from sorrel.program.expression import Expression, Variable
from sorrel.program.guiding import Guiding
from sorrel.program.liveness import live_variables, open_starts
from sorrel.program.nesting import Nesting, Rounds, nesting
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Goto,
    Havoc,
    Observe,
    Print,
    Return,
    Statement,
    Stop,
)

DEEPEST = 60
"""Calls within calls that are followed."""
ASKED_DEPTH = 4
"""Calls of a procedure within itself from which on it is asked whether there is such a run."""

UNCLEAR = 6
"""An assertion is looked at case by case until that has failed so many times."""


class OutOfTime(Exception):
    """Runs are left that nobody has followed."""


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """Runs that come to one place: the condition under which a run is one of them, and what it chose."""

    guard: Truth
    trace: Trace | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """Runs that come to a loop which is not written out, or that are about to begin any round of it (`begins`)."""

    label: str
    state: State
    begins: bool


@dataclass(slots=True, eq=False)
class Unrolled:
    """The runs of a program.

    `failed` are runs in which an assertion fails. `left_out` are runs that were not followed to their ends, or whose
    numbers are too large: where there is one of these, nothing is known.
    """

    graph: Graph = field(default_factory=Graph)
    failed: list[Ending] = field(default_factory=list)
    left_out: list[Ending] = field(default_factory=list)
    broken: list[tuple[Fact, Ending]] = field(default_factory=list)
    """Runs that come to a loop which is not written out, in which a fact that is claimed there does not hold."""
    arrivals: list[Arrival] = field(default_factory=list)
    claim: Callable[[State, Expression], Truth] = field(default=lambda *_: False)
    """When a condition holds in a state, for those who ask about arrivals once all runs were followed."""
    steps: int = 0
    loop: str = ""
    """The loop of the main procedure that was followed last, by its head."""


Possible = Callable[[Truth], bool]
"""Whether a run may exist that satisfies the condition."""
Continue = Callable[[], bool]
"""Whether there is time to go on."""


def unrolled(
    program: Program,
    wraps: bool,
    into: Unrolled,
    possible: Possible,
    going_on: Continue,
    cuts: Cuts | None = None,
    apart: bool = False,
) -> bool:
    """Follow all runs; whether there was time for it. `wraps`: signed results that do not fit wrap around.

    Those of which `possible` says that there are none are not followed any further, and noted as left out. At the loops
    in `cuts` all that a round changes is open but for what is claimed, so that one round stands for all. `apart`: paths
    that meet become one only if what guides them has the same values.
    """
    program = with_calls_last(program) if apart else program
    runs = _Runs(program, wraps, into, possible, going_on, cuts or {}, apart)
    activation = _Activation(runs, program.procedure[program.main], ())
    state = State({}, {}, Bounds())
    try:
        activation.start(state)
        activation.run(state)
    except OutOfTime:
        return False
    return True


class _Runs:
    """What all activations share."""

    def __init__(
        self,
        program: Program,
        wraps: bool,
        into: Unrolled,
        possible: Possible,
        going_on: Continue,
        cuts: Cuts,
        apart: bool,
    ) -> None:
        self.program = program
        self.cuts = cuts
        self.into = into
        self.graph = into.graph
        self.possible = possible
        self._going_on = going_on
        self._unclear: dict[int, int] = {}
        arrays = Arrays(self.graph)
        self.joining = Joining(self.graph, arrays)
        names = frozenset(variable.name for variable in program.globals)
        self.expressions = Expressions(self.graph, arrays, names, wraps, self._leave_out)
        into.claim = self.expressions.evaluate
        self.globals = names
        self.apart = Apart(self.graph, self.joining, names, Guiding(program) if apart else None)
        self.nesting: Callable[[str], Nesting] = cache(lambda name: nesting(program.procedure[name]))
        self.live: Callable[[str], Mapping[str, tuple[str, ...]]] = cache(self._live)
        self.open_starts: Callable[[str], tuple[Variable, ...]] = cache(
            lambda name: open_starts(program.procedure[name])
        )

    def _live(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Which locals may still be read from each block on."""
        found = live_variables(self.program.procedure[name])
        return {
            label: tuple(sorted(v.name for v in variables if v.name not in self.globals))
            for label, variables in found.items()
        }

    def step(self) -> None:
        self.into.steps += 1
        if not self.into.steps % 64 and not self._going_on():
            raise OutOfTime

    def splits(self, statement: Assert, test: Truth, state: State) -> bool:
        """Whether an assertion holds in all cases, which is not asked again and again of one that does not tell."""
        if self._unclear.get(id(statement), 0) >= UNCLEAR:
            return False
        if in_all_cases(state.bounds, test):
            state.bounds.learn(test)
            return True
        self._unclear[id(statement)] = self._unclear.get(id(statement), 0) + 1
        return False

    def fail(self, condition: Truth, state: State, span: Span) -> None:
        guard = self.graph.conjunction(state.guard(self.graph), condition)
        if guard is not False:
            self.into.failed.append(Ending(guard, state.trace, span))

    def leave_out(self, condition: Truth, state: State, span: Span) -> None:
        guard = self.graph.conjunction(state.guard(self.graph), condition)
        if guard is not False:
            self.into.left_out.append(Ending(guard, state.trace, span))

    def _leave_out(self, condition: Truth, state: State) -> None:
        self.leave_out(condition, state, NOWHERE)


class _Activation:
    """One call of a procedure; a block is a place once for each combination of rounds of the loops around it.

    `carried` are values of what guides its callers once they go on, and `wanted` what they are guided by of what they
    get from it.
    """

    def __init__(
        self,
        runs: _Runs,
        procedure: Procedure,
        callers: tuple[str, ...],
        carried: tuple[Node, ...] = (),
        wanted: frozenset[Variable] = frozenset(),
    ) -> None:
        self._runs = runs
        self._procedure = procedure
        self._callers = (*callers, procedure.name)
        self._carried = carried
        self._wanted = wanted
        self._nesting = runs.nesting(procedure.name)
        self._live = runs.live(procedure.name)
        self._here: tuple[str, Rounds] = (procedure.entry, ())
        self._places: dict[tuple[str, Rounds], list[State]] = {}
        self._ahead: list[tuple[tuple[int, ...], str, Rounds]] = []
        self._returned: list[State] = []
        self._last: dict[tuple[str, Rounds], Truth] = {}

    def start(self, state: State) -> None:
        """Globals get their initial values, parameters of the main procedure any."""
        for variable in self._runs.program.globals:
            initial = self._runs.program.initial.get(variable.name)
            if initial is None:
                self._choose(state, variable)
            else:
                state.globals[variable.name] = self._evaluate(state, initial)
        for variable in self._procedure.parameters:
            self._choose(state, variable)

    def run(self, state: State) -> list[State]:
        """All paths from the entry to returns: as one, unless they are kept apart."""
        for variable in self._runs.open_starts(self._procedure.name):
            self._choose(state, variable)
        entry = self._procedure.entry
        self._push(entry, tuple(0 for _ in self._nesting.heads[entry]), state)
        while self._ahead:
            _, label, rounds = heappop(self._ahead)
            self._here = (label, rounds)
            self._arrive(label, self._places.pop((label, rounds)))
        names = sorted({variable.name for variable in self._procedure.outputs} - self._runs.globals)
        wanted = tuple(sorted(self._wanted, key=lambda each: each.name))
        return self._runs.apart.together(self._returned, names, wanted, self._carried)

    def _push(self, label: str, rounds: Rounds, state: State) -> None:
        if (label, rounds) not in self._places:
            self._places[label, rounds] = []
            heappush(self._ahead, (self._nesting.key(label, rounds), label, rounds))
        self._places[label, rounds].append(state)

    def _go(self, target: str, state: State) -> None:
        if state.is_possible:
            label, rounds = self._here
            self._push(target, self._nesting.rounds(label, rounds, target), state)

    def _arrive(self, label: str, states: list[State]) -> None:
        for state in self._runs.apart.together(states, self._live[label], self._guided_by(label), self._carried):
            self._runs.step()  # a loop may have no statement
            self._arrive_as(label, state)

    def _arrive_as(self, label: str, state: State) -> None:
        if len(self._callers) == 1:
            self._runs.into.loop = next(iter(self._nesting.heads[label]), "")
            if label in self._runs.cuts:
                self._cut(self._runs.cuts[label], state)
                return
        if self._nesting.is_head(label) and self._here[1][-1] and not self._goes_on(label, state):
            self._runs.leave_out(True, state, self._procedure.block[label].terminator.span)
            return
        for each in self._split(label, state):
            self._block(label, each)

    def _guided_by(self, label: str) -> tuple[Variable, ...]:
        return self._runs.apart.guided_by(self._procedure.name, self._wanted, label)

    def _split(self, label: str, state: State) -> list[State]:
        return self._runs.apart.split(self._procedure.name, label, state) if self._nesting.is_head(label) else [state]

    def _cut(self, cut: Cut, state: State) -> None:
        """Before the first round and after any other the facts must hold; what follows starts from nothing else."""
        span = self._procedure.block[cut.label].terminator.span
        for fact in cut.facts:
            broken: Truth = False
            for part in fact:
                denied = self._runs.graph.negation(self._evaluate(state, part))
                if state.bounds.decide(denied) is not False:
                    broken = self._runs.graph.disjunction(broken, denied)
            guard = self._runs.graph.conjunction(state.path.guard, broken)
            if guard is not False:
                self._runs.into.broken.append((fact, Ending(guard, state.trace, span)))
        self._runs.into.arrivals.append(Arrival(cut.label, state.fork(), False))
        if self._here[1][-1]:
            return
        wanted = {*self._live[cut.label], *self._runs.globals}
        for variable in cut.changed:
            if variable.name in wanted:
                self._choose(state, variable)
        for fact in cut.facts:
            for part in fact:
                state.assume(self._runs.graph, self._evaluate(state, part))
        if state.is_possible:
            self._runs.into.arrivals.append(Arrival(cut.label, state.fork(), True))
            for each in self._split(cut.label, state):
                self._block(cut.label, each)

    def _goes_on(self, label: str, state: State) -> bool:
        """Whether another round is to be followed: if nothing new was decided, what was possible still is."""
        *around, done = self._here[1]
        guard, place = state.path.guard, (label, tuple(around))
        if guard is True or guard is self._last.get(place):
            return True
        self._last[place] = guard
        return not _is_looked_at(done) or self._runs.possible(guard)

    # What paths do

    def _block(self, label: str, state: State) -> None:
        block = self._procedure.block[label]
        waiting = [(state, 0)]
        while waiting:
            state, position = waiting.pop()
            for statement in block.statements[position:]:
                self._runs.step()
                position += 1
                if isinstance(statement, Call):
                    back = self._call(state, statement)
                    waiting += [(each, position) for each in reversed(back[1:])]
                    state.is_possible = bool(back)
                    state = back[0] if back else state
                else:
                    self._statement(statement, state)
                if not state.is_possible:
                    break
            else:
                self._leave_block(block, state)

    def _leave_block(self, block: Block, state: State) -> None:
        match block.terminator:
            case Goto(target):
                self._go(target, state)
            case Branch(condition, then, otherwise):
                self._branch(state, condition, then, otherwise)
            case Return():
                self._returned.append(state)
            case Stop():
                pass  # such a run ends well
            case _:
                assert_never(block.terminator)

    def _branch(self, state: State, condition: Expression, then: str, otherwise: str) -> None:
        if then == otherwise:
            self._go(then, state)
            return
        test = self._evaluate(state, condition)
        if not state.is_possible:
            return
        decided = state.bounds.decide(test)
        if decided is not None:
            self._go(then if decided else otherwise, state)
            return
        other = state.fork()
        state.meet(self._runs.graph, test)
        other.meet(self._runs.graph, self._runs.graph.negation(test))
        self._go(then, state)
        self._go(otherwise, other)

    def _statement(self, statement: Statement, state: State) -> None:
        match statement:
            case Assign(target, value):
                self._assign(state, target, self._evaluate(state, value))
            case Assert(condition, _, _, span):
                test = self._evaluate(state, condition)
                if state.bounds.decide(test) is not True and not self._runs.splits(statement, test, state):
                    self._runs.fail(self._runs.graph.negation(test), state, span)
                    state.assume(self._runs.graph, test)
            case Assume(condition):
                state.assume(self._runs.graph, self._evaluate(state, condition))
            case Havoc(target):
                self._choose(state, target)
            case Print() | Observe():
                pass  # means nothing in one run
            case Call():
                raise InternalError("what a call leads to is not one state")
            case _:
                assert_never(statement)

    def _assign(self, state: State, target: Variable, value: object) -> None:
        (state.globals if target.name in self._runs.globals else state.locals)[target.name] = value  # type: ignore[assignment]

    def _choose(self, state: State, variable: Variable) -> None:
        self._assign(state, variable, self._runs.expressions.choose(state, variable.name, variable.type))

    def _evaluate(self, state: State, expression: Expression) -> Truth:
        found: Truth = self._runs.expressions.evaluate(state, expression)
        return found

    def _call(self, state: State, call: Call) -> list[State]:
        """What the runs of the callee lead to."""
        callee = self._runs.program.procedure[call.procedure]
        arguments = [self._evaluate(state, argument) for argument in call.arguments]
        if not state.is_possible:
            return []
        if not self._is_followed(call.procedure, state):
            self._runs.leave_out(True, state, call.span)
            return []
        given: dict[str, Content] = {each.name: value for each, value in zip(callee.parameters, arguments, strict=True)}
        inside = State(given, state.globals, state.bounds, state.path, state.trace, state.applied)
        guided = self._guided_behind(state, call) if self._runs.apart.guiding else ()
        found = _Activation(self._runs, callee, self._callers, *guided).run(inside)
        for back in found:
            outputs = back.locals
            back.locals = dict(state.locals)
            for target, output in zip(call.results, callee.outputs, strict=True):
                if target is not None:
                    where = back.globals if output.name in self._runs.globals else outputs
                    self._assign(back, target, where[output.name])
        return found

    def _guided_behind(self, state: State, call: Call) -> tuple[tuple[Node, ...], frozenset[Variable]]:
        """What guides behind a call, which is the last statement of its block: values of now, and what is to come."""
        (label,) = successors(self._procedure.block[self._here[0]].terminator)
        behind = self._guided_by(label)
        wanted = self._runs.apart.wanted_of(call, behind)
        values = (self._runs.apart.value(state, each) for each in behind if each not in call.results)
        carried = dict.fromkeys((*self._carried, *(each for each in values if isinstance(each, Node))))
        return tuple(carried), wanted

    def _is_followed(self, name: str, state: State) -> bool:
        if len(self._callers) > DEEPEST:
            return False
        guard = state.path.guard
        return guard is True or self._callers.count(name) < ASKED_DEPTH or self._runs.possible(guard)


def _is_looked_at(done: int) -> bool:
    """After which rounds it is asked whether there is another one: less and less often."""
    return done % max(8, 1 << max(0, done.bit_length() - 2)) == 0
