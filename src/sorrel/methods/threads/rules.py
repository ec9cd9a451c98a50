"""Rules for threads one after the other; a derivation under one of them is no interleaving, so it decides nothing."""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.rules.builtin import builtin_rule
from sorrel.encode.rules.instance import Instance, instantiate
from sorrel.encode.transition import thread_view
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.horn.verdict import Verdict
from sorrel.methods.clauses import decide, inner
from sorrel.methods.options import ThreadRulesOptions
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.threads.interleavings import of_threads
from sorrel.methods.threads.invariance import as_proof, proofs
from sorrel.model.outcome import Answer, Cause, Outcome, unknown

RULES = ("invariance", "owicki-gries", "rely-guarantee")


def by_rules(question: ProgramQuestion, effort: Effort) -> Outcome:
    reasons: list[str] = []
    for position, name in enumerate(RULES):
        effort.progress({"rule": name})
        share = effort.clock.share(1 / (len(RULES) - position))
        own = inner(replace(effort, clock=share), ThreadRulesOptions)
        instance = instantiate(builtin_rule(name), thread_view(question.threads, Arithmetic.IDEAL))
        verdict = decide(instance.system, own, {})
        outcome = accept(Solution(instance.system, verdict), own)
        if outcome.answer is Answer.SAFE:
            return proved(question, instance, verdict, outcome, own)
        no_run = "its clauses have no solution, and no interleaving with an error was found"
        reasons.append(f"{name}: {outcome.reason or no_run}")
        if effort.clock.expired():
            break
    return unknown(Cause.INCOMPLETE, "\n".join(reasons))


def proved(
    question: ProgramQuestion, instance: Instance, verdict: Verdict, outcome: Outcome, effort: Effort
) -> Outcome:
    """The outcome about a rule's clauses as one about the program, with what is taken for granted of threads."""
    name = instance.rule.name
    effort.proofs.extend(proofs(question, instance, verdict))
    way = f"rule {name} for threads, by {outcome.decided_by or effort.options.engine}"
    assumed = of_threads(question)
    return replace(as_proof(outcome, name), decided_by=way, assumptions=(*outcome.assumptions, *assumed))
