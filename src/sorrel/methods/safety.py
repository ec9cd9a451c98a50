"""One program and one property: attempts at growing precision, and what each of them is worth.

A proof over unbounded integers holds for every machine, so it is tried first. A counterexample counts only if the
interpreter repeats it in the machine's integers; one that does not leads to the next attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sorrel.encode.arithmetic import GROWING, Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.encode.points import Place
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.evidence.run import REPEATED_STEPS, how_it_ended, needs_abstractions, smallest
from sorrel.evidence.side_by_side import Compared, compare
from sorrel.explain import telling
from sorrel.guess.missing import missing
from sorrel.guess.selection import MOST_FACTS
from sorrel.guess.slim import asked_for, slim, suffices
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.methods.clauses import Effort, Proof, Reading, Reread, confirm_encoded, decide, inductive
from sorrel.methods.inference import infer
from sorrel.methods.relational.lockstep import SYNONYM, explored
from sorrel.model.budget import Clock
from sorrel.model.errors import UsageError
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    ChosenValue,
    Confirmation,
    ContractKind,
    Outcome,
    ProgramContract,
    Reason,
    Replay,
    ReplayResult,
    ValueOrigin,
    Violation,
)
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.program.flattening import flattened
from sorrel.program.floating import on_floats
from sorrel.program.interpreter import Finished, Run, Violated, run
from sorrel.program.program import Program
from sorrel.program.statement import READS
from sorrel.relate.claims import RUNS_OF
from sorrel.relate.product import Product
from sorrel.replay.compiler import command_line, file_name, replay, texts
from sorrel.replay.entry import Entry, NoHarness, entry_of, own_choices
from sorrel.replay.harness import standard_input, write_harness
from sorrel.replay.observers import as_printed
from sorrel.replay.telling import chosen, show, tell, violation
from sorrel.replay.together import Trial, observers, one_file, replay_together
from sorrel.smt.solver import Oracle
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
        found = Outcome(Answer.UNSAFE, notes=("found by running the program",))
        outcome = _witnessed(checked, violated, found, task, effort)
        if outcome.answer is Answer.UNSAFE:
            return outcome
    subject = Subject(checked, read=read)
    if looked.only is not None:
        effort.only_run.append(looked.only)
    else:
        return _as_a_whole(subject, kinds[0], task, effort) or _attempts(subject, kinds, task, effort)
    outcome = _attempts(subject, kinds, task, replace(effort, clock=effort.clock.share(0.5, at_most=CLOSED_SECONDS)))
    return outcome if outcome.answer is not Answer.UNKNOWN else _only_run(looked.only, outcome)


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
        told = Outcome(Answer.UNSAFE, notes=("found by running the program",))
        outcome = _side_by_side(product, found, told, task, effort)
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


def _side_by_side(product: Product, result: Run, outcome: Outcome, task: Task, effort: Effort) -> Outcome:
    """Unsafe if each run on its own does what the product says it does, and they violate the property."""
    repeated = _compared(product, on_floats(product.program, result, REPEATED_STEPS), task)
    if isinstance(repeated, str):
        why = f"the counterexample is none on a machine: {repeated}"
        return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why), certificate="", trace=())
    found, texts = repeated
    detail = f"each of the {len(found.runs)} runs was repeated on its own"
    told = replace(
        outcome,
        confirmations=(*outcome.confirmations, Confirmation("the interpreter", True, 0.0, detail)),
        violation=found.violation,
        runs=found.runs,
        functions=found.functions,
    )
    try:
        if task.is_java:
            return _judged(_on_a_machine(product, found, texts, told, task, effort), _choices(found), task)
        trials = list(_trials(product, found, task))
        told = replace(told, harness=one_file(trials))
        if effort.options.replay:
            effort.progress({"phase": "replay"})
            seconds = effort.clock.remaining(REPLAY_SECONDS)
            told = replace(told, replay=replay_together(task, found.violation, trials, seconds))
    except NoHarness as problem:
        told = replace(told, replay=Replay(ReplayResult.IMPOSSIBLE, str(problem)))
    return _judged(told, _choices(found), task)


def _choices(found: Compared) -> list[ChosenValue]:
    return [choice for run in found.runs for choice in run.choices]


def _on_a_machine(
    product: Product, found: Compared, texts: Mapping[int, str], told: Outcome, task: Task, effort: Effort
) -> Outcome:
    """With a program in Java that makes the runs, and what came of it if that was asked for."""
    from sorrel.frontends import java
    from sorrel.replay.java import replay_java

    if len({program.main for program in product.originals}) > 1:
        raise NoHarness("runs of several methods are not repeated on a machine")
    runs = {side.name: alone for side, alone in zip(found.runs, found.alone, strict=True)}
    try:
        written = java.harness(task.sources, task.function, runs, texts)
    except java.NotBuilt as problem:
        raise NoHarness(str(problem)) from None
    told = replace(told, harness=written[1])
    if not effort.options.replay:
        return told
    effort.progress({"phase": "replay"})
    expected = {name: show(alone.end.outputs[-1]) for name, alone in runs.items() if isinstance(alone.end, Finished)}
    sources = [java.text_of(source) for source in task.sources]
    return replace(told, replay=replay_java(task, sources, written, expected, effort.clock.remaining(REPLAY_SECONDS)))


def _compared(product: Product, result: Run, task: Task) -> tuple[Compared, Mapping[int, str]] | str:
    """The runs of the counterexample; those of Java with strings that exist, by their numbers."""
    if not task.is_java:
        found = compare(product, result, REPEATED_STEPS)
        return found if isinstance(found, str) else (found, {})
    from sorrel.frontends import java

    real = java.realised(product.program, result, REPEATED_STEPS)
    if isinstance(real, str):
        return real
    found = compare(product, real.run, REPEATED_STEPS, real.functions)
    if isinstance(found, str):
        return found
    return real.doubt(found.alone) or (replace(found, functions=real.told(found.functions)), real.texts)


def _trials(product: Product, found: Compared, task: Task) -> Iterator[Trial]:
    """Each run with a harness of its own, which shows what the property compares."""
    watching = observers(task, list(texts(task)))
    for number, (program, alone, told) in enumerate(zip(product.originals, found.alone, found.runs, strict=True)):
        function = program.main.removeprefix(RUNS_OF) if product.claim else task.function
        own = replace(task, function=function)
        entry = _entry(program, alone, own)
        harness = _harness(found.violation, told.choices, program, alone, own, entry, watching)
        observed = found.observed[number] if found.observed else ()
        result = None
        if product.claim and isinstance(alone.end, Finished):
            result = as_printed(alone.end.outputs[-1])
        yield Trial(told.name, harness, entry.file if entry else "", observed, result)


def _only_run(only: Run, outcome: Outcome) -> Outcome:
    """Safe because everything that the program can do was done; nothing was proved about parts of it beyond that."""
    detail = "the program has no inputs; its only run ends without an error"
    confirmation = Confirmation("the interpreter", True, 0.0, detail)
    return replace(
        outcome,
        answer=Answer.SAFE,
        reason=None,
        confirmations=(confirmation,),
        notes=(detail,),
        missing=(),
        arithmetic="",
    )


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
            return _side_by_side(product, result, outcome, task, effort)

        return explored(product, arithmetic, effort, engine_clock, judge)
    encoding = encode(subject.program, arithmetic, subject.product.copies if subject.product else None)
    return _encoded_attempt(subject, encoding, task, effort, engine_clock, tell=tell)


def _encoded_attempt(
    subject: Subject, encoding: Encoding, task: Task, effort: Effort, engine_clock: Clock, *, tell: bool = False
) -> Outcome:
    """`tell`: what was proved is worth telling even if it does not settle the question."""
    verdict = found = decide(encoding.system, replace(effort, clock=engine_clock), {})
    if isinstance(verdict, Safe) and subject.product is None:
        verdict = _slimmer(encoding, verdict, effort)
    outcome = confirm_encoded(encoding.system, verdict, effort)
    if isinstance(found, Safe) and outcome.answer is Answer.SAFE:
        effort.proofs.append(Proof(encoding.system, found, encoding.arithmetic, subject.again))
    outcome = replace(outcome, arithmetic=str(encoding.arithmetic))
    if isinstance(verdict, Unknown) and not tell:
        return outcome
    return _explained(subject, encoding, verdict, outcome, task, effort)


def _slimmer(encoding: Encoding, verdict: Safe, effort: Effort) -> Safe:
    """The proof without what it does not need, if both pass for a proof; it is read more often than made."""
    slimmed = slim(encoding.system, verdict.summaries, _slimming(effort))
    accepted = check(encoding.system, Safe(slimmed), effort.clock.remaining(SLIMMING_SECONDS))
    return replace(verdict, summaries=slimmed) if isinstance(accepted, Accepted) else verdict


def _slimming(effort: Effort) -> Oracle:
    return Oracle(effort.clock.share(0.2, at_most=SLIMMING_SECONDS), effort.statistics, query_seconds=1.0)


def _readable(encoding: Encoding, summaries: Summaries, effort: Effort) -> tuple[ProgramContract, ...]:
    """Contracts that say what callers need; where those are long, facts of templates if they say as much.

    An invariant of a loop is told as a whole: it is of use only if it is inductive.
    """
    functions = {name for name, point in encoding.points.items() if point.place is Place.FUNCTION}
    asked = asked_for(encoding.system, summaries, _slimming(effort))
    asked = {name: asked[name] if name in functions else summary for name, summary in summaries.items()}
    contracts = _contracts(encoding, asked, effort)
    long = {c.procedure for c in contracts if c.kind is ContractKind.FUNCTION and _is_long(c)}
    if not long:
        return contracts
    inferred = infer(encoding.system, replace(effort, clock=effort.clock.share(0.2, at_most=INFERENCE_SECONDS)))
    if not inductive(encoding.system, inferred.proved, effort.clock):
        return contracts
    oracle = _slimming(effort)
    for name in functions:
        told = inferred.told[name]
        is_long = encoding.points[name].procedure in long
        if is_long and suffices(encoding.system, {**summaries, **asked}, name, told, oracle):
            asked[name] = told
    return _contracts(encoding, asked, effort)


def _is_long(contract: ProgramContract) -> bool:
    return len(contract.conjuncts) > MOST_FACTS or any(len(conjunct) > LONG for conjunct in contract.conjuncts)


def _as_far_as_it_went(encoding: Encoding, facts: Summaries, outcome: Outcome, effort: Effort) -> Outcome:
    """What is proved about each function, and a fact that would be enough together with it."""
    oracle = Oracle(effort.clock.share(0.5, at_most=MISSING_SECONDS), effort.statistics, query_seconds=1.0)
    needed = encoding.contracts(missing(encoding.system, facts, oracle), oracle)
    readable = all(len(conjunct) <= UNREADABLE for contract in needed for conjunct in contract.conjuncts)
    proved = _contracts(encoding, facts, effort)
    return replace(outcome, program_contracts=proved, missing=needed if readable else ())


def _contracts(encoding: Encoding, summaries: Summaries, effort: Effort) -> tuple[ProgramContract, ...]:
    clock = effort.clock.share(0.5, at_most=CONTRACT_SECONDS)
    return telling.contracts(encoding, summaries, Oracle(clock, effort.statistics, query_seconds=1.0))


def _explained(
    subject: Subject, encoding: Encoding, verdict: Verdict, outcome: Outcome, task: Task, effort: Effort
) -> Outcome:
    """The outcome about the system as one about the program."""
    match verdict, outcome.answer:
        case Safe(summaries), Answer.SAFE if subject.product:
            told = (_named(contract, subject.product) for contract in _contracts(encoding, summaries, effort))
            return replace(outcome, program_contracts=tuple(told))
        case Safe(summaries), Answer.SAFE if subject.original:
            return replace(
                outcome,
                program_contracts=_own_invariants(encoding, summaries, subject.original, effort),
                notes=(*outcome.notes, "proved with the bodies of procedures in place of calls"),
            )
        case Safe(summaries), Answer.SAFE:
            return replace(outcome, program_contracts=_readable(encoding, summaries, effort))
        case Unsafe(derivation), Answer.UNSAFE if subject.product:
            repeated = run(subject.program, encoding.choices(derivation), steps=REPEATED_STEPS)
            return _side_by_side(subject.product, repeated, outcome, task, effort)
        case Unsafe(derivation), Answer.UNSAFE:
            program = subject.original or subject.program
            repeated = smallest(program, encoding.choices(derivation), REPEATED_STEPS)
            return _witnessed(program, repeated, outcome, task, effort)
        case Unknown(_, facts), _:
            return _as_far_as_it_went(encoding, facts if outcome.facts else {}, outcome, effort)
        case _:
            return outcome


def _own_invariants(
    encoding: Encoding, summaries: Summaries, original: Program, effort: Effort
) -> tuple[ProgramContract, ...]:
    """Of the loops that are main's own: what holds in one copy of another loop need not hold in the next."""
    labels = original.procedure[original.main].block
    own = {name: summary for name, summary in summaries.items() if encoding.points[name].label in labels}
    return _contracts(encoding, own, effort)


