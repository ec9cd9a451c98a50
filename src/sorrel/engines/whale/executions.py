"""Executions that were found: facts with their ground derivations, part of every under-approximation from then on."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property

from sorrel.horn.clause import Clause
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

MOST_EXECUTIONS, MOST_ASKED, MOST_LATEST = 2000, 200, 12
"""So many are kept for each function, so many of them are asked about alone, and so many are part of an
under-approximation, the latest ones: the paths that led to an older one are in its ARG anyway."""


@dataclass(frozen=True, eq=False)
class Execution:
    """A run of a function: its path, the values of its variables, and the runs of its callees."""

    clause: Clause
    values: Mapping[Term, Term]
    callees: tuple[Execution, ...]

    @cached_property
    def arguments(self) -> tuple[Term, ...]:
        """Inputs and outputs of the run."""
        return tuple(evaluate(a, self.values) for a in self.clause.head.arguments) if self.clause.head else ()

    @cached_property
    def key(self) -> tuple[int | str, ...]:
        """The arguments as what can be compared."""
        return tuple(map(_comparable, self.arguments))


class Executions:
    def __init__(self) -> None:
        self._found: dict[str, deque[Execution]] = {}
        self._seen: dict[str, set[tuple[int | str, ...]]] = {}
        self._states: dict[str, Sequence[tuple[int, ...]]] = {}

    def add(self, execution: Execution) -> None:
        if execution.clause.head is None:
            raise InternalError("an execution of the main function ends the search")
        name = execution.clause.head.predicate.name
        if execution.key in self._seen.setdefault(name, set()):
            return
        self._seen[name].add(execution.key)
        self._found.setdefault(name, deque(maxlen=MOST_EXECUTIONS)).append(execution)

    def of(self, name: str) -> Sequence[Execution]:
        return tuple(self._found.get(name, ()))

    def note(self, name: str, states: Sequence[tuple[int, ...]]) -> None:
        """Arguments with which a function was run on numbers: for guesses to be read off, and nothing else."""
        self._states[name] = states

    def points(self, name: str) -> list[tuple[int, ...]]:
        """The arguments of all that was met; what is no number counts as 0, and nothing is guessed about it."""
        known = [tuple(n if isinstance(n, int) else 0 for n in each.key) for each in self.of(name)]
        return [*known, *self._states.get(name, ())]

    def some(self, name: str) -> Sequence[Execution]:
        """Of many executions some from everywhere, the latest among them."""
        found = self.of(name)
        return found[:: -max(1, len(found) // MOST_ASKED)]

    def latest(self, name: str) -> Sequence[Execution]:
        return self.of(name)[-MOST_LATEST:]


def _comparable(value: Term) -> int | str:
    number = terms.as_number(value)
    return int(number) if isinstance(number, int) else str(value)


def derivation_of(execution: Execution) -> Derivation:
    """The steps of an execution, callees first, each once."""
    steps: list[Step] = []
    number: dict[int, int] = {}
    stack = [(execution, False)]
    while stack:
        current, entered = stack.pop()
        if id(current) in number:
            continue
        if not entered:
            stack.append((current, True))
            stack.extend((callee, False) for callee in current.callees)
            continue
        number[id(current)] = len(steps)
        premises = tuple(number[id(callee)] for callee in current.callees)
        steps.append(Step(current.clause.name, current.values, premises))
    return Derivation(tuple(steps))
