"""A program and a proof rule: is there a solution for the rule's clauses on it?

What a solution means is what the rule claims; `check` sees only the clauses. So the answer repeats, as an assumption,
that the rule is sound, unless whoever wrote it says so. A derivation under a rule is no run of the program.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.procedures import procedure_view
from sorrel.encode.rules.instance import counters_of, instantiate
from sorrel.encode.rules.rule import Conclusion, Rule, Subject
from sorrel.encode.transition import View, thread_view
from sorrel.engines.registry import ENGINE_FOR_OBLIGATIONS
from sorrel.evidence.door import Interleaving, Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.methods.clauses import decide
from sorrel.methods.threads.attempts import exploration, of_threads
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, Reason, unknown
from sorrel.program.inline import Recursive
from sorrel.program.program import Program
from sorrel.program.shared import AtomicLoop
from sorrel.program.threads import UnsupportedThreads, has_threads, threads_of
from sorrel.smt.solver import Oracle
from sorrel.transform.split import split_by_constants


def satisfied(checked: Program, rule: Rule, effort: Effort) -> Outcome:
    """Safe: the rule's clauses have a solution on the program."""
    try:
        view = _view(checked, rule)
    except (UnsupportedThreads, AtomicLoop, Recursive) as problem:
        return unknown(Cause.INPUT, f"the rule {rule.name} does not fit: {problem}")
    instance = instantiate(rule, view)
    narrow = split_by_constants(instance.system, counters_of(instance))
    own = effort
    if instance.system.obligations:
        own = replace(effort, options=replace(effort.options, engine=ENGINE_FOR_OBLIGATIONS, engine_options={}))
    verdict = narrow.lift(decide(narrow.system, own, {}), Oracle(effort.clock, effort.statistics))
    outcome = accept(Solution(instance.system, verdict), effort)
    match outcome.answer:
        case Answer.SAFE:
            concluded = _concluded(outcome, rule)
            more = of_threads(threads_of(checked), checked) if rule.subject is Subject.THREADS else ()
            return replace(concluded, assumptions=(*concluded.assumptions, *more))
        case Answer.UNSAFE:
            return _no_solution(checked, rule, effort)
        case Answer.UNKNOWN | Answer.ASSUMING:
            return outcome


def _view(checked: Program, rule: Rule) -> View:
    if rule.subject is Subject.THREADS:
        return thread_view(threads_of(checked), Arithmetic.IDEAL)
    if has_threads(checked):
        raise UnsupportedThreads("the program has threads, and the rule is about procedures")
    return procedure_view(checked, Arithmetic.IDEAL)


def _concluded(outcome: Outcome, rule: Rule) -> Outcome:
    said = f"The rule {rule.name} is sound: its conditions imply {rule.conclusion}."
    assumed = () if rule.sound else (Assumption(AssumptionKind.OTHER, said),)
    return replace(
        outcome,
        arithmetic=str(Arithmetic.IDEAL),
        notes=(f"rule satisfied: {rule.name}", *outcome.notes),
        assumptions=(*outcome.assumptions, *assumed),
    )


def _no_solution(checked: Program, rule: Rule, effort: Effort) -> Outcome:
    """The conditions cannot be met; whether the program is wrong is for an interleaving to show."""
    if rule.conclusion is Conclusion.SAFETY and rule.subject is Subject.THREADS:
        explored = exploration(threads_of(checked), effort)
        if explored.error is not None:
            return accept(Interleaving(threads_of(checked), explored.error), effort)
    why = f"the conditions of the rule {rule.name} have no solution on this program; that is not a run of it"
    return Outcome(Answer.UNKNOWN, reason=Reason(Cause.INCOMPLETE, why))
