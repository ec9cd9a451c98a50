"""Exceptions that leave the program, and assertions that do not hold.

An assertion that fails raises an exception, which a handler may catch: then nothing is wrong. As long as no handler of
the program could, the place of the assertion is the end of the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.encode.refinement.clauses import Clauses
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.trail import Trail
from sorrel.encode.refinement.values import Built, OneOf, Value
from sorrel.functional.execution import Kind
from sorrel.functional.term import Bind, Case, Either, Pattern, Try
from sorrel.functional.type import ASSERT_FAILURE
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError, Span


class Raising:
    def __init__(self, clauses: Clauses, shapes: Shapes, handlers: Sequence[Try]) -> None:
        self._clauses = clauses
        self._shapes = shapes
        catching = any(_may_catch(branch.pattern) for handler in handlers for branch in handler.branches)
        self._follows = catching and Kind.ASSERTION in clauses.forbidden

    def failed(self, trail: Trail, span: Span) -> None:
        """An assertion does not hold."""
        if Kind.ASSERTION in self._clauses.forbidden and not self._follows:
            self._clauses.add(None, trail, span)
        else:
            self._clauses.raise_by_name(ASSERT_FAILURE, trail, span, "")

    def unhandled(self, exception: Value, trail: Trail) -> None:
        """Where exceptions go that leave the program."""
        if self._follows:
            self._clauses.add(None, trail, self._clauses.raised_at, self._is_failure(exception))
        elif Kind.EXCEPTION in self._clauses.forbidden:
            self._clauses.add(None, trail, self._clauses.raised_at)

    def foreign(self, exception: Value, trail: Trail, span: Span) -> None:
        """The environment raises it: no assertion of ours, or one that was seen when it called us (`outwards`)."""
        here = trail.knowing(terms.negation(self._is_failure(exception))) if self._follows else trail
        if here is not None:
            self._clauses.raised(exception, here, span)

    def outwards(self, exception: Value, trail: Trail) -> None:
        """Where exceptions go of functions of ours that the environment calls; it may let them through."""
        if self._follows:
            self.unhandled(exception, trail)

    def _is_failure(self, exception: Value) -> Term:
        """Whether the exception is that of an assertion."""
        if isinstance(exception, Built):
            return operations.truth(exception.constructor == ASSERT_FAILURE)
        if not isinstance(exception, OneOf):
            raise InternalError("an exception is expected")
        position = self._shapes.declaration(exception.type).position(ASSERT_FAILURE)
        return operations.equal(exception.tag, terms.integer(position))


def _may_catch(pattern: Pattern) -> bool:
    """Whether the exception of an assertion may match."""
    match pattern:
        case Bind(_, inner):
            return _may_catch(inner)
        case Either(left, right):
            return _may_catch(left) or _may_catch(right)
        case Case(constructor):
            return constructor == ASSERT_FAILURE
        case _:
            return True
