"""The whole story on one page: read, simplify, solve, lift, check."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, assert_never

from sorrel.budget import Clock
from sorrel.checking.certificate import check
from sorrel.checking.recheck import recheck
from sorrel.checking.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.engines import registry
from sorrel.engines.engine import Engine, Run
from sorrel.errors import InputError
from sorrel.finite.horn import horn_system
from sorrel.frontends import boolean, smtlib
from sorrel.horn.readable import contracts, trace
from sorrel.horn.system import HornSystem
from sorrel.horn.text import Facts, read_certificate, write_derivation, write_summaries, write_system
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.options import Finite, Options
from sorrel.outcome import Answer, Cause, Confirmation, Outcome, Reason
from sorrel.smt.solver import Oracle
from sorrel.smt.statistics import Statistics
from sorrel.source import Source
from sorrel.transform.lift import unchanged
from sorrel.transform.simplify import simplify

Progress = Callable[[dict[str, Any]], None]

# Kept back from an engine so that its answer can still be lifted and checked: seconds, and part of the time at most.
_RESERVE = (1.0, 0.1)


def solve(source: Source, options: Options, progress: Progress = lambda _: None) -> Outcome:
    """Is the system of Horn clauses safe? In this process; `sorrel.solve` guards the limits from outside."""
    started = time.monotonic()
    clock = options.budget.start()
    statistics = Statistics()
    entry = registry.entry(options.engine)
    engine: Engine = entry.load(options.engine_options)
    text, original = read(source, options.finite)
    seeds = _read_seeds(original, options)
    simpler = (
        simplify(original, keep_contracts=options.keep_contracts or bool(seeds))
        if entry.simplify
        else unchanged(original)
    )
    run = Run(clock.reserve(*_RESERVE), statistics, progress, options.seed, options.explain)
    problem = engine.unsupported(simpler.system)
    if problem:
        verdict: Verdict = Unknown(Reason(Cause.UNSUPPORTED, problem))
    else:
        verdict = engine.solve(simpler.system, run, seeds)
    lifted = simpler.lift(verdict, Oracle(clock, statistics))
    outcome = confirm(original, text, lifted, options, clock)
    return replace(
        outcome,
        source=source.name,
        engine=options.engine,
        horn=text if options.finite else "",
        seconds=time.monotonic() - started,
        statistics={
            "system": original.statistics(),
            "simplified": simpler.system.statistics(),
            "queries": statistics.as_json(),
        },
    )


def read(source: Source, finite: Finite | None = None) -> tuple[str, HornSystem]:
    """The text of the source, and the system it describes; a Boolean program's text is that of its clauses."""
    text = source.text if source.text is not None else smtlib.load(source.path)
    if finite is None:
        return text, smtlib.read_text(text, source.name)
    program = boolean.read_program(
        text,
        source.name,
        width=finite.width,
        overflow=boolean.Overflow(finite.overflow),
        properties=finite.properties,
    )
    if not program.properties:
        raise InputError(
            f"{source.name}: there is no property to prove",
            hint="Write property r > 0; in the file, or use --property 'r > 0'.",
        )
    system = horn_system(program)
    return write_system(system), system


def _read_seeds(system: HornSystem, options: Options) -> Summaries:
    """Known summaries, which must be inductive: a false one would make a false proof, and be rejected late."""
    if not options.seeds:
        return {}
    match read_certificate(system, options.seeds, "<seeds>"):
        case Facts(summaries) | Safe(summaries):
            pass
        case Unsafe():
            raise InputError("seeds are summaries; this is a derivation")
    if not _inductive(system, summaries, options.budget.start()):
        raise InputError("the seeds are not inductive for this system", hint="Take them from an earlier run's facts.")
    return summaries


def _inductive(system: HornSystem, facts: Summaries, clock: Clock) -> bool:
    """Do the facts hold of everything derivable, shown by induction?"""
    if not facts:
        return False
    without_queries = HornSystem(system.predicates, tuple(c for c in system.clauses if not c.is_query))
    total = {p.name: facts.get(p.name, terms.TRUE) for p in system.predicates}
    return isinstance(check(without_queries, Safe(total), clock.remaining(10.0)), Accepted)


def confirm(original: HornSystem, text: str, verdict: Verdict, options: Options, clock: Clock) -> Outcome:
    """The verdict if its evidence is accepted, unknown otherwise."""
    match verdict:
        case Unknown(reason, facts, notes, explanation):
            known = write_summaries(original, facts, "facts") if _inductive(original, facts, clock) else ""
            return Outcome(Answer.UNKNOWN, reason=reason, facts=known, notes=notes, explanation=explanation)
        case Safe() | Unsafe():
            pass
        case _:
            assert_never(verdict)
    confirmations = [_confirmation("z3", lambda: check(original, verdict, clock.remaining()))]
    if options.recheck:
        confirmations.append(
            _confirmation(
                f"{options.recheck} on the original text",
                lambda: recheck(text, original, verdict, options.recheck, clock.remaining()),
            )
        )
    for confirmation, result in confirmations:
        if not isinstance(result, Accepted):
            return _refused(original, verdict, result, confirmation)
    accepted = tuple(confirmation for confirmation, _ in confirmations)
    match verdict:
        case Safe(summaries, notes, explanation):
            return Outcome(
                Answer.SAFE,
                certificate=write_summaries(original, summaries),
                contracts=contracts(original, summaries),
                confirmations=accepted,
                notes=notes,
                explanation=explanation,
            )
        case Unsafe(derivation, notes, explanation):
            return Outcome(
                Answer.UNSAFE,
                certificate=write_derivation(original, derivation),
                trace=trace(original, derivation),
                confirmations=accepted,
                notes=notes,
                explanation=explanation,
            )


def _confirmation(checker: str, ask: Callable[[], Result]) -> tuple[Confirmation, Result]:
    started = time.monotonic()
    result = ask()
    seconds = time.monotonic() - started
    return Confirmation(checker, isinstance(result, Accepted), seconds, result.detail), result


def _refused(original: HornSystem, verdict: Safe | Unsafe, result: Result, by: Confirmation) -> Outcome:
    """Evidence that a checker calls wrong is a bug of ours; evidence it cannot judge leaves us not knowing."""
    claim = "safe" if isinstance(verdict, Safe) else "unsafe"
    match result:
        case Rejected(detail):
            reason = Reason(Cause.INTERNAL, f"the evidence for {claim} was rejected by {by.checker}: {detail}")
        case NotConfirmed(detail) | Accepted(detail):
            reason = Reason(Cause.UNCONFIRMED, f"the evidence for {claim} was not confirmed by {by.checker}: {detail}")
        case _:
            assert_never(result)
    certificate = (
        write_summaries(original, verdict.summaries)
        if isinstance(verdict, Safe)
        else write_derivation(original, verdict.derivation)
    )
    return Outcome(Answer.UNKNOWN, reason=reason, certificate=certificate, confirmations=(by,))


def check_certificate(source: Source, certificate: Source, options: Options) -> Outcome:
    """A saved certificate against its system, with nothing else involved."""
    started = time.monotonic()
    text, system = read(source)
    content = certificate.text if certificate.text is not None else smtlib.load(certificate.path)
    verdict = read_certificate(system, content, certificate.name)
    if isinstance(verdict, Facts):
        raise InputError("these are facts, which settle no query", hint="Use them as --seeds.")
    outcome = confirm(system, text, verdict, options, options.budget.start())
    return replace(outcome, source=source.name, engine="check", seconds=time.monotonic() - started)
