"""What a binding says by its form: names, values, recursion that is none."""

from __future__ import annotations

from dataclasses import replace

from sorrel.functional.syntax import (
    Annotated,
    Binding,
    Cases,
    Constructed,
    Expression,
    Lambda,
    Literal,
    Name,
    NamePattern,
    Pattern,
    TupleOf,
    TypedPattern,
)
from sorrel.functional.term import Binder, Function, Let, Term, free_names
from sorrel.model.errors import InputError, Span


def plain_name(pattern: Pattern) -> str | None:
    """The name that the pattern gives to the whole value, if that is all it does."""
    if isinstance(pattern, TypedPattern):
        pattern = pattern.pattern
    return pattern.name if isinstance(pattern, NamePattern) else None


def labelled(term: Term, name: str) -> Term:
    return replace(term, label=name) if isinstance(term, Function) and not term.label else term


def is_value(expression: Expression) -> bool:
    """Whether evaluating it does nothing, so that each use may give its type variables another meaning."""
    match expression:
        case Literal() | Name() | Lambda() | Cases():
            return True
        case TupleOf(items):
            return all(map(is_value, items))
        case Constructed(_, argument):
            return argument is None or is_value(argument)
        case Annotated(inner):
            return is_value(inner)
        case _:
            return False


def without_recursion(binders: list[Binder], values: list[Term], rest: Term, span: Span) -> Term:
    """`let rec` of something that is no function: allowed where it does not mention what it defines."""
    names = {binder.name for binder in binders}
    term = rest
    for binder, value in reversed(list(zip(binders, values, strict=True))):
        if names & free_names(value).keys():
            raise InputError("a recursive definition of something that is not a function", span)
        term = Let(binder, value, term, span)
    return term


def parameter_names(binding: Binding) -> list[tuple[str, tuple[str, ...]]]:
    """The name that a binding defines and those of the function's parameters, as far as they have any."""
    name, value = plain_name(binding.pattern), binding.value
    if name is None:
        return []
    return [(name, tuple(plain_name(each) or "" for each in value.parameters) if isinstance(value, Lambda) else ())]
