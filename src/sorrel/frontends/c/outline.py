"""Which functions files define, and which of them others mention: without reading what they do."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends.c.parsing.parser import Parser
from sorrel.frontends.c.settings import CSettings
from sorrel.frontends.c.syntax import Reference, nodes
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
