"""A program and a proof rule: is there a solution for the rule's clauses on it?

What a solution means is what the rule claims; `check` sees only the clauses. So the answer repeats, as an assumption,
that the rule is sound, unless whoever wrote it says so. A derivation under a rule is no run of the program.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.rules.instance import counters_of
from sorrel.encode.rules.rule import Conclusion, Rule, RuleSubject
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.methods.clauses import decide
from sorrel.methods.features import Subject
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.threads.interleavings import of_threads, refuted
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, unknown
from sorrel.smt.solver import Oracle
from sorrel.transform.split import split_by_constants


def satisfied(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Safe: the rule's clauses have a solution on the program, found by the engine that the effort names."""
    instance, rule = question.instance, question.rule
    narrow = split_by_constants(instance.system, counters_of(instance))
    verdict = narrow.lift(decide(narrow.system, effort, {}), Oracle(effort.clock, effort.statistics))
    outcome = accept(Solution(instance.system, verdict), effort)
    match outcome.answer:
        case Answer.SAFE:
            concluded = _concluded(outcome, rule)
            own = of_threads(question) if rule.subject is RuleSubject.THREADS else ()
            return replace(concluded, assumptions=(*concluded.assumptions, *own))
        case Answer.UNSAFE:
            why = f"the conditions of the rule {rule.name} have no solution on this program; that is not a run of it"
            return unknown(Cause.INCOMPLETE, why)
        case Answer.UNKNOWN | Answer.ASSUMING:
            return outcome


def interleavings(question: ProgramQuestion, effort: Effort) -> Outcome:
    """A rule's conditions cannot be met where an interleaving shows an error, and only that makes a program unsafe."""
    problem = lacks_interleavings(question)
    return unknown(Cause.UNSUPPORTED, problem) if problem else refuted(question, effort)


def lacks_interleavings(question: ProgramQuestion) -> str:
    """Of a question about a rule: one for the safety of threads."""
    if question.subject is not Subject.RULE:
        return ""
    rule = question.rule
    is_fitting = rule.conclusion is Conclusion.SAFETY and rule.subject is RuleSubject.THREADS
    return "" if is_fitting else f"the rule {rule.name} is not about the safety of threads"


def _concluded(outcome: Outcome, rule: Rule) -> Outcome:
    said = f"The rule {rule.name} is sound: its conditions imply {rule.conclusion}."
    assumed = () if rule.sound else (Assumption(AssumptionKind.OTHER, said),)
    return replace(
        outcome,
        arithmetic=str(Arithmetic.IDEAL),
        notes=(f"rule satisfied: {rule.name}", *outcome.notes),
        assumptions=(*outcome.assumptions, *assumed),
    )
