"""A functional program as its reader sees it: its functions with their calls, and what became of each assertion."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from sorrel.functional.program import Program
from sorrel.functional.term import Apply, Assert, Function, Let, Recursive, Term, Variable, children
from sorrel.model.errors import Span
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.outline import CallSite, Obligation, ObligationStatus, ProcedureOutline
from sorrel.model.property import Property
from sorrel.model.values import dataclass

TOP = ""
"""What is evaluated outside of all functions."""


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    source: str
    term: Function


def outlined_terms(outcome: Outcome, program: Program, goal: Property, files: Collection[str]) -> Outcome:
    """The outcome with the functions of these files, and the assertions in them if they are what is asked about."""
    named = {each.name: each for each in _named(program.body) if each.source and each.term.span.file in files}
    procedures = tuple(_outline(each, named) for each in named.values())
    checked = goal is Property.ASSERTIONS
    asserts = dict.fromkeys(each for each in _asserts(program.body, named) if each[1].file in files) if checked else {}
    return replace(
        outcome,
        procedures=procedures,
        obligations=tuple(
            Obligation("assertion", span, owner, _status(outcome, span), "assertion") for owner, span in asserts
        ),
    )


def _named(term: Term) -> Iterator[_Named]:
    stack = [term]
    while stack:
        match current := stack.pop():
            case Let(binder, Function() as value):
                yield _Named(binder.name, binder.source, value)
            case Recursive(definitions):
                yield from (_Named(each.binder.name, each.binder.source, each.value) for each in definitions)
        stack.extend(reversed(children(current)))


def _outline(function: _Named, named: dict[str, _Named]) -> ProcedureOutline:
    calls: dict[CallSite, None] = {}
    stack: list[Term] = [function.term.body]
    while stack:
        match current := stack.pop():
            case Apply(Variable(name), span=span) if name in named:
                calls[CallSite(named[name].source, span)] = None
        stack.extend(reversed(children(current)))
    return ProcedureOutline(function.source, function.term.span, tuple(calls))


def _asserts(body: Term, named: dict[str, _Named]) -> Iterator[tuple[str, Span]]:
    """Each assertion with the named function that it stands in."""
    owners = {id(each.term): each.source for each in named.values()}
    stack = [(body, TOP)]
    while stack:
        current, owner = stack.pop()
        owner = owners.get(id(current), owner)
        if isinstance(current, Assert) and current.span.line:
            yield owner, current.span
        stack.extend((child, owner) for child in reversed(children(current)))


def _status(outcome: Outcome, span: Span) -> ObligationStatus:
    if outcome.answer.is_proof:
        return ObligationStatus.PROVED
    bad = outcome.violation.span if outcome.violation and outcome.answer is Answer.UNSAFE else None
    return ObligationStatus.REFUTED if bad == span else ObligationStatus.OPEN
