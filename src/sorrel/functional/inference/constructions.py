"""Data and records: made, taken apart, changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sorrel.functional.inference.context import Context
from sorrel.functional.inference.patterns import field_position
from sorrel.functional.inference.scope import Known
from sorrel.functional.operator import Operator
from sorrel.functional.syntax import Constructed, Expression, FieldOf, Name, RecordOf, SetField, TupleOf
from sorrel.functional.term import Anything, Bind, Branch, Case, Construct, Let, Match, Operation, Term, Variable
from sorrel.functional.type import UNIT, Constructor, Type, reference_to
from sorrel.model.errors import InputError, Span, Unsupported

if TYPE_CHECKING:
    from sorrel.functional.inference.expressions import Expressions


class Constructions:
    def __init__(self, context: Context, expressions: Expressions) -> None:
        self._context = context
        self._unifier = context.unifier
        self._expressions = expressions

    def field(self, expression: FieldOf) -> Term:
        """The content of a field."""
        known, constructor, types = self._known_record(expression.record, expression.field, expression.span)
        return self._content(known, constructor, types, expression.field[-1], expression.span)

    def constructed(self, expression: Constructed) -> Term:
        constructor = self._expressions.scope.constructor(expression.path, expression.span)
        types, made = self._context.constructed(constructor)
        written = expression.argument
        if constructor.fields:
            return self._with_record(constructor, types, made, expression)
        if written is None:
            parts: tuple[Expression, ...] = ()
        elif len(types) > 1 and isinstance(written, TupleOf):
            parts = written.items
        else:
            parts = (written,)
        if len(parts) != len(types):
            raise InputError(f"{expression.path[-1]} has {len(types)} arguments", expression.span)
        pairs = zip(parts, types, strict=True)
        arguments = tuple(self._expressions.expected(part, type, f"by {expression.path[-1]}") for part, type in pairs)
        return Construct(constructor.name, arguments, made, expression.span)

    def _with_record(
        self, constructor: Constructor, types: tuple[Type, ...], made: Type, expression: Constructed
    ) -> Term:
        """A constructor with a record inside: its fields, or one that was taken out of such a constructor."""
        written = expression.argument
        whole = self._inside(written)
        if whole is not None and whole[1] is constructor:
            self._unifier.unify(whole[0].type, made, expression.span)
            return whole[0]
        if not isinstance(written, RecordOf):
            what = f"the record inside of {expression.path[-1]} as a whole"
            raise Unsupported(what, expression.span, "Write its fields.")
        if written.base is None:
            return self._with_fields(constructor, types, made, written)
        taken = self._inside(written.base)
        if taken is None or taken[1] is not constructor:
            raise Unsupported("a record inside of a constructor made from another one", expression.span)
        self._unifier.unify(taken[0].type, made, expression.span)
        return self._changed(taken[0], constructor, types, made, written)

    def _inside(self, expression: Expression | None) -> tuple[Variable, Constructor] | None:
        """A name for the record inside of a constructor: the value that it is inside of, and the constructor."""
        if not isinstance(expression, Name) or len(expression.path) > 1:
            return None
        value = self._expressions.scope.values.get(expression.path[0])
        if not isinstance(value, Known) or value.name not in self._context.inside:
            return None
        return Variable(value.name, value.type, expression.span), self._context.inside[value.name]

    def record(self, expression: RecordOf, wanted: Type | None = None) -> Term:
        """`wanted` is the type that is expected here, as far as one is."""
        span = expression.span
        paths = [path for path, _ in expression.fields]
        whole = expression.base is None
        base = None if expression.base is None else self._expressions.term(expression.base)
        known = wanted if base is None else base.type
        constructor = self._context.record(paths, known, self._expressions.scope, span, whole=whole)
        types, made = self._context.constructed(constructor)
        if base is None or expression.base is None:
            return self._with_fields(constructor, types, made, expression)
        self._unifier.unify(base.type, made, expression.base.span, "by its fields")
        return self._changed(base, constructor, types, made, expression)

    def _changed(
        self, base: Term, constructor: Constructor, types: tuple[Type, ...], made: Type, expression: RecordOf
    ) -> Term:
        """`{base with …}`."""
        span = expression.span
        values = self._field_values(constructor, types, expression)
        kept = self._context.binder("", made)
        held = Variable(kept.name, made, span)
        parts = []
        for position, field in enumerate(constructor.fields):
            if position in values:
                parts.append(values[position])
                continue
            content = self._content(held, constructor, types, field, span)
            fresh = Operation(Operator.MAKE_REFERENCE, (content,), types[position], span)
            parts.append(fresh if constructor.mutable[position] else content)
        # The values of the fields that change are evaluated before the record that the others come from is taken apart.
        return Let(kept, base, Construct(constructor.name, tuple(parts), made, span), span)

    def _with_fields(self, constructor: Constructor, types: tuple[Type, ...], made: Type, expression: RecordOf) -> Term:
        values = self._field_values(constructor, types, expression)
        if len(values) != len(types):
            missing = next(field for i, field in enumerate(constructor.fields) if i not in values)
            raise InputError(f"the field {missing} has no value", expression.span)
        return Construct(constructor.name, tuple(values[i] for i in range(len(types))), made, expression.span)

    def _field_values(self, constructor: Constructor, types: tuple[Type, ...], expression: RecordOf) -> dict[int, Term]:
        values: dict[int, Term] = {}
        for path, written in expression.fields:
            position = field_position(constructor, path[-1], expression.span)
            values[position] = self._field_value(constructor, types, position, written)
        return values

    def _field_value(
        self, constructor: Constructor, types: tuple[Type, ...], position: int, written: Expression
    ) -> Term:
        name = constructor.fields[position]
        if not constructor.mutable[position]:
            return self._expressions.expected(written, types[position], f"by the field {name}")
        value = self._expressions.term(written)
        made = Operation(Operator.MAKE_REFERENCE, (value,), types[position], written.span)
        self._unifier.unify(reference_to(value.type), types[position], written.span, f"by the field {name}")
        return made

    def _known_record(
        self, record: Expression, field: tuple[str, ...], span: Span
    ) -> tuple[Term, Constructor, tuple[Type, ...]]:
        whole = self._inside(record)
        value: Term = whole[0] if whole else self._expressions.term(record)
        scope = self._expressions.scope
        constructor = whole[1] if whole else self._context.record([field], value.type, scope, span)
        types, made = self._context.constructed(constructor)
        self._unifier.unify(value.type, made, record.span, f"by the field {field[-1]}")
        return value, constructor, types

    def _part(self, value: Term, constructor: Constructor, types: tuple[Type, ...], field: str, span: Span) -> Term:
        position = field_position(constructor, field, span)
        binder = self._context.binder(field, types[position])
        forms = tuple(Bind(binder, Anything(type)) if i == position else Anything(type) for i, type in enumerate(types))
        taken = Variable(binder.name, binder.type, span)
        return Match(value, (Branch(Case(constructor.name, forms, value.type), None, taken),), span)

    def _content(self, value: Term, constructor: Constructor, types: tuple[Type, ...], field: str, span: Span) -> Term:
        part = self._part(value, constructor, types, field, span)
        if not constructor.mutable[field_position(constructor, field, span)]:
            return part
        content = self._unifier.fresh()
        self._unifier.unify(part.type, reference_to(content), span)
        return Operation(Operator.CONTENT, (part,), content, span)

    def set_field(self, expression: SetField) -> Term:
        span, field = expression.span, expression.field
        value, constructor, types = self._known_record(expression.record, field, span)
        if not constructor.mutable[field_position(constructor, field[-1], span)]:
            raise InputError(f"the field {field[-1]} is not mutable", span)
        part = self._part(value, constructor, types, field[-1], span)
        new = self._expressions.term(expression.value)
        self._unifier.unify(reference_to(new.type), part.type, expression.value.span, f"by the field {field[-1]}")
        return Operation(Operator.ASSIGN, (part, new), UNIT, span)
