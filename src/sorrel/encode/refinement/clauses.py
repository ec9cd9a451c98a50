"""The clauses that a walk makes, and what it makes them for."""

from __future__ import annotations

from sorrel.encode.refinement.trail import Trail
from sorrel.encode.refinement.values import Built, Text, Value
from sorrel.functional.execution import Kind
from sorrel.functional.type import EXCEPTION
from sorrel.horn.clause import Atom, Clause
from sorrel.logic import terms
from sorrel.logic.terms import Term as Formula
from sorrel.model.errors import InternalError, Span, Unsupported

MOST_CLAUSES = 4_000


class Clauses:
    def __init__(self, forbidden: frozenset[Kind]) -> None:
        """`forbidden` is what must not happen; what else goes wrong raises an exception or is not looked at."""
        self.forbidden = forbidden
        self.made: list[Clause] = []
        self.raised_at = Span()

    def add(self, head: Atom | None, trail: Trail, span: Span, *facts: Formula) -> None:
        here = trail.knowing(*facts)
        if here is None:
            return
        if len(self.made) >= MOST_CLAUSES:
            raise Unsupported(f"a program of more than {MOST_CLAUSES} clauses", span)
        name = f"{head.predicate.name if head else 'query'}#{len(self.made) + 1}"
        self.made.append(Clause(name, head, here.atoms, terms.conjunction(here.facts), span))

    def raised(self, exception: Value, trail: Trail, span: Span) -> None:
        self.raised_at = span
        if trail.handler is None:
            raise InternalError("nobody handles exceptions")
        trail.handler(exception, trail)

    def raise_by_name(self, name: str, trail: Trail, span: Span, *texts: str) -> None:
        arguments = tuple(Text(terms.integer(len(text)), text) for text in texts)
        self.raised(Built(name, arguments, EXCEPTION), trail, span)

    def must(self, condition: Formula, kind: Kind, trail: Trail, span: Span, exception: str, *texts: str) -> None:
        """What must hold at an operation: it is asked for, or an exception is raised where it does not."""
        wrong = trail.knowing(terms.negation(condition))
        if wrong is None:
            return
        if kind in self.forbidden:
            self.add(None, wrong, span)
        else:
            self.raise_by_name(exception, wrong, span, *texts)
