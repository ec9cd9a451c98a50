"""Comparisons that are inductive: which of <, = and > can stand between two quantities, at each place of a program.

A measure is a linear form over the arguments of a predicate and a number to compare it with: an argument, a difference
of two, or a form that the clauses themselves compare. For each measure a predicate's table remembers which signs were
met; under a guard (a measure that is zero, or is not) fewer may have been met than without. What was met is a formula.
A clause that leads out of it shows a point that was not met yet, which is added; so each table is the strongest of its
shape that contains what it must (Reps, Sagiv and Yorsh, Symbolic implementation of the best transformer, VMCAI 2004).
It is finite, so this ends. Whoever uses the result checks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations

from sorrel.guess.bench import Bench, Benches, session_of
from sorrel.guess.fixpoint import settle
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import value_in
from sorrel.logic.linear import Sum, atom
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat

LESS, EQUAL, GREATER = 1, 2, 4
ANY = LESS | EQUAL | GREATER
MOST_FORMS = 10
MOST_GUARDS = 40
MOST_CONSTANTS = 6
LARGEST_MODULUS = 4
MOST_POINTS = 80
"""So many of the points that are known from the start: more would say little, and cost time at each place."""

Point = tuple[int, ...]
Points = Mapping[str, Sequence[Point]]
"""For each predicate, by name, values of its arguments that are derivable; truth values are 0 and 1."""
Weights = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """Σ weight·argument, by position, compared with a number; with a modulus, what the sum leaves over."""

    weights: tuple[tuple[int, int], ...]
    threshold: int
    modulus: int = 0

    @property
    def subject(self) -> tuple[tuple[tuple[int, int], ...], int]:
        return self.weights, self.modulus

    def sign(self, point: Point) -> int:
        value = sum(weight * point[i] for i, weight in self.weights)
        value = (value % self.modulus if self.modulus else value) - self.threshold
        return LESS if value < 0 else GREATER if value > 0 else EQUAL

    def form(self, formals: Sequence[Term]) -> Term:
        """A truth value counts as 0 or 1."""
        total = terms.total([self._part(formals[i], weight) for i, weight in self.weights])
        return total % terms.integer(self.modulus) if self.modulus else total

    @staticmethod
    def _part(number: Term, weight: int) -> Term:
        if terms.is_boolean(number):
            number = terms.ite(number, terms.integer(1), terms.integer(0))
        return number if weight == 1 else terms.integer(weight) * number


@dataclass(slots=True)
class _Range:
    """What signs at several thresholds say together about one form: bounds, and numbers that it is not."""

    low: int | None = None
    high: int | None = None
    holes: tuple[int, ...] = ()

    def narrow(self, threshold: int, signs: int) -> None:
        if signs and not signs & LESS:
            low = threshold if signs & EQUAL else threshold + 1
            self.low = low if self.low is None else max(low, self.low)
        if signs and not signs & GREATER:
            high = threshold if signs & EQUAL else threshold - 1
            self.high = high if self.high is None else min(high, self.high)
        if signs == LESS | GREATER:
            self.holes = (*self.holes, threshold)

    def claims(self, form: Term, weaker: _Range | None = None) -> Iterator[Term]:
        """Without what a weaker range says already."""
        if self.low is not None and self.low == self.high:
            if weaker is None or (self.low, self.high) != (weaker.low, weaker.high):
                yield terms.equal(form, terms.integer(self.low))
            return
        if self.low is not None and (weaker is None or self.low != weaker.low):
            yield form >= terms.integer(self.low)
        if self.high is not None and (weaker is None or self.high != weaker.high):
            yield form <= terms.integer(self.high)
        for hole in self.holes:
            inside = (self.low is None or self.low < hole) and (self.high is None or hole < self.high)
            if inside and (weaker is None or hole not in weaker.holes):
                yield terms.distinct(form, terms.integer(hole))


@dataclass(slots=True, eq=False)
class _Table:
    """What was met at one predicate. A guard is the number of a measure and the signs that it has."""

    formals: tuple[Term, ...]
    measures: tuple[Measure, ...]
    guards: tuple[tuple[int, int], ...]
    groups: tuple[int, ...]  # of each measure: guards and claims of different groups have nothing to do with each other
    met: list[int] = field(default_factory=list)
    met_under: list[list[int]] = field(default_factory=list)
    is_empty: bool = True
    _formula: Term | None = None
    _forms: list[tuple[Term, list[int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.met = [0] * len(self.measures)
        self.met_under = [[0] * len(self.measures) for _ in self.guards]
        by_subject: dict[object, list[int]] = {}
        for number, measure in enumerate(self.measures):
            by_subject.setdefault(measure.subject, []).append(number)
        self._forms = [(self.measures[numbers[0]].form(self.formals), numbers) for numbers in by_subject.values()]

    def add(self, point: Point) -> bool:
        """Was something new about the point?"""
        signs = [measure.sign(point) for measure in self.measures]
        new = _include(self.met, signs) or self.is_empty
        self.is_empty = False
        for (number, wanted), met in zip(self.guards, self.met_under, strict=True):
            if signs[number] & wanted:
                new |= _include(met, signs)
        if new:
            self._formula = None
        return new

    def formula(self) -> Term:
        if self._formula is None:
            self._formula = terms.FALSE if self.is_empty else terms.joined([terms.TRUE, *self._claims()])
        return self._formula

    def _claims(self) -> Iterator[Term]:
        ranges = [self._range(numbers, self.met) for _, numbers in self._forms]
        for (form, _), always in zip(self._forms, ranges, strict=True):
            yield from always.claims(form)
        for (number, wanted), met in zip(self.guards, self.met_under, strict=True):
            conclusions = [
                claim
                for (form, numbers), always in zip(self._forms, ranges, strict=True)
                if number not in numbers and self.groups[numbers[0]] == self.groups[number] and met[number]
                for claim in self._range(numbers, met).claims(form, always)
            ]
            if conclusions:
                yield terms.implication(self._guard(number, wanted), terms.joined(conclusions))

    def _range(self, numbers: Sequence[int], met: Sequence[int]) -> _Range:
        found = _Range()
        for number in numbers:
            found.narrow(self.measures[number].threshold, met[number])
        return found

    def _guard(self, number: int, wanted: int) -> Term:
        """A guard is about equality."""
        measure = self.measures[number]
        holds = terms.equal(measure.form(self.formals), terms.integer(measure.threshold))
        return holds if wanted == EQUAL else terms.negation(holds)


def _include(met: list[int], signs: Sequence[int]) -> bool:
    new = False
    for i, sign in enumerate(signs):
        if met[i] | sign != met[i]:
            met[i] |= sign
            new = True
    return new


def comparisons(system: HornSystem, points: Points, oracle: Oracle, *, guarded: bool) -> Summaries | None:
    """Formulas that every clause with a head keeps and that settle every query; None if none were found."""
    return _Search(system, points, oracle, guarded).run()


class _NotDecided(Exception):
    """By the solver; or it and a table disagree about what a point says."""


class _Search:
    def __init__(self, system: HornSystem, points: Points, oracle: Oracle, guarded: bool) -> None:
        self._system = system
        self._oracle = oracle
        self._benches = Benches(lambda clause: Bench(clause, session_of(clause, oracle, {}, "comparisons")))
        words = _Words(system)
        self._tables = {p.name: words.table(p, points.get(p.name, ()), guarded) for p in system.predicates}
        for name, known in points.items():
            for point in known[:MOST_POINTS]:
                self._tables[name].add(point)

    def run(self) -> Summaries | None:
        clauses = (clause for clause in self._system.clauses if clause.head is not None)
        try:
            if not settle(clauses, self._visit, self._oracle.clock):
                return None
        except _NotDecided:
            return None
        found = {name: table.formula() for name, table in self._tables.items()}
        return found if all(self._settled(query) for query in self._system.queries) else None

    def _visit(self, clause: Clause) -> list[Clause]:
        if self._closed(clause) and clause.head is not None:
            return [c for c in self._system.using[clause.head.predicate.name] if c.head is not None]
        return []

    def _settled(self, query: Clause) -> bool:
        known = [terms.substitute(self._tables[a.predicate.name].formula(), a.bind()) for a in query.body]
        return isinstance(self._oracle.check(query.constraint, *known, kind="comparisons"), Unsat)

    def _closed(self, clause: Clause) -> bool:
        """Add to the head's table until the clause leads nowhere else; was something added?"""
        head = clause.head
        if head is None or any(self._tables[atom.predicate.name].is_empty for atom in clause.body):
            return False
        table = self._tables[head.predicate.name]
        changed = False
        session = self._benches.of(clause).session
        while True:
            calls = [terms.substitute(self._tables[a.predicate.name].formula(), a.bind()) for a in clause.body]
            result = session.check_with([*calls, terms.negation(terms.substitute(table.formula(), head.bind()))])
            if isinstance(result, Unsat):
                return changed
            if not isinstance(result, Sat) or not table.add(_point(result, head.arguments)):
                raise _NotDecided
            changed = True


