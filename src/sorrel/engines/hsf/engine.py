"""The engine: the loop for safety, and around it the search for ranks if there are obligations."""

from __future__ import annotations

from sorrel.engines.engine import Circumstances
from sorrel.engines.hsf.loop import GaveUp, Loop, Refuted, Solved
from sorrel.engines.hsf.options import HsfOptions
from sorrel.engines.hsf.termination import RankSearch
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Terminating, Unknown, Unsafe, Verdict
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Reason
from sorrel.smt.recursion_free import Method


class Hsf:
    def __init__(self, options: HsfOptions) -> None:
        self._options = options
        self._methods = _methods(options.methods)

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        loop = Loop(system, run, self._options, self._methods, seeds)
        if system.obligations:
            return self._rank(system, loop)
        match loop.run():
            case Solved(summaries):
                return Safe(summaries, loop.notes(), loop.explanation())
            case Refuted(derivation):
                return Unsafe(derivation, loop.notes(), loop.explanation())
            case GaveUp(reason):
                return _unknown(loop, reason)

    def _rank(self, system: HornSystem, loop: Loop) -> Verdict:
        search = RankSearch(system, loop, self._options.ranks)
        match search.run():
            case Solved(summaries):
                return Terminating(summaries, search.ranks_needed(summaries), loop.notes(), loop.explanation())
            case Refuted(derivation):
                return Unsafe(derivation, loop.notes(), loop.explanation())
            case GaveUp(reason):
                return _unknown(loop, reason)


def _unknown(loop: Loop, reason: Reason) -> Unknown:
    return Unknown(reason, loop.facts(), loop.notes(), loop.explanation())


def _methods(words: str) -> tuple[Method, ...]:
    try:
        return tuple(Method(word) for word in words.split("+"))
    except ValueError:
        known = ", ".join(Method)
        raise UsageError(f"methods are joined by + and taken from {known}; {words!r} is not such a list") from None
