"""Quantified formulas made quantifier-free by instances: weaker, so that what refutes the result refutes the formula.

Solvers decide arrays and arithmetic, and often only guess with quantifiers. A claim about all cells of an array is
needed at few of them as a rule: those that the formula reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice, product
from typing import TypeAlias

from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_INSTANCES = 200
DEEPEST = 200
_Each: TypeAlias = Callable[[Term, bool], Term]
"""A part of a formula, and whether it stands under an even number of negations, rewritten."""


def without_quantifiers(formula: Term) -> Term | None:
    """A quantifier-free formula that is satisfiable if the given one is; None where quantifiers stand too deep."""
    if not walk.has_quantifier(formula):
        return formula
    rewriting = _Rewriting(Names(terms.name_of(v) for v in walk.free_variables(formula)))
    try:
        opened = rewriting.skolemized(formula, positive=True)
        return rewriting.instantiated(opened, _candidates(opened), positive=True)
    except _TooDeep:
        return None


class _TooDeep(Exception):
    """A quantifier under a connective that is not looked through."""


@dataclass(slots=True)
class _Rewriting:
    names: Names
    _quantified: dict[int, bool] = field(default_factory=dict)
    _held: list[Term] = field(default_factory=list)

    def skolemized(self, formula: Term, *, positive: bool, depth: int = 0) -> Term:
        """What some value makes true, with a constant for that value."""

        def each(part: Term, polarity: bool) -> Term:
            return self.skolemized(part, positive=polarity, depth=depth + 1)

        if terms.is_quantifier(formula) and terms.is_exists(formula) == positive:
            constants = [self.names.variable(name, sort) for name, sort in terms.bound_variables(formula)]
            return each(terms.open_quantifier(formula, constants), positive)
        if terms.is_quantifier(formula):
            return formula
        return self._connected(formula, positive, each, depth)

    def instantiated(self, formula: Term, candidates: Sequence[Term], *, positive: bool, depth: int = 0) -> Term:
        """What all values make true, at the candidates alone."""

        def each(part: Term, polarity: bool) -> Term:
            return self.instantiated(part, candidates, positive=polarity, depth=depth + 1)

        if not terms.is_quantifier(formula):
            return self._connected(formula, positive, each, depth)
        if terms.is_exists(formula) == positive:
            raise _TooDeep  # it stands under another quantifier, whose value it depends on
        found = [terms.open_quantifier(formula, choice) for choice in _choices(formula, candidates)]
        if any(map(walk.has_quantifier, found)):
            raise _TooDeep
        return terms.conjunction(found) if positive else terms.disjunction(found)

    def _connected(self, formula: Term, positive: bool, each: _Each, depth: int) -> Term:
        if not self._has_quantifier(formula):
            return formula
        if depth > DEEPEST:
            raise _TooDeep
        children = terms.children(formula)
        if terms.is_not(formula):
            return terms.negation(each(children[0], not positive))
        if terms.is_and(formula):
            return terms.conjunction([each(child, positive) for child in children])
        if terms.is_or(formula):
            return terms.disjunction([each(child, positive) for child in children])
        if terms.is_implication(formula):
            return terms.implication(each(children[0], not positive), each(children[1], positive))
        raise _TooDeep

    def _has_quantifier(self, formula: Term) -> bool:
        identity = terms.identity(formula)
        if identity not in self._quantified:
            self._held.append(formula)
            self._quantified[identity] = walk.has_quantifier(formula)
        return self._quantified[identity]


def _choices(quantifier: Term, candidates: Iterable[Term]) -> Iterator[tuple[Term, ...]]:
    sorts = [sort for _, sort in terms.bound_variables(quantifier)]
    fitting = [[c for c in candidates if terms.sort_of(c) == sort] for sort in sorts]
    return islice(product(*fitting), MOST_INSTANCES)


def _candidates(formula: Term) -> list[Term]:
    """The terms at which arrays are read and written, outside of quantifiers."""
    found: dict[int, Term] = {}
    for index in walk.array_indices(formula):
        if not walk.has_bound_variable(index):
            found.setdefault(terms.identity(index), index)
    return list(found.values())
