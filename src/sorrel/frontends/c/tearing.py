"""What threads do with memory that leaves no trace in the program that is made, so that nothing could be said of it."""

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


def refuse_variables_of_each_thread(linked: Linked) -> None:
    """`_Thread_local`: there is one variable in the program that is made, not one for each thread."""
    told = "a variable of which each thread has its own (_Thread_local), where there are threads"
    for variable in linked.reached_variables:
        if variable.declaration.per_thread:
            raise Unsupported(told, variable.declaration.span)
    bodies = [function.body for function in linked.reached if function.body is not None]
    for node in (node for body in bodies for node in syntax.nodes(body)):
        if isinstance(node, syntax.Variable) and node.per_thread:
            raise Unsupported(told, node.span)