def _named(contract: ProgramContract, product: Product) -> ProgramContract:
    """What is proved about a procedure that stands for a loop is told as one about the loop."""
    loop = product.loops.get(contract.procedure)
    return replace(contract, procedure=loop.procedure, kind=ContractKind.LOOP) if loop else contract


# Counterexamples


def _witnessed(checked: Program, result: Run, outcome: Outcome, task: Task, effort: Effort) -> Outcome:
    """Unsafe if the run, and the compiler if it is asked, find an error."""
    if not isinstance(result.end, Violated):
        why = f"the counterexample is none on a machine: {how_it_ended(result, REPEATED_STEPS)}"
        return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why), certificate="", trace=())
    detail = f"the run violates the assertion at {result.end.span}"
    told = replace(
        outcome,
        confirmations=(*outcome.confirmations, Confirmation("the interpreter", True, 0.0, detail)),
        violation=violation(result.end),
        run=tell(checked, result),
        choices=chosen(checked, result),
    )
    return _replayed(told, checked, result, task, effort)


def _replayed(outcome: Outcome, checked: Program, result: Run, task: Task, effort: Effort) -> Outcome:
    """With a harness; with the compiler's word if it was asked for. An abstraction alone proves nothing."""
    found = outcome.violation
    if found is None:
        return outcome
    try:
        if task.is_program_text:
            raise NoHarness("a program in text form is not compiled")
        entry = _entry(checked, result, task)
        harness = _harness(found, outcome.choices, checked, result, task, entry)
        outcome = replace(outcome, harness=harness)
        if effort.options.replay:
            effort.progress({"phase": "replay"})
            included = entry.file if entry else ""
            seconds = effort.clock.remaining(REPLAY_SECONDS)
            given = standard_input(outcome.choices)
            tried = replay(task, found, harness, seconds, included=included, given=given)
            tried = _as_fed(tried, outcome.choices)
            outcome = replace(outcome, replay=tried)
    except NoHarness as problem:
        outcome = replace(outcome, replay=Replay(ReplayResult.IMPOSSIBLE, str(problem)))
    choices = outcome.choices
    if not needs_abstractions(checked, result):
        choices = tuple(choice for choice in choices if choice.origin is not ValueOrigin.ABSTRACTION)
    return _judged(outcome, choices, task)


