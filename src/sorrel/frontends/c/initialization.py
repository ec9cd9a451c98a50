"""What of a local variable is read before it was given a value."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.syntax import Node, nodes
from sorrel.frontends.c.types import Pointer


def assigned_first(body: Node) -> frozenset[int]:
    """Symbols whose first mention after the declaration, in the same block, is an assignment that always happens."""
    found: set[int] = set()
    for node in nodes(body):
        if isinstance(node, syntax.Labelled):
            return frozenset()  # a jump may land between declaration and assignment
        if isinstance(node, syntax.Compound):
            for position, child in enumerate(node.statements):
                if isinstance(child, syntax.Declaration):
                    found.update(_assigned_after(child, node.statements[position + 1 :]))
    return frozenset(found)


def _assigned_after(declaration: syntax.Declaration, following: tuple[syntax.Statement, ...]) -> list[int]:
    open_symbols = [
        item.symbol
        for item in declaration.items
        if isinstance(item, syntax.Variable) and isinstance(item.type, Pointer) and item.initializer is None
    ]
    return [symbol for symbol in open_symbols if _first_is_assignment(symbol, declaration, following)]


def _first_is_assignment(symbol: int, declaration: syntax.Declaration, following: tuple[syntax.Statement, ...]) -> bool:
    if _mentions(declaration, symbol):
        return False
    for statement in following:
        if _assigns(statement, symbol):
            return True
        if isinstance(statement, syntax.For) and _assigns(statement.start, symbol):
            return True
        if _mentions(statement, symbol):
            return False
    return True


def _assigns(statement: syntax.Statement, symbol: int) -> bool:
    match statement:
        case syntax.Assignment(target=syntax.Reference(symbol=target)):
            return target == symbol and not _mentions(statement.value, symbol)
        case _:
            return False


def _mentions(root: Node, symbol: int) -> bool:
    return any(isinstance(node, syntax.Reference) and node.symbol == symbol for node in nodes(root))


def reads(initializer: syntax.Expression, symbol: int) -> bool:
    """Whether a variable's own initialiser uses the variable, other than to ask for its size."""
    pending: list[Node] = [initializer]
    while pending:
        node = pending.pop()
        if isinstance(node, syntax.Reference) and node.symbol == symbol:
            return True
        if not isinstance(node, syntax.Size) or node.value is None:
            pending.extend(node.children)
    return False
