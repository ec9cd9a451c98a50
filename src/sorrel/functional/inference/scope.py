"""What names mean at a place: values, types, constructors, fields, modules."""

from __future__ import annotations

from copy import copy
from dataclasses import field
from typing import TypeAlias

from sorrel.functional.operator import Operator
from sorrel.functional.type import (
    BOOL,
    CHARACTER,
    EXCEPTION,
    INT,
    STRING,
    UNIT,
    Arrow,
    Constructor,
    Data,
    Rigid,
    Type,
    array_of,
    arrows,
    reference_to,
)
from sorrel.model.errors import InputError, Span, Unsupported
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """A value of the program by its unique name."""

    name: str
    type: Type
    quantified: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Primitive:
    """A function of ours; its rigid variables stand for any type."""

    operator: Operator
    type: Type


@dataclass(frozen=True, slots=True)
class Special:
    """A function whose call becomes a term of its own: raise, what decides, what the environment is asked for."""

    name: str
    type: Type


Value: TypeAlias = Known | Primitive | Special


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name for a type."""

    parameters: tuple[str, ...]
    type: Type


_KINDS = ("values", "types", "constructors", "fields", "modules")


@dataclass(slots=True)
class Scope:
    """Definitions are added in place; a scope inside of another one starts as a copy of it.

    `borrowed` is what came from modules that were opened, by kind and name.
    """

    values: dict[str, Value] = field(default_factory=dict)
    types: dict[str, Data | Alias] = field(default_factory=dict)
    constructors: dict[str, Constructor] = field(default_factory=dict)
    fields: dict[str, Constructor] = field(default_factory=dict)
    modules: dict[str, Scope] = field(default_factory=dict)
    borrowed: dict[tuple[str, str], object] = field(default_factory=dict)

    def inner(self) -> Scope:
        copies = (dict(getattr(self, kind)) for kind in (*_KINDS, "borrowed"))
        return Scope(*copies)

    def opened(self, other: Scope) -> None:
        """Its names are known here, but a module that opens another one does not define what that one does."""
        for kind in _KINDS:
            found = getattr(other, kind)
            getattr(self, kind).update(found)
            self.borrowed.update({(kind, name): meaning for name, meaning in found.items()})

    def included(self, other: Scope) -> None:
        """Its names are defined here: each is something new that means the same."""
        for kind in _KINDS:
            getattr(self, kind).update({name: copy(meaning) for name, meaning in getattr(other, kind).items()})

    def defined_since(self, before: Scope) -> Scope:
        """What was defined after this scope was that one."""
        found = Scope()
        for kind in _KINDS:
            old = getattr(before, kind)
            for name, meaning in getattr(self, kind).items():
                if old.get(name) is not meaning and self.borrowed.get((kind, name)) is not meaning:
                    getattr(found, kind)[name] = meaning
        return found

    def module(self, path: tuple[str, ...], span: Span) -> Scope:
        found = self
        for name in path:
            if name not in found.modules:
                raise Unsupported(
                    f"module {'.'.join(path)}",
                    span,
                    "It is not defined in the file, and not a supported module of the standard library.",
                )
            found = found.modules[name]
        return found

    def value(self, path: tuple[str, ...], span: Span) -> Value:
        found = self.module(path[:-1], span).values.get(path[-1])
        if found is None:
            if len(path) > 1:
                raise Unsupported(f"{'.'.join(path)}", span, "It is not among the functions that are modelled.")
            hint = "If it is one of OCaml's library, it is not among the functions that are modelled."
            raise InputError(f"{path[-1]} is not defined", span, hint=hint)
        return found

    def constructor(self, path: tuple[str, ...], span: Span) -> Constructor:
        found = self.module(path[:-1], span).constructors.get(path[-1])
        if found is None:
            raise InputError(f"there is no constructor {'.'.join(path)}", span)
        return found

    def field(self, path: tuple[str, ...], span: Span) -> Constructor:
        found = self.module(path[:-1], span).fields.get(path[-1])
        if found is None:
            raise InputError(f"there is no field {'.'.join(path)}", span)
        return found

    def records(self) -> list[Constructor]:
        """Of all record types, the last one last."""
        declared = (each for each in self.types.values() if isinstance(each, Data))
        return [one for each in declared for one in each.constructors if one.is_record]

    def declare(self, data: Data) -> None:
        """`data.name` and the constructors' names are unique; the user's names are in front of a dot."""
        self.types.pop(source_name(data.name), None)  # what is declared again comes last
        self.types[source_name(data.name)] = data
        for constructor in data.constructors:
            if constructor.is_record:
                self.fields.update(dict.fromkeys(constructor.fields, constructor))
            else:
                self.constructors[source_name(constructor.name)] = constructor


def source_name(unique: str) -> str:
    """The name in the user's text."""
    return unique.split(".")[0]


