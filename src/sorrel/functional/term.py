"""Terms with types: what inference makes of expressions, and what every later step works on.

Names are unique in a program, so that a term can be moved without capturing anything. Operands, arguments, items of
tuples and arguments of constructors are evaluated from right to left, the function last, as OCaml does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from sorrel.functional.operator import Operator
from sorrel.functional.type import BOOL, UNIT, TupleType, Type, arrows
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Binder:
    """A variable; `source` is its name in the user's text, empty for one of ours."""

    name: str
    type: Type
    source: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    value: int | bool | str | None
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """`instance`: the types that the quantified variables of a polymorphic definition stand for here."""

    name: str
    type: Type
    span: Span = NOWHERE
    instance: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    operator: Operator
    arguments: tuple[Term, ...]
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """Takes all its parameters at once; with fewer arguments nothing happens yet. `label` is what people call it.

    `labels` are what callers call its parameters, if there are any and types are not yet inferred.
    """

    parameters: tuple[Binder, ...]
    body: Term
    span: Span = NOWHERE
    label: str = ""
    labels: tuple[str, ...] = ()

    @property
    def type(self) -> Type:
        return arrows([parameter.type for parameter in self.parameters], self.body.type, self.labels)


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    function: Term
    arguments: tuple[Term, ...]
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """`quantified`: the numbers of the type variables that each use may choose anew."""

    binder: Binder
    value: Term
    body: Term
    span: Span = NOWHERE
    quantified: tuple[int, ...] = ()

    @property
    def type(self) -> Type:
        return self.body.type


@dataclass(frozen=True, slots=True)
class Definition:
    binder: Binder
    value: Function


@dataclass(frozen=True, slots=True, eq=False)
class Recursive:
    """Functions that may call each other."""

    definitions: tuple[Definition, ...]
    body: Term
    span: Span = NOWHERE
    quantified: tuple[int, ...] = ()

    @property
    def type(self) -> Type:
        return self.body.type


@dataclass(frozen=True, slots=True, eq=False)
class If:
    condition: Term
    then: Term
    otherwise: Term
    span: Span = NOWHERE

    @property
    def type(self) -> Type:
        return self.then.type


@dataclass(frozen=True, slots=True, eq=False)
class Tuple:
    items: tuple[Term, ...]
    span: Span = NOWHERE

    @property
    def type(self) -> Type:
        return TupleType(tuple(item.type for item in self.items))


@dataclass(frozen=True, slots=True, eq=False)
class Construct:
    constructor: str
    arguments: tuple[Term, ...]
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Branch:
    """A case of a match. A case whose guard is false is passed over."""

    pattern: Pattern
    guard: Term | None
    body: Term


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    subject: Term
    branches: tuple[Branch, ...]
    span: Span = NOWHERE

    @property
    def type(self) -> Type:
        return self.branches[0].body.type


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    condition: Term
    type: Type = UNIT
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """Any value of the type, chosen by the environment; a number below `below`, and not negative, if that is there."""

    type: Type
    source: str
    span: Span = NOWHERE
    below: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Raise:
    exception: Term
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """An exception that no case matches goes on."""

    body: Term
    branches: tuple[Branch, ...]
    span: Span = NOWHERE

    @property
    def type(self) -> Type:
        return self.body.type


Term: TypeAlias = (
    Constant
    | Variable
    | Operation
    | Function
    | Apply
    | Let
    | Recursive
    | If
    | Tuple
    | Construct
    | Match
    | Assert
    | Input
    | Raise
    | Try
)


# Patterns


@dataclass(frozen=True, slots=True)
class Anything:
    type: Type


@dataclass(frozen=True, slots=True)
class Bind:
    """The part of the value that `pattern` matches, by a name."""

    binder: Binder
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Exactly:
    value: int | bool | str | None
    type: Type


@dataclass(frozen=True, slots=True)
class Between:
    """A number from the first to the last one; characters are numbers."""

    first: int
    last: int
    type: Type


