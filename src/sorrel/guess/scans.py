"""Loops over arrays: claims about stretches of elements, read off runs and kept if they are inductive.

A loop that goes over an array leaves behind it a stretch of elements of which something holds. Runs of the clauses on
concrete values show where it ends, which is a sum of arguments, and what holds: an equation for elements, an order, a
bound, or what the program itself asks of the element at one index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

from sorrel.guess.asked import asked_of_elements
from sorrel.guess.atoms import Guess
from sorrel.guess.bodies import bodies
from sorrel.guess.houdini import Houdini
from sorrel.guess.plan import PLAN
from sorrel.guess.points import Number, Point
from sorrel.guess.runs import State, States, states
from sorrel.guess.shrinking import shrink
from sorrel.guess.slopes import changed, slopes
from sorrel.guess.stretches import claims
from sorrel.guess.templates import guesses, sharply_guarded
from sorrel.guess.tiles import final_ends, index_terms, offsets, tile_ends
from sorrel.guess.views import Frame, View, frame, quantified_frame
from sorrel.guess.vocabulary import vocabulary
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import operations, terms, walk
from sorrel.logic.compiled import Concrete, rule
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.smt.solver import Oracle

MOST_STATES, MOST_POINTS = 40, 300
FURTHEST = 9
"""Indices that are looked at, from -1 on."""
MOST_CELLS = 3
LARGE = 3


def has_arrays(system: HornSystem) -> bool:
    return any(terms.is_integer_indexed(formal) for p in system.predicates for formal in p.formals)


def scan(system: HornSystem, oracle: Oracle, known: Summaries) -> Summaries | None:
    """A solution, if claims that runs suggest make one."""
    told = bodies(system, oracle)
    loops = _without(system, told)
    guesser = _guesser(loops, oracle.clock)
    for candidates in guesser.rounds() if guesser is not None else ():
        clock = PLAN.scans_round.of(oracle.clock)
        houdini = Houdini(
            loops,
            candidates,
            Oracle(clock, oracle.statistics, query_seconds=oracle.query_seconds, seed=oracle.seed),
            known,
        )
        houdini.run()
        support = houdini.support()
        if support is not None:
            return told | {n: terms.conjunction([known.get(n, terms.TRUE), *kept]) for n, kept in support.items()}
        if oracle.clock.expired():
            break
    return None


def _guesser(loops: HornSystem, clock: Clock) -> _Guesser | None:
    """From runs of the clauses, or of those with smaller numbers where runs do not come to an end; None without any."""
    found = states(loops, clock)
    if found is None or all(found.values()):
        return None if found is None else _Guesser(loops, found, lambda term: term)
    smaller = shrink(loops)
    if smaller is None:
        return _Guesser(loops, found, lambda term: term) if any(found.values()) else None
    found = states(smaller.system, clock)
    return _Guesser(smaller.system, found, smaller.grow) if found is not None and any(found.values()) else None


def _without(system: HornSystem, told: Mapping[str, Term]) -> HornSystem:
    """With the bodies of procedures in place of calls to them: what is proved of it and the bodies is a solution."""
    clauses = []
    for clause in system.clauses:
        if clause.head is not None and clause.head.predicate.name in told:
            continue
        said = [terms.substitute(told[a.predicate.name], a.bind()) for a in clause.body if a.predicate.name in told]
        rest = tuple(atom for atom in clause.body if atom.predicate.name not in told)
        constraint = terms.simplify(terms.conjunction([clause.constraint, *said])) if said else clause.constraint
        clauses.append(Clause(clause.name, clause.head, rest, constraint, clause.origin))
    return HornSystem(tuple(p for p in system.predicates if p.name not in told), tuple(clauses))


class _Guesser:
    def __init__(self, system: HornSystem, found: States, grow: Callable[[Term], Term]) -> None:
        self._system = system
        self._grow = grow
        self._states = {name: _spread(every) for name, every in found.items()}
        self._words = vocabulary(system)
        self._moving = changed(system)
        self._cells = {p.name: _cells(system, p) for p in system.predicates}

    def rounds(self) -> Iterator[dict[str, list[Term]]]:
        """Claims about elements together with plain facts; then with implications between these."""
        about = {p.name: self._about_elements(p) for p in self._system.predicates}
        yield {p.name: [*about[p.name], *self._plain(p, guarded=False)] for p in self._system.predicates}
        yield {p.name: [*about[p.name], *self._plain(p, guarded=True)] for p in self._system.predicates}

    def _plain(self, predicate: Predicate, guarded: bool) -> list[Term]:
        own = frame(predicate)
        views = (*own.views, *self._cells[predicate.name])
        own = Frame(predicate, views)
        points = _points(own, [(state, None) for state in self._states[predicate.name]])
        found = [*guesses(own, points, self._words), *slopes(views, points, self._words, self._moving)]
        if guarded:
            found += sharply_guarded(own, points, self._words, ())
        return self._built(own, found)

    def _built(self, own: Frame, found: Sequence[Guess]) -> list[Term]:
        every = [self._grow(own.close(guess.build(own.terms))) for guess in found]
        return list({term.get_id(): term for term in every}.values())

    def _about_elements(self, predicate: Predicate) -> list[Term]:
        ends = [
            *index_terms(self._system)[predicate.name],
            *final_ends(self._system, predicate),
            *tile_ends(self._system, predicate),
        ]
        own = quantified_frame(predicate, ends, offsets(self._system))
        if own is None or own.bound is None:
            return []
        asked = asked_of_elements(self._system, own.bound)[predicate.name]
        start = len(own.views) + len(self._cells[predicate.name])
        own = replace(
            own,
            views=(
                *own.views,
                *self._cells[predicate.name],
                *(View(term, str(term)) for term in asked),
                *_at_places(predicate, self._system),
            ),
        )
        points = _points(own, _indexed(self._states[predicate.name]))
        return self._built(own, claims(own, points, self._words, range(start, start + len(asked))))


def _cells(system: HornSystem, predicate: Predicate) -> list[View]:
    """Elements at numbers that clauses read or write: variables of their own, as a sum that is kept in memory is."""
    places = {
        value
        for clause in system.clauses
        for index in walk.array_indices(clause.constraint, *(clause.head.arguments if clause.head else ()))
        if (value := operations.literal(index)) is not None
    }
    arrays = [formal for formal in predicate.formals if terms.is_integer_indexed(formal)]
    return [
        View(terms.select(array, terms.integer(place)), f"{terms.name(array)}[{place}]")
        for place in sorted(places)
        for array in arrays
        if terms.is_integer(terms.select(array, terms.integer(place)))
    ][:MOST_CELLS]


def _at_places(predicate: Predicate, system: HornSystem) -> Iterator[View]:
    """Elements at arguments at which clauses read: with that at the place of the smallest others are compared."""
    used = {
        terms.name(index)
        for clause in system.clauses
        for index in walk.array_indices(clause.constraint, *(clause.head.arguments if clause.head else ()))
        if terms.is_variable(index)
    }
    for position, at in enumerate(predicate.formals):
        if terms.name(at) in used and terms.is_integer(at):
            for array in predicate.formals:
                if terms.is_integer_indexed(array):
                    yield View(terms.select(array, at), f"{terms.name(array)}[{terms.name(at)}]", position, near=True)


def _spread(every: Sequence[State]) -> list[State]:
    """A part of the states: by turns of each kind, and kinds are told apart by small numbers among the arguments."""
    kinds: dict[tuple[int, ...], list[State]] = {}
    for state in every:
        kinds.setdefault(tuple(max(-1, min(n, LARGE)) for n in state if isinstance(n, int)), []).append(state)
    turns = chain.from_iterable(zip_longest(*kinds.values()))
    return list(islice((state for state in turns if state is not None), MOST_STATES))


def _indexed(every: Sequence[State]) -> Sequence[tuple[State, int | None]]:
    pairs: list[tuple[State, int | None]] = []
    for state in every:
        numbers = [value for value in state if isinstance(value, int)]
        last = min(FURTHEST, max([abs(n) for n in numbers if abs(n) <= 2 * FURTHEST], default=1) + 1)
        pairs += [(state, index) for index in range(-1, last + 1)]
    step = -(-len(pairs) // MOST_POINTS) or 1
    return pairs[::step]


def _points(own: Frame, pairs: Sequence[tuple[State, int | None]]) -> list[Point]:
    """The values of the views, None for arrays as a whole."""
    variables = [*own.predicate.formals, *([own.bound] if own.bound is not None else [])]
    shown = [i for i, view in enumerate(own.views) if not terms.is_array(view.term)]
    run = rule(variables, terms.TRUE, [own.views[i].term for i in shown])
    found: dict[Point, None] = {}
    for state, index in pairs:
        values: list[Concrete | None] = [*state, *([index] if own.bound is not None else [])]
        point: list[Number | None] = [None] * len(own.views)
        for place, value in zip(shown, run(values) or (), strict=True):
            point[place] = value if isinstance(value, int) else None
        found[tuple(point)] = None
    return list(found)
