"""Projects in C that are made up: many functions in many files that call each other, with bounds that they assert.

    python -m bench.project generate FOLDER [--functions 1000] [--files 60] [--seed 0]
    python -m bench.project measure FOLDER [--jobs 2]
    python -m bench.project library FOLDER --sources PATTERN ... [--include FOLDER ...] [--property NAME ...]

The shapes are those of small libraries: bounds, distances, sums in loops, recursion, counters in globals, tables. A
function promises a range for its result; callers assert ranges that follow from those of what they call.

`library` measures the sources of somebody else in the same way, as they are found, in a copy of their folder.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sorrel.bench.process import as_installed


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one number, and the range of its result."""

    name: str
    low: int
    high: int
    text: str


def clamp(name: str, chance: random.Random, _: Sequence[Function]) -> Function:
    low = chance.randint(-50, 0)
    high = low + chance.randint(1, 100)
    body = f"if (x < {low}) return {low};\n  if (x > {high}) return {high};\n  return x;"
    return Function(name, low, high, f"int {name}(int x) {{\n  {body}\n}}\n")


def distance(name: str, chance: random.Random, _: Sequence[Function]) -> Function:
    middle, most = chance.randint(-9, 9), chance.randint(10, 90)
    body = (
        f"int d = x > {middle} ? {most} : {most // 2};\n  if (x == {middle}) d = 0;\n"
        f"  assert(d >= 0 && d <= {most});\n  return d;"
    )
    return Function(name, 0, most, f"int {name}(int x) {{\n  {body}\n}}\n")


def counted(name: str, chance: random.Random, _: Sequence[Function]) -> Function:
    most, step = chance.randint(3, 20), chance.randint(1, 3)
    body = (
        f"int n = x;\n  if (n < 0) n = 0;\n  if (n > {most}) n = {most};\n  int sum = 0;\n"
        f"  for (int i = 0; i < n; i++) sum += {step};\n  assert(sum >= 0);\n"
        f"  if (sum > {most * step}) sum = {most * step};\n  return sum;"
    )
    return Function(name, 0, most * step, f"int {name}(int x) {{\n  {body}\n}}\n")


def recursive(name: str, chance: random.Random, _: Sequence[Function]) -> Function:
    most = chance.randint(5, 40)
    body = (
        f"if (x <= 0) return 0;\n  int below = {name}(x - 1);\n"
        f"  assert(below >= 0 && below <= {most});\n  return below < {most} ? below + 1 : below;"
    )
    return Function(name, 0, most, f"int {name}(int x) {{\n  {body}\n}}\n")


def mutual(name: str, chance: random.Random, _: Sequence[Function]) -> Function:
    other = f"{name}_odd"
    text = (
        f"static int {other}(int x);\nint {name}(int x) {{\n  if (x <= 0) return 1;\n  return {other}(x - 1);\n}}\n"
        f"static int {other}(int x) {{\n  if (x <= 0) return 0;\n  return {name}(x - 1);\n}}\n"
    )
    return Function(name, 0, 1, text)


def stateful(name: str, chance: random.Random, _: Sequence[Function]) -> Function:
    most = chance.randint(5, 60)
    body = (
        f"if (x > 0 && {name}_state < {most}) {name}_state++;\n  if ({name}_state < 0) {name}_state = 0;\n"
        f"  if ({name}_state > {most}) {name}_state = {most};\n  return {name}_state;"
    )
    return Function(name, 0, most, f"static int {name}_state;\nint {name}(int x) {{\n  {body}\n}}\n")


def table(name: str, chance: random.Random, _: Sequence[Function]) -> Function:
    values = [chance.randint(0, 99) for _ in range(chance.randint(3, 8))]
    cases = "\n".join(f"    case {i}: return {value};" for i, value in enumerate(values))
    return Function(
        name, 0, max(values), f"int {name}(int x) {{\n  switch (x) {{\n{cases}\n    default: return 0;\n  }}\n}}\n"
    )


