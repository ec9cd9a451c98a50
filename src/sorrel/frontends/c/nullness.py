"""Where it makes a difference that a pointer is null, apart from following it."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.library.meanings import Meaning, meaning
from sorrel.frontends.c.types import Pointer
from sorrel.program.expression import Operator


def looks_at_pointer(node: syntax.Node) -> bool:
    """Whether a pointer is tested here, compared for equality, or made a number."""
    match node:
        case syntax.Binary(operator=Operator.EQUAL | Operator.DIFFERENT) | syntax.Logical():
            return _is_pointer(node.left) or _is_pointer(node.right)
        case syntax.Unary(operator=syntax.UnaryOperator.NOT):
            return _is_pointer(node.operand)
        case syntax.Conversion():
            return _is_pointer(node.operand) and not _is_pointer(node)
        case syntax.Conditional() | syntax.Elvis() | syntax.If() | syntax.While() | syntax.Do() | syntax.For():
            return _is_pointer(node.condition)
        case _:
            return False


def keeps_apart(node: syntax.Node) -> bool:
    """Whether this is a call of a function to which blocks are given that must not overlap."""
    name = syntax.named_callee(node) if isinstance(node, syntax.Call) else None
    meant = meaning(name.name, False) if name is not None else None
    copies = meant is Meaning.COPY and name is not None and not name.name.endswith("memmove")
    return copies or meant is Meaning.SEPARATE


def _is_pointer(node: syntax.Node | None) -> bool:
    return isinstance(node, syntax.Expression) and isinstance(node.type, Pointer)
