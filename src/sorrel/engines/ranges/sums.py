"""Sums of arguments that are worth a limit: those that clauses compare, those of quotients, and what these were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product

from sorrel.engines.ranges.names import Comparison, Names, Sum, Survey, label, names_at, parted, sum_of
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

MOST_SUMMANDS, MOST_SUMS = 4, 40
"""Of one sum, and sums of a predicate."""
MOST_PASSED = 24
"""Sums of a predicate that come from those of others."""
MOST_CHOICES = 4
"""Ways in which an argument that depends on conditions is looked at."""

Weights = tuple[tuple[str, int], ...]
"""A sum: numbers by name, each with its factor."""
Found = dict[str, dict[Weights, None]]


def compared_sums(survey: Survey) -> dict[str, list[Weights]]:
    """For each predicate sums of a few numbers."""
    found: Found = {p.name: {} for p in survey.system.predicates}
    for clause in survey.system.clauses:
        known = survey.known(clause)
        for total in (*_compared(survey.comparisons(clause)), *_quotients(clause)):
            if (parts := sum_of(total, MOST_SUMMANDS)) is not None:
                for predicate, names in known:
                    _note(found[predicate], parts, names)
    for sums in found.values():
        sums.update(dict.fromkeys(_without_middle(list(sums))))
    _pass_on(survey.system, found)
    return {name: list(sums) for name, sums in found.items()}


def _compared(comparisons: Iterable[Comparison]) -> Iterator[Term]:
    return (left - right for left, right, _ in comparisons if terms.is_integer(left))


def _quotients(clause: Clause) -> Iterator[Term]:
    """What an argument that is a quotient was divided: d·q and the dividend are close to one another."""
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        for formal, argument in atom.bind():
            for part in walk.subterms(argument) if terms.is_integer(argument) else ():
                if (split := terms.quotient(part)) is not None:
                    dividend, divisor = split
                    yield terms.integer(divisor) * formal - dividend


def _note(sums: dict[Weights, None], parts: Sum, names: Mapping[str, str]) -> bool:
    """As a sum of a predicate's numbers, if it is one; is it new?"""
    labels = [(label(part, names), factor) for part, factor in parts]
    named = [(name, factor) for name, factor in labels if name is not None]
    if len(named) < len(labels) or (weights := _weights(named)) in sums:
        return False
    sums.setdefault(weights)
    return True


def _weights(parts: Iterable[tuple[str, int]]) -> Weights:
    """In order of names, with a first factor that is positive: a sum and its opposite are looked at together."""
    weights = sorted(parts)
    sign = -1 if weights and weights[0][1] < 0 else 1
    return tuple((name, sign * factor) for name, factor in weights)


def _without_middle(sums: Sequence[Weights]) -> list[Weights]:
    """What two sums say together without a summand that they share: of i - n and b + i, what b + n may be."""
    found: dict[Weights, None] = {}
    for one, other in combinations(sums[:MOST_SUMS], 2):
        first, second = dict(one), dict(other)
        for name in first.keys() & second.keys():
            if abs(first[name]) != abs(second[name]):
                continue
            sign = -1 if first[name] == second[name] else 1
            total = {each: first.get(each, 0) + sign * second.get(each, 0) for each in {**first, **second}}
            weights = _weights((each, factor) for each, factor in total.items() if factor)
            if 2 <= len(weights) < MOST_SUMMANDS:
                found.setdefault(weights)
    return [weights for weights in found if weights not in sums]


# What a sum was before a clause, and what it is behind it


def _pass_on(system: HornSystem, found: Found) -> None:
    """A limit of a sum follows from limits of what it was before; and lasts where its summands are passed on."""
    room = {name: min(len(sums) + MOST_PASSED, MOST_SUMS) for name, sums in found.items()}
    work = dict.fromkeys(found)
    while work:
        name = next(iter(work))
        del work[name]
        for clause in system.defining[name]:
            if clause.head is not None:
                at_calls = list(names_at(clause))[: len(clause.body)]
                work.update(_moved(clause.head, found, at_calls, room))
        for clause in system.using[name]:
            for atom in clause.body if clause.head is not None else ():
                if atom.predicate.name == name:
                    work.update(_moved(atom, found, list(names_at(clause))[len(clause.body) :], room))


def _moved(atom: Atom, found: Found, to: Sequence[Names], room: Mapping[str, int]) -> dict[str, None]:
    """Sums at one atom as sums at others; which predicates have more of them now?"""
    changed: dict[str, None] = {}
    values = {terms.name(formal): argument for formal, argument in atom.bind()}
    for weights in list(found[atom.predicate.name]):
        for total in _at(weights, values):
            if (parts := sum_of(total, MOST_SUMMANDS)) is None:
                continue
            for predicate, names in to:
                if len(found[predicate]) < room[predicate] and _note(found[predicate], parts, names):
                    changed[predicate] = None
    return changed


def _at(weights: Weights, values: Mapping[str, Term]) -> Iterator[Term]:
    """The sum with arguments in place of names; one for each choice of what they depend on, up to a few."""
    options: list[list[Term]] = []
    for name, factor in weights:
        argument = values[name] if name in values else _element_at(name, values)
        if argument is None:
            return
        options.append([terms.integer(factor) * leaf for leaf in islice(_leaves(argument), MOST_CHOICES)])
    yield from map(terms.total, islice(product(*options), MOST_CHOICES))


def _element_at(name: str, values: Mapping[str, Term]) -> Term | None:
    array, index = parted(name)
    if array not in values:
        return None
    if index in values:
        return terms.select(values[array], values[index])
    return terms.select(values[array], terms.integer(int(index))) if index.isdigit() else None


def _leaves(term: Term) -> Iterator[Term]:
    work = [term]
    while work:
        node = work.pop()
        if terms.is_ite(node):
            work += reversed(terms.children(node)[1:])
        else:
            yield node
