"""Evidence about Horn clauses: a verdict of an engine against the clauses as they were asked about."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from sorrel.evidence.certificate import check
from sorrel.evidence.effort import Effort
from sorrel.evidence.recheck import recheck
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.evidence.seconds import FACTS
from sorrel.horn.readable import contracts, rankings, trace
from sorrel.horn.system import HornSystem
from sorrel.horn.text import write_derivation, write_ranks, write_summaries, write_system
from sorrel.horn.verdict import Safe, Summaries, Terminating, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.model.budget import Clock
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, Reason, unknown


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
    confirmations = [confirmation_by("z3", lambda: check(original, verdict, clock.until_deadline()))]
    if options.recheck:
        confirmations.append(
            confirmation_by(
                f"{options.recheck} on the original text",
                lambda: recheck(text, original, verdict, options.recheck, clock.until_deadline()),
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


def accept_facts(system: HornSystem, facts: Summaries, clock: Clock) -> Outcome:
    """Safe, in the sense that the facts hold wherever they are told: they are inductive."""
    if facts and not inductive(system, facts, clock):
        return unknown(Cause.UNCONFIRMED, "the contracts could not be confirmed in time")
    return Outcome(Answer.SAFE, facts=write_summaries(system, facts, "facts"))


def inductive(system: HornSystem, facts: Summaries, clock: Clock) -> bool:
    """Do the facts hold of everything derivable, shown by induction?"""
    if not facts:
        return False
    without_queries = HornSystem(system.predicates, tuple(c for c in system.clauses if not c.is_query))
    total = {p.name: facts.get(p.name, terms.TRUE) for p in system.predicates}
    return isinstance(check(without_queries, Safe(total), clock.until_deadline(FACTS)), Accepted)


def _claimed(original: HornSystem, verdict: Safe | Unsafe | Terminating) -> Outcome:
    """What the verdict says, with its evidence as text; not yet confirmed by anyone."""
    said = Outcome(Answer.SAFE, decided_by=verdict.by, notes=verdict.notes, explanation=verdict.explanation)
    match verdict:
        case Safe(summaries):
            written = write_summaries(original, summaries, recursion=verdict.recursion)
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


def confirmation_by(checker: str, ask: Callable[[], Result]) -> tuple[Confirmation, Result]:
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
