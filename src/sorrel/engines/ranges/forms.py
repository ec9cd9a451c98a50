"""What is bounded: arguments, sums that the clauses compare, and elements of arrays within a range of indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.linear import linear
from sorrel.logic.terms import Term

INDEX: Term = terms.variable("ranges!index", terms.INT)
"""The index that a bound of elements is meant for."""
MOST_SUMMANDS, MOST_SUMS, MOST_GUARDS = 4, 40, 8
"""Summands of a sum, sums of a predicate, and ends of ranges for one array."""
MOST_NUMBERS = 4
"""Ends of ranges that are numbers."""
MOST_LIMITS, NEAR = 80, (-2, -1, 0, 1, 2)

Weights = tuple[tuple[str, int], ...]
"""A sum: arguments by name, each with its factor."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A number over the formals of a predicate, and what it may be at most, in rising order.

    Of elements one is meant at each INDEX that `guard` allows.
    """

    body: Term
    limits: tuple[int, ...]
    guard: Term = terms.TRUE
    of_elements: bool = False

    def bounded(self, limit: int) -> Term:
        """The claim over the formals, and over INDEX where elements are meant."""
        return terms.implication(self.guard, self.body <= limit)


def forms_of(system: HornSystem) -> dict[str, list[Form]]:
    """For each predicate, by name, what is bounded from above; a lower limit is an upper one of the opposite."""
    sums, guards, limits = compared_sums(system), ends_of_ranges(system), Limits(system)
    return {
        p.name: [
            Form(sign * body, limits.of(body), guard, of_elements)
            for body, guard, of_elements in (*_numbers(p), *_sums(p, sums[p.name]), *_elements(p, guards[p.name]))
            for sign in (1, -1)
        ]
        for p in system.predicates
    }


Bounded = tuple[Term, Term, bool]
"""A number, where it is meant, and whether it is an element."""


def _numbers(predicate: Predicate) -> Iterator[Bounded]:
    for formal in predicate.formals:
        if terms.is_integer(formal):
            yield formal, terms.TRUE, False
        elif terms.is_boolean(formal):
            yield terms.ite(formal, terms.integer(1), terms.integer(0)), terms.TRUE, False


def _sums(predicate: Predicate, sums: Sequence[Weights]) -> Iterator[Bounded]:
    known = _integers(predicate)
    fitting = [weights for weights in sums if all(name in known for name, _ in weights)]
    for weights in fitting[:MOST_SUMS]:
        yield terms.total([terms.integer(factor) * known[name] for name, factor in weights]), terms.TRUE, False


def _elements(predicate: Predicate, guards: Sequence[str | int]) -> Iterator[Bounded]:
    known = _integers(predicate)
    ends = [terms.integer(end) if isinstance(end, int) else known[end] for end in guards if _is_there(end, known)]
    ranges = [terms.TRUE, *(terms.conjunction([INDEX >= 0, end >= INDEX + 1]) for end in ends[:MOST_GUARDS])]
    for formal in predicate.formals:
        if terms.is_integer_indexed(formal) and terms.is_integer(terms.select(formal, INDEX)):
            yield from ((terms.select(formal, INDEX), guard, True) for guard in ranges)


def _integers(predicate: Predicate) -> dict[str, Term]:
    return {terms.name(formal): formal for formal in predicate.formals if terms.is_integer(formal)}


def _is_there(end: str | int, known: Mapping[str, Term]) -> bool:
    return isinstance(end, int) or end in known


@dataclass(frozen=True, slots=True)
class Flow:
    """Variables and numbers that a value is made of."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]


class Limits:
    """The numbers that a variable is compared with, here or where its value goes, and their neighbours."""

    def __init__(self, system: HornSystem) -> None:
        self._parent: dict[str, str] = {}
        self._numbers: dict[str, dict[int, None]] = {}
        for clause in system.clauses:
            atoms = (*clause.body, *([clause.head] if clause.head else []))
            compared = [tuple(terms.children(term)) for term in _comparisons(clause)]
            equal = [tuple(terms.children(term)) for term in _comparisons(clause) if terms.is_equation(term)]
            passed = [pair for atom in atoms for pair in atom.bind()]
            for one, other in (*passed, *equal):
                self._join(_flow(one), _flow(other))
            for one, other in (*passed, *compared):
                self._note(_flow(one), _flow(other))

    def of(self, body: Term) -> tuple[int, ...]:
        """What the number and its opposite may be at most."""
        found = dict.fromkeys(NEAR)
        for variable in walk.free_variables(body):
            root = self._root(terms.name(variable))
            for name in self._numbers:
                if self._root(name) == root:
                    found.update(
                        (near, None) for value in self._numbers[name] for near in (value, value - 1, value + 1)
                    )
        nearest = sorted(found, key=abs)[:MOST_LIMITS]
        return tuple(sorted({each for value in nearest for each in (value, -value)}))

    def _join(self, one: Flow, other: Flow) -> None:
        """What is passed on, stored or read keeps its limits."""
        first, *others = [*one.names, *other.names] or [""]
        for name in others:
            self._parent[self._root(name)] = self._root(first)

    def _note(self, one: Flow, other: Flow) -> None:
        for name in (*one.names, *other.names):
            self._numbers.setdefault(name, {}).update(dict.fromkeys((*one.numbers, *other.numbers)))

    def _root(self, name: str) -> str:
        while (above := self._parent.get(name, name)) != name:
            name = above
        return name


