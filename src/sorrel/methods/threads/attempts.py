"""Programs with threads: by exploring their interleavings, by their product, by what was seen there, and by rules.

An error counts only as an interleaving that the interpreter replays. A proof is an invariant of the product of all
threads, or assertions of a rule for threads, in any case a solution of its clauses that was checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.enumeration import seen_invariant
from sorrel.encode.rules.builtin import builtin_rule
from sorrel.encode.rules.instance import Instance, instantiate
from sorrel.encode.rules.rule import Rule
from sorrel.encode.thread_product import ThreadProduct, thread_product
from sorrel.encode.transition import ThreadView, thread_view
from sorrel.evidence.door import Interleaving, Solution, accept
from sorrel.evidence.effort import Effort, Proof, Reading, Reread
from sorrel.guess.comparisons import comparisons
from sorrel.horn.verdict import Safe, Summaries, Verdict
from sorrel.logic import terms
from sorrel.methods.clauses import decide
from sorrel.model.errors import InternalError
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    Outcome,
    Reason,
    unknown,
)
from sorrel.program.inline import Recursive
from sorrel.program.interleaving import Explored, explore, mentioned_values
from sorrel.program.program import Program
from sorrel.program.shared import AtomicLoop
from sorrel.program.threads import Threads, UnsupportedThreads, threads_of
from sorrel.smt.solver import Oracle

EXPLORING_SHARE, MORE_VALUES_SHARE, PRODUCT_SHARE, SEEN_SHARE = 0.2, 0.05, 0.8, 0.5
COMPARING_SHARES = {False: 0.35, True: 0.45}
"""Of the time for the product: without guards, with guards. What is left is the engine's."""
MOST_CONFIGURATIONS, MOST_WITH_MORE_VALUES = 20_000, 4_000
FALLBACK_RULES = ("invariance", "owicki-gries", "rely-guarantee")


def verified(checked: Program, effort: Effort, read: Callable[[Reading], Program | None] = lambda _: None) -> Outcome:
    """Does every assertion hold in every interleaving?

    `read` gives the program in another reading, for those who ask what a proof took for granted.
    """
    try:
        threads = threads_of(checked)
    except (UnsupportedThreads, AtomicLoop, Recursive) as problem:
        return unknown(Cause.INPUT, str(problem))
    effort.progress({"phase": "interleavings"})
    explored = exploration(threads, effort)
    if explored.error is not None:
        return accept(Interleaving(threads, explored.error), effort)
    instance = instantiate(builtin_rule("invariance"), thread_view(threads, Arithmetic.IDEAL))
    effort.sizes.update(system=instance.system.statistics(), configurations=len(explored.reached))
    again = _Again(read)
    outcome = _by_product(instance, explored, effort, again) or _by_what_was_seen(instance, explored, effort, again)
    outcome = outcome or _by_rules(threads, effort, again)
    return replace(outcome, assumptions=(*outcome.assumptions, *of_threads(threads, checked)))


def of_threads(threads: Threads, checked: Program) -> Iterator[Assumption]:
    """What is assumed of threads beside what is assumed of the program."""
    return (Assumption.of(each) for each in threads.assumptions if each not in checked.assumptions)


@dataclass(frozen=True, slots=True)
class _Again:
    """How the same rule speaks about the program in another reading."""

    read: Callable[[Reading], Program | None]

    def proof(self, instance: Instance, verdict: Verdict) -> Iterator[Proof]:
        if isinstance(verdict, Safe):
            rule = instance.rule
            yield Proof(instance.system, verdict, Arithmetic.IDEAL, lambda reading: self._under(rule, reading))

    def _under(self, rule: Rule, reading: Reading) -> Reread | None:
        program = self.read(reading)
        if program is None:
            return None
        return Reread(instantiate(rule, thread_view(threads_of(program), reading.arithmetic)).system)


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


# Proofs


