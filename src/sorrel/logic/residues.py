"""Formulas about bit-vectors as formulas about integers, exactly: numbers have a sign and stay in their range.

A bit-vector term becomes an integer term that is equal to it modulo 2 to the power of its width, with bounds that are
known of it. Sums stay sums: only where a number is compared, divided or handed on is it brought back into its range, by
cases if few multiples of the modulus can be in question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import z3

from sorrel.logic import operations, pointers, terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_WINDOWS = 4
"""Up to so many multiples of the modulus a number is brought back by cases, beyond that by `mod`."""
WIDEST_BOUNDS = 8
"""A number whose bounds span this many times its width in bits is brought back at once."""


class NotIntegers(Exception):
    """An operator on bits that is none on numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Residue:
    """An integer between `low` and `high`, equal to a bit-vector of this width modulo 2^width."""

    term: Term
    width: int
    low: int
    high: int

    @property
    def modulus(self) -> int:
        return int(1 << self.width)

    @property
    def signed(self) -> Residue:
        return self._within(-(self.modulus // 2))

    @property
    def unsigned(self) -> Residue:
        return self._within(0)

    def _within(self, low: int) -> Residue:
        """The same number between `low` and the modulus above it."""
        modulus = self.modulus
        first, last = (self.low - low) // modulus, (self.high - low) // modulus
        if first == last == 0:
            return self
        if last - first < MOST_WINDOWS:
            term = _plus(self.term, -last * modulus)
            for window in range(last - 1, first - 1, -1):
                below = operations.less(self.term, terms.integer(low + (window + 1) * modulus))
                term = operations.ite(below, _plus(self.term, -window * modulus), term)
        else:
            term = _plus(operations.modulo(_plus(self.term, -low), terms.integer(modulus)), low)
        return Residue(term, self.width, low, low + modulus - 1)

    def tamed(self) -> Residue:
        """Brought back if its bounds have grown out of proportion."""
        return self.signed if self.high - self.low >= self.modulus**WIDEST_BOUNDS else self


def _plus(term: Term, constant: int) -> Term:
    return operations.add(term, terms.integer(constant)) if constant else term


def ranged(variable: Term, width: int) -> Residue:
    """An integer variable as a number with a sign."""
    return Residue(variable, width, -(1 << (width - 1)), (1 << (width - 1)) - 1)


def in_range(variable: Term, width: int) -> Term:
    low, high = terms.integer(-(1 << (width - 1))), terms.integer((1 << (width - 1)) - 1)
    return terms.conjunction([operations.at_most(low, variable), operations.at_most(variable, high)])


@dataclass(slots=True)
class Integers:
    """Terms over bit-vectors, as they are asked for; `variables` are the integers that stand for variables."""

    variables: dict[Term, Term] = field(default_factory=dict)
    _translated: walk.Rewriting[Residue | Term] = field(init=False)

    def __post_init__(self) -> None:
        self._translated = walk.Rewriting(self._parts, self._node)

    def formula(self, term: Term) -> Term:
        """A term without bit-vectors inside; of a bit-vector, its value with a sign."""
        found = self._translated(term)
        return found.signed.term if isinstance(found, Residue) else found

    @staticmethod
    def _parts(term: Term) -> Sequence[Term]:
        if terms.is_quantifier(term) or terms.is_array(term):
            raise NotIntegers("quantifiers and arrays")
        return terms.children(term)

    def _node(self, term: Term) -> Residue | Term:
        parts = list(map(self._translated, terms.children(term)))
        words = [part for part in parts if isinstance(part, Residue)]
        if terms.is_bitvector(term):
            return self._word(term, parts, words).tamed()
        if not words:
            return walk.with_arguments(term, [part for part in parts if not isinstance(part, Residue)])
        operator = pointers.operator(pointers.address(term))
        if operator in _COMPARISONS:
            return _COMPARISONS[operator](words[0], words[1])
        if operator == z3.Z3_OP_DISTINCT:
            pairs = [(a, b) for i, a in enumerate(words) for b in words[:i]]
            return terms.conjunction([terms.negation(_equal(a, b)) for a, b in pairs])
        if operator == z3.Z3_OP_BV2INT:
            return words[0].unsigned.term
        raise NotIntegers(terms.name_of(term))

    def _word(self, term: Term, parts: Sequence[Residue | Term], words: Sequence[Residue]) -> Residue:
        width = terms.width(term)
        if terms.is_variable(term):
            if term not in self.variables:
                self.variables[term] = terms.variable(terms.name_of(term), terms.INT)
            return ranged(self.variables[term], width)
        if terms.is_value(term):
            return _number(operations.bits_literal(term) or 0, width)
        operator = pointers.operator(pointers.address(term))
        if operator == z3.Z3_OP_ITE:
            condition = parts[0]
            if isinstance(condition, Residue):
                raise NotIntegers("a condition that is a bit-vector")
            low, high = min(words[0].low, words[1].low), max(words[0].high, words[1].high)
            return Residue(operations.ite(condition, words[0].term, words[1].term), width, low, high)
        if operator in _FOLDED:
            found = words[0]
            for word in words[1:]:
                found = _FOLDED[operator](found, word)
            return found
        if operator in _PARAMETRIC:
            return _PARAMETRIC[operator](words[0], width, pointers.term(pointers.address(term)).params())
        raise NotIntegers(terms.name_of(term))


def _number(value: int, width: int) -> Residue:
    signed = value - (1 << width) if value >> (width - 1) else value
    return Residue(terms.integer(signed), width, signed, signed)


def _constant(word: Residue) -> int | None:
    return word.low if word.low == word.high else None


# What operators are on numbers


def _add(a: Residue, b: Residue) -> Residue:
    return Residue(operations.add(a.term, b.term), a.width, a.low + b.low, a.high + b.high)


def _negate(a: Residue) -> Residue:
    return Residue(operations.negate(a.term), a.width, -a.high, -a.low)


def _subtract(a: Residue, b: Residue) -> Residue:
    return Residue(operations.subtract(a.term, b.term), a.width, a.low - b.high, a.high - b.low)


def _multiply(a: Residue, b: Residue) -> Residue:
    if _constant(a) is None and _constant(b) is None:
        a, b = a.signed, b.signed
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Residue(operations.multiply(a.term, b.term), a.width, min(corners), max(corners))


def _concat(a: Residue, b: Residue) -> Residue:
    low, width = b.unsigned, a.width + b.width
    wide = Residue(a.term, width, a.low, a.high)
    return _add(_multiply(wide, Residue(terms.integer(b.modulus), width, b.modulus, b.modulus)), low)


def _equal(a: Residue, b: Residue) -> Term:
    """Both within their range; a disjunction of the multiples that their difference can be was harder for engines."""
    if a.high - b.low < a.modulus and b.high - a.low < a.modulus:
        return operations.equal(a.term, b.term)
    return operations.equal(a.signed.term, b.signed.term)


def _at_most(signed: bool) -> Callable[[Residue, Residue], Term]:
    def ask(a: Residue, b: Residue) -> Term:
        a, b = (a.signed, b.signed) if signed else (a.unsigned, b.unsigned)
        return operations.at_most(a.term, b.term)

    return ask


def _less(signed: bool) -> Callable[[Residue, Residue], Term]:
    return lambda a, b: terms.negation(_at_most(signed)(b, a))


def _swapped(ask: Callable[[Residue, Residue], Term]) -> Callable[[Residue, Residue], Term]:
    return lambda a, b: ask(b, a)


def _divide(a: Residue, b: Residue) -> Residue:
    """Without a sign; by zero: all ones."""
    a, b = a.unsigned, b.unsigned
    quotient = operations.divide(a.term, b.term)
    return _unless_zero(b, quotient, terms.integer(a.modulus - 1), Residue(quotient, a.width, 0, a.modulus - 1))


def _remainder(a: Residue, b: Residue) -> Residue:
    """Without a sign; by zero: the dividend."""
    a, b = a.unsigned, b.unsigned
    rest = operations.modulo(a.term, b.term)
    return _unless_zero(b, rest, a.term, Residue(rest, a.width, 0, a.modulus - 1))


def _unless_zero(b: Residue, term: Term, otherwise: Term, bounds: Residue) -> Residue:
    zero = operations.equal(b.term, terms.integer(0))
    return Residue(operations.ite(zero, otherwise, term), bounds.width, bounds.low, bounds.high)


def _size(a: Residue) -> tuple[Residue, Term]:
    """The number without its sign, and whether it is negative."""
    a = a.signed
    negative = operations.less(a.term, terms.integer(0))
    term = operations.ite(negative, operations.negate(a.term), a.term)
    return Residue(term, a.width, 0, max(abs(a.low), abs(a.high))), negative


def _signed_divide(a: Residue, b: Residue) -> Residue:
    """Towards zero; by zero: -1, or 1 for a negative dividend."""
    (x, below), (y, under) = _size(a), _size(b)
    quotient = operations.divide(x.term, y.term)
    term = operations.ite(operations.equal(below, under), quotient, operations.negate(quotient))
    bounds = Residue(term, a.width, -(a.modulus // 2), a.modulus // 2)
    return _unless_zero(y, term, operations.ite(below, terms.integer(1), terms.integer(-1)), bounds)


def _signed_remainder(a: Residue, b: Residue) -> Residue:
    """With the sign of the dividend; by zero: the dividend."""
    (x, below), (y, _) = _size(a), _size(b)
    rest = operations.modulo(x.term, y.term)
    term = operations.ite(below, operations.negate(rest), rest)
    return _unless_zero(y, term, a.signed.term, Residue(term, a.width, -(a.modulus // 2), a.modulus // 2))


def _masked(a: Residue, b: Residue) -> Residue:
    """And with a number of low bits."""
    a, b = (b, a) if _constant(b) is None else (a, b)
    mask = _constant(b)
    if mask is None or (mask % b.modulus) & (mask % b.modulus + 1):
        raise NotIntegers("bvand")
    mask %= b.modulus
    if mask == b.modulus - 1:
        return a
    return Residue(operations.modulo(a.term, terms.integer(mask + 1)), a.width, 0, mask)


def _shifted(a: Residue, b: Residue) -> Residue:
    amount = _amount(b)
    return _multiply(a, _number_of(1 << amount, a.width)) if amount < a.width else _number(0, a.width)


def _shifted_right(signed: bool) -> Callable[[Residue, Residue], Residue]:
    def shift(a: Residue, b: Residue) -> Residue:
        amount = min(_amount(b), a.width)
        a = a.signed if signed else a.unsigned
        term = operations.divide(a.term, terms.integer(1 << amount))
        return Residue(term, a.width, a.low >> amount, a.high >> amount)

    return shift


def _number_of(value: int, width: int) -> Residue:
    return Residue(terms.integer(value), width, value, value)


def _amount(b: Residue) -> int:
    value = _constant(b)
    if value is None:
        raise NotIntegers("a shift by a variable")
    return value % b.modulus


def _extract(a: Residue, width: int, parameters: Sequence[int]) -> Residue:
    low = parameters[1]
    if low == 0:
        return Residue(a.term, width, a.low, a.high)
    a = a.unsigned
    term = operations.divide(a.term, terms.integer(1 << low))
    return Residue(term, width, a.low >> low, a.high >> low)


def _widened(word: Residue, width: int) -> Residue:
    return Residue(word.term, width, word.low, word.high)


_COMPARISONS: Mapping[int, Callable[[Residue, Residue], Term]] = {
    z3.Z3_OP_EQ: _equal,
    z3.Z3_OP_SLEQ: _at_most(True),
    z3.Z3_OP_SGEQ: _swapped(_at_most(True)),
    z3.Z3_OP_SLT: _less(True),
    z3.Z3_OP_SGT: _swapped(_less(True)),
    z3.Z3_OP_ULEQ: _at_most(False),
    z3.Z3_OP_UGEQ: _swapped(_at_most(False)),
    z3.Z3_OP_ULT: _less(False),
    z3.Z3_OP_UGT: _swapped(_less(False)),
}
_FOLDED: Mapping[int, Callable[[Residue, Residue], Residue]] = {
    z3.Z3_OP_BADD: _add,
    z3.Z3_OP_BSUB: _subtract,
    z3.Z3_OP_BMUL: _multiply,
    z3.Z3_OP_CONCAT: _concat,
    z3.Z3_OP_BAND: _masked,
    z3.Z3_OP_BUDIV: _divide,
    z3.Z3_OP_BUDIV_I: _divide,
    z3.Z3_OP_BUREM: _remainder,
    z3.Z3_OP_BUREM_I: _remainder,
    z3.Z3_OP_BSDIV: _signed_divide,
    z3.Z3_OP_BSDIV_I: _signed_divide,
    z3.Z3_OP_BSREM: _signed_remainder,
    z3.Z3_OP_BSREM_I: _signed_remainder,
    z3.Z3_OP_BSHL: _shifted,
    z3.Z3_OP_BLSHR: _shifted_right(False),
    z3.Z3_OP_BASHR: _shifted_right(True),
}
_PARAMETRIC: Mapping[int, Callable[[Residue, int, Sequence[int]], Residue]] = {
    z3.Z3_OP_BNEG: lambda a, _, __: _negate(a),
    z3.Z3_OP_BNOT: lambda a, _, __: _subtract(_negate(a), _number(1, a.width)),
    z3.Z3_OP_EXTRACT: _extract,
    z3.Z3_OP_ZERO_EXT: lambda a, width, _: _widened(a.unsigned, width),
    z3.Z3_OP_SIGN_EXT: lambda a, width, _: _widened(a.signed, width),
}
