"""Engine synonym. Its task is several runs of functions, not a system of Horn clauses."""

from __future__ import annotations

from dataclasses import field

from sorrel.engines.engine import Circumstances
from sorrel.engines.synonym.explorer import Explorer
from sorrel.engines.synonym.group import identity, symmetries
from sorrel.engines.synonym.options import SynonymOptions
from sorrel.engines.synonym.plan import PLAN
from sorrel.engines.synonym.result import Expense, Proved, Result, Undone, Violating
from sorrel.horn.flow import Question
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Verdict
from sorrel.model.budget import Clock
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.relate.alignment import Permutation
from sorrel.smt.solver import Oracle


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    result: Result
    group: frozenset[Permutation]
    effort: Expense = field(default_factory=Expense)


class Synonym:
    def __init__(self, options: SynonymOptions) -> None:
        self.options = options

    def unsupported(self, system: HornSystem) -> str:
        return "engine synonym explores runs of functions: it takes laws (sorrel verify --spec), not Horn clauses"

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        raise InternalError(self.unsupported(system))

    def explore(self, question: Question, run: Circumstances, *, searching: bool = False) -> Answer:
        """A proof that no runs violate the specification, or values with which some do."""
        group = self._group(question, run)
        effort = Expense()
        result: Result = Undone("nothing was tried")
        has_loops = any(flow.course.loops for flow in question.flows)
        for separate in (False, True) if has_loops and len(question.flows) > 1 else (False,):
            clock = run.clock if separate or not has_loops else PLAN.together.of(run.clock)
            result = Explorer(
                question,
                self.options,
                self._oracle(run, clock),
                group,
                separate=separate,
                searching=searching,
                effort=effort,
            ).run()
            if isinstance(result, Proved) or (isinstance(result, Violating) and result.exact):
                break
        return Answer(result, group, effort)

    def _group(self, question: Question, run: Circumstances) -> frozenset[Permutation]:
        """One run after the other leaves nothing to exchange."""
        if not self.options.symmetry or not self.options.synchrony:
            return frozenset({identity(len(question.flows))})
        return symmetries(question, self.options.detection, self._oracle(run, run.clock))

    @staticmethod
    def _oracle(run: Circumstances, clock: Clock) -> Oracle:
        """Sizes are not measured: there are many small questions."""
        return Oracle(clock, run.statistics, query_seconds=PLAN.question, seed=run.seed, measure_sizes=False)
