"""Programs by predicate abstraction alone, with the proof rules of its paper and nothing that runs the program first.

Without threads: invariance of the program as one procedure, where bodies can stand in place of calls; then summaries of
procedures. With threads: invariance, and rules that speak of each thread by itself. Under invariance a derivation is
an interleaving, which is replayed; under the other rules it decides nothing.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.rules.builtin import builtin_rule
from sorrel.encode.rules.instance import Instance, instantiate
from sorrel.encode.rules.places import by_places
from sorrel.encode.rules.schedule import schedule_of
from sorrel.encode.transition import thread_view
from sorrel.evidence.door import Interleaving, Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.horn.verdict import Unsafe, Verdict
from sorrel.methods.clauses import decide
from sorrel.methods.plan import PLAN
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.safety import by_contracts, without_calls
from sorrel.methods.threads.invariance import INVARIANCE
from sorrel.methods.threads.rules import RULES, proved
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.smt.solver import Oracle


def of_programs(question: ProgramQuestion, effort: Effort) -> Outcome:
    if question.whole is not None:
        found = without_calls(question, replace(effort, clock=PLAN.invariance.of(effort.clock)))
        if found.answer is not Answer.UNKNOWN or effort.clock.expired():
            return found
    return by_contracts(question, effort)


def of_threads(question: ProgramQuestion, effort: Effort) -> Outcome:
    """By the first rule whose clauses have a solution, with a predicate for each place of the threads."""
    reasons: list[str] = []
    for position, name in enumerate(RULES):
        effort.progress({"rule": name})
        last = position == len(RULES) - 1
        own = effort if last else replace(effort, clock=PLAN.rule.of(effort.clock))
        outcome = _by_rule(question, name, own)
        if outcome.answer is not Answer.UNKNOWN:
            return outcome
        reasons.append(f"{name}: {outcome.reason}")
        if effort.clock.expired():
            break
    return unknown(Cause.INCOMPLETE, "\n".join(reasons))


def _by_rule(question: ProgramQuestion, name: str, effort: Effort) -> Outcome:
    instance = instantiate(builtin_rule(name), thread_view(question.threads, Arithmetic.IDEAL))
    verdict = _of_states(instance, effort) if name == INVARIANCE else _of_places(instance, effort)
    if verdict is None:
        return unknown(Cause.INCOMPLETE, "the product of the threads has too many locations")
    if isinstance(verdict, Unsafe):
        return _replayed(question, instance, verdict, effort)
    outcome = accept(Solution(instance.system, verdict), effort)
    return proved(question, instance, verdict, outcome, effort) if outcome.answer is Answer.SAFE else outcome


def _of_states(instance: Instance, effort: Effort) -> Verdict:
    """The places of threads stay arguments, whose values the engine keeps: it meets those alone that can be reached.

    Clauses stay apart: merged, a step of one thread would be one with the steps of all.
    """
    return decide(instance.system, replace(effort, options=replace(effort.options, keep_contracts=True)), {})


def _of_places(instance: Instance, effort: Effort) -> Verdict | None:
    placed = by_places(instance, lambda: not effort.clock.expired())
    if placed is None:
        return None
    return placed.lift(decide(placed.system, effort, {}), Oracle(effort.clock, effort.statistics))


def _replayed(question: ProgramQuestion, instance: Instance, verdict: Unsafe, effort: Effort) -> Outcome:
    """Unsafe if the derivation is an interleaving with an error."""
    if instance.rule.name == INVARIANCE:
        schedule = schedule_of(instance, verdict.derivation)
        if schedule is not None:
            return accept(Interleaving(question.threads, schedule), effort)
    return unknown(Cause.UNCONFIRMED, "its clauses have no solution, and no interleaving with an error was found")
