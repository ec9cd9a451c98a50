"""Interleavings of threads: explored for an error, and what was seen made into an invariant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.encode.enumeration import seen_invariant
from sorrel.encode.rules.instance import Instance
from sorrel.evidence.door import Interleaving, Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.horn.verdict import Safe
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.threads.invariance import INVARIANCE, as_proof, invariance, proofs, threads_in
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, unknown
from sorrel.program.interleaving import Explored, explore, mentioned_values
from sorrel.program.program import Program
from sorrel.program.threads import Threads
from sorrel.smt.solver import Oracle

EXPLORING_SHARE, MORE_VALUES_SHARE = 0.2, 0.05
MOST_CONFIGURATIONS, MOST_WITH_MORE_VALUES = 20_000, 4_000


def explored(question: ProgramQuestion, effort: Effort) -> Outcome:
    """An error in some interleaving. What was seen on the way is kept for those who make invariants of it."""
    effort.progress({"phase": "interleavings"})
    question.explored = exploration(question.threads, effort)
    if question.explored.error is None:
        seen = len(question.explored.reached)
        return unknown(Cause.INCOMPLETE, f"no interleaving with an error was found among {seen} configurations")
    return accept(Interleaving(question.threads, question.explored.error), effort)


def of_threads(threads: Threads, checked: Program) -> Iterator[Assumption]:
    """What is assumed of threads beside what is assumed of the program."""
    return (Assumption.of(each) for each in threads.assumptions if each not in checked.assumptions)


def exploration(threads: Threads, effort: Effort) -> Explored:
    """With the smallest values first; if they show no error, with numbers that the program mentions, too."""
    clock = effort.clock.share(EXPLORING_SHARE)
    first = explore(threads, most=MOST_CONFIGURATIONS, go_on=lambda: not clock.expired())
    if first.error is not None or first.complete:
        return first
    clock = effort.clock.share(MORE_VALUES_SHARE)
    values = mentioned_values(threads)
    more = explore(threads, most=MOST_WITH_MORE_VALUES, values=values, go_on=lambda: not clock.expired())
    return Explored(tuple(dict.fromkeys((*first.reached, *more.reached))), more.error, False)


def seen_by(question: ProgramQuestion, effort: Effort) -> Explored:
    """What was seen when interleavings were explored, now if nobody has."""
    if question.explored is None:
        question.explored = exploration(question.threads, effort)
    return question.explored


def by_configurations(question: ProgramQuestion, effort: Effort) -> Outcome:
    """An invariant that describes the configurations that were seen, if it is one of all."""
    instance, explored = invariance(question), seen_by(question, effort)
    effort.progress({"phase": "invariant"})
    (predicate,) = instance.system.predicates
    oracle = Oracle(effort.clock, effort.statistics, query_seconds=5.0)
    found = seen_invariant(threads_in(instance), instance.system, explored.reached, oracle)
    if found is None:
        return unknown(Cause.INCOMPLETE, "what was seen makes no invariant")
    verdict = Safe({predicate.name: found}, (f"by {len(explored.reached)} configurations that were seen",))
    return by_invariant(question, instance, verdict, effort)


def by_invariant(question: ProgramQuestion, instance: Instance, verdict: Safe, effort: Effort) -> Outcome:
    """Safe if the invariant is one of all configurations; with what is taken for granted of threads."""
    outcome = accept(Solution(instance.system, verdict), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    effort.proofs.extend(proofs(question, instance, verdict))
    own = of_threads(question.threads, question.checked)
    return replace(as_proof(outcome, INVARIANCE), assumptions=(*outcome.assumptions, *own))