def _point(result: Sat, arguments: Sequence[Term]) -> Point:
    """What is no number counts as 0: nothing is said about it."""
    return tuple(int(terms.as_number(value_in(result.model, argument)) or 0) for argument in arguments)


# What to compare


class _Words:
    """The forms that clauses compare, with which numbers, and which arguments have to do with each other.

    Arguments with the same name in different predicates are taken for the same variable.
    """

    def __init__(self, system: HornSystem) -> None:
        self._related: dict[str, str] = {}  # what is compared with or copied to each other
        self._asked: dict[str, str] = {}  # and what a query speaks of at once
        self._forms: dict[Weights, set[int]] = {}
        self._sides: dict[Weights, None] = {}
        self._constants: Counter[int] = Counter()
        self._moduli: dict[int, set[str]] = {}
        copies: dict[str, set[str]] = {}
        for clause in system.clauses:
            names = self._names(clause)
            self._divisions(clause, names)
            for sum_ in _compared(clause):
                self._form(sum_, names)
            if clause.head is not None:
                self._flows(clause, names, copies)
            else:
                spoken = [names.get(variable.get_id()) for variable in walk.free_variables(clause.constraint)]
                self._link(self._asked, *(name for name in spoken if name is not None))
        for side in self._sides:
            self._forms.setdefault(side, set()).update(c for c, _ in self._constants.most_common(MOST_CONSTANTS))
        self._copied(copies)

    def _divisions(self, clause: Clause, names: Mapping[int, str]) -> None:
        for dividend, divisor in walk.divisions(clause.constraint):
            if 1 < divisor <= LARGEST_MODULUS:
                known = (names.get(variable.get_id()) for variable in walk.free_variables(dividend))
                self._moduli.setdefault(divisor, set()).update(name for name in known if name is not None)

    @staticmethod
    def _names(clause: Clause) -> dict[int, str]:
        """Of the variables that stand for arguments: of the body, or else of the head."""
        atoms = [*([clause.head] if clause.head else []), *clause.body]
        return {
            argument.get_id(): formal.name
            for atom_ in atoms
            for formal, argument in zip(atom_.predicate.arguments, atom_.arguments, strict=True)
            if terms.is_variable(argument)
        }

    def _form(self, sum_: Sum, names: Mapping[int, str]) -> None:
        known = [(names.get(term.get_id()), weight) for term, weight in sum_.terms.values()]
        if not known or any(name is None for name, _ in known):
            return
        weights = sorted((name, weight) for name, weight in known if name is not None)
        sign = 1 if weights[0][1] > 0 else -1
        form = tuple((name, sign * weight) for name, weight in weights)
        self._forms.setdefault(form, set()).add(-sign * sum_.constant)
        self._constants[abs(sum_.constant)] += 1
        for side in (1, -1):
            part = tuple((name, abs(weight)) for name, weight in form if weight * side > 0)
            if 1 < len(part) < len(form):
                self._sides[part] = None
        self._relate(*(name for name, _ in weights))

    def _flows(self, clause: Clause, names: Mapping[int, str], copies: dict[str, set[str]]) -> None:
        head = clause.head
        if head is None:
            return
        for argument, value in zip(head.predicate.arguments, head.arguments, strict=True):
            for variable in walk.free_variables(value):
                source = names.get(variable.get_id())
                if source is not None and source != argument.name:
                    self._relate(source, argument.name)
                    if terms.is_variable(value):
                        copies.setdefault(argument.name, set()).add(source)

    def _copied(self, copies: Mapping[str, set[str]]) -> None:
        """What is compared of a copy may matter of the original."""
        for form, thresholds in list(self._forms.items()):
            if len(form) < 2:
                continue
            for position, (name, weight) in enumerate(form):
                for source in sorted(copies.get(name, ())):
                    if source not in dict(form):
                        changed = tuple(sorted((*form[:position], (source, weight), *form[position + 1 :])))
                        sign = 1 if changed[0][1] > 0 else -1
                        told = self._forms.setdefault(tuple((n, sign * w) for n, w in changed), set())
                        told.update(sign * each for each in thresholds)

    def _relate(self, *names: str) -> None:
        self._link(self._related, *names)
        self._link(self._asked, *names)

    @staticmethod
    def _link(parents: dict[str, str], *names: str) -> None:
        for name in names[1:]:
            parents[_root(parents, names[0])] = _root(parents, name)

    def table(self, predicate: Predicate, points: Sequence[Point], guarded: bool) -> _Table:
        names = [argument.name for argument in predicate.arguments]
        place = {name: i for i, name in enumerate(names)}
        measures = list(dict.fromkeys([*self._measures(predicate, place), *_extremes(predicate, points)]))
        roots = [_root(self._asked, names[measure.weights[0][0]]) for measure in measures]
        numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
        guards = sorted(_guards(measures), key=lambda guard: not self._is_compared(measures[guard[0]], names))
        guards = guards[:MOST_GUARDS] if guarded else []
        return _Table(predicate.formals, tuple(measures), tuple(guards), tuple(numbers[root] for root in roots))

    def _is_compared(self, measure: Measure, names: Sequence[str]) -> bool:
        """Whether clauses compare the same: then it is more likely to decide something."""
        return tuple(sorted((names[i], weight) for i, weight in measure.weights)) in self._forms

    def _measures(self, predicate: Predicate, place: Mapping[str, int]) -> Iterator[Measure]:
        numeric = [i for i, formal in enumerate(predicate.formals) if terms.is_integer(formal)]
        names = [argument.name for argument in predicate.arguments]
        for i, formal in enumerate(predicate.formals):
            if terms.is_boolean(formal):
                yield Measure(((i, 1),), 0)
        for i in numeric:
            for threshold in sorted({0, 1} | self._near(self._forms.get(((names[i], 1),), ()))):
                yield Measure(((i, 1),), threshold)
            for modulus in self._moduli_of(names[i]):
                for rest in range(modulus):
                    yield Measure(((i, 1),), rest, modulus)
        for i, j in combinations(numeric, 2):
            if _root(self._related, names[i]) == _root(self._related, names[j]):
                for threshold in (0, -1, 1):
                    yield Measure(((i, 1), (j, -1)), threshold)
        found = 0
        for form, thresholds in self._forms.items():
            usual = len(form) == 1 or (len(form) == 2 and form[0][1] == -form[1][1] == 1)
            if usual or found >= MOST_FORMS or any(name not in place for name, _ in form):
                continue
            found += 1
            for threshold in sorted({0} | self._near(thresholds)):
                yield Measure(tuple((place[name], weight) for name, weight in form), threshold)

    def _moduli_of(self, name: str) -> list[int]:
        """What the argument, or one that is related to it, is divided by."""
        own = _root(self._related, name)
        return [m for m, names in self._moduli.items() if any(_root(self._related, each) == own for each in names)]

    @staticmethod
    def _near(thresholds: Iterable[int]) -> set[int]:
        return set(sorted(thresholds, key=abs)[:MOST_CONSTANTS])


