"""How functions are worded: their texts after the preprocessor, without layout, comments and names of their own.

What a program leaves open, such as what a function without a body is given, is in its text alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from sorrel.frontends.c.parsing.parser import Parser
from sorrel.frontends.c.syntax import Call, Expression, IntegerConstant, Node, Reference, Variable, nodes
from sorrel.frontends.c.syntax.declarations import FunctionDeclaration
from sorrel.model.errors import Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """`elsewhere`: the calls of functions that no file defines and that no header of the system announces."""

    body: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()


def wordings(parser: Parser) -> dict[Span, Wording]:
    """Of all functions with a body, by where they stand."""
    declared = [(unit, function) for unit in parser.units for function in unit.functions]
    known = {function.name for unit, function in declared if function.system or parser.has_body(unit, function)}
    found: dict[Span, Wording] = {}
    for unit, function in declared:
        body = parser.body(unit, function) if parser.has_body(unit, function) else None
        if body is not None and not function.system:
            own = _own(function, body)
            calls = [each for each in nodes(body) if isinstance(each, Call) and _is_elsewhere(each, known)]
            words = tuple(word for each in calls for word in _words(each, own))
            found[function.span] = Wording(tuple(_words(body, own)), words)
    return found


def beginnings(parser: Parser) -> dict[str, tuple[str, ...]]:
    """How initial values are worded, of variables that live as long as the program and may change.

    Zeros have no words: they need none.
    """
    found: dict[str, tuple[str, ...]] = {}
    for unit in parser.units:
        for variable in unit.variables:
            if variable.defined and not variable.constant:
                name = variable.name if variable.external else f"{variable.name} of {variable.span.file}"
                found[name] = _initial(parser.initializer(unit, variable))
        for function in unit.functions:
            body = parser.body(unit, function) if parser.has_body(unit, function) else None
            for node in nodes(body) if body is not None and not function.system else ():
                if isinstance(node, Variable) and node.static and not node.constant:
                    found[f"{node.name} of {function.name} ({function.span.file})"] = _initial(node.initializer)
    return found


def _initial(value: Expression | None) -> tuple[str, ...]:
    if value is None:
        return ()
    leaves = [each for each in nodes(value) if not each.children]
    is_zero = all(isinstance(each, IntegerConstant) and each.value == 0 for each in leaves)
    return () if is_zero else tuple(_words(value, {}))


def _own(function: FunctionDeclaration, body: Node) -> dict[int, str]:
    """The variables of the function by the order of their declarations."""
    declared = [each.symbol for each in nodes(body) if isinstance(each, Variable) and not each.external]
    symbols = dict.fromkeys((*(each.symbol for each in function.parameters), *declared))
    return {symbol: f"variable {number}" for number, symbol in enumerate(symbols)}


def _is_elsewhere(call: Call, known: set[str]) -> bool:
    return any(isinstance(each, Reference) and each.name not in known for each in nodes(call.function))


def _words(root: Node, own: dict[int, str]) -> Iterator[str]:
    for node in nodes(root):
        yield f"{type(node).__name__}/{len(node.children)}"
        if isinstance(node, Reference | Variable):
            yield own.get(node.symbol, node.name)
        for each in fields(node):
            value = getattr(node, each.name)
            if each.name not in ("span", "symbol", "name") and not _is_below(value):
                yield str(value)
        if not isinstance(node, Reference | Variable):
            yield str(getattr(node, "name", ""))


def _is_below(value: object) -> bool:
    """Whether it is a part that is visited by itself."""
    return isinstance(value, Node) or (isinstance(value, tuple) and any(isinstance(each, Node) for each in value))
