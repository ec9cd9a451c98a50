"""Facts about elements that stop a walk: the one at an index, and some one within a range.

A loop that goes on while a[i] < x stays within the array if some element ahead of i is at least x. Which one that is
may change from round to round, so that the fact is an existential one: ∃k. i < k ≤ high ∧ a[k] ≥ x.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from sorrel.guess.bench import given
from sorrel.guess.bounds import Bounded, Fact, Looked
from sorrel.guess.lattice import Literal
from sorrel.horn.clause import Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

MOST_INDICES, MOST_VALUES, MOST_ARRAYS = 6, 2, 2
_SOME = terms.variable("index!some", terms.INT)


def with_sentinels(
    system: HornSystem, looked_at: Mapping[str, Bounded], known: Summaries, relevant: Mapping[str, frozenset[int]]
) -> dict[str, Bounded] | None:
    """The same sums, beside facts about elements; None where no element is compared with an argument."""
    values = element_like(system, known)
    found = {
        name: _beside(bounded, system.predicate[name], relevant[name] - values[name], values[name])
        for name, bounded in looked_at.items()
    }
    return found if any(bounded.before.facts or bounded.after.facts for bounded in found.values()) else None


def _beside(bounded: Bounded, predicate: Predicate, indices: frozenset[int], values: frozenset[int]) -> Bounded:
    inputs = frozenset(place for place, a in enumerate(predicate.arguments) if a.role is Role.INPUT)
    written = [place for place in _arrays(predicate) if place not in inputs]
    before = _facts(predicate, [a for a in _arrays(predicate) if a in inputs], indices & inputs, values & inputs)
    after = _facts(predicate, written or _arrays(predicate), indices, values)
    return replace(
        bounded,
        before=Looked(bounded.before.forms, tuple(before)),
        after=Looked(bounded.after.forms, tuple(after)),
    )


def _arrays(predicate: Predicate) -> list[int]:
    formals = predicate.formals
    return [place for place, formal in enumerate(formals) if terms.is_integer_indexed(formal) and _has_integers(formal)]


def _has_integers(array: Term) -> bool:
    return terms.is_integer(terms.select(array, _SOME))


def _facts(
    predicate: Predicate, arrays: Sequence[int], indices: frozenset[int], values: frozenset[int]
) -> Iterator[Fact]:
    at = [predicate.formals[place] for place in sorted(indices)[:MOST_INDICES]]
    count = 0
    for array in (predicate.formals[place] for place in arrays[:MOST_ARRAYS]):
        for value in (predicate.formals[place] for place in sorted(values)[:MOST_VALUES]):
            for up in (True, False):
                found = [Fact(Literal(_stops(array, near, value, up))) for i in at for near in (i - 1, i, i + 1)]
                for low, high in _ends(at):
                    found += _within(low, high, _stops(array, _SOME, value, up), count + len(found))
                count += len(found)
                yield from found


def _ends(indices: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
    """Where ranges begin and end; arrays begin at zero."""
    yield from ((terms.integer(0), high) for high in indices)
    yield from permutations(indices, 2)


def _stops(array: Term, index: Term, value: Term, up: bool) -> Term:
    element = terms.select(array, index)
    return element >= value if up else element <= value


def _within(low: Term, high: Term, stops: Term, first: int) -> list[Fact]:
    """That some index stops the walk between two ends, with or without these; the numbers begin with `first`."""
    index = _SOME
    ranges = ((index > low, index < high), (index >= low, index < high), (index > low, index <= high))
    inner, left, right, outer = (
        Literal(terms.conjunction([above, below, stops]), index, some=True)
        for above, below in (*ranges, (index >= low, index <= high))
    )
    return [
        Fact(inner),
        Fact(left, (first,)),
        Fact(right, (first,)),
        Fact(outer, (first, first + 1, first + 2)),
    ]


# Which arguments elements are compared with


def element_like(system: HornSystem, known: Summaries) -> dict[str, frozenset[int]]:
    """Positions of arguments, by predicate, that are elements of arrays or are compared with some."""
    marked: dict[str, set[int]] = {p.name: set() for p in system.predicates}
    pairs = {clause.name: _sides(clause, known) for clause in system.clauses}
    variables: dict[str, set[int]] = {clause.name: set() for clause in system.clauses}
    changed = True
    while changed:
        changed = False
        for clause in system.clauses:
            changed |= _spread(clause, pairs[clause.name], variables[clause.name], marked)
    return {name: frozenset(places) for name, places in marked.items()}


def _sides(clause: Clause, known: Summaries) -> list[tuple[Term, Term]]:
    """What the clause, or what is known of its calls, compares."""
    return [
        (terms.children(term)[0], terms.children(term)[1])
        for formula in given(clause, known)
        for term in walk.subterms(formula)
        if (terms.is_comparison(term) or terms.is_equation(term)) and terms.is_integer(terms.children(term)[0])
    ]


def _spread(
    clause: Clause, sides: Sequence[tuple[Term, Term]], variables: set[int], marked: Mapping[str, set[int]]
) -> bool:
    before = len(variables) + sum(map(len, marked.values()))
    for left, right in sides:
        for one, other in ((left, right), (right, left)):
            if terms.is_variable(other) and (terms.is_select(one) or terms.identity(one) in variables):
                variables.add(terms.identity(other))
    for atom in _atoms(clause):
        places = marked[atom.predicate.name]
        for place, argument in enumerate(atom.arguments):
            if place in places and terms.is_variable(argument):
                variables.add(terms.identity(argument))
            elif terms.is_integer(argument) and (terms.is_select(argument) or terms.identity(argument) in variables):
                places.add(place)
    return len(variables) + sum(map(len, marked.values())) > before


def _atoms(clause: Clause) -> list[Atom]:
    return [*clause.body, *([clause.head] if clause.head else [])]
