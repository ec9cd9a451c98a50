"""What inference shares: fresh types and names, and the data that the program declares."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from sorrel.functional.inference.scope import Alias, Scope
from sorrel.functional.inference.unification import Unifier
from sorrel.functional.syntax import (
    ConstructorDeclaration,
    ModuleAlias,
    ModuleDefinition,
    TypeArrow,
    TypeExpression,
    TypeName,
    TypeTuple,
    TypeVariable,
)
from sorrel.functional.term import Binder, Term
from sorrel.functional.type import (
    BOOL,
    BUILT_IN,
    CHARACTER,
    EXCEPTION,
    FLOAT,
    INT,
    STRING,
    UNIT,
    Arrow,
    Constructor,
    Data,
    Named,
    TupleType,
    Type,
    is_optional,
    option_of,
    pruned,
    substituted,
)
from sorrel.model.errors import InputError, Span, Unsupported

if TYPE_CHECKING:
    from sorrel.functional.inference.expressions import Expressions

_BASIC = {str(type.name): type for type in (INT, BOOL, UNIT, CHARACTER, STRING, EXCEPTION, FLOAT)}
_WITH_ARGUMENT = ("array", "ref")


LocalModule: TypeAlias = "Callable[[ModuleDefinition | ModuleAlias, Expressions, Callable[[Expressions], Term]], Term]"
"""What follows a module that is defined inside of an expression, in its scope."""


def _no_module(module: ModuleDefinition | ModuleAlias, *_: object) -> Term:
    raise Unsupported("a local module", module.span)


class Context:
    def __init__(self) -> None:
        self.unifier = Unifier()
        self.data: dict[str, Data] = {}
        built_in = [name for each in BUILT_IN for name in (each.name, *(one.name for one in each.constructors))]
        self._taken: dict[str, int] = dict.fromkeys((*_BASIC, *_WITH_ARGUMENT, *built_in), 1)
        self.data[EXCEPTION.name] = Data(EXCEPTION.name, (), ())
        self.ours: dict[str, Scope] = {}  # the modules of OCaml's library, as far as we have them
        self.variables: dict[str, Type] = {}  # those that annotations of one definition name
        self.local: LocalModule = _no_module
        self.inside: dict[str, Constructor] = {}  # names of values that are known as the record inside of a constructor

    def unique(self, name: str) -> str:
        """`x` for the first one, then `x.2`, `x.3`, …"""
        count = self._taken.get(name, 0) + 1
        self._taken[name] = count
        return name if count == 1 else f"{name}.{count}"

    def binder(self, source: str, type: Type) -> Binder:
        return Binder(self.unique(source or "it"), type, source)

    def type(self, written: TypeExpression, scope: Scope) -> Type:
        """The type that an annotation means."""
        match written:
            case TypeVariable(name):
                return self.variables.setdefault(name, self.unifier.fresh())
            case TypeArrow(parameter, result, label):
                taken = self.type(parameter, scope)
                return Arrow(option_of(taken) if is_optional(label) else taken, self.type(result, scope), label)
            case TypeTuple(items):
                return TupleType(tuple(self.type(item, scope) for item in items))
            case TypeName():
                return self._named(written, scope)

    def _named(self, written: TypeName, scope: Scope) -> Type:
        arguments = tuple(self.type(argument, scope) for argument in written.arguments)
        *path, name = written.path
        found = scope.module(tuple(path), written.span).types.get(name)
        if found is None and not path:
            if name in _BASIC and not arguments:
                return _BASIC[name]
            if name in _WITH_ARGUMENT and len(arguments) == 1:
                return Named(name, arguments)
        if found is None:
            raise InputError(f"there is no type {'.'.join(written.path)}", written.span)
        if len(found.parameters) != len(arguments):
            wanted = len(found.parameters)
            raise InputError(f"type {name} takes {wanted} arguments, here are {len(arguments)}", written.span)
        if isinstance(found, Alias):
            return substituted(found.type, dict(zip(found.parameters, arguments, strict=True)))
        return Named(found.name, arguments)

    def exception(self, declared: ConstructorDeclaration, scope: Scope) -> Constructor:
        """One more exception."""
        arguments = tuple(self.type(each, scope) for each in declared.arguments)
        made = Constructor(self.unique(declared.name), EXCEPTION.name, arguments)
        known = self.data[EXCEPTION.name].constructors
        self.data[EXCEPTION.name] = Data(EXCEPTION.name, (), (*known, made))
        return made

    def record(
        self, paths: list[tuple[str, ...]], type: Type | None, scope: Scope, span: Span, *, whole: bool = False
    ) -> Constructor:
        """The record type that has these fields: the one that is expected, or the last one that has all of them.

        `whole`: and no others.
        """
        known = pruned(type) if type is not None else None
        last = scope.field(paths[0], span)
        names = {path[-1] for path in paths}
        if isinstance(known, Named) and known.name in self.data:
            for each in self.data[known.name].constructors:
                if each.is_record and names <= set(each.fields):
                    return each
        others = scope.records()[::-1] if all(len(path) == 1 for path in paths) else []
        for found in (last, *others):
            if names == set(found.fields) if whole else names <= set(found.fields):
                return found
        return last

    def declared(self, constructor: Constructor) -> Data:
        return self.data[constructor.type_name]

    def constructed(self, constructor: Constructor) -> tuple[tuple[Type, ...], Type]:
        """Fresh types of the constructor's arguments, and of what it makes."""
        data = self.declared(constructor)
        arguments = tuple(self.unifier.fresh() for _ in data.parameters)
        return data.instance(constructor, arguments), Named(data.name, arguments)
