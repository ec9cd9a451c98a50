"""Predicates split by the values of arguments that say where a program is: one predicate for each place.

A program whose places are encoded in truth values, or in a counter with few values, hides its control-flow graph from
an engine. Here the valuations that can be reached, as far as single clauses tell, are enumerated with a solver, and
each gets a predicate of its own. A solution goes back as the disjunction of "here, and what holds here".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step, Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate, value_in
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Session, Undecided, Unsat
from sorrel.transform.counters import counter_positions
from sorrel.transform.lift import Transformed, complete

MOST_PLACES, MOST_CLAUSES = 400, 4_000
"""More than these are no control-flow graph, but data in disguise."""

Values = tuple[Term, ...]
"""Of the arguments that a predicate is split by, in their order."""
Key = tuple[int, ...]
"""The same by the identities of the values, which the places hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A predicate at one valuation of the arguments that it is split by."""

    whole: Predicate
    values: Values
    predicate: Predicate


@dataclass(frozen=True, slots=True, eq=False)
class _Instance:
    """A clause between places: `fixed` are the values of its variables that the places determine."""

    clause: Clause
    origin: Clause
    fixed: Mapping[Term, Term]


class _TooMany(Exception):
    """There are more places than a graph is worth, or the solver could not say which there are."""


def split_by_control(system: HornSystem, oracle: Oracle) -> Transformed | None:
    """Split every predicate that has truth values or counters among its arguments; None if that does not pay."""
    positions = _control_positions(system)
    if not any(positions.values()) or system.obligations:
        return None
    splitting = _Splitting(system, positions, oracle)
    try:
        instances = list(splitting.instances())
    except _TooMany:
        return None
    return splitting.result(instances)


def _control_positions(system: HornSystem) -> dict[str, tuple[int, ...]]:
    counters = counter_positions(system)
    return {
        p.name: tuple(i for i, sort in enumerate(p.sorts) if sort == terms.BOOL or (p.name, i) in counters)
        for p in system.predicates
    }


class _Splitting:
    def __init__(self, system: HornSystem, positions: Mapping[str, tuple[int, ...]], oracle: Oracle) -> None:
        self._system = system
        self._positions = positions
        self._oracle = oracle
        self._places: dict[str, dict[Key, Place]] = {p.name: {} for p in system.predicates}
        self._sessions: dict[str, Session] = {}
        self._names = Names(p.name for p in system.predicates)
        self._count = 0

    def result(self, instances: Sequence[_Instance]) -> Transformed:
        by_name = {instance.clause.name: instance for instance in instances}
        predicates = tuple(place.predicate for places in self._places.values() for place in places.values())
        smaller = HornSystem(predicates, tuple(instance.clause for instance in instances))

        def derivation(found: Derivation) -> Derivation:
            steps: list[Step] = []
            facts: list[tuple[Term, ...]] = []
            for step in found.steps:
                instance = by_name[step.clause]
                clause = instance.origin
                known = {**step.values, **instance.fixed}
                values = complete(clause, known, [facts[p] for p in step.premises])
                steps.append(Step(clause.name, values, step.premises))
                facts.append(_point(clause, values))
            return Derivation(tuple(steps))

        return Transformed(smaller, self._summaries, derivation)

    # Which places there are

    def instances(self) -> Iterator[_Instance]:
        """All clauses between places, from the facts on: each combination of places in a body is looked at once."""
        done: set[tuple[str, tuple[Key, ...]]] = set()
        changed = True
        while changed:
            changed = False
            for clause in self._system.clauses:
                known = [list(self._places[atom.predicate.name].items()) for atom in clause.body]
                for choice in product(*known):
                    combination = (clause.name, tuple(key for key, _ in choice))
                    if combination not in done:
                        done.add(combination)
                        changed = True
                        yield from self._instantiate(clause, [place for _, place in choice])

    def _instantiate(self, clause: Clause, body: Sequence[Place]) -> Iterator[_Instance]:
        """The clause with its calls at these places, once for every place that its head can then be at."""
        session = self._sessions.get(clause.name)
        if session is None:
            session = self._sessions[clause.name] = self._oracle.session("control")
            session.add(clause.constraint)
        session.push()
        session.add(*self._at(clause.body, body))
        targets = self._control(clause.head) if clause.head else []
        while True:
            match session.check():
                case Sat(model):
                    values = tuple(value_in(model, target) for target in targets)
                case Unsat():
                    break
                case Undecided(reason):
                    raise _TooMany(reason)
            self._count += 1
            if self._count > MOST_CLAUSES:
                raise _TooMany
            head = self._place(clause.head.predicate, values) if clause.head else None
            yield self._instance(clause, body, head)
            if not targets:
                break
            equations = [terms.equal(t, v) for t, v in zip(targets, values, strict=True)]
            session.add(terms.negation(terms.conjunction(equations)))
        session.pop()

    def _control(self, atom: Atom) -> list[Term]:
        return [atom.arguments[i] for i in self._positions[atom.predicate.name]]

    def _at(self, atoms: Sequence[Atom], places: Sequence[Place]) -> list[Term]:
        return [
            terms.equal(argument, value)
            for atom, place in zip(atoms, places, strict=True)
            for argument, value in zip(self._control(atom), place.values, strict=True)
        ]

    def _place(self, whole: Predicate, values: Values) -> Place:
        places = self._places[whole.name]
        key = tuple(map(terms.identity, values))
        if key not in places:
            if sum(map(len, self._places.values())) >= MOST_PLACES:
                raise _TooMany
            rest = tuple(a for i, a in enumerate(whole.arguments) if i not in self._positions[whole.name])
            name = self._names.fresh(f"{whole.name}@{len(places)}") if values else whole.name
            places[key] = Place(whole, values, Predicate(name, rest))
        return places[key]

    def _instance(self, clause: Clause, body: Sequence[Place], head: Place | None) -> _Instance:
        atoms = [*clause.body, *([clause.head] if clause.head else [])]
        places = [*body, *([head] if head else [])]
        controls = [
            pair for a, p in zip(atoms, places, strict=True) for pair in zip(self._control(a), p.values, strict=True)
        ]
        fixed = {argument: value for argument, value in controls if terms.is_variable(argument)}
        pairs = list(fixed.items())
        conditions = [terms.substitute(each, pairs) for each in (clause.constraint, *self._at(atoms, places))]
        narrow = [self._narrowed(atom, place).substitute(pairs) for atom, place in zip(atoms, places, strict=True)]
        instance = Clause(
            f"{clause.name}@{self._count}",
            narrow.pop() if head else None,
            tuple(narrow),
            terms.simplify(terms.conjunction(conditions)),
            clause.origin,
        )
        return _Instance(instance, clause, fixed)

    def _narrowed(self, atom: Atom, place: Place) -> Atom:
        gone = self._positions[atom.predicate.name]
        return Atom(place.predicate, tuple(a for i, a in enumerate(atom.arguments) if i not in gone))

    # The way back

    def _summaries(self, found: Summaries, _: Oracle) -> Summaries:
        """Where a predicate has no place nothing is derived."""
        lifted: dict[str, Term] = {}
        for predicate in self._system.predicates:
            gone = self._positions[predicate.name]
            rest = [f for i, f in enumerate(predicate.formals) if i not in gone]
            cases = []
            for place in self._places[predicate.name].values():
                here = [terms.equal(predicate.formals[i], v) for i, v in zip(gone, place.values, strict=True)]
                pairs = zip(place.predicate.formals, rest, strict=True)
                said = terms.substitute(found.get(place.predicate.name, terms.TRUE), pairs)
                cases.append(terms.conjunction([*here, said]))
            lifted[predicate.name] = terms.disjunction(cases)
        return lifted


def _point(clause: Clause, values: Mapping[Term, Term]) -> tuple[Term, ...]:
    return tuple(evaluate(argument, values) for argument in (clause.head.arguments if clause.head else ()))
