"""Arguments that are equal wherever a predicate is reached, such as a parameter and what was given for it.

Congruence by refinement (Alpern, Wegman and Zadeck, POPL 1988): all are equal at first, and those that a clause gives
different terms are told apart, until no clause does.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms

Classes = dict[str, dict[str, int]]
"""For each predicate the number of the class of each argument that is an integer."""


def first_of_equals(system: HornSystem) -> dict[str, dict[str, str]]:
    """For each predicate the first argument that each one is equal to."""
    classes: Classes = {
        p.name: {terms.name(formal): 0 for formal in p.formals if terms.is_integer(formal)} for p in system.predicates
    }
    changed = True
    while changed:
        changed = False
        for predicate in system.predicates:
            finer = _refined(system.defining[predicate.name], classes, predicate.name)
            changed |= max(finer.values(), default=0) > max(classes[predicate.name].values(), default=0)
            classes[predicate.name] = finer
    return {name: _first(known) for name, known in classes.items()}


def _refined(clauses: list[Clause] | tuple[Clause, ...], classes: Classes, name: str) -> dict[str, int]:
    keys: dict[str, list[Hashable]] = {formal: [number] for formal, number in classes[name].items()}
    for clause in clauses:
        sources: dict[str, Hashable] = {}
        for position, atom in enumerate(clause.body):
            of_atom = classes[atom.predicate.name]
            for formal, argument in atom.bind():
                if terms.is_variable(argument) and terms.is_integer(argument):
                    sources.setdefault(terms.name(argument), (position, of_atom[terms.name(formal)]))
        for formal, argument in clause.head.bind() if clause.head else ():
            if terms.name(formal) in keys:
                known = sources.get(terms.name(argument)) if terms.is_variable(argument) else None
                keys[terms.name(formal)].append(known or terms.identity(argument))
    numbers: dict[Hashable, int] = {}
    return {formal: numbers.setdefault(tuple(key), len(numbers)) for formal, key in keys.items()}


def _first(classes: Mapping[str, int]) -> dict[str, str]:
    first: dict[int, str] = {}
    return {name: first.setdefault(number, name) for name, number in classes.items()}
