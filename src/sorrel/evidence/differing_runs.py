"""Runs that violate a property together, each repeated on its own: evidence that a relation does not hold."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sorrel.evidence.effort import Effort
from sorrel.evidence.error_run import entry_for, harness_for, not_repeated, repeated, weighed_by_replay
from sorrel.evidence.run import REPEATED_STEPS, how_it_ended, unordered_in, values_of
from sorrel.evidence.seconds import REPLAY
from sorrel.evidence.side_by_side import Compared, compare
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import (
    Assumption,
    ChosenValue,
    Outcome,
    Replay,
    ReplayResult,
)
from sorrel.model.task import Task
from sorrel.program.floating import on_floats
from sorrel.program.interpreter import run
from sorrel.program.run import Finished, Run, Undefined
from sorrel.relate.claims import RUNS_OF
from sorrel.relate.product import Product
from sorrel.replay.compiler import texts
from sorrel.replay.elements import show
from sorrel.replay.entry import NoHarness
from sorrel.replay.observers import as_printed
from sorrel.replay.together import Trial, observers, one_file, replay_together

WRAPPED = "signed overflow wraps around (as with gcc -fwrapv); in C the behaviour is undefined"


def accept_differing_runs(product: Product, result: Run, about: Outcome, task: Task, effort: Effort) -> Outcome:
    """Unsafe if each run on its own does what the product says it does, and they violate the property."""
    started = time.monotonic()
    # That the runs agree where they have to is what the product sees: what it is said to have come to is not believed.
    result = run(product.program, values_of(result), steps=REPEATED_STEPS)
    compared = _compared(product, on_floats(product.program, result, REPEATED_STEPS), task)
    seconds = time.monotonic() - started
    if isinstance(compared, str):
        return not_repeated(about, compared)
    found, texts = compared
    detail = f"each of the {len(found.runs)} runs was repeated on its own"
    told = replace(
        repeated(about, seconds, detail),
        violation=found.violation,
        runs=found.runs,
        functions=found.functions,
        assumptions=(*about.assumptions, *_overflows(product, found)),
    )
    try:
        if task.is_java:
            return weighed_by_replay(_on_a_machine(product, found, texts, told, task, effort), _choices(found), task)
        trials = list(_trials(product, found, task))
        told = replace(told, harness=one_file(trials))
        if effort.options.replay:
            effort.progress({"phase": "replay"})
            seconds = effort.clock.until_deadline(REPLAY)
            told = replace(told, replay=replay_together(task, found.violation, trials, seconds, _flags(product)))
    except NoHarness as problem:
        told = replace(told, replay=Replay(ReplayResult.IMPOSSIBLE, str(problem)))
    return weighed_by_replay(told, _choices(found), task, unordered_in(product.program, result))


def _overflows(product: Product, found: Compared) -> Iterator[Assumption]:
    """The first run that overflows where C does not say what it does then: it was repeated with what wraps around."""
    for program, alone, told in zip(product.unwrapped, found.alone, found.runs, strict=False):
        plain = run(program, values_of(alone), steps=REPEATED_STEPS, functions=alone.functions)
        if isinstance(plain.end, Undefined):
            where = f"{how_it_ended(plain, REPEATED_STEPS)} in run {told.name}"
            yield replace(Assumption.that(AssumptionKind.WRAPPING), text=WRAPPED, detail=where)
            return


def _flags(product: Product) -> tuple[str, ...]:
    """What a compiler has to be told so that it makes the runs that were repeated."""
    return ("-fwrapv",) if product.unwrapped else ()


def _choices(found: Compared) -> list[ChosenValue]:
    return [choice for run in found.runs for choice in run.choices]


def _on_a_machine(
    product: Product, found: Compared, texts: Mapping[int, str], told: Outcome, task: Task, effort: Effort
) -> Outcome:
    """With a program in Java that makes the runs, and what came of it if that was asked for."""
    from sorrel.frontends import java
    from sorrel.replay.java import replay_java

    if len({program.main for program in product.originals}) > 1:
        raise NoHarness("runs of several methods are not repeated on a machine")
    runs = {side.name: alone for side, alone in zip(found.runs, found.alone, strict=True)}
    try:
        written = java.harness(task.sources, task.function, runs, texts)
    except java.NotBuilt as problem:
        raise NoHarness(str(problem)) from None
    told = replace(told, harness=written[1])
    if not effort.options.replay:
        return told
    effort.progress({"phase": "replay"})
    expected = {name: show(alone.end.outputs[-1]) for name, alone in runs.items() if isinstance(alone.end, Finished)}
    sources = [source.read() for source in task.sources]
    return replace(told, replay=replay_java(task, sources, written, expected, effort.clock.until_deadline(REPLAY)))


def _compared(product: Product, result: Run, task: Task) -> tuple[Compared, Mapping[int, str]] | str:
    """The runs of the counterexample; those of Java with strings that exist, by their numbers."""
    if not task.is_java:
        found = compare(product, result, REPEATED_STEPS)
        return found if isinstance(found, str) else (found, {})
    from sorrel.frontends import java

    real = java.realised(product.program, result, REPEATED_STEPS)
    if isinstance(real, str):
        return real
    found = compare(product, real.run, REPEATED_STEPS, real.functions)
    if isinstance(found, str):
        return found
    return real.doubt(found.alone) or (replace(found, functions=real.told(found.functions)), real.texts)


def _trials(product: Product, found: Compared, task: Task) -> Iterator[Trial]:
    """Each run with a harness of its own, which shows what the property compares."""
    watching = observers(task, list(texts(task)))
    for number, (program, alone, told) in enumerate(zip(product.originals, found.alone, found.runs, strict=True)):
        function = program.main.removeprefix(RUNS_OF) if product.claim else task.function
        own = replace(task, function=function)
        entry = entry_for(program, alone, own)
        harness = harness_for(found.violation, told.choices, program, alone, own, entry, watching, _flags(product))
        observed = found.observed[number] if found.observed else ()
        result = None
        if product.claim and isinstance(alone.end, Finished):
            result = as_printed(alone.end.outputs[-1])
        yield Trial(told.name, harness, entry.file if entry else "", observed, result)