def _root(parents: Mapping[str, str], name: str) -> str:
    while (parent := parents.get(name, name)) != name:
        name = parent
    return name


def _extremes(predicate: Predicate, points: Sequence[Point]) -> Iterator[Measure]:
    """The smallest and the largest number that each argument had."""
    for i, formal in enumerate(predicate.formals):
        if terms.is_integer(formal) and points:
            met = [point[i] for point in points]
            yield Measure(((i, 1),), min(met))
            yield Measure(((i, 1),), max(met))


def _guards(measures: Sequence[Measure]) -> Iterator[tuple[int, int]]:
    """An argument that is zero or not, two that are equal or not."""
    for number, measure in enumerate(measures):
        if measure.threshold == 0 and not measure.modulus and _is_plain(measure):
            yield number, EQUAL
            yield number, LESS | GREATER


def _is_plain(measure: Measure) -> bool:
    return len(measure.weights) == 1 or [weight for _, weight in measure.weights] == [1, -1]


def _compared(clause: Clause) -> Iterator[Sum]:
    """The sums that the clause's constraint compares with zero."""
    for node in walk.subterms(clause.constraint):
        if terms.is_boolean(node) and (terms.is_comparison(node) or terms.is_equation(node)):
            found = atom(node)
            if found is not None:
                yield found.sum
