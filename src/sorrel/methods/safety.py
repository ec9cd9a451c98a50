"""One program and one property: attempts at growing precision, and what each of them is worth.

A proof over unbounded integers holds for every machine, so it is tried first. A counterexample counts only if the
interpreter repeats it in the machine's integers; one that does not leads to the next attempt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.encode.arithmetic import GROWING, Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.evidence.door import DifferingRuns, ErrorRun, Solution, accept
from sorrel.evidence.effort import Effort, Proof, Reading, Reread
from sorrel.evidence.run import REPEATED_STEPS
from sorrel.explain.contracts import (
    as_far_as_it_went,
    named_after_loops,
    own_invariants,
    program_contracts,
    readable,
    slimmer,
)
from sorrel.horn.verdict import Derivation, Safe, Unknown, Unsafe, Verdict
from sorrel.methods.clauses import decide, inner
from sorrel.methods.options import WholeOptions
from sorrel.methods.plan import PLAN
from sorrel.methods.programs import ProgramQuestion
from sorrel.model.budget import Clock
from sorrel.model.errors import UsageError
from sorrel.model.outcome import (
    Answer,
    Cause,
    Outcome,
    Reason,
    ValueOrigin,
    unknown,
)
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.program.flattening import flattened
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Run
from sorrel.program.shrinking import shrunk
from sorrel.relate.product import Product

_WHERE = {
    Arithmetic.IDEAL: "over unbounded integers",
    Arithmetic.RANGED: "over integers that stay within their types",
    Arithmetic.EXACT: "over bit-vectors",
    Arithmetic.WRAPPED: "over integers with wrap-around",
    Arithmetic.WRAPPED_BITS: "over bit-vectors with wrap-around",
}


def arithmetics(task: Task) -> tuple[Arithmetic, ...]:
    """What to try, in order. Whether ranges are left is a question about ranges: ideal numbers cannot answer it."""
    overflow = task.goal is Property.NO_OVERFLOW
    if task.arithmetic == "auto":
        # Arithmetic of Java never leaves its types, so that there is nothing to be had from unbounded integers.
        return (Arithmetic.RANGED, Arithmetic.EXACT) if overflow or task.is_java else GROWING
    if overflow and task.arithmetic == "ideal":
        raise UsageError("unbounded integers do not overflow: --arith ideal does not go with no-overflow")
    return (Arithmetic(task.arithmetic),)


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """What an attempt is about: a program, which for a property of several runs is their product.

    If its calls were replaced by what they do, `original` is the program with the calls. `read` gives the program in
    another reading; None if it is not known what that would be.
    """

    program: Program
    product: Product | None = None
    original: Program | None = None
    read: Callable[[Reading], Program | None] = lambda _: None

    def again(self, reading: Reading) -> Reread | None:
        """The clauses of the subject in another reading."""
        program = self.read(reading)
        if program is None:
            return None
        encoding = encode(program, reading.arithmetic, self.product.copies if self.product else None)
        return Reread(encoding.system, None if self.product else encoding.choices)


def by_contracts(question: ProgramQuestion, effort: Effort) -> Outcome:
    """A contract for every procedure and loop, by the engine that the effort names; or a run that it leads to."""
    return attempts(
        CheckedProgram(question.checked, read=question.read), arithmetics(question.task), question.task, effort
    )


def as_a_whole(question: ProgramQuestion, effort: Effort) -> Outcome:
    """The program as one procedure: less is told of it, but loops are easier than calls for most engines."""
    return without_calls(question, inner(effort, WholeOptions))


def without_calls(question: ProgramQuestion, own: Effort) -> Outcome:
    """The program as one procedure, by the engine that the effort names."""
    arithmetic = arithmetics(question.task)[0]
    encoding = question.whole_encoding(arithmetic)
    if encoding is None or question.whole is None:
        return unknown(Cause.UNSUPPORTED, "there are no calls to inline")
    own.progress({"phase": "calls replaced", "numbers": str(arithmetic)})
    flat = CheckedProgram(
        question.whole, original=question.checked, read=lambda reading: flattened(question.read(reading))
    )
    outcome = _encoded_attempt(flat, encoding, question.task, own, own.clock)
    return replace(outcome, decided_by=f"{outcome.decided_by or own.options.engine} on the program as a whole")


def attempts(about: CheckedProgram, kinds: tuple[Arithmetic, ...], task: Task, effort: Effort) -> Outcome:
    """The first attempt that settles the question, or why none does; each leaves the next one some time."""
    failed: list[Outcome] = []
    for arithmetic in kinds:
        if failed and arithmetic is Arithmetic.EXACT and not _was_spurious(failed[-1]):
            break  # bits are for what integers get wrong, not for what takes them too long
        effort.progress({"numbers": str(arithmetic)})
        clock = PLAN.explanation.reserved(effort.clock)
        # Only unbounded integers leave time for another attempt; bits are tried at once or not at all.
        shared = arithmetic is Arithmetic.IDEAL and len(kinds) > 1
        engine_clock = PLAN.ideal.of(clock) if shared else clock
        outcome = _attempt(about, arithmetic, task, effort, engine_clock, tell=not effort.brief)
        if outcome.answer is not Answer.UNKNOWN:
            return outcome
        failed.append(outcome)
        effort.report(_none_settles(failed))
        if effort.clock.expired() or _hopeless(outcome):
            break
    return _none_settles(failed)


def _was_spurious(outcome: Outcome) -> bool:
    return outcome.reason is not None and outcome.reason.cause is Cause.UNCONFIRMED


def _hopeless(outcome: Outcome) -> bool:
    """Other numbers do not help where the program itself is not modelled, nor where we have a bug."""
    abstract = any(choice.origin is ValueOrigin.ABSTRACTION for choice in outcome.choices)
    return abstract or (outcome.reason is not None and outcome.reason.cause is Cause.INTERNAL)


def _none_settles(failed: list[Outcome]) -> Outcome:
    """The last attempt's outcome, with everyone's reasons and the contracts of whoever proved most."""
    most = max(failed, key=lambda outcome: len(outcome.program_contracts))
    reasons = dict.fromkeys(f"{_WHERE[Arithmetic(o.arithmetic)]}: {o.reason}" for o in failed)
    last = failed[-1]
    cause = last.reason.cause if last.reason else Cause.INCOMPLETE
    message = "\n".join(reasons) if len(failed) > 1 else str(last.reason)
    return replace(
        last,
        reason=Reason(cause, message),
        program_contracts=most.program_contracts,
        missing=most.missing,
        arithmetic=most.arithmetic,
    )


def _attempt(
    about: CheckedProgram,
    arithmetic: Arithmetic,
    task: Task,
    effort: Effort,
    engine_clock: Clock,
    *,
    tell: bool = False,
) -> Outcome:
    """With clauses for this arithmetic; engine synonym makes its own."""
    if product := about.product:
        from sorrel.methods.relational.lockstep import SYNONYM, explored  # one run alone needs nothing of this

        def judge(result: Run, outcome: Outcome) -> Outcome:
            return accept(DifferingRuns(product, task, result, outcome), effort)

        if effort.options.engine == SYNONYM:
            return explored(product, arithmetic, effort, engine_clock, judge)
    encoding = encode(about.program, arithmetic, about.product.copies if about.product else None)
    return _encoded_attempt(about, encoding, task, effort, engine_clock, tell=tell)


def _encoded_attempt(
    about: CheckedProgram, encoding: Encoding, task: Task, effort: Effort, engine_clock: Clock, *, tell: bool = False
) -> Outcome:
    """`tell`: what was proved is worth telling even if it does not settle the question."""
    verdict = found = decide(encoding.system, replace(effort, clock=engine_clock), {}, all_evidence=True)
    if isinstance(verdict, Safe) and about.product is None:
        verdict = slimmer(encoding, verdict, effort)
    outcome = accept(Solution(encoding.system, verdict), effort)
    if isinstance(found, Safe) and outcome.answer is Answer.SAFE:
        own = (_flat_clauses, effort.options.engine) if about.original else ()
        effort.proofs.append(Proof(encoding.system, found, encoding.arithmetic, about.again, *own))
    outcome = replace(outcome, arithmetic=str(encoding.arithmetic))
    if isinstance(verdict, Unknown) and not tell:
        return outcome
    return _explained(about, encoding, verdict, outcome, task, effort)


def _flat_clauses(program: Program, arithmetic: Arithmetic) -> Reread:
    """What a proof of the program as one procedure takes for granted is easier to show in the same way."""
    encoding = encode(flattened(program) or program, arithmetic)
    return Reread(encoding.system, encoding.choices)


def _explained(
    about: CheckedProgram, encoding: Encoding, verdict: Verdict, outcome: Outcome, task: Task, effort: Effort
) -> Outcome:
    """The outcome about the system as one about the program."""
    match verdict, outcome.answer:
        case Safe(summaries), Answer.SAFE if about.product:
            told = (
                named_after_loops(contract, about.product)
                for contract in program_contracts(encoding, summaries, effort)
            )
            return replace(outcome, program_contracts=tuple(told))
        case Safe(summaries), Answer.SAFE if about.original:
            return replace(
                outcome,
                program_contracts=own_invariants(encoding, summaries, about.original, effort),
                notes=(*outcome.notes, "calls were inlined"),
            )
        case Safe(summaries), Answer.SAFE:
            return replace(outcome, program_contracts=readable(encoding, summaries, effort))
        case Unsafe(derivation), Answer.UNSAFE if (rounds := _rounds(derivation)) > REPEATED_STEPS:
            why = Reason(
                Cause.UNCONFIRMED, f"the counterexample takes {rounds} rounds of loops, too many to be repeated"
            )
            return replace(outcome, answer=Answer.UNKNOWN, reason=why, certificate="", trace=())
        case Unsafe(derivation), Answer.UNSAFE if about.product:
            from sorrel.methods.relational.pairs import accept_differing

            repeated = run(about.program, encoding.choices(derivation), steps=REPEATED_STEPS)
            return accept_differing(about.product, task, repeated, outcome, effort)
        case Unsafe(derivation), Answer.UNSAFE:
            program = about.original or about.program
            values = shrunk(program, encoding.choices(derivation), REPEATED_STEPS)
            return accept(ErrorRun(program, task, values, outcome), effort)
        case Unknown(_, facts), _:
            return as_far_as_it_went(encoding, facts if outcome.facts else {}, outcome, effort)
        case _:
            return outcome


def _rounds(derivation: Derivation) -> int:
    return sum(loop.count for loop in derivation.loops)
