"""A condition made again where what a run chooses lies between nearer numbers: what that decides is no part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sorrel.logic.bottom_up import bottom_up
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Truth, Value, range_of
from sorrel.logic.whole import Range

_LONGEST_SHIFT = 127
"""What is shifted further is not looked at."""
_Make = Callable[[Value, Value, Range, Range], Value]


class Narrowed:
    """`ranges` are those of variables. A node has the bounds that follow for it, and those that it had."""

    def __init__(self, graph: Graph, ranges: Mapping[Node, Range]) -> None:
        self._graph = graph
        self._ranges = ranges
        self._made: dict[Node, Value] = {}
        self._operations: dict[str, _Make] = {
            "=": graph.equal,
            "<": graph.less,
            "+": graph.add,
            "-": graph.subtract,
            "*": graph.multiply,
            "/": graph.divide,
            "%": graph.remainder,
            "&": graph.bit_and,
            "|": graph.bit_or,
            "^": graph.bit_xor,
            "<<": graph.shift_left,
            ">>": graph.shift_right,
        }

    def __len__(self) -> int:
        return len(self._made)

    def truth(self, condition: Truth) -> Truth:
        if not isinstance(condition, Node):
            return condition
        found = self._value(condition)
        return found if isinstance(found, Node) else bool(found)

    def _value(self, node: Node) -> Value:
        return bottom_up(node, self._made, self._needed, self._again)

    def _needed(self, node: Node) -> list[Node]:
        """Of choices and conjunctions no more than matters."""
        first, *rest = node.parts
        if node.kind in ("ite", "and") and isinstance(first, Node):
            found = self._made.get(first)
            if found is None:
                return [first]
            if not isinstance(found, Node):
                taken = node.parts[1 if found else 2 - (node.kind == "and")]
                rest = [taken] if node.kind == "ite" or found else []
        return [each for each in (first, *rest) if isinstance(each, Node)]

    def _part(self, part: object) -> Value:
        return self._made[part] if isinstance(part, Node) else part  # type: ignore[return-value]

    def _again(self, node: Node) -> Value:
        if node.is_truth:
            return self._truth(node)
        found = self._number(node)
        low, high = range_of(found)
        least, most = max(low, node.low), min(high, node.high)
        if least == most:
            return least
        return self._graph.within(found, least, most) if least <= most else found

    def _truth(self, node: Node) -> Value:
        graph = self._graph
        match node.kind, node.parts:
            case "not", (inner,):
                return graph.negation(self._part(inner))  # type: ignore[arg-type]
            case "and", (left, right):
                here = self._part(left)
                return graph.conjunction(here, self._part(right)) if here is not False else False  # type: ignore[arg-type]
            case "bit", (of, int(position)):
                value = self._part(of)
                return graph.bit(value, position) if isinstance(value, Node) else bool((value >> position) & 1)
            case (("=" | "<"), (left, right)):
                one, other = self._part(left), self._part(right)
                return self._operations[node.kind](one, other, range_of(one), range_of(other))
        return node

    def _number(self, node: Node) -> Value:
        graph = self._graph
        match node.kind, node.parts:
            case "variable", (str(name),) if node in self._ranges:
                return graph.variable(name, *self._ranges[node])
            case "within", (inner,):
                return self._part(inner)
            case "wrap", (inner, int(bits)):
                value = self._part(inner)
                return graph.wrap(value, bits, node.low < 0, range_of(value))
            case "ite", (condition, then, otherwise):
                test = self._part(condition)
                if not isinstance(test, Node):
                    return self._part(then if test else otherwise)
                one, other = self._part(then), self._part(otherwise)
                return graph.choice(test, one, other, range_of(one), range_of(other))
            case ("<<" | ">>") as kind, (left, right):
                one, by = self._part(left), self._part(right)
                amount = tuple(min(max(0, each), _LONGEST_SHIFT) for each in range_of(by))
                by = by if isinstance(by, Node) else amount[0]
                return self._operations[kind](one, by, range_of(one), amount)  # type: ignore[arg-type]
            case kind, (left, right) if kind in self._operations:
                one, other = self._part(left), self._part(right)
                return self._operations[kind](one, other, range_of(one), range_of(other))
        return node


def between(variable: Node) -> Iterator[Node]:
    """That it lies between its bounds, said as conditions: whoever knows these bounds takes them for granted."""
    yield _denied(Node("<", (variable, variable.low), 0, 1, True))
    yield _denied(Node("<", (variable.high, variable), 0, 1, True))


def _denied(truth: Node) -> Node:
    return Node("not", (truth,), 0, 1, True)
