"""Java text as a syntax tree: tree-sitter's nodes behind a small vocabulary of our own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import tree_sitter
import tree_sitter_java

from sorrel.errors import InputError, Span

_COMMENTS = ("line_comment", "block_comment")


@dataclass(frozen=True, slots=True)
class Node:
    """A node with the file that it stands in; comments are not among its children."""

    inner: tree_sitter.Node
    file: str

    @property
    def kind(self) -> str:
        return self.inner.type

    @property
    def text(self) -> str:
        return (self.inner.text or b"").decode()

    @property
    def identity(self) -> int:
        return self.inner.id

    @property
    def span(self) -> Span:
        start, end = self.inner.start_point, self.inner.end_point
        return Span(self.file, start.row + 1, start.column + 1, end.row + 1, end.column + 1)

    @property
    def children(self) -> tuple[Node, ...]:
        """The parts that have a meaning, without punctuation."""
        return tuple(Node(child, self.file) for child in self.inner.named_children if child.type not in _COMMENTS)

    @property
    def words(self) -> tuple[str, ...]:
        """The punctuation and keywords of the node itself."""
        return tuple(child.type for child in self.inner.children if not child.is_named)

    def get(self, field: str) -> Node | None:
        found = self.inner.child_by_field_name(field)
        return Node(found, self.file) if found is not None else None

    def __getitem__(self, field: str) -> Node:
        found = self.get(field)
        if found is None:
            raise InputError(f"this {self.kind} has no {field}", self.span)
        return found

    def all(self, field: str) -> tuple[Node, ...]:
        return tuple(Node(found, self.file) for found in self.inner.children_by_field_name(field))

    def of_kind(self, *kinds: str) -> tuple[Node, ...]:
        return tuple(child for child in self.children if child.kind in kinds)


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_java.language())


def parse(text: str, file: str) -> tuple[Node, tuple[str, ...]]:
    """The tree of a file, and what was passed over in it: braces that close nothing at its end."""
    root = Node(tree_sitter.Parser(_language()).parse(text.encode()).root_node, file)
    if not root.inner.has_error:
        return root, ()
    notes = []
    for wrong in _wrong(root):
        if not _is_stray_brace(wrong, root):
            raise InputError(_complaint(wrong), wrong.span, excerpt=_line(text, wrong), marker=wrong.span.column)
        notes.append(f"{wrong.span}: a brace that closes nothing is passed over.")
    return root, tuple(notes)


def _wrong(root: Node) -> Iterator[Node]:
    """The places where the text is no Java, from top to bottom; inside of one nothing is looked at."""
    stack = [root.inner]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield Node(node, root.file)
        elif node.has_error:
            stack.extend(reversed(node.children))


def _is_stray_brace(wrong: Node, root: Node) -> bool:
    parent = wrong.inner.parent
    return wrong.text == "}" and parent is not None and parent.id == root.inner.id


def _complaint(wrong: Node) -> str:
    if wrong.inner.is_missing:
        return f"this is no Java: {wrong.kind} is missing"
    words = " ".join(wrong.text.split())
    return f"this is no Java: {words[:40]}"


def _line(text: str, wrong: Node) -> str:
    lines = text.splitlines()
    return lines[wrong.span.line - 1] if wrong.span.line <= len(lines) else ""
