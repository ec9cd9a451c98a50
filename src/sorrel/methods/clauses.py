"""From a system of Horn clauses to an answer with evidence: simplify, solve, lift, check."""

from __future__ import annotations

from sorrel.engines import registry
from sorrel.engines.engine import Engine, Run
from sorrel.evidence.effort import Effort
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic.evaluate import assignment_from
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.solver import Oracle, Sat, Undecided
from sorrel.transform.lift import unchanged
from sorrel.transform.simplify import simplify

# Kept back from an engine so that its answer can still be lifted and checked: seconds, and part of the time at most.
_RESERVE = (1.0, 0.1)


def decide(original: HornSystem, effort: Effort, seeds: Summaries, *, loops: bool = False) -> Verdict:
    """The engine's verdict about the system, with its evidence lifted back over simplification.

    With `loops` a derivation may have some: who asks does not need every step.
    """
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
    loops = loops and not wanted  # simplification carries back ground steps alone
    run = Run(clock.reserve(*_RESERVE), statistics, effort.progress, options.seed, options.explain, loops)
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
