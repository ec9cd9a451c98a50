"""Whether evaluating an expression changes anything."""

from __future__ import annotations

from sorrel.frontends.c.syntax import Node, NodeKind
from sorrel.frontends.c.types import Record

_CHANGING = frozenset({"x++", "x--", "++x", "--x"})


def has_effects(node: Node) -> bool:
    """True for assignments, calls and statements inside, and for what becomes branches; asked once for each node."""
    if node.effects is None:
        node.effects = _changes(node)
        for child in node.children:  # a loop: deep nesting stays on Python's own stack, which grows
            node.effects = node.effects or has_effects(child)
    return node.effects


def _changes(node: Node) -> bool:
    match node.kind:
        case NodeKind.COMPOUND_ASSIGNMENT | NodeKind.STATEMENT_EXPRESSION:
            return True
        case NodeKind.BINARY:
            return node.operator == "="
        case NodeKind.UNARY:
            return node.operator in _CHANGING
        case NodeKind.CALL:
            return not node.pure
        case NodeKind.COMPOUND_LITERAL:
            return True
        case NodeKind.CONDITIONAL:
            # A structure is chosen by branches, which must not be taken where the choice is not made.
            return isinstance(node.type, Record)
        case _:
            return False
