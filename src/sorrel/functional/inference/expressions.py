"""Expressions to terms with types (Hindley and Milner; levels after Rémy)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.functional.inference.applications import Applications
from sorrel.functional.inference.bindings import is_value, labelled, plain_name, without_recursion
from sorrel.functional.inference.constructions import Constructions
from sorrel.functional.inference.context import Context
from sorrel.functional.inference.loops import for_loop, while_loop
from sorrel.functional.inference.patterns import Bound, Patterns, literal_type
from sorrel.functional.inference.scope import (
    Known,
    Scope,
    Value,
)
from sorrel.functional.operator import Operator
from sorrel.functional.syntax import (
    Annotated,
    Application,
    ArrayOf,
    Assertion,
    Binding,
    Cases,
    Conditional,
    Constructed,
    Expression,
    FieldOf,
    For,
    Lambda,
    LetIn,
    Literal,
    LocalException,
    Matching,
    ModuleIn,
    Name,
    OpenIn,
    Pattern,
    RecordOf,
    Sequence,
    SetField,
    Trying,
    TupleOf,
    TypedPattern,
    While,
)
from sorrel.functional.syntax import Case as WrittenCase
from sorrel.functional.term import (
    UNIT_VALUE,
    Assert,
    Between,
    Bind,
    Binder,
    Branch,
    Case,
    Constant,
    Definition,
    Either,
    Exactly,
    Function,
    If,
    Items,
    Let,
    Match,
    Operation,
    Recursive,
    Term,
    Try,
    Tuple,
    Variable,
    Within,
    is_pure_value,
)
from sorrel.functional.term import Pattern as Form
from sorrel.functional.type import (
    BOOL,
    EXCEPTION,
    UNIT,
    Named,
    Type,
    array_of,
    arrows,
    is_optional,
    option_of,
    pruned,
)
from sorrel.model.errors import InputError, Span, Unsupported


class Expressions:
    """Terms for expressions in one scope; `inside` makes one for another scope."""

    def __init__(self, context: Context, scope: Scope) -> None:
        self._context = context
        self._unifier = context.unifier
        self.scope = scope
        self._patterns = Patterns(context, scope)
        self._constructions = Constructions(context, self)
        self._applications = Applications(context, self)

    def inside(self, bound: Bound) -> Expressions:
        scope = self.scope.inner()
        scope.values.update({name: Known(binder.name, binder.type) for name, binder in bound.items()})
        return Expressions(self._context, scope)

    def term(self, expression: Expression) -> Term:
        match expression:
            case Literal(value, span):
                return Constant(value, literal_type(expression), span)
            case Name(path, span):
                return self._name(path, span)
            case Lambda(parameters, body, span, labels):
                return self.function(parameters, lambda inner: inner.term(body), span, labels)
            case Cases(cases, span):
                return self._cases(cases, span)
            case Application():
                return self._applications.of(expression)
            case LetIn(recursive, bindings, body, span):
                return self.let(recursive, bindings, span, lambda inner: inner.term(body))
            case OpenIn(path, body, span):
                scope = self.scope.inner()
                scope.opened(self.scope.module(path, span))
                return Expressions(self._context, scope).term(body)
            case ModuleIn(module, body):
                return self._context.local(module, self, lambda inner: inner.term(body))
            case Conditional():
                return self._conditional(expression)
            case Sequence(first, second, span):
                done = self.term(first)
                return Let(self._context.binder("", done.type), done, self.term(second), span)
            case TupleOf(items, span):
                return Tuple(tuple(map(self.term, items)), span)
            case ArrayOf(items, span):
                element = self._unifier.fresh()
                values = tuple(self.expected(item, element, "by the other elements") for item in items)
                return Operation(Operator.ARRAY_LITERAL, values, array_of(element), span)
            case Constructed():
                return self._constructions.constructed(expression)
            case Matching(subject, cases, span):
                return self._matching(subject, cases, span)
            case Trying(body, cases, span):
                tried = self.term(body)
                return Try(tried, self._branches(cases, EXCEPTION, tried.type), span)
            case Assertion():
                return self._assertion(expression)
            case LocalException(declared, callers, body, span):
                if any(self.scope.modules.get(name) is not self._context.ours.get(name) for name in callers):
                    raise Unsupported("a local exception inside of a function", span, "Define it at top level.")
                scope = self.scope.inner()
                scope.constructors[declared.name] = self._context.exception(declared, self.scope)
                return Expressions(self._context, scope).term(body)
            case RecordOf():
                return self._constructions.record(expression)
            case FieldOf():
                return self._constructions.field(expression)
            case SetField():
                return self._constructions.set_field(expression)
            case While(condition, body, span):
                return while_loop(self._context, self, condition, body, span)
            case For():
                return for_loop(self._context, self, expression)
            case Annotated(inner, written, span):
                return self.expected(inner, self._context.type(written, self.scope), "by the annotation")

    def expected(self, expression: Expression, type: Type, because: str = "") -> Term:
        if isinstance(expression, RecordOf):
            found = self._constructions.record(expression, type)
        else:
            found = self._applications.without_optional(self.term(expression), type)
        self._unifier.unify(found.type, type, expression.span, because)
        return found

    # Names

    def of_ours(self, value: Value, arguments: tuple[Expression, ...], span: Span) -> Term:
        return self._applications.of_ours(value, arguments, span)

    def _name(self, path: tuple[str, ...], span: Span) -> Term:
        value = self.scope.value(path, span)
        if isinstance(value, Known):
            if value.name in self._context.inside:
                what = f"the record inside of {self._context.inside[value.name].name} as a whole"
                raise Unsupported(what, span, "Take its fields.")
            type, instance = self._unifier.instance(value.type, value.quantified)
            return Variable(value.name, type, span, instance)
        return self._applications.expanded(value, span)

    # Functions and definitions

    def function(
        self,
        parameters: tuple[Pattern, ...],
        body: Callable[[Expressions], Term],
        span: Span,
        labels: tuple[str, ...] = (),
    ) -> Function:
        binders: list[Binder] = []
        opened: list[tuple[Binder, Pattern]] = []
        bound: Bound = {}
        for position, parameter in enumerate(parameters):
            inside = self._unifier.fresh()
            type = option_of(inside) if labels and is_optional(labels[position]) else inside
            plain = plain_name(parameter)
            binder = self._context.binder(plain or "", type)
            binders.append(binder)
            if plain is None:
                opened.append((binder, parameter))
                continue
            if isinstance(parameter, TypedPattern):
                self._unifier.unify(self._context.type(parameter.type, self.scope), type, span)
            if plain in bound:
                raise InputError(f"{plain} is bound twice", span)
            bound[plain] = binder
        forms = {binder.name: self._patterns.typed(pattern, binder.type, bound) for binder, pattern in opened}
        term = body(self.inside(bound))
        last = len(binders)
        for position in reversed(range(len(binders))):
            binder = binders[position]
            form = forms.get(binder.name)
            if form is not None:
                if position + 1 < last and self._may_fail(form):
                    # It is matched as soon as its argument is there, whether or not the others are.
                    behind = slice(position + 1, last)
                    term, last = Function(tuple(binders[behind]), term, span, labels=labels[behind]), position + 1
                term = Match(Variable(binder.name, binder.type, span), (Branch(form, None, term),), span)
        return Function(tuple(binders[:last]), term, span, labels=labels[:last])

    def _may_fail(self, form: Form) -> bool:
        """Whether some value of the type may be another one than the pattern says, or what it says may change."""
        match form:
            case Bind(_, inner):
                return self._may_fail(inner)
            case Items(items):
                return any(map(self._may_fail, items))
            case Case(constructor, arguments, type):
                known = pruned(type)
                data = self._context.data.get(known.name) if isinstance(known, Named) else None
                alone = data is not None and [each.name for each in data.constructors] == [constructor]
                return not alone or any(map(self._may_fail, arguments))
            case Exactly(value):
                return value is not None
            case Either() | Between() | Within():
                return True
            case _:
                return False

    def _cases(self, cases: tuple[WrittenCase, ...], span: Span) -> Function:
        binder = self._context.binder("", self._unifier.fresh())
        result = self._unifier.fresh()
        branches = self._branches(cases, binder.type, result)
        return Function((binder,), Match(Variable(binder.name, binder.type, span), branches, span), span)

    def let(
        self, recursive: bool, bindings: tuple[Binding, ...], span: Span, body: Callable[[Expressions], Term]
    ) -> Term:
        """The definitions, and what follows them in their scope."""
        if recursive:
            return self._recursive(bindings, span, body)
        made = [self._defined(binding) for binding in bindings]
        bound: dict[str, Value] = {}
        for _, values, _ in made:
            bound.update(values)
        scope = self.scope.inner()
        scope.values.update(bound)
        term = body(Expressions(self._context, scope))
        for finish in reversed([finish for _, _, finish in made]):
            term = finish(term)
        return term

    def _defined(self, binding: Binding) -> tuple[Term, dict[str, Value], Callable[[Term], Term]]:
        """The value, the names that it gives a meaning, and the term around what follows."""
        value, quantified = self._generalised(binding.value, binding.pattern)
        plain = plain_name(binding.pattern)
        span = binding.span
        if plain is not None:
            binder = self._context.binder(plain, value.type)
            named = labelled(value, plain)
            known: dict[str, Value] = {plain: Known(binder.name, binder.type, quantified)}
            return value, known, lambda rest: Let(binder, named, rest, span, quantified)
        bound: Bound = {}
        form = self._patterns.typed(binding.pattern, value.type, bound)
        names: dict[str, Value] = {name: Known(binder.name, binder.type) for name, binder in bound.items()}
        return value, names, lambda rest: Match(value, (Branch(form, None, rest),), span)

    def _generalised(self, expression: Expression, pattern: Pattern) -> tuple[Term, tuple[int, ...]]:
        self._unifier.level += 1
        if isinstance(pattern, TypedPattern):
            value = self.expected(expression, self._context.type(pattern.type, self.scope), "by the annotation")
        else:
            value = self.term(expression)
        self._unifier.level -= 1
        if not is_value(expression) or plain_name(pattern) is None:
            self._unifier.lower(value.type)
            return value, ()
        return value, self._unifier.generalised([value.type])

    def _recursive(self, bindings: tuple[Binding, ...], span: Span, body: Callable[[Expressions], Term]) -> Term:
        self._unifier.level += 1
        bound: Bound = {}
        for binding in bindings:
            name = plain_name(binding.pattern)
            if name is None:
                raise InputError("a recursive definition defines a name", binding.span)
            type = self._outline(binding.value)
            if isinstance(binding.pattern, TypedPattern):
                self._unifier.unify(self._context.type(binding.pattern.type, self.scope), type, binding.span)
            bound[name] = self._context.binder(name, type)
        inner = self.inside(bound)
        values = [inner._own(binding.value, binder) for binding, binder in zip(bindings, bound.values(), strict=True)]
        self._unifier.level -= 1
        functions = [value for value in values if isinstance(value, Function)]
        quantified = (
            self._unifier.generalised([value.type for value in values]) if len(functions) == len(values) else ()
        )
        scope = self.scope.inner()
        scope.values.update({n: Known(b.name, b.type, quantified) for n, b in bound.items()})
        rest = body(Expressions(self._context, scope))
        if len(functions) == len(values):
            pairs = zip(bound.items(), functions, strict=True)
            made = tuple(Definition(binder, replace(f, label=name)) for (name, binder), f in pairs)
            return Recursive(made, rest, span, quantified)
        return without_recursion(list(bound.values()), values, rest, span)

    def _outline(self, expression: Expression) -> Type:
        """The type as far as its form shows: the labels of a function are known inside of it."""
        fresh = self._unifier.fresh()
        if not isinstance(expression, Lambda) or not any(expression.labels):
            return fresh
        taken = [self._unifier.fresh() for _ in expression.parameters]
        labels = expression.labels
        types = [option_of(each) if is_optional(name) else each for each, name in zip(taken, labels, strict=True)]
        return arrows(types, fresh, labels)

    def _own(self, expression: Expression, binder: Binder) -> Term:
        return self.expected(expression, binder.type, "by its other uses")

    # Decisions

    def _conditional(self, expression: Conditional) -> Term:
        condition = self.expected(expression.condition, BOOL, "of a condition")
        if expression.otherwise is None:
            then = self.expected(expression.then, UNIT, "without else")
            return If(condition, then, UNIT_VALUE, expression.span)
        then = self.term(expression.then)
        otherwise = self.expected(expression.otherwise, then.type, "by the other branch")
        return If(condition, then, otherwise, expression.span)

    def _matching(self, subject: Expression, cases: tuple[WrittenCase, ...], span: Span) -> Term:
        value = self.term(subject)
        branches = self._branches(cases, value.type, self._unifier.fresh())
        if not isinstance(value, Tuple):
            return Match(value, branches, span)
        # A tuple that is matched on the spot is never made: OCaml evaluates its items, these alone, from left to right.
        kept = [None if is_pure_value(item) else self._context.binder("", item.type) for item in value.items]
        pairs = list(zip(kept, value.items, strict=True))
        items = tuple(Variable(binder.name, item.type, item.span) if binder else item for binder, item in pairs)
        term: Term = Match(Tuple(items, value.span), branches, span)
        for binder, item in reversed(pairs):
            term = Let(binder, item, term, span) if binder else term
        return term

    def _branches(self, cases: tuple[WrittenCase, ...], type: Type, result: Type) -> tuple[Branch, ...]:
        found = []
        for case in cases:
            bound: Bound = {}
            form = self._patterns.typed(case.pattern, type, bound)
            inner = self.inside(bound)
            guard = inner.expected(case.guard, BOOL, "of a guard") if case.guard is not None else None
            found.append(Branch(form, guard, inner.expected(case.body, result, "by the other cases")))
        return tuple(found)

    def _assertion(self, expression: Assertion) -> Term:
        condition = self.expected(expression.condition, BOOL, "of an assertion")
        impossible = isinstance(expression.condition, Literal) and expression.condition.value is False
        return Assert(condition, self._unifier.fresh() if impossible else UNIT, expression.span)
