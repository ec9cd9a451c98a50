"""Nodes of a graph of whole numbers and truth values (`logic/graph.py` makes them): what they are and lie between."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.logic.whole import Range


class Node:
    """`parts` are nodes, numbers and names. Truth values lie between 0 and 1, and have `is_truth`.

    `compared` are comparisons of it with others that were met on some path, in this order, and what they say.
    """

    __slots__ = ("compared", "depth", "high", "is_truth", "kind", "low", "parts")

    def __init__(self, kind: str, parts: tuple[Part, ...], low: int, high: int, is_truth: bool) -> None:
        self.kind = kind
        self.parts = parts
        self.low = low
        self.high = high
        self.is_truth = is_truth
        self.compared: dict[Node, Said] | None = None
        self.depth: int = 1 + max((each.depth for each in parts if isinstance(each, Node)), default=0)


class Open:
    """An array that a run may choose; `low` and `high` bound its elements, or they are truth values.

    `elements` are those that somebody looked at, by index; `computed`: some index is no number.
    """

    __slots__ = ("computed", "elements", "high", "is_truth", "low", "name")

    def __init__(self, name: str, low: int, high: int, is_truth: bool) -> None:
        self.name = name
        self.low = low
        self.high = high
        self.is_truth = is_truth
        self.elements: dict[Value, Node] = {}
        self.computed = False

    def __repr__(self) -> str:
        return self.name


Value: TypeAlias = "int | Node"
"""A number, or a truth value (`bool`), or a node for one."""
Truth: TypeAlias = "bool | Node"
Part: TypeAlias = "int | str | Node | Open"

Form: TypeAlias = "tuple[tuple[tuple[Node, int], ...], int]"
"""Nodes with their factors, none of them zero, and a number: the sum of all."""
Said: TypeAlias = "tuple[tuple[tuple[int, Form], ...], tuple[tuple[int, Form], ...]]"
"""Sums that are not positive, each with the factor of a node in it: if a comparison does not hold, and if it does."""

INPUTS = frozenset(("variable", "truth variable", "element", "truth element"))
"""Kinds of nodes whose value a run may choose."""


def range_of(value: Value) -> Range:
    return (value.low, value.high) if isinstance(value, Node) else (value, value)
