"""The clauses of a rule with a predicate for each place: what is asserted where a thread is, place by place.

In a condition about several threads the places of the others are variables. Here such a condition becomes one for each
place that they stand for, so that every assertion is about a constant place and can be split by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from sorrel.encode.rules.instance import Instance
from sorrel.encode.transition import ThreadView
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.transform.lift import Transformed, joined
from sorrel.transform.split import split_by_constants

MOST_CLAUSES = 6000

Counters = Mapping[str, Mapping[int, Sequence[int]]]
"""For each predicate, the positions to split it by, and the places that each of them may stand for."""
Binding = dict[int, tuple[Term, Term]]
"""Variables that stand for places, by their ids, with the places."""


def by_places(instance: Instance, go_on: Callable[[], bool] = lambda: True) -> Transformed | None:
    """Assertions split by the places of their own threads; None if there would be too many clauses, or time is over."""
    counters = _counters(instance)
    placed = _Placing(instance.system, counters).run(go_on)
    if placed is None:
        return None
    positions = {name: tuple(places) for name, places in counters.items()}
    return joined([placed, split_by_constants(placed.system, positions)])


def _counters(instance: Instance) -> Counters:
    """An assertion about a thread is split by that thread's place, one about all of them by every place."""
    found: dict[str, dict[int, Sequence[int]]] = {}
    view = instance.view
    for name, origin in instance.origins.items():
        if not isinstance(view, ThreadView) or len(origin.slots) != 1:
            continue
        own = {int(index) for index in origin.indices} or set(view.counters)
        found[name] = {
            position: sorted(view.counters[int(slot.owner or 0)].values())
            for position, slot in enumerate(origin.slots[0])
            if slot.is_counter and slot.owner in own
        }
    return found


class _Placing:
    """Instances of the clauses for the places that can be reached at all, whatever the data are."""

    def __init__(self, system: HornSystem, counters: Counters) -> None:
        self._system = system
        self._counters = counters
        self._known: dict[str, dict[tuple[int, ...], tuple[Term, ...]]] = {name: {} for name in system.predicate}
        self._waiting: list[tuple[str, tuple[Term, ...]]] = []
        self._made: dict[tuple[str, tuple[int, ...]], tuple[Clause, Binding]] = {}
        self._mentioned: dict[str, set[int]] = {}
        self._count = 0

    def run(self, go_on: Callable[[], bool]) -> Transformed | None:
        for clause in self._system.clauses:
            if not any(self._counters.get(atom.predicate.name) for atom in clause.body):
                self._make(clause, {})
        while self._waiting:
            name, places = self._waiting.pop()
            for clause in self._system.using[name]:
                for position, atom in enumerate(clause.body):
                    if atom.predicate.name == name:
                        self._use(clause, position, places)
            if self._count > MOST_CLAUSES or not go_on():
                return None
        origins = {clause.name: (key[0], binding) for key, (clause, binding) in self._made.items()}
        clauses = tuple(clause for clause, _ in self._made.values())

        def derivation(found: Derivation) -> Derivation:
            return Derivation(tuple(_original(step, *origins[step.clause]) for step in found.steps))

        return Transformed(HornSystem(self._system.predicates, clauses), lambda found, _: found, derivation)

    def _use(self, clause: Clause, position: int, places: tuple[Term, ...]) -> None:
        """All instances in which this call is at these places, and the others at places that are known."""
        bindings = [b for b in (self._match(clause.body[position], places, {}),) if b is not None]
        for other, atom in enumerate(clause.body):
            if other != position and self._counters.get(atom.predicate.name):
                bindings = [
                    found
                    for binding in bindings
                    for known in self._known[atom.predicate.name].values()
                    if (found := self._match(atom, known, binding)) is not None
                ]
        for binding in bindings:
            self._make(clause, binding)

    def _match(self, atom: Atom, places: tuple[Term, ...], binding: Binding) -> Binding | None:
        found = dict(binding)
        for position, place in zip(self._counters[atom.predicate.name], places, strict=True):
            argument = atom.arguments[position]
            if terms.is_variable(argument):
                if not found.setdefault(argument.get_id(), (argument, place))[1].eq(place):
                    return None
            elif not argument.eq(place):
                return None
        return found

    def _make(self, clause: Clause, binding: Binding) -> None:
        for pairs in self._completed(clause, list(binding.values())):
            key = (clause.name, tuple(place.get_id() for _, place in sorted(pairs, key=lambda p: terms.name_of(p[0]))))
            if key in self._made:
                continue
            constraint = self._constraint(clause, pairs)
            if terms.is_false(constraint):
                continue
            head = _at(clause.head, pairs) if clause.head else None
            self._count += 1
            name = f"{clause.name}@{self._count}"
            body = tuple(_at(atom, pairs) for atom in clause.body)
            made = Clause(name, head, body, constraint, clause.origin)
            self._made[key] = (made, {variable.get_id(): (variable, place) for variable, place in pairs})
            if head is not None and self._counters.get(head.predicate.name):
                places = tuple(head.arguments[position] for position in self._counters[head.predicate.name])
                known = self._known[head.predicate.name]
                if known.setdefault(tuple(p.get_id() for p in places), places) is places:
                    self._waiting.append((head.predicate.name, places))

    def _constraint(self, clause: Clause, pairs: Sequence[tuple[Term, Term]]) -> Term:
        """Most constraints do not speak of places, and stay as they are."""
        mentioned = self._mentioned.get(clause.name)
        if mentioned is None:
            mentioned = self._mentioned[clause.name] = {v.get_id() for v in walk.free_variables(clause.constraint)}
        here = [(variable, place) for variable, place in pairs if variable.get_id() in mentioned]
        return terms.simplify(terms.substitute(clause.constraint, here)) if here else clause.constraint

    def _completed(self, clause: Clause, pairs: list[tuple[Term, Term]]) -> Iterator[list[tuple[Term, Term]]]:
        """With each choice of the places of the head that no call fixes."""
        bound = {variable.get_id() for variable, _ in pairs}
        open_ = {}
        if clause.head is not None:
            for position, places in self._counters.get(clause.head.predicate.name, {}).items():
                argument = clause.head.arguments[position]
                if terms.is_variable(argument) and argument.get_id() not in bound:
                    open_[argument.get_id()] = [(argument, terms.integer(place)) for place in places]
        for chosen in product(*open_.values()):
            yield [*pairs, *chosen]


def _original(step: Step, name: str, binding: Binding) -> Step:
    return Step(name, {**step.values, **dict(binding.values())}, step.premises)


def _at(atom: Atom, pairs: Sequence[tuple[Term, Term]]) -> Atom:
    places = {variable.get_id(): place for variable, place in pairs}
    return Atom(
        atom.predicate,
        tuple(
            places.get(a.get_id(), a) if terms.is_variable(a) or terms.is_value(a) else terms.substitute(a, pairs)
            for a in atom.arguments
        ),
    )
