"""Interleavings of threads: explored for an error, and what was seen made into an invariant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.enumeration import seen_invariant
from sorrel.encode.rules.instance import Instance
from sorrel.evidence.door import AllInterleavings, Interleaving, Solution, StuckThread, accept
from sorrel.evidence.effort import Effort, Reading
from sorrel.evidence.stuck_thread import each_goes_on
from sorrel.horn.verdict import Safe
from sorrel.methods.programs import NOT_FOLLOWED, ProgramQuestion
from sorrel.methods.threads.invariance import INVARIANCE, as_proof, invariance, proofs, threads_in
from sorrel.methods.threads.plan import PLAN
from sorrel.model.budget import Clock
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, unknown
from sorrel.program.relevance import without_irrelevant
from sorrel.program.schedules import Explored, mentioned_values
from sorrel.program.statement import Kind
from sorrel.program.threads import EACH_GOES_ON, Threads
from sorrel.program.waiting import Watched, watched
from sorrel.smt.solver import Oracle

MOST_CONFIGURATIONS, MOST_WITH_MORE_VALUES = 20_000, 4_000


def explored(question: ProgramQuestion, effort: Effort) -> Outcome:
    """An error in some interleaving, or a proof if all were followed."""
    found = refuted(question, effort)
    is_complete = question.explored is not None and question.explored.explored.complete
    return _all_followed(question, effort) if is_complete and found.answer is Answer.UNKNOWN else found


def refuted(question: ProgramQuestion, effort: Effort) -> Outcome:
    """An error in some interleaving. What was seen on the way is kept for those who make invariants of it."""
    effort.progress({"phase": "interleavings"})
    question.explored = exploration(question.threads, effort)
    if question.explored.forever is not None:
        return accept(StuckThread(question.threads, question.explored.forever), effort)
    found = question.explored.explored
    if found.error is None:
        seen = len(found.reached)
        return unknown(Cause.INCOMPLETE, f"no interleaving with an error was found among {seen} configurations")
    return accept(Interleaving(question.threads, found.error), effort)


def _all_followed(question: ProgramQuestion, effort: Effort) -> Outcome:
    """A proof by looking at everything, which can be looked at again in another reading."""

    def holds(reading: Reading, clock: Clock) -> bool:
        kinds = reading.kinds | ({Kind.OVERFLOW} if reading.arithmetic.is_wrapping else set())
        try:  # where nothing overflows, what would wrap around is the same
            threads = question.threads_in(question.read(Reading(kinds, Arithmetic.EXACT)))
        except NOT_FOLLOWED:
            return False
        return accept(AllInterleavings(threads), replace(effort, clock=clock)).answer is Answer.SAFE

    outcome = accept(AllInterleavings(question.threads), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    effort.exhausted.append(holds)
    return replace(outcome, decided_by="all interleavings followed", assumptions=tuple(of_threads(question)))


def of_threads(question: ProgramQuestion) -> Iterator[Assumption]:
    """What is assumed of threads beside what is assumed of the program."""
    threads = question.threads
    for each in threads.assumptions:
        if each is EACH_GOES_ON and question.explored is not None and question.explored.excluded:
            yield each_goes_on(threads, each)
        elif each not in question.checked.assumptions:
            yield Assumption.of(each)


def exploration(threads: Threads, effort: Effort) -> Watched:
    """Without what decides nothing, if there is such; then with everything."""
    smaller = without_irrelevant(threads)
    if _variables(smaller) < _variables(threads):
        clock = PLAN.exploring.of(effort.clock)
        found = watched(smaller, most=MOST_CONFIGURATIONS, go_on=lambda: not clock.expired())
        if found.explored.error is not None or found.forever is not None or found.explored.complete:
            return replace(found, explored=replace(found.explored, reached=()))  # they lack what was left out
    return _exploration_of_all(threads, effort)


def _exploration_of_all(threads: Threads, effort: Effort) -> Watched:
    """With the smallest values, and with numbers that the program mentions, if they show no error."""
    clock = PLAN.exploring.of(effort.clock)
    first = watched(threads, most=MOST_CONFIGURATIONS, go_on=lambda: not clock.expired())
    if first.explored.error is not None or first.forever is not None or first.explored.complete:
        return first
    clock = PLAN.more_values.of(effort.clock)
    values = mentioned_values(threads)
    more = watched(threads, most=MOST_WITH_MORE_VALUES, values=values, go_on=lambda: not clock.expired())
    reached = tuple(dict.fromkeys((*first.explored.reached, *more.explored.reached)))
    return Watched(Explored(reached, more.explored.error, False), more.forever)


def _variables(threads: Threads) -> int:
    return len(threads.globals) + sum(len(thread.locals) for thread in threads.threads)


def seen_by(question: ProgramQuestion, effort: Effort) -> Explored:
    """What was seen when interleavings were explored, with the values of all variables; now if nobody has."""
    if question.explored is None or not question.explored.explored.reached:
        seen = _exploration_of_all(question.threads, effort)
        question.explored = replace(question.explored, explored=seen.explored) if question.explored else seen
    return question.explored.explored


def by_configurations(question: ProgramQuestion, effort: Effort) -> Outcome:
    """An invariant that describes the configurations that were seen, if it is one of all."""
    instance, explored = invariance(question), seen_by(question, effort)
    effort.progress({"phase": "invariant"})
    (predicate,) = instance.system.predicates
    oracle = Oracle(effort.clock, effort.statistics, query_seconds=PLAN.invariant_question)
    found = seen_invariant(threads_in(instance), instance.system, explored.reached, oracle)
    if found is None:
        return unknown(Cause.INCOMPLETE, "the states that were reached give no invariant")
    verdict = Safe({predicate.name: found}, (f"by {len(explored.reached)} configurations that were seen",))
    return by_invariant(question, instance, verdict, effort)


def by_invariant(question: ProgramQuestion, instance: Instance, verdict: Safe, effort: Effort) -> Outcome:
    """Safe if the invariant is one of all configurations; with what is taken for granted of threads."""
    outcome = accept(Solution(instance.system, verdict), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    effort.proofs.extend(proofs(question, instance, verdict))
    own = of_threads(question)
    return replace(as_proof(outcome, INVARIANCE), assumptions=(*outcome.assumptions, *own))
