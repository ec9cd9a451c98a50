"""What the parts of a function's translation ask of each other: the one interface between them."""

from __future__ import annotations

from typing import Protocol

from sorrel.frontends.c import syntax
from sorrel.frontends.c.keeping import Keeping
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.types import CType
from sorrel.frontends.c.values import Place, Value
from sorrel.model.errors import Span
from sorrel.program.expression import Expression


class Evaluator(Protocol):
    """Evaluates at the point that the context has reached, and writes what that changes to the current block."""

    @property
    def keeping(self) -> Keeping: ...

    def value(self, node: syntax.Expression) -> Value: ...

    def scalar(self, node: syntax.Expression) -> Expression:
        """An integer or truth value, in the type that the node has."""

    def condition(self, node: syntax.Expression) -> Expression:
        """Whether the value is not zero."""

    def effect(self, node: syntax.Expression) -> None:
        """Evaluates for what it changes."""

    def converted(self, node: syntax.Expression, type: CType) -> Value:
        """The value of an expression in another type."""

    def has_effects(self, node: syntax.Expression) -> bool:
        """Whether evaluating it changes anything."""

    def unknown(self, type: CType, span: Span) -> Expression:
        """A value that depends on what is not modelled."""

    def as_truth(self, value: Value, span: Span) -> Expression:
        """Whether a value is not zero."""

    def to_pointer(self, node: syntax.Expression) -> Value:
        """A pointer, also if it is written as 0."""

    def place(self, node: syntax.Expression) -> Place: ...

    def operand(self, place: Place, span: Span) -> Value:
        """What is read, to compute with it."""

    def followed(self, pointer: syntax.Expression) -> Place:
        """What a pointer expression points to; arrays and addresses are looked through."""

    def size_of(self, type: CType, span: Span) -> int:
        """In bytes, of the base element."""

    def call(self, node: syntax.Call, wanted: bool = True) -> Value:
        """`wanted`: whether anything is done with the value."""

    def failed_assertion(self, node: syntax.Node) -> syntax.Call | None:
        """The call that the assert macro makes when its condition is false, if this is only that."""

    def assertion(self, condition: syntax.Expression, failure: syntax.Call, span: Span) -> None: ...

    def branch(self, node: syntax.Expression, then: str, otherwise: str, span: Span) -> None:
        """Goes on at one of two labels."""

    def statement_expression(self, node: syntax.StatementExpression) -> Value: ...

    def declare(
        self, object: Object, initializer: syntax.Expression | None, sizes: tuple[syntax.Expression, ...], span: Span
    ) -> None:
        """A new life of a local variable."""
