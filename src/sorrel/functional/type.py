"""Types of functional programs, and declarations of data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """A type by its name, with its arguments: `int`, `int list`, a type that the program declares."""

    name: str
    arguments: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """`label` is what callers call the argument, if they do: `x`, or `?x` where they may leave it out.

    Labels say which argument is which while types are inferred; after that the order does.
    """

    parameter: Type
    result: Type
    label: str = ""


@dataclass(frozen=True, slots=True)
class TupleType:
    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Rigid:
    """A variable that stands for any type: a parameter of a declaration, a quantified variable of a scheme."""

    name: str


@dataclass(eq=False, slots=True)
class Flexible:
    """A type that inference has not determined yet; `link` is what it turned out to be.

    `level` counts the definitions that it was made inside of: what was made deeper than a definition is its own.
    """

    number: int
    level: int
    link: Type | None = None


Type: TypeAlias = Named | Arrow | TupleType | Rigid | Flexible

INT, BOOL, UNIT, CHARACTER, STRING = map(Named, ("int", "bool", "unit", "char", "string"))
FLOAT, EXCEPTION = Named("float"), Named("exn")
ASSERT_FAILURE = "Assert_failure"
"""The exception of an assertion that does not hold."""
SCALARS = (INT, BOOL, UNIT, CHARACTER)


def opaque(letter: str) -> Named:
    """A type of which nothing is known, in place of a type variable."""
    return Named(f"'{letter}")


def is_opaque(type: Type) -> bool:
    return isinstance(type, Named) and type.name.startswith("'")


def option_of(content: Type) -> Named:
    return Named("option", (content,))


def list_of(element: Type) -> Named:
    return Named("list", (element,))


def array_of(element: Type) -> Named:
    return Named("array", (element,))


def reference_to(content: Type) -> Named:
    return Named("ref", (content,))


@dataclass(frozen=True, slots=True)
class Constructor:
    """One case of a data type; `fields` names the arguments of a record, `mutable` those that can be assigned."""

    name: str
    type_name: str
    arguments: tuple[Type, ...] = ()
    fields: tuple[str, ...] = ()
    mutable: tuple[bool, ...] = ()

    @property
    def is_record(self) -> bool:
        """Whether it is a type of its own: constructors with a record inside have fields too, and capitals."""
        return bool(self.fields) and not self.name[0].isupper()


@dataclass(frozen=True, slots=True)
class Data:
    """A declared type: its parameters, and its cases in order. A record has one case, of its own name."""

    name: str
    parameters: tuple[str, ...]
    constructors: tuple[Constructor, ...]

    def instance(self, constructor: Constructor, arguments: Sequence[Type]) -> tuple[Type, ...]:
        """The types of the constructor's arguments in this type with these arguments."""
        mapping = dict(zip(self.parameters, arguments, strict=True))
        return tuple(substituted(argument, mapping) for argument in constructor.arguments)

    def position(self, constructor: str) -> int:
        return next(i for i, each in enumerate(self.constructors) if each.name == constructor)


NIL, CONS = "[]", "::"
LIST = Data("list", ("a",), (Constructor(NIL, "list"), Constructor(CONS, "list", (Rigid("a"), list_of(Rigid("a"))))))
OPTION = Data("option", ("a",), (Constructor("None", "option"), Constructor("Some", "option", (Rigid("a"),))))
BUILT_IN = (LIST, OPTION)


def pruned(type: Type) -> Type:
    """The type behind the links of a flexible one."""
    while isinstance(type, Flexible) and type.link is not None:
        type = type.link
    return type


def parts(type: Type) -> tuple[Type, ...]:
    match pruned(type):
        case Named(_, arguments):
            return arguments
        case Arrow(parameter, result):
            return (parameter, result)
        case TupleType(items):
            return items
        case _:
            return ()


def rebuilt(type: Type, new: Sequence[Type]) -> Type:
    """The type with other parts, in the order of `parts`."""
    match type:
        case Named(name, _):
            return Named(name, tuple(new))
        case Arrow(label=label):
            return Arrow(new[0], new[1], label)
        case TupleType():
            return TupleType(tuple(new))
        case _:
            return type


