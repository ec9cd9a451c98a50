"""Invariants for the rules out of cubes of environments: negations of some literals that no known point refutes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sorrel.engines.clover.plan import PLAN
from sorrel.engines.unwind import ForwardSearch
from sorrel.guess.points import sample
from sorrel.horn.clause import Predicate
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate, value_in
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat

MOST_CANDIDATES = 60
MOST_POINTS = 80


class NegatedCubes:
    """`moduli`: what cubes are generalised to congruences by, if anything."""

    def __init__(self, forward: ForwardSearch, oracle: Oracle, moduli: Sequence[int]) -> None:
        self._forward = forward
        self._oracle = oracle
        self._moduli = moduli
        self._points: dict[str, list[list[tuple[Term, Term]]]] = {}
        self._sampled: dict[str, int] = {}

    def of(self, predicate: Predicate, cube: Term) -> Iterator[Term]:
        """¬(some literals of the cube), few literals first; none that a derivable point refutes."""
        literals = terms.conjuncts(cube)
        weaker = self._weaker_literals(predicate, cube)
        sets: list[tuple[Term, ...]] = [(literal,) for literal in (*literals, *weaker)]
        sets += [(literal, weak) for literal in literals for weak in weaker]
        sets += combinations(literals, 2)
        if len(literals) > 2:
            sets.append(tuple(literals))
        yield from self.unrefuted(predicate, [terms.FALSE])
        yield from self.unrefuted(predicate, [terms.negation(terms.conjunction(s)) for s in sets[:MOST_CANDIDATES]])

    def _weaker_literals(self, predicate: Predicate, cube: Term) -> list[Term]:
        """Congruences that the cube implies: a cube that is a point says nothing about its neighbours by itself."""
        if not self._moduli:
            return []
        match self._oracle.check(cube, kind="sample"):
            case Sat(model):
                pass
            case _:
                return []
        found = []
        for formal in predicate.formals:
            if not terms.is_integer(formal):
                continue
            for modulus in self._moduli:
                residue = evaluate(formal % modulus, [(f, value_in(model, f)) for f in predicate.formals])
                literal = terms.equal(formal % modulus, residue)
                if self._oracle.entails(cube, literal, "weaker", seconds=PLAN.weaker) is True:
                    found.append(literal)
        return found

    def unrefuted(self, predicate: Predicate, candidates: Sequence[Term]) -> Iterator[Term]:
        for candidate in candidates:
            if not any(terms.is_false(evaluate(candidate, point)) for point in self._known_points(predicate)):
                yield candidate

    def _known_points(self, predicate: Predicate) -> list[list[tuple[Term, Term]]]:
        """One concrete point of each known fact about a predicate, as long as there are few."""
        name = predicate.name
        points = self._points.setdefault(name, [])
        facts = self._forward.known(name)[:MOST_POINTS]
        for cube in facts[self._sampled.get(name, 0) :]:
            points += [list(point.items()) for point in sample(cube.formula, predicate.formals, self._oracle, most=1)]
        self._sampled[name] = len(facts)
        return points
