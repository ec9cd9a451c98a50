"""HSF: infer, check, refine, until the inferred constraints are a solution or a derivation is real."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sorrel.engines.engine import Run
from sorrel.engines.hsf.abstraction import Abstraction, OutOfTime
from sorrel.engines.hsf.counterexample import Counterexample, Feasible, Infeasible, Undecided
from sorrel.engines.hsf.inference import Inference
from sorrel.engines.hsf.options import HsfOptions
from sorrel.engines.hsf.predicates import Predicates, constants_of, refinement_predicates, vocabulary
from sorrel.engines.hsf.rules import rules_of
from sorrel.errors import UsageError
from sorrel.guess.houdini import Houdini
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.printing import infix
from sorrel.outcome import Cause, Deduction, Explanation, Reason
from sorrel.smt.recursion_free import Method, refinement
from sorrel.smt.solver import Oracle

FACTS_SECONDS, FACTS_SHARE = 2.0, 0.1
"""Kept back for finding out which predicates are inductive, to hand over as facts."""


class Hsf:
    def __init__(self, options: HsfOptions) -> None:
        self._options = options
        self._methods = _methods(options.methods)

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Run, seeds: Summaries) -> Verdict:
        loop = Loop(system, run, self._options, self._methods, seeds)
        return loop.verdict()


def _methods(words: str) -> tuple[Method, ...]:
    try:
        return tuple(Method(word) for word in words.split("+"))
    except ValueError:
        known = ", ".join(Method)
        raise UsageError(f"methods are joined by + and taken from {known}; {words!r} is not such a list") from None


@dataclass(frozen=True, slots=True)
class Stuck:
    """The loop cannot go on, and why."""

    reason: Reason


Answer: TypeAlias = Summaries | Counterexample | Stuck


class Loop:
    """The abstraction and what was learned for it, for a system whose queries may change between rounds."""

    def __init__(
        self, system: HornSystem, run: Run, options: HsfOptions, methods: tuple[Method, ...], seeds: Summaries
    ) -> None:
        self._system = system
        self._run = run
        self._options = options
        self._methods = methods
        self._seeds = seeds
        self._clock = run.clock.reserve(FACTS_SECONDS, FACTS_SHARE)
        self._oracle = Oracle(self._clock, run.statistics, seed=run.seed, measure_sizes=False)
        self.predicates = Predicates(system)
        self._refinements = 0
        self._deductions: list[Deduction] = []
        if options.vocabulary:
            constants = constants_of(system)
            for predicate in system.predicates:
                for formula in vocabulary(predicate, constants):
                    self.predicates.add(predicate.name, formula)

    def verdict(self) -> Verdict:
        rules = rules_of(self._system.clauses, self._seeds, self._options.split)
        abstraction = Abstraction(self.predicates, self._oracle)
        try:
            while True:
                inference = Inference(self._system, rules, self.predicates, abstraction)
                violation = inference.run()
                if violation is None:
                    return Safe(self._joined(inference.summaries()), self._notes(), self._explanation())
                counterexample = Counterexample(violation)
                if counterexample.too_large:
                    return self._unknown(Cause.INCOMPLETE, "a derivation has too many steps to be examined")
                match counterexample.examine(self._oracle):
                    case Feasible(derivation):
                        return Unsafe(derivation, self._notes(), self._explanation())
                    case Undecided(reason):
                        return self._unknown(Cause.INCOMPLETE, reason)
                    case Infeasible() as infeasible:
                        problem = self._refine(infeasible)
                        if problem:
                            return self._unknown(Cause.INCOMPLETE, problem)
                self._run.progress(
                    {"refinements": self._refinements, "predicates": self.predicates.count(), "facts": inference.count}
                )
        except OutOfTime:
            return self._unknown(Cause.TIME, f"time ran out after {self._refinements} refinements")

    def _refine(self, infeasible: Infeasible) -> str:
        """ADDPREDS with a solution of the tree; why not, if nothing came of it."""
        found = refinement(infeasible.system, self._oracle, methods=self._methods)
        if found is None:
            if self._clock.expired():
                raise OutOfTime
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

    def _notes(self) -> tuple[str, ...]:
        return (f"{self._refinements} refinements, {self.predicates.count()} predicates",)

    def _explanation(self) -> Explanation:
        return Explanation(tuple(self._deductions))

    def _unknown(self, cause: Cause, message: str) -> Unknown:
        return Unknown(Reason(cause, message), self._facts(), self._notes(), self._explanation())

    def _facts(self) -> Summaries:
        """The predicates that are inductive together: true of everything derivable, whoever asks."""
        inductive: list[Clause] = [clause for clause in self._system.clauses if clause.head]
        system = HornSystem(self._system.predicates, tuple(inductive))
        candidates = {p.name: self.predicates.of(p.name) for p in system.predicates}
        found = Houdini(system, candidates, self._run.oracle(query_seconds=1.0), self._seeds).run()
        return self._joined({name: terms.conjunction(kept) for name, kept in found.items()})
