"""A proof that takes for granted what calls can violate: what callers must see to so that it is so.

The proof holds of all calls in which nothing goes wrong. If it is proved of a precondition that nothing goes wrong, the
proof and that one together are a proof of the property for all calls that meet the precondition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorrel.contracts.entry import EntryState
from sorrel.evidence.effort import Effort
from sorrel.evidence.worth import run_against, supported
from sorrel.methods.preconditions.inference import owed
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.reading import read_program
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import (
    Assumption,
    Cause,
    ContractKind,
    Outcome,
    ProgramContract,
    Standing,
)
from sorrel.model.property import Property

GOALS = {AssumptionKind.BOUNDS: Property.VALID_DEREF, AssumptionKind.DIVISION: Property.NO_DIVISION_BY_ZERO}
"""What asks for a kind of operations that go wrong. Results that overflow are for who knows what wraps around."""


def rests_on_callers(question: ProgramQuestion, outcome: Outcome) -> bool:
    """Whether a proof was found, and is none because calls were found in which such operations go wrong."""
    is_proof = outcome.reason is not None and outcome.reason.cause is Cause.ASSUMPTION
    refuted = _refuted(outcome)
    known = bool(refuted) and all(each.kind in GOALS for each in refuted)
    return is_proof and known and question.task.goal not in GOALS.values() and _has_callers(question)


def _has_callers(question: ProgramQuestion) -> bool:
    return EntryState.of(question.program) is not None


def _refuted(outcome: Outcome) -> list[Assumption]:
    return [each for each in outcome.assumptions if each.weakens and not each.granted and _is_false(each)]


def _is_false(assumption: Assumption) -> bool:
    return assumption.standing is Standing.REFUTED


def relying(question: ProgramQuestion, outcome: Outcome, effort: Effort) -> Outcome:
    """The proof with what callers must see to in place of what is false; as it was if that is not found."""
    refuted = _refuted(outcome)
    contracts = outcome.program_contracts
    support: dict[Assumption, Outcome] = {}
    for position, false in enumerate(refuted):
        task = replace(question.task, goal=GOALS[false.kind], specification="", public=(), secret=())
        own = replace(effort, clock=effort.clock.share(1 / (len(refuted) - position)), report=lambda _: None)
        told = owed(ProgramQuestion(read_program(task), task), run_against(false), own)
        if not told.answer.is_proof:
            return outcome
        support[false] = told
        contracts = _requiring(contracts, [each for each in told.program_contracts if each.requires])
    return supported(replace(outcome, program_contracts=contracts), support, effort.options)


def _requiring(contracts: Sequence[ProgramContract], found: Sequence[ProgramContract]) -> tuple[ProgramContract, ...]:
    """Contracts of functions with what was found that these require, and that of others by itself."""
    more = {each.procedure: each for each in found}
    told = [each for each in contracts if each.kind is ContractKind.FUNCTION and each.procedure in more]
    known = [
        replace(each, requires=(*each.requires, *more[each.procedure].requires)) if each in told else each
        for each in contracts
    ]
    return (*known, *(each for each in found if each.procedure not in {one.procedure for one in told}))