@dataclass(frozen=True, slots=True)
class Items:
    items: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Case:
    constructor: str
    arguments: tuple[Pattern, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Either:
    """The first alternative that matches; both bind the same names."""

    left: Pattern
    right: Pattern


@dataclass(frozen=True, slots=True)
class Within:
    """A reference whose content, at that moment, fits the pattern."""

    content: Pattern


Pattern: TypeAlias = Anything | Bind | Exactly | Between | Items | Case | Either | Within


def binders(pattern: Pattern) -> Iterator[Binder]:
    """The names that a match binds, each once."""
    match pattern:
        case Bind(binder, inner):
            yield binder
            yield from binders(inner)
        case Items(items) | Case(_, items, _):
            for item in items:
                yield from binders(item)
        case Either(inner, _) | Within(inner):
            yield from binders(inner)
        case _:
            return


# Parts of terms


def children(term: Term) -> tuple[Term, ...]:
    """The terms right inside of this one, in the order in which they are written."""
    match term:
        case Operation(_, arguments) | Construct(_, arguments):
            return arguments
        case Function(_, body):
            return (body,)
        case Apply(function, arguments):
            return (function, *arguments)
        case Let(_, value, body):
            return (value, body)
        case Recursive(definitions, body):
            return (*(definition.value for definition in definitions), body)
        case If(condition, then, otherwise):
            return (condition, then, otherwise)
        case Tuple(items):
            return items
        case Match(subject, branches) | Try(subject, branches):
            return (subject, *(part for branch in branches for part in _parts(branch)))
        case Assert(condition):
            return (condition,)
        case Raise(exception):
            return (exception,)
        case _:
            return ()


def _parts(branch: Branch) -> tuple[Term, ...]:
    return (branch.body,) if branch.guard is None else (branch.guard, branch.body)


def with_children(term: Term, new: tuple[Term, ...]) -> Term:
    """The term with other parts, in the order of `children`."""
    if not new or all(old is fresh for old, fresh in zip(children(term), new, strict=True)):
        return term
    match term:
        case Operation() | Construct():
            return replace(term, arguments=new)
        case Function():
            return replace(term, body=new[0])
        case Apply():
            return replace(term, function=new[0], arguments=new[1:])
        case Let():
            return replace(term, value=new[0], body=new[1])
        case Recursive(definitions):
            pairs = zip(definitions, new, strict=False)
            fresh = tuple(Definition(each.binder, _function(value)) for each, value in pairs)
            return replace(term, definitions=fresh, body=new[-1])
        case If():
            return If(new[0], new[1], new[2], term.span)
        case Tuple():
            return replace(term, items=new)
        case Match(_, branches):
            return Match(new[0], _branches(branches, new[1:]), term.span)
        case Try(_, branches):
            return Try(new[0], _branches(branches, new[1:]), term.span)
        case Assert():
            return replace(term, condition=new[0])
        case Raise():
            return replace(term, exception=new[0])
        case _:
            return term


def _function(term: Term) -> Function:
    if not isinstance(term, Function):
        raise TypeError("a recursive definition is a function")
    return term


def _branches(branches: tuple[Branch, ...], new: tuple[Term, ...]) -> tuple[Branch, ...]:
    remaining = iter(new)
    return tuple(Branch(b.pattern, None if b.guard is None else next(remaining), next(remaining)) for b in branches)


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything inside of it, outer ones first."""
    stack = [term]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))


def bound(term: Term) -> Iterator[Binder]:
    """The names that this very term binds."""
    match term:
        case Function(parameters):
            yield from parameters
        case Let(binder):
            yield binder
        case Recursive(definitions):
            yield from (definition.binder for definition in definitions)
        case Match(_, branches) | Try(_, branches):
            for branch in branches:
                yield from binders(branch.pattern)
        case _:
            return


def free_names(term: Term) -> dict[str, Type]:
    """The variables that the term mentions and does not bind, in order; names are unique, so scopes do not matter."""
    inside = {binder.name for each in subterms(term) for binder in bound(each)}
    mentioned = (each for each in subterms(term) if isinstance(each, Variable))
    return {each.name: each.type for each in mentioned if each.name not in inside}


def is_pure_value(term: Term) -> bool:
    """Whether evaluating the term does nothing and cannot fail, so that it can be copied, moved or dropped."""
    match term:
        case Constant() | Variable() | Function():
            return True
        case Tuple(items) | Construct(_, items):
            return all(is_pure_value(item) for item in items)
        case _:
            return False


UNIT_VALUE = Constant(None, UNIT)
TRUE, FALSE = Constant(True, BOOL), Constant(False, BOOL)
