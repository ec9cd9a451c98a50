"""What a function says that it changes at most, as conditions: everything else is as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sorrel.contracts.meaning import Meaning
from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import Condition, Element, Infix, Member, Prefix, Range, nodes, place
from sorrel.contracts.vocabulary import Vocabulary, saved
from sorrel.contracts.writing import Style, in_c
from sorrel.model.errors import InputError, Span
from sorrel.program.construction import binary, every
from sorrel.program.effects import Effects
from sorrel.program.expression import Expression, Operator, Select, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.types import UNBOUNDED, Array

NOTHING = "\\nothing"
_VARIABLE = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_HIDDEN = ("memory.", "block.", "string.", "literal.", "temporary.")
_ANY_INDEX = Variable("bound..0", UNBOUNDED)


def unchanged(text: str, known: Vocabulary, procedure: Procedure, effects: Effects, span: Span) -> Iterator[str]:
    """Conditions of a contract with `assigns text`; an InputError if the places cannot be told."""
    assigned = list(_places(text, span))
    lent = [variable for variable in procedure.outputs if variable in procedure.parameters]  # by reference
    written = {variable.name for variable in (*effects.writes, *lent)}
    named = {variable.name for variable in known.now.values()}
    if not written <= named or any(_base(each) not in known.now and _is_behind(each) for each in assigned):
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


def is_within(frame: Sequence[str], text: str) -> bool:
    """Whether each place of a frame is part of what `assigns text` lists, as far as their forms show it."""
    listed = ["".join(part.split()) for part in _parts(text)]
    return all(any(_is_part("".join(place.split()), each) for each in listed) for place in frame)


def _is_part(place: str, of: str) -> bool:
    base = of[: -len("[..]")] if of.endswith("[..]") else of[1:] if of.startswith("*") else ""
    if base and (place.startswith(f"{base}->") or place == f"*{base}"):
        return True
    return (
        place == of or place.startswith((f"{of}.", f"{of}[")) or (of.endswith("[..]") and place.startswith(f"{base}["))
    )


def left_alone(frame: Sequence[str], program: Program, procedure: Procedure) -> Meaning | None:
    """That what a frame does not list is as it was, of variables that no pointer of the frame may lead to.

    None if nothing can be said of any.
    """
    roots = [match[0] for place in frame if (match := _VARIABLE.fullmatch(place.partition("[")[0]))]
    roots = [root.partition(".")[0] for root in roots]
    names = {variable.name.partition(".")[0] for variable in program.globals}
    if len(roots) < len(frame) or not names.issuperset(roots) or procedure.name == program.main:
        return None
    same: list[Expression] = []
    for variable in program.globals:
        owner, _, local = variable.name.partition("..")
        is_hidden = variable.name.startswith(_HIDDEN) or (local and owner != program.main)
        if is_hidden or variable.name.partition(".")[0] in roots:
            continue
        before = saved(variable)
        if isinstance(variable.type, Array):
            element = variable.type.element
            if isinstance(element, Array):
                continue
            same.append(
                binary(Operator.EQUAL, Select(variable, _ANY_INDEX, element), Select(before, _ANY_INDEX, element))
            )
        else:
            same.append(binary(Operator.EQUAL, variable, before))
    return Meaning(every(same), (_ANY_INDEX,)) if same else None


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


def _is_behind(node: Condition) -> bool:
    """Whether a pointer leads there, perhaps to what has a name of its own as well."""
    return any(isinstance(each, Element) or _follows(each) for each in nodes(node))


def _follows(node: Condition) -> bool:
    return isinstance(node, Prefix) or (isinstance(node, Member) and node.arrow)


def _elements(name: str, changed: Sequence[Element]) -> str:
    """All but those that are changed, whose places are told in the state at the entry."""
    outside = [f"!({_inside(each)})" for each in changed]
    given = f"{' && '.join(outside)} ==> " if outside else ""
    return f"\\forall integer k; {given}{name}[k] == \\old({name}[k])"


def _inside(node: Element) -> str:
    """That k is one of the elements."""
    low, high = _ends(node)
    ends = [] if low is None else [f"{_old(low)} <= k"]
    ends += [] if high is None else [f"k <= {_old(high)}"]
    return " && ".join(ends) or "\\true"


def _ends(node: Element) -> tuple[Condition | None, Condition | None]:
    index = node.index
    return (index.low, index.high) if isinstance(index, Range) else (index, index)


def _old(node: Condition) -> str:
    return f"\\old({in_c(node, Style(str))})"
