"""The ways round each loop of a program without calls and threads, and the states in which a run comes to it, as terms.

Whoever looks for a set of states that a loop need not leave starts from these, and so does whoever checks it: what is
claimed is a set of states, and never what the program does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.steps import Step
from sorrel.encode.trace import Applied, Called, Chosen, Joined, Trace
from sorrel.encode.transition import ThreadView, thread_view
from sorrel.horn.recurrence import Pairs, Round
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.creation import UnsupportedThreads
from sorrel.program.expression import Variable
from sorrel.program.inline import Recursive
from sorrel.program.interleaving import Configuration, Interleaving, Move, Moved, Open, Taken
from sorrel.program.program import Program
from sorrel.program.shared import AtomicLoop
from sorrel.program.statement import Choice
from sorrel.program.threads import Thread, threads_of
from sorrel.program.types import Array, Float, Real, Type
from sorrel.program.value import Value, fits, zero

MOST_MOVES = 300
"""How many steps of loops a run takes while its states are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """A run comes to the head of a loop, for the so manieth time."""

    head: str
    number: int
    configuration: Configuration


@dataclass(frozen=True, slots=True, eq=False)
class LoopRounds:
    """In the machine's own integers, and with one value for everything that is chosen."""

    view: ThreadView

    @staticmethod
    def of(program: Program) -> LoopRounds | None:
        """None for programs with recursion, threads or arrays."""
        try:
            threads = threads_of(program)
        except (Recursive, AtomicLoop, UnsupportedThreads):
            return None
        variables = [*threads.globals, *(each for thread in threads.threads for each in thread.locals)]
        if len(threads.threads) != 1 or any(isinstance(each.type, Array) for each in variables):
            return None
        return LoopRounds(thread_view(threads, Arithmetic.EXACT))

    @property
    def thread(self) -> Thread:
        (thread,) = self.view.threads.threads
        return thread

    @property
    def variables(self) -> tuple[Variable, ...]:
        return (*self.thread.locals, *self.view.threads.globals)

    def visits(self, value: int) -> Iterator[Visit]:
        """Of all heads along the run that chooses this value."""
        interleaving = Interleaving(self.view.threads, late=False)
        times: dict[str, int] = {}
        here = _answered(interleaving.start, value)
        for _ in range(MOST_MOVES):
            if not isinstance(here, Configuration):
                return
            (place,) = here.places
            times[place] = times.get(place, 0) + 1
            yield Visit(place, times[place], here)
            taken = _answered(_Taking(interleaving, here), value)
            if not isinstance(taken, Moved):
                return
            here = taken.configuration

    def rounds(self, head: str, value: int) -> tuple[Round, ...]:
        """The ways from the head back to it that pass no other head."""
        return tuple(made for step in self._steps(head) if (made := self._round(step, value)) is not None)

    def terms_of(self, head: str) -> dict[Variable, Term]:
        """What the variables are called in the rounds of a loop."""
        start = self._steps(head)[0].start
        return {variable: start[variable.name] for variable in self.variables}

    def state(self, visit: Visit) -> Pairs:
        """The values of the loop's variables at a visit."""
        pairs = zip(self.terms_of(visit.head).items(), self.values(visit), strict=True)
        return [(term, self._constant(value, variable.type)) for (variable, term), value in pairs]

    def values(self, visit: Visit) -> tuple[Value, ...]:
        """Those of `variables` at a visit."""
        return (*visit.configuration.locals[0], *visit.configuration.globals)

    def _steps(self, head: str) -> list[Step]:
        return [step for step in self.view.steps[0] if step.source == step.target == head]

    def _round(self, step: Step, value: int) -> Round | None:
        """None if it depends on something that is not modelled, or that is no choice of a value."""
        chosen = _choices(step.trace)
        if step.abstractions or chosen is None:
            return None
        pairs = [(term, self._constant(as_choice(value, type), type)) for term, type in chosen]
        conditions = terms.substitute_all(step.conditions, pairs)
        after = [(step.start[name], terms.substitute(term, pairs)) for name, term in step.values.items()]
        return Round(terms.conjunction(map(terms.simplify, conditions)), after)

    def _constant(self, value: Value, type: Type) -> Term:
        return self.view.semantics.constant(value, type)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class _Taking:
    """A step from a state, given what is chosen in it."""

    interleaving: Interleaving
    here: Configuration

    def __call__(self, choices: Sequence[Value]) -> Taken:
        return self.interleaving.step(self.here, Move(0, tuple(choices)))


def _answered(ask: Callable[[Sequence[Value]], Configuration | Taken], value: int) -> Configuration | Taken:
    """What comes of it if everything that is left open gets this value."""
    choices: tuple[Value, ...] = ()
    while True:
        answer = ask(choices)
        if not isinstance(answer, Open) or answer.choice is Choice.ABSTRACTION:
            return answer
        choices = (*choices, as_choice(value, answer.type))


def _choices(trace: Trace | None) -> list[tuple[Term, Type]] | None:
    """What was chosen on the way, on all branches; None if something else was asked for."""
    found: list[tuple[Term, Type]] = []
    work = [trace]
    while work:
        match work.pop():
            case None:
                pass
            case Chosen(before, value, type):
                found.append((value, type))
                work.append(before)
            case Joined(_, then, otherwise):
                work += [then, otherwise]
            case Called() | Applied():
                return None
    return found


def as_choice(value: int, type: Type) -> Value:
    """The value as one of a type that has it, and else something of that type."""
    if isinstance(type, Array | Real | Float) or not fits(value, type):
        return bool(value) if fits(bool(value), type) else zero(type)
    return value
