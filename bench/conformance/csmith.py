"""Programs that Csmith generates: each ends with a checksum, which interpreter and compilers must agree about.

The programs have no undefined behaviour, so that a run of the interpreter that meets some is as wrong as another
checksum is. What differs is saved, and made small.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.conformance.behaviour import Behaviour, Ending, compiled, interpreted, interpreted_apart
from bench.fuzz.reduce import reduced

OPTIONS = ("--no-argc", "--no-unions", "--no-packed-struct")
"""All else is as Csmith has it: pointers to pointers, bit-fields, volatile and constant variables, jumps, arrays."""
COMPILERS = ("gcc", "clang")
GENERATE_SECONDS, RUN_SECONDS, COMPILED_SECONDS, REDUCE_SECONDS = 60.0, 180.0, 10.0, 1800.0
RUNTIME = Path(__file__).parent / "runtime"
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Plan:
    seeds: Sequence[int]
    runtime: str
    keep: Path
    reduce: bool
    jobs: int
    record: Path | None = None
    """A file of results: seeds that it knows are not tried again."""

    @property
    def include(self) -> tuple[str, ...]:
        return (self.runtime or str(RUNTIME),)


@dataclass(frozen=True, slots=True)
class Result:
    seed: int
    ours: Behaviour
    theirs: tuple[Behaviour, ...]

    @property
    def is_comparable(self) -> bool:
        """Whether the compilers' programs end and agree with each other."""
        ended = all(each.ending is Ending.ENDED for each in self.theirs)
        return bool(self.theirs) and ended and len(set(self.theirs)) == 1

    @property
    def agrees(self) -> bool:
        return self.is_comparable and self.ours == self.theirs[0]

    @property
    def differs(self) -> bool:
        met = self.ours.ending in (Ending.ENDED, Ending.WRONG, Ending.CRASHED)
        return self.is_comparable and met and not self.agrees

    def __str__(self) -> str:
        if self.differs:
            return f"seed {self.seed}: DIFFERS: {self.ours} {self.ours.output.strip()!r}, compiled {self.theirs[0]}"
        if not self.is_comparable:
            return f"seed {self.seed}: compiled programs: {'; '.join(map(str, self.theirs))}"
        return f"seed {self.seed}: {'agrees' if self.agrees else self.ours}"


def seeds(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def generated(seed: int, folder: Path) -> Path:
    path = folder / f"csmith-{seed}.c"
    words = ["csmith", "--seed", str(seed), *OPTIONS, "--output", str(path)]
    subprocess.run(words, check=True, timeout=GENERATE_SECONDS, capture_output=True, cwd=folder)
    return path


def compilers() -> tuple[str, ...]:
    return tuple(name for name in COMPILERS if shutil.which(name))


def tried(seed: int, plan: Plan) -> Result:
    with tempfile.TemporaryDirectory(prefix="sorrel-csmith-") as folder:
        path = generated(seed, Path(folder))
        theirs = tuple(compiled(path, each, plan.include, COMPILED_SECONDS) for each in compilers())
        result = Result(seed, interpreted_apart(path, plan.include, RUN_SECONDS), theirs)
        if result.differs:
            plan.keep.mkdir(parents=True, exist_ok=True)
            saved = Path(shutil.copy(path, plan.keep))
            if plan.reduce:
                reduce(saved, plan)
        return result


def report(results: Sequence[Result], skipped: Sequence[str]) -> Iterator[str]:
    compared = [result for result in results if result.is_comparable]
    yield f"seeds                 {len(results)}, options {' '.join(OPTIONS)}, against {' and '.join(compilers())}"
    yield f"not comparable        {len(results) - len(compared)}   the compiled programs do not end, or differ"
    yield f"read                  {sum(result.ours.was_read for result in results)}"
    yield f"agree                 {sum(result.agrees for result in results)}"
    unfinished = sum(result.ours.ending is Ending.UNFINISHED for result in results)
    yield f"not within the limit  {unfinished}   {RUN_SECONDS:g} s to read and run"
    yield f"differ                {sum(result.differs for result in results)}"
    reasons = Counter(_class(result.ours.reason) for result in results if result.ours.ending is Ending.REFUSED)
    yield from (f"refused               {count}   {reason}" for reason, count in reasons.most_common())
    yield from (f"skipped: {each}" for each in skipped)


def _class(reason: str) -> str:
    """The reason without its place."""
    return reason.split(": ", 1)[-1][:100]


def main(plan: Plan) -> int:
    if shutil.which("csmith") is None or not compilers():
        print("skipped: there is no csmith, or no compiler")
        return 0
    skipped = [f"{name} is not there" for name in COMPILERS if name not in compilers()]
    known = dict(recorded(plan.record)) if plan.record else {}
    results = [known[seed] for seed in plan.seeds if seed in known]
    with ThreadPoolExecutor(plan.jobs) as pool:
        for result in pool.map(lambda seed: tried(seed, plan), [seed for seed in plan.seeds if seed not in known]):
            results.append(result)
            print(result, flush=True)
            if plan.record:
                with plan.record.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(result)) + "\n")
    print("\n".join(report(results, skipped)))
    return int(any(result.differs for result in results))


def recorded(record: Path) -> Iterator[tuple[int, Result]]:
    """What earlier calls found."""
    for line in record.read_text(encoding="utf-8").splitlines() if record.exists() else ():
        told = json.loads(line)
        yield told["seed"], Result(told["seed"], _behaviour(told["ours"]), tuple(map(_behaviour, told["theirs"])))


def _behaviour(told: Mapping[str, Any]) -> Behaviour:
    return Behaviour(**{**told, "ending": Ending(told["ending"])})


# Making what differs small


def differs(path: Path, include: Sequence[str]) -> bool:
    """Whether interpreter and compilers disagree about a program that has a meaning, as far as sanitizers can tell."""
    flags = (
        "-fsanitize=undefined,address",
        "-fno-sanitize-recover=all",
        "-Werror=uninitialized",
        "-Werror=return-type",
    )
    checked = compiled(path, "gcc", include, COMPILED_SECONDS, flags=(*flags, "-Wall"))
    if checked.ending is not Ending.ENDED or checked.status != 0:
        return False
    theirs = tuple(compiled(path, each, include, COMPILED_SECONDS) for each in compilers())
    return Result(0, interpreted(path, include), theirs).differs


def reduce(path: Path, plan: Plan) -> None:
    """In place, by creduce or else line by line; the original stays beside it."""
    shutil.copy(path, path.with_suffix(".original.c"))
    if shutil.which("creduce") is None:
        path.write_text("\n".join(_fewer_lines(path, plan.include)) + "\n", encoding="utf-8")
        return
    words = f'cd "{_ROOT}" && {sys.executable} -m bench.conformance differs "$folder/{path.name}"'
    test = path.with_name(f"test-{path.stem}.sh")
    inner = " ".join(f"-I{folder}" for folder in plan.include)
    test.write_text(f"#!/bin/sh\nfolder=$(pwd)\n{words} {inner} >/dev/null 2>&1\n", encoding="utf-8")
    test.chmod(0o755)
    subprocess.run(
        ["creduce", "--n", "1", str(test.resolve()), path.name], cwd=path.parent, timeout=REDUCE_SECONDS, check=False
    )


def _fewer_lines(path: Path, include: Sequence[str]) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="sorrel-csmith-") as folder:
        candidate = Path(folder) / path.name

        def fails(lines: Sequence[str]) -> bool:
            candidate.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return differs(candidate, include)

        return reduced(path.read_text(encoding="utf-8").splitlines(), fails, REDUCE_SECONDS)
