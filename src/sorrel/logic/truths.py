"""What of a graph is about truth: nodes, each once, what a run may choose, and conditions."""

from __future__ import annotations

from typing import NamedTuple

from sorrel.logic.node import Node, Open, Part, Truth, Value


class Truths:
    """Makes nodes, each once: what a run may choose, and conditions."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[str, tuple[Part, ...], int, int], Node] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def _node(self, kind: str, parts: tuple[Part, ...], low: int, high: int) -> Value:
        if low == high:
            return low
        key = (kind, parts, low, high)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Node(kind, parts, low, high, False)
        return found

    def _truth(self, kind: str, parts: tuple[Part, ...]) -> Node:
        key = (kind, parts, 0, 1)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Node(kind, parts, 0, 1, True)
        return found

    # What a run may choose

    def variable(self, name: str, low: int, high: int) -> Value:
        return self._node("variable", (name,), low, high)

    def truth_variable(self, name: str) -> Node:
        return self._truth("truth variable", (name,))

    def element(self, array: Open, index: Value) -> Value:
        """The element of an array that a run chooses; of one and the same index always the same node."""
        found = array.elements.get(index)
        if found is None:
            kind = "truth element" if array.is_truth else "element"
            found = Node(kind, (array, index), array.low, array.high, array.is_truth)
            array.elements[index] = found
            array.computed |= isinstance(index, Node)
        return found

    # Truth values

    def negation(self, truth: Truth) -> Truth:
        if not isinstance(truth, Node):
            return not truth
        if truth.kind == "not":
            return truth.parts[0]  # type: ignore[return-value]
        return self._truth("not", (truth,))

    def conjunction(self, left: Truth, right: Truth) -> Truth:
        if not isinstance(left, Node):
            return right if left else False
        if not isinstance(right, Node):
            return left if right else False
        if left is right:
            return left
        if (left.kind == "not" and left.parts[0] is right) or (right.kind == "not" and right.parts[0] is left):
            return False
        return self._both(left, right)

    def _both(self, left: Node, right: Node) -> Truth:
        """Of two limits of one number that stand next to each other, the stronger one says it all."""
        before, last = (left.parts[0], left.parts[1]) if left.kind == "and" else (True, left)
        first, behind = (right.parts[0], right.parts[1]) if right.kind == "and" else (right, True)
        one, other = limit_of(last), limit_of(first)
        if one is not None and other is not None and one.number is other.number:
            if one.above is not other.above:
                if (one.end < other.end) if other.above else (other.end < one.end):
                    return False
            elif one.end == other.end or (one.end > other.end) is one.above:
                return left if behind is True else self._truth("and", (left, behind))
            else:
                return right if before is True else self._truth("and", (before, right))
        return self._truth("and", (left, right))

    def disjunction(self, left: Truth, right: Truth) -> Truth:
        return self.negation(self.conjunction(self.negation(left), self.negation(right)))

    def implication(self, left: Truth, right: Truth) -> Truth:
        return self.negation(self.conjunction(left, self.negation(right)))

    def truth_choice(self, condition: Truth, then: Truth, otherwise: Truth) -> Truth:
        if not isinstance(condition, Node):
            return then if condition else otherwise
        if then is otherwise:
            return then
        return self.disjunction(
            self.conjunction(condition, then), self.conjunction(self.negation(condition), otherwise)
        )


class Limit(NamedTuple):
    """A number is at least `end` (`above`), or at most that."""

    number: Node
    above: bool
    end: int


def limit_of(truth: Part) -> Limit | None:
    """A comparison of a node with a number."""
    if not isinstance(truth, Node):
        return None
    denied = truth.kind == "not"
    inner = truth.parts[0] if denied else truth
    if not isinstance(inner, Node) or inner.kind != "<":
        return None
    match inner.parts:
        case int(number), Node() as node:
            return Limit(node, not denied, number if denied else number + 1)
        case Node() as node, int(number):
            return Limit(node, denied, number if denied else number - 1)
    return None
