"""Accesses that leave no trace in the program that is made: nothing could be said of races on them."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.syntax import Node
from sorrel.frontends.c.types import Floating

_PARTS = (syntax.Member, syntax.Subscript, syntax.Dereference)


def refuse_floating_accesses(linked: Linked) -> None:
    """Floating-point objects that other threads may reach: globals, parts of others, and what pointers lead to."""
    for function in linked.reached:
        pending: list[Node] = [] if function.body is None else [function.body]
        while pending:
            node = pending.pop()
            if isinstance(node, syntax.Expression) and isinstance(node.type, Floating):
                shared = isinstance(node, syntax.Reference) and node.symbol in linked.variables
                if shared or isinstance(node, _PARTS):
                    raise Unsupported("races on floating-point objects", node.span)
            pending.extend(node.children)
