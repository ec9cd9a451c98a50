"""Remove arguments that nothing depends on, and arguments that always have the same value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed, replay, unchanged

Position = tuple[str, int]
"""A predicate, by name, and the index of an argument."""


def remove_unused_arguments(system: HornSystem) -> Transformed:
    """An argument is unused if every call passes a variable that matters nowhere but in unused places again."""
    unused = _unused(system)
    if not unused:
        return unchanged(system)
    smaller, _ = _without(system, unused)

    def derivation(found: Derivation) -> Derivation:
        return replay(system, found.steps)

    return Transformed(smaller, lambda found, _: found, derivation)


def _unused(system: HornSystem) -> set[Position]:
    candidates = _droppable(system)
    views = [_View.of(clause) for clause in system.clauses]
    changed = True
    while changed:
        changed = False
        for view in views:
            needed = view.needed_by_head(candidates)
            for position, variable in view.calls:
                if position in candidates and (variable is None or variable in needed or variable in view.shared):
                    candidates.discard(position)
                    changed = True
    return candidates


@dataclass(frozen=True, slots=True)
class _View:
    """A clause as places and variables: each argument of a call (a lone variable, or None), and each of the head."""

    calls: list[tuple[Position, int | None]]
    head: list[tuple[Position, set[int]]]
    shared: set[int]  # variables of the constraint, or of more than one argument of calls

    @staticmethod
    def of(clause: Clause) -> _View:
        inside: Counter[int] = Counter()
        calls: list[tuple[Position, int | None]] = []
        for atom in clause.body:
            for index, argument in enumerate(atom.arguments):
                found = [v.get_id() for v in walk.free_variables(argument)]
                inside.update(found)
                lone = found[0] if terms.is_variable(argument) else None
                calls.append(((atom.predicate.name, index), lone))
        shared = {v.get_id() for v in walk.free_variables(clause.constraint)}
        shared |= {variable for variable, count in inside.items() if count > 1}
        head = [
            ((clause.head.predicate.name, index), {v.get_id() for v in walk.free_variables(argument)})
            for index, argument in enumerate(clause.head.arguments if clause.head else ())
            if clause.head
        ]
        return _View(calls, head, shared)

    def needed_by_head(self, candidates: Collection[Position]) -> set[int]:
        """Variables that the head mentions in places that are used."""
        return {variable for position, found in self.head if position not in candidates for variable in found}


def _droppable(system: HornSystem) -> set[Position]:
    fixed = {a.predicate.name for o in system.obligations for a in o.relation}
    return {(p.name, i) for p in system.predicates if p.name not in fixed for i in range(len(p.arguments))}


def remove_constant_arguments(system: HornSystem) -> Transformed:
    """An argument is constant if every defining clause gives it the same value, or passes its own on."""
    constant = _constants(system)
    if not constant:
        return unchanged(system)
    smaller, _ = _without(system, constant)

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        lifted = dict(found)
        for (name, index), value in constant.items():
            formal = system.predicate[name].formals[index]
            lifted[name] = terms.conjunction([lifted[name], terms.equal(formal, value)])
        return lifted

    def derivation(found: Derivation) -> Derivation:
        return replay(system, found.steps)

    return Transformed(smaller, summaries, derivation)


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """What a clause gives to an argument of its head: a value with its identity, or what calls have at these places."""

    position: Position
    value: tuple[int, Term] | None
    passed: tuple[Position, ...]


def _constants(system: HornSystem) -> dict[Position, Term]:
    """The greatest set of positions that are equal to one value in every derivable fact."""
    values: dict[Position, tuple[int, Term] | None] = dict.fromkeys(_droppable(system))  # None: no value seen yet
    varying: set[Position] = set()
    given = [each for clause in system.clauses for each in _given(clause) if each.position in values]
    changed = True
    while changed:
        changed = False
        given = [each for each in given if each.position not in varying]
        for each in given:
            changed |= each.position not in varying and _meet(each, values, varying)
    return {
        position: known[1]
        for position, known in sorted(values.items())
        if known is not None and position not in varying
    }


def _given(clause: Clause) -> Iterator[_Given]:
    if clause.head is None:
        return
    passed: dict[int, list[Position]] = {}
    for atom in clause.body:
        for index, argument in enumerate(atom.arguments):
            passed.setdefault(argument.get_id(), []).append((atom.predicate.name, index))
    for index, argument in enumerate(clause.head.arguments):
        value = (argument.get_id(), argument) if terms.is_value(argument) else None
        places = passed.get(argument.get_id(), ()) if terms.is_variable(argument) else ()
        yield _Given((clause.head.predicate.name, index), value, tuple(places))


def _meet(given: _Given, values: dict[Position, tuple[int, Term] | None], varying: set[Position]) -> bool:
    """Combine what is known of a position with one more occurrence; did anything change?"""
    seen = given.value
    if seen is None:
        source = next((place for place in given.passed if place in values and place not in varying), None)
        if source is None:
            varying.add(given.position)
            return True
        seen = values[source]
        if seen is None:
            return False
    known = values[given.position]
    if known is None:
        values[given.position] = seen
        return True
    if known[0] != seen[0]:
        varying.add(given.position)
        return True
    return False


def _without(
    system: HornSystem, dropped: Collection[Position] | Mapping[Position, Term]
) -> tuple[HornSystem, dict[str, Predicate]]:
    """The system without some arguments; where a value is given, calls must have passed that value."""
    smaller: dict[str, Predicate] = {}
    for p in system.predicates:
        kept = tuple(a for i, a in enumerate(p.arguments) if (p.name, i) not in dropped)
        smaller[p.name] = p if len(kept) == len(p.arguments) else Predicate(p.name, kept)

    def shrink(atom: Atom) -> Atom:
        name = atom.predicate.name
        return Atom(smaller[name], tuple(a for i, a in enumerate(atom.arguments) if (name, i) not in dropped))

    values = dropped if isinstance(dropped, Mapping) else {}
    clauses: list[Clause] = []
    for clause in system.clauses:
        equations = [
            terms.equal(argument, values[(atom.predicate.name, index)])
            for atom in clause.body
            for index, argument in enumerate(atom.arguments)
            if (atom.predicate.name, index) in values
        ]
        clauses.append(
            Clause(
                clause.name,
                shrink(clause.head) if clause.head else None,
                tuple(map(shrink, clause.body)),
                terms.conjunction([clause.constraint, *equations]),
                clause.origin,
            )
        )
    return HornSystem(tuple(smaller.values()), tuple(clauses), system.obligations), smaller
