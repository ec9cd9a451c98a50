"""Annotations in comments of C: ACSL clauses, what they belong to, and where they stand.

A comment that begins with `@` stands before a function or its declaration, before a loop, or among statements. Clauses
end in semicolons; those of quantifiers are inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from sorrel.model.errors import Span
from sorrel.model.values import dataclass

_COMMENT = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    r"|//@(?P<line>[^\n]*)|/\*@(?P<block>.*?)\*/|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
"""Strings and other comments are passed over, whatever is in them."""
_PASSED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/", re.DOTALL)
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_LOOP = re.compile(r"(?:for|while|do)\b")
_FUNCTION = re.compile(r"[^;{}=#]*?\b([A-Za-z_]\w*)\s*\(")
_KEYWORD = re.compile(
    r"\s*(loop\s+invariant|loop\s+variant|loop\s+assigns|requires|ensures|assigns|assert|check|hyper|[A-Za-z_]\w*)\b"
)
_HYPER, _BEHAVIOR = "hyper", "behavior"


class ClauseKind(StrEnum):
    REQUIRES = "requires"
    ENSURES = "ensures"
    ASSIGNS = "assigns"
    INVARIANT = "loop invariant"
    VARIANT = "loop variant"
    FRAME = "loop assigns"
    ASSERT = "assert"
    OTHER = "other"


class Target(StrEnum):
    FUNCTION = "function"
    LOOP = "loop"
    STATEMENT = "statement"


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is what follows the keyword; `word` the keyword itself."""

    kind: ClauseKind
    word: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Annotation:
    """A comment with clauses. `name` is the function that it stands before; `start` and `end` are where it stands.

    `beginning` is where what it stands before begins. `is_placed`: a statement might stand in its place.
    """

    target: Target
    clauses: tuple[Clause, ...]
    name: str
    start: int
    end: int
    beginning: Span
    is_placed: bool = True


def annotations_in(text: str, file: str) -> Iterator[Annotation]:
    """Those of a file, in its order; laws about several runs are read elsewhere."""
    places = _Places(text, file)
    for found in _COMMENT.finditer(text):
        said = found["line"] if found["line"] is not None else found["block"]
        if said is None or not said.strip(" \t@"):
            continue
        start = found.start("line") if found["line"] is not None else found.start("block")
        clauses = tuple(_clauses(text, start, start + len(said), places))
        if not clauses or clauses[0].word == _HYPER:
            continue
        following = _BLANK.match(text, found.end())
        after = following.end() if following else found.end()
        target, name = _target(text, after, clauses)
        is_placed = target is not Target.STATEMENT or stands_alone(text, found.start())
        yield Annotation(target, clauses, name, found.start(), found.end(), places.span(after), is_placed)


def _target(text: str, after: int, clauses: tuple[Clause, ...]) -> tuple[Target, str]:
    if clauses[0].kind is ClauseKind.ASSERT:
        return Target.STATEMENT, ""
    if clauses[0].word.startswith("loop"):
        return (Target.LOOP, "") if _LOOP.match(text, after) else (Target.LOOP, "?")
    function = _FUNCTION.match(text, after)
    return Target.FUNCTION, function[1] if function else ""


def _clauses(text: str, start: int, end: int, places: _Places) -> Iterator[Clause]:
    """Each up to its semicolon. An `@` may begin a line."""
    plain = re.sub(r"(?m)(?<=\n)([ \t]*)@", r"\1 ", text[start:end])
    if plain.endswith("@"):
        plain = plain[:-1] + " "
    position = 0
    in_behavior = False
    while plain[position:].strip():
        word = _KEYWORD.match(plain, position)
        if word is None:
            yield Clause(ClauseKind.OTHER, "", plain[position:].strip(), places.span(start + position))
            return
        keyword = re.sub(r"\s+", " ", word[1])
        stop = _end(plain, word.end())
        body = plain[word.end() : stop]
        at = word.end() + len(body) - len(body.lstrip())
        kind = next((each for each in ClauseKind if each.value == keyword), ClauseKind.OTHER)
        if keyword == _BEHAVIOR:
            in_behavior = True
        if in_behavior:
            kind = ClauseKind.OTHER  # what is said of a behavior does not hold of every call
        yield Clause(kind, keyword, body.strip(), places.span(start + at))
        position = stop + 1


def _end(text: str, position: int) -> int:
    """Where the clause ends; a quantifier has a semicolon of its own."""
    inside = 0
    for found in re.finditer(r"\\forall\b|\\exists\b|;|\{|\}", text[position:]):
        if found[0].startswith("\\"):
            inside += 1
        elif found[0] == ";" and inside:
            inside -= 1
        elif found[0] == ";":
            return position + found.start()
    return len(text)


class _Places:
    """Lines and columns of offsets in a text."""

    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def span(self, offset: int) -> Span:
        low, high = 0, len(self._starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._starts[middle] <= offset else (low, middle)
        return Span(self._file, low + 1, offset - self._starts[low] + 1)


def marked(text: str, found: list[Annotation]) -> str:
    """The text with a label in place of each annotation among statements, so that something is known of its place.

    Lines and columns of everything else stay.
    """
    for number, annotation in enumerate(found):
        if annotation.target is Target.STATEMENT and annotation.is_placed:
            old = text[annotation.start : annotation.end]
            label = f"{label_of(number)}:;"
            blank = re.sub(r"[^\n]", " ", old)
            if "\n" not in old[: len(label)] and len(label) <= len(old):
                text = text[: annotation.start] + label + blank[len(label) :] + text[annotation.end :]
    return text


def label_of(number: int) -> str:
    return f"__at{number}"


def stands_alone(text: str, start: int) -> bool:
    """Whether a statement may stand where an annotation starts: behind another one, and inside of braces."""
    before = _PASSED.sub(" ", text[:start]).rstrip()
    return before[-1:] in {";", "{", "}", ":"} and before.count("{") > before.count("}")
