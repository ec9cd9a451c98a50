"""Declarations that a jump goes past: the variable is there, since its block was entered, but it has no value.

A block is entered at its start, by the choice of a switch, or by a `goto` from outside. A variable that was declared in
an earlier execution of the block is another one; after a jump back inside of the block it is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sorrel.frontends.c import syntax
from sorrel.frontends.c.syntax import Node, nodes

_Block = syntax.Compound | syntax.For


class Skipping:
    """The variables of one function's body whose declarations are passed over by some jump."""

    def __init__(self, body: Node) -> None:
        self._around: dict[str, tuple[_Block, ...]] = {}  # by label, outermost first
        self._skipped: dict[int, tuple[syntax.Variable, ...]] = {}  # by block
        if any(isinstance(node, syntax.Labelled) for node in nodes(body)):
            self._jumps = _jumps(body)
            self._look(body)
        self.early = frozenset(variable.symbol for group in self._skipped.values() for variable in group)
        """What comes into being when its block is entered, not when it is declared."""

    def of_block(self, block: _Block) -> tuple[syntax.Variable, ...]:
        return self._skipped.get(id(block), ())

    def inside(self, root: Node) -> Iterator[syntax.Variable]:
        """Of all blocks below, which are entered by one of the labels in them."""
        if self._skipped:
            for node in nodes(root):
                if isinstance(node, _Block):
                    yield from self.of_block(node)

    def entered(self, label: str, left: tuple[_Block, ...]) -> Iterator[syntax.Variable]:
        """Of the blocks around a label that are not around the jump to it."""
        for block in self._around.get(label, ()):
            if not any(block is each for each in left):
                yield from self.of_block(block)

    def left(self, label: str, around: tuple[_Block, ...]) -> tuple[_Block, ...]:
        """Of the blocks around a jump those that are not around its label."""
        there = self._around.get(label, ())
        return tuple(block for block in around if not any(block is each for each in there))

    def _look(self, body: Node) -> None:
        pending: list[tuple[Node, tuple[_Block, ...]]] = [(body, ())]
        while pending:
            node, around = pending.pop()
            if isinstance(node, syntax.Label):
                self._around[node.name] = around
            if isinstance(node, _Block):
                around = (*around, node)
                self._skipped[id(node)] = tuple(self._variables(node))
            pending.extend((child, around) for child in node.children)

    def _variables(self, block: _Block) -> Iterator[syntax.Variable]:
        children = block.children
        for position, child in enumerate(children):
            if not isinstance(child, syntax.Declaration):
                continue
            before, following = children[:position], children[position + 1 :]
            skipped, repeated = self._is_skipped(following), _leads_back(following, before)
            for item in child.items:
                if not isinstance(item, syntax.Variable) or item.static or item.external:
                    continue
                if skipped or (repeated and not item.sizes):
                    yield item

    def _is_skipped(self, following: tuple[Node, ...]) -> bool:
        """Whether a jump from elsewhere leads to what follows."""
        labels = {node.name for root in following for node in nodes(root) if isinstance(node, syntax.Label)}
        if any(map(_has_own_case, following)):
            return True
        inner: Counter[str] = Counter()
        for root in following if labels else ():
            inner.update(_jumps(root))
        return any(self._jumps[label] > inner[label] for label in labels)


def _leads_back(following: tuple[Node, ...], before: tuple[Node, ...]) -> bool:
    """Whether a jump in what follows leads to what comes before."""
    labels = {node.name for root in before for node in nodes(root) if isinstance(node, syntax.Label)}
    return bool(labels) and any(label in labels for root in following for label in _jumps(root))


def _jumps(root: Node) -> Counter[str]:
    """How many jumps lead to each label."""
    return Counter(node.label for node in nodes(root) if isinstance(node, syntax.Goto))


def _has_own_case(root: Node) -> bool:
    """Whether a switch outside may choose something in it."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, syntax.Case | syntax.Default):
            return True
        if not isinstance(node, syntax.Switch):
            pending.extend(node.children)
    return False
