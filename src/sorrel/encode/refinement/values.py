"""What a walk knows of the values of a functional program: terms, structures of them, functions.

Numbers, truth values and characters are terms. Data that cannot contain itself is a number for its constructor and the
arguments of all constructors; data that can is known by its size (how many constructors with parts of the same type it
has) and by what holds of the other parts. Arrays are known by their length and by what holds of all elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from sorrel.functional.term import Function, Recursive
from sorrel.functional.type import Arrow, Named, Type
from sorrel.horn.clause import Predicate
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

Path: TypeAlias = tuple[int | str, ...]
"""Where a part stands in a value: positions in tuples, constructors and positions of their arguments."""


@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """The value of type unit, or one of a type of which nothing is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    term: Term


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A string by its length, and its characters where they are written down."""

    length: Term
    content: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """Data whose constructor is known."""

    constructor: str
    arguments: tuple[Value, ...]
    type: Named


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """Data that cannot contain itself: `tag` is the position of its constructor, whose arguments count."""

    tag: Term
    arguments: Mapping[str, tuple[Value, ...]]
    type: Named


@dataclass(frozen=True, slots=True, eq=False)
class Sized:
    """Data that can contain itself. `parts` tells for each constructor what holds of its other arguments.

    `measured` is what it measures beside its size, where types tell that.
    """

    size: Term
    tag: Term | None  # None where the size says which constructor it is
    parts: Mapping[str, Held]
    type: Named
    measured: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """An array; what its elements are is the same for all of them and at all times."""

    length: Term
    held: Held
    type: Named


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """`cell` is the place of a reference that the walk follows; `held` is what one that it does not always holds."""

    cell: int | None
    held: Held | None
    type: Named


@dataclass(frozen=True, slots=True, eq=False)
class Closed:
    """A function of the program with the values of its free names, and the arguments that it waits with."""

    function: Function
    environment: Mapping[str, Value]
    given: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """A function that is known by its refinement type only. `ghosts` are numbers that it captured, if they count."""

    refinement: FunctionRefinement
    given: tuple[Value, ...] = ()
    ghosts: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Foreign:
    """A function that the environment chose: it may do anything with what it is given."""

    type: Arrow
    given: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Copied:
    """Functions that call themselves, where each use of one has types of its own. Only a name stands for it."""

    group: Recursive
    environment: Mapping[str, Value]


Value: TypeAlias = (
    Nothing | Scalar | Text | Several | Built | OneOf | Sized | Elements | Reference | Closed | Typed | Foreign | Copied
)
FunctionValue: TypeAlias = Closed | Typed | Foreign
Environment: TypeAlias = Mapping[str, Value]


# What holds of values that are not at hand


@dataclass(frozen=True, slots=True, eq=False)
class Anything:
    """Any value of the type: what the environment hands in."""

    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Refinement:
    """{ν | predicate(scope, terms of ν)}; `inner` tells the same of elements and functions inside of ν.

    `own` are the variables that stand for the terms of ν in the scopes of functions inside of it.
    """

    type: Type
    predicate: Predicate
    scope: tuple[Term, ...]
    own: tuple[Term, ...]
    inner: Mapping[Path, Held]


@dataclass(frozen=True, slots=True, eq=False)
class FunctionRefinement:
    """A function type: what it takes, all arguments together, what it gives, and which exceptions leave it.

    `takes.own` are the variables that stand for the terms of the arguments in the scopes of everything behind. `cells`
    are the references that the function may use although they are not handed to it: their contents are further
    arguments and results. `ghosts` says for each parameter how many numbers that a function there captured are
    further arguments: whoever calls fills them in, and types may speak of them.
    """

    label: str
    parameters: tuple[Type, ...]
    takes: Refinement
    gives: Refinement
    raises: Refinement | None
    cells: tuple[int, ...] = ()
    ghosts: tuple[int, ...] = ()


Held: TypeAlias = Anything | Refinement | FunctionRefinement


# Values that are known to be of a kind


def as_function(value: Value) -> FunctionValue:
    if not isinstance(value, Closed | Typed | Foreign):
        raise InternalError("a function is expected")
    return value


def truth(value: Value) -> Term:
    if not isinstance(value, Scalar):
        raise InternalError("a truth value is expected")
    return value.term


def number(value: Value) -> Term:
    if not isinstance(value, Scalar):
        raise InternalError("a number is expected")
    return value.term


def named(type: Type) -> Named:
    if not isinstance(type, Named):
        raise InternalError(f"{type} is not a type by name")
    return type