def _by_product(instance: Instance, explored: Explored, effort: Effort, again: _Again) -> Outcome | None:
    """An invariant with one part for each location of the product: from comparisons, or from the engine."""
    effort.progress({"phase": "product"})
    own = replace(effort, clock=effort.clock.share(PRODUCT_SHARE))
    product = thread_product(_threads_in(instance), lambda: not own.clock.expired())
    if product is None:
        return None
    effort.sizes.update(locations=len(product.predicates))
    found = _solution(product, explored, own)
    if found is None:
        return None
    (predicate,) = instance.system.predicates
    told = f"by the product of the threads, with {len(product.predicates)} locations"
    verdict = Safe({predicate.name: product.lift(found, predicate.formals)}, (told,))
    outcome = accept(Solution(instance.system, verdict), effort)
    if outcome.answer is Answer.SAFE:
        effort.proofs.extend(again.proof(instance, verdict))
        return replace(_as_proof(outcome, "invariance"), engine="product")
    is_bug = outcome.reason is not None and outcome.reason.cause is Cause.INTERNAL
    return outcome if is_bug else None


def _solution(product: ThreadProduct, explored: Explored, effort: Effort) -> Summaries | None:
    system = product.system
    if not system.queries:
        return {predicate.name: terms.TRUE for predicate in system.predicates}
    points = product.points(explored.reached)
    for guarded, share in COMPARING_SHARES.items():
        oracle = Oracle(effort.clock.share(share), effort.statistics, query_seconds=5.0, measure_sizes=False)
        found = comparisons(system, points, oracle, guarded=guarded)
        if found is not None:
            return found
    verdict = decide(system, effort, {})
    return verdict.summaries if isinstance(verdict, Safe) else None


def _threads_in(instance: Instance) -> ThreadView:
    if not isinstance(instance.view, ThreadView):
        raise InternalError("a rule about threads was instantiated on something else")
    return instance.view


def _by_what_was_seen(instance: Instance, explored: Explored, effort: Effort, again: _Again) -> Outcome | None:
    effort.progress({"phase": "invariant"})
    (predicate,) = instance.system.predicates
    oracle = Oracle(effort.clock.share(SEEN_SHARE), effort.statistics, query_seconds=5.0)
    found = seen_invariant(_threads_in(instance), instance.system, explored.reached, oracle)
    if found is None:
        return None
    verdict = Safe({predicate.name: found}, (f"by {len(explored.reached)} configurations that were seen",))
    outcome = accept(Solution(instance.system, verdict), effort)
    if outcome.answer is not Answer.SAFE:
        return None
    effort.proofs.extend(again.proof(instance, verdict))
    return replace(_as_proof(outcome, "invariance"), engine="interleavings")


def _by_rules(threads: Threads, effort: Effort, again: _Again) -> Outcome:
    """The rules one after the other; a derivation under one of them is no interleaving, so it decides nothing."""
    reasons: list[str] = []
    for position, name in enumerate(FALLBACK_RULES):
        effort.progress({"rule": name})
        own = replace(effort, clock=effort.clock.share(1 / (len(FALLBACK_RULES) - position)))
        instance = instantiate(builtin_rule(name), thread_view(threads, Arithmetic.IDEAL))
        verdict = decide(instance.system, own, {})
        outcome = accept(Solution(instance.system, verdict), own)
        if outcome.answer is Answer.SAFE:
            effort.proofs.extend(again.proof(instance, verdict))
            return _as_proof(outcome, name)
        no_run = "its clauses have no solution, and no interleaving with an error was found"
        reasons.append(f"{name}: {outcome.reason or no_run}")
        if effort.clock.expired():
            break
    return Outcome(Answer.UNKNOWN, reason=Reason(Cause.INCOMPLETE, "\n".join(reasons)))


def _as_proof(outcome: Outcome, rule: str) -> Outcome:
    return replace(outcome, arithmetic=str(Arithmetic.IDEAL), notes=(*outcome.notes, f"by the rule {rule}"))
