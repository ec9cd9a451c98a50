"""Questions asked in this process: starting others takes longer than answering most of them."""

from __future__ import annotations

from pathlib import Path

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
from sorrel.process import pipeline
from sorrel.process.request import request
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


def verified(
    source: str | Path,
    *,
    goal: str = "",
    engine: str = PORTFOLIO,
    timeout: float = 60.0,
    replay: bool = False,
    strict: bool = False,
) -> Outcome:
    """As `sorrel.verify` answers; `source` is a path, or a text if there is a brace in it."""
    is_text = isinstance(source, str) and "{" in source
    sources = [Source(text=str(source)) if is_text else Source(str(source))]
    (task,) = request(sources, goal=goal).tasks
    return pipeline.verify(task, Options(engine=engine, budget=Budget(timeout), replay=replay, strict=strict))
