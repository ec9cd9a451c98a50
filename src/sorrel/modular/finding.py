"""Finding contracts: the part that searches, and that nobody has to believe.

A question comes as a system of Horn clauses; what is found goes back as summaries for all its predicates, whether they
settle the queries or not. Ways, from the strongest contract to the weakest: exactly what the clauses say, where there
are no loops and recursion; what an engine needs to exclude failures, with facts from templates for the callers' sake;
these facts alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sorrel.engines.engine import Run
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.clauses import inductive
from sorrel.evidence.effort import Effort
from sorrel.explain.inference import infer
from sorrel.guess.slim import slim
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Summaries, Unsafe
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget, Clock
from sorrel.model.options import Options
from sorrel.model.outcome import Cause, Reason
from sorrel.modular.asking import is_contract
from sorrel.smt.recursion_free import strongest
from sorrel.smt.solver import Oracle
from sorrel.smt.statistics import Statistics

EXACT_SIZE = 160
"""Nodes of an exact summary that callers can still work with."""
EXACT_SECONDS, INFERENCE_SECONDS, SLIMMING_SECONDS = 3.0, 4.0, 2.0
FACTS_SHARE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """`summaries` are inductive, as far as whoever found them can tell; `settled`: they exclude the queries.

    `derivation` derives a query; `reason` says why neither was found. `exact`: they say what the clauses say, so that
    no stronger ones exist.
    """

    summaries: Summaries
    settled: bool
    derivation: Derivation | None = None
    reason: Reason | None = None
    exact: bool = False


def find_contract(system: HornSystem, clock: Clock) -> Found:
    """Contracts for the predicates of a component, that of its callees given: as strong as can be had cheaply."""
    exact = _exact(system, clock)
    if exact is not None:
        return exact
    facts, told = _facts(system, clock)
    oracle = Oracle(clock, query_seconds=1.0, measure_sizes=False)
    if all(_excluded(query, facts, oracle) for query in system.queries):
        return Found(_slimmer(_asked(system, told), facts), settled=True)
    found = find_proof(system, clock, facts)
    if not found.settled:
        # Failures that contracts permit: what is worth telling is all that is left.
        return replace(found, summaries=_slimmer(_asked(_without_queries(system), told), facts))
    both = {p.name: terms.conjunction([found.summaries[p.name], facts[p.name]]) for p in system.predicates}
    return replace(found, summaries=_slimmer(_asked(system, told), both))


def find_proof(system: HornSystem, clock: Clock, seeds: Summaries) -> Found:
    """An engine's answer about the queries of the system."""
    if not system.queries:
        return Found({p.name: seeds.get(p.name, terms.TRUE) for p in system.predicates}, settled=True)
    run = Run(clock, Statistics(), lambda _: None, 0)
    match Spacer(SpacerOptions()).solve(system, run, seeds):
        case Safe(summaries):
            return Found(summaries, settled=True)
        case Unsafe(derivation):
            return Found(_trivial(system), settled=False, derivation=derivation)
        case other:
            reason = getattr(other, "reason", None) or Reason(Cause.INCOMPLETE, "no engine settles it")
            return Found(_trivial(system), settled=False, reason=reason)


def _exact(system: HornSystem, clock: Clock) -> Found | None:
    """Exactly what the clauses say, if that is short and without quantifiers."""
    if system.call_graph.recursive:
        return None
    oracle = Oracle(clock.share(0.5, at_most=EXACT_SECONDS), query_seconds=1.0, measure_sizes=False)
    found = {name: terms.simplify(body) for name, body in strongest(system, oracle).items()}
    own = [body for name, body in found.items() if not _is_given(system, name)]
    if any(walk.has_quantifier(body) or walk.size(body) > EXACT_SIZE for body in own):
        return None
    return Found(found, all(_excluded(query, found, oracle) for query in system.queries), exact=True)


def _excluded(query: Clause, found: Summaries, oracle: Oracle) -> bool:
    calls = [terms.substitute(found[atom.predicate.name], atom.bind()) for atom in query.body]
    return bool(oracle.entails(terms.conjunction([query.constraint, *calls]), terms.FALSE, "excluded"))


def _is_given(system: HornSystem, name: str) -> bool:
    return any(is_contract(clause) for clause in system.defining[name])


def _facts(system: HornSystem, clock: Clock) -> tuple[Summaries, Summaries]:
    """Facts from templates that are inductive, and those of them that are worth telling; else nothing but true."""
    effort = Effort(Options(), clock.share(FACTS_SHARE, at_most=INFERENCE_SECONDS), lambda _: None)
    alone = _without_queries(system)
    inferred = infer(alone, effort)
    if not inductive(alone, inferred.proved, clock):
        return _trivial(system), {}
    return inferred.proved, inferred.told


def _without_queries(system: HornSystem) -> HornSystem:
    return system.with_clauses(clause for clause in system.clauses if not clause.is_query)


def _asked(system: HornSystem, told: Mapping[str, Term]) -> HornSystem:
    """The system with the question whether what is worth telling holds: what is not needed for it can be left out."""
    queries = [
        Clause(f"told {p.name}", None, (p(*p.formals),), terms.negation(told[p.name]))
        for p in system.predicates
        if p.name in told and not terms.is_true(told[p.name]) and not _is_given(system, p.name)
    ]
    return system.with_clauses((*system.clauses, *queries))


def _slimmer(system: HornSystem, summaries: Summaries) -> Summaries:
    """On a clock of its own: a long contract costs everyone who checks it, time after time."""
    return slim(system, summaries, Oracle(Budget(seconds=SLIMMING_SECONDS).start(), query_seconds=1.0))


def _trivial(system: HornSystem) -> Summaries:
    return {predicate.name: terms.TRUE for predicate in system.predicates}
