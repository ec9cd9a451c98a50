"""Summaries as contracts that people read: what callers need, invariants of loops, what is missing."""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.encoding import Encoding
from sorrel.encode.points import Place
from sorrel.evidence.certificate import check
from sorrel.evidence.clauses import inductive
from sorrel.evidence.effort import Effort
from sorrel.evidence.result import Accepted
from sorrel.explain import telling
from sorrel.explain.inference import infer, with_cases
from sorrel.explain.plan import PLAN
from sorrel.guess.missing import missing
from sorrel.guess.selection import MOST_FACTS
from sorrel.guess.slim import asked_for, slim, suffices
from sorrel.horn.verdict import Safe, Summaries
from sorrel.model.outcome import (
    ContractKind,
    Outcome,
    ProgramContract,
)
from sorrel.program.program import Program
from sorrel.relate.product import Product
from sorrel.smt.solver import Oracle

LONG, UNREADABLE = 80, 400
"""Characters of a conjunct that is hard to read, and of one that nobody reads."""


def slimmer(encoding: Encoding, verdict: Safe, effort: Effort) -> Safe:
    """The proof without what it does not need, if both pass for a proof; it is read more often than made."""
    slimmed = slim(encoding.system, verdict.summaries, _slimming(effort))
    accepted = check(encoding.system, Safe(slimmed), effort.clock.remaining(PLAN.slimming_check))
    return replace(verdict, summaries=slimmed) if isinstance(accepted, Accepted) else verdict


def _slimming(effort: Effort) -> Oracle:
    return Oracle(PLAN.slimming.of(effort.clock), effort.statistics, query_seconds=PLAN.slimming_question)


def readable(encoding: Encoding, summaries: Summaries, effort: Effort) -> tuple[ProgramContract, ...]:
    """Contracts that say what callers need; where those are long, facts of templates if they say as much.

    An invariant of a loop is told as a whole: it is of use only if it is inductive.
    """
    functions = {name for name, point in encoding.points.items() if point.place is Place.FUNCTION}
    asked = asked_for(encoding.system, summaries, _slimming(effort))
    asked = {name: asked[name] if name in functions else summary for name, summary in summaries.items()}
    contracts = program_contracts(encoding, asked, effort)
    long = {c.procedure for c in contracts if c.kind is ContractKind.FUNCTION and _is_long(c)}
    if not long:
        return contracts
    shortly = replace(effort, clock=PLAN.shorter.of(effort.clock))
    inferred = with_cases(encoding.system, infer(encoding.system, shortly), effort)
    if not inductive(encoding.system, inferred.proved, effort.clock):
        return contracts
    oracle = _slimming(effort)
    for name in functions:
        told = inferred.told[name]
        is_long = encoding.points[name].procedure in long
        if is_long and suffices(encoding.system, {**summaries, **asked}, name, told, oracle):
            asked[name] = told
    return program_contracts(encoding, asked, effort)


def _is_long(contract: ProgramContract) -> bool:
    return len(contract.conjuncts) > MOST_FACTS or any(len(conjunct) > LONG for conjunct in contract.conjuncts)


def as_far_as_it_went(encoding: Encoding, facts: Summaries, outcome: Outcome, effort: Effort) -> Outcome:
    """What is proved about each function, and a fact that would be enough together with it."""
    oracle = Oracle(PLAN.missing.of(effort.clock), effort.statistics, query_seconds=PLAN.missing_question)
    needed = encoding.contracts(missing(encoding.system, facts, oracle), oracle)
    readable = all(len(conjunct) <= UNREADABLE for contract in needed for conjunct in contract.conjuncts)
    proved = telling.short(program_contracts(encoding, facts, effort))
    return replace(outcome, program_contracts=proved, missing=needed if readable else ())


def program_contracts(encoding: Encoding, summaries: Summaries, effort: Effort) -> tuple[ProgramContract, ...]:
    clock = PLAN.contracts.of(effort.clock)
    oracle = Oracle(clock, effort.statistics, query_seconds=PLAN.contracts_question)
    return telling.contracts(encoding, summaries, oracle)


def own_invariants(
    encoding: Encoding, summaries: Summaries, original: Program, effort: Effort
) -> tuple[ProgramContract, ...]:
    """Of the loops that are main's own: what holds in one copy of another loop need not hold in the next."""
    labels = original.procedure[original.main].block
    own = {name: summary for name, summary in summaries.items() if encoding.points[name].label in labels}
    return program_contracts(encoding, own, effort)


def named_after_loops(contract: ProgramContract, product: Product) -> ProgramContract:
    """What is proved about a procedure that stands for a loop is told as one about the loop."""
    loop = product.loops.get(contract.procedure)
    return replace(contract, procedure=loop.procedure, kind=ContractKind.LOOP) if loop else contract