def substituted(type: Type, mapping: Mapping[str, Type]) -> Type:
    """The type with each rigid variable replaced."""
    type = pruned(type)
    if isinstance(type, Rigid):
        return mapping.get(type.name, type)
    inner = parts(type)
    return rebuilt(type, [substituted(part, mapping) for part in inner]) if inner else type


def ground(type: Type, mapping: Mapping[int, Type] | None = None) -> Type:
    """The type without flexible variables: those in the mapping get their type, and what nothing determines is int.

    Nor has it labels.
    """
    type = pruned(type)
    if isinstance(type, Flexible):
        return (mapping or {}).get(type.number, INT)
    if isinstance(type, Rigid):
        return INT
    inner = parts(type)
    return without_label(rebuilt(type, [ground(part, mapping) for part in inner])) if inner else type


def without_label(type: Type) -> Type:
    return Arrow(type.parameter, type.result) if isinstance(type, Arrow) and type.label else type


def without_labels(type: Type) -> Type:
    inner = parts(type)
    return without_label(rebuilt(type, [without_labels(part) for part in inner])) if inner else type


def flexible(type: Type) -> Iterator[Flexible]:
    """The variables that are left open, in order, each as often as it occurs."""
    type = pruned(type)
    if isinstance(type, Flexible):
        yield type
    for part in parts(type):
        yield from flexible(part)


def uncurried(type: Type) -> tuple[tuple[Type, ...], Type]:
    """The parameters of a function type, and what it gives in the end."""
    taken: list[Type] = []
    type = pruned(type)
    while isinstance(type, Arrow):
        taken.append(type.parameter)
        type = pruned(type.result)
    return tuple(taken), type


def arrows(parameters: Sequence[Type], result: Type, labels: Sequence[str] = ()) -> Type:
    """`labels` are those of the parameters, or none."""
    for position in reversed(range(len(parameters))):
        result = Arrow(parameters[position], result, labels[position] if labels else "")
    return result


def labels_of(type: Type) -> tuple[str, ...]:
    """The labels of the parameters of a function type."""
    found: list[str] = []
    type = pruned(type)
    while isinstance(type, Arrow):
        found.append(type.label)
        type = pruned(type.result)
    return tuple(found)


def is_optional(label: str) -> bool:
    return label.startswith("?")


def letter(position: int) -> str:
    """a, b, …, z, a1, b1, …"""
    return chr(ord("a") + position % 26) + (str(position // 26) if position >= 26 else "")


def shown(type: Type) -> str:
    """The type as OCaml writes it; flexible variables get letters in the order in which they occur."""
    return _Letters().text(type, 0)


class _Letters:
    def __init__(self) -> None:
        self._letters: dict[int, str] = {}

    def text(self, type: Type, context: int) -> str:
        """`context`: 0 anything, 1 the left of an arrow, 2 part of a tuple, 3 the argument of a type."""
        type = pruned(type)
        match type:
            case Flexible(number):
                return "'" + self._letters.setdefault(number, letter(len(self._letters)))
            case Rigid(name):
                return "'" + name
            case Arrow(parameter, result, label):
                return _wrapped(f"{self._labelled(label, parameter)} -> {self.text(result, 0)}", context >= 1)
            case TupleType(items):
                return _wrapped(" * ".join(self.text(item, 2) for item in items), context >= 2)
            case Named(name, ()):
                return _source(name)
            case Named(name, (one,)):
                return f"{self.text(one, 3)} {_source(name)}"
            case Named(name, several):
                return f"({', '.join(self.text(each, 0) for each in several)}) {_source(name)}"

    def _labelled(self, label: str, parameter: Type) -> str:
        known = pruned(parameter)
        if is_optional(label) and isinstance(known, Named) and known.arguments:
            parameter = known.arguments[0]
        return f"{label}:{self.text(parameter, 1)}" if label else self.text(parameter, 1)


def _source(name: str) -> str:
    """The user's name of a type; what follows a dot tells it from others of that name."""
    return name.split(".")[0]


def _wrapped(text: str, needed: bool) -> str:
    return f"({text})" if needed else text