# What the clauses compare


def compared_sums(system: HornSystem) -> dict[str, list[Weights]]:
    """For each predicate sums of a few arguments that some clause compares with something."""
    found: dict[str, dict[Weights, None]] = {p.name: {} for p in system.predicates}
    for clause in system.clauses:
        for term in _comparisons(clause):
            left, right = terms.children(term)
            parts = linear(left - right).terms.values() if terms.is_integer(left) else ()
            if not (2 <= len(parts) <= MOST_SUMMANDS and all(terms.is_variable(part) for part, _ in parts)):
                continue
            for predicate, names in _names(system, clause):
                if all(terms.name(part) in names for part, _ in parts):
                    found[predicate].setdefault(_weights((names[terms.name(part)], factor) for part, factor in parts))
    return {name: [*sums, *_without_middle(list(sums))] for name, sums in found.items()}


def _weights(parts: Iterable[tuple[str, int]]) -> Weights:
    """In order of names, with a first factor that is positive: a sum and its opposite are looked at together."""
    weights = sorted(parts)
    sign = -1 if weights and weights[0][1] < 0 else 1
    return tuple((name, sign * factor) for name, factor in weights)


def _without_middle(sums: Sequence[Weights]) -> list[Weights]:
    """What two sums say together without a summand that they share: of i - n and b + i, what b + n may be."""
    found: dict[Weights, None] = {}
    for one, other in combinations(sums, 2):
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


def ends_of_ranges(system: HornSystem) -> dict[str, list[str | int]]:
    """For each predicate arguments that are indices, and what these are compared with: where what was written ends."""
    found: dict[str, dict[str | int, None]] = {p.name: {} for p in system.predicates}
    numbers: dict[str | int, None] = {}
    for clause in system.clauses:
        indices = {terms.name(i) for i in walk.array_indices(*formulas(clause)) if terms.is_variable(i)}
        ends: dict[str, None] = dict.fromkeys(sorted(indices))
        for term in _comparisons(clause):
            for one, other in (terms.children(term), terms.children(term)[::-1]):
                if not (terms.is_variable(one) and terms.name(one) in indices):
                    continue
                value = terms.as_number(other) if terms.is_value(other) else None
                if value is not None and not isinstance(value, bool) and value > 0:
                    numbers.setdefault(int(value))
                elif terms.is_variable(other) and terms.is_integer(other):
                    ends.setdefault(terms.name(other))
        for predicate, names in _names(system, clause):
            found[predicate].update((names[end], None) for end in ends if end in names)
    return {name: [*list(numbers)[:MOST_NUMBERS], *ends] for name, ends in found.items()}


def _names(system: HornSystem, clause: Clause) -> Iterator[tuple[str, dict[str, str]]]:
    """For each predicate what variables of the clause are called among its formals: the same, if nothing else."""
    for predicate in system.predicates:
        yield predicate.name, {terms.name(formal): terms.name(formal) for formal in predicate.formals}
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        pairs = [(argument, formal) for formal, argument in atom.bind() if terms.is_variable(argument)]
        yield atom.predicate.name, {terms.name(argument): terms.name(formal) for argument, formal in pairs}


def _flow(term: Term) -> Flow:
    """What the number, or an element of the array, may be made of; not what decides about it."""
    names: dict[str, None] = {}
    numbers: dict[int, None] = {}
    work = [term]
    while work:
        node = work.pop()
        value = terms.as_number(node) if terms.is_value(node) else None
        if value is not None and not isinstance(value, bool):
            numbers.setdefault(int(value))
        elif terms.is_variable(node):
            names.setdefault(terms.name(node))
        elif terms.is_select(node):
            work.append(terms.children(node)[0])
        elif terms.is_ite(node):
            work += terms.children(node)[1:]
        elif terms.is_array(node):
            work += (*terms.children(node)[:1], *terms.children(node)[2:])
        elif terms.is_integer(node):
            total = linear(node)
            numbers.setdefault(total.constant)
            inner = [part for part, _ in total.terms.values()]
            if len(inner) == 1 and terms.same(inner[0], node):
                # A quotient, a remainder, a product: what it is made of is another number, but it has limits here.
                numbers.update((number, None) for child in terms.children(node) for number in walk.numerals(child))
            else:
                work += inner
    return Flow(tuple(names), tuple(numbers))


def _comparisons(clause: Clause) -> Iterator[Term]:
    for formula in formulas(clause):
        for term in walk.subterms(formula):
            if (terms.is_comparison(term) or terms.is_equation(term)) and len(terms.children(term)) == 2:
                yield term


def formulas(clause: Clause) -> Iterator[Term]:
    """The constraint and all arguments of a clause."""
    yield clause.constraint
    for atom in (*clause.body, *([clause.head] if clause.head else [])):
        yield from atom.arguments


Forms = Mapping[str, Sequence[Form]]
