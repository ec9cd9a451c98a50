"""What of a local variable is read before it was given a value."""

from __future__ import annotations

from sorrel.frontends.c.linking import nodes
from sorrel.frontends.c.syntax import Node, NodeKind, stripped
from sorrel.frontends.c.types import Pointer


def assigned_first(body: Node) -> frozenset[int]:
    """Symbols whose first mention after the declaration, in the same block, is an assignment that always happens."""
    found: set[int] = set()
    for node in nodes(body):
        if node.kind in (NodeKind.LABEL, NodeKind.CASE, NodeKind.DEFAULT):
            return frozenset()  # a jump may land between declaration and assignment
        if node.kind is NodeKind.COMPOUND:
            for position, child in enumerate(node.children):
                if child.kind is NodeKind.DECLARATION:
                    found.update(_assigned_after(child, node.children[position + 1 :]))
    return frozenset(found)


def _assigned_after(declaration: Node, following: tuple[Node, ...]) -> list[int]:
    open_symbols = [
        child.symbol
        for child in declaration.children
        if child.kind is NodeKind.VARIABLE and isinstance(child.type, Pointer) and child.initializer is None
    ]
    return [symbol for symbol in open_symbols if _first_is_assignment(symbol, declaration, following)]


def _first_is_assignment(symbol: int, declaration: Node, following: tuple[Node, ...]) -> bool:
    if _mentions(declaration, symbol):
        return False
    for statement in following:
        if _assigns(statement, symbol):
            return True
        if statement.kind is NodeKind.FOR and _assigns(statement.children[0], symbol):
            return True
        if _mentions(statement, symbol):
            return False
    return True


def _assigns(statement: Node, symbol: int) -> bool:
    node = stripped(statement)
    if node.kind is not NodeKind.BINARY or node.operator != "=":
        return False
    left = stripped(node.children[0])
    return left.kind is NodeKind.REFERENCE and left.symbol == symbol and not _mentions(node.children[1], symbol)


def _mentions(root: Node, symbol: int) -> bool:
    return any(node.kind is NodeKind.REFERENCE and node.symbol == symbol for node in nodes(root))


def reads(initializer: Node, symbol: int) -> bool:
    """Whether a variable's own initialiser uses the variable, other than to ask for its size."""
    pending = [initializer]
    while pending:
        node = pending.pop()
        if node.kind is NodeKind.REFERENCE and node.symbol == symbol:
            return True
        if node.kind is not NodeKind.SIZE or node.value is None:
            pending.extend(node.children)
    return False
