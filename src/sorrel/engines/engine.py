"""What an engine is: one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, Protocol

from sorrel.engines.plan import PLAN
from sorrel.horn.exchange import ALONE, Exchange
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Verdict
from sorrel.model.budget import Budget, Clock
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle
from sorrel.smt.statistics import Statistics


def _nobody(_: dict[str, Any]) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The circumstances of one run: its clock, what is counted, whom to tell about progress, the random seed."""

    clock: Clock = field(default_factory=lambda: Budget().start())
    statistics: Statistics = field(default_factory=Statistics)
    progress: Callable[[dict[str, Any]], None] = _nobody
    seed: int = 0
    explain: bool = False  # keep the steps of the reasoning
    all_evidence: bool = False  # loops in derivations, functions in summaries: for who can tell of them
    exchange: Exchange = ALONE
    evidence: Clock | None = None  # for what follows once the answer is known, if that may take longer

    def oracle(self, query_seconds: float = PLAN.question) -> Oracle:
        return Oracle(self.clock, self.statistics, query_seconds=query_seconds, seed=self.seed)

    def later(self) -> Oracle:
        return replace(self, clock=self.evidence or self.clock).oracle()


class Engine(Protocol):
    def unsupported(self, system: HornSystem) -> str:
        """Why this engine does not take the system, or nothing; who has no ranks is not asked about obligations."""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        """`seeds` are summaries known to be inductive for this system."""
