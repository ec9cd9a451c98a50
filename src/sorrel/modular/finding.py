"""Finding contracts: the part that searches, and that nobody has to believe.

A question comes as a system of Horn clauses; what is found goes back as summaries for all its predicates, whether they
settle the queries or not. Ways, from the strongest contract to the weakest: exactly what the clauses say, where there
are no loops and recursion; what an engine needs to exclude failures, with facts from templates for the callers' sake;
these facts alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.prepared import strengthened
from sorrel.engines.spacer import Spacer
from sorrel.evidence.clauses import inductive
from sorrel.evidence.effort import Effort
from sorrel.explain.inference import infer
from sorrel.guess.slim import slim
from sorrel.horn.clause import Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Summaries, Unsafe
from sorrel.logic import operations, terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget, Clock
from sorrel.model.options import Options
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.modular.asking import is_contract
from sorrel.modular.plan import PLAN
from sorrel.smt import fixedpoint
from sorrel.smt.bounds import bounds
from sorrel.smt.recursion_free import image_of, is_solution, strongest
from sorrel.smt.solver import Oracle
from sorrel.smt.statistics import Statistics

EXACT_SIZE = 160
"""Nodes of an exact summary that callers can still work with."""


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
    facts, told = _facts(system, clock) if system.call_graph.recursive else _ranges(system, clock)
    oracle = Oracle(clock, query_seconds=PLAN.excluded_question, measure_sizes=False)
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
    run = Circumstances(clock, Statistics(), lambda _: None, 0)
    match Spacer(SpacerOptions()).solve(system, run, seeds):
        case Safe(summaries):
            return Found(_plain(system, summaries, seeds, clock), settled=True)
        case Unsafe(derivation):
            return Found(_trivial(system), settled=False, derivation=derivation)
        case other:
            reason = getattr(other, "reason", None) or Reason(Cause.INCOMPLETE, "no engine decided it")
            return Found(_trivial(system), settled=False, reason=reason)


def _plain(system: HornSystem, summaries: Summaries, seeds: Summaries, clock: Clock) -> Summaries:
    """The same without quantifiers, which callers can do nothing with, if there is such a solution."""
    if not any(map(walk.has_quantifier, summaries.values())):
        return summaries
    oracle = Oracle(clock, query_seconds=PLAN.plain_question, measure_sizes=False)
    match fixedpoint.refute(strengthened(system, seeds), oracle, seconds=clock.remaining(PLAN.plain)):
        case fixedpoint.Solved(found):
            joined = {name: terms.conjunction([body, seeds.get(name, terms.TRUE)]) for name, body in found.items()}
            if not any(map(walk.has_quantifier, found.values())) and is_solution(system, joined, oracle):
                return joined
    return summaries


def _exact(system: HornSystem, clock: Clock) -> Found | None:
    """Exactly what the clauses say, if that is short and without quantifiers."""
    if system.call_graph.recursive:
        return None
    oracle = Oracle(PLAN.exact.of(clock), query_seconds=PLAN.exact_question, measure_sizes=False)
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
    effort = Effort(Options(), PLAN.facts.of(clock), lambda _: None)
    alone = _without_queries(system)
    inferred = infer(alone, effort)
    if not inductive(alone, inferred.proved, clock):
        return _trivial(system), {}
    return inferred.proved, inferred.told


def _ranges(system: HornSystem, clock: Clock) -> tuple[Summaries, Summaries]:
    """Without recursion nothing has to be inductive: ranges of results, and how they compare to inputs."""
    oracle = Oracle(PLAN.ranges.of(clock), query_seconds=PLAN.ranges_question, measure_sizes=False)
    found: dict[str, Term] = {}
    for (name,) in system.call_graph.components:
        predicate = system.predicate[name]
        if _is_given(system, name):
            found[name] = next(clause.constraint for clause in system.defining[name] if is_contract(clause))
            continue
        image = terms.disjunction(image_of(clause, predicate, found) for clause in system.defining[name])
        found[name] = terms.conjunction(_held(predicate, image, oracle))
    return found, found


def _held(predicate: Predicate, image: Term, oracle: Oracle) -> Iterator[Term]:
    """What holds of all that a formula over the formals allows."""
    roles = list(zip(predicate.formals, predicate.arguments, strict=True))
    inputs = [formal for formal, argument in roles if argument.role is Role.INPUT and terms.is_integer(formal)]
    for formal, argument in roles:
        if argument.role is Role.OK and oracle.entails(image, formal, "range"):
            yield formal
        if argument.role is not Role.OUTPUT or not terms.is_integer(formal):
            continue
        found = bounds(oracle, image, formal)
        if found.low is not None:
            yield operations.at_most(terms.integer(found.low), formal)
        if found.high is not None:
            yield operations.at_most(formal, terms.integer(found.high))
        if found.low is not None and found.high is not None:
            continue
        for given in inputs:
            if oracle.entails(image, terms.equal(formal, given), "range"):
                yield terms.equal(formal, given)
            else:
                candidates = (operations.at_most(given, formal), operations.at_most(formal, given))
                yield from (each for each in candidates if oracle.entails(image, each, "range"))


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
    clock = Budget(seconds=PLAN.slimming).start()
    return slim(system, summaries, Oracle(clock, query_seconds=PLAN.slimming_question))


def _trivial(system: HornSystem) -> Summaries:
    return {predicate.name: terms.TRUE for predicate in system.predicates}
