"""Patterns with types."""

from __future__ import annotations

from sorrel.functional.inference.context import Context
from sorrel.functional.inference.scope import Scope
from sorrel.functional.syntax import (
    AliasPattern,
    AnyPattern,
    ConstructorPattern,
    Literal,
    LiteralPattern,
    NamePattern,
    OrPattern,
    Pattern,
    RangePattern,
    RecordPattern,
    TuplePattern,
    TypedPattern,
)
from sorrel.functional.term import Anything, Between, Bind, Binder, Case, Either, Exactly, Items, Within
from sorrel.functional.term import Pattern as TypedForm
from sorrel.functional.type import (
    BOOL,
    CHARACTER,
    INT,
    STRING,
    UNIT,
    Constructor,
    Named,
    TupleType,
    Type,
    pruned,
    reference_to,
)
from sorrel.model.errors import InputError, Span, Unsupported

Bound = dict[str, Binder]


def literal_type(literal: Literal) -> Type:
    match literal.value:
        case None:
            return UNIT
        case bool():
            return BOOL
        case str():
            return STRING
        case _:
            return CHARACTER if literal.is_character else INT


class Patterns:
    def __init__(self, context: Context, scope: Scope) -> None:
        self._context = context
        self._scope = scope
        self._unifier = context.unifier

    def typed(self, pattern: Pattern, type: Type, bound: Bound) -> TypedForm:
        """The pattern as one for values of the type; the names that it binds are added to `bound`."""
        match pattern:
            case AnyPattern():
                return Anything(type)
            case NamePattern(name, span):
                return Bind(self._bind(name, type, bound, span), Anything(type))
            case AliasPattern(inner, name, span):
                form = self.typed(inner, type, bound)
                return Bind(self._bind(name, type, bound, span), form)
            case LiteralPattern(literal):
                self._unifier.unify(literal_type(literal), type, literal.span, "by what is matched")
                return Exactly(literal.value, type)
            case RangePattern(first, last, span):
                for end in (first, last):
                    self._unifier.unify(literal_type(end), type, span, "by what is matched")
                return Between(_code(first), _code(last), CHARACTER)
            case TypedPattern(inner, written, span):
                self._unifier.unify(self._context.type(written, self._scope), type, span)
                return self.typed(inner, type, bound)
            case TuplePattern(items, span):
                types = tuple(self._unifier.fresh() for _ in items)
                self._unifier.unify(TupleType(types), type, span, "by what is matched")
                return Items(tuple(self.typed(item, each, bound) for item, each in zip(items, types, strict=True)))
            case OrPattern(left, right, span):
                return self._either(left, right, type, bound, span)
            case ConstructorPattern():
                return self._case(pattern, type, bound)
            case RecordPattern():
                return self._record(pattern, type, bound)

    def _bind(self, name: str, type: Type, bound: Bound, span: Span) -> Binder:
        if name in bound:
            raise InputError(f"{name} is bound twice in this pattern", span)
        bound[name] = self._context.binder(name, type)
        return bound[name]

    def _either(self, left: Pattern, right: Pattern, type: Type, bound: Bound, span: Span) -> TypedForm:
        """Both sides bind the same names, with one binder for both."""
        first: Bound = {}
        second: Bound = {}
        left_form, right_form = self.typed(left, type, first), self.typed(right, type, second)
        if set(first) != set(second):
            raise InputError("both sides of | must bind the same names", span)
        for name, binder in second.items():
            self._unifier.unify(binder.type, first[name].type, span)
        bound.update(first)
        return Either(left_form, _renamed(right_form, {b.name: first[name] for name, b in second.items()}))

    def _constructor(self, path: tuple[str, ...], type: Type, span: Span) -> Constructor:
        """The last one of that name, unless the type of what is matched is known to have one of its own."""
        known = pruned(type)
        if len(path) == 1 and isinstance(known, Named) and known.name in self._context.data:
            for each in self._context.data[known.name].constructors:
                if each.name.split(".")[0] == path[0] and not each.is_record:
                    return each
        return self._scope.constructor(path, span)

    def _case(self, pattern: ConstructorPattern, type: Type, bound: Bound) -> TypedForm:
        constructor = self._constructor(pattern.path, type, pattern.span)
        arguments, made = self._context.constructed(constructor)
        self._unifier.unify(made, type, pattern.span, "by what is matched")
        if constructor.fields:
            name, fields = _inline(pattern)
            form = self._fields(constructor, arguments, fields, type, bound)
            if not name:
                return form
            # Its own value stands for the record inside of it: nothing but its fields is ever asked for.
            whole = self._bind(name, type, bound, pattern.span)
            self._context.inside[whole.name] = constructor
            return Bind(whole, form)
        items = _arguments(pattern, len(arguments))
        forms = tuple(self.typed(item, each, bound) for item, each in zip(items, arguments, strict=True))
        return Case(constructor.name, forms, type)

    def _record(self, pattern: RecordPattern, type: Type, bound: Bound) -> TypedForm:
        constructor = self._context.record([path for path, _ in pattern.fields], type, self._scope, pattern.span)
        arguments, made = self._context.constructed(constructor)
        self._unifier.unify(made, type, pattern.span, "by what is matched")
        return self._fields(constructor, arguments, pattern, type, bound)

    def _fields(
        self, constructor: Constructor, arguments: tuple[Type, ...], pattern: RecordPattern, type: Type, bound: Bound
    ) -> TypedForm:
        forms: list[TypedForm] = [Anything(argument) for argument in arguments]
        for path, inner in pattern.fields:
            position = field_position(constructor, path[-1], pattern.span)
            if not constructor.mutable[position]:
                forms[position] = self.typed(inner, arguments[position], bound)
                continue
            content = self._unifier.fresh()
            self._unifier.unify(reference_to(content), arguments[position], pattern.span, f"by the field {path[-1]}")
            forms[position] = Within(self.typed(inner, content, bound))
        return Case(constructor.name, tuple(forms), type)