_A, _B = Rigid("a"), Rigid("b")
_COMPARISON = arrows([_A, _A], BOOL)
_NUMBERS = arrows([INT, INT], INT)
_OPERATORS = {
    "+": (Operator.ADD, _NUMBERS),
    "-": (Operator.SUBTRACT, _NUMBERS),
    "*": (Operator.MULTIPLY, _NUMBERS),
    "/": (Operator.DIVIDE, _NUMBERS),
    "mod": (Operator.REMAINDER, _NUMBERS),
    "land": (Operator.AND_BITS, _NUMBERS),
    "lor": (Operator.OR_BITS, _NUMBERS),
    "lxor": (Operator.XOR_BITS, _NUMBERS),
    "lsl": (Operator.SHIFT_LEFT, _NUMBERS),
    "lsr": (Operator.SHIFT_RIGHT, _NUMBERS),
    "asr": (Operator.SHIFT_SIGNED, _NUMBERS),
    "lnot": (Operator.NOT_BITS, Arrow(INT, INT)),
    "~-": (Operator.NEGATE, Arrow(INT, INT)),
    "=": (Operator.EQUAL, _COMPARISON),
    "<>": (Operator.DIFFERENT, _COMPARISON),
    "==": (Operator.SAME, _COMPARISON),
    "!=": (Operator.NOT_SAME, _COMPARISON),
    "<": (Operator.LESS, _COMPARISON),
    "<=": (Operator.AT_MOST, _COMPARISON),
    ">": (Operator.GREATER, _COMPARISON),
    ">=": (Operator.AT_LEAST, _COMPARISON),
    "not": (Operator.NOT, Arrow(BOOL, BOOL)),
    "ref": (Operator.MAKE_REFERENCE, Arrow(_A, reference_to(_A))),
    "!": (Operator.CONTENT, Arrow(reference_to(_A), _A)),
    ":=": (Operator.ASSIGN, arrows([reference_to(_A), _A], UNIT)),
    "^": (Operator.TEXT_JOIN, arrows([STRING, STRING], STRING)),
    "string_of_int": (Operator.TEXT_OF_NUMBER, Arrow(INT, STRING)),
    "int_of_char": (Operator.CODE, Arrow(CHARACTER, INT)),
    "print_int": (Operator.SHOW, Arrow(INT, UNIT)),
    "print_string": (Operator.SHOW, Arrow(STRING, UNIT)),
    "print_endline": (Operator.SHOW, Arrow(STRING, UNIT)),
    "print_char": (Operator.SHOW, Arrow(CHARACTER, UNIT)),
    "print_newline": (Operator.SHOW, Arrow(UNIT, UNIT)),
    "prerr_string": (Operator.SHOW, Arrow(STRING, UNIT)),
    "prerr_endline": (Operator.SHOW, Arrow(STRING, UNIT)),
}
_IN_MODULES = {
    ("Array", "make"): (Operator.MAKE_ARRAY, arrows([INT, _A], array_of(_A))),
    ("Array", "create"): (Operator.MAKE_ARRAY, arrows([INT, _A], array_of(_A))),
    ("Array", "length"): (Operator.ARRAY_LENGTH, Arrow(array_of(_A), INT)),
    ("Array", "get"): (Operator.ARRAY_GET, arrows([array_of(_A), INT], _A)),
    ("Array", "set"): (Operator.ARRAY_SET, arrows([array_of(_A), INT, _A], UNIT)),
    ("String", "length"): (Operator.TEXT_LENGTH, Arrow(STRING, INT)),
    ("String", "get"): (Operator.TEXT_GET, arrows([STRING, INT], CHARACTER)),
    ("Char", "code"): (Operator.CODE, Arrow(CHARACTER, INT)),
}
AND, OR, PIPE, APPLY = "&&", "||", "|>", "@@"
RAISE, EXIT, READ_NUMBER, RANDOM_NUMBER, RANDOM_TRUTH = "raise", "exit", "read_int", "Random.int", "Random.bool"


def first_scope() -> Scope:
    """What OCaml's standard library has of itself; `prelude` adds what is written in OCaml."""
    scope = Scope()
    for name, (operator, type) in _OPERATORS.items():
        scope.values[name] = Primitive(operator, type)
    for (module, name), (operator, type) in _IN_MODULES.items():
        scope.modules.setdefault(module, Scope()).values[name] = Primitive(operator, type)
    scope.values["raise"] = scope.values["raise_notrace"] = Special(RAISE, Arrow(EXCEPTION, _A))
    for name in (AND, "&"):
        scope.values[name] = Special(AND, arrows([BOOL, BOOL], BOOL))
    for name in (OR, "or"):
        scope.values[name] = Special(OR, arrows([BOOL, BOOL], BOOL))
    scope.values[PIPE] = Special(PIPE, arrows([_A, Arrow(_A, _B)], _B))
    scope.values[APPLY] = Special(APPLY, arrows([Arrow(_A, _B), _A], _B))
    scope.values["exit"] = Special(EXIT, Arrow(INT, _A))
    scope.values["read_int"] = Special(READ_NUMBER, Arrow(UNIT, INT))
    random = scope.modules.setdefault("Random", Scope())
    random.values["int"] = Special(RANDOM_NUMBER, Arrow(INT, INT))
    random.values["bool"] = Special(RANDOM_TRUTH, Arrow(UNIT, BOOL))
    return scope
