"""Terms as plain graphs: what each node does and whether the order of its arguments matters, without any name."""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.logic import pointers
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

_COMMUTATIVE = frozenset(
    ("and", "or", "=", "distinct", "xor", "+", "*", "bvadd", "bvmul", "bvand", "bvor", "bvxor", "iff")
)
_SWAPPED = {">=": "<=", ">": "<", "bvsge": "bvsle", "bvsgt": "bvslt", "bvuge": "bvule", "bvugt": "bvult"}
_INDEXED = frozenset(("extract", "zero_extend", "sign_extend", "repeat", "int2bv", "int_to_bv", "const", "is"))
"""Operations with parameters that are not arguments."""


@dataclass(frozen=True, slots=True)
class Node:
    """`label` says what the node is, nothing for a variable; `ordered`: its arguments cannot be exchanged."""

    identity: int
    label: str
    ordered: bool
    children: tuple[int, ...]


def graph(roots: Iterable[Term]) -> list[Node]:
    """Every distinct node below the roots once, arguments first. Identities are those of `terms.identity`."""
    found: dict[int, Node] = {}
    for root in roots:
        stack = [(pointers.address(root), False)]
        while stack:
            node, seen = stack.pop()
            if node in found:
                continue
            inside = pointers.arguments(node) if pointers.is_application(node) else []
            if seen or not inside:
                found[node] = _node(node, inside)
            else:
                stack.append((node, True))
                stack.extend((child, False) for child in inside)
    return list(found.values())


def _node(node: int, inside: list[int]) -> Node:
    if not inside:
        label = "" if pointers.is_variable(node) else pointers.term(node).sexpr()
        return Node(node, label, True, ())
    name = pointers.name_of(pointers.declaration(node))
    children = tuple(inside)
    if name in _SWAPPED:
        name, children = _SWAPPED[name], children[::-1]
    if name in _INDEXED:
        name += str(pointers.term(node).decl().params())
    return Node(node, name, name not in _COMMUTATIVE, children)
