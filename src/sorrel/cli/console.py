"""What commands share: arguments, exit codes, the progress line, files."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sorrel.methods.registry import PORTFOLIO, named
from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import LONGEST, Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import CHECKERS, Options
from sorrel.model.outcome import Cause, Outcome
from sorrel.model.source import Source, decode
from sorrel.process import supervise
from sorrel.report import text

EXIT_USAGE, EXIT_INPUT, EXIT_INTERNAL, EXIT_PIPE = 1, 2, 6, 141
EPILOG = (
    "exit codes: 0 safe (sat), 3 safe under open assumptions, 10 unsafe (unsat), 5 unknown, 1 wrong usage, "
    "2 input cannot be read or is not supported, 6 internal error, 128 + n ended by signal n"
)


def say(line: str) -> None:
    print(line, flush=True)


def complain(problem: Exception, code: int) -> int:
    if sys.stderr is not None:
        print(problem, file=sys.stderr)
    return code


def exit_code(outcome: Outcome) -> int:
    failed = outcome.reason is not None and outcome.reason.cause is Cause.INTERNAL
    return EXIT_INTERNAL if failed else outcome.answer.exit_code


def detail_lines(outcome: Outcome, arguments: argparse.Namespace) -> Iterator[str]:
    """What was asked for beside the answer."""
    if arguments.verbose:
        yield from text.detail_lines(outcome)
    if arguments.explain:
        yield from text.explanation_lines(outcome)
    if arguments.stats:
        yield from text.statistics_lines(outcome)


def worst(codes: Sequence[int]) -> int:
    """One exit code for several answers: what needs attention most."""
    return next((code for code in (EXIT_INTERNAL, EXIT_INPUT, 10, 5, 3) if code in codes), 0)


# Arguments


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"{self.prog}: {message}\nTry {self.prog} --help.")

    def print_help(self, file: Any = None) -> None:
        """The standard one takes a full disk for a success."""
        print(self.format_help(), end="", file=file, flush=True)


def add_assuming(parser: argparse._ArgumentGroup, what: str) -> None:
    parser.add_argument(
        "--assuming",
        action="append",
        default=[],
        choices=[str(kind) for kind in AssumptionKind],
        metavar="KIND",
        help=what,
    )


def add_limits(parser: argparse.ArgumentParser, whole: str = "for each file", *, evidence: bool = True) -> None:
    """`evidence`: there is some that a second solver can read."""
    limits = parser.add_argument_group("limits and checks")
    limits.add_argument(
        "--timeout", type=positive, metavar="S", help=f"wall-clock limit in seconds {whole} (default: none)"
    )
    limits.add_argument(
        "--memory", type=_memory, metavar="MIB", help="memory limit in MiB for each engine (default: none)"
    )
    if evidence:
        limits.add_argument(
            "--recheck",
            choices=CHECKERS,
            default="",
            help="recheck the evidence with this solver, on the original text",
        )
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON and nothing else")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show which method decided and what confirmed the answer"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="only the answer")


def add_engine(parser: argparse.ArgumentParser) -> None:
    search = parser.add_argument_group("proof search")
    search.add_argument(
        "--engine",
        default=PORTFOLIO,
        metavar="NAME",
        help="an engine, several joined by +, portfolio (default), or portfolio-NAME to leave one out",
    )
    search.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the engine, see sorrel engines",
    )
    search.add_argument(
        "--explain", action="store_true", help="print the steps of the reasoning (engines clover and hsf)"
    )
    add_seed(search)


def add_seed(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("--seed", type=_seed, default=0, metavar="N", help="random seed for the solvers (default 0)")
    parser.add_argument("--stats", action="store_true", help="print statistics: sizes and solver queries")


def budget(arguments: argparse.Namespace) -> Budget:
    return Budget(arguments.timeout, arguments.memory)


def search_options(arguments: argparse.Namespace) -> Options:
    """What `add_engine` and `add_limits` have read."""
    named(arguments.engine)
    return Options(
        engine=arguments.engine,
        engine_options=_engine_options(arguments.option),
        budget=budget(arguments),
        recheck=arguments.recheck,
        seed=arguments.seed,
        explain=arguments.explain,
    )


def _engine_options(words: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"an option is NAME=VALUE, not {word!r}")
        found[name] = value
    return found


def positive(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST:
        raise argparse.ArgumentTypeError(f"must be a positive number of seconds, at most {LONGEST:.0f}")
    return value


def _seed(word: str) -> int:
    if not word.isdecimal() or int(word) >= 2**31:
        raise argparse.ArgumentTypeError("must be a number from 0 to 2147483647")
    return int(word)


def _memory(word: str) -> int:
    if not word.isdecimal() or not 256 <= int(word) <= 2**40:
        raise argparse.ArgumentTypeError("must be a number of MiB, at least 256: the solver alone needs that much")
    return int(word)


# Files


def standard_input() -> Source:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return Source("<stdin>", decode(sys.stdin.buffer.read(), "<stdin>"))


def read_text(path: str) -> str:
    return Source(path).read()


def write_text(path: str, content: str) -> None:
    try:
        Path(path).write_text(content, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written: {problem.strerror}") from None


def demand_writable(*paths: str | None) -> None:
    """Whoever searches for an hour learns before it that there is no place for what will be found."""
    for path in (Path(each) for each in paths if each):
        if path.is_dir():
            raise UsageError(f"{path}: cannot be written: this is a folder; name a file in it")
        if not path.parent.is_dir():
            raise UsageError(f"{path}: cannot be written: there is no folder {path.parent}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise UsageError(f"{path}: cannot be written: permission denied")


def written(write: Callable[[], None]) -> int:
    """0, or the exit code for a file that could not be written: the answer is still to be told."""
    try:
        write()
    except UsageError as problem:
        return complain(problem, EXIT_USAGE)
    except InputError as problem:
        return complain(problem, EXIT_INPUT)
    return 0


def save_reproducer(name: str, files: dict[str, str]) -> None:
    """What a developer needs to see the same failure: input, options, and the evidence that was refused."""
    folder = Path(f"sorrel-reproducer-{name}")
    try:
        folder.mkdir(exist_ok=True)
        for file, content in files.items():
            (folder / file).write_text(content, encoding="utf-8")
    except OSError as problem:
        print(f"internal error; the reproducer could not be saved: {problem}", file=sys.stderr)
        return
    print(f"internal error; a reproducer was saved to {folder}/, please report it", file=sys.stderr)


# The terminal


@contextmanager
def progress_line() -> Iterator[supervise.Progress]:
    """One line on the terminal that is rewritten; nothing at all elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _engine, _news: None
        return
    state: dict[str, str] = {}
    started = time.monotonic()

    def show(engine: str, news: dict[str, Any]) -> None:
        state[engine] = f"{engine}: " + (", ".join(f"{name} {value}" for name, value in news.items()) or "starting")
        line = f"{time.monotonic() - started:.0f} s | " + " | ".join(state.values())
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        sys.stderr.write("\r\x1b[K" + line[: width - 1])
        sys.stderr.flush()

    try:
        yield show
    finally:
        if state:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
