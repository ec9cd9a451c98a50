"""A function of C in blocks: the parts of its translation, put together."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.calls import Calls
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.expressions import Expressions
from sorrel.frontends.c.keeping import Keeping
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.statements import Statements
from sorrel.frontends.c.types import CType
from sorrel.frontends.c.values import Place, Value
from sorrel.model.errors import Span
from sorrel.program.expression import Expression


class Lowering:
    """The `Evaluator` that all parts are given: each asks it, and it knows who answers."""

    def __init__(self, context: Context, memory: Memory) -> None:
        self._context = context
        self._keeping = Keeping(context)
        self._expressions = Expressions(context, memory, self)
        self._calls = Calls(context, memory, self)
        self._statements = Statements(context, memory, self)

    @property
    def keeping(self) -> Keeping:
        return self._keeping

    def value(self, node: syntax.Expression) -> Value:
        return self._expressions.value(node)

    def scalar(self, node: syntax.Expression) -> Expression:
        return self._expressions.scalar(node)

    def condition(self, node: syntax.Expression) -> Expression:
        return self._expressions.condition(node)

    def effect(self, node: syntax.Expression) -> None:
        self._expressions.effect(node)

    def converted(self, node: syntax.Expression, type: CType) -> Value:
        return self._expressions.converted(node, type)

    def has_effects(self, node: syntax.Expression) -> bool:
        return self._context.translation.effects.of(node)

    def unknown(self, type: CType, span: Span) -> Expression:
        return self._expressions.unknown(type, span)

    def as_truth(self, value: Value, span: Span) -> Expression:
        return self._expressions.as_truth(value, span)

    def to_pointer(self, node: syntax.Expression) -> Value:
        return self._expressions.to_pointer(node)

    def place(self, node: syntax.Expression) -> Place:
        return self._expressions.places.place(node)

    def operand(self, place: Place, span: Span) -> Value:
        return self._expressions.operand(place, span)

    def followed(self, pointer: syntax.Expression) -> Place:
        return self._expressions.places.followed(pointer)

    def size_of(self, type: CType, span: Span) -> int:
        return self._expressions.places.size_of(type, span)

    def branch(self, node: syntax.Expression, then: str, otherwise: str, span: Span) -> None:
        self._expressions.decisions.branch(node, then, otherwise, span)

    def call(self, node: syntax.Call, wanted: bool = True) -> Value:
        return self._calls.call(node, wanted)

    def failed_assertion(self, node: syntax.Node) -> syntax.Call | None:
        return self._calls.failed_assertion(node)

    def assertion(self, condition: syntax.Expression, failure: syntax.Call, span: Span) -> None:
        self._calls.assertion(condition, failure, span)

    def statement(self, node: syntax.Statement) -> None:
        self._statements.statement(node)

    def statement_expression(self, node: syntax.StatementExpression) -> Value:
        return self._statements.statement_expression(node)

    def declare(
        self, object: Object, initializer: syntax.Expression | None, sizes: tuple[syntax.Expression, ...], span: Span
    ) -> None:
        self._statements.declare(object, initializer, sizes, span)
