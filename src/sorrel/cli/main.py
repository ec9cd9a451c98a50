"""Which command, and what every command shares: how errors, signals and closed pipes end."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from dataclasses import fields

from sorrel.cli import diff, project, report, solve, verify
from sorrel.cli.console import EPILOG, EXIT_INPUT, EXIT_PIPE, EXIT_USAGE, Parser, complain, say
from sorrel.methods.method import Kind
from sorrel.methods.registry import METHODS, PORTFOLIO
from sorrel.model.errors import InputError, UsageError
from sorrel.process import supervise
from sorrel.versions import lines


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an old locale must not cost the answer
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _dispatch(command_parser(words).parse_args(words))
    except UsageError as problem:
        return complain(problem, EXIT_USAGE)
    except InputError as problem:
        return complain(problem, EXIT_INPUT)
    except supervise.Interrupted as stop:
        say(stop.outcome.answer.chc)
        say(f"; {stop.outcome.reason}")
        return 128 + stop.signal_number
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return complain(UsageError(f"cannot go on: {problem}"), EXIT_USAGE)


def _lsp() -> int:
    try:
        from sorrel.lsp.server import make_server
    except ModuleNotFoundError as missing:
        raise UsageError(f"the editor's server needs {missing.name}: pip install 'sorrel[lsp]'") from None
    make_server().start_io()
    return 0


def _completion(arguments: argparse.Namespace) -> int:
    import shtab

    say(shtab.complete(command_parser(["bench"]), shell=arguments.shell))
    return 0


def command_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = Parser(prog="sorrel", description="Prove or refute properties of recursive programs.", epilog=EPILOG)
    parser.add_argument("--version", action="version", version="\n".join(lines() if "--version" in words else ()))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    verify.add_verify(commands.add_parser("verify", help="verify C programs", epilog=EPILOG))
    verify.add_summarize(commands.add_parser("summarize", help="infer contracts and types of functions", epilog=EPILOG))
    solve.add_solve(commands.add_parser("solve", help="solve systems of Horn clauses in SMT-LIB 2", epilog=EPILOG))
    solve.add_learn(
        commands.add_parser(
            "learn", help="learn summaries of Boolean programs and of C functions at a width", epilog=EPILOG
        )
    )
    project.add_init(commands.add_parser("init", help="write sorrel.toml for the C files of a folder"))
    project.add_prove(commands.add_parser("prove", help="prove a project function by function", epilog=EPILOG))
    diff.add_diff(commands.add_parser("diff", help="compare two versions of a project", epilog=EPILOG))
    solve.add_check(
        commands.add_parser("check", help="check a saved certificate, or the stored proofs of a project", epilog=EPILOG)
    )
    report.add_report(commands.add_parser("report", help="make a page to look at from a saved outcome", epilog=EPILOG))
    commands.add_parser("lsp", help="serve an editor by the Language Server Protocol, on standard input and output")
    completion = commands.add_parser("completion", help="print a script that completes commands in a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh", "fish"))
    commands.add_parser("engines", help="list the engines and their options")
    commands.add_parser("rules", help="list the proof rules that --rule knows")
    bench = commands.add_parser("bench", help="run suites of tasks with several tools and compare them")
    if "bench" in words:  # its modules are not needed for anything else
        from sorrel.bench import command

        command.add_arguments(bench)
    return parser


def _dispatch(arguments: argparse.Namespace) -> int:
    match arguments.command:
        case "verify":
            return verify.run_verify(arguments)
        case "summarize":
            return verify.run_summarize(arguments)
        case "solve" | "learn":
            return solve.run_solve(arguments)
        case "init":
            return project.run_init(arguments)
        case "prove":
            return project.run_project("prove", arguments.names, arguments)
        case "diff":
            return diff.run_diff(arguments)
        case "check":
            return solve.run_check(arguments)
        case "report":
            return report.run_report(arguments)
        case "lsp":
            return _lsp()
        case "completion":
            return _completion(arguments)
        case "engines":
            return _engines()
        case "rules":
            return _rules()
        case _:
            from sorrel.bench import command

            return command.run(arguments)


def _rules() -> int:
    from sorrel.encode.rules.builtin import builtin_rules

    for rule in builtin_rules():
        say(f"{rule.name} ({rule.conclusion} of {rule.subject}): {rule.sentence}")
    return 0


def _engines() -> int:
    say(f"{PORTFOLIO} (default): a schedule of those that fit the question; the first confirmed answer wins")
    for kind in Kind:
        say(f"\n{kind}:")
        for method in METHODS.values():
            if method.kind is kind:
                say(f"{method.name}: {method.sentence}")
                for field in fields(method.options):
                    say(f"  -o {field.name}={field.default}  {field.metadata.get('help', '')}")
    return 0
