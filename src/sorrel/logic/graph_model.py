"""The values of a graph's nodes where all that a run may choose has a value."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.logic.node import INPUTS, Node, Value
from sorrel.logic.whole import quotient


class Model:
    """`choose` gives the value of a variable or of an element of an open array, once."""

    def __init__(self, choose: Callable[[Node], int]) -> None:
        self._choose = choose
        self._values: dict[Node, int] = {}

    def value(self, node: Value) -> int:
        if not isinstance(node, Node):
            return int(node)
        values = self._values
        if node in values:
            return values[node]
        stack = [node]
        while stack:
            top = stack[-1]
            if top in values:
                stack.pop()
                continue
            waiting = self._waiting(top)
            if waiting is not None:
                stack.append(waiting)
                continue
            stack.pop()
            values[top] = self._computed(top)
        return values[node]

    def holds(self, node: Value) -> bool:
        return bool(self.value(node))

    def _waiting(self, node: Node) -> Node | None:
        """What its value depends on and has none yet: of choices and conjunctions no more than is looked at."""
        values = self._values
        for part in node.parts:
            if isinstance(part, Node) and part not in values:
                return part
            if node.kind == "ite":
                arm = node.parts[1 if values[part] else 2]  # type: ignore[index]
                return arm if isinstance(arm, Node) and arm not in values else None
            if node.kind == "and" and not values[part]:  # type: ignore[index]
                return None
        return None

    def _computed(self, node: Node) -> int:
        values = self._values
        if node.kind in INPUTS:
            return self._choose(node)
        if node.kind == "and":
            return int(all(values[each] for each in node.parts))  # type: ignore[index]
        if node.kind == "ite":
            arm = node.parts[1 if values[node.parts[0]] else 2]  # type: ignore[index]
            return values[arm] if isinstance(arm, Node) else arm  # type: ignore[return-value]
        parts = [self._values[each] if isinstance(each, Node) else each for each in node.parts]
        match node.kind:
            case "wrap":
                return ((parts[0] - node.low) & ((1 << parts[1]) - 1)) + node.low  # type: ignore[operator]
            case "within":
                return parts[0]  # type: ignore[return-value]
            case "not":
                return 1 - parts[0]  # type: ignore[operator]
        return int(_OPERATIONS[node.kind](*parts))  # type: ignore[arg-type]


_LONGEST_SHIFT = 256


def _remainder(left: int, right: int) -> int:
    return left - right * quotient(left, right)


def _shifted(left: int, right: int) -> int:
    return left << min(max(right, 0), _LONGEST_SHIFT)


def _shifted_right(left: int, right: int) -> int:
    return left >> min(max(right, 0), _LONGEST_SHIFT)


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "=": lambda left, right: left == right,
    "<": lambda left, right: left < right,
    "bit": lambda left, right: (left >> right) & 1,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": quotient,
    "%": _remainder,
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "<<": _shifted,
    ">>": _shifted_right,
}
