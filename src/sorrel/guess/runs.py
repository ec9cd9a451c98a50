"""Runs of clauses on concrete values: derivable states, found without a solver in microseconds each.

Clauses with one call each are steps of a transition system. What a clause leaves open is chosen: small numbers mostly,
so that loops end soon, and arrays whose elements have no pattern, so that nothing looks written that is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import TypeAlias

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.compiled import Cells, Concrete, Rule, rule
from sorrel.logic.listing import NotListed
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER

State: TypeAlias = tuple[Concrete, ...]
States: TypeAlias = dict[str, list[State]]

MOST_RUNS, MOST_STEPS, MOST_TRIES = 120, 80, 12
MOST_STATES = 400
MOST_CASES = 24
LARGEST_CONSTANT = 10**6
TRY = 60
"""Units of work for trying a clause at a state."""


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    """A variable of a clause: computed from those before it, or chosen if there is nothing to compute it from."""

    place: int
    sort: str
    computed: Rule | None


@dataclass(frozen=True, slots=True, eq=False)
class _Move:
    """One case of a clause. Its variables begin with what its call is at; the rest is chosen in order."""

    head: str | None
    given: int
    width: int
    choices: tuple[_Choice, ...]
    result: Rule
    numbers: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        return any(choice.computed is None for choice in self.choices)

    def after(self, state: State, chance: Random) -> State | None:
        """A state that the clause derives, if the choices fit."""
        values: list[Concrete | None] = [*state, *[None] * (self.width - self.given)]
        for choice in self.choices:
            if choice.computed is None:
                values[choice.place] = _chosen(choice.sort, self.numbers, state, chance)
                continue
            found = choice.computed(values)
            if found is None:
                return None
            values[choice.place] = found[0]
        return self.result(values)


def states(system: HornSystem, clock: Clock, seed: int = 0) -> States | None:
    """Derivable states of every predicate, those of short runs first; None if clauses have no runs of this kind."""
    if any(len(clause.body) > 1 for clause in system.clauses):
        return None
    try:
        moves = {name: [m for c in system.using[name] if c.head for m in _moves(c)] for name in system.predicate}
        starts = [move for clause in system.clauses if clause.head and not clause.body for move in _moves(clause)]
    except NotListed:
        return None
    found: dict[str, dict[str, State]] = {name: {} for name in system.predicate}
    chance = Random(seed)
    for number in range(MOST_RUNS if starts else 0):
        for name, state in _run(starts[number % len(starts)], moves, chance):
            if len(found[name]) < MOST_STATES:
                found[name].setdefault(repr(state), state)
        if clock.expired():
            break
    return {name: list(each.values()) for name, each in found.items()}


def _run(start: _Move, moves: dict[str, list[_Move]], chance: Random) -> Iterator[tuple[str, State]]:
    state = _taken(start, (), chance)
    name = start.head
    for _ in range(MOST_STEPS):
        if state is None or name is None:
            return
        yield name, state
        following = moves[name][:]
        chance.shuffle(following)
        for move in following:
            after = _taken(move, state, chance)
            if after is not None:
                name, state = move.head, after
                break
        else:
            return


def _taken(move: _Move, state: State, chance: Random) -> State | None:
    for _ in range(MOST_TRIES if move.is_open else 1):
        METER.add(TRY)
        try:
            after = move.after(state, chance)
        except ZeroDivisionError:
            continue
        if after is not None:
            return after
    return None


def _chosen(sort: str, numbers: Sequence[int], state: State, chance: Random) -> Concrete:
    if sort == "Bool":
        return chance.randrange(2)
    if sort != "Int":
        return Cells({}, seed=chance.randrange(1, 50))
    kind = chance.random()
    if kind < 0.25 and numbers:
        return chance.choice(numbers) + chance.randrange(-1, 2)
    known = [value for value in state if isinstance(value, int)]
    if kind < 0.35 and known:
        return chance.choice(known) + chance.randrange(-1, 2)
    return chance.randrange(-9, 10) if kind < 0.6 else chance.randrange(0, 7)


# From clauses to moves


def _moves(clause: Clause) -> Iterator[_Move]:
    """One for each case of the constraint."""
    call = clause.body[0].arguments if clause.body else ()
    given = [terms.variable(f"call!{place}", terms.sort_of(argument)) for place, argument in enumerate(call)]
    at_call = [terms.equal(variable, argument) for variable, argument in zip(given, call, strict=True)]
    results = clause.head.arguments if clause.head else ()
    for case in _cases(clause.constraint):
        parts = [*at_call, *case]
        variables = [*given, *walk.free_variables(*parts, *results)]
        variables = list({terms.identity(v): v for v in variables}.values())
        if not all(map(_has_values, variables)):
            raise NotListed("there are no runs over other things than numbers, truth values and arrays")
        yield _Move(
            clause.head.predicate.name if clause.head else None,
            len(given),
            len(variables),
            tuple(_choices(variables, len(given), parts)),
            rule(variables, terms.conjunction(parts), results),
            tuple({n for part in parts for n in walk.numerals(part) if abs(n) < LARGEST_CONSTANT}),
        )


def _has_values(variable: Term) -> bool:
    return terms.is_integer(variable) or terms.is_boolean(variable) or terms.is_integer_indexed(variable)


def _cases(constraint: Term) -> list[list[Term]]:
    """The constraint as cases, each a list of conjuncts, where that does not make too many."""
    options = [terms.disjuncts(part) for part in terms.conjuncts(constraint)]
    count = 1
    for each in options:
        count *= len(each)
    if count > MOST_CASES:
        return [terms.conjuncts(constraint)]
    return [[literal for part in case for literal in terms.conjuncts(part)] for case in product(*options)]


def _choices(variables: Sequence[Term], given: int, parts: Sequence[Term]) -> Iterator[_Choice]:
    """Each variable once all that defines it is known; where nothing does, the first that none could be told by."""
    known = {terms.identity(variable) for variable in variables[:given]}
    definitions = [pair for part in parts for pair in _definitions(part)]
    waiting = {terms.identity(variable): place for place, variable in enumerate(variables)}
    for identity in known:
        del waiting[identity]
    while waiting:
        ready = next(((v, t) for v, t in definitions if terms.identity(v) in waiting and _is_known(t, known)), None)
        if ready is not None:
            variable, computed = ready[0], rule(variables, terms.TRUE, [ready[1]])
        else:
            defined = {terms.identity(v) for v, _ in definitions}
            identity = next((i for i in waiting if i not in defined), next(iter(waiting)))
            variable, computed = variables[waiting[identity]], None
        place = waiting.pop(terms.identity(variable))
        known.add(terms.identity(variable))
        yield _Choice(place, terms.sort_name(variable), computed)


def _definitions(part: Term) -> Iterable[tuple[Term, Term]]:
    """A variable and what it is, where a literal says so."""
    if terms.is_variable(part):
        yield part, terms.TRUE
    elif terms.is_not(part) and terms.is_variable(terms.children(part)[0]):
        yield terms.children(part)[0], terms.FALSE
    elif terms.is_equation(part):
        left, right = terms.children(part)
        for one, other in ((left, right), (right, left)):
            if terms.is_variable(one):
                yield one, other


def _is_known(term: Term, known: set[int]) -> bool:
    return all(terms.identity(variable) in known for variable in walk.free_variables(term))
