"""Which arguments of query symbols have few values: places of threads, states of machines, flags.

Such an argument is given constants, truth values and other such arguments, and nothing is computed of it. Of one that
matters the abstraction keeps the value, instead of a predicate for each bound that some refinement asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

Place = tuple[str, int]
"""An argument: the name of its query symbol, and its position."""


def trackable(system: HornSystem) -> Mapping[Place, frozenset[Place]]:
    """The arguments that are given constants, truth values and trackable arguments alone, each with these arguments."""
    found = {
        (predicate.name, position)
        for predicate in system.predicates
        for position, formal in enumerate(predicate.formals)
        if terms.is_boolean(formal) or (terms.is_arithmetic(formal) and terms.is_integer(formal))
    }
    given: dict[Place, set[Place]] = {place: set() for place in found}
    for clause in system.clauses:
        if clause.head is None:
            continue
        sources = _Sources(clause)
        for position, argument in enumerate(clause.head.arguments):
            place = (clause.head.predicate.name, position)
            if place in found:
                copied = sources.of(argument)
                if copied is None:
                    found.discard(place)
                else:
                    given[place] |= copied
    while lost := {place for place in found if not given[place] <= found}:
        found -= lost
    return {place: frozenset(given[place]) for place in found}


def sources(place: Place, given: Mapping[Place, frozenset[Place]]) -> frozenset[Place]:
    """The arguments that one gets its values from, and it: who wants to know its values must know theirs."""
    found = {place}
    waiting = [place]
    while waiting:
        new = given[waiting.pop()] - found
        found |= new
        waiting += new
    return frozenset(found)


def matched(system: HornSystem) -> Iterator[Place]:
    """The arguments whose values some clause demands by a constant in its call: where the program is, mostly."""
    for clause in system.clauses:
        for atom in clause.body:
            for position, argument in enumerate(atom.arguments):
                if terms.is_value(argument):
                    yield atom.predicate.name, position


class _Sources:
    """Where values in a clause come from."""

    def __init__(self, clause: Clause) -> None:
        self._calls: dict[int, set[Place]] = {}
        for atom in clause.body:
            for position, argument in enumerate(atom.arguments):
                if terms.is_variable(argument):
                    self._calls.setdefault(argument.get_id(), set()).add((atom.predicate.name, position))
        self._equal = _equations([clause.constraint])

    def of(self, term: Term) -> set[Place] | None:
        """The arguments that the term may be a copy of; None if it may be a number that is computed, or any number."""
        found: set[Place] = set()
        seen: set[int] = set()
        waiting = [term]
        while waiting:
            current = waiting.pop()
            if current.get_id() in seen or terms.is_value(current):
                continue
            seen.add(current.get_id())
            if current.get_id() in self._calls:
                found |= self._calls[current.get_id()]
            elif terms.is_boolean(current):
                continue  # two values at most
            elif terms.is_ite(current):
                waiting += terms.children(current)[1:]
            elif terms.is_variable(current) and current.get_id() in self._equal:
                waiting += self._equal[current.get_id()]
            else:
                return None
        return found


def _equations(formulas: Iterable[Term]) -> dict[int, list[Term]]:
    """For each variable the terms that it is equal to somewhere in the formulas."""
    found: dict[int, list[Term]] = {}
    for formula in formulas:
        for subterm in walk.subterms(formula):
            if terms.is_equation(subterm):
                left, right = terms.children(subterm)
                for one, other in ((left, right), (right, left)):
                    if terms.is_variable(one):
                        found.setdefault(one.get_id(), []).append(other)
    return found
