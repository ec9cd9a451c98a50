"""Remove arguments that nothing depends on, and arguments that always have the same value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
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
    occurrences = {clause.name: _occurrences(clause) for clause in system.clauses}
    changed = True
    while changed:
        changed = False
        for clause in system.clauses:
            inside, in_constraint = occurrences[clause.name]
            free = _only_in(clause, candidates)
            for atom in clause.body:
                for index, argument in enumerate(atom.arguments):
                    position = (atom.predicate.name, index)
                    if position not in candidates:
                        continue
                    alone = (
                        terms.is_variable(argument)
                        and inside[argument.get_id()] == 1
                        and argument.get_id() not in in_constraint
                        and argument.get_id() in free
                    )
                    if not alone:
                        candidates.discard(position)
                        changed = True
    return candidates


def _droppable(system: HornSystem) -> set[Position]:
    fixed = {a.predicate.name for o in system.obligations for a in o.relation}
    return {(p.name, i) for p in system.predicates if p.name not in fixed for i in range(len(p.arguments))}


def _occurrences(clause: Clause) -> tuple[Counter[int], set[int]]:
    """How many body arguments mention each variable, and which variables the constraint mentions."""
    inside: Counter[int] = Counter()
    for atom in clause.body:
        for argument in atom.arguments:
            inside.update(v.get_id() for v in walk.free_variables(argument))
    return inside, {v.get_id() for v in walk.free_variables(clause.constraint)}


def _only_in(clause: Clause, candidates: Collection[Position]) -> set[int]:
    """Variables of the clause that its head mentions in candidate positions at most."""
    needed: set[int] = set()
    if clause.head:
        for index, argument in enumerate(clause.head.arguments):
            if (clause.head.predicate.name, index) not in candidates:
                needed.update(v.get_id() for v in walk.free_variables(argument))
    return {v.get_id() for v in clause.variables} - needed


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


def _constants(system: HornSystem) -> dict[Position, Term]:
    """The greatest set of positions that are equal to one value in every derivable fact."""
    droppable = _droppable(system)
    values: dict[Position, Term | None] = dict.fromkeys(droppable)  # None: no value seen yet
    varying: set[Position] = set()
    changed = True
    while changed:
        changed = False
        for clause in system.clauses:
            if clause.head is None:
                continue
            for index, argument in enumerate(clause.head.arguments):
                position = (clause.head.predicate.name, index)
                if position not in droppable or position in varying:
                    continue
                changed |= _meet(position, _known_value(clause, argument, values, varying), values, varying)
    return {
        position: value for position, value in sorted(values.items()) if value is not None and position not in varying
    }


def _meet(position: Position, seen: Term | str, values: dict[Position, Term | None], varying: set[Position]) -> bool:
    """Combine what is known of a position with one more occurrence; did anything change?"""
    if isinstance(seen, str):
        if seen == "varying":
            varying.add(position)
        return seen == "varying"
    known = values[position]
    if known is None:
        values[position] = seen
        return True
    if not terms.same(known, seen):
        varying.add(position)
        return True
    return False


def _known_value(
    clause: Clause, argument: Term, values: Mapping[Position, Term | None], varying: Collection[Position]
) -> Term | str:
    """The value of a head argument: itself, that of a constant position it is passed from, or a word."""
    if terms.is_value(argument):
        return argument
    if terms.is_variable(argument):
        for atom in clause.body:
            for index, passed in enumerate(atom.arguments):
                position = (atom.predicate.name, index)
                if terms.same(passed, argument) and position in values and position not in varying:
                    value = values[position]
                    return value if value is not None else "unseen"
    return "varying"


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
