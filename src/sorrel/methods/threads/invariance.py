"""The clauses of invariance of a program with threads, and proofs that rest on rules for threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.rules.builtin import builtin_rule
from sorrel.encode.rules.instance import Instance, instantiate
from sorrel.encode.transition import ThreadView, thread_view
from sorrel.evidence.effort import Proof, Reading, Reread
from sorrel.horn.verdict import Safe, Verdict
from sorrel.methods.programs import NOT_FOLLOWED, ProgramQuestion
from sorrel.model.errors import InternalError
from sorrel.model.outcome import Outcome

INVARIANCE = "invariance"


def invariance(question: ProgramQuestion) -> Instance:
    return instantiate(builtin_rule(INVARIANCE), thread_view(question.threads, Arithmetic.IDEAL))


def threads_in(instance: Instance) -> ThreadView:
    if not isinstance(instance.view, ThreadView):
        raise InternalError("a rule about threads was instantiated on something else")
    return instance.view


def proofs(question: ProgramQuestion, instance: Instance, verdict: Verdict) -> Iterator[Proof]:
    """What the answer rests on, and how the same rule speaks about the program in another reading."""

    def again(reading: Reading) -> Reread | None:
        program = question.read(reading)
        try:
            threads = question.threads_in(program)
        except NOT_FOLLOWED:
            return None
        return Reread(instantiate(instance.rule, thread_view(threads, reading.arithmetic)).system)

    if isinstance(verdict, Safe):
        yield Proof(instance.system, verdict, Arithmetic.IDEAL, again)


def as_proof(outcome: Outcome, rule: str) -> Outcome:
    return replace(outcome, arithmetic=str(Arithmetic.IDEAL), notes=(*outcome.notes, f"by the rule {rule}"))
