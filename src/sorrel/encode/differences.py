"""What follows on a path from the comparisons that were met there: sums of them, and of bounds.

`i + k < n` holds where `k < length` and `length <= n - i` were met, whatever i and n are. To show that a sum of nodes
is at least some number, facts are added to it that cancel one node after the other, until bounds tell (a few steps of
Fourier and Motzkin's elimination, towards one goal). Numbers are exact, so that comparisons may be added.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from sorrel.logic.node import Form, Node, Value
from sorrel.logic.whole import Range

MOST_FACTS, MOST_LOOKED_AT, MOST_FORMS, MOST_NODES, FURTHEST = 8, 40, 40, 6, 3
"""Comparisons of one node that are looked at, the latest first; sums that are tried for a goal, nodes in one of them,
and facts that are added up."""


class Known(Protocol):
    """What is known on a path."""

    def of(self, value: Value, depth: int = ...) -> Range: ...

    def chosen(self, value: Value) -> Value: ...

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
    """So that it is found by the nodes that it compares, if these are several: bounds know of one."""
    if comparison.compared is not None:
        return
    comparison.compared = {}
    left, right = comparison.parts
    forms = {form_of(left, right, opened) for opened in (0, 1)}  # type: ignore[arg-type]
    sums = [form for form in forms if 1 < len(form[0]) <= MOST_NODES]
    said = [[each for form in sums for each in _said(comparison.kind, form, holds)] for holds in (False, True)]
    for node in {node for form in sums for node, _ in form[0]}:
        if node.compared is None:
            node.compared = {}
        node.compared[comparison] = (_with(node, said[0]), _with(node, said[1]))


def _said(kind: str, form: Form, holds: bool) -> Iterator[Form]:
    """Sums that are not positive if the comparison holds, or if it does not."""
    terms, constant = form
    turned = tuple((node, -factor) for node, factor in terms), -constant
    if kind == "<":
        yield (terms, constant + 1) if holds else turned
    elif holds:
        yield form
        yield turned


def _with(node: Node, forms: list[Form]) -> tuple[tuple[int, Form], ...]:
    return tuple((factor, form) for form in forms for each, factor in form[0] if each is node and factor in (-1, 1))


def least(known: Known, left: Value, right: Value, enough: int) -> int:
    """A number that left - right is at least on this path, the search for which ends where it is enough."""
    forms = {form_of(left, right, opened): FURTHEST for opened in (0, 1)}
    there, below = known.chosen(left), known.chosen(right)
    if there is not left or below is not right:
        forms |= {form_of(there, below, opened): FURTHEST for opened in (0, 1)}
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
        chosen = known.chosen(node)
        if chosen is not node:  # which may be far below it
            here = known.of(chosen)
            low, high = max(low, here[0]), min(high, here[1])
        found += factor * (low if factor > 0 else high)
    return found


def _nearer(known: Known, form: Form) -> Iterator[Form]:
    """Sums that are not more than this one, in which a node is gone."""
    for node, factor in form[0]:
        found = 0
        for there, fact in _extremum(node) if node.kind == "ite" else ():
            if (there > 0) is not (factor > 0):
                made = _added(form, fact, abs(factor))
                if len(made[0]) <= MOST_NODES:
                    yield made
        for comparison, said in islice(reversed((node.compared or {}).items()), MOST_LOOKED_AT):
            holds = known.met(comparison)
            for there, fact in said[holds] if holds is not None else ():
                if (there > 0) is not (factor > 0):
                    found += 1
                    made = _added(form, fact, abs(factor))
                    if len(made[0]) <= MOST_NODES:
                        yield made
            if found >= MOST_FACTS:
                break


def _extremum(choice: Node) -> tuple[tuple[int, Form], ...]:
    """The smaller or the larger one of two numbers is neither more, or less, than any of them, whichever was chosen.

    They are the nodes that were compared, and no others of the same value: those may have been made on one of the paths
    alone, and have bounds that hold nowhere else.
    """
    condition, then, otherwise = choice.parts
    chosen_if = 1
    while isinstance(condition, Node) and condition.kind == "not":
        condition, chosen_if = condition.parts[0], -chosen_if
    if not isinstance(condition, Node) or condition.kind != "<":
        return ()
    left, right = condition.parts
    compared, apart = form_of(left, right, 0), form_of(then, otherwise, 0)  # type: ignore[arg-type]
    if set(compared[0]) == set(apart[0]) and compared[1] == apart[1]:
        sign = chosen_if
    elif {(node, -factor) for node, factor in compared[0]} == set(apart[0]) and compared[1] == -apart[1]:
        sign = -chosen_if
    else:
        return ()
    forms = (form_of(choice, each, 0) for each in (then, otherwise))  # type: ignore[arg-type]
    return tuple((sign, _times(form, sign)) for form in forms)


def _times(form: Form, factor: int) -> Form:
    return tuple((node, factor * each) for node, each in form[0]), factor * form[1]


def _added(form: Form, fact: Form, often: int) -> Form:
    factors = dict(form[0])
    for node, factor in fact[0]:
        factors[node] = factors.get(node, 0) + often * factor
    return tuple((node, factor) for node, factor in factors.items() if factor), form[1] + often * fact[1]
