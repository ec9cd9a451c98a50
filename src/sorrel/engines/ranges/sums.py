"""Sums of arguments that are worth a limit: those that clauses compare, those of quotients, and what these were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from math import gcd, lcm

from sorrel.engines.ranges.names import (
    OPPOSITE,
    Comparison,
    Names,
    Sum,
    Summands,
    Survey,
    added,
    choices,
    label,
    parted,
    parts_of,
    scaled,
)
from sorrel.horn.clause import Atom, Clause
from sorrel.logic import terms
from sorrel.logic.linear import linear
from sorrel.logic.operations import literal
from sorrel.logic.terms import Term

MOST_SUMMANDS, MOST_SUMS = 4, 40
"""Of one sum, and sums of a predicate."""
MOST_PASSED = 24
"""Sums of a predicate that come from those of others."""
MOST_CHOICES = 4
"""Ways in which an argument that depends on conditions is looked at."""

MOST_MOVING = 8
"""Pairs of numbers that a loop moves."""
LARGEST_FACTOR = 64
"""Of a sum without a summand that two others share."""
MOST_ADDED, MOST_ENDS = 1 << 32, 3
"""Of a number that a loop adds up, and numbers that it is compared with."""
LONGEST_STEP = 64
"""What is added to a number in one round of a loop, and not a wrap around."""

Weights = tuple[tuple[str, int], ...]
"""A sum: numbers by name, each with its factor."""
Found = dict[str, dict[Weights, None]]


def compared_sums(survey: Survey) -> dict[str, list[Weights]]:
    """For each predicate sums of a few numbers."""
    found: Found = {p.name: {} for p in survey.system.predicates}
    for clause in survey.system.clauses:
        known = [*survey.own(clause), *survey.near(clause)]
        for total in _compared(survey.comparisons(clause)):
            _note_all(found, total, known)
        for atom, quotient, total in _quotients(clause):
            ours = ((name, {**names, quotient: quotient}) for name, names in known if name == atom.predicate.name)
            _note_all(found, total, [*known, *ours])
    for name, weights in _begun_alike(survey):
        found[name].setdefault(weights)
    for sums in found.values():
        sums.update(dict.fromkeys(_without_middle(list(sums))))
    for name, weights in [*_balanced(survey, found), *_moving_together(survey), *_piled_up(survey), *_in_texts(survey)]:
        found[name].setdefault(weights)
    _pass_on(survey, found)
    return {name: list(sums) for name, sums in found.items()}


def _compared(comparisons: Iterable[Comparison]) -> Iterator[Summands]:
    """What is compared with zero; one sum for each choice of what the sides depend on, such as a wrap around."""
    for left, right, _ in comparisons:
        if terms.is_integer(left):
            yield from islice(choices(left - right), MOST_CHOICES)


def _quotients(clause: Clause) -> Iterator[tuple[Atom, str, Summands]]:
    """What an argument that is a quotient was divided: d·q and the dividend are close to one another.

    The argument has its formal's name in the sum, whatever else is called so in the clause.
    """
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        for formal, argument in atom.bind():
            for dividend, divisor in _divided(argument) if terms.is_integer(argument) else ():
                for summands in islice(choices(terms.integer(divisor) * formal - dividend), MOST_CHOICES):
                    yield atom, terms.name(formal), summands


def _divided(argument: Term) -> Iterator[tuple[Term, int]]:
    """Dividends and divisors, if the number is a quotient but for a number; of an opposite the dividend is one, too."""
    for summands in islice(choices(argument), MOST_CHOICES):
        if len(summands) == 1:
            ((part, factor),) = summands.values()
            split = terms.quotient(part) if factor in (1, -1) else None
            if split is not None:
                yield factor * split[0], split[1]


def _note_all(found: Found, total: Summands, known: Iterable[Names]) -> None:
    if (parts := parts_of(total, MOST_SUMMANDS)) is not None:
        for predicate, names in known:
            _note(found[predicate], parts, names)


def _note(sums: dict[Weights, None], parts: Sum, names: Mapping[str, str]) -> bool:
    """As a sum of a predicate's numbers, if it is one; is it new?"""
    labels = [(label(part, names), factor) for part, factor in parts]
    named = [_signed(name, factor) for name, factor in labels if name is not None]
    if len(named) < len(labels) or len(weights := _weights(named)) < 2 or weights in sums:
        return False
    sums.setdefault(weights)
    return True


