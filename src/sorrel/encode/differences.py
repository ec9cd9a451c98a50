"""What follows on a path from the comparisons that were met there: sums of them, and of bounds.

`i + k < n` holds where `k < length` and `length <= n - i` were met, whatever i and n are. To show that a sum of nodes is
at least some number, facts are added to it that cancel one node after the other, until bounds tell (a few steps of
Fourier and Motzkin's elimination, towards one goal). Numbers are exact, so that comparisons may be added.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol, TypeAlias

from sorrel.logic.graph import Node, Value
from sorrel.logic.whole import Range

MOST_FACTS, MOST_LOOKED_AT, MOST_FORMS, MOST_NODES, FURTHEST = 8, 40, 40, 6, 3
"""Comparisons of one node that are looked at, the latest first; sums that are tried for a goal, nodes in one of them,
and facts that are added up."""

Form: TypeAlias = "tuple[tuple[tuple[Node, int], ...], int]"
"""Nodes with their factors, none of them zero, and a number: the sum of all."""


class Known(Protocol):
    """What is known on a path."""

    def of(self, value: Value, depth: int = ...) -> Range: ...

    def met(self, truth: Node) -> bool | None: ...


def form_of(left: Value, right: Value, opened: int) -> Form:
    """left - right; sums and differences of two nodes are opened so many times, those with a number always."""
    factors: dict[Node, int] = {}
    constant = 0
    work: list[tuple[Value, int, int]] = [(left, 1, opened), (right, -1, opened)]
    while work:
        value, factor, more = work.pop()
        if not isinstance(value, Node):
            constant += factor * value
            continue
        match value.kind, value.parts:
            case "within", (inner,):
                work.append((inner, factor, more))  # type: ignore[arg-type]
            case "+", (inner, int(number)):
                constant += factor * number
                work.append((inner, factor, more))  # type: ignore[arg-type]
            case "*", (inner, int(number)):
                work.append((inner, factor * number, more))  # type: ignore[arg-type]
            case ("+" | "-") as kind, (one, other) if more or not isinstance(one, Node):
                work.append((one, factor, more - 1))  # type: ignore[arg-type]
                work.append((other, factor if kind == "+" else -factor, more - 1))  # type: ignore[arg-type]
            case _:
                factors[value] = factors.get(value, 0) + factor
    return tuple((node, factor) for node, factor in factors.items() if factor), constant


def note(comparison: Node) -> None:
    """So that it is found by the nodes that it compares."""
    if comparison.compared is not None:
        return
    comparison.compared = {}
    left, right = comparison.parts
    for opened in (0, 1):
        for node, _ in form_of(left, right, opened)[0]:  # type: ignore[arg-type]
            if node.compared is None:
                node.compared = {}
            node.compared[comparison] = None


def least(known: Known, left: Value, right: Value, enough: int) -> int:
    """A number that left - right is at least on this path, the search for which ends where it is enough."""
    forms = {form_of(left, right, opened): FURTHEST for opened in (0, 1)}
    waiting = list(forms)
    best = max(_least(known, form) for form in forms)
    for form in waiting:
        if best >= enough:
            break
        further = forms[form] - 1
        for made in _nearer(known, form) if further >= 0 else ():
            if made not in forms and len(forms) < MOST_FORMS:
                forms[made] = further
                waiting.append(made)
                best = max(best, _least(known, made))
    return best


def ordered(known: Known, left: Value, right: Value) -> bool | None:
    """Whether left < right on this path; None: not known."""
    if least(known, right, left, 1) >= 1:
        return True
    return False if least(known, left, right, 0) >= 0 else None


def differ(known: Known, left: Value, right: Value) -> bool:
    """Whether it is known that two values are not the same."""
    return least(known, right, left, 1) >= 1 or least(known, left, right, 1) >= 1


def between(known: Known, value: Node, found: Range) -> Range:
    """What is known of a sum, beside bounds of its parts."""
    low, high = found
    if value.kind not in ("+", "-") or not all(isinstance(each, Node) for each in value.parts):
        return found
    low = max(low, least(known, value, 0, high))
    return low, max(low, min(high, -least(known, 0, value, -low)))


def _least(known: Known, form: Form) -> int:
    found = form[1]
    for node, factor in form[0]:
        low, high = known.of(node)
        found += factor * (low if factor > 0 else high)
    return found


def _nearer(known: Known, form: Form) -> Iterator[Form]:
    """Sums that are not more than this one, in which a node is gone."""
    for node, factor in form[0]:
        for fact in _facts(known, node):
            there = next((own for each, own in fact[0] if each is node), 0)
            if (there == 1 and factor < 0) or (there == -1 and factor > 0):
                made = _added(form, fact, abs(factor))
                if len(made[0]) <= MOST_NODES:
                    yield made


def _added(form: Form, fact: Form, often: int) -> Form:
    factors = dict(form[0])
    for node, factor in fact[0]:
        factors[node] = factors.get(node, 0) + often * factor
    return tuple((node, factor) for node, factor in factors.items() if factor), form[1] + often * fact[1]


def _facts(known: Known, node: Node) -> Iterator[Form]:
    """Sums that are not positive."""
    found = 0
    for comparison in islice(reversed(node.compared or {}), MOST_LOOKED_AT):
        holds = known.met(comparison)
        if holds is not None:
            yield from _said(comparison, holds)
            found += 1
            if found == MOST_FACTS:
                return


def _said(comparison: Node, holds: bool) -> Iterator[Form]:
    one, other = comparison.parts
    for opened in (0, 1):
        terms, constant = form_of(one, other, opened)  # type: ignore[arg-type]
        turned = tuple((node, -factor) for node, factor in terms), -constant
        if comparison.kind == "<":
            yield (terms, constant + 1) if holds else turned
        elif holds:
            yield terms, constant
            yield turned
