"""`sorrel verify` and `sorrel summarize`: C programs, and programs in text form."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sorrel.cli.console import (
    EXIT_INPUT,
    budget,
    complain,
    demand_writable,
    detail_lines,
    exit_code,
    progress_line,
    read_text,
    save_reproducer,
    say,
    search_options,
    standard_input,
    worst,
    written,
)
from sorrel.cli.writing import write_files, write_summary_files
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import supervise
from sorrel.process.request import Reading, Request, for_all_functions, request, summary_request
from sorrel.project.compilations import Compilation, Told
from sorrel.report.excerpt import Paint, Texts
from sorrel.report.text import statistics_lines
from sorrel.report.verification import answer_line, summary_lines, verification_lines


def _sources(arguments: argparse.Namespace, told: Told) -> list[Source]:
    names = arguments.files
    return [standard_input() if name == "-" else Source(name, options=told.own.get(name, ())) for name in names]


def _request(arguments: argparse.Namespace, **more: Any) -> Request:
    told = _compilation(arguments)
    return request(
        _sources(arguments, told),
        data_model=_data_model(arguments, told),
        include=told.shared.include,
        define=told.shared.define,
        function=arguments.function,
        reading=_reading(arguments, told.shared),
        **more,
    )


def _compilation(arguments: argparse.Namespace) -> Told:
    """What compilers are told about the files: on our command line, and in a compile_commands.json."""
    include, define, forced = (tuple(each) for each in (arguments.include, arguments.define, arguments.forced))
    given = Compilation("", "", include, define, arguments.standard, forced)
    if not arguments.compile_commands:
        return Told(given)
    return given.with_commands(arguments.compile_commands, arguments.files)


def _data_model(arguments: argparse.Namespace, told: Told) -> str:
    """The one that is asked for, which is the one that the files are compiled for, if that is said."""
    asked: str = arguments.data_model
    if asked and told.model not in ("", asked):
        raise UsageError(f"the files are compiled for {told.model}, and --data-model says {asked}")
    return asked or told.model


def _reading(arguments: argparse.Namespace, compiled: Compilation) -> Reading:
    return Reading(
        compiled.standard,
        compiled.forced,
        tuple(arguments.library),
        tuple(arguments.assume),
        arguments.failing_allocation,
    )


# Commands


def run_verify(arguments: argparse.Namespace) -> int:
    asked = _request(
        arguments,
        goal=arguments.property,
        arithmetic=arguments.arith,
        specification=arguments.spec,
        composition=arguments.composition,
        public=arguments.public,
        secret=arguments.secret,
    )
    _demand_language(asked.tasks, arguments)
    asked = _with_rule(asked, arguments.rule)
    if arguments.all_functions:
        if arguments.function:
            raise UsageError("--all-functions asks about each function: it does not go with --function")
        asked = for_all_functions(asked)
    options = replace(
        search_options(arguments),
        replay=arguments.replay,
        strict=arguments.strict,
        assuming=tuple(arguments.assuming),
        horn=bool(arguments.horn),
        validate=arguments.validate,
        preconditions=arguments.preconditions,
    )
    files = [arguments.harness, arguments.witness, arguments.acsl, arguments.certificate, arguments.horn]
    if arguments.all_functions and any(each for each in files if each is not arguments.acsl):
        raise UsageError("with --all-functions there is one file to write: --acsl; the others are about one function")
    if len({task.goal for task in asked.tasks}) > 1 and any(files):
        names = ", ".join(title(task) for task in asked.tasks)
        raise UsageError(f"the task has several properties ({names}); say which one with --property")
    if arguments.witness and any(task.goal.is_relational for task in asked.tasks):
        raise UsageError("witnesses are about single runs: they do not go with this property")
    if any([*files[:3], arguments.replay]) and any(task.is_program_text for task in asked.tasks):
        raise UsageError("harnesses, witnesses and annotated copies are C: they do not go with a program in text form")
    _demand_places([*files, arguments.html, arguments.sarif, arguments.mli], asked.tasks, arguments)
    outcomes: list[Outcome] = []
    try:
        outcomes.extend(_each(asked, options))  # one by one: those before an interruption are kept
    except InputError as problem:
        return _unread(problem, asked.name, arguments)
    except supervise.Interrupted as stop:
        _tell([*outcomes, stop.outcome], asked, arguments)
        return 128 + stop.signal_number
    failed = _tell(outcomes, asked, arguments)
    return failed or worst([_code(outcome) for outcome in outcomes])


def _tell(outcomes: Sequence[Outcome], asked: Request, arguments: argparse.Namespace) -> int:
    """Files first: who reads the text may leave early. The exit code says whether all could be written."""
    failed = written(lambda: write_files(outcomes, asked.tasks[0], arguments)) if asked.tasks else 0
    _print(outcomes, asked, arguments)
    return failed


def _demand_language(tasks: Sequence[Task], arguments: argparse.Namespace) -> None:
    """What is about C programs alone, and about OCaml alone."""
    is_ocaml = any(task.is_ocaml for task in tasks)
    for option in ("witness", "acsl", "rule", "validate"):
        if is_ocaml and getattr(arguments, option, None):
            raise UsageError(f"--{option} is for C programs: it does not go with OCaml")
    if arguments.mli and not is_ocaml:
        raise UsageError("--mli is for OCaml programs")


def _demand_places(files: Sequence[str | None], tasks: Sequence[Task], arguments: argparse.Namespace) -> None:
    several = any(len(task.sources) > 1 for task in tasks)  # copies of several files make a folder
    demand_writable(*(each for each in files if not (several and each is arguments.acsl)))


def _with_rule(asked: Request, rule: str) -> Request:
    if not rule:
        return asked
    is_file = rule.endswith(".rule")
    text = read_text(rule) if is_file else rule
    tasks = tuple(replace(task, rule=text, rule_file=rule if is_file else "") for task in asked.tasks)
    return replace(asked, tasks=tasks)


def _each(asked: Request, options: Options) -> Iterator[Outcome]:
    """One outcome after the other; those who come later have what time is left."""
    began = time.monotonic()
    for position, task in enumerate(asked.tasks):
        share = options.budget.shared(len(asked.tasks) - position, time.monotonic() - began)
        yield _one(task, asked, replace(options, budget=share))
    if not asked.tasks:
        yield _nothing_of_ours(asked)


def _one(task: Task, asked: Request, options: Options) -> Outcome:
    with progress_line() as show:
        outcome = supervise.verify(task, options, show)
    if outcome.reason and outcome.reason.cause is Cause.INTERNAL:
        _save_reproducer(task, options, outcome)
    return replace(outcome, notes=(*asked.notes, *outcome.notes))


def title(task: Task) -> str:
    return task.specification.partition("(")[0] or str(task.goal)


def _nothing_of_ours(asked: Request) -> Outcome:
    message = "no property of this task is checked by Sorrel"
    return replace(unknown(Cause.UNSUPPORTED, message, source=asked.name), notes=asked.notes)


def _unread(problem: InputError, name: str, arguments: argparse.Namespace) -> int:
    if arguments.json:
        say(json.dumps({"source": name, "error": str(problem)}, ensure_ascii=False, indent=2))
    return complain(problem, EXIT_INPUT)


def _code(outcome: Outcome) -> int:
    """A construct that is not supported is known by the exit code too."""
    refused = outcome.reason is not None and outcome.reason.cause is Cause.INPUT
    return EXIT_INPUT if refused else exit_code(outcome)


def run_summarize(arguments: argparse.Namespace) -> int:
    told = _compilation(arguments)
    task = summary_request(
        _sources(arguments, told),
        data_model=_data_model(arguments, told),
        include=told.shared.include,
        define=told.shared.define,
        function=arguments.function,
        flow=arguments.flow,
        reading=_reading(arguments, told.shared),
    )
    options = Options(budget=budget(arguments), seed=arguments.seed, flow=arguments.flow)
    if arguments.flow and arguments.acsl:
        raise UsageError("ACSL has no words for what depends on what: --flow does not go with --acsl")
    _demand_language([task], arguments)
    _demand_places([arguments.html, arguments.acsl, arguments.mli], [task], arguments)
    try:
        with progress_line() as show:
            outcome = supervise.summarize(task, options, show)
    except InputError as problem:
        return _unread(problem, task.name, arguments)
    except supervise.Interrupted as stop:
        written(partial(write_summary_files, stop.outcome, task, arguments))
        if arguments.json or stop.outcome.program_contracts:
            _print_summary(stop.outcome, arguments)
        if stop.outcome.reason is not None:
            complain(InputError(str(stop.outcome.reason)), 0)
        return 128 + stop.signal_number
    failed = written(lambda: write_summary_files(outcome, task, arguments))
    _print_summary(outcome, arguments)
    if outcome.reason is not None:
        complain(InputError(str(outcome.reason)), 0)
        return failed or _code(outcome)
    return failed


# Output


def _print_summary(outcome: Outcome, arguments: argparse.Namespace) -> None:
    if arguments.json:
        say(json.dumps(outcome.to_json(), ensure_ascii=False, indent=2))
        return
    for line in summary_lines(outcome, Paint.for_stream(sys.stdout)):
        say(line)
    for line in statistics_lines(outcome) if arguments.stats else ():
        say(line)


def _print(outcomes: Sequence[Outcome], asked: Request, arguments: argparse.Namespace) -> None:
    if arguments.json:
        documents: Any = [outcome.to_json() for outcome in outcomes]
        say(json.dumps(documents if len(documents) > 1 else documents[0], ensure_ascii=False, indent=2))
        return
    paint = Paint.for_stream(sys.stdout)
    texts = Texts.of(asked.tasks[0].sources if asked.tasks else ())
    say(answer_line(outcomes, paint))
    several = len({task.goal for task in asked.tasks}) > 1 or not arguments.all_functions
    for outcome, task in zip(outcomes, asked.tasks or (None,), strict=False):
        if task is not None and len(asked.tasks) > 1:
            named = [f"function {task.function}"] if arguments.all_functions else []
            if several:
                named.append(f"property {task.specification or task.goal}")
            say(f"{paint('place', ', '.join(named))}: {answer_line([outcome], paint)}")
        if arguments.all_functions and not arguments.verbose:
            if outcome.violation is not None and not arguments.quiet:
                say(f"  {outcome.violation.span}: {outcome.violation.message}")
            continue
        for line in _lines(outcome, texts, paint, arguments):
            say(line)


def _lines(outcome: Outcome, texts: Texts, paint: Paint, arguments: argparse.Namespace) -> Iterator[str]:
    if not arguments.quiet:
        yield from verification_lines(outcome, texts, paint, verbose=arguments.verbose)
    yield from detail_lines(outcome, arguments)


def _save_reproducer(task: Task, options: Options, outcome: Outcome) -> None:
    files = {
        "task.json": json.dumps(task.to_json(), indent=2),
        "options.json": json.dumps(options.to_json(), indent=2),
        "outcome.json": json.dumps(outcome.to_json(), indent=2),
    }
    for source in task.sources:
        files[Path(source.name.strip("<>")).name] = source.text if source.text is not None else read_text(source.path)
    save_reproducer(Path(task.sources[0].name).stem.strip("<>"), files)
