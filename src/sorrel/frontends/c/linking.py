"""Functions and variables of all files together, each name meaning one thing, and what the entry can reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TypeVar

from sorrel.frontends.c import syntax
from sorrel.frontends.c.elements import given_elements, takes_elements
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.instances import (
    Asked,
    Copier,
    demands,
    fits,
    fits_declared,
    format_model,
    reads_beside,
    written_out,
)
from sorrel.frontends.c.library.catalogue import is_standard, is_writer, modelled_name, with_common
from sorrel.frontends.c.library.meanings import PURE, WRITTEN_OUT, meaning
from sorrel.frontends.c.parsing.parser import Parser
from sorrel.frontends.c.syntax import FunctionDeclaration, Node, Unit, VariableDeclaration, named_callee, rebuilt
from sorrel.frontends.c.types import Array, CType
from sorrel.frontends.c.variadic import VariadicCopier, needs_copy
from sorrel.model.errors import InputError, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.program import LIBRARY

N = TypeVar("N", bound=Node)
MOST_VARIADIC = 200
MOST_WRITTEN_OUT = 64
"""How many bytes memset and memcpy may write without a loop."""


@dataclass(eq=False, slots=True)
class LinkedFunction:
    """`name` is unique in the program; `body` is None if no file defines it.

    `library`: no file defines it because a library does, or the compiler; what it does is not for the environment to
    choose.
    """

    name: str
    declaration: FunctionDeclaration
    body: syntax.Compound | None = None
    source_name: str = ""
    library: bool = False
    returns: bool = True  # False: a declaration says that it does not
    unit: Unit | None = None


@dataclass(eq=False, slots=True)
class LinkedVariable:
    name: str
    declaration: VariableDeclaration
    initializer: syntax.Expression | None = None
    source_name: str = ""


@dataclass(eq=False, slots=True)
class Linked:
    """By symbol (what a reference in a tree means) and, for functions, in the order in which they were reached."""

    functions: dict[int, LinkedFunction] = field(default_factory=dict)
    variables: dict[int, LinkedVariable] = field(default_factory=dict)
    reached: list[LinkedFunction] = field(default_factory=list)
    reached_variables: list[LinkedVariable] = field(default_factory=list)
    entries: tuple[LinkedFunction, ...] = ()
    given: dict[str, str] = field(default_factory=dict)  # functions that a library file says something about, and where


class Linker:
    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._linked = Linked()
        self._functions: dict[str, list[tuple[Unit, FunctionDeclaration]]] = {}
        self._variables: dict[str, list[tuple[Unit, VariableDeclaration]]] = {}
        self._of_function: dict[int, tuple[Unit, FunctionDeclaration]] = {}
        self._of_variable: dict[int, tuple[Unit, VariableDeclaration]] = {}
        self._names: set[str] = set()
        self._copier = Copier(parser.new_symbol)
        self._modelled: set[int] = set()  # units of models that are known here
        self._models_called: dict[int, int] = {}  # by the name in a call, the copy of the model that is meant
        self._root: Node
        self._asked: dict[int, Asked] | None = None  # of the root, once it is known
        self._variadic: dict[tuple[int, tuple[CType, ...]], int] = {}
        self._mentioned: list[LinkedFunction | LinkedVariable] = []

    def link(self, *entries: str) -> Linked:
        for unit in self._parser.units:
            self._collect(unit)
        self._check_definitions()
        self._linked.entries = tuple(self._entry(entry) for entry in entries)
        pending: list[LinkedFunction | LinkedVariable] = list(self._linked.entries)
        seen: set[int] = set()
        while pending:
            item = pending.pop(0)
            if id(item) in seen:
                continue
            seen.add(id(item))
            if isinstance(item, LinkedFunction) and meaning(item.source_name, item.body is not None) is not None:
                item.body = None  # its name says what it does
            self._mentioned = []
            if isinstance(item, LinkedFunction):
                self._linked.reached.append(item)
                item.body = self._resolve(item.body)
            else:
                self._linked.reached_variables.append(item)
                item.initializer = self._resolve(item.initializer)
            pending.extend(self._mentioned)
        return self._linked

    def _resolve(self, root: N | None) -> N | None:
        """The tree with each name meaning what it means here; who is mentioned is noted."""
        if root is None:
            return None
        self._root, self._asked = root, None
        found = self._resolved(root)
        if not isinstance(found, type(root)):
            raise InternalError(f"{root.span}: a name became something else")
        return found

    def _entry(self, entry: str) -> LinkedFunction:
        for unit, function in self._functions.get(entry, ()):
            if self._parser.has_body(unit, function):
                return self._function(function.symbol)
        own = {
            function.symbol: function
            for unit in self._parser.units
            for function in unit.functions
            if function.name == entry and self._parser.has_body(unit, function)
        }
        if len(own) > 1:
            first, second, *_ = own.values()
            raise Unsupported(f"{entry} as the name of this function and of one at {first.span}", second.span)
        if own:
            return self._function(next(iter(own)))
        known = sorted(
            {f.name for unit in self._parser.units for f in unit.functions if self._parser.has_body(unit, f)}
        )
        listed = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
        start = "Start at another one with --function" if entry == "main" else "Functions with a body"
        files = {unit.name.rpartition("#")[0] for unit in self._parser.units}
        raise InputError(
            f"there is no function {entry}",
            Span(files.pop() if len(files) == 1 else ""),
            hint=f"{start}: {listed}." if known else "No function has a body.",
        )

    def _collect(self, unit: Unit) -> None:
        for function in unit.functions:
            if function.external and not self._parser.is_given(function):
                self._functions.setdefault(function.name, []).append((unit, function))
            current = self._of_function.get(function.symbol)
            if current is None or self._parser.has_body(unit, function):
                self._of_function[function.symbol] = (unit, function)
        for variable in unit.variables:
            if variable.external:
                self._variables.setdefault(variable.name, []).append((unit, variable))
            known = self._of_variable.get(variable.symbol)
            if known is None or _weight(self._parser, unit, variable) > _weight(self._parser, *known):
                self._of_variable[variable.symbol] = (unit, variable)

    def _check_definitions(self) -> None:
        for name, declared in self._functions.items():
            bodies = [(unit, function) for unit, function in declared if self._parser.has_body(unit, function)]
            if len({id(function) for _, function in bodies}) < 2:
                continue
            strong = [function for unit, function in bodies if not self._is_weak(unit, function)]
            if len({id(function) for function in strong}) > 1:
                raise InputError(
                    f"error: multiple definition of {name}", strong[1].span, hint=f"The first is at {strong[0].span}."
                )
        for name, variables in self._variables.items():
            if name in self._functions:
                raise InputError(f"error: {name} is a variable here and a function elsewhere", variables[0][1].span)

    def _function(self, symbol: int) -> LinkedFunction:
        known = self._linked.functions.get(symbol)
        if known is not None:
            return known
        unit, function = self._of_function[symbol]
        if function.external:
            shared = self._functions.get(function.name, [])
            unit, function = self._definition(shared) or (unit, function)
            if (same := self._linked.functions.get(function.symbol)) is not None:
                self._linked.functions[symbol] = same
                return same
        linked = LinkedFunction(self._unique(function.name), function, source_name=function.name, unit=unit)
        self._linked.functions[symbol] = self._linked.functions[function.symbol] = linked
        function.prototype()  # now: its records are to be among those of all files that become one
        linked.body = self._parser.body(unit, function)
        announced = any(each.system for _, each in self._functions.get(function.name, ())) or function.system
        linked.returns = not any(self._parser.never_returns(*each) for each in self._declarations(unit, function))
        described = announced or is_standard(function.name) or self._parser.given(function.name) is not None
        linked.library = linked.body is None and function.external and described
        return linked

    def _definition(
        self, declared: Sequence[tuple[Unit, FunctionDeclaration]]
    ) -> tuple[Unit, FunctionDeclaration] | None:
        """The one that a linker takes: one that is not weak before those that are, and of these the first."""
        bodies = [pair for pair in declared if self._parser.has_body(*pair)]
        if len(bodies) < 2:
            return bodies[0] if bodies else None
        return next((pair for pair in bodies if not self._is_weak(*pair)), bodies[0])

    def _is_weak(self, unit: Unit, function: FunctionDeclaration) -> bool:
        """Whether any declaration of it in its file says so."""
        return any(self._parser.is_weak(unit, each) for each in unit.functions if each.name == function.name)

    def _declarations(self, unit: Unit, function: FunctionDeclaration) -> list[tuple[Unit, FunctionDeclaration]]:
        """All of one function, in all files if others can see it."""
        if function.external and function.name in self._functions:
            return self._functions[function.name]
        return [(unit, each) for each in unit.functions if each.symbol == function.symbol]

    def _variable(self, symbol: int) -> LinkedVariable:
        known = self._linked.variables.get(symbol)
        if known is not None:
            return known
        unit, variable = self._of_variable[symbol]
        if variable.external:
            shared = self._variables[variable.name]
            unit, variable = max(shared, key=lambda pair: _weight(self._parser, *pair))
            if (same := self._linked.variables.get(variable.symbol)) is not None:
                self._linked.variables[symbol] = same
                return same
        linked = LinkedVariable(self._unique(variable.name), variable, source_name=variable.name)
        self._linked.variables[symbol] = self._linked.variables[variable.symbol] = linked
        linked.initializer = self._parser.initializer(unit, variable)
        return linked

    def _resolved(self, node: Node) -> Node:
        match node:
            case syntax.Reference():
                return self._resolved_name(node)
            case syntax.Call():
                return self._resolved_call(node)
            case syntax.Variable() if node.external and node.name in self._variables:
                self._of_variable.setdefault(node.symbol, self._variables[node.name][0])
        return rebuilt(node, self._resolved)

    def _resolved_name(self, node: syntax.Reference) -> syntax.Reference:
        symbol = self._models_called.pop(id(node), node.symbol)
        self._announce(symbol)
        symbol = self._model_address(symbol, node.span)
        if symbol in self._of_function:
            self._mentioned.append(self._function(symbol))
        elif symbol in self._of_variable:
            self._mentioned.append(self._variable(symbol))
        return node if symbol == node.symbol else replace(node, symbol=symbol)

    def _resolved_call(self, call: syntax.Call) -> syntax.Call:
        """By what the function is, not by how it is spelled: a name may be the program's own."""
        name = named_callee(call)
        if name is None:
            return rebuilt(call, self._resolved)
        self._announce(name.symbol)
        if name.symbol not in self._of_function:
            return rebuilt(call, self._resolved)
        function = self._function(name.symbol)
        meant = meaning(function.source_name, function.body is not None)
        short = meant in WRITTEN_OUT and written_out(call, MOST_WRITTEN_OUT)
        if function.body is not None and needs_copy(function.declaration, call):
            self._models_called[id(name)] = self._variadic_copy(function, call)
        if function.library and function.body is None and not short:
            found = self._model(call, function.source_name)
            if found is not None:
                unit, model, body = found
                if self._asked is None:
                    self._asked = demands(self._root)
                asked = self._asked.get(id(call), Asked.VALUE)
                copy = self._copier.copy(model, body, call.span, asked)
                self._models_called[id(name)] = self._instance(function, unit, *copy)
        return rebuilt(call, self._resolved, **({"pure": True} if meant in PURE else {}))

    def _variadic_copy(self, function: LinkedFunction, call: syntax.Call) -> int:
        """The symbol of the function for arguments of these types."""
        declaration = function.declaration
        types = tuple(argument.type for argument in call.arguments[len(declaration.parameters) :])
        key = (declaration.symbol, types)
        if key not in self._variadic:
            if len(self._variadic) >= MOST_VARIADIC or function.unit is None:
                raise Unsupported(f"so many lists of types for the variable arguments of {function.name}", call.span)
            body = self._parser.body(function.unit, declaration)
            if body is None:
                raise InternalError(f"{declaration.span}: {function.name} has lost its body")
            copy, copied = VariadicCopier(declaration, types, self._parser.new_symbol, declaration.span).copy(body)
            self._variadic[key] = copy.symbol
            name = self._unique(declaration.name)
            made = replace(function, name=name, declaration=copy, body=copied)
            self._of_function[copy.symbol] = (function.unit, copy)
            self._linked.functions[copy.symbol] = made
        return self._variadic[key]

    def _model(self, call: syntax.Call, name: str) -> tuple[Unit, FunctionDeclaration, syntax.Compound] | None:
        """What stands for the function in this call, if there is a model and the call fits it."""
        given = self._parser.given(name)
        if given is not None:
            if not fits(call, given[1], ""):
                raise Unsupported(f"a call of {name} with other types than it has at {given[1].span}", call.span)
            self._linked.given[name] = given[1].span.file
            return given
        if is_writer(name) and not reads_beside(call):
            return None
        modelled = modelled_name(name)
        if modelled is not None:
            unit, model, body = self._parser.model(modelled)
            made = given_elements(call, model, body) if fits(call, model, modelled) else None
            return None if made is None else (unit, *made)
        text = format_model(call, name)
        if text is None:
            return None
        found = self._parser.model_in(name.removeprefix("__builtin_"), with_common(text))
        return found if fits(call, found[1], name) else None

    def _model_address(self, symbol: int, span: Span) -> int:
        """A function of the library as a value: what is called through it is its model."""
        if symbol not in self._of_function:
            return symbol
        function = self._function(symbol)
        given = self._parser.given(function.source_name)
        if given is not None and function.body is None:
            self._linked.given[function.source_name] = given[1].span.file
            unit, model, body = given
            return self._instance(function, unit, *self._copier.copy(model, body, span, Asked.VALUE))
        modelled = modelled_name(function.source_name)
        known = function.library and function.body is None and not is_writer(function.source_name)
        if not known or modelled is None:
            return symbol
        unit, model, body = self._parser.model(modelled)
        if takes_elements(model) or not fits_declared(function.declaration, model, modelled):
            return symbol
        return self._instance(function, unit, *self._copier.copy(model, body, span, Asked.VALUE))

    def _instance(
        self, function: LinkedFunction, unit: Unit, declaration: FunctionDeclaration, body: syntax.Compound
    ) -> int:
        if id(unit) not in self._modelled:
            self._modelled.add(id(unit))
            self._collect(unit)
        name = self._unique(f"{LIBRARY}{function.source_name}")
        self._of_function[declaration.symbol] = (unit, declaration)
        made = LinkedFunction(name, declaration, body, function.source_name, library=True)
        self._linked.functions[declaration.symbol] = made
        return declaration.symbol

    def _announce(self, symbol: int) -> None:
        if symbol in self._of_function or symbol in self._of_variable:
            return
        found = self._parser.undeclared(symbol)
        if found is not None:
            self._of_function[symbol] = found
            self._functions.setdefault(found[1].name, []).append(found)

    def _unique(self, name: str) -> str:
        candidate, number = name, 2
        while candidate in self._names:
            candidate, number = f"{name}.{number}", number + 1
        self._names.add(candidate)
        return candidate


def _weight(parser: Parser, unit: Unit, variable: VariableDeclaration) -> int:
    """Prefers definitions with a value, then definitions, then announcements; of each, those that give a length."""
    measured = not (isinstance(variable.type, Array) and variable.type.length is None)
    if parser.initializer(unit, variable) is not None:
        return 4 + measured
    return (2 if variable.defined else 0) + measured
