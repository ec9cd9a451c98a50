"""Arguments that are equal wherever a predicate is reached, such as a parameter and what was given for it: one is kept.

Which are equal is a congruence by refinement (Alpern, Wegman and Zadeck, POPL 1988): all of a sort are at first, and
those that a clause gives different terms are told apart, until no clause does.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed, replay, unchanged

Classes = dict[str, dict[str, int]]
"""For each predicate the number of the class of each argument."""
First = Mapping[str, Mapping[str, str]]
"""For each predicate the first argument that each one is equal to."""


def merge_equal_arguments(system: HornSystem) -> Transformed:
    """Each argument that is equal to an earlier one is left out."""
    first = first_of_equals(system)
    kept = {
        p.name: [i for i, formal in enumerate(p.formals) if first[p.name][terms.name(formal)] == terms.name(formal)]
        for p in system.predicates
    }
    if system.obligations or all(len(kept[p.name]) == len(p.arguments) for p in system.predicates):
        return unchanged(system)
    smaller = {p.name: Predicate(p.name, tuple(p.arguments[i] for i in kept[p.name])) for p in system.predicates}

    def without(atom: Atom) -> Atom:
        return Atom(smaller[atom.predicate.name], tuple(atom.arguments[i] for i in kept[atom.predicate.name]))

    def rewritten(clause: Clause) -> Clause:
        same = _with_equal_calls(clause, first)
        head = without(same.head) if same.head else None
        return Clause(same.name, head, tuple(map(without, same.body)), same.constraint, same.origin)

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        return {
            name: terms.conjunction([said, *_equations(system.predicate[name], first)]) for name, said in found.items()
        }

    def derivation(found: Derivation) -> Derivation:
        return replay(system, found.steps)

    clauses = tuple(map(rewritten, system.clauses))
    return Transformed(HornSystem(tuple(smaller.values()), clauses), summaries, derivation)


def _equations(predicate: Predicate, first: First) -> list[Term]:
    formals = {terms.name(formal): formal for formal in predicate.formals}
    known = first[predicate.name]
    return [terms.equal(formals[known[name]], formal) for name, formal in formals.items() if known[name] != name]


def _with_equal_calls(clause: Clause, first: First) -> Clause:
    """What calls say of their arguments: a variable is replaced by what it is equal to, and other terms are equated."""
    for number in range(len(clause.body)):
        for position, formal in enumerate(clause.body[number].predicate.formals):
            atom = clause.body[number]
            known = first[atom.predicate.name][terms.name(formal)]
            there = {terms.name(each): argument for each, argument in atom.bind()}
            one, other = there[known], atom.arguments[position]
            if terms.same(one, other):
                continue
            if not terms.is_variable(other):
                one, other = other, one
            if terms.is_variable(other) and (terms.is_variable(one) or terms.is_value(one)):
                clause = clause.substitute([(other, one)])
            else:
                constraint = terms.conjunction([clause.constraint, terms.equal(one, other)])
                clause = Clause(clause.name, clause.head, clause.body, constraint, clause.origin)
    return clause


def first_of_equals(system: HornSystem) -> dict[str, dict[str, str]]:
    classes: Classes = {p.name: _by_sort(p) for p in system.predicates}
    changed = True
    while changed:
        changed = False
        for predicate in system.predicates:
            finer = _refined(system.defining[predicate.name], classes, predicate.name)
            changed |= max(finer.values(), default=0) > max(classes[predicate.name].values(), default=0)
            classes[predicate.name] = finer
    return {name: _first(known) for name, known in classes.items()}


def _by_sort(predicate: Predicate) -> dict[str, int]:
    numbers: dict[str, int] = {}
    return {a.name: numbers.setdefault(str(a.sort), len(numbers)) for a in predicate.arguments}


def _refined(clauses: list[Clause] | tuple[Clause, ...], classes: Classes, name: str) -> dict[str, int]:
    keys: dict[str, list[Hashable]] = {formal: [number] for formal, number in classes[name].items()}
    for clause in clauses:
        sources: dict[str, Hashable] = {}
        for position, atom in enumerate(clause.body):
            of_atom = classes[atom.predicate.name]
            for formal, argument in atom.bind():
                if terms.is_variable(argument):
                    sources.setdefault(terms.name(argument), (position, of_atom[terms.name(formal)]))
        for formal, argument in clause.head.bind() if clause.head else ():
            known = sources.get(terms.name(argument)) if terms.is_variable(argument) else None
            keys[terms.name(formal)].append(known or terms.identity(argument))
    numbers: dict[Hashable, int] = {}
    return {formal: numbers.setdefault(tuple(key), len(numbers)) for formal, key in keys.items()}


def _first(classes: Mapping[str, int]) -> dict[str, str]:
    first: dict[int, str] = {}
    return {name: first.setdefault(number, name) for name, number in classes.items()}
