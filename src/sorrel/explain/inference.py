"""Contracts without a property: what can be proved about functions and loops on their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import CONTRACT_SECONDS, encode
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import UnwindOptions
from sorrel.engines.unwind import ForwardSearch, GaveUp, sampled_points
from sorrel.evidence.door import InductiveFacts, accept
from sorrel.evidence.effort import Effort
from sorrel.explain import telling
from sorrel.guess.atoms import Guess
from sorrel.guess.facts import Sampled, facts, subjects
from sorrel.guess.selection import select
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Assumption, Outcome
from sorrel.program.program import Program
from sorrel.smt.solver import Oracle

FORWARD_SECONDS, FORWARD_LEVELS, PLAIN_LEVELS = 2.0, 12, 5
INFERENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Inferred:
    """`proved` is inductive as a whole; `told` is the part of it, or a consequence, that makes a good contract."""

    proved: Summaries
    told: Summaries


def contracts(program: Program, effort: Effort) -> Outcome:
    """Contracts over unbounded integers, which hold on every machine as long as nothing overflows."""
    encoding = encode(program, Arithmetic.IDEAL, alone=True)
    effort.sizes.update(system=encoding.system.statistics())
    inferred = infer(encoding.system, effort)
    outcome = accept(InductiveFacts(encoding.system, inferred.proved), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    return replace(
        outcome,
        program_contracts=telling.contracts(encoding, inferred.told, _oracle(effort)),
        arithmetic=str(Arithmetic.IDEAL),
        assumptions=(*map(Assumption.of, program.assumptions), Assumption.that(AssumptionKind.OVERFLOW)),
    )


def _oracle(effort: Effort) -> Oracle:
    clock = effort.clock.share(0.5, at_most=CONTRACT_SECONDS)
    return Oracle(clock, effort.statistics, query_seconds=0.5, measure_sizes=False)


def infer(
    system: HornSystem, effort: Effort, choose: Callable[[Sampled, Sequence[Guess]], list[Guess]] = select
) -> Inferred:
    """Facts from templates for every predicate of a system, which needs no query; `choose` says what is told."""
    clock = effort.clock.share(0.8, at_most=INFERENCE_SECONDS)
    run = Circumstances(clock, effort.statistics, effort.progress, effort.options.seed)
    forward = ForwardSearch(system, run, UnwindOptions())
    _advance(forward, run)
    points = sampled_points(forward, run.oracle(query_seconds=1.0))
    oracle = Oracle(clock, effort.statistics, query_seconds=2.0, seed=effort.options.seed)
    effort.progress({"phase": "facts"})
    about = subjects(system, points)
    found = facts(system, about, clock, oracle)
    proved = {p.name: terms.conjunction(g.build(p.formals) for g in found[p.name]) for p in system.predicates}
    told = {}
    for subject in about:
        p = subject.predicate
        chosen = choose(subject, found[p.name])
        told[p.name] = terms.conjunction(oracle.without_redundant([g.build(p.formals) for g in chosen]))
    return Inferred(proved, told)


def plain_facts(system: HornSystem, effort: Effort) -> Summaries:
    """As `infer`, soon and without conditions: what often settles a question about lengths and counters."""
    run = Circumstances(effort.clock, effort.statistics, effort.progress, effort.options.seed)
    forward = ForwardSearch(system, run, UnwindOptions())
    _advance(forward, run, PLAIN_LEVELS)
    about = subjects(system, sampled_points(forward, run.oracle(query_seconds=1.0)))
    oracle = Oracle(effort.clock, effort.statistics, query_seconds=1.0, seed=effort.options.seed)
    found = facts(system, about, effort.clock, oracle, conditional=False)
    return {p.name: terms.conjunction(g.build(p.formals) for g in found[p.name]) for p in system.predicates}


def _advance(forward: ForwardSearch, run: Circumstances, levels: int = FORWARD_LEVELS) -> None:
    """A few levels of facts, for a while: only points are wanted."""
    clock = run.clock.share(0.3, at_most=FORWARD_SECONDS)
    try:
        while forward.level < levels and not forward.complete and not clock.expired():
            forward.advance()
    except GaveUp:
        return
