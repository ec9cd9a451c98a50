"""Several compiled runs, one after the other, and whether they differ as a counterexample says."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sorrel.model.outcome import Replay, ReplayResult, Violation
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.program.run import Observed
from sorrel.program.statement import Purpose
from sorrel.relate.observing import BRANCHES
from sorrel.replay.compiler import FILLS, Executed, execute, other_model
from sorrel.replay.entry import NoHarness
from sorrel.replay.harness import DIVERGED
from sorrel.replay.observers import (
    BLOCK_FLAGS,
    Seen,
    as_printed,
    blocks_observer,
    calls_observer,
    read_seen,
)

FUNCTIONS = {
    Purpose.LOW: "sorrel_low",
    Purpose.RELEASED: "sorrel_declassify",
    Purpose.COMPARED: "sorrel_assert_low",
}
MORE_VALUES = "the program reads more inputs"


@dataclass(frozen=True, slots=True)
class Trial:
    """One run: what it is called, its harness, the source that is part of that, and what should be seen of it."""

    name: str
    harness: str
    included: str = ""
    observed: tuple[Observed, ...] = ()
    result: int | None = None


def observers(task: Task, texts: Sequence[str]) -> str:
    """The part of the harness that shows what the property compares."""
    if task.goal is Property.CONSTANT_STEPS:
        raise NoHarness(f"what {task.goal} compares is not seen in compiled programs")
    calls = calls_observer(texts)
    return calls + blocks_observer() if task.goal is Property.CONSTANT_TIME else calls


def one_file(trials: Sequence[Trial]) -> str:
    """All harnesses in one text: -DSORREL_RUN=1 chooses the first run, and so on."""
    parts = []
    for number, trial in enumerate(trials, 1):
        word = "#if" if number == 1 else "#elif"
        parts += [f"{word} SORREL_RUN == {number} /* run {trial.name} */", trial.harness]
    return "\n".join([*parts, "#else", "#error compile with -DSORREL_RUN=1 and so on, once for each run", "#endif", ""])


def replay_together(
    task: Task, violation: Violation, trials: Sequence[Trial], seconds: float, flags: Sequence[str] = ()
) -> Replay:
    """Compile and execute each run, and compare what is seen."""
    started = time.monotonic()
    flags = (*flags, *BLOCK_FLAGS) if task.goal is Property.CONSTANT_TIME else flags
    executed: list[Executed] = []
    for trial in trials:
        left = max(1.0, seconds - (time.monotonic() - started))
        done = execute(task, violation.kind, trial.harness, left, fill=FILLS[0], included=trial.included, flags=flags)
        if isinstance(done, Replay):
            return done
        executed.append(done)
    result, detail = _judge(task, violation, trials, executed)
    detail += other_model(task, executed[0].data_model)
    return Replay(result, detail, executed[0].command, executed[0].data_model, time.monotonic() - started)


def _judge(
    task: Task, violation: Violation, trials: Sequence[Trial], executed: Sequence[Executed]
) -> tuple[ReplayResult, str]:
    for trial, done in zip(trials, executed, strict=True):
        if done.code is None:
            return ReplayResult.MISSED, f"run {trial.name} of the compiled program did not end in time"
        other_way = done.said and not done.said[-1].startswith(MORE_VALUES)
        if done.code == DIVERGED and other_way:
            return ReplayResult.MISSED, f"run {trial.name} of the compiled program took another path: {done.said[-1]}"
    seen = [read_seen(done.said) for done in executed]
    match task.goal:
        case Property.NONINTERFERENCE:
            return _same_observations(trials, seen)
        case Property.CONSTANT_TIME:
            return _other_blocks(violation, trials, seen)
        case _:
            return _same_results(trials, seen)


def _same_observations(trials: Sequence[Trial], seen: Sequence[Seen]) -> tuple[ReplayResult, str]:
    """Each compiled run shows what it should, up to where the runs differ; so they differ as they should."""
    for trial, shown in zip(trials, seen, strict=True):
        wanted = [(FUNCTIONS[event.statement.purpose], as_printed(event.value)) for event in trial.observed]
        found = list(shown.values[: len(wanted)])
        if found != wanted:
            number = next((i for i, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b), len(found))
            return ReplayResult.MISSED, f"run {trial.name} of the compiled program differs at observation {number + 1}"
    last = ", ".join(f"{_last(shown, trial)} in run {trial.name}" for trial, shown in zip(trials, seen, strict=True))
    return ReplayResult.REACHED, f"what is observed last where the runs differ: {last}"


def _last(shown: Seen, trial: Trial) -> str:
    if not trial.observed:
        return "nothing"
    name, value = shown.values[len(trial.observed) - 1]
    return f"{name}({value})"


def _other_blocks(violation: Violation, trials: Sequence[Trial], seen: Sequence[Seen]) -> tuple[ReplayResult, str]:
    """Runs that enter other blocks branch differently; accessed elements are not seen."""
    if any(shown.blocks is None for shown in seen):
        return ReplayResult.IMPOSSIBLE, "the compiled program does not tell which blocks it enters"
    counts = ", ".join(
        f"{shown.blocks[0]} in run {trial.name}" for trial, shown in zip(trials, seen, strict=True) if shown.blocks
    )
    if len({shown.blocks for shown in seen}) > 1:
        return ReplayResult.REACHED, f"the compiled runs enter different basic blocks: {counts}"
    if violation.message != BRANCHES:
        return ReplayResult.IMPOSSIBLE, "the compiled runs branch alike, and accessed elements are not seen in them"
    return ReplayResult.MISSED, f"the compiled runs enter the same basic blocks: {counts}"


def _same_results(trials: Sequence[Trial], seen: Sequence[Seen]) -> tuple[ReplayResult, str]:
    for trial, shown in zip(trials, seen, strict=True):
        if shown.result != trial.result:
            return ReplayResult.MISSED, f"run {trial.name} of the compiled program returns {shown.result}"
    returned = ", ".join(f"{shown.result} in run {trial.name}" for trial, shown in zip(trials, seen, strict=True))
    return ReplayResult.REACHED, f"the compiled function returns {returned}"
