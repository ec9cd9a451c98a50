"""The commands: what each is for, and the module that has its arguments and does it, loaded only if it is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module

from sorrel.cli.console import EPILOG, Parser
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """`run` of `module` does it; `arguments` of `arguments_module`, else of the same, adds what the command takes."""

    name: str
    help: str
    module: str
    run: str
    arguments: str = ""
    epilog: str | None = EPILOG
    arguments_module: str = ""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        if self.arguments:
            _function(self.arguments_module or self.module, self.arguments)(parser)

    def perform(self, arguments: argparse.Namespace) -> int:
        code: int = _function(self.module, self.run)(arguments)
        return code


def _function(module: str, name: str) -> Callable[..., int]:
    found: Callable[..., int] = getattr(import_module(module), name)
    return found


COMMANDS = {
    command.name: command
    for command in (
        Command(
            "verify",
            "verify programs in C, Java and OCaml",
            "sorrel.cli.verify",
            "run_verify",
            "add_verify",
            arguments_module="sorrel.cli.program_arguments",
        ),
        Command(
            "summarize",
            "infer contracts and types of functions",
            "sorrel.cli.verify",
            "run_summarize",
            "add_summarize",
            arguments_module="sorrel.cli.program_arguments",
        ),
        Command("solve", "solve systems of Horn clauses in SMT-LIB 2", "sorrel.cli.solve", "run_solve", "add_solve"),
        Command(
            "learn",
            "learn summaries of Boolean programs, and of C functions at a fixed bit width",
            "sorrel.cli.solve",
            "run_solve",
            "add_learn",
        ),
        Command("init", "write sorrel.toml for the C files of a folder", "sorrel.cli.project", "run_init", "add_init"),
        Command("prove", "prove a project function by function", "sorrel.cli.project", "run_prove", "add_prove"),
        Command("diff", "compare two versions of a project", "sorrel.cli.diff", "run_diff", "add_diff"),
        Command("pack", "export the contracts of a library", "sorrel.cli.pack", "run_pack", "add_pack"),
        Command(
            "check",
            "check a saved certificate, or the stored proofs of a project",
            "sorrel.cli.solve",
            "run_check",
            "add_check",
        ),
        Command("report", "write an HTML report from a saved outcome", "sorrel.cli.report", "run_report", "add_report"),
        Command(
            "lsp",
            "run the language server for editors (LSP on standard input and output)",
            "sorrel.cli.lists",
            "run_lsp",
            epilog=None,
        ),
        Command(
            "completion",
            "print a completion script for a shell",
            "sorrel.cli.lists",
            "run_completion",
            "add_completion",
            epilog=None,
        ),
        Command(
            "manual",
            "print the manual page: sorrel manual > sorrel.1; man ./sorrel.1",
            "sorrel.cli.lists",
            "run_manual",
            epilog=None,
        ),
        Command("engines", "list the engines and their options", "sorrel.cli.lists", "run_engines", epilog=None),
        Command("rules", "list the proof rules that --rule knows", "sorrel.cli.lists", "run_rules", epilog=None),
        Command(
            "bench",
            "run suites of tasks with several tools and compare them",
            "sorrel.bench.command",
            "run",
            "add_arguments",
            epilog=None,
        ),
    )
}


def command_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """For these words: with the arguments of the commands among them, and with the names of all."""
    parser = Parser(prog="sorrel", description="Prove or refute properties of recursive programs.", epilog=EPILOG)
    parser.add_argument(
        "--version",
        action="version",
        help="print the versions of Sorrel and of its solvers and parsers",
        version=_versions() if "--version" in words else "",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS.values():
        said = f"{command.help[0].upper()}{command.help[1:]}."
        own = commands.add_parser(command.name, help=command.help, description=said, epilog=command.epilog)
        if command.name in words:
            command.add_arguments(own)
    return parser


def _versions() -> str:
    from sorrel.versions import lines

    return "\n".join(lines())
