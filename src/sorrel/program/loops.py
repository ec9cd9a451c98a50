"""Loops, found in the flow graph: a header that is passed on every way in, and the blocks that lead back to it."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.model.errors import NOWHERE, InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.graph import immediate_dominators, predecessors, reverse_postorder
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Goto
from sorrel.program.traversal import steps


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop. Loops with one header are one loop.

    `body` holds the labels of all blocks from which the header is reached again without leaving, with the header
    first and in reverse postorder; inner loops are part of it. `parent` is the header of the innermost loop around.
    `span` is that of the `Goto` that enters the loop, which front ends give the place of the whole loop statement; of
    what the header does first if there is none.
    """

    header: str
    body: tuple[str, ...]
    parent: str | None
    span: Span


class Irreducible(InputError):
    """A cycle that can be entered in two places: only goto makes those."""

    def __init__(self, procedure: Procedure, labels: tuple[str, ...]) -> None:
        spans = tuple(_first_span(procedure, label) for label in labels)
        named = ", ".join(
            f"{label} ({span})" if span.line else label for label, span in zip(labels, spans, strict=True)
        )
        super().__init__(
            f"the procedure {procedure.name} jumps into the middle of a loop: {named}",
            next((span for span in spans if span.line), procedure.span),
            hint="Enter the loop in one place only: move the label that goto names to the head of the loop.",
        )
        self.procedure = procedure.name
        self.labels = labels
        self.spans = spans


def loops(procedure: Procedure) -> tuple[Loop, ...]:
    """All loops of the procedure, outer ones before inner ones, else in reverse postorder of their headers."""
    order = reverse_postorder(procedure)
    dominator = immediate_dominators(procedure)
    number = {label: position for position, label in enumerate(order)}
    tails: dict[str, list[str]] = {}
    for label in order:
        for target in successors(procedure.block[label].terminator):
            # Only an edge back in the order closes a cycle.
            if number[target] <= number[label]:
                if not _dominates(target, label, dominator, number):
                    raise Irreducible(procedure, _entries(procedure, target, label))
                tails.setdefault(target, []).append(label)
    before = predecessors(procedure)
    bodies = {header: _body(header, tails[header], before) for header in order if header in tails}
    parents = _parents(bodies)
    return tuple(
        Loop(header, tuple(sorted(body, key=number.__getitem__)), parents[header], _span(procedure, header, outside))
        for header, body in bodies.items()
        for outside in (tuple(label for label in before[header] if label not in body),)
    )


def known_loops(procedure: Procedure) -> tuple[Loop, ...]:
    """The same for those who can do without: none of a procedure that jumps into the middle of one."""
    try:
        return loops(procedure)
    except Irreducible:
        return ()


def _dominates(label: str, other: str, dominator: Mapping[str, str], number: Mapping[str, int]) -> bool:
    while number[other] > number[label]:
        other = dominator[other]
    return other == label


def _body(header: str, tails: list[str], before: Mapping[str, tuple[str, ...]]) -> set[str]:
    body = {header}
    stack = list(tails)
    while stack:
        label = stack.pop()
        if label not in body:
            body.add(label)
            stack.extend(before[label])
    return body


def _parents(bodies: Mapping[str, set[str]]) -> Mapping[str, str | None]:
    """Headers are in reverse postorder, so the loops around one come before it; the smallest is the innermost."""
    parents: dict[str, str | None] = {}
    for header in bodies:
        around = [other for other in parents if header in bodies[other]]
        parents[header] = min(around, key=lambda other: len(bodies[other]), default=None)
    return parents


def _entries(procedure: Procedure, target: str, source: str) -> tuple[str, ...]:
    """The labels of the cycle through the edge that are entered from outside of it."""
    before = predecessors(procedure)
    back = _reached_from(source, before)
    ahead = _reached_from(target, {each.label: successors(each.terminator) for each in procedure.blocks})
    cycle = back & ahead
    entered = {label for label in cycle if label == procedure.entry or set(before[label]) - cycle}
    return tuple(block.label for block in procedure.blocks if block.label in entered)


def _reached_from(start: str, edges: Mapping[str, tuple[str, ...]]) -> set[str]:
    seen = {start}
    stack = [start]
    while stack:
        for label in edges[stack.pop()]:
            if label not in seen:
                seen.add(label)
                stack.append(label)
    return seen


def _span(procedure: Procedure, header: str, outside: tuple[str, ...]) -> Span:
    for label in outside:
        terminator = procedure.block[label].terminator
        if isinstance(terminator, Goto) and terminator.span.line:
            return terminator.span
    return _first_span(procedure, header)


def _first_span(procedure: Procedure, label: str) -> Span:
    spans = (step.span for step in steps(procedure.block[label]))
    return next((span for span in spans if span.line), NOWHERE)
