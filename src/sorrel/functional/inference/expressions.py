"""Expressions to terms with types (Hindley and Milner; levels after Rémy)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.functional.inference.bindings import is_value, labelled, plain_name, without_recursion
from sorrel.functional.inference.constructions import Constructions
from sorrel.functional.inference.context import Context
from sorrel.functional.inference.loops import for_loop, while_loop
from sorrel.functional.inference.patterns import Bound, Patterns, literal_type
from sorrel.functional.inference.scope import (
    AND,
    APPLY,
    EXIT,
    OR,
    PIPE,
    RAISE,
    RANDOM_NUMBER,
    RANDOM_TRUTH,
    READ_NUMBER,
    Known,
    Primitive,
    Scope,
    Special,
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
    Matching,
    Name,
    NamePattern,
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
    FALSE,
    TRUE,
    UNIT_VALUE,
    Apply,
    Assert,
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
    Input,
    Items,
    Let,
    Match,
    Operation,
    Raise,
    Recursive,
    Term,
    Try,
    Tuple,
    Variable,
)
from sorrel.functional.term import Pattern as Form
from sorrel.functional.type import (
    BOOL,
    EXCEPTION,
    INT,
    UNIT,
    Arrow,
    Named,
    Type,
    array_of,
    pruned,
    shown,
    substituted,
    uncurried,
)
from sorrel.model.errors import InputError, Span


class Expressions:
    """Terms for expressions in one scope; `inside` makes one for another scope."""

    def __init__(self, context: Context, scope: Scope) -> None:
        self._context = context
        self._unifier = context.unifier
        self.scope = scope
        self._patterns = Patterns(context, scope)
        self._constructions = Constructions(context, self)

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
            case Lambda(parameters, body, span):
                return self._function(parameters, lambda inner: inner.term(body), span)
            case Cases(cases, span):
                return self._cases(cases, span)
            case Application():
                return self._application(expression)
            case LetIn(recursive, bindings, body, span):
                return self.let(recursive, bindings, span, lambda inner: inner.term(body))
            case OpenIn(path, body, span):
                scope = self.scope.inner()
                scope.opened(self.scope.module(path, span))
                return Expressions(self._context, scope).term(body)
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
        found = self.term(expression)
        self._unifier.unify(found.type, type, expression.span, because)
        return found

    # Names and applications

    def _name(self, path: tuple[str, ...], span: Span) -> Term:
        value = self.scope.value(path, span)
        if isinstance(value, Known):
            type, instance = self._unifier.instance(value.type, value.quantified)
            return Variable(value.name, type, span, instance)
        return self._expanded(value, span)

    def _expanded(self, value: Primitive | Special, span: Span) -> Term:
        """A function of ours that is not applied to all its arguments, as a function of the program."""
        parameters, _ = uncurried(value.type)
        written = [f"x{position}" for position in range(1, len(parameters) + 1)]
        return self._function(
            tuple(NamePattern(name, span) for name in written),
            lambda inner: inner._of_ours(value, tuple(Name((name,), span) for name in written), span),
            span,
        )

    def _application(self, expression: Application) -> Term:
        arguments = expression.arguments
        if isinstance(expression.function, Name):
            value = self.scope.value(expression.function.path, expression.function.span)
            if not isinstance(value, Known):
                wanted = len(uncurried(value.type)[0])
                if len(arguments) >= wanted:
                    made = self._of_ours(value, arguments[:wanted], expression.span)
                    rest = arguments[wanted:]
                    return self._applied(made, rest, expression) if rest else made
        return self._applied(self.term(expression.function), arguments, expression)

    def _applied(self, function: Term, arguments: tuple[Expression, ...], whole: Application) -> Term:
        terms = []
        result = function.type
        for argument in arguments:
            known = pruned(result)
            if isinstance(known, Arrow):
                terms.append(self.expected(argument, known.parameter, "by the function"))
                result = known.result
                continue
            term = self.term(argument)
            produced = self._unifier.fresh()
            if not self._unifier.unifiable(result, Arrow(term.type, produced)):
                raise InputError(f"this is applied to an argument, but has type {shown(result)}", whole.function.span)
            terms.append(term)
            result = produced
        return Apply(function, tuple(terms), result, whole.span)

    def _of_ours(self, value: Value, arguments: tuple[Expression, ...], span: Span) -> Term:
        if isinstance(value, Known):
            raise TypeError(f"{value.name} is a value of the program")
        fresh: dict[str, Type] = {"a": self._unifier.fresh(), "b": self._unifier.fresh()}
        parameters, result = uncurried(substituted(value.type, fresh))
        terms = tuple(
            self.expected(argument, type, "as an operand") for argument, type in zip(arguments, parameters, strict=True)
        )
        if isinstance(value, Primitive):
            return Operation(value.operator, terms, result, span)
        if value.name in (READ_NUMBER, RANDOM_TRUTH):
            asked = Input(INT if value.name == READ_NUMBER else BOOL, value.name, span)
            return Let(self._context.binder("", UNIT), terms[0], asked, span)
        if value.name == RANDOM_NUMBER:
            return self._random(terms[0], span)
        return _special(value.name, terms, result, span)

    def _random(self, bound: Term, span: Span) -> Term:
        """Below the bound if that is positive. Others are taken for any number: collections write `Random.int 0`."""
        if isinstance(bound, Constant) and isinstance(bound.value, int):
            return Input(INT, RANDOM_NUMBER, span, bound.value if bound.value > 0 else None)
        limit, found = self._context.binder("", INT), self._context.binder("", INT)
        below, number = Variable(limit.name, INT, span), Variable(found.name, INT, span)
        zero = Constant(0, INT, span)
        small = Operation(Operator.LESS, (number, below), BOOL, span)
        inside = If(Operation(Operator.AT_MOST, (zero, number), BOOL, span), small, FALSE, span)
        positive = Operation(Operator.LESS, (zero, below), BOOL, span)
        # A run that is given another number is none.
        given = If(If(positive, inside, TRUE, span), number, Operation(Operator.EXIT, (zero,), INT, span), span)
        return Let(limit, bound, Let(found, Input(INT, RANDOM_NUMBER, span), given, span), span)

    # Functions and definitions

    def _function(self, parameters: tuple[Pattern, ...], body: Callable[[Expressions], Term], span: Span) -> Function:
        binders: list[Binder] = []
        opened: list[tuple[Binder, Pattern]] = []
        bound: Bound = {}
        for parameter in parameters:
            type = self._unifier.fresh()
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
        taken: list[Binder] = []
        for binder in reversed(binders):
            form = forms.get(binder.name)
            if form is not None:
                if taken and self._may_fail(form):
                    # It is matched as soon as its argument is there, whether or not the others are.
                    term, taken = Function(tuple(taken), term, span), []
                term = Match(Variable(binder.name, binder.type, span), (Branch(form, None, term),), span)
            taken.insert(0, binder)
        return Function(tuple(taken), term, span)

    def _may_fail(self, form: Form) -> bool:
        """Whether some value of the type may be another one than the pattern says."""
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
            case Either():
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
        value = self.term(expression)
        if isinstance(pattern, TypedPattern):
            written = self._context.type(pattern.type, self.scope)
            self._unifier.unify(value.type, written, expression.span, "by the annotation")
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
            type = self._unifier.fresh()
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
        return Match(value, self._branches(cases, value.type, self._unifier.fresh()), span)

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


def _special(name: str, terms: tuple[Term, ...], result: Type, span: Span) -> Term:
    """A call that is a term of its own."""
    match name:
        case _ if name == RAISE:
            return Raise(terms[0], result, span)
        case _ if name == AND:
            return If(terms[0], terms[1], FALSE, span)
        case _ if name == OR:
            return If(terms[0], TRUE, terms[1], span)
        case _ if name == PIPE:
            # The function is evaluated after its argument, as in any application.
            return Apply(terms[1], (terms[0],), result, span)
        case _ if name == APPLY:
            return Apply(terms[0], (terms[1],), result, span)
        case _ if name == EXIT:
            return Operation(Operator.EXIT, terms, result, span)
        case _:
            raise TypeError(f"no such function of ours: {name}")
