"""Laws by way of what implies them and may be easier to prove; what is violated is found in the law itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from sorrel.evidence.effort import Effort
from sorrel.methods.clauses import inner
from sorrel.methods.options import LawOptions
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.relational.product import proved
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.model.task import Task
from sorrel.relate.parts import parts
from sorrel.relate.product import Product

T = TypeVar("T")
NO_FUNCTIONS, NO_PARTS = "no two loops have the same code", "the law has no parts"


def lacks_functions(question: ProgramQuestion) -> str:
    return "" if question.law.with_functions() else NO_FUNCTIONS


def lacks_parts(question: ProgramQuestion) -> str:
    return "" if parts(question.law.specification) else NO_PARTS


def with_functions(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Loops of the same code compute the same function of what they read."""
    stronger = question.law.with_functions()
    if stronger is None:
        return unknown(Cause.UNSUPPORTED, NO_FUNCTIONS)
    known = {"loops of the same code compute the same function": stronger.about(stronger.specification)}
    return _proved_by(known, "loops as functions", question.task, inner(effort, LawOptions))


def by_parts(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Parts have clauses of their own, so that they are no way to whoever asks for the clauses."""
    law = question.law
    smaller = {f"proved as a part of the law: {each}": law.about(each) for each in parts(law.specification)}
    if not smaller or effort.options.horn:
        return unknown(Cause.UNSUPPORTED, NO_PARTS)
    return _proved_by(smaller, "parts of the law", question.task, inner(effort, LawOptions))


def _proved_by(products: Mapping[str, Product], way: str, task: Task, effort: Effort) -> Outcome:
    """A law proved by proofs about products that imply it together, by what is told of them."""
    options = replace(effort.options, replay=False)
    found: list[Outcome] = []
    for position, product in enumerate(products.values()):
        clock = effort.clock.share(1 / (len(products) - position))
        outcome = proved(product, task, replace(effort, options=options, clock=clock, report=lambda _: None))
        if outcome.answer is not Answer.SAFE:
            effort.proofs.clear()
            return unknown(Cause.INCOMPLETE, f"{way} were not proved by {options.engine}")
        found.append(outcome)
    return replace(
        found[0],
        decided_by=f"{way}, by {', '.join(dict.fromkeys(one.decided_by or options.engine for one in found))}",
        certificate="\n".join(f"; {text}\n{one.certificate}" for text, one in zip(products, found, strict=True)),
        contracts=tuple(contract for one in found for contract in one.contracts),
        confirmations=tuple(confirmation for one in found for confirmation in one.confirmations),
        notes=(*products, *_all_of(one.notes for one in found)),
        assumptions=_all_of(one.assumptions for one in found),
        program_contracts=tuple(contract for one in found for contract in one.program_contracts),
    )


def _all_of(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(each for part in parts for each in part))