def _judged(outcome: Outcome, choices: Sequence[ChosenValue], task: Task) -> Outcome:
    """What the compiled program did counts if it was compiled for the data model that the question is about."""
    tried = outcome.replay if outcome.replay and outcome.replay.data_model == task.data_model else None
    if tried is not None and tried.result is ReplayResult.REACHED:
        confirmed = Confirmation("the compiled program", True, tried.seconds, tried.detail)
        return replace(outcome, confirmations=(*outcome.confirmations, confirmed))
    abstract = [choice for choice in choices if choice.origin is ValueOrigin.ABSTRACTION]
    if abstract:
        missed = f", but {tried.detail}" if tried is not None else ""
        return _doubtful(outcome, f"{_needed(abstract[0])} ({abstract[0].span}){missed}")
    if tried is not None and tried.result is ReplayResult.MISSED:
        return _doubtful(outcome, f"the interpreter finds the error, but {tried.detail}")
    return outcome


def _as_fed(tried: Replay, choices: Sequence[ChosenValue]) -> Replay:
    """A harness supplies no files but the standard input: who misses the error may have read something else."""
    unfed = [choice.source for choice in choices if choice.source.startswith(READS)]
    if tried.result is not ReplayResult.MISSED or not unfed:
        return tried
    why = f"the run depends on {unfed[0]}, which a harness does not supply"
    return replace(tried, result=ReplayResult.IMPOSSIBLE, detail=why)


