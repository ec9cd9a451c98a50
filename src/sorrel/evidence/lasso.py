"""Runs that come back to where they were, and so can go on forever: evidence that a program does not end.

A state counts as the same if the variables that can still decide what the run does are the same (see `relevance`); what
an operation without a value would depend on is among them. Two kinds: a loop head that is reached twice by one
activation of a procedure, and a call whose inputs are those of a call that it is nested in. What was chosen in between
can be chosen again. Each is confirmed by a second run that goes round twice more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import chain

from sorrel.encode.relevance import Relevance, relevance
from sorrel.model.errors import Span
from sorrel.model.outcome import (
    Answer,
    Cause,
    ChosenValue,
    Confirmation,
    EventKind,
    Outcome,
    RunEvent,
    ValueOrigin,
    Violation,
    unknown,
)
from sorrel.model.values import dataclass
from sorrel.program.effects import effects
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.graph import loop_heads
from sorrel.program.interpreter import Ended, Interpreter
from sorrel.program.program import Procedure, Program
from sorrel.program.run import Used
from sorrel.program.statement import Choice
from sorrel.program.value import ArrayValue, Value, exactly

STEPS = 60_000
"""How long one run is followed."""
MOST_SEEN = 20_000
"""How many states of one run are remembered."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """`stem` are the choices up to the state, `cycle` those of one round; `values` are the variables that matter there.

    `nested`: each round is one call deeper.
    """

    procedure: str
    span: Span
    nested: bool
    stem: tuple[Used, ...]
    cycle: tuple[Used, ...]
    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Watch:
    """Where to look: the heads of loops, and which variables matter at each place."""

    heads: Mapping[str, frozenset[str]]
    relevance: Mapping[str, Relevance]
    globals: frozenset[str]

    @staticmethod
    def of(program: Program) -> Watch:
        found = effects(program)
        names = [procedure.name for procedure in program.procedures]
        matters = relevance(program, found, names, partial_matters=True)
        known = dict(matters.called)
        if not any(program.main in procedure.callees for procedure in program.procedures):
            known[program.main] = matters.main
        heads = {procedure.name: loop_heads(procedure) for procedure in program.procedures}
        return Watch(heads, known, frozenset(each.name for each in program.globals))


@dataclass(slots=True)
class _Seen:
    """What one activation has seen: its own states at loop heads, with how many choices there were before."""

    entry: tuple[object, ...]
    used: int
    states: dict[tuple[object, ...], int] = field(default_factory=dict)


class Stack:
    """The activations that are open, and the innermost one for each entry."""

    def __init__(self) -> None:
        self.open: list[_Seen] = []
        self._entries: dict[tuple[object, ...], list[_Seen]] = {}

    def cut(self, depth: int) -> None:
        while len(self.open) > depth:
            self._entries[self.open.pop().entry].pop()

    def enter(self, seen: _Seen) -> _Seen | None:
        """The innermost activation with the same entry, if there is one; the new one is open from now on."""
        same = self._entries.setdefault(seen.entry, [])
        outer = same[-1] if same else None
        same.append(seen)
        self.open.append(seen)
        return outer


def look(machine: Interpreter, watch: Watch, stack: Stack) -> Lasso | None:
    """Whether the machine is where it was before in the run; what it has seen is remembered."""
    depth = len(machine.frames)
    stack.cut(depth)
    frame = machine.frames[-1]
    procedure = frame.prepared.procedure
    if len(stack.open) < depth:
        names = watch.relevance[procedure.name].entry
        entry = (procedure.name, *map(exactly, _values(machine, names)))
        outer = stack.enter(_Seen(entry, len(machine.used)))
        if outer is not None:
            return _lasso(machine, procedure, procedure.span, outer.used, names, nested=True)
    if frame.position == 0 and frame.label in watch.heads[procedure.name]:
        names = watch.relevance[procedure.name].at[frame.label]
        state = (frame.label, *map(exactly, _values(machine, names)))
        before = stack.open[-1].states.get(state)
        if before is not None:
            return _lasso(machine, procedure, span_of(procedure, frame.label), before, names, nested=False)
        if len(stack.open[-1].states) < MOST_SEEN:
            stack.open[-1].states[state] = len(machine.used)
    return None


def span_of(procedure: Procedure, label: str) -> Span:
    """Where a block stands in the source."""
    block = procedure.block[label]
    spans = [step.span for step in (*block.statements, block.terminator)]
    return next((span for span in spans if span.line), procedure.span)


def _values(machine: Interpreter, names: frozenset[str]) -> Iterator[Value]:
    own = machine.frames[-1].locals
    for name in sorted(names):
        yield own[name] if name in own else machine.globals[name]


def _lasso(
    machine: Interpreter, procedure: Procedure, span: Span, before: int, names: frozenset[str], *, nested: bool
) -> Lasso | None:
    used = tuple(machine.used)
    if any(each.choice is Choice.ABSTRACTION for each in used):
        return None
    values = tuple(
        (shown, value)
        for name, value in zip(sorted(names), _values(machine, names), strict=True)
        if not isinstance(value, ArrayValue) and (shown := procedure.user_name(name))
    )
    return Lasso(procedure.name, span, nested, used[:before], used[before:], values)


def comes_back(program: Program, watch: Watch, lasso: Lasso) -> bool:
    """Whether a run with the same choices comes back twice, too."""
    rounds = chain(lasso.stem, *([lasso.cycle] * 3))
    values = iter([each.value for each in rounds])
    times = 0
    machine = Interpreter(program, values, 4 * STEPS, record=False)
    stack = Stack()
    try:
        machine.start()
        for _ in range(4 * STEPS):
            found = look(machine, watch, stack)
            if found is not None:
                times += 1
                if times == 2:
                    return True
                stack = Stack()
                for number in range(len(machine.frames)):
                    stack.enter(_Seen(("below", number), 0))
                look(machine, watch, stack)
            machine.step()
    except (Ended, UndefinedOperation):
        return False
    return False


def accept_lasso(program: Program, lasso: Lasso) -> Outcome:
    """Unsafe if a run with these choices comes back to the state again and again."""
    started = time.monotonic()
    if not comes_back(program, Watch.of(program), lasso):
        return unknown(Cause.UNCONFIRMED, "the run does not return to its state when it is repeated")
    values = ", ".join(f"{name} = {value}" for name, value in lasso.values)
    state = f" with {values}" if values else ""
    if lasso.nested:
        said = f"{lasso.procedure} is called{state} within a call of itself with the same inputs"
    else:
        said = f"the loop at {lasso.span} returns to the same state{state}"
    event = RunEvent(EventKind.VIOLATION, lasso.span, lasso.procedure, 0, said)
    confirmation = Confirmation("the interpreter", True, time.monotonic() - started, "the run came back three times")
    return Outcome(
        Answer.UNSAFE,
        violation=Violation("termination", f"the program does not terminate: {said}", lasso.span, lasso.procedure),
        confirmations=(confirmation,),
        run=(event,),
        choices=tuple(map(_chosen, (*lasso.stem, *lasso.cycle))),
    )


def _chosen(used: Used) -> ChosenValue:
    origin = ValueOrigin(used.choice.value)
    return ChosenValue(origin, used.source, used.source, str(used.type), str(used.value), used.span)
