"""What a function says that it changes at most, as conditions: everything else is as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import Condition, Element, Infix, Prefix, Range, place
from sorrel.contracts.vocabulary import Vocabulary
from sorrel.contracts.writing import Style, in_c
from sorrel.model.errors import InputError, Span
from sorrel.program.effects import Effects
from sorrel.program.types import Array

NOTHING = "\\nothing"


def unchanged(text: str, known: Vocabulary, effects: Effects, span: Span) -> Iterator[str]:
    """Conditions of a contract with `assigns text`; an InputError if the places cannot be told."""
    assigned = list(_places(text, span))
    written = {variable.name for variable in effects.writes}
    named = {variable.name for variable in known.now.values()}
    if not written <= named:
        raise InputError("it writes to memory that has no name here, which is not compared", span)
    for name, variable in known.now.items():
        if variable.name not in written or name.startswith("\\result"):
            continue
        own = [each for each in assigned if _base(each) == name]
        if any(not isinstance(each, Element) for each in own):
            continue
        if not isinstance(variable.type, Array):
            yield f"{name} == \\old({name})"
        else:
            yield _elements(name, [each for each in own if isinstance(each, Element)])


def _places(text: str, span: Span) -> Iterator[Condition]:
    for part in _parts(text):
        if part not in (NOTHING, "\\result"):
            yield read(part, Dialect.ACSL, span)


def _parts(text: str) -> Iterator[str]:
    """Between commas that stand outside of parentheses."""
    depth, start = 0, 0
    for position, character in enumerate(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield text[start:position].strip()
            start = position + 1
    yield text[start:].strip()


def _base(node: Condition) -> str:
    """The name of what is changed, in whole or in part."""
    match node:
        case Element(base, _):
            return place(base)
        case Prefix("*", Infix("+", base, _)):
            return place(base)
        case _:
            return place(node)


def _elements(name: str, changed: Sequence[Element]) -> str:
    """All but those that are changed, whose places are told in the state at the entry."""
    outside = [f"!({_old(low)} <= k && k <= {_old(high)})" for low, high in map(_ends, changed)]
    given = f"{' && '.join(outside)} ==> " if outside else ""
    return f"\\forall integer k; {given}{name}[k] == \\old({name}[k])"


def _ends(node: Element) -> tuple[Condition, Condition]:
    index = node.index
    return (index.low, index.high) if isinstance(index, Range) else (index, index)


def _old(node: Condition) -> str:
    return f"\\old({in_c(node, Style(str))})"
