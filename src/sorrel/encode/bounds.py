"""What is known on a path of the nodes of a graph: between which numbers they lie, which conditions hold."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.encode.differences import between, differ, note, ordered
from sorrel.logic.node import Node, Truth, Value
from sorrel.logic.whole import Range

DEEP = 3
"""How far below a node it is looked for what is known of it."""
MOST_TURNS = 2
"""Of a number that was cut off to fewer bits: in how many ways it may have been too large."""


class _Layer:
    """What was known at some place of a path, beside what was known before; it does not change any more."""

    __slots__ = ("below", "facts")

    def __init__(self, below: _Layer | None, facts: dict[Node, Range]) -> None:
        self.below = below
        self.facts = facts


class Bounds:
    """Ranges of nodes on one path, beside those that they have everywhere. They only become narrower there.

    Paths share what was known where they parted, so that only the rest is looked at where they meet.
    """

    __slots__ = ("_layer", "_own")

    def __init__(self, layer: _Layer | None = None) -> None:
        self._layer = layer
        self._own: dict[Node, Range] = {}

    def copy(self) -> Bounds:
        if self._own:
            facts, below = self._own, self._layer
            # Each layer is at least twice as large as the one above it, so that there are few.
            while below is not None and len(below.facts) < 2 * len(facts):
                facts, below = {**below.facts, **facts}, below.below
            self._layer, self._own = _Layer(below, facts), {}
        return Bounds(self._layer)

    def _get(self, node: Node) -> Range | None:
        found = self._own.get(node)
        layer = self._layer
        while found is None and layer is not None:
            found = layer.facts.get(node)
            layer = layer.below
        return found

    def of(self, value: Value, depth: int = DEEP) -> Range:
        if not isinstance(value, Node):
            return value, value
        known = self._get(value)
        low, high = (value.low, value.high) if known is None else known
        if depth and value.kind in _LOOKED_THROUGH:
            here = self._made(value, depth - 1)
            if here is not None and here[0] <= high and low <= here[1]:  # else no run takes this path
                return max(low, here[0]), min(high, here[1])
        return low, high

    def _made(self, node: Node, depth: int) -> Range | None:
        """What follows from what is known of the parts."""
        match node.kind, node.parts:
            case "+", (left, right):
                one, other = self.of(left, depth), self.of(right, depth)  # type: ignore[arg-type]
                return one[0] + other[0], one[1] + other[1]
            case "-", (left, right):
                one, other = self.of(left, depth), self.of(right, depth)  # type: ignore[arg-type]
                return one[0] - other[1], one[1] - other[0]
            case "within", (only,):
                return self.of(only, depth)  # type: ignore[arg-type]
            case "wrap", (only, int(bits)):
                low, high = self.of(only, depth)  # type: ignore[arg-type]
                rounds = (low - node.low) >> bits
                if rounds == (high - node.low) >> bits:
                    return low - (rounds << bits), high - (rounds << bits)
            case "ite", (condition, then, otherwise):
                known = self._get(condition)  # type: ignore[arg-type]
                if known is not None:
                    return self.of(then if known[0] else otherwise, depth)  # type: ignore[arg-type]
        return None

    def chosen(self, value: Value) -> Value:
        """Of a choice that is decided on the path, what it is."""
        while isinstance(value, Node) and value.kind == "ite":
            known = self._get(value.parts[0])  # type: ignore[arg-type]
            if known is None:
                break
            value = value.parts[1 if known[0] else 2]  # type: ignore[assignment]
        return value

    def settled(self, value: Value) -> Value:
        """Of a choice, what it is if bounds decide that: what was written at another place was not written here."""
        while isinstance(value, Node) and value.kind == "ite":
            decided = self.decide(value.parts[0], related=False)  # type: ignore[arg-type]
            if decided is None:
                break
            value = value.parts[1 if decided else 2]  # type: ignore[assignment]
        return value

    def met(self, truth: Node) -> bool | None:
        """Whether it was met on this path that it holds, or does not."""
        known = self._get(truth)
        return None if known is None else bool(known[0])

    def tight(self, value: Value) -> Range:
        """What is known of it, also by comparisons that were met."""
        found = self.of(value)
        return between(self, value, found) if isinstance(value, Node) and found[0] != found[1] else found

    def decide(self, truth: Truth, related: bool = True) -> bool | None:
        """Whether it holds on this path; None: not known. `related`: sums of what was met are looked at, too."""
        if not isinstance(truth, Node):
            return bool(truth)
        known = self._get(truth)
        if known is not None:
            return bool(known[0])
        match truth.kind, truth.parts:
            case "not", (inner,):
                decided = self.decide(inner, related)  # type: ignore[arg-type]
                return None if decided is None else not decided
            case "and", (left, right):
                return self._both(left, right, related)  # type: ignore[arg-type]
            case "<", (left, right):
                here, there = self.of(left), self.of(right)  # type: ignore[arg-type]
                if here[1] < there[0]:
                    return True
                if here[0] >= there[1]:
                    return False
                return ordered(self, left, right) if related else None  # type: ignore[arg-type]
            case "=", (left, right):
                here, there = self.of(left), self.of(right)  # type: ignore[arg-type]
                if here[1] < there[0] or there[1] < here[0]:
                    return False
                if here[0] == here[1] == there[0] == there[1]:
                    return True
                return False if related and differ(self, left, right) else None  # type: ignore[arg-type]
        return None

    def _both(self, left: Node, right: Node, related: bool) -> bool | None:
        """Conjunctions are deep on the left, and what lies there was looked at when it was made."""
        there = self._shallow(right, related)
        here = self._shallow(left, related)
        if there is False or here is False:
            return False
        return True if here and there else None

    def _shallow(self, truth: Node, related: bool = False) -> bool | None:
        if truth.kind == "and" or (truth.kind == "not" and truth.parts[0].kind == "and"):  # type: ignore[union-attr]
            return self.met(truth)
        return self.decide(truth, related)

    def learn(self, truth: Truth, holds: bool = True) -> bool:
        """Draw conclusions from what is so from now on; False if it cannot be."""
        work: list[tuple[Value, int, int]] = []
        return self._conclude(truth, holds, work) and self._done(work)

    def learn_value(self, node: Node, number: int, holds: bool) -> bool:
        """The same, from what is known to be a number, or not to be it."""
        work: list[tuple[Value, int, int]] = []
        self._compared(node, number, holds, work)
        return self._done(work)

    def _done(self, work: list[tuple[Value, int, int]]) -> bool:
        while work:
            node, low, high = work.pop()
            if not self._narrow(node, low, high, work):
                return False
        return True

    def _conclude(self, truth: Truth, holds: bool, work: list[tuple[Value, int, int]]) -> bool:
        stack: list[tuple[Truth, bool]] = [(truth, holds)]
        while stack:
            truth, holds = stack.pop()
            if not isinstance(truth, Node):
                if bool(truth) is not holds:
                    return False
                continue
            known = self._get(truth)
            if known is not None:
                if bool(known[0]) is not holds:
                    return False
                continue
            self._own[truth] = (1, 1) if holds else (0, 0)
            match truth.kind, truth.parts:
                case "not", (inner,):
                    stack.append((inner, not holds))  # type: ignore[arg-type]
                case "and", (left, right):
                    if holds:
                        stack += [(left, True), (right, True)]  # type: ignore[list-item]
                    else:
                        stack += self._other(left, right)  # type: ignore[arg-type]
                case "<", (left, right):
                    note(truth)
                    self._ordered(left, right, holds, work)  # type: ignore[arg-type]
                case "=", (left, right):
                    note(truth)
                    self._compared(left, right, holds, work)  # type: ignore[arg-type]
        return True

    def _other(self, left: Node, right: Node) -> list[tuple[Truth, bool]]:
        """Of two that do not both hold, one that does tells of the other."""
        if self._shallow(left):
            return [(right, False)]
        return [(left, False)] if self._shallow(right) else []

    def _ordered(self, left: Value, right: Value, holds: bool, work: list[tuple[Value, int, int]]) -> None:
        here, there = self.of(left), self.of(right)
        if holds:
            work += [(left, here[0], there[1] - 1), (right, here[0] + 1, there[1])]
        else:
            work += [(left, there[0], here[1]), (right, there[0], here[1])]

    def _compared(self, left: Value, right: Value, holds: bool, work: list[tuple[Value, int, int]]) -> None:
        here, there = self.of(left), self.of(right)
        if holds:
            low, high = max(here[0], there[0]), min(here[1], there[1])
            work += [(left, low, high), (right, low, high)]
            return
        for node, own, other in ((left, here, there), (right, there, here)):
            if other[0] == other[1] in own:
                work.append((node, own[0] + (own[0] == other[0]), own[1] - (own[1] == other[0])))

    def _narrow(self, node: Value, low: int, high: int, work: list[tuple[Value, int, int]]) -> bool:
        """And what that means for what the node is made of."""
        if not isinstance(node, Node):
            return low <= node <= high
        old = self._get(node)
        least, most = (node.low, node.high) if old is None else old
        if low <= least and high >= most:
            return True
        low, high = max(low, least), min(high, most)
        if low > high:
            return False
        self._own[node] = (low, high)
        match node.kind, node.parts:
            case "+", (inner, int(more)):
                work.append((inner, low - more, high - more))  # type: ignore[arg-type]
            case "+", (left, right):
                here, there = self.of(left), self.of(right)  # type: ignore[arg-type]
                work.append((left, low - there[1], high - there[0]))  # type: ignore[arg-type]
                work.append((right, low - here[1], high - here[0]))  # type: ignore[arg-type]
            case "-", (left, right):
                here, there = self.of(left), self.of(right)  # type: ignore[arg-type]
                work.append((left, low + there[0], high + there[1]))  # type: ignore[arg-type]
                work.append((right, here[0] - high, here[1] - low))  # type: ignore[arg-type]
            case "*", (inner, int(factor)) if factor > 0:
                work.append((inner, -(-low // factor), high // factor))  # type: ignore[arg-type]
            case "within", (inner,):
                work.append((inner, low, high))  # type: ignore[arg-type]
            case "wrap", (inner, int(bits)):
                return self._unwrapped(inner, 1 << bits, (low, high), work)  # type: ignore[arg-type]
            case "ite", (condition, then, otherwise):
                return self._chosen_between(condition, then, otherwise, (low, high), work)  # type: ignore[arg-type]
        return True

    def _unwrapped(self, inner: Node, size: int, found: Range, work: list[tuple[Value, int, int]]) -> bool:
        """What was cut off to these numbers lay between them, or so many times further away."""
        low, high = self.of(inner)
        first, last = -((found[1] - low) // size), (high - found[0]) // size
        if first > last:
            return False
        if last - first < MOST_TURNS:
            work.append((inner, max(low, found[0] + first * size), min(high, found[1] + last * size)))
        return True

    def _chosen_between(
        self, condition: Node, then: Value, otherwise: Value, found: Range, work: list[tuple[Value, int, int]]
    ) -> bool:
        """A side that the value cannot come from was not chosen."""
        for side, other, holds in ((then, otherwise, False), (otherwise, then, True)):
            low, high = self.of(side)
            if low > found[1] or high < found[0]:
                work.append((other, *found))
                return self._conclude(condition, holds, work)
        return True

    def merged(self, other: Bounds) -> Bounds:
        """What holds on both paths: what was known where they parted, and what both have learned since."""
        there = {id(layer) for layer in _layers(other._layer)}
        common = next((layer for layer in _layers(self._layer) if id(layer) in there), None)
        made = Bounds(common)
        mine, others = self._since(common), other._since(common)
        fewer, more = (mine, others) if len(mine) < len(others) else (others, mine)
        for node, (low, high) in fewer.items():
            found = more.get(node)
            if found is None:
                continue
            low, high = min(low, found[0]), max(high, found[1])
            known = made._get(node) or (node.low, node.high)
            if low > known[0] or high < known[1]:
                made._own[node] = (low, high)
        return made

    def _since(self, common: _Layer | None) -> dict[Node, Range]:
        found = dict(self._own)
        for layer in _layers(self._layer):
            if layer is common:
                break
            found = {**layer.facts, **found}
        return found


def _layers(layer: _Layer | None) -> Iterator[_Layer]:
    while layer is not None:
        yield layer
        layer = layer.below


_LOOKED_THROUGH = frozenset(("+", "-", "within", "wrap", "ite"))
