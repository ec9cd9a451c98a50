"""Programs that are there already, asked about in this process."""

from __future__ import annotations

from sorrel.evidence.effort import Effort
from sorrel.methods.answer import answer
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.registry import PORTFOLIO
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.program import Program


class Plainly(ProgramQuestion):
    """A question whose answers are what methods found, before anyone looks at what they take for granted."""

    def finished(self, outcome: Outcome, effort: Effort) -> Outcome:
        return outcome


def asked(
    program: Program,
    goal: Property = Property.UNREACH_CALL,
    *,
    seconds: float = 60.0,
    engine: str = PORTFOLIO,
    recheck: str = "",
    rule: str = "",
    rule_file: str = "",
) -> Outcome:
    """What the methods say of the program, or one of them alone."""
    options = Options(engine=engine, budget=Budget(seconds=seconds), recheck=recheck)
    task = Task((Source(text=""),), goal, rule=rule, rule_file=rule_file)
    return answer(Plainly(program, task), Effort(options, options.budget.start(), lambda _: None))
