"""The loop of HSF: infer, check, refine, until the inferred constraints are a solution or a derivation is real."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from sorrel.engines.engine import Circumstances
from sorrel.engines.hsf.abstraction import Abstraction, OutOfTime
from sorrel.engines.hsf.counterexample import Counterexample, Feasible, Infeasible, Undecided
from sorrel.engines.hsf.graph import (
    LARGE_TREE,
    DerivationGraph,
    GraphDerivation,
    GraphSolution,
    is_better_as_graph,
)
from sorrel.engines.hsf.inference import Inference, Violation
from sorrel.engines.hsf.options import HsfOptions
from sorrel.engines.hsf.plan import PLAN
from sorrel.engines.hsf.predicates import Predicates, comparisons, refinement_predicates, residues
from sorrel.engines.hsf.rules import Rule, rules_of
from sorrel.engines.hsf.tracking import Place, matched, sources, trackable
from sorrel.engines.hsf.transfer import Transfer
from sorrel.guess.houdini import Houdini
from sorrel.guess.vocabulary import vocabulary
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import terms
from sorrel.logic.printing import infix
from sorrel.logic.terms import Term
from sorrel.model.explanation import Deduction, Explanation
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.smt.recursion_free import Method, refinement
from sorrel.smt.solver import Oracle

LARGEST_MODULUS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    summaries: Summaries


@dataclass(frozen=True, slots=True, eq=False)
class Refuted:
    """A query has a ground derivation; its tree and the model of it, unless it is too large for one."""

    derivation: Derivation
    counterexample: Counterexample | None = None
    feasible: Feasible | None = None


@dataclass(frozen=True, slots=True)
class GaveUp:
    reason: Reason


Answer: TypeAlias = Solved | Refuted | GaveUp


class Loop:
    """The abstraction of a system and all that was learned for it. Queries beside its own may change between runs."""

    def __init__(
        self, system: HornSystem, run: Circumstances, options: HsfOptions, methods: Sequence[Method], seeds: Summaries
    ) -> None:
        self.predicates = Predicates(system)
        self._clock = PLAN.kept_back.reserved(run.clock)
        self.oracle = Oracle(
            self._clock, run.statistics, query_seconds=PLAN.question, seed=run.seed, measure_sizes=False
        )
        self._system = system
        self._run = run
        self._options = options
        self._methods = methods
        self._seeds = seeds
        self.rules = rules_of(system.clauses, seeds, options.split)
        self._numbered = len(self.rules)
        self._transfer = Transfer(system.predicates, self.rules)
        self._abstraction = Abstraction(self.predicates, self.oracle)
        self._deductions: list[Deduction] = []
        self._trackable = trackable(system) if options.values else {}
        for place in matched(system):
            list(self._track(place))
        self._refinements = 0
        if options.vocabulary:
            constants = vocabulary(system).constants
            self._seed((p.name, formula) for p in system.predicates for formula in comparisons(p, constants))

    def _seed(self, formulas: Iterable[tuple[str, Term]]) -> int:
        """Add predicates that no refinement asked for; how many were new."""
        return sum(self.predicates.add(name, formula) for name, formula in formulas)

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
            examine = self._examine_graph if is_better_as_graph(violation) else self._examine_tree
            answer = examine(violation)
            if answer is not None:
                return answer
            self._run.progress(
                {"refinements": self._refinements, "predicates": self.predicates.count(), "facts": inference.count}
            )

    def _examine_tree(self, violation: Violation) -> Answer | None:
        """Is the violation real? If not, learn from it and return None."""
        counterexample = Counterexample(violation, self.predicates)
        match counterexample.examine(self.oracle):
            case Feasible(derivation) as feasible:
                return Refuted(derivation, counterexample, feasible)
            case Undecided(reason):
                return self._gave_up(reason)
            case Infeasible() as infeasible:
                for seconds in PLAN.refinements:
                    found = refinement(infeasible.system, self.oracle, methods=self._methods, seconds=seconds)
                    if found is not None:
                        return self._learn(infeasible.solutions(found.summaries), found.method)
        return self._gave_up("no method solved the clauses of an infeasible derivation")

    def _examine_graph(self, violation: Violation) -> Answer | None:
        graph = DerivationGraph(self._system_with(violation.rule.clause), violation)
        match graph.examine(self.oracle, PLAN.graph * self._clock.remaining()):
            case GraphDerivation(derivation):
                return Refuted(derivation)
            case GraphSolution(solutions):
                return self._learn(solutions, Method.SPACER)
            case Undecided(reason):
                small = violation.size <= LARGE_TREE
                return self._examine_tree(violation) if small else self._gave_up(reason)

    def _system_with(self, query: Clause) -> HornSystem:
        """The system, and a query that may not be one of its own."""
        known = query.name in self._system.clause
        return self._system if known else self._system.with_clauses([*self._system.clauses, query])

    def _gave_up(self, message: str) -> GaveUp:
        if self._clock.expired():
            raise OutOfTime
        return GaveUp(Reason(Cause.INCOMPLETE, message))

    def _learn(self, solutions: Sequence[tuple[str, Term]], method: Method) -> GaveUp | None:
        """ADDPREDS; that nothing is new means that abstraction could not decide something."""
        self._refinements += 1
        new = 0
        if self._refinements == self._options.residues:
            # No method of refinement invents a congruence where bounds exclude one derivation after the other.
            moduli = [modulus for modulus in vocabulary(self._system).moduli if modulus <= LARGEST_MODULUS]
            new = self._seed((p.name, formula) for p in self._system.predicates for formula in residues(p, moduli))
        parts = [(source, part) for source, solution in solutions for part in terms.conjuncts(terms.simplify(solution))]
        values = {
            place
            for source, part in parts
            for position in self.predicates.positions(source, part)
            for place in self._track((source, position))
        }
        for source, part in parts:
            for predicate in refinement_predicates(part, self._options.atoms):
                if any((source, position) in values for position in self.predicates.positions(source, predicate)):
                    continue  # the values tell more; a predicate that is needed beside them will be asked for again
                for name, formula in self._transfer.everywhere(source, predicate):
                    if self.predicates.add(name, formula):
                        new += 1
                        self._tell(name, infix(formula), method)
        return None if new or values else self._gave_up("a refinement brought no new predicate")

    def _track(self, place: Place) -> Iterator[Place]:
        """Keep the values of an argument that has few, and of those that they come from; the arguments that are new."""
        if place in self._trackable:
            for name, position in sorted(sources(place, self._trackable)):
                if self.predicates.track(name, position):
                    self._tell(name, f"{infix(self._system.predicate[name].formals[position])} = …", "its values")
                    yield name, position

    def _tell(self, name: str, text: str, method: str) -> None:
        if self._run.explain:
            self._deductions.append(Deduction((name,), "", "", f"ADDPREDS, {method}", text))

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
        # Half of what is left: the facts must still be lifted and checked.
        clock = PLAN.facts.of(self._run.clock)
        oracle = Oracle(clock, self._run.statistics, query_seconds=PLAN.facts_question, seed=self._run.seed)
        found = Houdini(system, candidates, oracle, self._seeds).run()
        return self._joined({name: terms.conjunction(kept) for name, kept in found.items()})
