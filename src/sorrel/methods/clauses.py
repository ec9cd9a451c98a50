"""From a system of Horn clauses to an answer with evidence: simplify, solve, lift, check."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from sorrel.encode.arithmetic import Arithmetic
from sorrel.engines import registry
from sorrel.engines.engine import Engine, Run
from sorrel.evidence.certificate import check
from sorrel.evidence.recheck import recheck
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.horn.readable import contracts, rankings, trace
from sorrel.horn.system import HornSystem
from sorrel.horn.text import write_derivation, write_ranks, write_summaries, write_system
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Terminating, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import assignment_from
from sorrel.model.budget import Clock
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, Reason
from sorrel.program import interpreter
from sorrel.program.statement import Kind
from sorrel.program.value import Value
from sorrel.smt.solver import Oracle, Sat, Undecided
from sorrel.smt.statistics import Statistics
from sorrel.transform.lift import unchanged
from sorrel.transform.simplify import simplify

Progress = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """A program read in another way: with these kinds of assertions beside those asked for, and with such numbers."""

    kinds: frozenset[Kind]
    arithmetic: Arithmetic


@dataclass(frozen=True, slots=True, eq=False)
class Reread:
    """The clauses of a program that was read in another way; `choices` makes values for a run of it."""

    system: HornSystem
    choices: Callable[[Derivation], list[Value]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What an answer rests on, and how the same question is asked of the program in another reading."""

    system: HornSystem
    verdict: Safe | Terminating
    arithmetic: Arithmetic
    reread: Callable[[Reading], Reread | None]


# Kept back from an engine so that its answer can still be lifted and checked: seconds, and part of the time at most.
_RESERVE = (1.0, 0.1)


@dataclass(frozen=True, slots=True)
class Effort:
    """What one run uses: its options, its clock, whom it tells, and what is counted.

    `report` takes what is known so far, for the case that time runs out.
    """

    options: Options
    clock: Clock
    progress: Progress
    report: Callable[[Outcome], None] = lambda _: None
    statistics: Statistics = field(default_factory=Statistics)
    sizes: dict[str, Any] = field(default_factory=dict)
    proofs: list[Proof] = field(default_factory=list)
    """Those that the answer rests on, for whoever asks what they took for granted."""
    only_run: list[interpreter.Run] = field(default_factory=list)
    """That of a program without inputs, if it was made: it went wrong nowhere."""

    def as_json(self) -> dict[str, Any]:
        counted = {"counts": dict(self.statistics.counts)} if self.statistics.counts else {}
        return {**self.sizes, **counted, "queries": self.statistics.as_json()}


def decide(original: HornSystem, effort: Effort, seeds: Summaries) -> Verdict:
    """The engine's verdict about the system, with its evidence lifted back over simplification."""
    options, clock, statistics = effort.options, effort.clock, effort.statistics
    entry = registry.entry(options.engine)
    engine: Engine = entry.load(options.engine_options)
    keep = options.keep_contracts or bool(seeds)
    # Without recursion little is left for an engine, and nothing at all if everything can be inlined.
    wanted = entry.simplify or not original.call_graph.recursive
    simpler = simplify(original, keep_contracts=keep) if wanted else unchanged(original)
    effort.sizes.update(system=original.statistics(), simplified=simpler.system.statistics())
    if not simpler.system.predicates and not simpler.system.obligations:
        return simpler.lift(_without_calls(simpler.system, Oracle(clock, statistics, seed=options.seed)), Oracle(clock))
    problem = engine.unsupported(simpler.system)
    if problem:
        return Unknown(Reason(Cause.UNSUPPORTED, problem))
    run = Run(clock.reserve(*_RESERVE), statistics, effort.progress, options.seed, options.explain)
    return simpler.lift(engine.solve(simpler.system, run, seeds), Oracle(clock, statistics))


def _without_calls(system: HornSystem, oracle: Oracle) -> Verdict:
    """A system of queries alone needs no engine: each is a question to a solver."""
    for query in system.queries:
        match oracle.check(query.constraint, kind="query", seconds=oracle.clock.remaining()):
            case Sat(model):
                values = assignment_from(model, query.variables)
                return Unsafe(Derivation((Step(query.name, values),)), ("decided without an engine",))
            case Undecided(reason):
                cause = Cause.TIME if oracle.clock.expired() else Cause.INCOMPLETE
                return Unknown(Reason(cause, f"the solver could not decide {query.origin}: {reason}"))
    return Safe({}, ("decided without an engine",))


def inductive(system: HornSystem, facts: Summaries, clock: Clock) -> bool:
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
            known = write_summaries(original, facts, "facts") if inductive(original, facts, clock) else ""
            return Outcome(Answer.UNKNOWN, reason=reason, facts=known, notes=notes, explanation=explanation)
        case Safe() | Unsafe() | Terminating():
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
    claimed = _claimed(original, verdict)
    return replace(claimed, confirmations=tuple(confirmation for confirmation, _ in confirmations))


def confirm_encoded(system: HornSystem, verdict: Verdict, effort: Effort) -> Outcome:
    """As `confirm`, for clauses that a program was turned into: their text is written only where someone reads it."""
    options = effort.options
    text = write_system(system) if options.recheck or options.horn else ""
    outcome = confirm(system, text, verdict, options, effort.clock)
    return replace(outcome, horn=text if options.horn else "")


def _claimed(original: HornSystem, verdict: Safe | Unsafe | Terminating) -> Outcome:
    """What the verdict says, with its evidence as text; not yet confirmed by anyone."""
    said = Outcome(Answer.SAFE, notes=verdict.notes, explanation=verdict.explanation)
    match verdict:
        case Safe(summaries):
            written = write_summaries(original, summaries)
            return replace(said, certificate=written, contracts=contracts(original, summaries))
        case Terminating(summaries, ranks):
            return replace(
                said,
                certificate=write_ranks(original, summaries, ranks),
                contracts=contracts(original, summaries),
                rankings=rankings(ranks),
            )
        case Unsafe(derivation):
            written = write_derivation(original, derivation)
            return replace(said, answer=Answer.UNSAFE, certificate=written, trace=trace(original, derivation))
        case _:
            assert_never(verdict)


def _confirmation(checker: str, ask: Callable[[], Result]) -> tuple[Confirmation, Result]:
    started = time.monotonic()
    result = ask()
    seconds = time.monotonic() - started
    return Confirmation(checker, isinstance(result, Accepted), seconds, result.detail), result


def _refused(original: HornSystem, verdict: Safe | Unsafe | Terminating, result: Result, by: Confirmation) -> Outcome:
    """Evidence that a checker calls wrong is a bug of ours; evidence it cannot judge leaves us not knowing."""
    claimed = _claimed(original, verdict)
    claim = "terminating" if isinstance(verdict, Terminating) else claimed.answer.value
    match result:
        case Rejected(detail):
            reason = Reason(Cause.INTERNAL, f"the evidence for {claim} was rejected by {by.checker}: {detail}")
        case NotConfirmed(detail) | Accepted(detail):
            reason = Reason(Cause.UNCONFIRMED, f"the evidence for {claim} was not confirmed by {by.checker}: {detail}")
        case _:
            assert_never(result)
    return Outcome(Answer.UNKNOWN, reason=reason, certificate=claimed.certificate, confirmations=(by,))
