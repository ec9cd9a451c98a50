"""The command line. It parses, asks, and prints; it loads no solver, so it starts fast and always listens."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from sorrel import __version__, supervise
from sorrel.budget import LONGEST, Budget
from sorrel.engines.registry import ENGINES, PORTFOLIO, PORTFOLIO_MEMBERS, members
from sorrel.errors import InputError, UsageError
from sorrel.options import CHECKERS, OVERFLOWS, Finite, Options
from sorrel.outcome import Answer, Cause, Outcome
from sorrel.report import text
from sorrel.source import Source, decode

EXIT_USAGE, EXIT_INPUT, EXIT_INTERNAL, EXIT_PIPE = 1, 2, 6, 141
_EPILOG = (
    "exit codes: 0 safe (sat), 10 unsafe (unsat), 5 unknown, 1 wrong usage, 2 input cannot be read or is not "
    "supported, 6 internal error, 128 + n ended by signal n"
)


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an old locale must not cost the answer
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _dispatch(_parser(words).parse_args(words))
    except UsageError as problem:
        return _complain(problem, EXIT_USAGE)
    except InputError as problem:
        return _complain(problem, EXIT_INPUT)
    except supervise.Interrupted as stop:
        _say(stop.outcome.answer.chc)
        _say(f"; {stop.outcome.reason}")
        return 128 + stop.signal_number
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(UsageError(f"cannot go on: {problem}"), EXIT_USAGE)


def _complain(problem: Exception, code: int) -> int:
    if sys.stderr is not None:
        print(problem, file=sys.stderr)
    return code


def _say(line: str) -> None:
    print(line, flush=True)


# Arguments


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"{self.prog}: {message}\nTry {self.prog} --help.")


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="sorrel", description="Prove or refute properties of recursive programs.", epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"sorrel {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    _add_solve(commands.add_parser("solve", help="solve systems of Horn clauses in SMT-LIB 2", epilog=_EPILOG))
    _add_learn(commands.add_parser("learn", help="learn summaries of Boolean programs with words", epilog=_EPILOG))
    _add_check(commands.add_parser("check", help="check a saved certificate against its system", epilog=_EPILOG))
    commands.add_parser("engines", help="list the engines and their options")
    bench = commands.add_parser("bench", help="run suites of tasks with several tools and compare them")
    if "bench" in words:  # its modules are not needed for anything else
        from sorrel.bench import command

        command.add_arguments(bench)
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=_positive, metavar="S", help="wall-clock limit in seconds for each file")
    parser.add_argument("--memory", type=_memory, metavar="MIB", help="memory limit in MiB for each engine")
    parser.add_argument(
        "--recheck",
        choices=CHECKERS,
        default="",
        help="let this solver check the evidence on the original text",
    )
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON and nothing else")
    parser.add_argument("-v", "--verbose", action="store_true", help="say who decided and who confirmed")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the answer")


def _add_solve(parser: argparse.ArgumentParser, what: str = "SMT-LIB 2 files") -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"{what}; - is standard input")
    parser.add_argument(
        "--engine",
        default=PORTFOLIO,
        metavar="NAME",
        help="an engine, several joined by +, or portfolio (default)",
    )
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the engine, see sorrel engines",
    )
    _add_limits(parser)
    parser.add_argument("--model", action="store_true", help="print the summaries if the answer is sat")
    parser.add_argument("--proof", action="store_true", help="print the certificate, for sat and for unsat")
    parser.add_argument("--certificate", metavar="FILE", help="save the certificate for sorrel check")
    parser.add_argument(
        "--explain", action="store_true", help="print the steps of the reasoning (engines clover and hsf)"
    )
    parser.add_argument("--stats", action="store_true", help="print statistics about sizes and solver queries")
    parser.add_argument("--seed", type=_seed, default=0, metavar="N", help="random seed of the solvers (default 0)")
    parser.add_argument("--seeds", metavar="FILE", help="known inductive summaries to start from")
    parser.add_argument(
        "--keep-contracts",
        action="store_true",
        help="inline nothing, so that every predicate is solved for itself",
    )


def _add_learn(parser: argparse.ArgumentParser) -> None:
    """Like solve, for programs (docs/boolean-programs.md); engines for bit-vectors other than cdnf may be chosen."""
    _add_solve(parser, "Boolean programs")
    parser.set_defaults(engine="cdnf")
    parser.add_argument("--width", type=_width, default=32, metavar="N", help="bits of a word (default 32)")
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
        help="over the parameters and results of the first function; may be repeated, each starts from what is known",
    )
    parser.add_argument("--horn", metavar="FILE", help="save the Horn clauses, for sorrel check and other tools")


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("system", metavar="SYSTEM", help="an SMT-LIB 2 file")
    parser.add_argument("certificate", metavar="CERTIFICATE", help="a saved certificate, or a model of another solver")
    _add_limits(parser)


def _positive(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST:
        raise argparse.ArgumentTypeError(f"must be a positive number of seconds, at most {LONGEST:.0f}")
    return value


def _width(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= 1024:
        raise argparse.ArgumentTypeError("must be a number of bits from 1 to 1024")
    return int(word)


def _seed(word: str) -> int:
    if not word.isdecimal() or int(word) >= 2**31:
        raise argparse.ArgumentTypeError("must be a number from 0 to 2147483647")
    return int(word)


def _memory(word: str) -> int:
    if not word.isdecimal() or not 256 <= int(word) <= 2**40:
        raise argparse.ArgumentTypeError("must be a number of MiB, at least 256: the solver alone needs that much")
    return int(word)


# Commands


def _dispatch(arguments: argparse.Namespace) -> int:
    match arguments.command:
        case "solve" | "learn":
            return _solve(arguments)
        case "check":
            return _check(arguments)
        case "engines":
            return _engines()
        case _:
            from sorrel.bench import command

            return command.run(arguments)


def _solve(arguments: argparse.Namespace) -> int:
    options = Options(
        engine=arguments.engine,
        engine_options=_engine_options(arguments.option),
        budget=Budget(arguments.timeout, arguments.memory),
        recheck=arguments.recheck,
        keep_contracts=arguments.keep_contracts,
        seed=arguments.seed,
        seeds=_read(arguments.seeds) if arguments.seeds else "",
        explain=arguments.explain,
        finite=_finite(arguments) if arguments.command == "learn" else None,
    )
    members(options.engine)
    if arguments.certificate and len(arguments.files) > 1:
        raise UsageError("--certificate takes one file at a time")
    if len(arguments.files) == 1:
        return _solve_single(arguments, options)
    return _solve_many(arguments, options)


def _finite(arguments: argparse.Namespace) -> Finite:
    if arguments.horn and len(arguments.files) > 1:
        raise UsageError("--horn takes one file at a time")
    return Finite(arguments.width, arguments.overflow, tuple(arguments.property))


def _solve_single(arguments: argparse.Namespace, options: Options) -> int:
    try:
        outcome = _solve_one(arguments.files[0], options)
    except InputError as problem:
        if arguments.json:
            _say(json.dumps({"source": arguments.files[0], "error": str(problem)}, ensure_ascii=False, indent=2))
        raise
    except supervise.Interrupted as stop:
        if not arguments.json:
            raise
        _say(json.dumps(stop.outcome.to_json(), ensure_ascii=False, indent=2))
        return 128 + stop.signal_number
    _print_outcome(outcome, arguments)
    if options.finite and arguments.horn:
        _write(arguments.horn, outcome.horn)
    if arguments.certificate and outcome.answer is not Answer.UNKNOWN:
        _write(arguments.certificate, outcome.certificate)
    return _exit_code(outcome)


def _solve_many(arguments: argparse.Namespace, options: Options) -> int:
    rows: list[tuple[str, Outcome | None]] = []
    documents: list[dict[str, Any]] = []
    for name in arguments.files:
        try:
            outcome = _solve_one(name, options)
        except InputError as problem:
            _complain(problem, EXIT_INPUT)
            rows.append((name, None))
            documents.append({"source": name, "error": str(problem)})
            continue
        rows.append((name, outcome))
        documents.append(outcome.to_json())
        if not arguments.json:
            _say(f"{name}: {_word(outcome, arguments)}")
            for line in _extra_lines(outcome, arguments):
                _say(line)
    if arguments.json:
        _say(json.dumps(documents, ensure_ascii=False, indent=2))
    elif not arguments.quiet:
        for line in text.table_lines(rows):
            _say(line)
    codes = [EXIT_INPUT if outcome is None else _exit_code(outcome) for _, outcome in rows]
    return next((code for code in (EXIT_INTERNAL, EXIT_INPUT, 10, 5) if code in codes), 0)


def _solve_one(name: str, options: Options) -> Outcome:
    source = _standard_input() if name == "-" else Source(name)
    with _progress_line() as show:
        outcome = supervise.solve(source, options, show)
    if outcome.reason and outcome.reason.cause is Cause.INTERNAL:
        _save_reproducer(source, options, outcome)
    return outcome


def _standard_input() -> Source:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return Source("<stdin>", decode(sys.stdin.buffer.read(), "<stdin>"))


def _check(arguments: argparse.Namespace) -> int:
    options = Options("check", budget=Budget(arguments.timeout, arguments.memory), recheck=arguments.recheck)
    outcome = supervise.check(Source(arguments.system), Source(arguments.certificate), options)
    if arguments.json:
        _say(json.dumps(outcome.to_json(), ensure_ascii=False, indent=2))
        return _exit_code(outcome, checking=True)
    if outcome.answer is not Answer.UNKNOWN:
        _say(f"accepted: {outcome.answer.chc}")
    else:
        _say("rejected" if _is_wrong(outcome) else "not confirmed")
    if not arguments.quiet:
        if outcome.reason:
            _say(f"; {outcome.reason}")
        if arguments.verbose:
            for line in text.detail_lines(outcome):
                _say(line)
    return _exit_code(outcome, checking=True)


def _engines() -> int:
    _say(f"{PORTFOLIO} (default): {', '.join(PORTFOLIO_MEMBERS)} side by side; the first confirmed answer wins")
    for entry in ENGINES.values():
        _say(f"{entry.name}: {entry.sentence}")
        for field in fields(entry.options):
            _say(f"  -o {field.name}={field.default}  {field.metadata.get('help', '')}")
    return 0


# Output


def _print_outcome(outcome: Outcome, arguments: argparse.Namespace) -> None:
    if arguments.json:
        _say(json.dumps(outcome.to_json(), ensure_ascii=False, indent=2))
        return
    _say(_word(outcome, arguments))
    for line in _extra_lines(outcome, arguments):
        _say(line)


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
    if arguments.verbose:
        yield from text.detail_lines(outcome)
    if arguments.explain:
        yield from text.explanation_lines(outcome)
    if arguments.stats:
        yield from text.statistics_lines(outcome)


def _is_wrong(outcome: Outcome) -> bool:
    """Did a checker find the evidence wrong, rather than not being able to tell?"""
    refused = any(not confirmation.accepted for confirmation in outcome.confirmations)
    return bool(refused and outcome.reason and outcome.reason.cause is Cause.INTERNAL)


def _exit_code(outcome: Outcome, *, checking: bool = False) -> int:
    failed = outcome.reason is not None and outcome.reason.cause is Cause.INTERNAL
    if failed and not (checking and _is_wrong(outcome)):
        return EXIT_INTERNAL
    return outcome.answer.exit_code


@contextmanager
def _progress_line() -> Iterator[supervise.Progress]:
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


# Files


def _engine_options(words: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"an option is NAME=VALUE, not {word!r}")
        found[name] = value
    return found


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: cannot be read: {problem}") from None


def _write(path: str, content: str) -> None:
    try:
        Path(path).write_text(content, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written: {problem.strerror}") from None


def _save_reproducer(source: Source, options: Options, outcome: Outcome) -> None:
    """What a developer needs to see the same failure: input, options, and the evidence that was refused."""
    content = source.text if source.text is not None else _read(source.path)
    folder = Path(f"sorrel-reproducer-{Path(source.name).stem.strip('<>')}")
    try:
        folder.mkdir(exist_ok=True)
        (folder / "input.smt2").write_text(content, encoding="utf-8")
        (folder / "options.json").write_text(json.dumps(options.to_json(), indent=2), encoding="utf-8")
        (folder / "outcome.json").write_text(json.dumps(outcome.to_json(), indent=2), encoding="utf-8")
    except OSError as problem:
        print(f"internal error; the reproducer could not be saved: {problem}", file=sys.stderr)
        return
    print(f"internal error; a reproducer was saved to {folder}/, please report it", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
