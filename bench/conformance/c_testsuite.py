"""Programs with expected outputs: read, run, and verified to end with status 0."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.conformance.behaviour import Behaviour, Ending, compiled, interpreted_apart, read_program
from bench.conformance.returning import returning_zero
from sorrel.program.text import write

VERIFY_SECONDS, RUN_SECONDS = 10.0, 60.0


@dataclass(frozen=True, slots=True)
class Result:
    """One program: what the interpreter does, what the compiler's program does, what is expected, the verdict."""

    name: str
    ours: Behaviour
    theirs: Behaviour
    expected: str
    verdict: str

    @property
    def is_equal(self) -> bool:
        same = (self.ours.status, self.ours.output) == (self.theirs.status, self.theirs.output)
        return self.ours.ending is Ending.ENDED and same and self.ours.output == self.expected

    @property
    def is_proved(self) -> bool:
        return self.verdict == "safe"

    @property
    def is_wrong(self) -> bool:
        """Another behaviour than the compiled program has, a crash, or a verdict that the compiled program refutes."""
        differs = self.ours.ending is Ending.ENDED and not self.is_equal
        verdict = {"safe": self.theirs.status != 0, "unsafe": self.theirs.status == 0}.get(self.verdict, False)
        return differs or verdict or self.ours.ending in (Ending.CRASHED, Ending.WRONG)

    def __str__(self) -> str:
        return f"{self.name}: {'WRONG, ' if self.is_wrong else ''}{self.ours}; verified: {self.verdict}"


def programs(folder: Path) -> list[Path]:
    return sorted(each for each in folder.glob("*.c") if _expected(each).exists())


def _expected(program: Path) -> Path:
    return program.with_name(program.name + ".expected")


def tried(program: Path, seconds: float = VERIFY_SECONDS) -> Result:
    expected = _expected(program).read_bytes().decode("latin-1")
    ours = interpreted_apart(program, seconds=RUN_SECONDS)
    compiler = shutil.which("gcc") or "cc"
    theirs = compiled(program, compiler)
    verdict = verified(program, seconds) if ours.was_read else "not read"
    return Result(program.name, ours, theirs, expected, verdict)


def verified(program: Path, seconds: float = VERIFY_SECONDS) -> str:
    """What `sorrel verify` says of the program with the property as assertions."""
    try:
        asked = write(returning_zero(read_program(program)))
    except Exception as problem:  # whatever goes wrong is the answer here
        return f"crashed: {problem!r:.200}"
    with tempfile.TemporaryDirectory(prefix="sorrel-conformance-") as folder:
        file = Path(folder) / f"{program.stem}.sorrel"
        file.write_text(asked, encoding="utf-8")
        words = [sys.executable, "-m", "sorrel", "verify", str(file), "--timeout", f"{seconds:g}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds * 6, check=False)
    return done.stdout.splitlines()[0].strip() if done.stdout.strip() else f"exit code {done.returncode}"


def report(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        if not (result.is_equal and result.is_proved):
            yield str(result)
    count = len(results)
    yield f"programs        {count}"
    yield f"read            {sum(result.ours.was_read for result in results)}"
    yield f"equal           {sum(result.is_equal for result in results)}   status and output, to gcc's and as expected"
    yield f"proved          {sum(result.is_proved for result in results)}   to end with status 0"
    yield f"equal, proved   {sum(result.is_equal and result.is_proved for result in results)}"
    yield f"not comparable  {sum(result.ours.ending is Ending.OPEN for result in results)}"
    yield f"wrong           {sum(result.is_wrong for result in results)}"


def main(folder: Path, jobs: int, seconds: float) -> int:
    found = programs(folder)
    if not found:
        print(f"skipped: there are no programs with expected outputs in {folder}")
        return 0
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(partial(tried, seconds=seconds), found))
    print("\n".join(report(results)))
    return int(any(result.is_wrong for result in results))
