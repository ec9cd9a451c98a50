"""Whole numbers and truth values as a graph: shared, folded while it is made, each number with its bounds.

Where millions of small terms are made of a program, a solver's own terms cost too much. Here numbers are exact, without
a width: what a machine cuts off is an operation of its own (`wrap`). A value that is known is a Python number, all
others are nodes.

The bounds of a node hold wherever it is used, which may be on some paths of a program only: whoever makes it hands over
what is known there. Elsewhere it has some value, and nobody may look at it.
"""

from __future__ import annotations

from sorrel.logic.node import Node, Truth, Value, range_of
from sorrel.logic.taking_back import Piece, joined, left_of_sum, left_of_xor, picked
from sorrel.logic.truths import Truths
from sorrel.logic.whole import Range, hull, is_mask, quotient

MOST_LEAVES, DEEPEST_CHOICE = 32, 60
"""Choices are followed to the numbers at their ends if there are so few of these, and so few choices on the way."""
MOST_CHOICES = 4
"""Choices within choices in which it is looked for what an operation takes back."""


class Graph(Truths):
    """Makes nodes, each once."""

    def __init__(self) -> None:
        super().__init__()
        self._leaves: dict[Node, frozenset[int] | None] = {}
        self._equations: dict[tuple[Node, int], Truth] = {}

    # Choices

    def choice(self, condition: Truth, then: Value, otherwise: Value, here: Range, there: Range) -> Value:
        """`here` and `there` are what is known of both where they are chosen."""
        if not isinstance(condition, Node):
            return then if condition else otherwise
        if then is otherwise or (type(then) is type(otherwise) is int and then == otherwise):
            return then
        if condition.kind == "not":
            return self.choice(condition.parts[0], otherwise, then, there, here)  # type: ignore[arg-type]
        if isinstance(then, Node) and then.kind == "ite" and then.parts[0] is condition:
            then = then.parts[1]  # type: ignore[assignment]
        if isinstance(otherwise, Node) and otherwise.kind == "ite" and otherwise.parts[0] is condition:
            otherwise = otherwise.parts[2]  # type: ignore[assignment]
        low, high = min(here[0], there[0]), max(here[1], there[1])
        return self._joined_choice(condition, then, otherwise, low, high)

    def _joined_choice(self, condition: Truth, then: Value, otherwise: Value, low: int, high: int) -> Value:
        """A choice one side of which chooses the other side as well: one of both under a condition."""
        denied = self.negation(condition)
        for chosen, side, choice in ((condition, then, otherwise), (denied, otherwise, then)):
            if not isinstance(choice, Node) or choice.kind != "ite":
                continue
            inner, one, other = choice.parts
            if one is side:
                return self._choice(self.disjunction(chosen, inner), side, other, low, high)  # type: ignore[arg-type]
            if other is side:
                both = self.conjunction(self.negation(chosen), inner)  # type: ignore[arg-type]
                return self._choice(both, one, side, low, high)  # type: ignore[arg-type]
        return self._choice(condition, then, otherwise, low, high)

    def _choice(self, condition: Truth, then: Value, otherwise: Value, low: int, high: int) -> Value:
        if not isinstance(condition, Node):
            return then if condition else otherwise
        if condition.kind == "not":
            condition, then, otherwise = condition.parts[0], otherwise, then  # type: ignore[assignment]
        return self._node("ite", (condition, then, otherwise), low, high)

    def leaves(self, value: Value) -> frozenset[int] | None:
        """The numbers that a choice is made from, if it is one among few numbers."""
        if not isinstance(value, Node):
            return frozenset((value,))
        if value.kind != "ite" or value.depth > 4 * DEEPEST_CHOICE:
            return None
        if value in self._leaves:
            return self._leaves[value]
        stack = [value]
        while stack:
            top = stack[-1]
            arms = [each for each in top.parts[1:] if isinstance(each, Node)]
            waiting = [each for each in arms if each.kind == "ite" and each not in self._leaves]
            if waiting and len(stack) < DEEPEST_CHOICE:
                stack.append(waiting[0])
                continue
            stack.pop()
            sets = [self._leaves.get(each) if isinstance(each, Node) else frozenset((each,)) for each in top.parts[1:]]
            union = None if None in sets else frozenset().union(*sets)  # type: ignore[arg-type]
            self._leaves[top] = union if union is not None and len(union) <= MOST_LEAVES else None  # type: ignore[assignment]
        return self._leaves[value]

    def _mapped(self, node: Node, other: int, made: str, known: Range) -> Value | None:
        """An operation with a number done to those of a choice that it may be; None if it is no choice among few."""
        few = self.leaves(node)
        if few is None or not any(known[0] <= each <= known[1] for each in few):
            return None
        done: dict[Node, Value | None] = {}
        stack = [node]
        while stack:
            top = stack[-1]
            waiting = [each for each in top.parts[1:] if isinstance(each, Node) and each not in done]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            arms: list[Value | None] = []
            for each in top.parts[1:]:
                if isinstance(each, Node):
                    arms.append(done[each])
                elif not known[0] <= each <= known[1]:  # type: ignore[operator]
                    arms.append(None)
                else:
                    arms.append(each + other if made == "+" else each * other)  # type: ignore[operator, arg-type]
            done[top] = self._possible_choice(top.parts[0], *arms)  # type: ignore[arg-type]
        return done[node]

    def _possible_choice(self, condition: Truth, then: Value | None, otherwise: Value | None) -> Value | None:
        """A choice in which a side, or both, cannot be."""
        if then is None or otherwise is None:
            return otherwise if then is None else then
        return self.choice(condition, then, otherwise, range_of(then), range_of(otherwise))

    # Comparisons

    def equal(self, left: Value, right: Value, here: Range, there: Range) -> Truth:
        if left is right:
            return True
        if here[1] < there[0] or there[1] < here[0]:
            return False
        if here[0] == here[1] == there[0] == there[1]:
            return True
        if not isinstance(left, Node):
            left, right = right, left
        if isinstance(left, Node) and not isinstance(right, Node):
            return self._is(left, right)
        return self._truth("=", (left, right))

    def _is(self, node: Node, number: int) -> Truth:
        """Whether a node has this value: of choices, which of them lead to it."""
        while node.kind == "+" and not isinstance(node.parts[1], Node):
            number -= node.parts[1]  # type: ignore[operator]
            if not isinstance(node.parts[0], Node):
                raise TypeError
            node = node.parts[0]
        if node.kind != "ite":
            return self._truth("=", (node, number))
        few = self.leaves(node)
        if few is not None:
            return self._among(node, number) if number in few else False
        return self._shallow(node, number)

    def _shallow(self, node: Node, number: int) -> Truth:
        condition, then, otherwise = node.parts
        known = [each for each in (then, otherwise) if not isinstance(each, Node)]
        if not known:
            return self._truth("=", (node, number))
        rest: Value = otherwise if known[0] is then else then  # type: ignore[assignment]
        chosen: Truth = condition if known[0] is then else self.negation(condition)  # type: ignore[arg-type, assignment]
        low, high = range_of(rest)
        is_rest: Truth = low <= number <= high  # a number is all of its range
        if is_rest and isinstance(rest, Node):
            is_rest = self._truth("=", (rest, number))
        if known[0] == number:
            return self.disjunction(chosen, is_rest)
        return self.conjunction(self.negation(chosen), is_rest)

    def _among(self, node: Node, number: int) -> Truth:
        stack = [node]
        while stack:
            top = stack[-1]
            arms = top.parts[1:]
            waiting = [a for a in arms if isinstance(a, Node) and (a, number) not in self._equations]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            then, otherwise = (self._equations[a, number] if isinstance(a, Node) else a == number for a in arms)
            self._equations[top, number] = self.truth_choice(top.parts[0], then, otherwise)  # type: ignore[arg-type]
        return self._equations[node, number]

    def less(self, left: Value, right: Value, here: Range, there: Range) -> Truth:
        if here[1] < there[0]:
            return True
        if left is right or here[0] >= there[1]:
            return False
        if isinstance(left, Node) and not isinstance(right, Node):
            while left.kind == "+" and not isinstance(left.parts[1], Node) and isinstance(left.parts[0], Node):
                right -= left.parts[1]  # type: ignore[operator]
                left = left.parts[0]
        elif isinstance(right, Node) and not isinstance(left, Node):
            while right.kind == "+" and not isinstance(right.parts[1], Node) and isinstance(right.parts[0], Node):
                left -= right.parts[1]  # type: ignore[operator]
                right = right.parts[0]
        return self._truth("<", (left, right))

    def bit(self, node: Node, position: int) -> Truth:
        """Whether a bit is set in a number that is not negative."""
        return self._truth("bit", (node, position))

    # Arithmetic

    def add(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        if not isinstance(left, Node):
            left, right, here, there = right, left, there, here
        if not isinstance(left, Node):
            return left + right  # type: ignore[operator]
        low, high = here[0] + there[0], here[1] + there[1]
        if isinstance(right, Node):
            word = joined(left, right) if "*" in (left.kind, right.kind) else None
            return self._node("+", (left, right), low, high) if word is None else self._piece(word)
        if right == 0:
            return left
        if left.kind == "+" and not isinstance(left.parts[1], Node):
            inner, more = left.parts
            return self.add(inner, more + right, (low - more - right, high - more - right), (more + right,) * 2)  # type: ignore
        if left.kind == "ite" and (moved := self._mapped(left, right, "+", here)) is not None:
            return moved
        return self._node("+", (left, right), low, high)

    def subtract(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        if not isinstance(right, Node):
            return self.add(left, -right, here, (-right, -right))
        if left is right:
            return 0
        for one, other, sign in ((left, right, 1), (right, left, -1)):
            if isinstance(one, Node) and one.kind == "+" and one.parts[0] is other and isinstance(one.parts[1], int):
                return sign * one.parts[1]
        return self._node("-", (left, right), here[0] - there[1], here[1] - there[0])

    def multiply(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        if not isinstance(left, Node):
            left, right, here, there = right, left, there, here
        if not isinstance(left, Node):
            return left * right  # type: ignore[operator]
        if not isinstance(right, Node):
            if right in (0, 1):
                return left if right else 0
            if left.kind == "ite" and (moved := self._mapped(left, right, "*", here)) is not None:
                return moved
        products = [x * y for x in here for y in there]
        return self._node("*", (left, right), min(products), max(products))

    def divide(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        """Towards zero; the right side is not zero where it is used."""
        if not isinstance(left, Node) and not isinstance(right, Node):
            return quotient(left, right)
        if not isinstance(right, Node) and right > 0:
            if here[0] >= 0 and right & (right - 1) == 0:
                amount = right.bit_length() - 1
                return self.shift_right(left, amount, here, (amount, amount))
            return self._node("/", (left, right), quotient(here[0], right), quotient(here[1], right))
        if here[0] >= 0 and there[0] >= 0:
            return self._node("/", (left, right), here[0] // max(there[1], 1), here[1] // max(there[0], 1))
        most = max(abs(here[0]), abs(here[1]))
        return self._node("/", (left, right), -most, most)

    def remainder(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        """With the sign of the left side; the right side is not zero where it is used."""
        if not isinstance(left, Node) and not isinstance(right, Node):
            return left - right * quotient(left, right)
        if not isinstance(right, Node) and right > 0 and here[0] >= 0:
            if here[1] < right:
                return left
            if right & (right - 1) == 0:
                return self.bit_and(left, right - 1, here, (right - 1, right - 1))
        most = max(1, abs(there[0]), abs(there[1])) - 1
        low = 0 if here[0] >= 0 else max(-most, here[0])
        high = 0 if here[1] <= 0 else min(most, here[1])
        return self._node("%", (left, right), low, high)

    # Bits

    def bit_and(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        if not isinstance(left, Node):
            left, right, here, there = right, left, there, here
        if not isinstance(left, Node):
            return left & right  # type: ignore[operator]
        if right == -1:
            return left
        if isinstance(right, int) and (right == 0 or (here[0] >= 0 and is_mask(right) and here[1] <= right)):
            return left if right else 0
        word = _low_bits(left, right.bit_length()) if isinstance(right, int) and is_mask(right) else None
        if word is not None:
            return self._piece(word)
        bounds = [high for low, high in (here, there) if low >= 0]
        if bounds:
            return self._node("&", (left, right), 0, min(bounds))
        return self._node("&", (left, right), *hull(here, there))

    def bit_or(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        if not isinstance(left, Node):
            left, right, here, there = right, left, there, here
        if not isinstance(left, Node):
            return left | right  # type: ignore[operator]
        if right == 0:
            return left
        word = joined(left, right) if isinstance(right, Node) else None
        if word is not None:
            return self._piece(word)
        low, high = hull(here, there)
        return self._node("|", (left, right), max(here[0], there[0]) if low >= 0 else low, high)

    def bit_xor(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        if not isinstance(left, Node):
            left, right, here, there = right, left, there, here
        if not isinstance(left, Node):
            return left ^ right  # type: ignore[operator]
        if left is right:
            return 0
        if right == 0:
            return left
        rest = left_of_xor(left, right)
        if rest is None:
            rest = self._left_in_choices(left, right, there, MOST_CHOICES)
        if rest is None and isinstance(right, Node):
            rest = self._left_in_choices(right, left, here, MOST_CHOICES)
        return self._node("^", (left, right), *hull(here, there)) if rest is None else rest

    def _left_in_choices(self, choice: Node, other: Value, there: Range, deepest: int) -> Value | None:
        """What is mixed in again where it was mixed in on some paths is left alone on the others."""
        if choice.kind != "ite" or not deepest:
            return None
        condition, *sides = choice.parts
        left: list[Value | None] = []
        for side in sides:
            found = left_of_xor(side, other)  # type: ignore[arg-type]
            if found is None and isinstance(side, Node):
                found = self._left_in_choices(side, other, there, deepest - 1)
            left.append(found)
        if left == [None, None]:
            return None
        then, otherwise = (
            self.bit_xor(side, other, range_of(side), there) if found is None else found  # type: ignore[arg-type]
            for side, found in zip(sides, left, strict=True)
        )
        return self.choice(condition, then, otherwise, range_of(then), range_of(otherwise))  # type: ignore[arg-type]

    def shift_left(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        """left · 2^right; the right side is not negative where it is used."""
        if not isinstance(right, Node):
            factor = 1 << right
            return self.multiply(left, factor, here, (factor, factor))
        most = max(there[1], 0)
        low, high = (here[0] if here[0] >= 0 else here[0] << most), (here[1] << most if here[1] >= 0 else here[1])
        return self._node("<<", (left, right), low, high)

    def shift_right(self, left: Value, right: Value, here: Range, there: Range) -> Value:
        """left / 2^right, rounded down; the right side is not negative where it is used."""
        if right == 0:
            return left
        if not isinstance(left, Node) and not isinstance(right, Node):
            return left >> right
        if isinstance(left, Node) and not isinstance(right, Node) and here[0] >= 0:
            word = picked(left, right, max(here[1].bit_length() - right, 0))
            if word is not None:
                return self._piece(word)
        least, most = max(there[0], 0), max(there[1], 0)
        low = here[0] >> (least if here[0] < 0 else most)
        return self._node(">>", (left, right), low, here[1] >> (most if here[1] < 0 else least))

    def _piece(self, word: Piece) -> Value:
        """Bits of a number: the number itself if these are all that it has."""
        if word.start == 0 and word.number.low >= 0 and word.number.high.bit_length() <= word.width:
            found: Value = word.number
        else:
            moved = self.shift_right(word.number, word.start, range_of(word.number), (word.start, word.start))
            found = self.wrap(moved, word.width, False, range_of(moved))
        return self.shift_left(found, word.place, range_of(found), (word.place, word.place))

    # Widths

    def within(self, value: Value, low: int, high: int) -> Value:
        """The value itself, where it is known to lie between these numbers."""
        if not isinstance(value, Node) or (low <= value.low and value.high <= high):
            return value
        low, high = max(low, value.low), min(high, value.high)
        inner = value.parts[0] if value.kind == "within" else value
        return self._node("within", (inner,), low, max(low, high))

    def wrap(self, value: Value, bits: int, signed: bool, known: Range) -> Value:
        """The number of that type that is congruent modulo 2^bits."""
        least = -(1 << (bits - 1)) if signed else 0
        most = least + (1 << bits) - 1
        if not isinstance(value, Node):
            return ((value - least) & ((1 << bits) - 1)) + least
        if least <= known[0] and known[1] <= most:
            return self.within(value, *known) if value.low < least or value.high > most else value
        rest = left_of_sum(value, bits)
        if rest is not None:
            return self.wrap(rest, bits, signed, range_of(rest))
        word = None if signed else _low_bits(value, bits)
        if word is not None:
            return self._piece(word)
        rounds = (known[0] - least) >> bits
        if rounds == (known[1] - least) >> bits:
            off = -rounds << bits
            return self.add(value, off, known, (off, off))
        while value.kind == "wrap" and value.parts[1] >= bits and isinstance(value.parts[0], Node):  # type: ignore[operator]
            value = value.parts[0]
        return self._node("wrap", (value, bits), least, most)


def _low_bits(node: Node, bits: int) -> Piece | None:
    """The lowest bits of a number, if they are bits of what it was put together from."""
    if node.kind == ">>" and isinstance(node.parts[0], Node) and isinstance(node.parts[1], int):
        return picked(node.parts[0], node.parts[1], bits)
    return picked(node, 0, bits)
