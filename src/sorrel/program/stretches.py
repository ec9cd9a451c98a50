"""Steps of a block that are taken together: what a run comes to often becomes one function of Python.

A stretch is the beginning of a block: assignments, assumptions and assertions, with the jump at the end if nothing else
stands before it. Its function does what the steps do one after the other, as long as all goes well. Where a value is
missing or a condition is false it says how far it came, nothing of the next step is done, and whoever asked takes that
step alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from sorrel.model.errors import NOWHERE
from sorrel.program.evaluation import UndefinedOperation, Uninterpreted, translation
from sorrel.program.expression import Apply
from sorrel.program.statement import Assert, Assign, Assume, Block, Branch, Goto, Statement, Terminator
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.value import IndeterminateRead, Value

OFTEN = 24
"""After so many times the steps become a function."""
FEWEST, MOST = 2, 60
"""Steps of a stretch. For one alone there is nothing to be had, and Python takes its time over long functions."""
Step: TypeAlias = Statement | Terminator
Together: TypeAlias = Callable[[dict[str, Value], dict[str, Value], Uninterpreted], str | int | None]
"""From locals and globals to the label that comes next, None if the block goes on, or how many steps were taken if that
was not all of them."""


class Stretch:
    """The beginning of a block, and how often a run came to it."""

    __slots__ = ("_block", "_globals", "_left", "count", "function", "span")

    def __init__(self, block: Block, globals: frozenset[str]) -> None:
        self._block = block
        self._globals = globals
        self._left = OFTEN
        self.function: Together | None = None
        self.count, self.span = 0, NOWHERE  # how many steps it has, and where the last one stands

    def met(self) -> None:
        """A run comes to it once more."""
        self._left -= 1
        if self._left == 0:
            taken = _beginning(steps(self._block))
            if len(taken) >= FEWEST:
                self.count, self.span = len(taken), taken[-1].span
                self.function = _together(taken, self._globals)


def _beginning(block: tuple[Step, ...]) -> tuple[Step, ...]:
    for at, step in enumerate(block):
        if at == MOST or not isinstance(step, Assign | Assume | Assert | Goto | Branch) or _is_open(step):
            return block[:at]
    return block


def _is_open(step: Step) -> bool:
    """Whether values may have to be chosen on the way, which has its place in the run."""
    return any(isinstance(part, Apply) for each in expressions(step) for part in subexpressions(each))


def _together(taken: tuple[Step, ...], globals: frozenset[str]) -> Together | None:
    """None if an expression is too deep or too long for Python."""
    written = translation(globals)
    lines: list[str] = []
    for at, step in enumerate(taken):
        texts = [written.again(each) for each in expressions(step)]
        if None in texts:
            return None
        lines += [*([f"at = {at}"] if at else []), *_lines(step, texts, globals)]
    if not isinstance(taken[-1], Goto | Branch):
        lines.append("return None")
    namespace: dict[str, Any] = {**written.names, "failures": (UndefinedOperation, IndeterminateRead)}
    body = "\n".join(f"        {line}" for line in lines)
    exec(f"def together(L, G, A):\n    at = 0\n    try:\n{body}\n    except failures:\n        return at", namespace)
    function: Together = namespace["together"]
    return function


def _lines(step: Step, texts: list[str | None], globals: frozenset[str]) -> list[str]:
    match step:
        case Assign(target):
            return [f"{'G' if target.name in globals else 'L'}[{target.name!r}] = {texts[0]}"]
        case Goto(target):
            return [f"return {target!r}"]
        case Branch(_, then, otherwise):
            return [f"return {then!r} if {texts[0]} else {otherwise!r}"]
        case _:
            return [f"if not {texts[0]}:", "    return at"]