def _signed(name: str, factor: int) -> tuple[str, int]:
    return (name.removeprefix(OPPOSITE), -factor) if name.startswith(OPPOSITE) else (name, factor)


def _weights(parts: Iterable[tuple[str, int]]) -> Weights:
    """In order of names, with a first factor that is positive and none that all share: a sum, its opposite and its
    multiples are looked at together."""
    total: dict[str, int] = {}
    for name, factor in parts:
        total[name] = total.get(name, 0) + factor
    weights = sorted((name, factor) for name, factor in total.items() if factor)
    common = gcd(*(factor for _, factor in weights)) or 1
    unit = -common if weights and weights[0][1] < 0 else common
    return tuple((name, factor // unit) for name, factor in weights)


def _without_middle(sums: Sequence[Weights]) -> list[Weights]:
    """What two sums say together without a summand that they share: of i - n and b + i, what b + n may be."""
    found: dict[Weights, None] = {}
    for one, other in combinations(sums[:MOST_SUMS], 2):
        first, second = dict(one), dict(other)
        for name in first.keys() & second.keys():
            common = lcm(first[name], second[name])
            ours, theirs = common // first[name], -(common // second[name])
            total = {each: ours * first.get(each, 0) + theirs * second.get(each, 0) for each in {**first, **second}}
            weights = _weights((each, factor) for each, factor in total.items() if factor)
            if 2 <= len(weights) < MOST_SUMMANDS and all(abs(factor) <= LARGEST_FACTOR for _, factor in weights):
                found.setdefault(weights)
    return [weights for weights in found if weights not in sums]


def _begun_alike(survey: Survey) -> Iterator[tuple[str, Weights]]:
    """Numbers that differ by a constant when a loop begins, such as the upper end of a search and the count."""
    for clause in survey.system.clauses:
        if clause.head is None or clause.head.predicate in [atom.predicate for atom in clause.body]:
            continue
        alike: dict[tuple[int, ...], list[str]] = {}
        for formal, argument in clause.head.bind():
            if terms.is_integer(formal) and (parts := linear(argument).terms):
                key = tuple(each for number, (_, factor) in sorted(parts.items()) for each in (number, factor))
                alike.setdefault(key, []).append(terms.name(formal))
        for names in alike.values():
            yield from ((clause.head.predicate.name, _weights([(a, 1), (b, -1)])) for a, b in combinations(names, 2))


def _balanced(survey: Survey, found: Found) -> list[tuple[str, Weights]]:
    """What a loop leaves as it is: a number that grows by as much as a sum that is compared, such as what is left."""
    balanced: list[tuple[str, Weights]] = []
    for _, before, after in _self_loops(survey):
        name, change_of = after.predicate.name, steps(before, after)
        for weights in list(found[name])[:MOST_SUMS]:
            change = sum(factor * change_of.get(each, 0) for each, factor in weights)
            for each, step in change_of.items() if change else ():
                if each not in dict(weights) and abs(step) == abs(change):
                    rest = [(other, factor if step == -change else -factor) for other, factor in weights]
                    balanced.append((name, _weights([(each, 1), *rest])))
    return [(name, weights) for name, weights in balanced if len(weights) < MOST_SUMMANDS]


def _moving_together(survey: Survey) -> Iterator[tuple[str, Weights]]:
    """Where a loop moves one number by a and another by b, how far the second is from as many times b: a position in a
    text that is written two or three characters at a time, and how many of these there are."""
    for _, before, after in _self_loops(survey):
        pairs = zip(before.bind(), after.bind(), strict=True)
        moved = [(terms.name(f), _differences(new, old)) for (f, old), (_, new) in pairs if terms.is_integer(f)]
        choices_of = (
            (one, a, other, b) for (one, ours), (other, theirs) in combinations(moved, 2) for a in ours for b in theirs
        )
        for one, a, other, b in islice(choices_of, MOST_MOVING):
            yield after.predicate.name, _weights([(one, b), (other, -a)])


def _piled_up(survey: Survey) -> Iterator[tuple[str, Weights]]:
    """Where a loop counts rounds and adds a number that is compared with k, how far the total is from k times the
    count: the digits of a number, the bytes of a text."""
    for clause, before, after in _self_loops(survey):
        ends = _ends(survey.comparisons(clause))
        counters = [(name, step) for name, step in steps(before, after).items() if step in (1, -1)]
        for (formal, old), (_, new) in zip(before.bind(), after.bind(), strict=True):
            if not counters or not terms.is_integer(formal):
                continue
            added_to = {
                most
                for summands in islice(choices(new - old), MOST_CHOICES)
                for most in _largest(list(summands.values()), ends)
            }
            for name, step in counters:
                for most in sorted(added_to):
                    yield after.predicate.name, _weights([(terms.name(formal), 1), (name, -step * most)])


def _largest(summands: Sequence[tuple[Term, int]], ends: Mapping[int, Sequence[int]]) -> Iterator[int]:
    """What a sum of numbers may be that are compared with others; of several a power of two that it does not reach."""
    of_each = [ends.get(terms.identity(term)) or _largest_remainder(term) for term, _ in summands]
    if len(summands) == 1:
        yield from (summands[0][1] * end for end in of_each[0])
    elif summands and all(of_each):
        total = sum(abs(factor * end[-1]) for end, (_, factor) in zip(of_each, summands, strict=True))
        yield from (1 << total.bit_length(), -1 << total.bit_length())


def _in_texts(survey: Survey) -> Iterator[tuple[str, Weights]]:
    """Where an array is read, beside where something was written: a place in a text, and the zero behind it."""
    for name, written in survey.written.items():
        for array, place in map(parted, written):
            for other, index in map(parted, survey.elements[name]):
                if other == array and index != place and not index.isdigit():
                    yield name, _weights([(place, 1), (index, -1)])


def _ends(comparisons: Iterable[Comparison]) -> dict[int, list[int]]:
    """Numbers that terms are compared with, by their identity, the largest ones first."""
    found: dict[int, set[int]] = {}
    for left, right, _ in comparisons:
        for one, other in ((left, right), (right, left)):
            number = literal(other)
            if number is not None and number and abs(number) <= MOST_ADDED:
                found.setdefault(terms.identity(one), set()).add(number)
    return {key: sorted(values, key=abs)[-MOST_ENDS:] for key, values in found.items()}


def _largest_remainder(term: Term) -> list[int]:
    """Of a bit, or of a digit, that nobody compares with anything."""
    divisor = literal(terms.children(term)[1]) if terms.name_of(term) == "mod" else None
    return [divisor - 1] if divisor is not None and 1 < divisor <= MOST_ADDED else []


def _self_loops(survey: Survey) -> Iterator[tuple[Clause, Atom, Atom]]:
    """Rounds of loops: the clause, where they begin, and where the next one begins."""
    for clause in survey.system.clauses:
        if clause.head is not None and [atom.predicate.name for atom in clause.body] == [clause.head.predicate.name]:
            yield clause, clause.body[0], clause.head


def _differences(new: Term, old: Term) -> list[int]:
    """By how much a number changes, for each choice that this depends on; nothing if one of them is no constant."""
    found: dict[int, None] = {}
    work = [new - old]
    while work:
        total = linear(work.pop())
        split = next((part for part, _ in total.terms.values() if terms.is_ite(part)), None)
        if split is not None and len(work) < MOST_CHOICES:
            whole = terms.weighted([(factor, part) for part, factor in total.terms.values()]) + total.constant
            work += (terms.substitute(whole, [(split, branch)]) for branch in terms.children(split)[1:])
        elif total.terms or abs(total.constant) > LONGEST_STEP:
            return []
        elif total.constant:
            found.setdefault(total.constant)
    return list(found)


def steps(before: Atom, after: Atom) -> dict[str, int]:
    """Arguments to which a clause adds a number, and which."""
    found: dict[str, int] = {}
    for (formal, old), (_, new) in zip(before.bind(), after.bind(), strict=True):
        if terms.is_integer(formal):
            while terms.is_ite(new):
                new = terms.children(new)[1 if _is_sum_with(terms.children(new)[1], old) else 2]
            if _is_sum_with(new, old) and (step := linear(new - old).constant):
                found[terms.name(formal)] = step
    return found


def _is_sum_with(new: Term, old: Term) -> bool:
    difference = linear(new - old)
    return not difference.terms and abs(difference.constant) <= LONGEST_STEP


# What a sum was before a clause, and what it is behind it


class _Place:
    """An atom of a clause: what numbers of its predicate are there, and what sums there are called at other atoms."""

    def __init__(self, atom: Atom, to: Sequence[Names]) -> None:
        self.name = atom.predicate.name
        self.to = to
        self._arguments = {terms.name(formal): argument for formal, argument in atom.bind()}
        self._options: dict[str, list[Summands]] = {}

    def sums(self, weights: Weights) -> Iterator[Summands]:
        """The sum with arguments in place of names; one for each choice of what they depend on, up to a few."""
        options = [[scaled(leaf, factor) for leaf in self._leaves(name)] for name, factor in weights]
        yield from map(added, islice(product(*options), MOST_CHOICES))

    def _leaves(self, name: str) -> list[Summands]:
        if name not in self._options:
            argument = self._arguments[name] if name in self._arguments else _element_at(name, self._arguments)
            self._options[name] = [] if argument is None else list(islice(choices(argument), MOST_CHOICES))
        return self._options[name]


def _pass_on(survey: Survey, found: Found) -> None:
    """A limit of a sum follows from limits of what it was before; and lasts where its summands are passed on."""
    room = {name: min(len(sums) + MOST_PASSED, MOST_SUMS) for name, sums in found.items()}
    places: dict[str, list[_Place]] = {name: [] for name in found}
    for place in _places(survey):
        places[place.name].append(place)
    work = dict.fromkeys(found)
    while work:
        name = next(iter(work))
        del work[name]
        for place in places[name]:
            work.update(_moved(place, found, room))


def _places(survey: Survey) -> Iterator[_Place]:
    """Heads, whose sums are looked for at the calls, and calls, whose sums are looked for at the head."""
    rules = [clause for clause in survey.system.clauses if clause.head is not None]
    for clause in rules:
        if clause.head is not None and clause.body:
            yield _Place(clause.head, survey.near(clause)[: len(clause.body)])
    for clause in rules:
        yield from (_Place(atom, survey.near(clause)[len(clause.body) :]) for atom in clause.body)


def _moved(place: _Place, found: Found, room: Mapping[str, int]) -> dict[str, None]:
    """Sums at one atom as sums at others; which predicates have more of them now?"""
    changed: dict[str, None] = {}
    for weights in list(found[place.name]):
        if all(len(found[predicate]) >= room[predicate] for predicate, _ in place.to):
            break
        for summands in place.sums(weights):
            if (parts := parts_of(summands, MOST_SUMMANDS)) is None:
                continue
            for predicate, names in place.to:
                if len(found[predicate]) < room[predicate] and _note(found[predicate], parts, names):
                    changed[predicate] = None
    return changed


def _element_at(name: str, values: Mapping[str, Term]) -> Term | None:
    array, index = parted(name)
    if array not in values:
        return None
    if index in values:
        return terms.select(values[array], values[index])
    return terms.select(values[array], terms.integer(int(index))) if index.isdigit() else None
