"""One program and one property: attempts at growing precision, and what each of them is worth.

A proof over unbounded integers holds for every machine, so it is tried first. A counterexample counts only if the
interpreter repeats it in the machine's integers; one that does not leads to the next attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from sorrel.encode.arithmetic import GROWING, Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.evidence.door import DifferingRuns, ErrorRun, OnlyRun, Solution, accept
from sorrel.evidence.effort import Effort, Proof, Reading, Reread
from sorrel.evidence.run import REPEATED_STEPS, values_of
from sorrel.explain.contracts import (
    as_far_as_it_went,
    named_after_loops,
    own_invariants,
    program_contracts,
    readable,
    slimmer,
)
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.methods.clauses import decide
from sorrel.methods.relational.lockstep import SYNONYM, explored
from sorrel.model.budget import Clock
from sorrel.model.errors import UsageError
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    Outcome,
    Reason,
    ValueOrigin,
)
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.program.flattening import flattened
from sorrel.program.interpreter import Run, run
from sorrel.program.program import Program
from sorrel.program.shrinking import shrunk
from sorrel.relate.product import Product
from sorrel.testing.differing import look
from sorrel.testing.probe import explored_violation, probe

IDEAL_SHARE = 0.7
"""Part of the time left for an attempt that another one may follow."""
SLIMMING_SECONDS, MISSING_SECONDS, CONTRACT_SECONDS, EXPLANATION_SECONDS = 2.0, 3.0, 5.0, 2.0
PROBE_SECONDS, CLOSED_SECONDS, INFERENCE_SECONDS = 0.25, 10.0, 5.0
EXPLORING_SHARE, EXPLORING_SECONDS = 0.05, 3.0
"""Of the processor's time. Errors that are found in this way are found soon."""
CONTRACTS_FIRST_SECONDS, WHOLE_SHARE = 4.0, 0.6
"""How long contracts have the first chance, and the part of the time for the program as one procedure after that."""
ENGINES_FOR_LOOPS = ("slices", "spacer")
"""The engines that are no worse at loops than at calls."""
RELATED_PROBE_SHARE, RELATED_PROBE_SECONDS = 0.1, 6.0
"""Several runs are looked at for longer: a leak needs two that agree in most of what they read."""
LONG, UNREADABLE = 80, 400
"""Characters of a conjunct that is hard to read, and of one that nobody reads."""
REPLAY_SECONDS = 60.0
T = TypeVar("T")
_WHERE = {
    Arithmetic.IDEAL: "over unbounded integers",
    Arithmetic.RANGED: "over integers that stay within their types",
    Arithmetic.EXACT: "over bit-vectors",
    Arithmetic.WRAPPED: "over integers that wrap round",
    Arithmetic.WRAPPED_BITS: "over bit-vectors that wrap round",
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
class Subject:
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


def verified(
    checked: Program, task: Task, effort: Effort, read: Callable[[Reading], Program | None] = lambda _: None
) -> Outcome:
    """By looking, if runs with a few values show an error; by proof; by the only run of a program that has no other.

    `read` gives the program in another reading, for those who ask what a proof took for granted.
    """
    kinds = arithmetics(task)
    looked = probe(checked, effort.clock.remaining(PROBE_SECONDS))
    violated = looked.violated
    if violated is None and looked.only is None:
        violated = explored_violation(checked, effort.clock.processor_share(EXPLORING_SHARE, EXPLORING_SECONDS))
    if violated is not None:
        found = Outcome(Answer.UNKNOWN, notes=("found by running the program",))
        outcome = accept(ErrorRun(checked, task, values_of(violated), found), effort)
        if outcome.answer is Answer.UNSAFE:
            return outcome
    subject = Subject(checked, read=read)
    if looked.only is not None:
        effort.only_run.append(looked.only)
    else:
        return _as_a_whole(subject, kinds[0], task, effort) or _attempts(subject, kinds, task, effort)
    outcome = _attempts(subject, kinds, task, replace(effort, clock=effort.clock.share(0.5, at_most=CLOSED_SECONDS)))
    return outcome if outcome.answer is not Answer.UNKNOWN else accept(OnlyRun(checked, outcome), effort)


def related(
    product: Product, task: Task, effort: Effort, read: Callable[[Reading], Program | None] = lambda _: None
) -> Outcome:
    """Several runs at once: by looking for runs that differ, else by proof about their product."""
    kinds = arithmetics(task)
    seconds = effort.clock.share(RELATED_PROBE_SHARE, at_most=RELATED_PROBE_SECONDS).remaining()
    # What a claim requires of inputs is seldom met by chance, and quickly by a solver.
    # Engines that work side by side look for different runs.
    seed = effort.options.seed + sum(map(ord, effort.options.engine))
    found = look(product, seconds, seed) if product.claim is None else None
    if found is not None:
        told = Outcome(Answer.UNKNOWN, notes=("found by running the program",))
        outcome = accept(DifferingRuns(product, task, found, told), effort)
        if outcome.answer is Answer.UNSAFE:
            return outcome
    outcome = _attempts(Subject(product.program, product, read=read), kinds, task, effort)
    own = product.originals[0].assumptions
    common = [Assumption.of(each) for each in product.program.assumptions if each not in own]
    return replace(outcome, assumptions=(*outcome.assumptions, *common))


def proved_by(products: Mapping[str, Product], share: float, task: Task, effort: Effort) -> Outcome | None:
    """A law proved by proofs about products that imply it together, by what is told of them; None if one fails.

    They take no more than that share of the time: what is left is for the law itself, which alone can be violated.
    """
    options = replace(effort.options, replay=False)
    proved: list[Outcome] = []
    for position, product in enumerate(products.values()):
        clock = effort.clock.share(share / (len(products) - position))
        outcome = related(product, task, replace(effort, options=options, clock=clock, report=lambda _: None))
        if outcome.answer is not Answer.SAFE:
            effort.proofs.clear()
            return None
        proved.append(outcome)
    return replace(
        proved[0],
        certificate="\n".join(f"; {text}\n{one.certificate}" for text, one in zip(products, proved, strict=True)),
        contracts=tuple(contract for one in proved for contract in one.contracts),
        confirmations=tuple(confirmation for one in proved for confirmation in one.confirmations),
        notes=(*products, *_all_of(one.notes for one in proved)),
        assumptions=_all_of(one.assumptions for one in proved),
        program_contracts=tuple(contract for one in proved for contract in one.program_contracts),
    )


def _all_of(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(each for part in parts for each in part))


def _as_a_whole(subject: Subject, arithmetic: Arithmetic, task: Task, effort: Effort) -> Outcome | None:
    """The program as one procedure, if contracts are not found at once; nothing if that does not settle the question.

    Contracts say more about the program, so they come first; and without a limit there is no reason to hurry.
    """
    whole = flattened(subject.program) if effort.options.engine in ENGINES_FOR_LOOPS else None
    if whole is None or effort.clock.deadline is None:
        return None
    effort.progress({"numbers": str(arithmetic)})
    # Encoded before any solver has run, so that the clauses are the same each time, on which Spacer's luck depends.
    encoding = encode(whole, arithmetic)
    first = effort.clock.share(0.1, at_most=CONTRACTS_FIRST_SECONDS)
    outcome = _attempt(subject, arithmetic, task, effort, first)
    if outcome.answer is Answer.UNKNOWN and outcome.reason and outcome.reason.cause is Cause.TIME:
        effort.progress({"phase": "calls replaced"})
        flat = Subject(whole, original=subject.program, read=lambda reading: _flat(subject.read(reading)))
        outcome = _encoded_attempt(flat, encoding, task, effort, effort.clock.share(WHOLE_SHARE))
    return outcome if outcome.answer is not Answer.UNKNOWN else None


def _flat(program: Program | None) -> Program | None:
    return flattened(program) if program else None


def _attempts(subject: Subject, kinds: tuple[Arithmetic, ...], task: Task, effort: Effort) -> Outcome:
    """The first attempt that settles the question, or why none does; each leaves the next one some time."""
    failed: list[Outcome] = []
    for arithmetic in kinds:
        if failed and arithmetic is Arithmetic.EXACT and not _was_spurious(failed[-1]):
            break  # bits are for what integers get wrong, not for what takes them too long
        effort.progress({"numbers": str(arithmetic)})
        clock = effort.clock.reserve(EXPLANATION_SECONDS, 0.1)
        # Only unbounded integers leave time for another attempt; bits are tried at once or not at all.
        shared = arithmetic is Arithmetic.IDEAL and len(kinds) > 1
        engine_clock = clock.share(IDEAL_SHARE) if shared else clock
        outcome = _attempt(subject, arithmetic, task, effort, engine_clock, tell=True)
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
    subject: Subject, arithmetic: Arithmetic, task: Task, effort: Effort, engine_clock: Clock, *, tell: bool = False
) -> Outcome:
    """With clauses for this arithmetic; engine synonym makes its own."""
    if (product := subject.product) and effort.options.engine == SYNONYM:

        def judge(result: Run, outcome: Outcome) -> Outcome:
            return accept(DifferingRuns(product, task, result, outcome), effort)

        return explored(product, arithmetic, effort, engine_clock, judge)
    encoding = encode(subject.program, arithmetic, subject.product.copies if subject.product else None)
    return _encoded_attempt(subject, encoding, task, effort, engine_clock, tell=tell)


