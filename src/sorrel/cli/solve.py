"""`sorrel solve`, `sorrel learn` and `sorrel check`: systems of Horn clauses, and Boolean programs that become some."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sorrel.cli.console import (
    EXIT_INPUT,
    add_engine,
    add_limits,
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
    write_text,
    written,
)
from sorrel.cli.report import add_html, write_html
from sorrel.cli.witness import is_witness, run_check_witness
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import OVERFLOWS, Finite, Options
from sorrel.model.outcome import Answer, Cause, Outcome
from sorrel.model.source import Source
from sorrel.model.task import DATA_MODELS
from sorrel.process import supervise
from sorrel.report import text

MOST_SHOWN = 200_000
"""Characters of clauses that are worth looking at; others are generated."""


def add_solve(parser: argparse.ArgumentParser, what: str = "SMT-LIB 2 files") -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"{what}; - is standard input")
    add_engine(parser)
    add_limits(parser)
    parser.add_argument("--model", action="store_true", help="print the summaries if the answer is sat")
    parser.add_argument("--proof", action="store_true", help="print the certificate, for sat and for unsat")
    parser.add_argument("--certificate", metavar="FILE", help="save the certificate for sorrel check")
    add_html(parser)
    parser.add_argument("--seeds", metavar="FILE", help="known inductive summaries to start from")
    parser.add_argument(
        "--keep-contracts",
        action="store_true",
        help="do not inline: find a summary for every predicate",
    )


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Like solve, for programs (docs/boolean-programs.md); engines for bit-vectors other than cdnf may be chosen."""
    add_solve(parser, "Boolean programs, or C with --function")
    parser.set_defaults(engine="cdnf")
    parser.add_argument("--width", type=_width, default=32, metavar="N", help="bits of a word (default 32)")
    parser.add_argument("--function", default="", metavar="F", help="the program is C: learn about its function F")
    parser.add_argument("--data-model", choices=DATA_MODELS, default="", help="for C; default: that of this machine")
    parser.add_argument("-I", dest="include", action="append", default=[], metavar="DIR", help="search DIR for headers")
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]", help="define a macro")
    parser.add_argument(
        "--overflow",
        choices=OVERFLOWS,
        default="wrap",
        help="arithmetic wraps around (default), or a run that overflows does not return",
    )
    parser.add_argument(
        "--property",
        action="append",
        default=[],
        metavar="EXPR",
        help="over parameters and results (in C: \\result); may be repeated, each starts from what is known",
    )
    parser.add_argument("--horn", metavar="FILE", help="save the Horn clauses, for sorrel check and other tools")


def _width(word: str) -> int:
    from sorrel.process.request import WIDEST

    if not word.isdecimal() or not 1 <= int(word) <= WIDEST:
        raise argparse.ArgumentTypeError(f"must be a number of bits from 1 to {WIDEST}")
    return int(word)


def add_check(parser: argparse.ArgumentParser) -> None:
    from sorrel.cli.project import add_findings  # solving clauses needs nothing of projects

    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="an SMT-LIB 2 file and a saved certificate, or a model of another solver; "
        "a C file or a task file and a witness of another verifier; "
        "or a project's folder and files of it (default: the project in this folder)",
    )
    add_limits(parser)
    add_findings(parser)


def run_solve(arguments: argparse.Namespace) -> int:
    options = replace(
        search_options(arguments),
        keep_contracts=arguments.keep_contracts,
        seeds=read_text(arguments.seeds) if arguments.seeds else "",
        finite=_finite(arguments) if arguments.command == "learn" else None,
    )
    if arguments.certificate and len(arguments.files) > 1:
        raise UsageError("--certificate takes one file at a time")
    if arguments.html and len(arguments.files) > 1:
        raise UsageError("--html takes one file at a time")
    demand_writable(arguments.certificate, arguments.html, arguments.horn if options.finite else None)
    if len(arguments.files) == 1:
        return _solve_single(arguments, options)
    return _solve_many(arguments, options)


def _finite(arguments: argparse.Namespace) -> Finite:
    if arguments.horn and len(arguments.files) > 1:
        raise UsageError("--horn takes one file at a time")
    asked = Finite(
        arguments.width,
        arguments.overflow,
        tuple(arguments.property),
        arguments.function,
        arguments.data_model,
        tuple(arguments.include),
        tuple(arguments.define),
    )
    from sorrel.process.request import finite_request

    return finite_request([Source(name) for name in arguments.files], asked)


def _solve_single(arguments: argparse.Namespace, options: Options) -> int:
    try:
        outcome = _solve_one(arguments.files[0], options, shown=bool(arguments.html or arguments.json))
    except InputError as problem:
        if arguments.json:
            say(json.dumps({"source": arguments.files[0], "error": str(problem)}, ensure_ascii=False, indent=2))
        raise
    except supervise.Interrupted as stop:
        written(partial(_write_files, stop.outcome, options, arguments))
        if not arguments.json:
            raise
        say(json.dumps(stop.outcome.to_json(), ensure_ascii=False, indent=2))
        return 128 + stop.signal_number
    failed = written(lambda: _write_files(outcome, options, arguments))  # first: who reads the text may leave early
    _print_outcome(outcome, arguments)
    return failed or exit_code(outcome)


