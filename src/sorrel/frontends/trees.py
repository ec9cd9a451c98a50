"""Texts as syntax trees: tree-sitter's nodes behind a small vocabulary of our own."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from sorrel.model.errors import InputError, Span
from sorrel.model.source import lines_of
from sorrel.model.values import dataclass


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
    def parent(self) -> Node | None:
        return Node(self.inner.parent, self.file) if self.inner.parent is not None else None

    @property
    def children(self) -> tuple[Node, ...]:
        """The parts that have a meaning, without punctuation."""
        return tuple(Node(child, self.file) for child in self.inner.named_children if "comment" not in child.type)

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


def parsed(language: tree_sitter.Language, text: str, file: str) -> Node:
    return Node(tree_sitter.Parser(language).parse(text.encode()).root_node, file)


def wrong_places(root: Node) -> Iterator[Node]:
    """The places where the text does not follow the grammar, from top to bottom; inside of one nothing is looked at."""
    stack = [root.inner]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield Node(node, root.file)
        elif node.has_error:
            stack.extend(reversed(node.children))


def complaint(wrong: Node, language: str, text: str) -> InputError:
    """What to say of a place where the text is not in the language."""
    lines = lines_of(text)
    excerpt = lines[wrong.span.line - 1] if wrong.span.line <= len(lines) else ""
    what = f"{wrong.kind} is missing" if wrong.inner.is_missing else " ".join(wrong.text.split())[:40]
    return InputError(f"this is no {language}: {what}", wrong.span, excerpt=excerpt, marker=wrong.span.column)
