"""One functional program and one property: a run that violates it, or refinement types that exclude every such run.

Types are a sound approximation: that the clauses have no solution says nothing, so that a program is unsafe only by a
run of the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sorrel.encode.refinement.encoding import Encoding
from sorrel.encode.refinement.precision import Precision
from sorrel.evidence.certificate import check
from sorrel.evidence.door import EndlessCalls, ErrorExecution, OnlyExecution, Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.execution import harmed
from sorrel.evidence.result import Accepted
from sorrel.explain.inference import plain_facts
from sorrel.functional.execution import Kind
from sorrel.functional.exploration import find_extreme_violation, find_violation, only_run, repeated_near
from sorrel.functional.inference.loops import FOR, WHILE
from sorrel.functional.lasso import find_lasso
from sorrel.functional.program import Program
from sorrel.functional.term import Definition, Recursive, subterms
from sorrel.functional.type import labels_of
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Summaries, Unsafe, Verdict
from sorrel.logic import operations
from sorrel.methods.clauses import decide
from sorrel.methods.functional.plan import PLAN
from sorrel.methods.functional.question import NO_OVERFLOW, FunctionalQuestion
from sorrel.methods.functional.telling import NamedFunction, contracts
from sorrel.methods.functional.weakness import weakness
from sorrel.model.errors import Unsupported
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    Outcome,
    ProgramContract,
    Reason,
    Standing,
    unknown,
)
from sorrel.smt.solver import Oracle
from sorrel.transform.simplify import simplify

FOUND_BY_RUNNING = Outcome(Answer.UNKNOWN, notes=("found by running the program",))


def probed(question: FunctionalQuestion, effort: Effort) -> Outcome:
    """By running the program with numbers that it mentions, and others."""
    seconds = effort.clock.remaining(PLAN.probe)
    found = find_violation(question.program, question.forbidden, seconds, effort.options.seed)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no run into an error was found")
    evidence = ErrorExecution(question.program, found, question.forbidden, question.texts, FOUND_BY_RUNNING)
    return accept(evidence, effort)


def alone(question: FunctionalQuestion, effort: Effort) -> Outcome:
    """By the only run of a program that asks for nothing."""
    return accept(OnlyExecution(question.program, question.forbidden), effort)


def lasso(question: FunctionalQuestion, effort: Effort) -> Outcome:
    found = find_lasso(question.program, effort.clock.remaining(PLAN.lasso), effort.options.seed)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no recursive call was found")
    return accept(EndlessCalls(question.program, found), effort)


def by_types(asked: FunctionalQuestion, effort: Effort) -> Outcome:
    """One type for each function; after a refutation that no run confirms, types that tell more apart."""
    encoding = asked.encoding(asked.forbidden)
    first = _attempted(asked, encoding, effort)
    if not _is_too_weak(first) or only_run(asked.program, asked.forbidden) is not None:
        return first
    for precision, finer in _finer(asked, encoding):
        short = replace(effort, clock=PLAN.measures.of(effort.clock)) if precision.measures else effort
        outcome = _attempted(asked, finer, short)
        if outcome.answer is not Answer.UNKNOWN:
            return replace(outcome, notes=(*outcome.notes, precision.told))
    return first


def _is_too_weak(outcome: Outcome) -> bool:
    return outcome.reason is not None and outcome.reason.cause is Cause.INCOMPLETE


def _finer(asked: FunctionalQuestion, encoding: Encoding) -> Iterator[tuple[Precision, Encoding]]:
    """Clauses of more precise types, as far as there are any."""
    known = len(encoding.system.clauses)
    for precision in encoding.finer:
        try:
            made = asked.encoding(asked.forbidden, precision)
        except Unsupported:
            return
        if len(made.system.clauses) > known or precision.ghosts or precision.unfolded or precision.measures:
            yield precision, made


def by_facts(asked: FunctionalQuestion, effort: Effort) -> Outcome:
    """By facts from templates alone, which are few and soon found: a proof, or nothing."""
    encoding = asked.encoding(asked.forbidden)
    simpler = simplify(encoding.system)
    guesses = map(Safe, plain_facts(simpler.system, effort))
    guessed = next((each for each in guesses if _is_proof(simpler.system, each, effort)), None)
    if guessed is None:
        return unknown(Cause.INCOMPLETE, "template facts are not sufficient")
    lifted = simpler.lift(guessed, Oracle(effort.clock, effort.statistics))
    # What is asked beside the question needs an engine on clauses.
    aside = replace(effort, options=replace(effort.options, engine="spacer", engine_options={}))
    return _weighed(asked, encoding, lifted, aside)


def _is_proof(system: HornSystem, guessed: Safe, effort: Effort) -> bool:
    return isinstance(check(system, guessed, effort.clock.remaining(PLAN.facts_check)), Accepted)


def _attempted(asked: FunctionalQuestion, encoding: Encoding, effort: Effort) -> Outcome:
    return _weighed(asked, encoding, decide(encoding.system, effort, {}), effort)


def _weighed(asked: FunctionalQuestion, encoding: Encoding, verdict: Verdict, effort: Effort) -> Outcome:
    outcome = accept(Solution(encoding.system, verdict), effort)
    match verdict, outcome.answer:
        case Safe(summaries), Answer.SAFE:
            told = _types(asked, encoding, summaries, effort)
            assumptions = _assumptions(asked, effort)
            made = interface(asked.program, told)
            return replace(outcome, program_contracts=told, interface=made, assumptions=assumptions)
        case Unsafe(derivation), Answer.UNSAFE:
            return _near(asked, encoding, derivation, outcome, effort)
        case _:
            return outcome


def _assumptions(asked: FunctionalQuestion, effort: Effort) -> tuple[Assumption, ...]:
    """Numbers have 63 bits, and the proof was about all of them: do some get too large, and does that do harm?"""
    program, forbidden = asked.simpler, asked.forbidden
    if Kind.OVERFLOW in forbidden:
        return ()
    harm = find_extreme_violation(program, forbidden, effort.options.seed)
    if harm is not None:
        # Whoever gives small numbers never sees it; a program that asks for none always does.
        standing = Standing.OPEN if harm.used else Standing.REFUTED
        return (replace(NO_OVERFLOW, detail=harmed(program, harm), standing=standing),)
    if find_extreme_violation(program, frozenset({Kind.OVERFLOW}), effort.options.seed) is not None:
        return (NO_OVERFLOW,)
    short = replace(effort, clock=PLAN.overflow.of(effort.clock), report=lambda _: None)
    system = asked.encoding(forbidden | {Kind.OVERFLOW}).system
    outcome = accept(Solution(system, decide(system, short, {})), short)
    return (replace(NO_OVERFLOW, standing=Standing.PROVED) if outcome.answer is Answer.SAFE else NO_OVERFLOW,)


# Proofs


def _types(
    asked: FunctionalQuestion, encoding: Encoding, summaries: Summaries, effort: Effort
) -> tuple[ProgramContract, ...]:
    """The types of functions that call themselves, in the order of the source.

    One that is walked in several places has several; one that lost arguments on the way has another type than its own.
    Nobody asks for those of the library.
    """
    files = {source.name for source in asked.task.sources}
    clock = PLAN.types.of(effort.clock)
    oracle = Oracle(clock, effort.statistics, query_seconds=PLAN.types_question, measure_sizes=False)
    written = {each.value.label: len(each.value.parameters) for each in _definitions(asked.program)}
    subjects = [
        NamedFunction(
            label,
            encoding.functions[each.binder.name][0],
            tuple(parameter.source for parameter in each.value.parameters),
            each.value.span,
            is_public=label in asked.program.declared,
            labels=labels_of(asked.program.declared[label]) if label in asked.program.declared else (),
        )
        for each in sorted(_definitions(asked.simpler), key=lambda one: (one.value.span.file, one.value.span.line))
        if each.value.span.file in files
        and (label := each.value.label) not in (FOR, WHILE)
        and each.binder.source
        and len(each.value.parameters) == written[label]
        if len(encoding.functions.get(each.binder.name, ())) == 1
    ]
    return tuple(contracts(subjects, encoding, summaries, asked.task.sources, oracle))


def _definitions(program: Program) -> list[Definition]:
    return [each for term in subterms(program.body) if isinstance(term, Recursive) for each in term.definitions]


def interface(program: Program, told: Sequence[ProgramContract]) -> str:
    """What the program lets others use, with the types that were told."""
    return program.interface.text(
        {each.procedure: text.partition(" : ")[2] for each in told for text in each.conjuncts}
    )


# Runs


def _near(
    asked: FunctionalQuestion, encoding: Encoding, derivation: Derivation, outcome: Outcome, effort: Effort
) -> Outcome:
    """A run with the numbers of the derivation; without one it only shows that the types are too weak."""
    numbers = [operations.literal(value) for step in derivation.steps for value in step.values.values()]
    known = [number for number in numbers if number is not None]
    seconds = effort.clock.remaining(PLAN.near)
    found = repeated_near(asked.program, asked.forbidden, known, seconds, effort.options.seed)
    if found is not None:
        return accept(ErrorExecution(asked.program, found, asked.forbidden, asked.texts, outcome), effort)
    why = weakness(encoding.system, derivation)
    return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.INCOMPLETE, why), certificate="", trace=())
