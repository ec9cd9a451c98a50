"""A tool: how to call it on a file, and how to know what it said."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

from sorrel.bench.process import Limits
from sorrel.model.errors import InputError, Span, UsageError
from sorrel.model.values import dataclass
from sorrel.relate.library import LAWS

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
PLACEHOLDER = re.compile(r"\{(file|timeout|memory|python|z3|property)\}")
Kind = TypeVar("Kind")

OUT_OF_MEMORY = r"out of memory|MemoryError|bad_alloc|Cannot allocate memory"

PROGRAMS = (".c", ".i", ".java", ".ml")  # files that are verified, not solved
OWN_SECONDS = 5.0  # our engines keep the wall limit themselves; from outside they get this much longer
OWN_MEMORY = 256  # MiB for the supervising process, which does not count as the engine's
OWN_TOLERANCE = 1.0  # seconds after the limit until an answer of ours is too late


@dataclass(frozen=True, slots=True)
class Patterns:
    """Regular expressions searched in standard output, line by line; empty never matches."""

    safe: str = ""
    unsafe: str = ""
    unknown: str = ""
    error: str = ""  # an answer after a match of this one is not believed
    memory: str = OUT_OF_MEMORY  # explains a run without an answer; standard error counts too


@dataclass(frozen=True, slots=True)
class Tool:
    """A peer (any command line) or an engine of ours (`engine` is not empty)."""

    name: str
    engine: str = ""
    command: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    version_command: tuple[str, ...] = ()
    patterns: Patterns = field(default_factory=Patterns)
    invert_in_rule_dialect: bool = False

    @property
    def own(self) -> bool:
        return bool(self.engine)

    def call(self, file: Path, limits: Limits, wanted: str = "") -> list[str]:
        """The command line for one file; `wanted` is the property in suites that have several."""
        values = {
            "file": str(file),
            "timeout": f"{limits.wall:g}",
            "memory": "" if limits.memory is None else str(limits.memory),
            "python": sys.executable,
            "property": wanted,
        }
        if self.own and file.suffix in PROGRAMS:
            values["file"] = str(task_file(file))
            of_programs = of_java(wanted) if file.suffix == ".java" else of_c(wanted)
            return [self.fill(part, values) for part in self.own_template("verify", limits, of_programs)]
        return [self.fill(part, values) for part in self.template(limits)]

    def template(self, limits: Limits) -> tuple[str, ...]:
        return self.own_template("solve", limits) if self.own else self.command

    def own_template(self, command: str, limits: Limits, of_programs: Sequence[str] = ()) -> tuple[str, ...]:
        memory = () if limits.memory is None else ("--memory", "{memory}")
        return (
            *("{python}", "-m", "sorrel", command, "--engine", self.engine),
            *("--timeout", "{timeout}", *memory, "--json", *of_programs, *self.options, "{file}"),
        )

    def fill(self, part: str, values: Mapping[str, str]) -> str:
        def value(match: re.Match[str]) -> str:
            return find_z3() if match[1] == "z3" else values[match[1]]

        return PLACEHOLDER.sub(value, part)

    def enforced(self, limits: Limits) -> Limits:
        """What the runner enforces from outside."""
        return limits.with_margin(OWN_SECONDS, OWN_MEMORY) if self.own else limits

    def too_late(self, wall: float, limits: Limits) -> bool:
        return wall > limits.wall + (OWN_TOLERANCE if self.own else 0.0)

    def version(self) -> str:
        """What the tool says of itself; ours is the release and a digest of the sources that run."""
        if self.own:
            return f"{metadata.version('sorrel')}, sources {sources_digest()}"
        if not self.version_command:
            return ""
        values = dict.fromkeys(("file", "timeout", "memory", "property"), "") | {"python": sys.executable}
        command = [self.fill(part, values) for part in self.version_command]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=20,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(
                f"the tool {self.name} does not tell its version ({error}): is it installed? "
                "Its `version` command is in the configuration file."
            ) from error
        lines = [line.strip() for line in (done.stdout or done.stderr).splitlines() if line.strip()]
        return lines[0] if lines else ""

    def definition(self, version: str) -> str:
        """A digest of everything that decides what a run of this tool does, but the file and the limits."""
        data = json.dumps([asdict(self), version], sort_keys=True)
        return hashlib.sha256(data.encode()).hexdigest()[:16]

    def demand_program(self, limits: Limits) -> None:
        """Find out before the first run, not after it, that a program is missing."""
        program = self.call(Path("task"), limits)[0]
        if shutil.which(program) is None:
            raise UsageError(
                f"the program {program} of the tool {self.name} is not there: install it, put it on PATH, "
                "or correct its `command` in the configuration file"
            )


def of_c(wanted: str) -> tuple[str, ...]:
    """A counterexample has to be seen in the compiled program too, also one of several runs."""
    if wanted in LAWS:
        return ("--replay", "--spec", "{property}")
    return ("--replay", *(("--property", "{property}") if wanted else ()))


def of_java(wanted: str) -> tuple[str, ...]:
    """Java programs are asked about laws only, whose runs the interpreter repeats: nothing is compiled."""
    return ("--spec", "{property}" if wanted else "comparator")


def task_file(program: Path) -> Path:
    """The task that stands beside a program and says its data model, if there is one."""
    task = program.with_suffix(".yml")
    return task if task.is_file() else program


@cache
def find_z3() -> str:
    """The z3 program that the package z3-solver installs beside Python, else the one on PATH."""
    beside = Path(sys.executable).with_name("z3")
    found = str(beside) if beside.is_file() else shutil.which("z3")
    if found is None:
        raise UsageError("there is no z3 program beside Python or on PATH: pip install z3-solver brings one")
    return found


@cache
def sources_digest() -> str:
    """A digest of the package without this room, so that results of changed engines are not taken for new."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        relative = file.relative_to(package)
        if relative.parts[0] != "bench":
            digest.update(f"{relative}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:8]


def read_tools(file: Path) -> dict[str, Tool]:
    """The [tool.NAME] tables of a configuration file."""
    tables = read_tables(file, "tool")
    return {name: read_tool(file, name, table) for name, table in tables.items()}


def read_tables(file: Path, kind: str) -> dict[str, dict[str, Any]]:
    """All [kind.NAME] tables."""
    # Importing here keeps `--help` of the command line quick.
    import tomllib

    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"the configuration file {file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not a TOML file: {error}", Span(str(file))) from error
    tables = data.get(kind, {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise InputError(f"`{kind}` is not a table of tables", Span(str(file)), hint=f"Write [{kind}.NAME].")
    return tables


def read_tool(file: Path, name: str, table: Mapping[str, Any]) -> Tool:
    kind = take(file, name, table, "kind", str, "command")
    patterns = {key: take(file, name, table, key, str, default) for key, default in asdict(Patterns()).items()}
    command_keys = {"command", "version", "invert_in_rule_dialect", *patterns}
    allowed = {"kind"} | {"command": command_keys, "sorrel": {"engine", "options"}}.get(kind, set())
    strange = sorted(set(table) - allowed)
    if kind not in ("command", "sorrel"):
        raise complaint(file, name, f"the kind {kind} is not known", 'It is "command" or "sorrel".')
    if strange:
        raise complaint(file, name, f"{', '.join(strange)} is not known", f"Known: {', '.join(sorted(allowed))}.")
    if NAME.fullmatch(name) is None:
        raise complaint(file, name, "the name is not simple", "Use letters, digits, and any of _ . + -")
    if kind == "sorrel":
        return Tool(
            name,
            take(file, name, table, "engine", str, name),
            options=take_list(file, name, table, "options"),
        )
    check_patterns(file, name, patterns)
    command = take_list(file, name, table, "command")
    if not any("{file}" in part for part in command):
        raise complaint(file, name, "the command has no {file}", 'For example: command = ["solver", "{file}"].')
    return Tool(
        name,
        command=command,
        version_command=take_list(file, name, table, "version"),
        patterns=Patterns(**patterns),
        invert_in_rule_dialect=take(file, name, table, "invert_in_rule_dialect", bool, False),
    )


def check_patterns(file: Path, name: str, patterns: Mapping[str, str]) -> None:
    if not (patterns["safe"] or patterns["unsafe"]):
        raise complaint(file, name, "no pattern matches its answers", "Give `safe` and `unsafe`, regular expressions.")
    for key, pattern in patterns.items():
        try:
            re.compile(pattern)
        except re.error as error:
            raise complaint(file, name, f"`{key}` is not a regular expression: {error}", "") from error


def take(file: Path, name: str, table: Mapping[str, Any], key: str, kind: type[Kind], default: Kind) -> Kind:
    value = table.get(key, default)
    if not isinstance(value, kind):
        raise complaint(file, name, f"`{key}` has the wrong type", f"It is of type {kind.__name__}.")
    return value


def take_list(file: Path, name: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = take(file, name, table, key, list, [])
    if not all(isinstance(item, str) for item in value):
        raise complaint(file, name, f"`{key}` has the wrong type", "It is a list of strings.")
    return tuple(value)


def complaint(file: Path, name: str, message: str, hint: str) -> InputError:
    return InputError(f"[tool.{name}]: {message}", Span(str(file)), hint=hint)


def builtin_tools() -> dict[str, Tool]:
    return read_tools(Path(__file__).with_name("tools.toml"))


def choose_tools(names: Sequence[str], configured: Mapping[str, Tool]) -> list[Tool]:
    """Tools by name; a name that is not configured is an engine of ours."""
    if not names:
        raise UsageError("no tool is chosen: for example --tools z3,spacer")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(f"the tool {', '.join(repeated)} is chosen twice")
    for name in names:
        if NAME.fullmatch(name) is None:
            raise UsageError(f"{name!r} is not the name of a tool; configured are {', '.join(configured)}")
    return [configured.get(name) or Tool(name, engine=name) for name in names]
