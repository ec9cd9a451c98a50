"""What the answers about a project are worth, given what they take for granted and what other properties show of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sorrel.model.assumption import AssumptionKind
from sorrel.model.property import Property
from sorrel.modular.inquiry import Inquiry
from sorrel.modular.reading import says
from sorrel.project.result import FunctionResult, Verdict


def weighed(
    inquiries: Sequence[Inquiry],
    functions: Sequence[FunctionResult],
    assuming: Sequence[str],
    confirmed: Collection[str] = (),
) -> tuple[list[FunctionResult], tuple[str, ...], tuple[str, ...]]:
    """The results, what they take for granted, and what of that nobody has shown.

    `confirmed` are packs that say what is so.

    That nothing overflows, say, is granted by the proof of no-overflow for the same entry points. The two proofs may
    each rest on the other: in a run where both went wrong, one would go wrong first, and its proof rules that out.
    """
    taken: dict[str, None] = {}
    weakening: dict[str, None] = {}
    found = list(functions)
    for premise in inquiries[0].reading.program.assumptions:
        taken[premise.text] = None
        packed = premise.kind is AssumptionKind.LIBRARY and any(premise.text.endswith(says(each)) for each in confirmed)
        if premise.kind is not AssumptionKind.QUESTION and not packed:
            weakening[premise.text] = None
    for inquiry in inquiries:
        for kind in inquiry.open_kinds:
            brief = AssumptionKind(kind).brief
            taken[brief] = None
            shown = {each.function: each for each in functions if each.entry and _shows(each.goal, kind)}
            if not shown or any(each.verdict is not Verdict.PROVED for each in shown.values()):
                weakening[brief] = None
            if kind not in assuming:
                found = [_on_what_is_false(each, inquiry.goal, shown, brief) for each in found]
    return found, tuple(taken), tuple(weakening)


def _shows(goal: str, kind: str) -> bool:
    return Property(goal).kinds == {kind}


def _on_what_is_false(
    result: FunctionResult, goal: Property, shown: dict[str, FunctionResult], brief: str
) -> FunctionResult:
    """A proof is none for runs from an entry point from which what it takes for granted is refuted."""
    other = shown.get(result.function)
    if result.goal != str(goal) or not result.entry or other is None or other.verdict is not Verdict.REFUTED:
        return result
    if result.verdict is not Verdict.PROVED:
        return result
    why = f"a proof was found, but one of its assumptions does not hold: {brief}: {other.message} at {other.place}"
    return replace(result, verdict=Verdict.UNKNOWN, message=why)
