"""Expressions to terms with types (Hindley and Milner; levels after Rémy)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.functional.inference.context import Context
from sorrel.functional.inference.patterns import Bound, Patterns, field_position, literal_type
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
    Construct,
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
    Operator,
    Raise,
    Recursive,
    Term,
    Try,
    Tuple,
    Variable,
    free_names,
)
from sorrel.functional.term import Anything as AnyForm
from sorrel.functional.term import Pattern as Form
from sorrel.functional.type import (
    BOOL,
    EXCEPTION,
    INT,
    UNIT,
    Arrow,
    Constructor,
    Named,
    Type,
    array_of,
    pruned,
    reference_to,
    shown,
    substituted,
    uncurried,
)
from sorrel.model.errors import InputError, Span

_FOR, _WHILE = "for loop", "while loop"


class Expressions:
    """Terms for expressions in one scope; `inside` makes one for another scope."""

    def __init__(self, context: Context, scope: Scope) -> None:
        self._context = context
        self._unifier = context.unifier
        self.scope = scope
        self._patterns = Patterns(context, scope)

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
                return self._constructed(expression)
            case Matching(subject, cases, span):
                return self._matching(subject, cases, span)
            case Trying(body, cases, span):
                tried = self.term(body)
                return Try(tried, self._branches(cases, EXCEPTION, tried.type), span)
            case Assertion():
                return self._assertion(expression)
            case RecordOf():
                return self._record(expression)
            case FieldOf(record, field, span):
                known, constructor, types = self._known_record(record, field, span)
                return self._content(known, constructor, types, field[-1], span)
            case SetField():
                return self._set_field(expression)
            case While(condition, body, span):
                return self._while(condition, body, span)
            case For():
                return self._for(expression)
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
            plain = _plain(parameter)
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
        plain = _plain(binding.pattern)
        span = binding.span
        if plain is not None:
            binder = self._context.binder(plain, value.type)
            named = _labelled(value, plain)
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
        if not _is_value(expression) or _plain(pattern) is None:
            self._unifier.lower(value.type)
            return value, ()
        return value, self._unifier.generalised([value.type])

    def _recursive(self, bindings: tuple[Binding, ...], span: Span, body: Callable[[Expressions], Term]) -> Term:
        self._unifier.level += 1
        bound: Bound = {}
        for binding in bindings:
            name = _plain(binding.pattern)
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
        return _not_recursive(list(bound.values()), values, rest, span)

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

    # Data

    def _constructed(self, expression: Constructed) -> Term:
        constructor = self.scope.constructor(expression.path, expression.span)
        types, made = self._context.constructed(constructor)
        written = expression.argument
        if written is None:
            parts: tuple[Expression, ...] = ()
        elif len(types) > 1 and isinstance(written, TupleOf):
            parts = written.items
        else:
            parts = (written,)
        if len(parts) != len(types):
            raise InputError(f"{expression.path[-1]} has {len(types)} arguments", expression.span)
        pairs = zip(parts, types, strict=True)
        arguments = tuple(self.expected(part, type, f"by {expression.path[-1]}") for part, type in pairs)
        return Construct(constructor.name, arguments, made, expression.span)

    def _record(self, expression: RecordOf) -> Term:
        span = expression.span
        constructor = self.scope.field(expression.fields[0][0], span)
        types, made = self._context.constructed(constructor)
        values: dict[int, Term] = {}
        for path, written in expression.fields:
            position = field_position(constructor, path[-1], span)
            values[position] = self._field_value(constructor, types, position, written)
        if expression.base is None:
            if len(values) != len(types):
                missing = next(field for i, field in enumerate(constructor.fields) if i not in values)
                raise InputError(f"the field {missing} has no value", span)
            return Construct(constructor.name, tuple(values[i] for i in range(len(types))), made, span)
        base = self.expected(expression.base, made, "by its fields")
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

    def _field_value(
        self, constructor: Constructor, types: tuple[Type, ...], position: int, written: Expression
    ) -> Term:
        name = constructor.fields[position]
        if not constructor.mutable[position]:
            return self.expected(written, types[position], f"by the field {name}")
        value = self.term(written)
        made = Operation(Operator.MAKE_REFERENCE, (value,), types[position], written.span)
        self._unifier.unify(reference_to(value.type), types[position], written.span, f"by the field {name}")
        return made

    def _known_record(
        self, record: Expression, field: tuple[str, ...], span: Span
    ) -> tuple[Term, Constructor, tuple[Type, ...]]:
        constructor = self.scope.field(field, span)
        types, made = self._context.constructed(constructor)
        return self.expected(record, made, f"by the field {field[-1]}"), constructor, types

    def _part(self, value: Term, constructor: Constructor, types: tuple[Type, ...], field: str, span: Span) -> Term:
        position = field_position(constructor, field, span)
        binder = self._context.binder(field, types[position])
        forms = tuple(Bind(binder, AnyForm(type)) if i == position else AnyForm(type) for i, type in enumerate(types))
        taken = Variable(binder.name, binder.type, span)
        return Match(value, (Branch(Case(constructor.name, forms, value.type), None, taken),), span)

    def _content(self, value: Term, constructor: Constructor, types: tuple[Type, ...], field: str, span: Span) -> Term:
        part = self._part(value, constructor, types, field, span)
        if not constructor.mutable[field_position(constructor, field, span)]:
            return part
        content = self._unifier.fresh()
        self._unifier.unify(part.type, reference_to(content), span)
        return Operation(Operator.CONTENT, (part,), content, span)

    def _set_field(self, expression: SetField) -> Term:
        span, field = expression.span, expression.field
        value, constructor, types = self._known_record(expression.record, field, span)
        if not constructor.mutable[field_position(constructor, field[-1], span)]:
            raise InputError(f"the field {field[-1]} is not mutable", span)
        part = self._part(value, constructor, types, field[-1], span)
        new = self.term(expression.value)
        self._unifier.unify(reference_to(new.type), part.type, expression.value.span, f"by the field {field[-1]}")
        return Operation(Operator.ASSIGN, (part, new), UNIT, span)

    # Loops, as functions that call themselves

    def _while(self, condition: Expression, body: Expression, span: Span) -> Term:
        check = self.expected(condition, BOOL, "of a condition")
        done = self.term(body)
        loop = self._context.binder("while", Arrow(UNIT, UNIT))
        unused = self._context.binder("", UNIT)
        again = Apply(Variable(loop.name, loop.type, span), (UNIT_VALUE,), UNIT, span)
        once = Let(self._context.binder("", done.type), done, again, span)
        function = Function((unused,), If(check, once, UNIT_VALUE, span), span, _WHILE)
        return Recursive((Definition(replace(loop, source=""), function),), again, span)

    def _for(self, expression: For) -> Term:
        span = expression.span
        first = self.expected(expression.start, INT, "of a bound")
        last = self.expected(expression.end, INT, "of a bound")
        start, end = self._context.binder("", INT), self._context.binder("", INT)
        counter = self._context.binder(expression.name, INT)
        loop = replace(self._context.binder("for", Arrow(INT, UNIT)), source="")
        done = self.inside({expression.name: counter}).term(expression.body)
        at, limit = Variable(counter.name, INT, span), Variable(end.name, INT, span)
        compared, moved = (
            (Operator.AT_MOST, Operator.COUNT_UP) if expression.upwards else (Operator.AT_LEAST, Operator.COUNT_DOWN)
        )
        following = Operation(moved, (at,), INT, span)
        again = Apply(Variable(loop.name, loop.type, span), (following,), UNIT, span)
        once = Let(self._context.binder("", done.type), done, again, span)
        check = Operation(compared, (at, limit), BOOL, span)
        function = Function((counter,), If(check, once, UNIT_VALUE, span), span, _FOR)
        begin = Apply(Variable(loop.name, loop.type, span), (Variable(start.name, INT, span),), UNIT, span)
        looping = Recursive((Definition(loop, function),), begin, span)
        return Let(start, first, Let(end, last, looping, span), span)


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


def _plain(pattern: Pattern) -> str | None:
    """The name that the pattern gives to the whole value, if that is all it does."""
    if isinstance(pattern, TypedPattern):
        pattern = pattern.pattern
    return pattern.name if isinstance(pattern, NamePattern) else None


def _labelled(term: Term, name: str) -> Term:
    return replace(term, label=name) if isinstance(term, Function) and not term.label else term


def _is_value(expression: Expression) -> bool:
    """Whether evaluating it does nothing, so that each use may give its type variables another meaning."""
    match expression:
        case Literal() | Name() | Lambda() | Cases():
            return True
        case TupleOf(items):
            return all(map(_is_value, items))
        case Constructed(_, argument):
            return argument is None or _is_value(argument)
        case Annotated(inner):
            return _is_value(inner)
        case _:
            return False


def _not_recursive(binders: list[Binder], values: list[Term], rest: Term, span: Span) -> Term:
    """`let rec` of something that is no function: allowed where it does not mention what it defines."""
    names = {binder.name for binder in binders}
    term = rest
    for binder, value in reversed(list(zip(binders, values, strict=True))):
        if names & free_names(value).keys():
            raise InputError("a recursive definition of something that is no function", span)
        term = Let(binder, value, term, span)
    return term


def parameter_names(binding: Binding) -> list[tuple[str, tuple[str, ...]]]:
    """The name that a binding defines and those of the function's parameters, as far as they have any."""
    name, value = _plain(binding.pattern), binding.value
    if name is None:
        return []
    return [(name, tuple(_plain(each) or "" for each in value.parameters) if isinstance(value, Lambda) else ())]
