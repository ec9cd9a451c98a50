"""Contracts written into the user's text, as checks that the compiled program makes.

A function that a contract is about is renamed, and a function with its name calls it: that one keeps what was there
before and looks at what is there after. An invariant is looked at wherever the condition of its loop is evaluated.
Numbers of ACSL have 128 bits here, which no sum or product of two machine integers leaves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import Before, Condition, Quantified, nodes
from sorrel.contracts.writing import Inexpressible, Style, in_c
from sorrel.model.errors import Span
from sorrel.model.values import dataclass

TOLD = "sorrel_told"
EXACT = "__int128"
INSTANCES = (-1, 9)
"""From where to where a condition for all numbers is looked at."""
_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class NotInstrumented(Exception):
    """The text gives no place for the check, and why."""


@dataclass(frozen=True, slots=True)
class Check:
    """A condition to be looked at in the compiled program; `number` is what it reports under."""

    number: int
    text: str
    dialect: Dialect
    span: Span  # of the loop, or of the function
    function: str
    function_span: Span
    loop: bool


@dataclass(slots=True)
class _Insertions:
    """What goes where in a text; at one place, what was noted first stands first."""

    found: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, position: int, text: str, *, replacing: int = 0) -> None:
        self.found.append((position, replacing, text))

    def applied(self, text: str) -> str:
        parts: list[str] = []
        done = 0
        for position, replacing, added in sorted(self.found, key=lambda each: each[0]):
            parts += [text[done:position], added]
            done = position + replacing
        return "".join([*parts, text[done:]])


def instrumented(text: str, file: str, checks: Sequence[Check]) -> tuple[str, dict[int, str]]:
    """The text with the checks that stand in this file, and why others of them have no place there."""
    blank = _blanked(text)
    insertions, refused = _Insertions(), {}
    own = [check for check in checks if check.span.file == file]
    for place in dict.fromkeys((check.function, check.function_span) for check in own):
        here = [check for check in own if (check.function, check.function_span) == place]
        refused.update(_Function(text, blank, *place).instrument(here, insertions))
    return f"void {TOLD}(int, int);\n{insertions.applied(text)}", refused


class _Function:
    """One function in the text. `blank` is the text without comments, strings and directives."""

    def __init__(self, text: str, blank: str, name: str, span: Span) -> None:
        self._text = text
        self._blank = blank
        self._name = name
        self._start = _offset(text, span.line, span.column)
        self._kept: dict[str, str] = {}

    def instrument(self, checks: Sequence[Check], insertions: _Insertions) -> dict[int, str]:
        refused: dict[int, str] = {}
        try:
            name, body = self._header()
        except NotInstrumented as problem:
            return {check.number: str(problem) for check in checks}
        for span in dict.fromkeys(check.span for check in checks if check.loop):
            told = self._all_told([check for check in checks if check.loop and check.span == span], refused)
            try:
                self._loop(span, told, insertions)
            except NotInstrumented as problem:
                refused.update({check.number: str(problem) for check in checks if check.loop and check.span == span})
        insertions.add(body + 1, " ".join(f"{EXACT} {kept} = {value};" for value, kept in self._kept.items()))
        try:
            self._wrap([check for check in checks if not check.loop], name, body, insertions, refused)
        except NotInstrumented as problem:
            refused.update({check.number: str(problem) for check in checks if not check.loop})
        return refused

    def _header(self) -> tuple[int, int]:
        """Where the name stands, and the brace that opens the body."""
        name = re.compile(rf"\b{re.escape(self._name)}\s*\(").search(self._blank, self._start)
        if name is None:
            raise NotInstrumented("the function is made by a macro")
        end = _matching(self._blank, name.end() - 1)
        body = re.compile(r"\s*\{").match(self._blank, end + 1)
        if body is None:
            raise NotInstrumented("something stands between the parameters and the body")
        return name.start(), body.end() - 1

    def parameters(self) -> list[tuple[str, str]]:
        name, body = self._header()
        inside = self._blank[self._blank.index("(", name) + 1 : body].rstrip()
        return _parameters(inside[: inside.rindex(")")])

    def _all_told(self, checks: Sequence[Check], refused: dict[int, str]) -> str:
        found = []
        for check in checks:
            try:
                found.append(_told(check, _style(self._kept, prefix="sorrel_before")))
            except Inexpressible as problem:
                refused[check.number] = str(problem)
        return " ".join(found)

    # Contracts

    def _wrap(
        self, checks: Sequence[Check], name: int, body: int, insertions: _Insertions, refused: dict[int, str]
    ) -> None:
        if not checks:
            return
        head = self._text[self._start : body]
        arguments = ", ".join(parameter for parameter, _ in self.parameters())
        prefix = self._blank[self._start : name]
        is_void = re.search(r"\bvoid\b", prefix) is not None and "*" not in prefix
        kept: dict[str, str] = {}
        told: list[str] = []
        for check in checks:
            try:
                told.append(_told(check, _style(kept, result="sorrel_result")))
            except Inexpressible as problem:
                refused[check.number] = str(problem)
        inner = f"{self._name}_sorrel_body"
        call = f"{inner}({arguments})"
        lines = [
            *(f"{EXACT} {saved} = {value};" for value, saved in kept.items()),
            f"{call};" if is_void else f"__typeof__({call}) sorrel_result = {call};",
            *told,
            *([] if is_void else ["return sorrel_result;"]),
        ]
        end = _matching(self._blank, body)
        insertions.add(self._start, f"{head}; ")
        insertions.add(name, inner, replacing=len(self._name))
        insertions.add(end + 1, f"\n{head} {{ {' '.join(lines)} }}\n")

    # Invariants

    def _loop(self, span: Span, told: str, insertions: _Insertions) -> None:
        start = _offset(self._text, span.line, span.column)
        keyword = re.compile(r"(for|while|do)\b\s*").match(self._blank, start)
        if keyword is None:
            raise NotInstrumented("the loop is made by a macro or by goto")
        at = keyword.end()
        if keyword[1] == "do":
            if self._blank[at : at + 1] != "{":
                raise NotInstrumented("the body has no braces")
            insertions.add(at + 1, f" {told} ")
            return
        if self._blank[at : at + 1] != "(":
            raise NotInstrumented("the head of the loop is made by a macro")
        end = _matching(self._blank, at)
        if keyword[1] == "while":
            insertions.add(at + 1, f"({{ {told} }}), (")
            insertions.add(end, ")")
            return
        first, second = _semicolons(self._blank, at + 1, end)
        if self._blank[first + 1 : second].strip():
            insertions.add(first + 1, f"({{ {told} }}), (")
            insertions.add(second, ")")
        else:
            insertions.add(second, f"({{ {told} }}), 1")


def _told(check: Check, style: Style) -> str:
    condition = read(check.text, check.dialect)
    written = in_c(condition, style) if check.dialect is Dialect.ACSL else check.text
    return f"{TOLD}({check.number}, !!({written}));"


def _style(kept: dict[str, str], *, result: str = "", prefix: str = "sorrel_old") -> Style:
    """Numbers are exact; what was is kept in a variable of its own, which is noted."""

    def named(text: str) -> str:
        if text.startswith("\\result"):
            if not result:
                raise Inexpressible("there is no result here")
            text = result + text.removeprefix("\\result")
        return f"({EXACT})({text})"

    def before(node: Condition) -> str:
        assert isinstance(node, Before)
        if any(isinstance(each, Quantified | Before) for each in nodes(node.operand)):
            raise Inexpressible("the past within the past")
        value = in_c(node.operand, Style(named, exact_number))
        return kept.setdefault(value, f"{prefix}{len(kept)}")

    return Style(named, exact_number, before, _for_all)


def exact_number(value: int) -> str:
    if value >= 1 << 127:
        raise Inexpressible("a number of more than 128 bits")
    low, high = value & ((1 << 62) - 1), value >> 62
    return f"({EXACT}){low}LL" if not high else f"((({EXACT}){high}LL << 62) | {low}LL)"


def _for_all(node: Quantified, body: str) -> str:
    """In a few places, which can show that it does not hold, not that it does."""
    if not node.universal:
        raise Inexpressible("that there is such a number is not looked at")
    loops = " ".join(f"for ({EXACT} {name} = {INSTANCES[0]}; {name} < {INSTANCES[1]}; {name}++)" for name in node.names)
    return f"({{ int sorrel_all = 1; {loops} if (!({body})) sorrel_all = 0; sorrel_all; }})"


# Places in the text


def _offset(text: str, line: int, column: int) -> int:
    """Columns count bytes."""
    lines = text.split("\n")
    before = sum(len(each) + 1 for each in lines[: line - 1])
    within = lines[line - 1].encode()[: column - 1].decode(errors="replace") if line <= len(lines) else ""
    return before + len(within)


def _matching(blank: str, opening: int) -> int:
    """Where what is opened there is closed."""
    open_, close = blank[opening], _CLOSING[blank[opening]]
    depth = 0
    for position in range(opening, len(blank)):
        depth += (blank[position] == open_) - (blank[position] == close)
        if depth == 0:
            return position
    raise NotInstrumented("a bracket is closed by a macro")


def _semicolons(blank: str, start: int, end: int) -> tuple[int, int]:
    found: list[int] = []
    position = start
    while position < end:
        if blank[position] in _CLOSING:
            position = _matching(blank, position)
        elif blank[position] == ";":
            found.append(position)
        position += 1
    if len(found) != 2:
        raise NotInstrumented("the head of the loop is made by a macro")
    return found[0], found[1]


def parameters_of(text: str, function: str, span: Span) -> list[tuple[str, str]]:
    """Names and declarations of the parameters of the function that is defined there."""
    blank = _blanked(text)
    return _Function(text, blank, function, span).parameters()


def _blanked(text: str) -> str:
    """The text without comments, strings and directives, everything else where it was."""
    return _SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _parameters(text: str) -> list[tuple[str, str]]:
    """The names in a list of parameters, and their declarations."""
    if text.strip() in ("", "void"):
        return []
    parts, depth, start = [], 0, 0
    for position, sign in enumerate(text + ","):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [(_parameter(part), part.strip()) for part in parts]


def _parameter(text: str) -> str:
    pointer = re.search(r"\(\s*\*+\s*(?:const\s+)?(\w+)", text)
    plain = re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*(?:__attribute__.*)?$", text.strip())
    found = pointer or plain
    words = re.findall(r"\w+", text)
    if found is None or "..." in text or len(words) < 2:
        raise NotInstrumented("a parameter has no name")
    return found[1]
