"""Contracts of a project's functions as a reader sees them: what they ensure and assign, beside what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sorrel.encode.encoding import Encoding, encoding_of
from sorrel.explain.telling import contracts, short
from sorrel.model.budget import Budget
from sorrel.modular.inquiry import Inquiry
from sorrel.modular.plan import PLAN
from sorrel.project.result import FunctionResult, Verdict
from sorrel.smt.solver import Oracle


def with_contracts(asked: Inquiry, results: Iterable[FunctionResult]) -> Iterator[FunctionResult]:
    """The results with what was proved of each function in the user's syntax, where that can be said."""
    clock = Budget(seconds=PLAN.shown_together).start()
    encoding = encoding_of(asked.known.parts.pieces)
    for each in results:
        decided = each.verdict in (Verdict.PROVED, Verdict.CONDITIONAL) and not each.entry
        yield _shown(asked, encoding, each, clock.remaining(PLAN.shown)) if decided else each


def _shown(asked: Inquiry, encoding: Encoding, result: FunctionResult, seconds: float) -> FunctionResult:
    known = asked.known
    point = known.parts.pieces.functions.get(result.function)
    if point is None or seconds <= 0 or not known.settled.get(known.parts.owner[result.function].name):
        return result
    oracle = Oracle(Budget(seconds=seconds).start(), query_seconds=PLAN.shown_question, measure_sizes=False)
    told = contracts(encoding, {point.predicate.name: known.contracts[point.predicate.name]}, oracle)
    for contract in short(told):
        requires = contract.requires if result.requires else ()
        return replace(
            result,
            requires=" && ".join(requires) or result.requires,
            ensures=contract.conjuncts,
            assigns=contract.assigns,
        )
    return result
