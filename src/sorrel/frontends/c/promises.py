"""What models of the library say beyond C: what is not promised, and what callers must see to."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.external import ExternalCalls
from sorrel.frontends.c.library.meanings import Meaning
from sorrel.frontends.c.operations import both, compare, exact, from_truth, number
from sorrel.frontends.c.pointers import demand_separate, distance
from sorrel.frontends.c.syntax import converted_from
from sorrel.frontends.c.types import INT
from sorrel.frontends.c.values import PointerValue, Value, is_expression
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE
from sorrel.program.expression import Constant, Expression, Operator
from sorrel.program.statement import Assume, Choice


class Promises:
    def __init__(self, context: Context, evaluator: Evaluator, external: ExternalCalls) -> None:
        self._context = context
        self._evaluator = evaluator
        self._external = external

    def unspecified(self, node: syntax.Call, meant: Meaning) -> Value:
        """A value of which only the sign is promised, or nothing at all."""
        value = self._external.any(node, Choice.ABSTRACTION, self._context.within)
        if meant is not Meaning.ANY and is_expression(value):
            operator = Operator.MORE if meant is Meaning.POSITIVE else Operator.DIFFERENT
            self._context.builder.emit(Assume(compare(operator, value, Constant(0, value.type)), "", node.span))
        return value

    def require(self, condition: syntax.Expression, span: Span) -> None:
        self._context.check(self._evaluator.condition(condition), "an argument that is not allowed", span)

    def separate(self, node: syntax.Call) -> None:
        """Blocks of so many bytes from two pointers on do not overlap."""
        one, ones, other, others = node.arguments
        found = self._distance(one, other)
        if found is None:
            return
        counts = exact(self._evaluator.scalar(ones)), exact(self._evaluator.scalar(others))
        demand_separate(self._context, *found, counts, node.span)

    def behind(self, node: syntax.Call) -> Value:
        """Whether the first pointer is further on in the object of the second."""
        found = self._distance(*node.arguments)
        further = FALSE if found is None else both(found[0], compare(Operator.MORE, found[1], number(0)))
        return from_truth(further, INT)

    def _is_reference(self, node: syntax.Expression) -> bool:
        referents = self._context.translation.objects.referents
        return isinstance(node, syntax.Reference) and node.symbol in referents

    def _distance(self, *pointers: syntax.Expression) -> tuple[Expression, Expression] | None:
        """Whether two pointers point into one object, and how far apart; None if they cannot."""
        arguments = [converted_from(argument) for argument in pointers]
        if any(map(self._is_reference, arguments)):
            return None  # a reference overlaps with nothing
        one, other = (self._evaluator.value(argument) for argument in arguments)
        return distance(one, other) if isinstance(one, PointerValue) and isinstance(other, PointerValue) else None
