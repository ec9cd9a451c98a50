"""Commands about Sorrel itself: its engines and rules, completion for shells, the manual, the server for editors."""

from __future__ import annotations

import argparse
from dataclasses import fields

from sorrel import __version__
from sorrel.cli.commands import COMMANDS, command_parser
from sorrel.cli.console import say
from sorrel.methods.method import MethodKind
from sorrel.methods.registry import METHODS, PORTFOLIO
from sorrel.model.errors import UsageError


def run_lsp(_: argparse.Namespace) -> int:
    try:
        from sorrel.lsp.server import make_server
    except ModuleNotFoundError as missing:
        raise UsageError(f"the editor's server needs {missing.name}: pip install 'sorrel[lsp]'") from None
    make_server().start_io()
    return 0


def add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh", "fish"))


def run_completion(arguments: argparse.Namespace) -> int:
    import shtab

    say(shtab.complete(command_parser(list(COMMANDS)), shell=arguments.shell))
    return 0


def run_manual(_: argparse.Namespace) -> int:
    from argparse_manpage.manpage import Manpage

    page = Manpage(command_parser(list(COMMANDS)))
    page.manual, page.source = "Sorrel's manual", f"sorrel {__version__}"
    page.description = "a modular program verifier"
    say(str(page).rstrip("\n"))
    return 0


def run_rules(_: argparse.Namespace) -> int:
    from sorrel.encode.rules.builtin import builtin_rules

    for rule in builtin_rules():
        say(f"{rule.name} ({rule.conclusion} of {rule.subject}): {rule.sentence}")
    return 0


def run_engines(_: argparse.Namespace) -> int:
    say(f"{PORTFOLIO} (default): a schedule of those that fit the question; the first confirmed answer wins")
    say(f"{PORTFOLIO}-NAME: the same without one of those below")
    for kind in MethodKind:
        say(f"\n{kind}:")
        for method in METHODS.values():
            if method.kind is kind:
                say(f"{method.name}: {method.sentence}")
                for field in fields(method.options):
                    say(f"  -o {field.name}={field.default}  {field.metadata.get('help', '')}")
    return 0
