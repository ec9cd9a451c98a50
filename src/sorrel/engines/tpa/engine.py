"""Transition power abstraction: is an error 1, 2, 4, 8, … steps away, and is a relation for some steps one for all?

Blicha, Fedyukovich, Hyvärinen and Sharygina, TACAS 2022 and FMCAD 2022 (docs/engines/tpa.md).
"""

from __future__ import annotations

from sorrel.engines.engine import Circumstances
from sorrel.engines.one_call import SEVERAL_CALLS, has_several_calls, no_paths
from sorrel.engines.prepared import TOO_WEAK, joined, solve_prepared, strengthened
from sorrel.engines.tpa.closing import Closing
from sorrel.engines.tpa.options import TpaOptions
from sorrel.engines.tpa.powers import GaveUpError, Powers, Reached
from sorrel.engines.tpa.transition import TransitionSystem
from sorrel.horn.exchange import ALONE
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import assignment_from
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.solver import Oracle, Sat, Unsat
from sorrel.transform.simplify import simplify

NO_PATH = Reason(Cause.UNCONFIRMED, "an error is reached, but a solver did not find the steps again")


class Tpa:
    """Proofs and deep counterexamples of linear clauses."""

    def __init__(self, options: TpaOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return no_paths(system, self._options.passes)

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        def search(prepared: HornSystem, exact: bool) -> Verdict:
            verdict = self._solve(prepared, run, {})
            return verdict if exact or not isinstance(verdict, Unsafe) else Unknown(TOO_WEAK)

        found = solve_prepared(system, self._options.passes, run, seeds, run.oracle(), search)
        return self._solve(system, run, seeds) if found is None else found

    def _solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        simpler = simplify(strengthened(system, seeds))
        if has_several_calls(simpler.system):
            return Unknown(Reason(Cause.UNSUPPORTED, SEVERAL_CALLS))
        facts = {} if run.exchange is ALONE or seeds else run.exchange.known(simpler.system)
        oracle = run.oracle()
        found = simpler.lift(self._searched(simpler.system, facts, run, oracle), oracle)
        return Safe(joined(found.summaries, seeds)) if isinstance(found, Safe) else found

    def _searched(self, system: HornSystem, facts: Summaries, run: Circumstances, oracle: Oracle) -> Verdict:
        at_once = _at_once(system, oracle)
        if at_once is not None:
            return at_once
        transitions = TransitionSystem(system, facts, oracle)
        powers = Powers(transitions, oracle, split=self._options.split)
        closing = Closing(powers)
        try:
            for power in range(self._options.powers):
                run.progress({"phase": "powers", "level": power, "refinements": powers.refinements})
                reached = _reached(powers, power)
                if reached is not None:
                    return _refuted(powers, reached)
                invariant = closing.invariant(power + 1)
                if invariant is not None:
                    return Safe(joined(transitions.summaries(invariant), facts))
        except GaveUpError as problem:
            return Unknown(problem.reason)
        return Unknown(Reason(Cause.INCOMPLETE, f"there is no error at most 2^{self._options.powers} steps away"))


def _at_once(system: HornSystem, oracle: Oracle) -> Verdict | None:
    """Queries without a call; and if there are no others, or no predicates, all is said then."""
    for query in system.queries:
        if query.body:
            continue
        match oracle.check(query.constraint, kind="tpa"):
            case Sat(model):
                return Unsafe(Derivation((Step(query.name, assignment_from(model, query.variables)),)))
            case Unsat():
                continue
        return Unknown(Reason(Cause.INCOMPLETE, f"the solver could not decide query {query.name}"))
    if any(query.body for query in system.queries):
        return None
    return Safe(dict.fromkeys(system.predicate, terms.TRUE))


def _reached(powers: Powers, power: int) -> Reached | None:
    """Bad states at most 2^(power + 1) steps from initial ones."""
    initial, bad = powers.system.initial, powers.system.bad
    found = powers.reach_less(power, initial, bad) if powers.split else None
    return found if found is not None else powers.reach_exactly(power, initial, bad)


def _refuted(powers: Powers, reached: Reached) -> Verdict:
    points = powers.points(reached)
    if points is None:
        return Unknown(NO_PATH)
    # Where a step may be none, or less than a power's steps are taken, a state can stand there twice.
    moving = [point for number, point in enumerate(points) if number == 0 or not _same(point, points[number - 1])]
    for path in (points, moving):
        derivation = powers.system.derivation(path)
        if derivation is not None:
            return Unsafe(derivation)
    return Unknown(NO_PATH)


def _same(left: tuple[terms.Term, ...], right: tuple[terms.Term, ...]) -> bool:
    return all(map(terms.same, left, right))
