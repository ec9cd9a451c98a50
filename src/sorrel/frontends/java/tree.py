"""Java text as a syntax tree."""

from __future__ import annotations

from functools import cache

import tree_sitter
import tree_sitter_java

from sorrel.frontends.trees import Node, complaint, parsed, wrong_places

__all__ = ["Node", "parse", "unparenthesized"]


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_java.language())


def parse(text: str, file: str) -> tuple[Node, tuple[str, ...]]:
    """The tree of a file, and what was passed over in it: braces that close nothing at its end."""
    root = parsed(_language(), text, file)
    notes = []
    for wrong in wrong_places(root):
        if not _is_stray_brace(wrong, root):
            raise complaint(wrong, "Java", text)
        notes.append(f"{wrong.span}: a brace that closes nothing is passed over.")
    return root, tuple(notes)


def unparenthesized(node: Node) -> Node:
    """What stands in the parentheses."""
    while node.kind == "parenthesized_expression":
        node = node.children[0]
    return node


def _is_stray_brace(wrong: Node, root: Node) -> bool:
    parent = wrong.inner.parent
    return wrong.text == "}" and parent is not None and parent.id == root.inner.id
