"""What operations on words take back: a number that was added is subtracted, the bytes of a word are put together.

A text that is encoded and decoded, a key that is mixed in twice: where the same nodes come back, nothing is left for a
solver.
"""

from __future__ import annotations

from typing import NamedTuple

from sorrel.logic.node import Node, Part, Value
from sorrel.logic.whole import is_mask

DEEPEST = 8
"""Bytes of the longest word."""


class Piece(NamedTuple):
    """So many bits of a number, from the bit `start` on, moved to the bit `place`."""

    number: Node
    start: int
    width: int
    place: int = 0


def _core(part: Part, bits: int) -> Value:
    """A number that is the same modulo 2^bits."""
    value = _number(part)
    while not isinstance(value, int) and (
        value.kind == "within" or (value.kind == "wrap" and _number(value.parts[1]) >= bits)  # type: ignore[operator]
    ):
        value = _number(value.parts[0])
    return value


def _itself(part: Part) -> Value:
    value = _number(part)
    while not isinstance(value, int) and value.kind == "within":
        value = _number(value.parts[0])
    return value


def _number(part: Part) -> Value:
    return part  # type: ignore[return-value]


def left_of_sum(node: Node, bits: int) -> Value | None:
    """Of a sum or difference in which something is taken back, what is left modulo 2^bits."""
    if node.kind not in ("+", "-"):
        return None
    left, right = (_core(part, bits) for part in node.parts)
    if node.kind == "-":
        found = next((one for one, other in _operands(left, "+", bits) if other == right), None)
        return _taken_from(right, left, bits) if found is None else found
    for one, other in ((left, right), (right, left)):
        for minuend, subtrahend in _operands(one, "-", bits):
            if subtrahend == other:
                return minuend
    return None


def _taken_from(difference: Value, minuend: Value, bits: int) -> Value | None:
    return next((other for one, other in _operands(difference, "-", bits) if one == minuend), None)


def _operands(value: Value, kind: str, bits: int) -> list[tuple[Value, Value]]:
    """Both operands, of a sum also the other way round; nothing if it is another operation."""
    if isinstance(value, int) or value.kind != kind:
        return []
    one, other = (_core(each, bits) for each in value.parts)
    return [(one, other), (other, one)] if kind == "+" else [(one, other)]


def left_of_xor(left: Value, right: Value) -> Value | None:
    """What is left of a number into which another one was mixed, if that is mixed in again."""
    for one, other in ((left, right), (right, left)):
        inner, other = _itself(one), _itself(other)
        if not isinstance(inner, int) and inner.kind == "^":
            first, second = map(_itself, inner.parts)
            if other in (first, second):
                return second if other == first else first
    return None


def joined(left: Node, right: Node) -> Piece | None:
    """Two pieces of one number that lie side by side there and here."""
    one, other = _piece(left), _piece(right)
    if one is None or other is None or one.number is not other.number:
        return None
    if one.start > other.start:
        one, other = other, one
    if one.start + one.width != other.start or one.place + one.width != other.place:
        return None
    return Piece(one.number, one.start, one.width + other.width, one.place)


def picked(number: Node, start: int, width: int) -> Piece | None:
    """Bits of a word that was put together, as bits of what they came from; None if they are no others."""
    found, place = number, start
    while True:
        match found.kind, found.parts:
            case "within", (Node() as inner,):
                found = inner
            case "*", (Node() as inner, int(factor)) if inner.low >= 0 and _is_power(factor) and factor >> place <= 1:
                found, place = inner, place - factor.bit_length() + 1
            case "|", (Node() as left, Node() as right) if left.low >= 0 and right.low >= 0:
                inside = [each for each in (left, right) if _lies_within(each, place, width)]
                if len(inside) != 1:
                    break
                found = inside[0]
            case _:
                break
    return None if found is number else Piece(found, place, width)


def _lies_within(node: Node, start: int, width: int) -> bool:
    """Whether there may be anything in these bits of a number that is not negative."""
    return _zeros(node) < start + width and node.high.bit_length() > start


def _zeros(node: Node, depth: int = DEEPEST) -> int:
    """So many of its lowest bits are zero, at least."""
    match node.kind, node.parts:
        case "within", (Node() as inner,) if depth:
            return _zeros(inner, depth - 1)
        case "*", (_, int(factor)) if _is_power(factor):
            return factor.bit_length() - 1
        case "|", (Node() as left, Node() as right) if depth:
            return min(_zeros(left, depth - 1), _zeros(right, depth - 1))
    return 0


def _piece(node: Node) -> Piece | None:
    """The bits of which a number that is not negative consists."""
    place = 0
    while True:
        match node.kind, node.parts:
            case "within", (Node() as inner,):
                node = inner
            case "*", (Node() as inner, int(factor)) if _is_power(factor):
                node, place = inner, place + factor.bit_length() - 1
            case _:
                break
    if node.low < 0:
        return None
    start, width, number = 0, node.high.bit_length(), node
    match node.kind, node.parts:
        case "wrap", (Node() as inner, int(bits)):
            number, width = inner, bits
        case "&", (Node() as inner, int(mask)) if is_mask(mask):
            number, width = inner, mask.bit_length()
    match number.kind, number.parts:
        case ">>", (Node() as inner, int(amount)):
            number, start = inner, amount
    whole = _core(number, start + width)
    return None if isinstance(whole, int) else Piece(whole, start, width, place)


def _is_power(factor: Part) -> bool:
    return isinstance(factor, int) and factor > 0 and factor & (factor - 1) == 0
