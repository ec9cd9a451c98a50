"""Files to one typed program: definitions in order, and a call of the entry with any arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sorrel.functional.inference.bindings import parameter_names
from sorrel.functional.inference.context import Context
from sorrel.functional.inference.expressions import Expressions
from sorrel.functional.inference.instances import Instances
from sorrel.functional.inference.scope import Alias, Known, Scope, first_scope
from sorrel.functional.interface import Interface
from sorrel.functional.program import File, Program
from sorrel.functional.syntax import (
    Effect,
    ExceptionDefinition,
    Include,
    LetDefinition,
    ModuleAlias,
    ModuleDefinition,
    Open,
    Signature,
    TopLevel,
    TypeDeclaration,
    TypeDefinition,
)
from sorrel.functional.term import UNIT_VALUE, Apply, Input, Let, Term, Tuple, Variable
from sorrel.functional.type import (
    BUILT_IN,
    UNIT,
    Constructor,
    Data,
    Named,
    Rigid,
    Type,
    flexible,
    ground,
    letter,
    opaque,
    parts,
    pruned,
    reference_to,
    uncurried,
    without_labels,
)
from sorrel.model.errors import InputError, Span

_Then = Callable[[Expressions], Term]


def typed_program(prelude: File, files: Sequence[File], function: str, *, offering: bool = False) -> Program:
    """The files in this order, each as a module of its own that the last one, and everyone after it, may open.

    `offering`: the program is asked about its functions, or about this one, in place of its runs.
    """
    return _Reading(function, offering).program(prelude, files)


class _Reading:
    def __init__(self, function: str, offering: bool) -> None:
        self._context = Context()
        self._context.local = self._local
        self._function = function
        self._offering = offering
        self._offered: dict[str, tuple[str, ...]] = {}
        self._declared: dict[str, Type] = {}
        self._own_types: list[Data] = []
        self._abstract: set[str] = set()  # the outermost words of types that modules keep to themselves
        self._own_exceptions: list[Constructor] = []
        self._quantified: dict[str, tuple[int, ...]] = {}
        self._parameters: dict[str, tuple[str, ...]] = {}
        self._entry = ""
        self._is_ours = True

    def program(self, prelude: File, files: Sequence[File]) -> Program:
        scope = first_scope()
        for data in BUILT_IN:
            self._context.data[data.name] = data
            scope.declare(data)
        start = Expressions(self._context, scope)
        last = files[-1]

        def modules(inner: Expressions, rest: Sequence[File]) -> Term:
            if self._is_ours:
                self._context.ours = dict(inner.scope.modules)
            self._is_ours = False
            if not rest:
                end = self._offer if self._offering else self._end
                return self._definitions(last.definitions, inner, end, top=True)
            module = ModuleDefinition(rest[0].module, rest[0].definitions)
            return self._definitions((module,), inner, lambda after: modules(after, rest[1:]))

        body = self._definitions(prelude.definitions, start, lambda inner: modules(inner, files[:-1]))
        term = Instances(self._context).term(body)
        return Program(
            term,
            {name: _by_place(data) for name, data in self._context.data.items()},
            self._entry,
            self._declared,
            offered=self._offered,
            interface=Interface(tuple(self._own_types), tuple(self._own_exceptions), tuple(self._values())),
        )

    def _values(self) -> Iterator[tuple[str, Type]]:
        """Those whose types are known: a variable that is not quantified may stand for one type only."""
        for name, type in self._declared.items():
            is_closed = all(each.number in self._quantified[name] for each in flexible(type))
            if is_closed and not self._may_be_abstract(type):
                yield name, type

    def _may_be_abstract(self, type: Type) -> bool:
        """Whether the type may be known outside by another name only, which we look through."""
        return _head(type) in self._abstract or any(map(self._may_be_abstract, parts(type)))

    def _offer(self, inner: Expressions) -> Term:
        """The functions that the last file defines, whatever their type variables stand for."""
        wanted = [self._function] if self._function else list(self._declared)
        found: list[Term] = []
        for name in wanted:
            value = inner.scope.values.get(name)
            if not isinstance(value, Known) or name not in self._declared:
                raise InputError(f"there is no function {name}", hint="Name one that the last file defines.")
            type, instance = self._context.unifier.instance(value.type, value.quantified)
            if not uncurried(type)[0]:
                if self._function:
                    raise InputError(f"{name} is not a function")
                continue
            for position, each in enumerate(instance):
                self._context.unifier.unify(each, opaque(letter(position)), Span())
            found.append(Variable(value.name, type, instance=instance))
            self._offered[name] = self._parameters[name]
        return Tuple(tuple(found)) if found else UNIT_VALUE

    def _end(self, inner: Expressions) -> Term:
        """The call of the entry; without one, nothing more happens than the definitions do."""
        found = inner.scope.values.get(self._function)
        if not isinstance(found, Known):
            if self._function != "main":
                raise InputError(f"there is no function {self._function}", hint="Name one that the last file defines.")
            return UNIT_VALUE
        type, instance = self._context.unifier.instance(found.type, found.quantified)
        callee = Variable(found.name, type, instance=instance)
        parameters, result = uncurried(type)
        if not parameters:
            if self._function != "main":
                raise InputError(f"{self._function} is not a function")
            return UNIT_VALUE
        self._entry = self._function
        return self._called(callee, parameters, result)

    def _called(self, callee: Variable, parameters: tuple[Type, ...], result: Type) -> Term:
        names = self._parameters.get(self._function, ())
        binders = []
        for position, type in enumerate(parameters):
            named = names[position] if position < len(names) else ""
            binders.append(self._context.binder(named or f"argument{position + 1}", type))
        arguments = tuple(Variable(binder.name, binder.type) for binder in binders)
        term: Term = Apply(callee, arguments, result)
        for binder in reversed(binders):
            value = UNIT_VALUE if ground(binder.type) == UNIT else Input(binder.type, binder.source)
            term = Let(binder, value, term)
        return term

    # Definitions

    def _definitions(self, rest: Sequence[TopLevel], inner: Expressions, then: _Then, *, top: bool = False) -> Term:
        """What is defined is known to what follows, in the end to `then`."""
        if not rest:
            return then(inner)
        first, following = rest[0], rest[1:]
        self._context.variables = {}

        def go_on(after: Expressions) -> Term:
            if top:
                self._note(first, inner.scope, after.scope)
            return self._definitions(following, after, then, top=top)

        match first:
            case LetDefinition(recursive, bindings, span):
                return inner.let(recursive, bindings, span, go_on)
            case Effect(expression, span):
                done = inner.term(expression)
                return Let(self._context.binder("", done.type), done, go_on(inner), span)
            case ModuleDefinition():
                return self._module(first, inner, go_on)
            case _:
                scope = inner.scope.inner()
                self._declare(first, scope)
                return go_on(Expressions(self._context, scope))

    def _note(self, definition: TopLevel, before: Scope, after: Scope) -> None:
        """What the user defines, for people."""
        if isinstance(definition, TypeDefinition):
            named = [after.types[each.name] for each in definition.declarations if each.alias is None]
            self._own_types += [self._context.data[each.name] for each in named if isinstance(each, Data)]
        if isinstance(definition, ExceptionDefinition):
            self._own_exceptions.append(after.constructors[definition.constructor.name])
        for binding in definition.bindings if isinstance(definition, LetDefinition) else ():
            for name, parameters in parameter_names(binding):
                value = after.values.get(name)
                if isinstance(value, Known) and before.values.get(name) is not value:
                    self._declared[name] = value.type
                    self._parameters[name] = parameters
                    self._quantified[name] = value.quantified

    def _local(self, module: ModuleDefinition | ModuleAlias, inner: Expressions, then: _Then) -> Term:
        """A module inside of an expression: variables of annotations around it keep their meaning behind it."""
        variables = self._context.variables

        def behind(after: Expressions) -> Term:
            self._context.variables = variables
            return then(after)

        return self._definitions((module,), inner, behind)

    def _module(self, module: ModuleDefinition, inner: Expressions, then: _Then) -> Term:
        """What it defines is known outside by its path; what its signature does not list is not."""

        def after(body: Expressions) -> Term:
            own = body.scope.defined_since(inside.scope)
            if module.signature is not None:
                own = self._let_out(own, module.signature, body.scope, module.span)
            scope = inner.scope.inner()
            if adds:
                merged = scope.modules[module.name].inner()
                merged.opened(own)
                own = merged
            scope.modules[module.name] = own
            return then(Expressions(self._context, scope))

        inside = Expressions(self._context, inner.scope.inner())
        # Our own text adds to the modules that have functions of ours.
        adds = self._is_ours and module.name in inside.scope.modules
        if adds:
            inside.scope.opened(inside.scope.modules[module.name])
        return self._definitions(module.definitions, inside, after)

    def _let_out(self, own: Scope, signature: Signature, scope: Scope, span: Span) -> Scope:
        """What others may use of a module; a name that it does not let out keeps the meaning that it has for them."""
        values = {}
        for name, written in signature.values:
            value = own.values.get(name)
            if value is None:
                raise InputError(f"the signature lists {name}, which is not defined", span)
            found, _ = self._context.unifier.instance(value.type, getattr(value, "quantified", ()))
            self._context.variables = {}
            wanted = self._context.type(written, scope)
            self._context.unifier.unify(found, wanted, span, f"of {name} by the signature")
            values[name] = value
        for name in signature.abstract:
            if isinstance(hidden := own.types.get(name), Alias):
                self._abstract.add(_head(hidden.type))
        modules = {}
        for name, inside in signature.modules:
            module, there = own.module((name,), span), scope.inner()
            there.opened(module)
            modules[name] = self._let_out(module, inside, there, span)
        return Scope(
            values,
            {name: each for name, each in own.types.items() if name in signature.types},
            {name: each for name, each in own.constructors.items() if name in signature.constructors},
            {name: each for name, each in own.fields.items() if name in signature.fields},
            modules,
        )

    def _declare(self, definition: TopLevel, scope: Scope) -> None:
        match definition:
            case TypeDefinition(declarations):
                self._types(declarations, scope)
            case ExceptionDefinition(constructor):
                scope.constructors[constructor.name] = self._context.exception(constructor, scope)
            case Open(path, span):
                scope.opened(scope.module(path, span))
            case Include(path, span):
                scope.included(scope.module(path, span))
            case ModuleAlias(name, path, span):
                scope.modules[name] = scope.module(path, span)
            case _:
                raise TypeError(f"no declaration: {definition}")

    def _types(self, declarations: tuple[TypeDeclaration, ...], scope: Scope) -> None:
        """All names first: the types may mention each other."""
        for each in declarations:
            if each.alias is None:
                scope.types[each.name] = Data(self._context.unique(each.name), each.parameters, ())
        for each in declarations:
            self._context.variables = {name: Rigid(name) for name in each.parameters}
            if each.alias is not None:
                scope.types[each.name] = Alias(each.parameters, self._context.type(each.alias, scope))
                continue
            unique = scope.types[each.name].name  # type: ignore[union-attr]
            constructors = []
            for case in each.constructors:
                types = tuple(self._context.type(argument, scope) for argument in case.arguments)
                mutable = case.mutable or (False,) * len(types)
                kept = tuple(reference_to(t) if m else t for t, m in zip(types, mutable, strict=True))
                name = self._context.unique(case.name)
                constructors.append(Constructor(name, unique, kept, case.fields, case.mutable))
            data = Data(unique, each.parameters, tuple(constructors))
            self._context.data[unique] = data
            scope.declare(data)


def _head(type: Type) -> str:
    type = pruned(type)
    return type.name if isinstance(type, Named) else type.__class__.__name__


def _by_place(data: Data) -> Data:
    """Labels of functions inside of data mattered to inference only."""
    cases = [replace(each, arguments=tuple(map(without_labels, each.arguments))) for each in data.constructors]
    return replace(data, constructors=tuple(cases))
