"""Questions about graphs of numbers and truth values, as integers, to z3: sums, orders and choices without words.

Numbers of a graph are exact, so that a sum is a sum. Where bits are compared a solver of words looks at adders, and
that a total grows if one of its parts does takes it longer than anybody waits; for linear arithmetic it is a step. What
is not linear may be anything between its bounds. So what has no model here has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from sorrel.logic.bottom_up import bottom_up
from sorrel.logic.node import Node, Part, Truth
from sorrel.logic.whole import is_mask
from sorrel.model.work import METER, QUESTION

SOLVER = "z3"


class IntegerSolver:
    """Terms are made once; each question is one of its own, with what defines the terms in it."""

    def __init__(self) -> None:
        self._made: dict[Node, Any] = {}
        self._bits: dict[Node, list[Any]] = {}
        self._definitions: dict[Node, list[Any]] = {}

    def excludes(self, condition: Truth, seconds: float) -> bool:
        """Whether it has no model; False if that was not shown in time."""
        METER.add(QUESTION)
        if not isinstance(condition, Node):
            return not condition
        formula = bottom_up(condition, self._made, _needed, self._built)
        solver = z3.SolverFor("QF_LIA")
        solver.set("timeout", max(1, int(1000 * seconds)))
        solver.add(*self._defined_in(condition), formula)
        return bool(solver.check() == z3.unsat)

    def _defined_in(self, condition: Node) -> Iterator[Any]:
        seen, stack = {condition}, [condition]
        while stack:
            node = stack.pop()
            yield from self._definitions.get(node, ())
            for part in _needed(node):
                if part not in seen:
                    seen.add(part)
                    stack.append(part)

    def _part(self, part: Part) -> Any:
        return self._made[part] if isinstance(part, Node) else z3.IntVal(part)  # type: ignore[arg-type]

    def _built(self, node: Node) -> Any:
        return self._built_truth(node) if node.is_truth else self._built_number(node)

    def _built_truth(self, node: Node) -> Any:
        match node.kind, node.parts:
            case "not", (inner,):
                return z3.Not(self._part(inner))
            case "and", (left, right):
                return z3.And(self._part(left), self._part(right))
            case "=", (left, right):
                return self._part(left) == self._part(right)
            case "<", (left, right):
                return self._part(left) < self._part(right)
            case "bit", (Node() as number, int(position)) if number.low >= 0:
                bits = self._bits_of(number)
                return bits[position] if position < len(bits) else z3.BoolVal(False)
        return z3.Bool(f"truth!{len(self._made)}")

    def _bits_of(self, number: Node) -> list[Any]:
        """They are its bits where it lies between its bounds, and nothing is asked of them elsewhere."""
        found = self._bits.get(number)
        if found is None:
            size, name = number.high.bit_length(), len(self._bits)
            found = self._bits[number] = [z3.Bool(f"bit!{name}!{position}") for position in range(size)]
            whole, value = self._made[number], z3.Sum([z3.If(bit, 1 << each, 0) for each, bit in enumerate(found)])
            self._definitions.setdefault(number, []).append(z3.Or(whole < 0, whole >= 1 << size, whole == value))
        return found

    def _built_number(self, node: Node) -> Any:
        match node.kind, node.parts:
            case "ite", (condition, then, otherwise):
                return z3.If(self._part(condition), self._part(then), self._part(otherwise))
            case "+", (left, right):
                return self._part(left) + self._part(right)
            case "-", (left, right):
                return self._part(left) - self._part(right)
            case "within", (inner,):
                return self._part(inner)
            case "*", (left, right) if isinstance(left, int) or isinstance(right, int):
                return self._part(left) * self._part(right)
            case "<<", (left, int(amount)):
                return self._part(left) * z3.IntVal(1 << amount)
            case ">>", (left, int(amount)):
                return self._part(left) / z3.IntVal(1 << amount)  # rounded down, as all divisions of z3 by such numbers
            case "&", (left, int(mask)) if is_mask(mask):
                return self._part(left) % z3.IntVal(mask + 1)
            case "/", (Node() as left, int(divisor)) if divisor > 0:
                return self._quotient(left, divisor)
            case "%", (Node() as left, int(divisor)) if divisor > 0:
                return self._part(left) - divisor * self._quotient(left, divisor)
            case "wrap", (inner, int(bits)):
                return self._between(self._part(inner) - (1 << bits) * z3.Int(f"rounds!{len(self._made)}"), node)
        return self._between(z3.Int(f"number!{len(self._made)}"), node)

    def _quotient(self, left: Node, divisor: int) -> Any:
        """Towards zero."""
        whole = self._part(left)
        return whole / divisor if left.low >= 0 else z3.If(whole >= 0, whole / divisor, -(-whole / divisor))

    def _between(self, made: Any, node: Node) -> Any:
        """Where it has no bounds that can be, no run uses it, but it may stand in a condition of others."""
        if node.low <= node.high:
            self._definitions[node] = [made >= node.low, made <= node.high]
        return made


def _needed(node: Node) -> list[Node]:
    return [each for each in node.parts if isinstance(each, Node)]
