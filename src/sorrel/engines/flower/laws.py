"""Guesses about laws of comparisons: what holds of the signs of results if the runs were started in the right way.

A law relates arguments crosswise: run a compares x with y, run b y with x. So relations between all inputs of different
runs are looked at, not only between copies of one variable, and separately for each set of runs that are still inside.
They are far too many for the lattice: those that hold at every call from a query on are found first, and together they
are guessed to imply each consequent. Sound like every guess: only what is inductive is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product

from sorrel.guess.lattice import Implication, LatticeHoudini, Literal, Shape
from sorrel.horn.clause import Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle

MOST_RELATIONS = 2_000
"""A procedure with more inputs is not one of a comparison."""
_IMPOSSIBLE = Shape(terms.TRUE, (), (Literal(terms.FALSE),), ())


def law_guesses(
    system: HornSystem, weaker: HornSystem, oracle: Oracle, known: Summaries
) -> dict[str, list[Term]] | None:
    """A proof by what holds of signs, if there is one; `weaker` is the system that solvers are asked about."""
    found = {predicate.name: law_shape_of(predicate) for predicate in system.predicates}
    if all(shape is None for shape in found.values()):
        return None
    shapes = {name: shape or _IMPOSSIBLE for name, shape in found.items()}
    holding = LatticeHoudini(weaker, shapes, oracle, known, start={}).preconditions()
    fewer = {name: _with(shape, sorted(holding[name])) for name, shape in shapes.items()}
    start = {name: list(_all_together(shape)) for name, shape in fewer.items()}
    houdini = LatticeHoudini(weaker, fewer, oracle, known, start=start)
    houdini.run()
    if houdini.support() is None:
        return None
    houdini.shrink()
    return houdini.support()


def _with(shape: Shape, antecedents: Sequence[int]) -> Shape:
    kept = tuple(shape.antecedents[number] for number in antecedents)
    return Shape(shape.always, kept, shape.consequents, (len(kept),))


def _all_together(shape: Shape) -> Iterator[Implication]:
    antecedents = frozenset(range(len(shape.antecedents)))
    return (Implication(antecedents, number) for number in range(len(shape.consequents)))


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """The arguments of a predicate that belong to one run; results by the name that they have in each run."""

    active: Term
    inputs: tuple[Term, ...]
    outputs: Mapping[str, Term]


def law_shape_of(predicate: Predicate) -> Shape | None:
    """What may be guessed of a predicate; None if it is no product, has no numbers as results or too many inputs."""
    runs = _runs(predicate)
    antecedents: list[Literal] = []
    consequents: list[Literal] = []
    for size in range(2, len(runs) + 1):
        for inside in combinations(runs, size):
            pattern = terms.conjunction(run.active if run in inside else terms.negation(run.active) for run in runs)
            antecedents += [Literal(terms.implication(pattern, relation)) for relation in _relations(inside)]
            consequents += [Literal(terms.implication(pattern, law)) for law in _laws(inside)]
    if not consequents or len(antecedents) > MOST_RELATIONS:
        return None
    return Shape(terms.TRUE, tuple(antecedents), tuple(consequents), (len(antecedents),))


def _runs(predicate: Predicate) -> list[_Run]:
    numbers = sorted({argument.copy for argument in predicate.arguments if argument.copy is not None})
    found = []
    for number in numbers:
        own = [argument for argument in predicate.arguments if argument.copy == number]
        active = [argument.formal for argument in own if argument.role is Role.ACTIVATION]
        inputs = tuple(argument.formal for argument in own if argument.role is Role.INPUT)
        outputs = {a.base or a.name: a.formal for a in own if a.role is Role.OUTPUT}
        if len(active) == 1:
            found.append(_Run(active[0], inputs, outputs))
    return found


def _relations(runs: Sequence[_Run]) -> Iterator[Term]:
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


def _laws(runs: Sequence[_Run]) -> Iterator[Term]:
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
