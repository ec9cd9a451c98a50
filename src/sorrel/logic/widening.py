"""Formulas about integers that stand for bit-vectors, as formulas about bit-vectors again, exactly.

Each comparison is made in as many bits as the largest number that its terms can be needs, so that nothing wraps around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import z3

from sorrel.logic import operations, pointers, terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

WIDEST = 512
"""Bits of a comparison; what needs more is no summary that anyone could check."""

Bounds = tuple[int, int]


class NotBits(Exception):
    """A term that no number of bits is enough for, or an operator that is not one of integers."""


@dataclass(slots=True)
class Widening:
    """`words` are the bit-vectors that integer variables stand for, as numbers with a sign."""

    words: Mapping[Term, Term]
    _bounds: walk.Rewriting[Bounds] = field(init=False)
    _wide: dict[tuple[int, int], Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._bounds = walk.Rewriting(_numbers, lambda each: self._bound(each, [*map(self._bounds, _numbers(each))]))

    def formula(self, term: Term) -> Term:
        """A formula over integers and truth values; children first, each node once."""
        rewriting: walk.Rewriting[Term] = walk.Rewriting(_truths, lambda each: self._made(each, rewriting))
        return rewriting(term)

    def _made(self, term: Term, rewriting: walk.Rewriting[Term]) -> Term:
        return self._quantified(term) if terms.is_quantifier(term) else self._atom(term, rewriting)

    def _quantified(self, term: Term) -> Term:
        """The same about bit-vectors as wide as the widest: the variables that were inlined are no wider as a rule."""
        names = Names(terms.name_of(v) for v in (*self.words, *walk.free_variables(term)))
        width = max(map(terms.width, self.words.values()))
        numbers = [names.variable(name, sort) for name, sort in terms.bound_variables(term)]
        bound = [
            terms.variable(terms.name_of(n), terms.bitvector_sort(width)) if terms.is_integer(n) else n for n in numbers
        ]
        inside = Widening({**self.words, **dict(zip(numbers, bound, strict=True))})
        body = inside.formula(terms.open_quantifier(term, numbers))
        return terms.forall(bound, body) if terms.is_forall(term) else terms.exists(bound, body)

    def _atom(self, term: Term, rewriting: walk.Rewriting[Term]) -> Term:
        children = terms.children(term)
        numbers = [child for child in children if terms.is_integer(child)]
        if not numbers:
            return walk.with_arguments(term, list(map(rewriting, children)))
        operator = pointers.operator(pointers.address(term))
        bits = self._bits(numbers)
        words = [self._widened(number, bits) for number in numbers]
        match operator:
            case z3.Z3_OP_EQ:
                return operations.equation(words[0], words[1])
            case z3.Z3_OP_DISTINCT:
                return z3.Distinct(*words)
            case z3.Z3_OP_LE:
                return operations.bit_operation("signed <=", words[0], words[1])
            case z3.Z3_OP_GE:
                return operations.bit_operation("signed <=", words[1], words[0])
            case z3.Z3_OP_LT:
                return operations.bit_operation("signed <", words[0], words[1])
            case z3.Z3_OP_GT:
                return operations.bit_operation("signed <", words[1], words[0])
        raise NotBits(terms.name_of(term))

    def _bits(self, numbers: Sequence[Term]) -> int:
        """As many as every number inside needs, with its sign."""
        most = 1
        stack = list(numbers)
        seen: set[int] = set()
        while stack:
            current = stack.pop()
            if terms.identity(current) in seen or terms.is_boolean(current):
                continue
            seen.add(terms.identity(current))
            low, high = self._between(current)
            most = max(most, low.bit_length() + 1, high.bit_length() + 1)
            stack.extend(terms.children(current))
        if most > WIDEST:
            raise NotBits(f"{most} bits")
        return most

    def _between(self, term: Term) -> Bounds:
        return self._bounds(term)

    def _bound(self, term: Term, parts: Sequence[Bounds]) -> Bounds:
        value = operations.literal(term)
        if value is not None:
            return value, value
        if terms.is_variable(term):
            if term not in self.words:
                raise NotBits(f"{term} is not a bit-vector")
            half = 1 << (terms.width(self.words[term]) - 1)
            return -half, half - 1
        match pointers.operator(pointers.address(term)):
            case z3.Z3_OP_ADD:
                return sum(low for low, _ in parts), sum(high for _, high in parts)
            case z3.Z3_OP_SUB:
                rest = parts[1:]
                return parts[0][0] - sum(h for _, h in rest), parts[0][1] - sum(low for low, _ in rest)
            case z3.Z3_OP_UMINUS:
                return -parts[0][1], -parts[0][0]
            case z3.Z3_OP_MUL:
                found = parts[0]
                for part in parts[1:]:
                    corners = [x * y for x in found for y in part]
                    found = min(corners), max(corners)
                return found
            case z3.Z3_OP_ITE:
                return min(low for low, _ in parts), max(high for _, high in parts)
            case z3.Z3_OP_MOD:
                return 0, _divisor(parts) - 1
            case z3.Z3_OP_IDIV:
                divisor = _divisor(parts)
                return parts[0][0] // divisor, parts[0][1] // divisor
        raise NotBits(terms.name_of(term))

    def _widened(self, term: Term, bits: int) -> Term:
        stack = [term]
        while stack:
            current = stack[-1]
            if (terms.identity(current), bits) in self._wide:
                stack.pop()
                continue
            inside = [c for c in terms.children(current) if terms.is_integer(c)]
            waiting = [c for c in inside if (terms.identity(c), bits) not in self._wide]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            parts = [self._wide[terms.identity(c), bits] for c in inside]
            self._wide[terms.identity(current), bits] = self._word(current, parts, bits)
        return self._wide[terms.identity(term), bits]

    def _word(self, term: Term, parts: Sequence[Term], bits: int) -> Term:
        value = operations.literal(term)
        if value is not None:
            return operations.bits(value, bits)
        if terms.is_variable(term):
            return operations.extend(self.words[term], bits, signed=True)
        match pointers.operator(pointers.address(term)):
            case z3.Z3_OP_ADD:
                return _folded("+", parts)
            case z3.Z3_OP_SUB:
                return _folded("-", parts)
            case z3.Z3_OP_MUL:
                return _folded("*", parts)
            case z3.Z3_OP_UMINUS:
                return operations.bit_operation("-", operations.bits(0, bits), parts[0])
            case z3.Z3_OP_ITE:
                return operations.ite(self.formula(terms.children(term)[0]), parts[0], parts[1])
            case z3.Z3_OP_MOD:
                return parts[0] % parts[1]  # the remainder has the sign of the divisor, which is positive
            case z3.Z3_OP_IDIV:
                rest = parts[0] % parts[1]
                return operations.bit_operation("signed /", operations.bit_operation("-", parts[0], rest), parts[1])
        raise NotBits(terms.name_of(term))


def _folded(sign: str, parts: Sequence[Term]) -> Term:
    found = parts[0]
    for part in parts[1:]:
        found = operations.bit_operation(sign, found, part)
    return found


def _divisor(parts: Sequence[Bounds]) -> int:
    low, high = parts[1]
    if low != high or low <= 0:
        raise NotBits("a divisor that is not a positive number")
    return low


def _truths(term: Term) -> list[Term]:
    """The formulas that a formula is made of; a quantifier is rewritten as a whole."""
    return [] if terms.is_quantifier(term) else [child for child in terms.children(term) if terms.is_boolean(child)]


def _numbers(term: Term) -> list[Term]:
    """The integers that a term is made of."""
    return [child for child in terms.children(term) if terms.is_integer(child)]
