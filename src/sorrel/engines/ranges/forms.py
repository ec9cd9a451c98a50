"""What is bounded: arguments, sums that the clauses compare, and elements of arrays within a range of indices."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import starmap

from sorrel.engines.ranges.alternatives import one_by_one
from sorrel.engines.ranges.cases import cases
from sorrel.engines.ranges.copies import copies
from sorrel.engines.ranges.ends import missing_ends
from sorrel.engines.ranges.flags import flagged, flags
from sorrel.engines.ranges.names import Survey, formulas, numbers
from sorrel.engines.ranges.sums import MOST_SUMS, Weights, compared_sums
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.linear import linear
from sorrel.logic.operations import literal
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

INDEX: Term = terms.variable("ranges!index", terms.INT)
"""The index that a bound of elements is meant for."""
MOST_GUARDS = 8
"""Ends of ranges for one array."""
MOST_READ = 8
"""Elements at arguments, such as the length of an object."""
MOST_NUMBERS = 4
"""Ends of ranges that are numbers."""
MOST_LIMITS, NEAR = 80, (-2, -1, 0, 1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A number over the formals of a predicate, and what it may be at most, in rising order.

    Of elements one is meant at each INDEX that `guard` allows.
    """

    body: Term
    limits: tuple[int, ...]
    guard: Term = terms.TRUE
    of_elements: bool = False
    if_flagged: bool = False
    is_case: bool = False

    def bounded(self, limit: int) -> Term:
        """The claim over the formals, and over INDEX where elements are meant."""
        return terms.implication(self.guard, self.body <= limit)


@dataclass(frozen=True, slots=True)
class Template:
    """What is said of a predicate: forms with a limit, and numbers between which equations are sought."""

    forms: Sequence[Form]
    numbers: Sequence[Term] = ()

    def plain(self) -> Template:
        """Numbers alone."""
        return self._of(lambda form: not (form.of_elements or form.if_flagged or form.is_case))

    def with_cases(self) -> Template:
        return self._of(lambda form: not (form.of_elements or form.if_flagged))

    def with_flags(self) -> Template:
        return self._of(lambda form: not form.of_elements)

    def with_elements(self) -> Template:
        return self._of(lambda form: not form.if_flagged)

    def without(self, known: Container[Form]) -> Template:
        """What is not known yet; equations are, as far as there are any."""
        return Template([form for form in self.forms if form not in known])

    def _of(self, wanted: Callable[[Form], bool]) -> Template:
        return Template([form for form in self.forms if wanted(form)], self.numbers)


def templates(system: HornSystem) -> dict[str, Template]:
    """For each predicate, by name; a lower limit is an upper one of the opposite."""
    survey = Survey(one_by_one(system))
    sums, guards, limits, excluded = compared_sums(survey), ends_of_ranges(survey), Limits(survey), cases(survey)
    read, ends, set_, same = survey.elements, missing_ends(survey), flags(survey), copies(survey)
    found: dict[str, Template] = {}
    for predicate in system.predicates:
        name = predicate.name
        known = numbers(predicate, read[name], MOST_READ)
        totals = list(_sums(known, sums[name]))
        bounded = (*_numbers(predicate, known), *totals, *_elements(predicate, known, guards[name]))
        forms = [
            Form(sign * body, limits.of(body), guard, of_elements)
            for body, guard, of_elements in bounded
            for sign in (1, -1)
        ]
        forms += (Form(_truth(what), (0,), guard, is_case=True) for what, guard in excluded[name])
        missing, passed_over = ends[name]
        forms += (Form(_truth(what), (0,)) for what in (*starmap(terms.distinct, same[name]), *missing))
        forms += (Form(_truth(what), (0,), is_case=True) for what in passed_over)
        forms += (
            Form(sign * body, limits.of(body), flag, if_flagged=True)
            for body, flag in flagged([body for body, _, _ in totals], list(known.values()), set_[name])
            for sign in (1, -1)
        )
        found[name] = Template(forms, tuple(known.values()))
    return found


Bounded = tuple[Term, Term, bool]
"""A number, where it is meant, and whether it is an element."""


def _truth(condition: Term) -> Term:
    return terms.ite(condition, terms.integer(1), terms.integer(0))


def _numbers(predicate: Predicate, known: Mapping[str, Term]) -> Iterator[Bounded]:
    yield from ((number, terms.TRUE, False) for number in known.values())
    yield from ((_truth(formal), terms.TRUE, False) for formal in predicate.formals if terms.is_boolean(formal))


def _sums(known: Mapping[str, Term], sums: Sequence[Weights]) -> Iterator[Bounded]:
    fitting = [weights for weights in sums if all(name in known for name, _ in weights)]
    for weights in fitting[:MOST_SUMS]:
        yield terms.total([terms.integer(factor) * known[name] for name, factor in weights]), terms.TRUE, False


