"""The product of threads with one predicate for each location: many in number, small in everything else.

A location says where every thread is and which value each listed variable has. Every variable is listed at first; one
to which a step gives a value that is not known, or more values than a few, is not, and the product is made again
without it: then it is an argument of the predicates instead. So mutexes, flags and small counters become part of the
location, and what is left to be found out is about data.

`lift` carries a solution over to the one assertion about all states of the rule of invariance, which is what is
checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from sorrel.encode.steps import ERROR, STOP, Step, initial_values, place_of
from sorrel.encode.transition import Slot, ThreadView, nothing, renaming
from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.terms import Term
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.interleaving import Configuration
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
        """One assertion over the whole vector, as a decision tree: what is shared is said once."""
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

    def points(self, reached: Sequence[Configuration]) -> dict[str, list[tuple[int, ...]]]:
        """The arguments of each predicate in the configurations that were met there; arrays count as 0."""
        found: dict[str, list[tuple[int, ...]]] = {predicate.name: [] for predicate in self.predicates.values()}
        columns = _Columns(self.view)
        for configuration in reached:
            values = columns.of(configuration)
            location = Location(tuple(map(place_of, configuration.places)), tuple(int(values[i]) for i in self.listed))
            predicate = self.predicates.get(location)
            if predicate is not None:
                found[predicate.name].append(tuple(values[i] for i in self.arguments[location]))
        return found

    def _pairs(self, location: Location, formals: Sequence[Term]) -> list[tuple[Term, Term]]:
        kept = (formals[i] for i in self.arguments[location])
        return list(zip(self.predicates[location].formals, kept, strict=True))

    def _key(self, location: Location, formals: Sequence[Term]) -> tuple[Term, ...]:
        counters = [terms.integer(self.view.counters[thread][place]) for thread, place in enumerate(location.places)]
        values = [_constant(formals[i], value) for i, value in zip(self.listed, location.values, strict=True)]
        return (*counters, *values)


class _Columns:
    """Where the value of each slot stands in a configuration."""

    def __init__(self, view: ThreadView) -> None:
        shared = {each.name: i for i, each in enumerate(view.threads.globals)}
        own = [{each.name: i for i, each in enumerate(thread.locals)} for thread in view.threads.threads]
        self._places = [
            None
            if slot.is_counter
            else (None, shared[slot.name])
            if slot.owner is None
            else (int(slot.owner), own[int(slot.owner)][slot.name])
            for slot in view.slots
        ]

    def of(self, configuration: Configuration) -> list[int]:
        return [0 if place is None else self._value(configuration, *place) for place in self._places]

    @staticmethod
    def _value(configuration: Configuration, owner: int | None, position: int) -> int:
        value = configuration.globals[position] if owner is None else configuration.locals[owner][position]
        return int(value) if isinstance(value, int) else 0


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


class _GivenUp(Exception):
    """The product is too large."""


class _NotListed(Exception):
    """This slot has values that are not known, or too many."""

    def __init__(self, position: int) -> None:
        self.position = position


def thread_product(
    view: ThreadView, go_on: Callable[[], bool] = lambda: True, most: int = MOST_LOCATIONS
) -> ThreadProduct | None:
    """None if there are more than `most` locations even if they are places alone, or if time runs out."""
    listed = [i for i, slot in enumerate(view.slots) if not slot.is_counter and slot.sort in (terms.INT, terms.BOOL)]
    effects = _Effects(view)
    while True:
        try:
            return _Making(view, effects, go_on, most, tuple(listed)).run()
        except _NotListed as problem:
            listed.remove(problem.position)
        except _GivenUp:
            return None


@dataclass(frozen=True, slots=True, eq=False)
class _Effect:
    """A step from known values: its conditions, and the new value of each slot that it changes."""

    conditions: tuple[Term, ...]
    values: Mapping[int, Term]


class _Effects:
    """A step does the same wherever the variables that it mentions have the same values, so it is worked out once."""

    def __init__(self, view: ThreadView) -> None:
        self._view = view
        self._mentioned: dict[int, tuple[int, ...]] = {}
        self._known: dict[tuple[int, ...], tuple[Sequence[Term], _Effect | None]] = {}

    def of(self, thread: int, step: Step, before: Sequence[Term]) -> _Effect | None:
        """None if the step cannot be taken."""
        if id(step) not in self._mentioned:
            self._mentioned[id(step)] = self._positions(thread, step)
        given = [before[i] for i in self._mentioned[id(step)]]
        key = (id(step), *(term.get_id() for term in given))
        if key not in self._known:
            self._known[key] = given, self._effect(thread, step, before)
        return self._known[key][1]

    def _changed(self, thread: int, step: Step) -> dict[int, Term]:
        return {
            i: step.values[slot.name]
            for i, slot in enumerate(self._view.slots)
            if not slot.is_counter
            and slot.owner in (thread, None)
            and not step.values[slot.name].eq(step.start[slot.name])
        }

    def _positions(self, thread: int, step: Step) -> tuple[int, ...]:
        read = walk.free_variables(*step.conditions, *step.facts, *self._changed(thread, step).values())
        ids = {variable.get_id() for variable in read}
        return tuple(
            i
            for i, slot in enumerate(self._view.slots)
            if slot.name in step.start and step.start[slot.name].get_id() in ids
        )

    def _effect(self, thread: int, step: Step, before: Sequence[Term]) -> _Effect | None:
        names = Names((slot.name for slot in self._view.slots), reserved=FUNCTION_NAMES)
        rename = renaming(step, {s.name: t for s, t in zip(self._view.slots, before, strict=True)}, names)
        conditions = [terms.simplify(each) for each in terms.substitute_all([*step.conditions, *step.facts], rename)]
        if any(terms.is_false(each) for each in conditions):
            return None
        changed = self._changed(thread, step)
        values = {i: terms.simplify(terms.substitute(value, rename)) for i, value in changed.items()}
        return _Effect(tuple(conditions), values)


@dataclass(slots=True, eq=False)
class _Making:
    view: ThreadView
    effects: _Effects
    go_on: Callable[[], bool]
    most: int
    listed: tuple[int, ...]
    predicates: dict[Location, Predicate] = field(default_factory=dict)
    arguments: dict[Location, tuple[int, ...]] = field(default_factory=dict)
    clauses: list[Clause] = field(default_factory=list)
    waiting: list[Location] = field(default_factory=list)
    seen: dict[int, set[int]] = field(default_factory=dict)
    live: list[Mapping[str, frozenset[Variable]]] = field(default_factory=list)
    outgoing: dict[tuple[int, str], list[Step]] = field(default_factory=dict)
    forgotten: dict[tuple[int, str], Mapping[int, Term]] = field(default_factory=dict)

    def run(self) -> ThreadProduct:
        self.live = [live_variables(thread.procedure) for thread in self.view.threads.threads]
        self.seen = {i: set() for i in self.listed}
        self.outgoing = {(t, s.source): [] for t, steps in self.view.steps.items() for s in steps}
        for thread, steps in self.view.steps.items():
            for step in steps:
                self.outgoing[thread, step.source].append(step)
        self._start()
        while self.waiting:
            location = self.waiting.pop()
            if not self.go_on():
                raise _GivenUp
            if STOP not in location.places:
                self._leave(location)
        system = HornSystem(tuple(self.predicates.values()), tuple(self.clauses))
        return ThreadProduct(self.view, system, self.predicates, self.listed, self.arguments)

    def _start(self) -> None:
        names = Names(reserved=FUNCTION_NAMES)
        threads = self.view.threads
        values, assumed = initial_values(self.view.semantics, threads.globals, threads.initial, names)
        first = {
            i: values[slot.name] if slot.owner is None else nothing(slot.sort)
            for i, slot in enumerate(self.view.slots)
            if not slot.is_counter
        }
        places = tuple(thread.procedure.entry for thread in threads.threads)
        self._clause(None, places, {}, first, assumed, NOWHERE)

    def _leave(self, location: Location) -> None:
        """Every step of every thread from there."""
        known = dict(zip(self.listed, location.values, strict=True))
        before = [nothing(slot.sort) for slot in self.view.slots]
        for i, value in known.items():
            before[i] = _constant(before[i], value)
        for i, formal in zip(self.arguments[location], self.predicates[location].formals, strict=True):
            before[i] = formal
        for thread, place in enumerate(location.places):
            for step in self.outgoing.get((thread, place), ()):
                effect = self.effects.of(thread, step, before)
                if effect is None:
                    continue
                gone = self._forgotten(thread, step.target)
                after = {**dict(enumerate(before)), **effect.values, **gone}
                kept = {i: value for i, value in known.items() if i not in effect.values and i not in gone}
                places = (*location.places[:thread], step.target, *location.places[thread + 1 :])
                self._clause(self._atom(location), places, kept, after, effect.conditions, step.span)

    def _forgotten(self, thread: int, place: str) -> Mapping[int, Term]:
        """Locals of the thread that nobody reads any more there."""
        if (thread, place) not in self.forgotten:
            live = {each.name for each in self.live[thread].get(place, frozenset())}
            self.forgotten[thread, place] = {
                i: nothing(slot.sort)
                for i, slot in enumerate(self.view.slots)
                if slot.owner == thread and not slot.is_counter and slot.name not in live
            }
        return self.forgotten[thread, place]

    def _clause(
        self,
        body: Atom | None,
        places: tuple[str, ...],
        known: Mapping[int, int],
        after: Mapping[int, Term],
        conditions: Sequence[Term],
        span: Span,
    ) -> None:
        """`known` are values of listed slots that need not be read from `after`."""
        name = f"{len(self.clauses)}"
        bodies = (body,) if body else ()
        constraint = terms.conjunction(conditions)
        if ERROR in places:
            self.clauses.append(Clause(f"error#{name}", None, bodies, constraint, span))
            return
        location = Location(places, tuple(known[i] if i in known else self._value(i, after[i]) for i in self.listed))
        if location not in self.predicates:
            self._declare(location)
        head = Atom(self.predicates[location], tuple(after[i] for i in self.arguments[location]))
        self.clauses.append(Clause(f"step#{name}", head, bodies, constraint, span))

    def _value(self, position: int, term: Term) -> int:
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
            raise _GivenUp
        raise _NotListed(max(self.listed, key=lambda i: len(self.seen[i])))


def _constant(like: Term, value: int) -> Term:
    if terms.is_boolean(like):
        return terms.TRUE if value else terms.FALSE
    return terms.integer(value)
