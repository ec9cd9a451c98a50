"""Questions asked in this process: starting others takes longer than answering most of them."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

from sorrel.cli.main import main
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
from sorrel.process import pipeline, supervise
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


def commanded(folder: Path, *words: str) -> CompletedProcess[str]:
    """What a command prints in a folder, and its code; `in_this_process` leaves the worker out as well."""
    printed, complained = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(printed), redirect_stderr(complained):
        code = main(words)
    return CompletedProcess(words, code, printed.getvalue(), complained.getvalue())


# In place of those of `supervise`, for the fixture `in_this_process`


def solve(source: Source, options: Options, *_: object) -> Outcome:
    supervise.demand_named(options)
    return pipeline.solve(source, options)


def verify(task: Task, options: Options, *_: object) -> Outcome:
    supervise.demand_named(options)
    return pipeline.verify(task, options)


def summarize(task: Task, options: Options, *_: object) -> Outcome:
    return pipeline.summarize(task, options)


def check(source: Source, certificate: Source, options: Options) -> Outcome:
    return pipeline.check_certificate(source, certificate, options)
