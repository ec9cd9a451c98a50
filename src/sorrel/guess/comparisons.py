"""Comparisons that are inductive: which of <, = and > can stand between two quantities, at each place of a program.

A measure is a linear form over the arguments of a predicate and a number to compare it with: an argument, a difference
of two, or a form that the clauses themselves compare. For each measure a predicate's table remembers which signs were
met; under a guard (a measure that is zero, or is not) fewer may have been met than without. What was met is a formula.
A clause that leads out of it shows a point that was not met yet, which is added; so each table is the strongest of its
shape that contains what it must (Reps, Sagiv and Yorsh, Symbolic implementation of the best transformer, VMCAI 2004).
It is finite, so this ends. Whoever uses the result checks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import value_in
from sorrel.logic.linear import Sum, atom
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat, Session, Unsat

LESS, EQUAL, GREATER = 1, 2, 4
ANY = LESS | EQUAL | GREATER
MOST_FORMS = 10
MOST_GUARDS = 40
MOST_POINTS = 80
"""So many of the points that are known from the start: more would say little, and cost time at each place."""

Point = tuple[int, ...]
Points = Mapping[str, Sequence[Point]]
"""For each predicate, by name, values of its arguments that are derivable; truth values are 0 and 1."""
Weights = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """Σ weight·argument, by position, compared with a number."""

    weights: tuple[tuple[int, int], ...]
    threshold: int

    def sign(self, point: Point) -> int:
        value = sum(weight * point[i] for i, weight in self.weights) - self.threshold
        return LESS if value < 0 else GREATER if value > 0 else EQUAL

    def claim(self, formals: Sequence[Term], signs: int) -> Term:
        """That the sign is one of these."""
        if terms.is_boolean(formals[self.weights[0][0]]):
            return _truth(formals[self.weights[0][0]], signs)
        positive = [_scaled(formals[i], weight) for i, weight in self.weights if weight > 0]
        negative = [_scaled(formals[i], -weight) for i, weight in self.weights if weight < 0]
        if self.threshold > 0 or not negative:
            negative.append(terms.integer(self.threshold))
        elif self.threshold < 0:
            positive.append(terms.integer(-self.threshold))
        left, right = _sum(positive), _sum(negative)
        return _CLAIMS[signs](left, right)


_CLAIMS = {
    LESS: lambda left, right: left < right,
    EQUAL: terms.equal,
    GREATER: lambda left, right: left > right,
    LESS | EQUAL: lambda left, right: left <= right,
    GREATER | EQUAL: lambda left, right: left >= right,
    LESS | GREATER: terms.distinct,
}


def _truth(formal: Term, signs: int) -> Term:
    if signs & EQUAL:
        return terms.TRUE if signs & GREATER else terms.negation(formal)
    return formal


def _scaled(term: Term, weight: int) -> Term:
    return term if weight == 1 else terms.integer(weight) * term


def _sum(parts: Sequence[Term]) -> Term:
    total = parts[0] if parts else terms.integer(0)
    for part in parts[1:]:
        total = total + part
    return total


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

    def __post_init__(self) -> None:
        self.met = [0] * len(self.measures)
        self.met_under = [[0] * len(self.measures) for _ in self.guards]

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
            self._formula = terms.FALSE if self.is_empty else terms.joined(list(self._claims()))
        return self._formula

    def _claims(self) -> Iterator[Term]:
        yield terms.TRUE
        for measure, signs in zip(self.measures, self.met, strict=True):
            if signs != ANY:
                yield measure.claim(self.formals, signs)
        for (number, wanted), met in zip(self.guards, self.met_under, strict=True):
            conclusions = [
                self.measures[i].claim(self.formals, signs)
                for i, signs in enumerate(met)
                if 0 < signs < self.met[i] and i != number and self.groups[i] == self.groups[number]
            ]
            if conclusions:
                guard = self.measures[number].claim(self.formals, wanted)
                yield terms.implication(guard, terms.joined(conclusions))


def _include(met: list[int], signs: Sequence[int]) -> bool:
    new = False
    for i, sign in enumerate(signs):
        if met[i] | sign != met[i]:
            met[i] |= sign
            new = True
    return new


def comparisons(system: HornSystem, points: Points, oracle: Oracle, *, guarded: bool) -> Summaries | None:
    """Formulas that every clause with a head keeps, given that all clauses are linear; None if time ran out."""
    return _Search(system, points, oracle, guarded).run()


class _Search:
    def __init__(self, system: HornSystem, points: Points, oracle: Oracle, guarded: bool) -> None:
        self._system = system
        self._oracle = oracle
        self._sessions: dict[str, Session] = {}
        words = _Words(system)
        self._tables = {p.name: words.table(p, guarded) for p in system.predicates}
        for name, known in points.items():
            for point in known[:MOST_POINTS]:
                self._tables[name].add(point)

    def run(self) -> Summaries | None:
        work = {clause.name: clause for clause in self._system.clauses if clause.head is not None}
        while work:
            if self._oracle.clock.expired():
                return None
            clause = work.pop(next(iter(work)))
            changed = self._closed(clause)
            if changed is None:
                return None
            if changed and clause.head is not None:
                work.update((c.name, c) for c in self._system.using[clause.head.predicate.name] if c.head is not None)
        return {name: table.formula() for name, table in self._tables.items()}

    def _closed(self, clause: Clause) -> bool | None:
        """Add to the head's table until the clause leads nowhere else; was something added? None: not decided."""
        head = clause.head
        if head is None or any(self._tables[atom.predicate.name].is_empty for atom in clause.body):
            return False
        table = self._tables[head.predicate.name]
        changed = False
        session = self._session(clause)
        while True:
            session.push()
            for atom_ in clause.body:
                session.add(terms.substitute(self._tables[atom_.predicate.name].formula(), atom_.bind()))
            session.add(terms.negation(terms.substitute(table.formula(), head.bind())))
            result = session.check()
            point = _point(result, head.arguments) if isinstance(result, Sat) else None
            session.pop()
            if isinstance(result, Unsat):
                return changed
            if point is None or not table.add(point):
                return None
            changed = True

    def _session(self, clause: Clause) -> Session:
        if clause.name not in self._sessions:
            session = self._sessions[clause.name] = self._oracle.session("comparisons")
            session.add(clause.constraint)
        return self._sessions[clause.name]


