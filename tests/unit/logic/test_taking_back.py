"""What is taken apart and put together again is the same node, and everything else is computed as before."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Value, range_of

BYTE, WORD = (0, 255), (0, (1 << 32) - 1)


class Machine:
    """Operations on unsigned words, as a program does them."""

    def __init__(self) -> None:
        self.graph = Graph()

    def add(self, one: Value, other: Value) -> Value:
        return self.cut(self.graph.add(one, other, range_of(one), range_of(other)), 32)

    def subtract(self, one: Value, other: Value) -> Value:
        return self.cut(self.graph.subtract(one, other, range_of(one), range_of(other)), 32)

    def mix(self, one: Value, other: Value) -> Value:
        return self.graph.bit_xor(one, other, range_of(one), range_of(other))

    def either(self, one: Value, other: Value) -> Value:
        return self.graph.bit_or(one, other, range_of(one), range_of(other))

    def masked(self, one: Value, mask: int) -> Value:
        return self.graph.bit_and(one, mask, range_of(one), (mask, mask))

    def up(self, one: Value, amount: int) -> Value:
        return self.cut(self.graph.shift_left(one, amount, range_of(one), (amount, amount)), 32)

    def down(self, one: Value, amount: int) -> Value:
        return self.graph.shift_right(one, amount, range_of(one), (amount, amount))

    def cut(self, one: Value, bits: int, signed: bool = False) -> Value:
        return self.graph.wrap(one, bits, signed, range_of(one))

    def byte(self, word: Value, place: int) -> Value:
        return self.cut(self.down(word, 8 * place), 8)

    def word(self, octets: Sequence[Value]) -> Value:
        found: Value = 0
        for place, each in enumerate(octets):
            found = self.either(found, self.up(each, 8 * place))
        return found


def test_a_word_that_is_taken_apart_and_put_together_is_that_word() -> None:
    machine = Machine()
    sum_of_two = machine.add(machine.graph.variable("a", *WORD), machine.graph.variable("b", *WORD))
    for word in (machine.graph.variable("a", *WORD), sum_of_two):
        octets = [machine.byte(word, place) for place in range(4)]
        assert machine.word(octets) is word


def test_bits_of_a_word_that_was_put_together_are_what_they_came_from() -> None:
    machine = Machine()
    octets = [machine.graph.variable(name, *BYTE) for name in "abcd"]
    word = machine.word(octets)
    assert [machine.byte(word, place) for place in range(4)] == octets
    assert machine.masked(word, 255) is octets[0]
    assert machine.down(word, 24) is octets[3]


def test_what_was_added_is_subtracted_and_what_was_mixed_in_twice_is_gone() -> None:
    machine = Machine()
    text, key = machine.graph.variable("text", *WORD), machine.graph.variable("key", *WORD)
    assert machine.subtract(machine.add(text, key), key) is text
    assert machine.subtract(machine.add(key, text), key) is text
    assert machine.add(machine.subtract(text, key), key) is text
    assert machine.subtract(text, machine.subtract(text, key)) is key
    assert machine.mix(machine.mix(text, key), key) is text
    assert machine.mix(key, machine.mix(key, text)) is text


def test_bytes_in_another_order_are_another_word() -> None:
    machine = Machine()
    word = machine.graph.variable("a", *WORD)
    turned = machine.word([machine.byte(word, place) for place in (1, 0, 2, 3)])
    assert turned is not word
    assert Model(lambda _: 0x01020304).value(turned) == 0x01020403


def test_all_bits_are_no_mask_of_low_ones() -> None:
    machine = Machine()
    word = machine.either(machine.up(machine.graph.variable("a", *BYTE), 8), machine.graph.variable("b", *BYTE))
    assert machine.masked(word, -1) is word
    assert machine.masked(machine.graph.variable("a", *BYTE), -1) is machine.graph.variable("a", *BYTE)


NUMBERS = st.sampled_from((0, 1, 127, 128, 255, 256, 65535, 65536, 0x01020304, 0x80000000, 0xFFFFFFFF))
STEPS = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 30), st.integers(0, 30), st.integers(0, 31)), max_size=12)


@given(steps=STEPS, a=NUMBERS, b=NUMBERS)
def test_operations_one_after_the_other_compute_what_a_machine_computes(
    steps: list[tuple[int, int, int, int]], a: int, b: int
) -> None:
    machine = Machine()
    mask = WORD[1]
    made: list[Value] = [machine.graph.variable("a", *WORD), machine.graph.variable("b", *WORD)]
    wanted = [a, b]
    for kind, first, second, amount in steps:
        (one, x), (other, y) = ((made[i % len(made)], wanted[i % len(made)]) for i in (first, second))
        node, number = [
            (machine.add(one, other), (x + y) & mask),
            (machine.subtract(one, other), (x - y) & mask),
            (machine.mix(one, other), x ^ y),
            (machine.either(one, other), x | y),
            (machine.up(one, amount), (x << amount) & mask),
            (machine.down(one, amount), x >> amount),
            (machine.cut(one, 8), x & 255),
            (machine.masked(one, (1 << amount) - 1), x & ((1 << amount) - 1)),
            (machine.masked(one, -(1 << amount)), x & -(1 << amount)),
            (machine.cut(machine.cut(one, 16, signed=True), 32), ((x & 0xFFFF ^ 0x8000) - 0x8000) & mask),
            (machine.word([machine.byte(one, place) for place in range(4)]), x),
        ][kind]
        made.append(node)
        wanted.append(number)
    chosen = {"a": a, "b": b}
    model = Model(lambda node: chosen[str(node.parts[0])])
    for node, number in zip(made, wanted, strict=True):
        low, high = range_of(node)
        assert model.value(node) == number if isinstance(node, Node) else node == number
        assert low <= number <= high