def _write_files(outcome: Outcome, options: Options, arguments: argparse.Namespace) -> None:
    if arguments.html:
        write_html(arguments.html, [outcome])
    if options.finite and arguments.horn:
        write_text(arguments.horn, outcome.horn)
    if arguments.certificate and outcome.answer is not Answer.UNKNOWN:
        write_text(arguments.certificate, outcome.certificate)


def _solve_many(arguments: argparse.Namespace, options: Options) -> int:
    rows: list[tuple[str, Outcome | None]] = []
    documents: list[dict[str, Any]] = []
    for name in arguments.files:
        try:
            outcome = _solve_one(name, options, shown=arguments.json)
        except InputError as problem:
            complain(problem, EXIT_INPUT)
            rows.append((name, None))
            documents.append({"source": name, "error": str(problem)})
            continue
        rows.append((name, outcome))
        documents.append(outcome.to_json())
        if not arguments.json:
            say(f"{name}: {_word(outcome, arguments)}")
            for line in _extra_lines(outcome, arguments):
                say(line)
    if arguments.json:
        say(json.dumps(documents, ensure_ascii=False, indent=2))
    elif not arguments.quiet:
        for line in text.table_lines(rows):
            say(line)
    codes = [EXIT_INPUT if outcome is None else exit_code(outcome) for _, outcome in rows]
    return worst(codes)


def _solve_one(name: str, options: Options, *, shown: bool) -> Outcome:
    """With its text if it is `shown`: reports put what is derived beside the clauses."""
    source = standard_input() if name == "-" else Source(name)
    with progress_line() as show:
        outcome = supervise.solve(source, options, show)
    if outcome.reason and outcome.reason.cause is Cause.INTERNAL:
        _save_reproducer(source, options, outcome)
    return _with_text(outcome, source) if shown else outcome


def _with_text(outcome: Outcome, source: Source) -> Outcome:
    from sorrel.explain.outline import source_texts  # reads languages, which no other command about clauses needs

    (text,) = source_texts((source,))
    language = text.language if source.path else "smtlib"
    return replace(outcome, sources=(replace(text, language=language),)) if len(text.text) <= MOST_SHOWN else outcome


def run_check(arguments: argparse.Namespace) -> int:
    match arguments.names:
        case [program, witness] if is_witness(witness):
            return run_check_witness(program, witness, arguments)
        case [system, certificate] if not Path(system).is_dir() and not system.endswith((".c", ".toml")):
            return _check_certificate(system, certificate, arguments)
        case names:
            from sorrel.cli.project import run_project

            return run_project("check", names, arguments)


def _check_certificate(system: str, certificate: str, arguments: argparse.Namespace) -> int:
    options = Options("check", budget=budget(arguments), recheck=arguments.recheck)
    outcome = supervise.check(Source(system), Source(certificate), options)
    if arguments.json:
        say(json.dumps(outcome.to_json(), ensure_ascii=False, indent=2))
        return _exit_code_of_check(outcome)
    if outcome.answer is not Answer.UNKNOWN:
        say(f"accepted: {outcome.answer.chc}")
    else:
        say("rejected" if _is_wrong(outcome) else "not confirmed")
    if not arguments.quiet:
        if outcome.reason:
            say(f"; {outcome.reason}")
        if arguments.verbose:
            for line in text.detail_lines(outcome):
                say(line)
    return _exit_code_of_check(outcome)


# Output


def _print_outcome(outcome: Outcome, arguments: argparse.Namespace) -> None:
    if arguments.json:
        say(json.dumps(outcome.to_json(), ensure_ascii=False, indent=2))
        return
    say(_word(outcome, arguments))
    for line in _extra_lines(outcome, arguments):
        say(line)


def _word(outcome: Outcome, arguments: argparse.Namespace) -> str:
    """Of a program one says that it is safe; clauses that say so are satisfiable."""
    return outcome.answer.value if arguments.command == "learn" else outcome.answer.chc


def _extra_lines(outcome: Outcome, arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.command == "learn" and not arguments.quiet and not arguments.model:
        yield from text.finding_lines(outcome)
    if arguments.model and outcome.answer is Answer.SAFE:
        yield from text.model_lines(outcome)
    if arguments.proof and outcome.answer is not Answer.UNKNOWN:
        yield from text.proof_lines(outcome)
    if not arguments.quiet:
        yield from text.reason_lines(outcome)
    yield from detail_lines(outcome, arguments)


def _is_wrong(outcome: Outcome) -> bool:
    """Did a checker find the evidence wrong, rather than not being able to tell?"""
    refused = any(not confirmation.accepted for confirmation in outcome.confirmations)
    return bool(refused and outcome.reason and outcome.reason.cause is Cause.INTERNAL)


def _exit_code_of_check(outcome: Outcome) -> int:
    """Evidence that is found wrong is what checking is for; any other failure is one."""
    return outcome.answer.exit_code if _is_wrong(outcome) else exit_code(outcome)


def _save_reproducer(source: Source, options: Options, outcome: Outcome) -> None:
    files = {
        "input.smt2": source.text if source.text is not None else read_text(source.path),
        "options.json": json.dumps(options.to_json(), indent=2),
        "outcome.json": json.dumps(outcome.to_json(), indent=2),
    }
    save_reproducer(Path(source.name).stem.strip("<>"), files)