def _elements(predicate: Predicate, known: Mapping[str, Term], guards: Sequence[str | int]) -> Iterator[Bounded]:
    ends = [terms.integer(end) if isinstance(end, int) else known[end] for end in guards if _is_there(end, known)]
    ranges = [terms.TRUE, *(terms.conjunction([INDEX >= 0, end >= INDEX + 1]) for end in ends[:MOST_GUARDS])]
    for formal in predicate.formals:
        if terms.is_integer_indexed(formal) and terms.is_integer(terms.select(formal, INDEX)):
            yield from ((terms.select(formal, INDEX), guard, True) for guard in ranges)


def _is_there(end: str | int, known: Mapping[str, Term]) -> bool:
    return isinstance(end, int) or end in known


@dataclass(frozen=True, slots=True)
class Flow:
    """Variables and numbers that a value is made of."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]


class Limits:
    """The numbers that a variable is compared with, here or where its value goes, and their neighbours."""

    def __init__(self, survey: Survey) -> None:
        self._parent: dict[str, str] = {}
        self._numbers: dict[str, dict[int, None]] = {}
        for clause in survey.system.clauses:
            atoms = (*clause.body, *([clause.head] if clause.head else []))
            found = survey.comparisons(clause)
            compared = [(one, other) for one, other, _ in found]
            equal = [(one, other) for one, other, is_equation in found if is_equation]
            passed = [pair for atom in atoms for pair in atom.bind()]
            for one, other in (*passed, *equal):
                self._join(_flow(one), _flow(other))
            for one, other in (*passed, *compared):
                self._note(_flow(one), _flow(other))

    def of(self, body: Term) -> tuple[int, ...]:
        """What the number and its opposite may be at most."""
        found = dict.fromkeys(NEAR)
        for variable in walk.free_variables(body):
            values = self._by_root.get(self._root(terms.name(variable)), ())
            found.update((near, None) for value in values for near in (value, value - 1, value + 1))
        nearest = sorted(found, key=abs)[:MOST_LIMITS]
        return tuple(sorted({each for value in nearest for each in (value, -value)}))

    @cached_property
    def _by_root(self) -> dict[str, dict[int, None]]:
        found: dict[str, dict[int, None]] = {}
        for name, compared in self._numbers.items():
            found.setdefault(self._root(name), {}).update(compared)
        return found

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


def ends_of_ranges(survey: Survey) -> dict[str, list[str | int]]:
    """For each predicate arguments that are indices, and what these are compared with: where what was written ends."""
    found: dict[str, dict[str | int, None]] = {p.name: {} for p in survey.system.predicates}
    fixed: dict[str | int, None] = {}
    for clause in survey.system.clauses:
        indices = {terms.name(i) for i in walk.array_indices(*formulas(clause)) if terms.is_variable(i)}
        ends: dict[str, None] = dict.fromkeys(sorted(indices))
        pairs = [pair for one, other, _ in survey.comparisons(clause) for pair in ((one, other), (other, one))]
        for one, other in pairs:
            if not (terms.is_variable(one) and terms.name(one) in indices):
                continue
            value = terms.as_number(other) if terms.is_value(other) else None
            if value is not None and not isinstance(value, bool) and value > 0:
                fixed.setdefault(int(value))
            elif terms.is_variable(other) and terms.is_integer(other):
                ends.setdefault(terms.name(other))
        for predicate, names in survey.known(clause):
            found[predicate].update((names[end], None) for end in ends if end in names)
    return {name: [*list(fixed)[:MOST_NUMBERS], *ends] for name, ends in found.items()}


def _flow(term: Term) -> Flow:
    """What the number, or an element of the array, may be made of; not what decides about it."""
    names: dict[str, None] = {}
    numbers: dict[int, None] = {}
    work, seen = [term], {terms.identity(term): term}
    while work:
        node = work.pop()
        inner: list[Term] = []
        value = literal(node)
        if value is not None:
            numbers.setdefault(value)
        elif terms.is_variable(node):
            names.setdefault(terms.name(node))
        elif terms.is_select(node):
            inner = terms.children(node)[:1]
        elif terms.is_ite(node):
            inner = terms.children(node)[1:]
        elif terms.is_array(node):
            inner = [*terms.children(node)[:1], *terms.children(node)[2:]]
        elif terms.is_integer(node):
            total = linear(node)
            numbers.setdefault(total.constant)
            inner = [part for part, _ in total.terms.values()]
            if len(inner) == 1 and terms.same(inner[0], node):
                # A quotient, a remainder, a product: what it is made of is another number, but it has limits here.
                numbers.update((number, None) for child in terms.children(node) for number in walk.numerals(child))
                inner = []
        new = [each for each in inner if terms.identity(each) not in seen]
        seen.update((terms.identity(each), each) for each in new)
        work += new
    return Flow(tuple(names), tuple(numbers))
