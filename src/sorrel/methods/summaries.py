"""Contracts of the functions of a program, or of each function of files that make up no program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorrel.evidence.effort import Effort
from sorrel.explain import inference
from sorrel.explain.telling import short
from sorrel.frontends.c import CSettings, outline
from sorrel.frontends.errors import Unsupported
from sorrel.methods.plan import PLAN
from sorrel.methods.preconditions.inference import requiring
from sorrel.methods.reading import read_program
from sorrel.methods.relational import dependence
from sorrel.model.errors import InputError
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.model.task import DEFAULT_ENTRY, Task
from sorrel.program.checks import instrument
from sorrel.program.program import Program


def summarized(task: Task, effort: Effort) -> Outcome:
    """What is known of the functions that the task's function calls; of every function if there is no main."""
    wanted = _functions(task)
    if not wanted:
        return _one(task, effort)
    found: list[tuple[str, Outcome]] = []
    for position, name in enumerate(wanted):
        share = effort.clock.share(1.0 / (len(wanted) - position), at_most=PLAN.function_summary)
        try:
            found.append((name, _one(replace(task, function=name), replace(effort, clock=share))))
        except InputError as problem:
            found.append((name, unknown(Cause.INPUT, str(problem))))
        late = [(each, unknown(Cause.TIME, "time ran out")) for each in wanted[position + 1 :]]
        effort.report(_together([*found, *late]))
    return _together(found)


def _functions(task: Task) -> list[str]:
    """Those of files without a main, where none is named; short ones first, should time run out."""
    if task.function != DEFAULT_ENTRY or task.is_java or task.is_program_text:
        return []
    names = {source.name for source in task.sources}
    own = [each for each in outline(task.sources, CSettings.of(task)) if each.span.file in names]
    ordered = sorted(own, key=lambda each: each.span.end_line - each.span.line)
    return [] if any(each.name == DEFAULT_ENTRY for each in own) else list(dict.fromkeys(each.name for each in ordered))


def _one(task: Task, effort: Effort) -> Outcome:
    try:
        return of_program(read_program(task, asserting=False), effort)
    except Unsupported as construct:
        return unknown(Cause.INPUT, str(construct))


def of_program(program: Program, effort: Effort) -> Outcome:
    """What is known of the functions of a program that was read already."""
    if effort.options.flow:
        return dependence.dependences(instrument(program, frozenset()), effort)
    told = requiring(program, inference.contracts(instrument(program, frozenset()), effort))
    return replace(told, program_contracts=short(told.program_contracts))


def _together(found: Sequence[tuple[str, Outcome]]) -> Outcome:
    """One outcome. Of each function what holds however it is called: where another calls it, more may hold."""
    settled = [(name, outcome) for name, outcome in found if outcome.answer is not Answer.UNKNOWN]
    failed = [(name, outcome) for name, outcome in found if outcome.answer is Answer.UNKNOWN]
    notes = tuple(f"{name} is left out: {outcome.reason}" for name, outcome in failed)
    if not settled:
        return replace(found[0][1], notes=notes[1:])
    own = [each for name, outcome in settled for each in outcome.program_contracts if each.procedure == name]
    ordered = sorted(own, key=lambda each: (each.span.file, each.span.line, each.span.column))
    first = settled[0][1]
    assumptions = dict.fromkeys(each for _, outcome in settled for each in outcome.assumptions)
    return replace(first, program_contracts=tuple(ordered), assumptions=tuple(assumptions), notes=notes)
