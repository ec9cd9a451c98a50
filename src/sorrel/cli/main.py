"""What every command shares: how errors, signals and closed pipes end."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from sorrel.cli.commands import COMMANDS, command_parser
from sorrel.cli.console import EXIT_INPUT, EXIT_PIPE, EXIT_USAGE, complain, say
from sorrel.model.errors import InputError, UsageError
from sorrel.process import supervise


def main(given: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an old locale must not cost the answer
    words = list(sys.argv[1:] if given is None else given)
    try:
        arguments = command_parser(words).parse_args(words)
        return COMMANDS[arguments.command].perform(arguments)
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
    except OSError as problem:
        return unwritable(problem)


def unwritable(problem: OSError) -> int:
    """The end of whoever cannot write what was found; files that cannot be read or written have been told by name."""
    # Python would complain again when it flushes at exit.
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(problem, BrokenPipeError):  # the reader has seen enough
        return EXIT_PIPE
    what = f"{problem.filename}: cannot be used" if problem.filename else "standard output: cannot be written"
    return complain(UsageError(f"{what}: {problem.strerror}"), EXIT_USAGE)
