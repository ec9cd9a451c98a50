"""Functions and references that a recursive function hands on unchanged, moved out of the recursion.

`let rec iter f i n = … f i … iter f (i + 1) n` becomes
`let iter f i n = let rec go i n = … f i … go (i + 1) n in go i n`: the inner function no longer takes f, which is now
a name in scope, and what f captured is in scope with it.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.functional.simplify.renaming import Renaming
from sorrel.functional.term import (
    Apply,
    Binder,
    Definition,
    Function,
    Let,
    Recursive,
    Term,
    Variable,
    children,
    subterms,
    with_children,
)
from sorrel.functional.type import Arrow, Named, Type, arrows


def without_static_arguments(term: Term) -> Term:
    return _Moving(Renaming(term)).moved(term)


class _Moving:
    def __init__(self, renaming: Renaming) -> None:
        self._renaming = renaming

    def moved(self, term: Term) -> Term:
        inner = with_children(term, tuple(self.moved(child) for child in children(term)))
        if not isinstance(inner, Recursive) or len(inner.definitions) != 1:
            return inner
        definition = inner.definitions[0]
        static = _static(definition)
        if not static or len(static) == len(definition.value.parameters):
            return inner
        return Let(definition.binder, self._wrapped(definition, static), inner.body, inner.span)

    def _wrapped(self, definition: Definition, static: frozenset[int]) -> Function:
        """The function around the one that recurs. Names stay those of the user inside, where the work is done."""
        function = definition.value
        kept = tuple(p for i, p in enumerate(function.parameters) if i not in static)
        outer = tuple(
            parameter if i in static else replace(parameter, name=self._renaming.fresh(parameter.name))
            for i, parameter in enumerate(function.parameters)
        )
        type = arrows([parameter.type for parameter in kept], function.body.type)
        inner = Binder(self._renaming.fresh(definition.binder.name), type, definition.binder.source)
        body = _redirected(function.body, definition.binder.name, inner, static)
        start = Apply(
            Variable(inner.name, type, function.span),
            tuple(Variable(p.name, p.type, function.span) for i, p in enumerate(outer) if i not in static),
            function.body.type,
            function.span,
        )
        recurring = Definition(inner, Function(kept, body, function.span, function.label))
        return Function(outer, Recursive((recurring,), start, function.span), function.span, "")


def _static(definition: Definition) -> frozenset[int]:
    """The positions of parameters that are functions or references and the same in every call from inside."""
    function, own = definition.value, definition.binder.name
    candidates = {i for i, p in enumerate(function.parameters) if _is_worth_moving(p.type)}
    applied: set[int] = set()
    for term in subterms(function.body):
        if isinstance(term, Apply) and isinstance(term.function, Variable) and term.function.name == own:
            applied.add(id(term.function))
            if len(term.arguments) < len(function.parameters):
                return frozenset()
            for position in list(candidates):
                argument = term.arguments[position]
                same = isinstance(argument, Variable) and argument.name == function.parameters[position].name
                if not same:
                    candidates.discard(position)
    mentions = (t for t in subterms(function.body) if isinstance(t, Variable) and t.name == own)
    if any(id(mention) not in applied for mention in mentions):
        return frozenset()
    return frozenset(candidates)


def _is_worth_moving(type: Type) -> bool:
    return isinstance(type, Arrow) or (isinstance(type, Named) and type.name in ("ref", "array"))


def _redirected(term: Term, old: str, new: Binder, static: frozenset[int]) -> Term:
    """Calls of the function itself without the arguments that do not change."""
    inner = with_children(term, tuple(_redirected(child, old, new, static) for child in children(term)))
    if isinstance(inner, Apply) and isinstance(inner.function, Variable) and inner.function.name == old:
        arguments = tuple(argument for i, argument in enumerate(inner.arguments) if i not in static)
        return replace(inner, function=Variable(new.name, new.type, inner.function.span), arguments=arguments)
    return inner
