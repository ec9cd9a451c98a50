"""From a derivation under the rule of invariance to its interleaving: who moves when, with which values.

The states along a derivation are known, and so is who moved. What a thread chose on the way is found by trying the
numbers of the derivation: a choice is right if the move leads to the next state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise

from sorrel.encode.rules.instance import Instance
from sorrel.encode.transition import ThreadView
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.interleaving import Configuration, Failed, Interleaving, Move, Moved, Open, Schedule, Taken
from sorrel.program.threads import Threads
from sorrel.program.types import Type
from sorrel.program.value import Value, fits

MOST_CHOICES, MOST_TRIES = 3, 400
"""Of one move; with more of them the numbers of a derivation have too many combinations."""


def schedule_of(instance: Instance, derivation: Derivation) -> Schedule | None:
    """The moves of a derivation whose steps follow each other; None if it is not told by the moves of threads."""
    view = instance.view
    if not isinstance(view, ThreadView):
        return None
    interleaving = Interleaving(view.threads)
    here = interleaving.start()
    if isinstance(here, Open):
        return None
    moves: list[Move] = []
    steps = _chain(derivation)
    for step, after in pairwise(steps):
        thread = next((case.thread for case in instance.made[step.clause].cases if case.thread is not None), None)
        if thread is None:
            continue
        found = _move(interleaving, here, thread, _expected(instance, view, after), _numbers(step, after))
        if found is None:
            return None
        move, taken = found
        moves.append(move)
        if not isinstance(taken, Moved):
            return tuple(moves)
        here = taken.configuration
    return None


def _chain(derivation: Derivation) -> list[Step]:
    """The steps from the first to the query, each after the one that it rests on."""
    found = [derivation.steps[-1]]
    while found[-1].premises:
        found.append(derivation.steps[found[-1].premises[0]])
    return found[::-1]


@dataclass(frozen=True, slots=True)
class _State:
    """What a derivation says of a state: where the threads are, and the variables that it speaks of."""

    places: tuple[str, ...]
    values: Mapping[tuple[int | None, str], Value]

    def fits(self, taken: Taken, threads: Threads) -> bool:
        if not isinstance(taken, Moved) or taken.configuration.places != self.places:
            return False
        here = taken.configuration
        found: dict[tuple[int | None, str], Value] = {
            (None, each.name): value for each, value in zip(threads.globals, here.globals, strict=True)
        }
        for thread, values in zip(threads.threads, here.locals, strict=True):
            found |= {(thread.number, each.name): value for each, value in zip(thread.locals, values, strict=True)}
        return all(found[key] == value for key, value in self.values.items())


def _expected(instance: Instance, view: ThreadView, step: Step) -> _State:
    """The state that a step starts from."""
    made = instance.made[step.clause]
    solved = list(made.solved.values())
    vector = [_value(terms.substitute(term, solved), step) for term in made.vectors["V"]]
    types: dict[tuple[int | None, str], Type] = {(None, each.name): each.type for each in view.threads.globals}
    types |= {(thread.number, each.name): each.type for thread in view.threads.threads for each in thread.locals}
    places = []
    values: dict[tuple[int | None, str], Value] = {}
    for slot, term in zip(view.slots, vector, strict=True):
        owner = None if slot.owner is None else int(slot.owner)
        if slot.is_counter:
            places.append(view.place(int(slot.owner or 0), int(str(term))))
        else:
            values[owner, slot.name] = view.semantics.value(term, types[owner, slot.name])
    return _State(tuple(places), values)


def _value(term: Term, step: Step) -> Term:
    values = dict(step.values)
    known = {terms.identity(variable) for variable in values}
    for variable in walk.free_variables(term):
        if terms.identity(variable) not in known:
            values[variable] = terms.default_value(variable.sort())
    return evaluate(term, values)


def _numbers(step: Step, after: Step) -> list[Value]:
    """The numbers of two steps, those that often matter first."""
    given = [v for each in (step, after) for v in each.values.values() if terms.is_value(v) and terms.is_arithmetic(v)]
    return list(dict.fromkeys([*(int(str(v)) for v in given if str(v).lstrip("-").isdigit()), 0, 1]))


def _move(
    interleaving: Interleaving, here: Configuration, thread: int, expected: _State, numbers: Sequence[Value]
) -> tuple[Move, Taken] | None:
    """A move of the thread that fails, or leads to the state that is expected."""
    for choices in islice(_choices(interleaving, here, thread, numbers, ()), MOST_TRIES):
        move = Move(thread, choices)
        taken = interleaving.step(here, move)
        if isinstance(taken, Failed) or expected.fits(taken, interleaving.threads):
            return move, taken
    return None


def _choices(
    interleaving: Interleaving, here: Configuration, thread: int, numbers: Sequence[Value], given: tuple[Value, ...]
) -> Iterator[tuple[Value, ...]]:
    taken = interleaving.step(here, Move(thread, given))
    if not isinstance(taken, Open):
        yield given
    elif len(given) < MOST_CHOICES:
        options = [True, False] if not fits(0, taken.type) else [n for n in numbers if fits(n, taken.type)]
        for number in options:
            yield from _choices(interleaving, here, thread, numbers, (*given, number))
