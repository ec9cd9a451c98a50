"""Functions applied to arguments: those of the program, by place or by label, and those of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sorrel.functional.inference.context import Context
from sorrel.functional.inference.formats import Formats
from sorrel.functional.inference.labels import ABSENT, matched
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
    Special,
    Value,
)
from sorrel.functional.operator import Operator
from sorrel.functional.syntax import Application, Expression, Name, NamePattern
from sorrel.functional.term import (
    FALSE,
    TRUE,
    Apply,
    Binder,
    Constant,
    Construct,
    Function,
    If,
    Input,
    Let,
    Operation,
    Raise,
    Term,
    Variable,
)
from sorrel.functional.type import (
    BOOL,
    INT,
    UNIT,
    Arrow,
    Flexible,
    Type,
    arrows,
    is_optional,
    labels_of,
    option_of,
    pruned,
    shown,
    substituted,
    uncurried,
)
from sorrel.model.errors import InputError, Span, Unsupported

if TYPE_CHECKING:
    from sorrel.functional.inference.expressions import Expressions


class Applications:
    def __init__(self, context: Context, expressions: Expressions) -> None:
        self._context = context
        self._unifier = context.unifier
        self._expressions = expressions
        self._formats = Formats(context, expressions)

    def expanded(self, value: Primitive | Special, span: Span) -> Term:
        """A function of ours that is not applied to all its arguments, as a function of the program."""
        parameters, _ = uncurried(value.type)
        written = [f"x{position}" for position in range(1, len(parameters) + 1)]
        return self._expressions.function(
            tuple(NamePattern(name, span) for name in written),
            lambda inner: inner.of_ours(value, tuple(Name((name,), span) for name in written), span),
            span,
        )

    def of(self, expression: Application) -> Term:
        arguments = expression.arguments
        written = self._formats.of(expression)
        if written is not None:
            return written
        if isinstance(expression.function, Name):
            value = self._expressions.scope.value(expression.function.path, expression.function.span)
            if not isinstance(value, Known):
                if any(expression.labels):
                    raise InputError("this function has no parameters with labels", expression.span)
                wanted = len(uncurried(value.type)[0])
                if len(arguments) >= wanted:
                    made = self.of_ours(value, arguments[:wanted], expression.span)
                    rest = arguments[wanted:]
                    return self._applied(made, rest, expression) if rest else made
        function = self._expressions.term(expression.function)
        if any(expression.labels) or any(labels_of(function.type)):
            return self._labelled(function, expression)
        return self._applied(function, arguments, expression)

    def _applied(self, function: Term, arguments: tuple[Expression, ...], whole: Application) -> Term:
        terms = []
        result = function.type
        for argument in arguments:
            known = pruned(result)
            if isinstance(known, Arrow):
                terms.append(self._expressions.expected(argument, known.parameter, "by the function"))
                result = known.result
                continue
            term = self._expressions.term(argument)
            produced = self._unifier.fresh()
            if not self._unifier.unifiable(result, Arrow(term.type, produced)):
                raise InputError(f"this is applied to an argument, but has type {shown(result)}", whole.function.span)
            terms.append(term)
            result = produced
        return Apply(function, tuple(terms), result, whole.span)

    # Labels

    def _labelled(self, function: Term, whole: Application) -> Term:
        """By place and by label; what is optional and left out before something by place is absent."""
        labels = whole.labels or ("",) * len(whole.arguments)
        types, result = uncurried(function.type)
        wanted = labels_of(function.type)
        slots, rest = matched(wanted, labels, is_closed=not isinstance(result, Flexible))
        if rest and None in slots:
            called = labels[rest[0]] or "without a label"
            raise InputError(f"there is no parameter for this argument ({called})", whole.arguments[rest[0]].span)
        while slots and slots[-1] is None:
            slots.pop()
        values = [self._given(whole, slot, types[place], wanted[place]) for place, slot in enumerate(slots)]
        remaining = arrows(types[len(slots) :], result, wanted[len(slots) :])
        if None in slots:
            return self._waiting(function, values, types, wanted, remaining, whole.span)
        made = Apply(function, tuple(v for v in values if v is not None), remaining, whole.span) if values else function
        if not rest:
            return made
        arguments, names = tuple(whole.arguments[i] for i in rest), tuple(labels[i] for i in rest)
        if isinstance(pruned(remaining), Arrow):
            return self._labelled(made, Application(whole.function, arguments, whole.span, names))
        terms: list[Term] = []
        produced: Type = self._unifier.fresh()
        for argument, name in zip(reversed(arguments), reversed(names), strict=True):
            if is_optional(name):
                raise Unsupported("an argument that may be absent for a function of unknown type", argument.span)
            terms.insert(0, self._expressions.term(argument))
        given = arrows([term.type for term in terms], produced, names)
        self._unifier.unify(remaining, given, whole.function.span, "by its arguments")
        return Apply(made, tuple(terms), produced, whole.span)

    def _given(self, whole: Application, slot: int | None, type: Type, label: str) -> Term | None:
        if slot is None:
            return None
        if slot == ABSENT:
            return Construct("None", (), type, whole.span)
        argument, name = whole.arguments[slot], whole.labels[slot] if whole.labels else ""
        if is_optional(label) and not is_optional(name):
            content = self._unifier.fresh()
            self._unifier.unify(option_of(content), type, argument.span)
            value = self._expressions.expected(argument, content, "by the function")
            return Construct("Some", (value,), type, argument.span)
        if is_optional(name) and not is_optional(label):
            raise InputError(f"the parameter {label} is not optional", argument.span)
        return self._expressions.expected(argument, type, "by the function")

    def _waiting(
        self,
        function: Term,
        values: list[Term | None],
        types: tuple[Type, ...],
        labels: tuple[str, ...],
        result: Type,
        span: Span,
    ) -> Term:
        """A function of the parameters in between that were not given; the function comes first, then from the left."""
        called = self._context.binder("", function.type)
        known: list[tuple[Binder, Term]] = [(called, function)]
        waiting: list[Binder] = []
        for value, type in zip(values, types, strict=False):
            binder = self._context.binder("", type)
            if value is None:
                waiting.append(binder)
            else:
                known.append((binder, value))
        order = iter([binder for binder, _ in known[1:]]), iter(waiting)
        all_of_them = tuple(next(order[value is None]) for value in values)
        body = Apply(_named(called, span), tuple(_named(each, span) for each in all_of_them), result, span)
        own = tuple(label for value, label in zip(values, labels, strict=False) if value is None)
        term: Term = Function(tuple(waiting), body, span, labels=own)
        for binder, value in reversed(known):
            term = Let(binder, value, term, span)
        return term

    def without_optional(self, term: Term, wanted: Type) -> Term:
        """Where a function without them is expected, the optional parameters that come first are absent."""
        expected, found = pruned(wanted), pruned(term.type)
        if isinstance(expected, Flexible) or not isinstance(found, Arrow) or not is_optional(found.label):
            return term
        if isinstance(expected, Arrow) and expected.label == found.label:
            return term
        called = self._context.binder("", found)
        rest = pruned(found.result)
        absent: list[Term] = [Construct("None", (), found.parameter, term.span)]
        while isinstance(rest, Arrow) and is_optional(rest.label):
            absent.append(Construct("None", (), rest.parameter, term.span))
            rest = pruned(rest.result)
        if not isinstance(rest, Arrow):
            return term
        last = self._context.binder("", rest.parameter)
        arguments = (*absent, _named(last, term.span))
        body = Apply(_named(called, term.span), arguments, rest.result, term.span)
        return Let(called, term, Function((last,), body, term.span, labels=(rest.label,)), term.span)

    # Functions of ours

    def of_ours(self, value: Value, arguments: tuple[Expression, ...], span: Span) -> Term:
        if isinstance(value, Known):
            raise TypeError(f"{value.name} is a value of the program")
        fresh: dict[str, Type] = {"a": self._unifier.fresh(), "b": self._unifier.fresh()}
        parameters, result = uncurried(substituted(value.type, fresh))
        terms = tuple(
            self._expressions.expected(argument, type, "as an operand")
            for argument, type in zip(arguments, parameters, strict=True)
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


def _named(binder: Binder, span: Span) -> Variable:
    return Variable(binder.name, binder.type, span)


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
