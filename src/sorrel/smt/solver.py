"""Satisfiability: one question at a time, or many over a growing set of formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import z3

from sorrel.budget import Budget, Clock
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.smt.statistics import Statistics


@dataclass(frozen=True, slots=True, eq=False)
class Sat:
    model: Model


@dataclass(frozen=True, slots=True, eq=False)
class Unsat:
    """`core`: assumptions that already contradict the rest; empty if there were none."""

    core: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Undecided:
    reason: str


Result: TypeAlias = Sat | Unsat | Undecided


class Session:
    """An incremental solver. Every check is bounded by the oracle's clock and counted under `kind`."""

    def __init__(self, oracle: Oracle, kind: str) -> None:
        self._oracle = oracle
        self._kind = kind
        self._solver = oracle.new_solver()
        self._sizes = [0]

    def add(self, *formulas: Term) -> None:
        self._solver.add(*formulas)
        if self._oracle.measure_sizes:
            self._sizes[-1] += sum(map(walk.size, formulas))

    def push(self) -> None:
        self._solver.push()
        self._sizes.append(0)

    def pop(self) -> None:
        self._solver.pop()
        self._sizes.pop()

    def check(self, assumptions: Sequence[Term] = (), seconds: float | None = None) -> Result:
        """Assumptions are Boolean constants or their negations; the core is a part of them."""
        return self._oracle.run(self._solver, assumptions, self._kind, sum(self._sizes), seconds)


class Oracle:
    """Asks z3 under one clock and counts what it asks. Pass another in tests."""

    def __init__(
        self,
        clock: Clock | None = None,
        statistics: Statistics | None = None,
        *,
        query_seconds: float = 10.0,
        seed: int = 0,
        measure_sizes: bool = True,
    ) -> None:
        self.clock = clock or Budget().start()
        self.statistics = statistics if statistics is not None else Statistics()
        self.query_seconds = query_seconds
        self.seed = seed
        self.measure_sizes = measure_sizes

    def new_solver(self) -> z3.Solver:
        solver = z3.Solver()
        solver.set("random_seed", self.seed)
        if self.clock.budget.rlimit is not None:
            solver.set("rlimit", self.clock.budget.rlimit)
        return solver

    def session(self, kind: str = "check") -> Session:
        return Session(self, kind)

    def run(
        self, solver: z3.Solver, assumptions: Sequence[Term], kind: str, size: int, seconds: float | None = None
    ) -> Result:
        allowed = self.clock.remaining(min(self.query_seconds, seconds or self.query_seconds))
        if allowed <= 0:
            self.statistics.tally(kind).undecided += 1
            return Undecided("time limit reached")
        solver.set("timeout", max(1, int(allowed * 1000)))
        with self.statistics.timed(kind, size) as tally:
            try:
                answer = solver.check(*assumptions)
            except z3.Z3Exception as problem:
                tally.undecided += 1
                return Undecided(str(problem))
            if answer == z3.sat:
                return Sat(solver.model())
            if answer == z3.unsat:
                return Unsat(tuple(solver.unsat_core()) if assumptions else ())
            tally.undecided += 1
            return Undecided(solver.reason_unknown())

    def check(self, *formulas: Term, kind: str = "check", seconds: float | None = None) -> Result:
        """Are the formulas satisfiable together?"""
        solver = self.new_solver()
        solver.add(*formulas)
        size = sum(map(walk.size, formulas)) if self.measure_sizes else 0
        return self.run(solver, (), kind, size, seconds)

    def core(self, background: Iterable[Term], parts: Sequence[Term], kind: str = "core") -> list[int] | None:
        """Indices of parts that contradict the background together, minimal as the solver found them; None if not known."""
        solver = self.new_solver()
        solver.set("core.minimize", True)
        solver.add(*background)
        labels = [z3.Bool(f"core!{index}") for index in range(len(parts))]
        for label, part in zip(labels, parts, strict=True):
            solver.add(z3.Implies(label, part))
        match self.run(solver, labels, kind, sum(map(walk.size, parts))):
            case Unsat(core):
                chosen = {label.decl().name() for label in core}
                return [i for i, label in enumerate(labels) if label.decl().name() in chosen]
        return None

    def entails(self, premise: Term, conclusion: Term, kind: str = "entail", seconds: float | None = None) -> bool | None:
        """Does the premise imply the conclusion? None: not decided."""
        match self.check(premise, terms.negation(conclusion), kind=kind, seconds=seconds):
            case Unsat():
                return True
            case Sat():
                return False
        return None

    def valid(self, formula: Term, kind: str = "valid") -> bool | None:
        return self.entails(terms.TRUE, formula, kind)

    def equivalent(self, left: Term, right: Term, kind: str = "entail") -> bool | None:
        forth = self.entails(left, right, kind)
        return forth if forth is not True else self.entails(right, left, kind)

    def without_redundant(self, conjuncts: Sequence[Term], kind: str = "tidy") -> list[Term]:
        """Drop conjuncts that the others imply, the last ones first."""
        kept = list(conjuncts)
        for index in range(len(kept) - 1, -1, -1):
            others = [*kept[:index], *kept[index + 1 :]]
            if self.entails(terms.conjunction(others), kept[index], kind, seconds=1.0):
                kept = others
        return kept