def _inline(pattern: ConstructorPattern) -> tuple[str, RecordPattern]:
    """A name for the record inside of a constructor, if there is one, and its fields."""
    match pattern.argument:
        case RecordPattern() as record:
            return "", record
        case AnyPattern():
            return "", RecordPattern((), pattern.span)
        case NamePattern(name, span):
            return name, RecordPattern((), span)
        case AliasPattern(RecordPattern() as record, name):
            return name, record
        case _:
            raise Unsupported(f"the record inside of {pattern.path[-1]} as a whole", pattern.span, "Name its fields.")


def _arguments(pattern: ConstructorPattern, count: int) -> tuple[Pattern, ...]:
    """The patterns of a constructor's arguments: `C (p, q)` has two if the constructor does."""
    match pattern.argument:
        case None:
            found: tuple[Pattern, ...] = ()
        case AnyPattern() as anything:
            found = (anything,) * count
        case TuplePattern(parts) if count > 1:
            found = parts
        case only:
            found = (only,)
    if len(found) != count:
        raise InputError(f"{pattern.path[-1]} has {count} arguments", pattern.span)
    return found


def _code(literal: Literal) -> int:
    if not literal.is_character or not isinstance(literal.value, int):
        raise Unsupported("a range in a pattern that is not of characters", literal.span)
    return literal.value


def field_position(constructor: Constructor, field: str, span: Span) -> int:
    if field not in constructor.fields:
        raise InputError(f"type {constructor.type_name} has no field {field}", span)
    return constructor.fields.index(field)


def _renamed(form: TypedForm, binders: dict[str, Binder]) -> TypedForm:
    match form:
        case Bind(binder, inner):
            return Bind(binders[binder.name], _renamed(inner, binders))
        case Items(items):
            return Items(tuple(_renamed(item, binders) for item in items))
        case Case(constructor, arguments, type):
            return Case(constructor, tuple(_renamed(item, binders) for item in arguments), type)
        case Either(left, right):
            return Either(_renamed(left, binders), _renamed(right, binders))
        case Within(content):
            return Within(_renamed(content, binders))
        case _:
            return form
