"""Between which numbers results lie, whatever the arguments are: the tightest bounds that what is proved allows.

Templates know the numbers that a program mentions; the largest result of `c - 'a' + 10` is none of these. So bounds are
searched for: first one that holds, at a distance that doubles, then the least one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from sorrel.guess.points import Point
from sorrel.horn.clause import Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat

FARTHEST = 1 << 17
"""A bound farther than that from all values that were seen tells little."""


def bounds(system: HornSystem, proved: Summaries, seen: Mapping[str, Sequence[Point]], oracle: Oracle) -> Summaries:
    """For each predicate with results what holds of these, given what is proved of all predicates."""
    found = {}
    for predicate in system.predicates:
        points = seen.get(predicate.name, ())
        limits = [
            limit
            for position, argument in enumerate(predicate.arguments)
            if argument.role is Role.OUTPUT and terms.is_integer(argument.formal)
            for limit in _of_result(
                system, predicate, argument.formal, [point[position] for point in points], proved, oracle
            )
        ]
        if limits:
            found[predicate.name] = terms.conjunction(limits)
    return found


def _of_result(
    system: HornSystem, predicate: Predicate, result: Term, values: Sequence[object], proved: Summaries, oracle: Oracle
) -> Iterator[Term]:
    numbers = [value for value in values if isinstance(value, int)]
    if not numbers or oracle.clock.expired():
        return

    def holds(limit: Term) -> bool:
        return always(system, predicate.name, limit, proved, oracle)

    most = _farthest(max(numbers), lambda number: holds(result <= number))
    least = _farthest(-min(numbers), lambda number: holds(result >= -number))
    if least is not None:
        yield result >= -least
    if most is not None:
        yield result <= most


def _farthest(seen: int, holds: Callable[[int], bool]) -> int | None:
    """The least number from the one seen on at which it holds, if it does at one that is not too far."""
    distance = 0
    while not holds(seen + distance):
        distance = 2 * distance + 1
        if distance > FARTHEST:
            return None
    low, high = distance // 2, distance  # it does not hold at low, unless both are 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(seen + middle) else (middle, high)
    return seen + high


def always(system: HornSystem, name: str, guess: Term, proved: Summaries, oracle: Oracle) -> bool:
    """Whether each clause for the predicate leads there, given what is proved of all."""
    for clause in system.defining[name]:
        assert clause.head is not None
        calls = [terms.substitute(proved[atom.predicate.name], atom.bind()) for atom in clause.body]
        denied = terms.negation(terms.substitute(guess, clause.head.bind()))
        if not isinstance(oracle.check(clause.constraint, *calls, denied, kind="result"), Unsat):
            return False
    return True
