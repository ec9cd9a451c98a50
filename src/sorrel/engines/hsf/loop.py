"""The loop of HSF: infer, check, refine, until the inferred constraints are a solution or a derivation is real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sorrel.engines.engine import Run
from sorrel.engines.hsf.abstraction import Abstraction, OutOfTime
from sorrel.engines.hsf.counterexample import Counterexample, Feasible, Infeasible, Undecided
from sorrel.engines.hsf.inference import Inference
from sorrel.engines.hsf.options import HsfOptions
from sorrel.engines.hsf.predicates import Predicates, constants_of, refinement_predicates, vocabulary
from sorrel.engines.hsf.rules import Rule, rules_of
from sorrel.guess.houdini import Houdini
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.printing import infix
from sorrel.outcome import Cause, Deduction, Explanation, Reason
from sorrel.smt.recursion_free import Method, refinement
from sorrel.smt.solver import Oracle

FACTS_SECONDS, FACTS_SHARE = 2.0, 0.1
"""Kept back for finding out which predicates are inductive, to hand over as facts."""


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    summaries: Summaries


@dataclass(frozen=True, slots=True, eq=False)
class Refuted:
    """A query has a ground derivation: the tree, and its model."""

    counterexample: Counterexample
    feasible: Feasible


@dataclass(frozen=True, slots=True)
class GaveUp:
    reason: Reason


Answer: TypeAlias = Solved | Refuted | GaveUp


class Loop:
    """The abstraction of a system and all that was learned for it. Queries beside its own may change between runs."""

    def __init__(
        self, system: HornSystem, run: Run, options: HsfOptions, methods: Sequence[Method], seeds: Summaries
    ) -> None:
        self.predicates = Predicates(system)
        self._clock = run.clock.reserve(FACTS_SECONDS, FACTS_SHARE)
        self.oracle = Oracle(self._clock, run.statistics, seed=run.seed, measure_sizes=False)
        self._system = system
        self._run = run
        self._options = options
        self._methods = methods
        self._seeds = seeds
        self.rules = rules_of(system.clauses, seeds, options.split)
        self._numbered = len(self.rules)
        self._abstraction = Abstraction(self.predicates, self.oracle)
        self._refinements = 0
        self._deductions: list[Deduction] = []
        if options.vocabulary:
            constants = constants_of(system)
            for predicate in system.predicates:
                for formula in vocabulary(predicate, constants):
                    self.predicates.add(predicate.name, formula)

    def run(self, queries: Sequence[Clause] = ()) -> Answer:
        """Solve the system together with these queries."""
        own = rules_of(queries, self._seeds, 1, self._numbered)
        self._numbered += len(own)
        try:
            return self._search([*self.rules, *own])
        except OutOfTime:
            return GaveUp(Reason(Cause.TIME, f"time ran out after {self._refinements} refinements"))

    def _search(self, rules: Sequence[Rule]) -> Answer:
        while True:
            inference = Inference(self._system, rules, self.predicates, self._abstraction)
            violation = inference.run()
            if violation is None:
                return Solved(self._joined(inference.summaries()))
            counterexample = Counterexample(violation)
            if counterexample.too_large:
                return GaveUp(Reason(Cause.INCOMPLETE, "a derivation has too many steps to be examined"))
            match counterexample.examine(self.oracle):
                case Feasible() as feasible:
                    return Refuted(counterexample, feasible)
                case Undecided(reason):
                    self._demand_time()
                    return GaveUp(Reason(Cause.INCOMPLETE, reason))
                case Infeasible() as infeasible:
                    problem = self._refine(infeasible)
                    if problem:
                        return GaveUp(Reason(Cause.INCOMPLETE, problem))
            self._run.progress(
                {"refinements": self._refinements, "predicates": self.predicates.count(), "facts": inference.count}
            )

    def _demand_time(self) -> None:
        if self._clock.expired():
            raise OutOfTime

    def _refine(self, infeasible: Infeasible) -> str:
        """ADDPREDS with a solution of the tree; why not, if nothing came of it."""
        found = refinement(infeasible.system, self.oracle, methods=self._methods)
        if found is None:
            self._demand_time()
            return "no method solved the clauses of an infeasible derivation"
        self._refinements += 1
        new = 0
        for name, solution in infeasible.solutions(found.summaries):
            for formula in refinement_predicates(solution, self._options.atoms):
                if self.predicates.add(name, formula):
                    new += 1
                    if self._run.explain:
                        self._deductions.append(Deduction((name,), "", "", f"ADDPREDS, {found.method}", infix(formula)))
        return "" if new else "a refinement brought no new predicate"

    def _joined(self, summaries: Summaries) -> Summaries:
        return {n: terms.conjunction([body, self._seeds.get(n, terms.TRUE)]) for n, body in summaries.items()}

    def notes(self) -> tuple[str, ...]:
        return (f"{self._refinements} refinements, {self.predicates.count()} predicates",)

    def explanation(self) -> Explanation:
        return Explanation(tuple(self._deductions))

    def facts(self) -> Summaries:
        """The predicates that are inductive together: true of everything derivable, whoever asks."""
        if not self.predicates.count():
            return self._seeds
        inductive = tuple(clause for clause in self._system.clauses if clause.head)
        system = HornSystem(self._system.predicates, inductive)
        candidates = {p.name: self.predicates.of(p.name) for p in system.predicates}
        found = Houdini(system, candidates, self._run.oracle(query_seconds=1.0), self._seeds).run()
        return self._joined({name: terms.conjunction(kept) for name, kept in found.items()})
