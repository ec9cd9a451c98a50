"""Whether evaluating an expression changes anything."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.types import Record

CHANGES = (
    syntax.Assignment,
    syntax.CompoundAssignment,
    syntax.Step,
    syntax.StatementExpression,
    syntax.CompoundLiteral,
)


class Effects:
    """Answers are kept, by node: trees do not change."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def of(self, node: syntax.Node) -> bool:
        """True for assignments, calls and statements inside, and for what becomes branches."""
        known = self._known.get(id(node))
        if known is None:
            known = _changes(node)
            for child in node.children:  # a loop: deep nesting stays on Python's own stack, which grows
                known = known or self.of(child)
            self._known[id(node)] = known
        return known


def _changes(node: syntax.Node) -> bool:
    if isinstance(node, syntax.Call):
        return not node.pure
    if isinstance(node, syntax.ImplicitConversion):
        return node.atomic
    # A structure is chosen by branches, which must not be taken where the choice is not made.
    return isinstance(node, CHANGES) or (isinstance(node, syntax.Conditional) and isinstance(node.type, Record))
