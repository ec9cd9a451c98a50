"""Where results come from: machine, versions, commit, limits; kept in run.json beside them."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sorrel.bench.process import Limits
from sorrel.bench.record import Record
from sorrel.bench.tool import Tool
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass

FILE = "run.json"


@dataclass(frozen=True, slots=True)
class Machine:
    processor: str
    cores: int
    memory_mb: int
    system: str
    python: str


@dataclass(frozen=True, slots=True)
class Session:
    """One call of the runner; a benchmark that was resumed has several."""

    started: str
    machine: Machine
    commit: str
    jobs: int


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool as it was run."""

    digest: str
    version: str
    call: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """The definitions say which records are of the tools as they are now, the limits which are comparable."""

    limits: Limits
    tools: dict[str, Definition]
    sessions: tuple[Session, ...]

    def after(self, earlier: Provenance | None) -> Provenance:
        """Go on from an earlier run in the same folder, when the two can be compared."""
        if earlier is None or earlier.limits != self.limits:
            return self
        return replace(self, tools=earlier.tools | self.tools, sessions=earlier.sessions + self.sessions)

    def current(self, records: Iterable[Record]) -> list[Record]:
        """The newest record of each tool and task, without those of older definitions or other limits."""
        newest: dict[tuple[str, str, str], Record] = {}
        for record in records:
            definition = self.tools.get(record.tool)
            if definition and record.definition == definition.digest and record.limits == str(self.limits):
                newest[record.key] = record
        return list(newest.values())

    def write(self, folder: Path) -> None:
        unfinished = folder / (FILE + ".new")
        data = asdict(self) | {"limits": str(self.limits)}
        unfinished.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        unfinished.replace(folder / FILE)

    @staticmethod
    def read(folder: Path) -> Provenance | None:
        path = folder / FILE
        if not path.exists():
            return None
        try:
            return Provenance.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            hint = "Remove it: the results stay, only the machine and the versions are lost."
            raise InputError(f"not a description of a run: {error!r}", Span(str(path)), hint=hint) from error

    @staticmethod
    def from_json(data: dict[str, Any]) -> Provenance:
        return Provenance(
            Limits.parse(data["limits"]),
            {name: Definition(**fields) for name, fields in data["tools"].items()},
            tuple(Session(**{**item, "machine": Machine(**item["machine"])}) for item in data["sessions"]),
        )

    @staticmethod
    def guess(records: Sequence[Record]) -> Provenance:
        """From the records alone: the limits of the last one, and each tool's last definition under them."""
        limits = records[-1].limits if records else str(Limits())
        digests = {record.tool: record.definition for record in records if record.limits == limits}
        tools = {name: Definition(digest, "", "") for name, digest in digests.items()}
        return Provenance(Limits.parse(limits), tools, ())


def describe(tools: Sequence[Tool], limits: Limits, jobs: int) -> Provenance:
    """This machine, now."""
    definitions = {}
    for tool in tools:
        version = tool.version()
        definitions[tool.name] = Definition(tool.definition(version), version, " ".join(tool.template(limits)))
    started = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Provenance(limits, definitions, (Session(started, this_machine(), commit(), jobs),))


def this_machine() -> Machine:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // (1024 * 1024)
    return Machine(processor(), os.cpu_count() or 0, memory, platform.platform(), platform.python_version())


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def commit() -> str:
    """The commit of the checkout that this package runs from, and whether it is changed; empty elsewhere."""
    folder = Path(__file__).parent
    # A package installed somewhere inside another project's checkout is not of that commit.
    if git(folder, "ls-files", "--error-unmatch", "../__init__.py") is None:
        return ""
    revision = git(folder, "rev-parse", "HEAD")
    changes = git(folder, "status", "--porcelain")
    return f"{revision}{' with local changes' if changes else ''}" if revision else ""


def git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
