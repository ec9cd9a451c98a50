"""An engine behind passes over the clauses: what it finds is carried back, and taken only if it fits there."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.engines.engine import Circumstances
from sorrel.engines.plan import PLAN
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Verdict
from sorrel.logic import terms
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.recursion_free import is_solution
from sorrel.smt.solver import Oracle
from sorrel.transform.preparation import FIT, PLAIN, chosen, prepare

TOO_WEAK = Reason(Cause.INCOMPLETE, "the clauses were refuted only after a weakening")
NOT_BACK = Reason(Cause.UNCONFIRMED, "a solution of the prepared clauses is not one of those given")

Search = Callable[[HornSystem, bool], Verdict]
"""The verdict about prepared clauses; a refutation means something only if the second argument is true."""


def solve_prepared(
    system: HornSystem, passes: str, run: Circumstances, seeds: Summaries, later: Oracle, search: Search
) -> Verdict | None:
    """The verdict of a search on prepared clauses, about those given; None if no pass applies and none had to.

    `later` is the oracle for carrying back.
    """
    names = [name for name in chosen(passes) if name in PLAIN or run.all_evidence]
    limited = Oracle(PLAN.preparation.of(run.clock), run.statistics, seed=run.seed)
    prepared = prepare(strengthened(system, seeds), names, limited) if names else None
    if prepared is None:
        return (
            None if passes in ("", FIT) else Unknown(Reason(Cause.INCOMPLETE, f"there is nothing to do for {passes}"))
        )
    verdict = prepared.lift(search(prepared.system, prepared.exact), later)
    if not isinstance(verdict, Safe):
        return verdict
    found = joined(verdict.summaries, seeds)
    # What an exact pass carries back is a solution if its clauses have one: checking it is the checker's work.
    if prepared.exact or is_solution(system, found, later, verdict.recursion):
        return Safe(found, verdict.notes, by=verdict.by, recursion=verdict.recursion)
    return Unknown(NOT_BACK)


def joined(summaries: Summaries, seeds: Summaries) -> Summaries:
    return {name: terms.conjunction([body, seeds.get(name, terms.TRUE)]) for name, body in summaries.items()}


def strengthened(system: HornSystem, seeds: Summaries) -> HornSystem:
    """Known summaries assumed at every call: sound, because every derivable fact satisfies them."""
    if not seeds:
        return system
    clauses = []
    for clause in system.clauses:
        known = [terms.substitute(seeds[a.predicate.name], a.bind()) for a in clause.body if a.predicate.name in seeds]
        constraint = terms.conjunction([clause.constraint, *known])
        clauses.append(Clause(clause.name, clause.head, clause.body, constraint, clause.origin))
    return system.with_clauses(clauses)
