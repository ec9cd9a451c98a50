"""The largest inductive part of guessed conjuncts, and small parts of it that are enough."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.engines.cdnf.conjuncts import Conjunct, Formula
from sorrel.engines.cdnf.path_formula import PathFormula
from sorrel.model.budget import Clock

MOST_TO_DELETE = 60
"""Deletion asks two questions for each conjunct, over and over: cores must have left no more than this."""


def inductive_part(
    formula: PathFormula, known: Sequence[Conjunct], candidates: Sequence[Conjunct], clock: Clock
) -> list[Conjunct]:
    """Candidates that are inductive together with the known conjuncts, which are so by themselves."""
    kept = list(candidates)
    while kept:
        if clock.expired():
            return []
        escape = formula.escape([*known, *kept], kept)
        if escape is None:
            break
        false = {id(c) for c in formula.false_at_head(kept, escape.head.function)}
        for conjunct in kept:
            if id(conjunct) in false:
                formula.retire(conjunct)
        kept = [conjunct for conjunct in kept if id(conjunct) not in false]
    return kept


def needed_part(
    formula: PathFormula, summary: Sequence[Conjunct], wanted: Sequence[tuple[Formula, str]], clock: Clock
) -> list[Conjunct]:
    """A part of an inductive summary that is inductive and implies every wanted formula: by cores, then by deletion."""
    needed: dict[int, Conjunct] = {}
    work: list[Conjunct] = []
    for conjunct, function in wanted:
        work += formula.support_of(summary, conjunct, function) or summary
    while work:
        target = work.pop()
        if id(target) not in needed:
            needed[id(target)] = target
            work += formula.support_for(summary, target) or ()
    kept = [conjunct for conjunct in summary if id(conjunct) in needed]
    if not _is_enough(formula, kept, wanted):
        return list(summary)
    return _deleted(formula, kept, wanted, clock) if len(kept) <= MOST_TO_DELETE else kept


def _deleted(
    formula: PathFormula, kept: list[Conjunct], wanted: Sequence[tuple[Formula, str]], clock: Clock
) -> list[Conjunct]:
    """Leave out conjuncts, the last ones first, until none can be left out."""
    again = True
    while again:
        again = False
        for conjunct in reversed(list(kept)):
            others = [other for other in kept if other is not conjunct]
            if not clock.expired() and _is_enough(formula, others, wanted):
                kept = others
                again = True
    return kept


def _is_enough(formula: PathFormula, summary: Sequence[Conjunct], wanted: Sequence[tuple[Formula, str]]) -> bool:
    settled = all(formula.violation(summary, conjunct, function) is None for conjunct, function in wanted)
    return settled and formula.escape(summary) is None