def combined(name: str, chance: random.Random, below: Sequence[Function]) -> Function:
    chosen = chance.sample(below, min(len(below), chance.randint(1, 3)))
    lines, terms = [], []
    for number, callee in enumerate(chosen):
        lines.append(f"int v{number} = {callee.name}(x + {chance.randint(0, 5)});")
        lines.append(f"assert(v{number} >= {callee.low} && v{number} <= {callee.high});")
        terms.append(f"v{number}")
    low, high = sum(each.low for each in chosen), sum(each.high for each in chosen)
    lines.append(f"int r = {' + '.join(terms)};")
    if high - low > 400:
        lines.append(f"if (r > {low + 400}) r = {low + 400};")
        high = low + 400
    lines.append(f"assert(r >= {low} && r <= {high});")
    lines.append("return r;")
    body = "\n  ".join(lines)
    return Function(name, low, high, f"int {name}(int x) {{\n  {body}\n}}\n")


Make = Callable[[str, random.Random, Sequence[Function]], Function]
LEAVES: tuple[Make, ...] = (clamp, clamp, distance, counted, recursive, mutual, stateful, table, table)


def generate(folder: Path, functions: int, files: int, seed: int) -> None:
    """The project, with its settings; `functions` without the helpers of mutual recursion and main."""
    chance = random.Random(seed)
    (folder / "src").mkdir(parents=True, exist_ok=True)
    below: list[Function] = []
    per_file = [functions // files + (number < functions % files) for number in range(files)]
    for number, count in enumerate(per_file):
        own: list[Function] = []
        for index in range(count):
            make = combined if below and chance.random() < 0.5 else chance.choice(LEAVES)
            own.append(make(f"m{number:02}_f{index:02}", chance, below[-120:]))
        _write_module(folder, number, own, below)
        below += own
    _write_main(folder, below, chance)
    settings = 'sources = ["src/**/*.c"]\nproperties = ["assertions"]\n\n[limits]\nseconds = 10\n'
    (folder / "sorrel.toml").write_text(settings)


def _write_module(folder: Path, number: int, own: Sequence[Function], below: Sequence[Function]) -> None:
    used = {name for each in own for name in re.findall(r"\bm\d+_f\d+\b", each.text)}
    declared = [f"int {each.name}(int x);" for each in below if each.name in used]
    text = "\n".join(["#include <assert.h>", *declared, "", *(each.text for each in own)])
    (folder / "src" / f"module{number:02}.c").write_text(text)


def _write_main(folder: Path, functions: Sequence[Function], chance: random.Random) -> None:
    """All functions that nobody else calls are called here, so that all are part of the program."""
    called = {name for file in (folder / "src").glob("module*.c") for name in _calls(file.read_text())}
    roots = [each for each in functions if each.name not in called]
    lines = ["#include <assert.h>", "extern int __VERIFIER_nondet_int(void);"]
    lines += [f"int {each.name}(int x);" for each in roots]
    groups = [roots[i : i + 10] for i in range(0, len(roots), 10)]
    for number, group in enumerate(groups):
        lines.append(f"static void part{number}(int x) {{")
        for each in group:
            lines.append(f"  {{ int r = {each.name}(x); assert(r >= {each.low} && r <= {each.high}); }}")
        lines.append("}")
    calls = "".join(f"  part{number}(__VERIFIER_nondet_int());\n" for number in range(len(groups)))
    (folder / "src" / "main.c").write_text("\n".join(lines) + f"\nint main(void) {{\n{calls}  return 0;\n}}\n")


def _calls(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.startswith("  "):
            yield from re.findall(r"\b(m\d+_f\d+)\(", line)


# Measuring


def measure(folder: Path, jobs: int) -> dict[str, Any]:
    """Cold prove, check, a comment, an edit of one body that keeps its contract; ratios to the cold run."""
    file = next(file for file in sorted((folder / "src").glob("module*.c")) if "int d = x >" in file.read_text())
    return _measured(folder, jobs, file, lambda text: text.replace("int d = x >", "int d = x >=", 1))


def library(
    folder: Path, jobs: int, patterns: Sequence[str], include: Sequence[str], properties: Sequence[str], seconds: float
) -> dict[str, Any]:
    """The same for other people's sources; the edit is a variable that nobody reads, in the first function."""
    with TemporaryDirectory() as place:
        copy = Path(place) / folder.name
        shutil.copytree(folder, copy)
        settings = {"sources": list(patterns), "include": list(include), "properties": list(properties)}
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        (copy / "sorrel.toml").write_text("\n".join([*lines, "", "[limits]", f"seconds = {seconds}", ""]))
        files = sorted(file for pattern in patterns for file in copy.glob(pattern))
        edited = next(file for file in files if re.search(r"^\{", file.read_text(), re.MULTILINE))
        return _measured(
            copy, jobs, edited, lambda text: re.sub(r"(?m)^\{", "{ int unread_ = 1; (void)unread_;", text, count=1)
        )


def _measured(folder: Path, jobs: int, file: Path, edit: Callable[[str], str]) -> dict[str, Any]:
    lock = folder / "sorrel.lock"
    lock.unlink(missing_ok=True)
    shutil.rmtree(folder / "sorrel.lock.d", ignore_errors=True)
    cold = _sorrel(folder, "prove", "--jobs", str(jobs))
    checked = _sorrel(folder, "check", "--jobs", str(jobs))
    text = file.read_text()
    file.write_text("/* a comment\n   of two lines */\n" + text)
    commented = _sorrel(folder, "prove", "--jobs", str(jobs))
    file.write_text(edit(text))
    edited = _sorrel(folder, "prove", "--jobs", str(jobs))
    file.write_text(text)
    found = {"cold": cold, "check": checked, "comment": commented, "edit": edited}
    for name, row in found.items():
        row["share of cold"] = round(row["seconds"] / cold["seconds"], 3)
        row["of its processor time"] = round(row["processor"] / cold["processor"], 3)
        print(f"{name:8} {json.dumps(row)}", flush=True)
    return found


def _sorrel(folder: Path, command: str, *options: str) -> dict[str, Any]:
    started, used = time.monotonic(), _processor()
    words = [sys.executable, "-m", "sorrel", command, str(folder), "--json", *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=as_installed())
    seconds = time.monotonic() - started
    if done.returncode not in (0, 3, 5, 10):
        raise SystemExit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stderr}")
    result = json.loads(done.stdout)
    verdicts = [each["verdict"] for each in result["functions"]]
    counts = {word: verdicts.count(word) for word in dict.fromkeys(verdicts)}
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    return {
        "seconds": round(seconds, 1),
        "processor": round(_processor() - used, 1),
        "answer": result["answer"],
        **counts,
        "looked for": result["proved_anew"],
        "largest process (MiB)": memory,
    }


def _processor() -> float:
    """Seconds that all processes together have taken that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("generate")
    made.add_argument("folder", type=Path)
    made.add_argument("--functions", type=int, default=1000)
    made.add_argument("--files", type=int, default=60)
    made.add_argument("--seed", type=int, default=0)
    measured = commands.add_parser("measure")
    measured.add_argument("folder", type=Path)
    measured.add_argument("--jobs", type=int, default=2)
    others = commands.add_parser("library")
    others.add_argument("folder", type=Path)
    others.add_argument("--sources", nargs="+", required=True, metavar="PATTERN")
    others.add_argument("--include", nargs="*", default=[], metavar="FOLDER")
    others.add_argument("--property", nargs="*", default=["assertions", "no-division-by-zero"], metavar="NAME")
    others.add_argument("--seconds", type=float, default=5.0, help="the limit for an attempt at a component")
    others.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.command == "generate":
        generate(given.folder, given.functions, given.files, given.seed)
    elif given.command == "measure":
        measure(given.folder, given.jobs)
    else:
        library(given.folder, given.jobs, given.sources, given.include, given.property, given.seconds)


if __name__ == "__main__":
    main()
