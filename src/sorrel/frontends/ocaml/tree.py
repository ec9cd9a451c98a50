"""OCaml text as a syntax tree."""

from __future__ import annotations

from functools import cache

import tree_sitter
import tree_sitter_ocaml

from sorrel.frontends.trees import Node, complaint, parsed, wrong_places


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_ocaml.language_ocaml())


def parse(text: str, file: str) -> Node:
    root = parsed(_language(), text, file)
    for wrong in wrong_places(root):
        raise complaint(wrong, "OCaml", text)
    return root


def flattened(node: Node) -> tuple[Node, ...]:
    """The items of a tuple: the grammar nests them to the left, unless parentheses stand between."""
    items: list[Node] = []
    while True:
        first, *rest = node.children
        items[:0] = rest
        if first.kind != node.kind:
            return (first, *items)
        node = first


def path(node: Node) -> tuple[str, ...]:
    """The words of a path such as M.N.x, whatever it names."""
    if not node.children:
        return (node.text,)
    if node.kind == "parenthesized_operator":
        return (node.children[0].text,)
    return tuple(word for child in node.children for word in path(child))
