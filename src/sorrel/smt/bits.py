"""Terms over truth values and bit-vectors as circuits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sorrel.logic.listing import Instruction, Listing, NotListed, Operation
from sorrel.smt.sat import FALSE, TRUE, Circuit, Literal

Word: TypeAlias = Sequence[Literal]
"""Literals of the bits, lowest first; one for a truth value."""


def constant(value: int, bits: int) -> list[Literal]:
    return [TRUE if value >> place & 1 else FALSE for place in range(bits)]


def encode(circuit: Circuit, listing: Listing, variables: Sequence[Word]) -> list[Word]:
    """The results of the listing, with its variables at the given words."""
    encoder = _Encoder(circuit, variables)
    words: list[Word] = []
    for instruction in listing.instructions:
        words.append(encoder.encode(instruction, [words[place] for place in instruction.arguments]))
    return [words[place] for place in listing.results]


class _Encoder:
    def __init__(self, circuit: Circuit, variables: Sequence[Word]) -> None:
        self._circuit = circuit
        self._variables = variables

    def encode(self, instruction: Instruction, a: Sequence[Word]) -> Word:
        circuit = self._circuit
        width = max(1, instruction.width)
        match instruction.operation:
            case Operation.NUMBER:
                return constant(instruction.data, width)
            case Operation.VARIABLE:
                return self._variables[instruction.data]
            case Operation.NOT:
                return [-bit for bit in a[0]]
            case Operation.AND:
                return [circuit.all_of(pair) for pair in zip(a[0], a[1], strict=True)]
            case Operation.OR:
                return [circuit.any_of(pair) for pair in zip(a[0], a[1], strict=True)]
            case Operation.XOR:
                return [circuit.exclusive(x, y) for x, y in zip(a[0], a[1], strict=True)]
            case Operation.EQUAL:
                return [circuit.all_of(circuit.same(x, y) for x, y in zip(a[0], a[1], strict=True))]
            case Operation.LESS:
                return [self._less(a[0], a[1])]
            case Operation.ITE:
                return [circuit.choice(a[0][0], x, y) for x, y in zip(a[1], a[2], strict=True)]
            case Operation.ADD:
                return self._add(a[0], a[1])
            case Operation.NEGATE:
                return self._add([-bit for bit in a[0]], constant(0, width), TRUE)
            case Operation.MULTIPLY:
                return self._multiply(a[0], a[1])
            case Operation.DIVIDE:
                return self._divide(a[0], a[1])[0]
            case Operation.REMAINDER:
                return self._divide(a[0], a[1])[1]
            case Operation.LEFT:
                return list(reversed(self._shift(list(reversed(a[0])), a[1], FALSE)))
            case Operation.RIGHT:
                return self._shift(a[0], a[1], FALSE)
            case Operation.RIGHT_SIGNED:
                return self._shift(a[0], a[1], a[0][-1])
            case Operation.CONCAT:
                return [*a[1], *a[0]]
            case Operation.EXTRACT:
                return a[0][instruction.data : instruction.data + width]
            case Operation.EXTEND:
                return [*a[0], *constant(0, width - len(a[0]))]
            case Operation.EXTEND_SIGNED:
                return [*a[0], *([a[0][-1]] * (width - len(a[0])))]
            case Operation.SELECT | Operation.STORE | Operation.FILLED:
                raise NotListed("arrays of integers have no fixed number of bits")

    def _add(self, a: Word, b: Word, carry: Literal = FALSE) -> Word:
        circuit = self._circuit
        total = []
        for x, y in zip(a, b, strict=True):
            total.append(circuit.exclusive(circuit.exclusive(x, y), carry))
            carry = circuit.majority(x, y, carry)
        return total

    def _less(self, a: Word, b: Word) -> Literal:
        """a < b: no carry out of a + ¬b + 1, without the sum."""
        carry = TRUE
        for x, y in zip(a, b, strict=True):
            carry = self._circuit.majority(x, -y, carry)
        return -carry

    def _multiply(self, a: Word, b: Word) -> Word:
        width = len(a)
        total: Word = constant(0, width)
        for place, bit in enumerate(b):
            row = [self._circuit.all_of((bit, other)) for other in a[: width - place]]
            total = self._add(total, [*constant(0, place), *row])
        return total

    def _divide(self, a: Word, b: Word) -> tuple[Word, Word]:
        """Quotient and remainder by long division; with divisor 0 they come out as SMT-LIB wants them."""
        circuit = self._circuit
        width = len(a)
        divisor = [*b, FALSE]
        rest: Word = constant(0, width + 1)
        quotient: list[Literal] = []
        for bit in reversed(a):
            rest = [bit, *rest[:width]]
            fits = -self._less(rest, divisor)
            reduced = self._add(rest, [-d for d in divisor], TRUE)
            rest = [circuit.choice(fits, new, old) for new, old in zip(reduced, rest, strict=True)]
            quotient.append(fits)
        return list(reversed(quotient)), rest[:width]

    def _shift(self, a: Word, distance: Word, fill: Literal) -> Word:
        """To the right; a distance of the width or more leaves only `fill`."""
        circuit = self._circuit
        found = list(a)
        for place, bit in enumerate(distance):
            step = 1 << place
            if step >= len(a):
                found = [circuit.choice(bit, fill, old) for old in found]
            else:
                moved = [*found[step:], *([fill] * step)]
                found = [circuit.choice(bit, new, old) for new, old in zip(moved, found, strict=True)]
        return found
