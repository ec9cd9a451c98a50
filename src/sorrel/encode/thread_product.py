"""The product of threads with one predicate for each location: many in number, small in everything else.

A location says where every thread is and which value each listed variable has. Every variable is listed at first; one
to which a step gives a value that is not known, or more values than a few, is not, and the product is made again
without it: then it is an argument of the predicates instead. So mutexes, flags and small counters become part of the
location, and what is left to be found out is about data.

`lift` carries a solution over to the one assertion about all states of the rule of invariance, which is what is
checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sorrel.encode.steps import ERROR, STOP, Step, initial_values
from sorrel.encode.transition import Slot, ThreadView, nothing, renaming
from sorrel.errors import NOWHERE, Span
from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.printing import FUNCTION_NAMES
from sorrel.logic.terms import Term
from sorrel.program.expression import Variable
from sorrel.program.liveness import live_variables

MOST_LOCATIONS = 6_000
MOST_VALUES = 6
"""A variable with more values than this is not part of the location."""


@dataclass(frozen=True, slots=True)
class Location:
    """The place of each thread, and the value of each listed slot, in the order of the view's slots."""

    places: tuple[str, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ThreadProduct:
    """`listed` and `arguments` are positions of the view's slots: of each location's values, and of its predicate."""

    view: ThreadView
    system: HornSystem
    predicates: Mapping[Location, Predicate]
    listed: tuple[int, ...]
    arguments: Mapping[Location, tuple[int, ...]]

    def lift(self, found: Summaries, formals: Sequence[Term]) -> Term:
        """One assertion over the whole vector, as a decision tree over places and values, which shares parts."""
        columns = [i for i, slot in enumerate(self.view.slots) if slot.is_counter]
        level: dict[tuple[Term, ...], Term] = {}
        for location, predicate in self.predicates.items():
            said = terms.substitute(found[predicate.name], self._pairs(location, formals))
            if not terms.is_false(said):
                level[self._key(location, formals)] = said
        columns += self.listed
        for depth in reversed(range(len(columns))):
            level = _one_column_less(level, formals[columns[depth]], depth)
        return level.get((), terms.FALSE)

    def _pairs(self, location: Location, formals: Sequence[Term]) -> list[tuple[Term, Term]]:
        kept = (formals[i] for i in self.arguments[location])
        return list(zip(self.predicates[location].formals, kept, strict=True))

    def _key(self, location: Location, formals: Sequence[Term]) -> tuple[Term, ...]:
        counters = [terms.integer(self.view.counters[thread][place]) for thread, place in enumerate(location.places)]
        values = [_constant(formals[i], value) for i, value in zip(self.listed, location.values, strict=True)]
        return (*counters, *values)


def _one_column_less(level: Mapping[tuple[Term, ...], Term], formal: Term, depth: int) -> dict[tuple[Term, ...], Term]:
    by_prefix: dict[tuple[Term, ...], dict[int, tuple[Term, list[Term]]]] = {}
    for key, rest in level.items():
        groups = by_prefix.setdefault(key[:depth], {})
        groups.setdefault(rest.get_id(), (rest, []))[1].append(key[depth])
    return {
        prefix: terms.disjunction(
            terms.conjunction([terms.disjunction(terms.equal(formal, value) for value in values), rest])
            for rest, values in groups.values()
        )
        for prefix, groups in by_prefix.items()
    }


class _NotListed(Exception):
    """This slot has values that are not known, or too many."""

    def __init__(self, position: int) -> None:
        self.position = position


def thread_product(view: ThreadView, most: int = MOST_LOCATIONS) -> ThreadProduct | None:
    """None if there are more than `most` locations even if they are places alone."""
    listed = [i for i, slot in enumerate(view.slots) if not slot.is_counter and slot.sort in (terms.INT, terms.BOOL)]
    while True:
        try:
            return _Making(view, most, tuple(listed)).run()
        except _NotListed as problem:
            listed.remove(problem.position)
        except OverflowError:
            return None


@dataclass(slots=True, eq=False)
class _Making:
    view: ThreadView
    most: int
    listed: tuple[int, ...]
    predicates: dict[Location, Predicate] = field(default_factory=dict)
    arguments: dict[Location, tuple[int, ...]] = field(default_factory=dict)
    clauses: list[Clause] = field(default_factory=list)
    waiting: list[Location] = field(default_factory=list)
    seen: dict[int, set[int]] = field(default_factory=dict)
    live: list[Mapping[str, frozenset[Variable]]] = field(default_factory=list)

    def run(self) -> ThreadProduct:
        self.live = [live_variables(thread.procedure) for thread in self.view.threads.threads]
        self.seen = {i: set() for i in self.listed}
        self._start()
        while self.waiting:
            location = self.waiting.pop()
            for thread, place in enumerate(location.places):
                if STOP not in location.places:
                    for step in self.view.steps[thread]:
                        if step.source == place:
                            self._step(location, thread, step)
        system = HornSystem(tuple(self.predicates.values()), tuple(self.clauses))
        return ThreadProduct(self.view, system, self.predicates, self.listed, self.arguments)

    def _start(self) -> None:
        names = Names(reserved=FUNCTION_NAMES)
        threads = self.view.threads
        values, assumed = initial_values(self.view.semantics, threads.globals, threads.initial, names)
        first = [
            values[slot.name] if slot.owner is None and not slot.is_counter else nothing(slot.sort)
            for slot in self.view.slots
        ]
        places = tuple(thread.procedure.entry for thread in threads.threads)
        self._clause(None, places, first, assumed, NOWHERE)

    def _step(self, location: Location, thread: int, step: Step) -> None:
        before = self._before(location)
        names = Names(map(terms.name_of, self.predicates[location].formals), reserved=FUNCTION_NAMES)
        rename = renaming(step, {s.name: t for s, t in zip(self.view.slots, before, strict=True)}, names)
        conditions = [terms.simplify(each) for each in terms.substitute_all([*step.conditions, *step.facts], rename)]
        if any(terms.is_false(each) for each in conditions):
            return
        live = self.live[thread]
        kept = {each.name for each in live.get(step.target, frozenset())}
        after = list(before)
        for i, slot in enumerate(self.view.slots):
            if slot.owner == thread and slot.name not in kept:
                after[i] = nothing(slot.sort)
            elif slot.owner in (thread, None) and not step.values[slot.name].eq(step.start[slot.name]):
                after[i] = terms.simplify(terms.substitute(step.values[slot.name], rename))
        places = (*location.places[:thread], step.target, *location.places[thread + 1 :])
        self._clause(self._atom(location), places, after, conditions, step.span)

    def _before(self, location: Location) -> list[Term]:
        """The whole vector: known values, arguments, and what nobody reads."""
        vector = [nothing(slot.sort) for slot in self.view.slots]
        for i, value in zip(self.listed, location.values, strict=True):
            vector[i] = _constant(vector[i], value)
        for i, formal in zip(self.arguments[location], self.predicates[location].formals, strict=True):
            vector[i] = formal
        return vector

    def _clause(
        self, body: Atom | None, places: tuple[str, ...], after: Sequence[Term], conditions: Sequence[Term], span: Span
    ) -> None:
        name = f"{len(self.clauses)}"
        bodies = (body,) if body else ()
        constraint = terms.conjunction(conditions)
        if ERROR in places:
            self.clauses.append(Clause(f"error#{name}", None, bodies, constraint, span))
            return
        location = Location(places, tuple(self._known(i, after[i]) for i in self.listed))
        if location not in self.predicates:
            self._declare(location)
        head = Atom(self.predicates[location], tuple(after[i] for i in self.arguments[location]))
        self.clauses.append(Clause(f"step#{name}", head, bodies, constraint, span))

    def _known(self, position: int, term: Term) -> int:
        number = terms.as_number(term)
        if number is None:
            raise _NotListed(position)
        self.seen[position].add(int(number))
        if len(self.seen[position]) > MOST_VALUES:
            raise _NotListed(position)
        return int(number)

    def _atom(self, location: Location) -> Atom:
        predicate = self.predicates[location]
        return Atom(predicate, predicate.formals)

    def _declare(self, location: Location) -> None:
        if len(self.predicates) >= self.most:
            self._give_up()
        name = f"R{len(self.predicates)}"
        names = Names(reserved=FUNCTION_NAMES | {name})
        kept = tuple(i for i, slot in enumerate(self.view.slots) if self._is_argument(i, slot, location))
        slots = [self.view.slots[i] for i in kept]
        arguments = tuple(Argument(names.fresh(slot.name), slot.sort, base=slot.base) for slot in slots)
        self.predicates[location] = Predicate(name, arguments)
        self.arguments[location] = kept
        self.waiting.append(location)

    def _is_argument(self, position: int, slot: Slot, location: Location) -> bool:
        if slot.is_counter or position in self.listed:
            return False
        if slot.owner is None:
            return True
        thread = int(slot.owner)
        return any(each.name == slot.name for each in self.live[thread].get(location.places[thread], frozenset()))

    def _give_up(self) -> None:
        """Too many locations: without the variable that has most values there are fewer."""
        if not self.listed:
            raise OverflowError
        raise _NotListed(max(self.listed, key=lambda i: len(self.seen[i])))


def _constant(like: Term, value: int) -> Term:
    if terms.is_boolean(like):
        return terms.TRUE if value else terms.FALSE
    return terms.integer(value)
