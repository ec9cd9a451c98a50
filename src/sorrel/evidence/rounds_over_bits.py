"""What holds in every round of a loop over bit-vectors, asked with the number of the round as a bit-vector.

Values in such a loop are polynomials in the number of the round, modulo powers of two. Taking integers modulo a power
of two keeps sums and products, so that the same polynomial over bits is the same value.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add, mul, sub

import z3

from sorrel.horn.verdict import ROUND, Derivation
from sorrel.logic import operations, pointers, terms, walk
from sorrel.logic.printing_smtlib import smtlib_sort
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

_COMPARISONS = {z3.Z3_OP_LE: z3.ULE, z3.Z3_OP_LT: z3.ULT, z3.Z3_OP_GE: z3.UGE, z3.Z3_OP_GT: z3.UGT}


class _NotBits(Exception):
    """The number of the round is used for something else."""


def over_bits(formula: Term, count: int) -> Term:
    """A formula that is valid exactly if the given one holds for all rounds from 0 to `count` - 1.

    The formula itself where it is not about bit-vectors; it must say nothing of other rounds.
    """
    widths = [operations.width(t) for t in walk.subterms(formula) if operations.is_bitvector(t)]
    if not widths:
        return formula
    width = max([*widths, count.bit_length() + 1])
    try:
        said = _Bits(width).formula(formula)
    except _NotBits:
        return formula
    return terms.implication(z3.ULT(_round(width), operations.bits(count, width)), said)


def _round(width: int) -> Term:
    return terms.variable(f"{terms.name_of(ROUND)}!{width}", terms.bitvector_sort(width))


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """What counts the rounds of a loop: an integer, or a bit-vector if all values in the loop are such."""

    number: Term = ROUND

    def literal(self, value: int) -> Term:
        return terms.integer(value) if terms.same(self.number, ROUND) else operations.bits(value, self._width)

    @property
    def _width(self) -> int:
        return operations.width(self.number)

    @property
    def declaration(self) -> str:
        return f"(declare-fun {terms.name_of(self.number)} () {smtlib_sort(terms.sort_of(self.number))})"

    def before(self, count: int) -> Term:
        """It is one of the rounds from 0 to `count` - 1."""
        if terms.same(self.number, ROUND):
            return terms.conjunction([self.literal(0) <= self.number, self.literal(count) > self.number])
        return z3.ULT(self.number, self.literal(count))


def counted(derivation: Derivation) -> tuple[Derivation, list[Counter]]:
    """The derivation with a counter for each loop, of which the values in it are terms."""
    steps = list(derivation.steps)
    counters: list[Counter] = []
    for loop in derivation.loops:
        numbers = range(loop.first, loop.last + 1)
        values = [value for number in numbers for value in steps[number].values.values()]
        widths = [operations.width(value) for value in values if operations.is_bitvector(value)]
        width = max([*widths, loop.count.bit_length() + 1])
        bits = _Bits(width)
        try:
            said = [{v: bits.value(value) for v, value in steps[n].values.items()} for n in numbers] if widths else []
        except _NotBits:
            said = []
        for number, replaced in zip(numbers, said, strict=False):
            steps[number] = replace(steps[number], values=replaced)
        counters.append(Counter(_round(width)) if said else Counter())
    return replace(derivation, steps=tuple(steps)), counters


class _Bits:
    def __init__(self, width: int) -> None:
        self._width = width
        self.formula: walk.Rewriting[Term] = walk.Rewriting(_outside, self._made)
        self._number: walk.Rewriting[Term] = walk.Rewriting(terms.children, self._modulo)

    def value(self, term: Term) -> Term:
        """A bit-vector or truth value; an integer only if it is the same in all rounds."""
        if terms.is_integer(term):
            if walk.free_variables(term):
                raise _NotBits
            return term
        return self.formula(term)

    def _made(self, term: Term) -> Term:
        if terms.is_quantifier(term) or terms.same(term, ROUND):
            raise _NotBits
        if z3.is_app_of(term, z3.Z3_OP_INT2BV):
            return operations.truncate(self._number(terms.children(term)[0]), operations.width(term))
        given = terms.children(term)
        if not any(map(terms.is_integer, given)):
            return walk.with_arguments(term, list(map(self.formula, given)))
        sides = list(map(self._compared, given))
        if terms.is_equation(term):
            return terms.equal(*sides)
        kind = pointers.operator(pointers.address(term))
        if kind not in _COMPARISONS:
            raise _NotBits
        return _COMPARISONS[kind](*sides)

    def _compared(self, side: Term) -> Term:
        """The round, or a number that has so many bits: nothing wraps around in what is compared."""
        value = operations.literal(side)
        if value is not None and 0 <= value < 1 << self._width:
            return operations.bits(value, self._width)
        if terms.same(side, ROUND):
            return _round(self._width)
        raise _NotBits

    def _modulo(self, term: Term) -> Term:
        if terms.same(term, ROUND):
            return _round(self._width)
        value = operations.literal(term)
        if value is not None:
            return operations.bits(value % (1 << self._width), self._width)
        given = list(map(self._number, terms.children(term)))
        match pointers.operator(pointers.address(term)):
            case z3.Z3_OP_ADD:
                return reduce(add, given)
            case z3.Z3_OP_SUB:
                return reduce(sub, given)
            case z3.Z3_OP_MUL:
                return reduce(mul, given)
            case z3.Z3_OP_UMINUS:
                return -given[0]
            case _:
                raise _NotBits


def _outside(term: Term) -> list[Term]:
    """The parts that are no integers."""
    if terms.is_quantifier(term) or z3.is_app_of(term, z3.Z3_OP_INT2BV):
        return []
    return [child for child in terms.children(term) if not terms.is_integer(child)]