def _point(result: Sat, arguments: Sequence[Term]) -> Point | None:
    numbers = [terms.as_number(value_in(result.model, argument)) for argument in arguments]
    return tuple(int(number) for number in numbers) if None not in numbers else None  # type: ignore[arg-type]


# What to compare


class _Words:
    """The forms that clauses compare, the numbers they compare with, and which arguments have to do with each other.

    Arguments with the same name in different predicates are taken for the same variable.
    """

    def __init__(self, system: HornSystem) -> None:
        self._parent: dict[str, str] = {}
        self._forms: dict[Weights, set[int]] = {}
        copies: dict[str, set[str]] = {}
        for clause in system.clauses:
            names = self._names(clause)
            for sum_ in _compared(clause):
                self._form(sum_, names)
            if clause.head is not None:
                self._flows(clause, names, copies)
        self._copied(copies)

    @staticmethod
    def _names(clause: Clause) -> dict[int, str]:
        """Of the variables that stand for arguments in the body."""
        return {
            argument.get_id(): formal.name
            for atom_ in clause.body
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
        for name, _ in weights[1:]:
            self._join(weights[0][0], name)

    def _flows(self, clause: Clause, names: Mapping[int, str], copies: dict[str, set[str]]) -> None:
        head = clause.head
        if head is None:
            return
        for argument, value in zip(head.predicate.arguments, head.arguments, strict=True):
            for variable in walk.free_variables(value):
                source = names.get(variable.get_id())
                if source is not None and source != argument.name:
                    self._join(source, argument.name)
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

    def _find(self, name: str) -> str:
        while (parent := self._parent.get(name, name)) != name:
            name = parent
        return name

    def _join(self, one: str, other: str) -> None:
        self._parent[self._find(one)] = self._find(other)

    def table(self, predicate: Predicate, guarded: bool) -> _Table:
        names = [argument.name for argument in predicate.arguments]
        place = {name: i for i, name in enumerate(names)}
        measures = list(dict.fromkeys(self._measures(predicate, place)))
        roots = [self._find(names[measure.weights[0][0]]) for measure in measures]
        numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
        guards = list(_guards(measures))[:MOST_GUARDS] if guarded else []
        return _Table(predicate.formals, tuple(measures), tuple(guards), tuple(numbers[root] for root in roots))

    def _measures(self, predicate: Predicate, place: Mapping[str, int]) -> Iterator[Measure]:
        numeric = [i for i, formal in enumerate(predicate.formals) if terms.is_integer(formal)]
        names = [argument.name for argument in predicate.arguments]
        for i, formal in enumerate(predicate.formals):
            if terms.is_boolean(formal):
                yield Measure(((i, 1),), 0)
        for i in numeric:
            for threshold in sorted({0, 1} | self._near(self._forms.get(((names[i], 1),), ()))):
                yield Measure(((i, 1),), threshold)
        for i, j in combinations(numeric, 2):
            if self._find(names[i]) == self._find(names[j]):
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

    @staticmethod
    def _near(thresholds: Iterable[int]) -> set[int]:
        return set(sorted(thresholds, key=abs)[:4])


def _guards(measures: Sequence[Measure]) -> Iterator[tuple[int, int]]:
    """An argument that is zero or not, two that are equal or not."""
    for number, measure in enumerate(measures):
        if measure.threshold == 0 and len(measure.weights) <= 2 and abs(measure.weights[-1][1]) == 1:
            yield number, EQUAL
            yield number, LESS | GREATER


def _compared(clause: Clause) -> Iterator[Sum]:
    """The sums that the clause's constraint compares with zero."""
    for node in walk.subterms(clause.constraint):
        if terms.is_boolean(node) and (terms.is_comparison(node) or terms.is_equation(node)):
            found = atom(node)
            if found is not None:
                yield found.sum