def _needed(choice: ChosenValue) -> str:
    if choice.source.isidentifier():
        return f"the run needs {choice.source}(…) = {choice.value}, and what the library returns is not modelled"
    return f"the run depends on {choice.source}, which is not modelled"


def _doubtful(outcome: Outcome, why: str) -> Outcome:
    return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why))


def _entry(checked: Program, result: Run, task: Task) -> Entry | None:
    """How a function that is verified in place of main is called."""
    if task.function == "main":
        return None
    span = checked.procedure[checked.main].span
    files = [file_name(i, source) for i, source in enumerate(task.sources) if source.name == span.file]
    return entry_of(checked, result, task.function, files[0] if files else span.file)


def _harness(
    found: Violation,
    choices: Sequence[ChosenValue],
    checked: Program,
    result: Run,
    task: Task,
    entry: Entry | None,
    watching: str = "",
) -> str:
    names = [file_name(index, source) for index, source in enumerate(task.sources)]
    if entry is not None:
        own = own_choices(checked, result)
        choices = [choice for choice, is_own in zip(choices, own, strict=True) if not is_own]
        names = [name for name in names if name != entry.file]
    command = " ".join(command_line(task, found.kind, "harness.c", names, "harness"))
    given = standard_input(choices)
    octal = "".join(f"\\{byte:03o}" for byte in given)
    fed = f"printf '{octal}' | " if given else ""
    return write_harness(found, choices, list(texts(task)), f"{command} && {fed}./harness", entry, watching)
