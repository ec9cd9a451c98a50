"""How an engine came to its answer: the steps of its reasoning, and the tree that it worked on."""

from __future__ import annotations

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Deduction:
    """One step of an engine's reasoning, as a row of a table: call path, what was approximated how, what followed."""

    path: tuple[str, ...]
    environment: str
    target: str
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a derivation tree: the procedure, the node it was reached from, and how often it was worked on."""

    number: int
    parent: int | None
    procedure: str
    visits: int


@dataclass(frozen=True, slots=True)
class Explanation:
    deductions: tuple[Deduction, ...] = ()
    tree: tuple[TreeNode, ...] = ()
