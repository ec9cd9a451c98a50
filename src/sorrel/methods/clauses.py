"""Questions about Horn clauses, and engines as a method of answering them: simplify, solve, lift, check."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import Any

from sorrel.engines import registry
from sorrel.engines.engine import Circumstances, Engine
from sorrel.engines.flower.product import product_of
from sorrel.engines.options import parse_options
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.horn.clause import Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import assignment_from
from sorrel.methods.features import Features, Subject
from sorrel.methods.plan import PLAN
from sorrel.methods.schedule import Lane
from sorrel.model.outcome import Cause, Outcome, Reason
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Undecided
from sorrel.transform.lift import Transformed, unchanged
from sorrel.transform.simplify import simplify

ALONE = "the solver alone"
"""Nothing was left for an engine: no predicate is left when what can be inlined is."""


@dataclass(eq=False)
class ClauseQuestion:
    """Has the system a solution? `seeds` are summaries that are known to be inductive."""

    text: str
    system: HornSystem
    seeds: Summaries = field(default_factory=dict)

    @cached_property
    def features(self) -> Features:
        system = self.system
        formals = [formal for predicate in system.predicates for formal in predicate.formals]
        return Features(
            Subject.CLAUSES,
            obligations=bool(system.obligations),
            bits=any(map(terms.is_bitvector, formals)),
            roles=any(a.role is not Role.UNKNOWN for p in system.predicates for a in p.arguments),
            copies=any(product_of(predicate) is not None for predicate in system.predicates),
            clauses=len(system.clauses),
        )

    def clauses(self) -> HornSystem:
        return self.system

    def look_alone(self) -> None:
        """Clauses have no runs."""

    def prepare(self, lane: Lane) -> None:
        """Every engine makes of the clauses what it needs."""

    def effort(self, given: Effort) -> Effort:
        return given

    def finished(self, outcome: Outcome, effort: Effort) -> Outcome:
        return outcome


def solved(question: ClauseQuestion, effort: Effort) -> Outcome:
    """By the engine that the effort names."""
    verdict = decide(question.system, effort, question.seeds, all_evidence=True)
    return accept(Solution(question.system, verdict, question.text), effort)


def decide(original: HornSystem, effort: Effort, seeds: Summaries, *, all_evidence: bool = False) -> Verdict:
    """The engine's verdict about the system, with its evidence lifted back over simplification.

    With `all_evidence` a derivation may have loops and a summary functions over datatypes.
    """
    options, clock, statistics = effort.options, effort.clock, effort.statistics
    entry = registry.entry(options.engine)
    engine: Engine = entry.load(options.engine_options)
    simpler = _simpler(original, entry, keep=options.keep_contracts or bool(seeds))
    effort.sizes.update(system=original.statistics(), simplified=simpler.system.statistics())
    if _is_settled_by_a_solver(simpler.system):
        return simpler.lift(_without_calls(simpler.system, Oracle(clock, statistics, seed=options.seed)), Oracle(clock))
    problem = _refusal(entry, engine, simpler.system)
    if problem:
        return Unknown(Reason(Cause.UNSUPPORTED, problem))
    # Simplification carries back ground steps alone.
    all_evidence = all_evidence and not _is_simplified(original, entry)
    run = Circumstances(
        PLAN.kept_back.reserved(clock),
        statistics,
        effort.progress,
        options.seed,
        options.explain,
        all_evidence=all_evidence,
        exchange=effort.exchange,
    )
    return simpler.lift(engine.solve(simpler.system, run, seeds), Oracle(clock, statistics))


def refusal(name: str, system: HornSystem, *, keep_contracts: bool = False) -> str:
    """Why an engine would not take clauses that it is asked about, or nothing."""
    entry = registry.entry(name)
    simpler = _simpler(system, entry, keep=keep_contracts).system
    return "" if _is_settled_by_a_solver(simpler) else _refusal(entry, entry.load(), simpler)


def _simpler(original: HornSystem, entry: registry.Entry, *, keep: bool) -> Transformed:
    return simplify(original, keep_contracts=keep) if _is_simplified(original, entry) else unchanged(original)


def _is_simplified(original: HornSystem, entry: registry.Entry) -> bool:
    # Without recursion little is left for an engine, and nothing at all if everything can be inlined.
    return entry.simplify or not original.call_graph.recursive


def _refusal(entry: registry.Entry, engine: Engine, system: HornSystem) -> str:
    return registry.no_ranks(entry.name) if system.obligations and not entry.ranks else engine.unsupported(system)


def _is_settled_by_a_solver(system: HornSystem) -> bool:
    return not system.predicates and not system.obligations


def _without_calls(system: HornSystem, oracle: Oracle) -> Verdict:
    """A system of queries alone needs no engine: each is a question to a solver."""
    for query in system.queries:
        match oracle.check(query.constraint, kind="query", seconds=oracle.clock.remaining()):
            case Sat(model):
                values = assignment_from(model, query.variables)
                return Unsafe(Derivation((Step(query.name, values),)), (), by=ALONE)
            case Undecided(reason):
                cause = Cause.TIME if oracle.clock.expired() else Cause.INCOMPLETE
                return Unknown(Reason(cause, f"the solver could not decide {query.place}: {reason}"))
    return Safe({}, (), by=ALONE)


def inner(effort: Effort, options: type[Any]) -> Effort:
    """The effort for the engine that a method uses on the way, which is the method's option `engine`."""
    engine = parse_options(options, dict(effort.options.engine_options)).engine
    registry.entry(engine)
    return replace(effort, options=replace(effort.options, engine=engine, engine_options={}))
