"""A copy of each polymorphic definition for each type that it is used at, so that every type is known.

Only what is a value already has a polymorphic type, so that copying it repeats nothing, and a definition that nobody
uses can be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.functional.inference.context import Context
from sorrel.functional.operator import COMPARISONS, Operator
from sorrel.functional.term import (
    Anything,
    Between,
    Bind,
    Binder,
    Branch,
    Case,
    Definition,
    Either,
    Exactly,
    Function,
    Items,
    Let,
    Match,
    Operation,
    Pattern,
    Recursive,
    Term,
    Try,
    Variable,
    Within,
    children,
    is_pure_value,
    subterms,
    with_children,
)
from sorrel.functional.type import SCALARS, Arrow, Named, Type, ground, parts
from sorrel.model.errors import Unsupported

_Known = Mapping[int, Type]


class _Copies:
    """The instances of one definition that were asked for, each with the names that it defines."""

    def __init__(self) -> None:
        self.asked: dict[tuple[Type, ...], dict[str, str]] = {}


class Instances:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._used: set[str] = set()
        self._copied: dict[str, _Copies] = {}
        self._renamed: dict[str, str] = {}

    def term(self, term: Term, known: _Known | None = None) -> Term:
        """`known`: the types that the variables of the definitions around stand for in this copy."""
        known = known or {}
        match term:
            case Variable(name, type, span, instance):
                return Variable(self._name(name, instance, known), ground(type, known), span)
            case Let(binder, value, body, span, quantified):
                if quantified:
                    return self._copies((Definition(binder, value),), body, span, quantified, known)  # type: ignore[arg-type]
                rest_binder = self._binder(binder, known)
                rest = self.term(body, known)
                if rest_binder.name not in self._used and is_pure_value(value):
                    return rest
                return Let(rest_binder, self.term(value, known), rest, span)
            case Recursive(definitions, body, span, quantified):
                if quantified:
                    return self._copies(definitions, body, span, quantified, known)
                binders = [self._binder(each.binder, known) for each in definitions]
                rest = self.term(body, known)
                if not any(binder.name in self._used for binder in binders):
                    return rest
                return self._group(binders, definitions, rest, span, known)
            case Match(subject, branches, span):
                return Match(self.term(subject, known), self._branches(branches, known), span)
            case Try(body, branches, span):
                return Try(self.term(body, known), self._branches(branches, known), span)
            case Function(parameters, body, span, label):
                binders = [self._binder(parameter, known) for parameter in parameters]
                return Function(tuple(binders), self.term(body, known), span, label)
            case _:
                inner = with_children(term, tuple(self.term(child, known) for child in children(term)))
                return self._checked(_with_type(inner, known))

    def _name(self, name: str, instance: tuple[Type, ...], known: _Known) -> str:
        copies = self._copied.get(name)
        if copies is not None and instance:
            types = tuple(ground(type, known) for type in instance)
            found = copies.asked.get(types)
            if found is None:
                found = copies.asked[types] = {}
            if name not in found:
                found[name] = self._context.unique(name.split(".")[0]) if len(copies.asked) > 1 else name
            chosen = found[name]
        else:
            chosen = self._renamed.get(name, name)
        self._used.add(chosen)
        return chosen

    def _binder(self, binder: Binder, known: _Known) -> Binder:
        """A name of its own for each copy; the first one keeps it."""
        seen = binder.name in self._renamed
        self._renamed[binder.name] = self._context.unique(binder.name.split(".")[0]) if seen else binder.name
        return replace(binder, name=self._renamed[binder.name], type=ground(binder.type, known))

    def _group(
        self, binders: list[Binder], definitions: tuple[Definition, ...], rest: Term, span: object, known: _Known
    ) -> Term:
        made = []
        for binder, each in zip(binders, definitions, strict=True):
            value = self.term(each.value, known)
            if not isinstance(value, Function):
                raise TypeError("a recursive definition is a function")
            made.append(Definition(binder, value))
        return Recursive(tuple(made), rest, span)  # type: ignore[arg-type]

    def _copies(
        self, definitions: tuple[Definition, ...], body: Term, span: object, quantified: tuple[int, ...], known: _Known
    ) -> Term:
        """What follows says which instances there are."""
        copies = _Copies()
        recursive = all(isinstance(each.value, Function) for each in definitions) and _mentions_itself(definitions)
        for each in definitions:
            self._copied[each.binder.name] = copies
        rest = self.term(body, known)
        for types, names in copies.asked.items():
            inside = {**known, **dict(zip(quantified, types, strict=True))}
            binders = []
            for each in definitions:
                chosen = names.get(each.binder.name) or self._context.unique(each.binder.name.split(".")[0])
                self._renamed[each.binder.name] = chosen
                binders.append(replace(each.binder, name=chosen, type=ground(each.binder.type, inside)))
            if recursive:
                rest = self._group(binders, definitions, rest, span, inside)
                continue
            for binder, each in zip(binders, definitions, strict=True):
                rest = Let(binder, self.term(each.value, inside), rest, span)  # type: ignore[arg-type]
        return rest

    def _checked(self, term: Term) -> Term:
        """Comparisons of what can be compared; the physical ones only where they mean the same as the others."""
        if not isinstance(term, Operation):
            return term
        if term.operator in (Operator.SAME, Operator.NOT_SAME):
            if term.arguments[0].type not in SCALARS:
                raise Unsupported("physical equality (==) of anything but numbers", term.span, "Use = or <>.")
            plain = Operator.EQUAL if term.operator is Operator.SAME else Operator.DIFFERENT
            return replace(term, operator=plain)
        if term.operator in COMPARISONS and self._has_function(term.arguments[0].type, set()):
            raise Unsupported("a comparison of functions", term.span)
        return term

    def _has_function(self, type: Type, seen: set[str]) -> bool:
        """Whether there may be a function inside of a value of the type; `seen` are the types that were looked at."""
        if isinstance(type, Arrow) or any(self._has_function(part, seen) for part in parts(type)):
            return True
        if not isinstance(type, Named) or type.name not in self._context.data or type.name in seen:
            return False
        seen.add(type.name)
        constructors = self._context.data[type.name].constructors
        return any(self._has_function(each, seen) for one in constructors for each in one.arguments)

    def _branches(self, branches: tuple[Branch, ...], known: _Known) -> tuple[Branch, ...]:
        found = []
        for branch in branches:
            pattern = self._pattern(branch.pattern, known, {})
            guard = self.term(branch.guard, known) if branch.guard is not None else None
            found.append(Branch(pattern, guard, self.term(branch.body, known)))
        return tuple(found)

    def _pattern(self, pattern: Pattern, known: _Known, named: dict[str, Binder]) -> Pattern:
        match pattern:
            case Anything(type):
                return Anything(ground(type, known))
            case Exactly(value, type):
                return Exactly(value, ground(type, known))
            case Between():
                return pattern
            case Bind(binder, inner):
                fresh = named.get(binder.name)
                if fresh is None:
                    fresh = named[binder.name] = self._binder(binder, known)
                return Bind(fresh, self._pattern(inner, known, named))
            case Items(items):
                return Items(tuple(self._pattern(item, known, named) for item in items))
            case Case(constructor, arguments, type):
                inner_patterns = tuple(self._pattern(item, known, named) for item in arguments)
                return Case(constructor, inner_patterns, ground(type, known))
            case Either(left, right):
                return Either(self._pattern(left, known, named), self._pattern(right, known, named))
            case Within(content):
                return Within(self._pattern(content, known, named))


def _mentions_itself(definitions: tuple[Definition, ...]) -> bool:
    names = {each.binder.name for each in definitions}
    return any(
        isinstance(part, Variable) and part.name in names for each in definitions for part in subterms(each.value)
    )


def _with_type(term: Term, known: _Known) -> Term:
    """Terms that say their own type."""
    own = getattr(term, "type", None)
    if own is None or isinstance(getattr(type(term), "type", None), property):
        return term
    return replace(term, type=ground(own, known))  # type: ignore[arg-type]
