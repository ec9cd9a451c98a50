"""Which functions files define, and which of them others mention: without reading what they do."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends.c.parsing.parser import Parser
from sorrel.frontends.c.settings import CSettings
from sorrel.frontends.c.syntax import Node, Reference, nodes
from sorrel.model.components import reached
from sorrel.model.errors import Span
from sorrel.model.source import Source
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Declared:
    """A function with a body; `mentions` are the names that its body refers to."""

    name: str
    external: bool
    span: Span
    mentions: frozenset[str]


def outline(sources: Sequence[Source], settings: CSettings) -> tuple[Declared, ...]:
    """In the order of the files."""
    with Parser(settings) as parser:
        parser.parse(sources)
        return outline_of(parser)


def outline_of(parser: Parser) -> tuple[Declared, ...]:
    """Of files that are parsed already."""
    found = []
    for unit in parser.units:
        for function in unit.functions:
            body = parser.body(unit, function) if parser.has_body(unit, function) else None
            if body is not None and not function.system:
                named = (node.name for node in nodes(body) if isinstance(node, Reference))
                found.append(Declared(function.name, function.external, function.span, frozenset(named)))
    return tuple(found)


def replaceable(parser: Parser) -> frozenset[str]:
    """Functions and variables whose meaning may be another one in a program with more files.

    These are weak definitions, and what mentions them, itself or through others.
    """
    mentioned: dict[str, set[str]] = {}
    for unit in parser.units:
        named: list[tuple[str, Node | None]] = [(each.name, parser.body(unit, each)) for each in unit.functions]
        named += [(each.name, parser.initializer(unit, each)) for each in unit.variables]
        for name, tree in named:
            for node in nodes(tree) if tree is not None else ():
                if isinstance(node, Reference):
                    mentioned.setdefault(node.name, set()).add(name)
    return frozenset(reached(parser.weak, lambda name: mentioned.get(name, ())))