def _encoded_attempt(
    subject: Subject, encoding: Encoding, task: Task, effort: Effort, engine_clock: Clock, *, tell: bool = False
) -> Outcome:
    """`tell`: what was proved is worth telling even if it does not settle the question."""
    verdict = found = decide(encoding.system, replace(effort, clock=engine_clock), {})
    if isinstance(verdict, Safe) and subject.product is None:
        verdict = slimmer(encoding, verdict, effort)
    outcome = accept(Solution(encoding.system, verdict), effort)
    if isinstance(found, Safe) and outcome.answer is Answer.SAFE:
        effort.proofs.append(Proof(encoding.system, found, encoding.arithmetic, subject.again))
    outcome = replace(outcome, arithmetic=str(encoding.arithmetic))
    if isinstance(verdict, Unknown) and not tell:
        return outcome
    return _explained(subject, encoding, verdict, outcome, task, effort)


def _explained(
    subject: Subject, encoding: Encoding, verdict: Verdict, outcome: Outcome, task: Task, effort: Effort
) -> Outcome:
    """The outcome about the system as one about the program."""
    match verdict, outcome.answer:
        case Safe(summaries), Answer.SAFE if subject.product:
            told = (
                named_after_loops(contract, subject.product)
                for contract in program_contracts(encoding, summaries, effort)
            )
            return replace(outcome, program_contracts=tuple(told))
        case Safe(summaries), Answer.SAFE if subject.original:
            return replace(
                outcome,
                program_contracts=own_invariants(encoding, summaries, subject.original, effort),
                notes=(*outcome.notes, "proved with the bodies of procedures in place of calls"),
            )
        case Safe(summaries), Answer.SAFE:
            return replace(outcome, program_contracts=readable(encoding, summaries, effort))
        case Unsafe(derivation), Answer.UNSAFE if subject.product:
            repeated = run(subject.program, encoding.choices(derivation), steps=REPEATED_STEPS)
            return accept(DifferingRuns(subject.product, task, repeated, outcome), effort)
        case Unsafe(derivation), Answer.UNSAFE:
            program = subject.original or subject.program
            values = shrunk(program, encoding.choices(derivation), REPEATED_STEPS)
            return accept(ErrorRun(program, task, values, outcome), effort)
        case Unknown(_, facts), _:
            return as_far_as_it_went(encoding, facts if outcome.facts else {}, outcome, effort)
        case _:
            return outcome
