"""Satisfiability: one question at a time, or many over a growing set of formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import z3

from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget, Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER, QUESTION
from sorrel.smt import questions, units
from sorrel.smt.plan import PLAN
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


def limit_memory(mebibytes: int | None) -> None:
    """Let z3 give up once it has allocated so much in this process; None lifts the limit.

    The limit is global to the process, so it has this one door. A question that meets it is undecided, and so
    is every later one until terms are freed. This is z3's high watermark, at which a search stops in good
    order; its hard limit (`memory_max_size`) is met in destructors too, and then aborts the process.
    """
    z3.set_param("memory_high_watermark_mb", mebibytes or 0)


class Session:
    """An incremental solver. Every check is bounded by the oracle's clock and counted under `kind`.

    A formula that could not be added (out of memory) leaves the session undecided for good: an answer about
    the other formulas would pass for an answer about all.
    """

    def __init__(self, oracle: Oracle, kind: str, solver: z3.Solver | None = None) -> None:
        self._oracle = oracle
        self._kind = kind
        self._solver = solver if solver is not None else oracle.new_solver()
        self._sizes = [0]
        self._broken: str | None = None

    def add(self, *formulas: Term) -> None:
        try:
            self._solver.add(*formulas)
        except z3.Z3Exception as problem:
            self._broken = _message(problem)
            return
        if self._oracle.measure_sizes:
            self._sizes[-1] += sum(map(walk.size, formulas))

    def minimize_cores(self) -> None:
        self._solver.set("core.minimize", True)

    def push(self) -> None:
        self._solver.push()
        self._sizes.append(0)

    def pop(self) -> None:
        self._solver.pop()
        self._sizes.pop()

    def check_with(
        self, extra: Iterable[Term], assumptions: Sequence[Term] = (), seconds: float | None = None
    ) -> Result:
        """The answer if this holds too, which is forgotten afterwards."""
        self.push()
        self.add(*extra)
        result = self.check(assumptions, seconds)
        self.pop()
        return result

    def check(self, assumptions: Sequence[Term] = (), seconds: float | None = None) -> Result:
        """Assumptions are Boolean constants or their negations; the core is a part of them."""
        if self._broken is not None:
            self._oracle.statistics.tally(self._kind).undecided += 1
            return Undecided(self._broken)
        return self._oracle.run(self._solver, assumptions, self._kind, sum(self._sizes), seconds)


class Oracle:
    """Asks z3 under one clock and counts what it asks. Pass another in tests.

    The limit of a question is in planned seconds, which are the solver's own units of work: a busy machine gives the
    same answers.
    """

    def __init__(
        self,
        clock: Clock | None = None,
        statistics: Statistics | None = None,
        *,
        query_seconds: float = PLAN.question,
        seed: int = 0,
        measure_sizes: bool = True,
    ) -> None:
        self.clock = clock or Budget().start()
        self.statistics = statistics if statistics is not None else Statistics()
        self.query_seconds = query_seconds
        self.seed = seed
        self.measure_sizes = measure_sizes
        if self.clock.budget.memory is not None:
            limit_memory(self.clock.budget.memory)

    def within(self, share: float) -> Oracle:
        """One that counts together with this one, and takes no more than the share of the time that is left."""
        return Oracle(
            self.clock.share(share),
            self.statistics,
            query_seconds=self.query_seconds,
            seed=self.seed,
            measure_sizes=self.measure_sizes,
        )

    def new_solver(self) -> z3.Solver:
        solver = z3.Solver()
        solver.set("random_seed", self.seed)
        return solver

    def session(self, kind: str = "check") -> Session:
        return Session(self, kind)

    def plain_session(self, kind: str = "check") -> Session:
        """The core of the solver alone, without the preparations that pay for hard questions only."""
        solver = z3.SimpleSolver()
        solver.set("random_seed", self.seed)
        return Session(self, kind, solver)

    def run(
        self,
        solver: z3.Solver,
        assumptions: Sequence[Term],
        kind: str,
        size: int,
        seconds: float | None = None,
    ) -> Result:
        allowed = self.clock.allowed(self.query_seconds if seconds is None else min(self.query_seconds, seconds))
        if allowed <= 0:
            self.statistics.tally(kind).undecided += 1
            return Undecided("time limit reached")
        solver.set(**units.limits(allowed, self.clock))
        counter = units.counter()
        with self.statistics.timed(kind, size) as tally:
            result = _ask(solver, assumptions)
            if isinstance(result, Undecided):
                tally.undecided += 1
        METER.add(QUESTION)
        counter.charge()
        questions.note(kind, solver, assumptions, result)
        return result

    def check(self, *formulas: Term, kind: str = "check", seconds: float | None = None) -> Result:
        """Are the formulas satisfiable together?"""
        session = self.session(kind)
        session.add(*formulas)
        return session.check(seconds=seconds)

    def core(
        self,
        background: Iterable[Term],
        parts: Sequence[Term],
        kind: str = "core",
        seconds: float | None = None,
    ) -> list[int] | None:
        """Indices of parts that together contradict the background, minimised by z3; None if not known."""
        session = self.session(kind)
        session.minimize_cores()
        session.add(*background)
        labels = [z3.Bool(f"core!{index}") for index in range(len(parts))]
        session.add(*(z3.Implies(label, part) for label, part in zip(labels, parts, strict=True)))
        match session.check(labels, seconds):
            case Unsat(core):
                chosen = {label.decl().name() for label in core}
                return [i for i, label in enumerate(labels) if label.decl().name() in chosen]
        return None

    def entails(
        self, premise: Term, conclusion: Term, kind: str = "entail", seconds: float | None = None
    ) -> bool | None:
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
            if self.entails(terms.conjunction(others), kept[index], kind, seconds=PLAN.redundant):
                kept = others
        return kept


def _ask(solver: z3.Solver, assumptions: Sequence[Term]) -> Result:
    """One check; whatever z3 throws on the way (out of memory, canceled) means that it does not know."""
    try:
        answer = solver.check(*assumptions)
        if answer == z3.sat:
            return Sat(solver.model())
        if answer == z3.unsat:
            return Unsat(tuple(solver.unsat_core()) if assumptions else ())
        return Undecided(solver.reason_unknown())
    except z3.Z3Exception as problem:
        return Undecided(_message(problem))


def _message(problem: z3.Z3Exception) -> str:
    """The text of an exception, which z3 hands over as bytes."""
    text = problem.value
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text)
