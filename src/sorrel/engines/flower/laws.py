"""Guesses about laws of comparisons: what holds of the signs of results if the runs were started in the right way.

A law relates arguments crosswise: run a compares x with y, run b y with x. So relations between all inputs of different
runs are looked at, not only between copies of one variable, and separately for each set of runs that are still inside.
They are far too many for the lattice: those that hold at every call from a query on are found first, and together they
are guessed to imply each consequent. Sound like every guess: only what is inductive is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain, combinations, permutations, product

from sorrel.guess.fixpoint import settle
from sorrel.guess.houdini import Houdini
from sorrel.horn.clause import Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import operations, terms
from sorrel.logic.evaluate import value_in
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat

MOST_RELATIONS = 2_000
"""A procedure with more inputs is not one of a comparison."""


def law_guesses(system: HornSystem, oracle: Oracle, known: Summaries) -> dict[str, list[Term]] | None:
    """A proof by what holds of signs, if there is one."""
    grammar = {p.name: patterns for p in system.predicates if (patterns := patterns_of(p))}
    if not grammar:
        return None
    Preconditions(system, grammar, oracle).run()
    laws = {name: list(_candidates(patterns, oracle)) for name, patterns in grammar.items()}
    alone = {name: list(_alone(system.predicate[name])) for name in grammar}
    for candidates in (laws, {name: [*laws[name], *alone[name]] for name in grammar}):
        houdini = Houdini(system, candidates, oracle, known)
        houdini.run()
        support = houdini.support()
        if support is not None:
            return support
    return None


@dataclass(slots=True, eq=False)
class Pattern:
    """For the case that exactly certain runs are inside: what may be required of inputs, and what of results.

    `relations` are all there are at first, and in the end those that hold at every call.
    """

    inside: Term
    relations: list[Term]
    laws: list[Term] = field(default_factory=list)

    def required(self) -> Term:
        return terms.implication(self.inside, terms.conjunction(self.relations))


def _candidates(patterns: Iterable[Pattern], oracle: Oracle) -> Iterator[Term]:
    for pattern in patterns:
        required = oracle.without_redundant(pattern.relations)
        for law in pattern.laws:
            yield terms.implication(terms.conjunction([pattern.inside, *required]), law)


class Preconditions:
    """FILTER (algorithm 11) by models: the largest sets of relations that callers pass on, from the queries on.

    They decide nothing; they are what is worth requiring. What the solver cannot decide is dropped.
    """

    def __init__(self, system: HornSystem, grammar: Mapping[str, Sequence[Pattern]], oracle: Oracle) -> None:
        self._system = system
        self._grammar = grammar
        self._oracle = oracle

    def run(self) -> None:
        settle(self._system.clauses, self._visit, self._oracle.clock)

    def _visit(self, clause: Clause) -> Iterator[Clause]:
        for atom in clause.body:
            patterns = self._grammar.get(atom.predicate.name, ())
            lost = [self._thin(clause, atom, pattern) for pattern in patterns]
            if any(lost):
                yield from self._system.defining[atom.predicate.name]

    def _thin(self, clause: Clause, atom: Atom, pattern: Pattern) -> bool:
        """Drop what does not hold at this call; was there anything?"""
        if not pattern.relations:
            return False
        session = self._oracle.session("preconditions")
        session.add(clause.constraint, terms.substitute(pattern.inside, atom.bind()))
        if clause.head is not None:
            for outer in self._grammar.get(clause.head.predicate.name, ()):
                session.add(terms.substitute(outer.required(), clause.head.bind()))
        before = len(pattern.relations)
        here = {id(relation): terms.substitute(relation, atom.bind()) for relation in pattern.relations}
        while pattern.relations:
            claim = terms.conjunction(here[id(relation)] for relation in pattern.relations)
            result = session.check_with([terms.negation(claim)])
            if isinstance(result, Unsat):
                break
            model = result.model if isinstance(result, Sat) else None
            pattern.relations = [
                relation
                for relation in pattern.relations
                if model is not None and terms.is_true(value_in(model, here[id(relation)]))
            ]
        return len(pattern.relations) < before


@dataclass(frozen=True, slots=True, eq=False)
class _OneRun:
    """The arguments of a predicate that belong to one run; results by the name that they have in each run."""

    active: Term
    inputs: tuple[Term, ...]
    outputs: Mapping[str, Term]


def patterns_of(predicate: Predicate) -> list[Pattern]:
    """What may be guessed of a predicate: nothing if it is no product, has no numbers as results or too many inputs."""
    runs = _runs(predicate)
    patterns: list[Pattern] = []
    for size in range(2, len(runs) + 1):
        for inside in combinations(runs, size):
            active = terms.conjunction(run.active if run in inside else terms.negation(run.active) for run in runs)
            patterns.append(Pattern(active, list(_relations(inside)), list(_laws(inside))))
    few = sum(len(pattern.relations) for pattern in patterns) <= MOST_RELATIONS
    return patterns if few and any(pattern.laws for pattern in patterns) else []


def _runs(predicate: Predicate) -> list[_OneRun]:
    numbers = sorted({argument.copy for argument in predicate.arguments if argument.copy is not None})
    found = []
    for number in numbers:
        own = [argument for argument in predicate.arguments if argument.copy == number]
        active = [argument.formal for argument in own if argument.role is Role.ACTIVATION]
        inputs = tuple(argument.formal for argument in own if argument.role is Role.INPUT)
        outputs = {a.base or a.name: a.formal for a in own if a.role is Role.OUTPUT}
        if len(active) == 1:
            found.append(_OneRun(active[0], inputs, outputs))
    return found


def _alone(predicate: Predicate) -> Iterator[Term]:
    """What the signs of one or two inputs may say about the sign of the result, in each run by itself."""
    zero = terms.integer(0)
    for run in _runs(predicate):
        numbers = [value for value in run.inputs if terms.is_integer(value)]
        signs_of = [(operations.less(zero, value), operations.at_most(value, zero)) for value in numbers]
        givens = [[sign] for pair in signs_of for sign in pair]
        givens += [list(both) for one, other in combinations(signs_of, 2) for both in product(one, other)]
        for result in filter(terms.is_integer, run.outputs.values()):
            is_zero = terms.equal(result, zero)
            claims = (terms.negation(is_zero), operations.at_most(zero, result), operations.at_most(result, zero))
            for given, claim in product(givens, claims):
                yield terms.implication(terms.conjunction([run.active, *given]), claim)


def _relations(runs: Sequence[_OneRun]) -> Iterator[Term]:
    """Equations between runs; and how the inputs of one run compare with each other and with 0."""
    for one, other in combinations(runs, 2):
        yield from _equations(product(one.inputs, other.inputs))
    for run in runs:
        for left, right in combinations(run.inputs, 2):
            if terms.same_sort(left, right):
                equation = terms.equal(left, right)
                yield from (equation, terms.negation(equation))
                if terms.is_integer(left):
                    yield from (operations.at_most(left, right), operations.at_most(right, left))
        yield from (operations.at_most(terms.integer(0), value) for value in run.inputs if terms.is_integer(value))


def _equations(pairs: product[tuple[Term, Term]]) -> Iterator[Term]:
    return (terms.equal(one, other) for one, other in pairs if terms.same_sort(one, other))


def _laws(runs: Sequence[_OneRun]) -> Iterator[Term]:
    bases = dict.fromkeys(chain.from_iterable(run.outputs for run in runs))
    for base in bases:
        results = [run.outputs[base] for run in runs if base in run.outputs]
        if len(results) == len(runs) and all(map(terms.is_integer, results)):
            yield from signs(results)


def signs(results: Sequence[Term]) -> Iterator[Term]:
    """Laws of two and of three signs: opposite, equal; transitive, and alike beside what compares equal."""
    zero = terms.integer(0)
    above = [operations.less(zero, result) for result in results]
    below = [operations.less(result, zero) for result in results]
    level = [terms.equal(result, zero) for result in results]

    def same(one: int, other: int) -> Term:
        return terms.conjunction([terms.equal(above[one], above[other]), terms.equal(below[one], below[other])])

    for one, other in combinations(range(len(results)), 2):
        yield terms.conjunction([terms.equal(above[one], below[other]), terms.equal(below[one], above[other])])
        yield same(one, other)
    for one, other, third in permutations(range(len(results)), 3):
        if one < other:
            yield terms.implication(terms.conjunction([above[one], above[other]]), above[third])
        if other < third:
            yield terms.implication(level[one], same(other, third))
