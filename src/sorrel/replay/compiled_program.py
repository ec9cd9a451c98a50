"""A program compiled once, to be run several times on given values: what each run let be seen.

Each source is part of a unit that ends with a function of ours, which tells the global variables of the source, so that
names and types are the program's own. They are told when the program ends by itself or calls an error function.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from sorrel.model.outcome import ChosenValue
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.program.visible import VisibleVariable
from sorrel.replay import coverage
from sorrel.replay.allocations import WRAPPING, allocate, noticing
from sorrel.replay.compiler import DIFFERENTLY, compiler, compiling, texts
from sorrel.replay.harness import DIVERGED, harness_text, with_a_mark_of_its_own
from sorrel.replay.observers import OBSERVED_FUNCTIONS

COMPILE_SECONDS, RUN_SECONDS = 60.0, 10.0
_GLOBALS = "sorrel-globals"
_UNSEEN = tuple(f"{name}{array}" for name in OBSERVED_FUNCTIONS for array in ("", "_array"))
"""What several runs are compared by means nothing in one."""


class NotCompiled(Exception):
    """The program is not for this compiler, and why."""


@dataclass(frozen=True, slots=True)
class CompiledRun:
    """`status` as a shell tells it; `said` is what the harness said if it ended the run; `values` by position among
    the globals that were asked for; `lines` by file."""

    status: int
    said: str
    output: bytes
    errors: bytes
    values: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    lines: Mapping[str, Mapping[int, coverage.LineCount]] = field(default_factory=dict)


class CompiledProgram:
    def __init__(self, task: Task, visible: Sequence[VisibleVariable], folder: Path) -> None:
        self._task = task
        self._folder = folder
        absolute = replace(task, include=tuple(str(Path(each).absolute()) for each in task.include))
        self._words = compiling(absolute, "")
        self._gcov = coverage.tool(compiler())
        self._flags = (coverage.FLAG,) if self._gcov else ()
        self._allocates = allocate(texts(task))
        self.units: list[str] = []
        for number, source in enumerate(task.sources):
            path = folder / f"source{number}.c" if source.text is not None else Path(source.path).absolute()
            if source.text is not None:
                path.write_text(source.text, encoding="utf-8")
            own = {at: each for at, each in enumerate(visible) if each.file == source.name}
            if source.options:
                raise NotCompiled(DIFFERENTLY)
            self._add_unit(number, path, own)

    def _add_unit(self, number: int, source: Path, visible: Mapping[int, VisibleVariable]) -> None:
        """With what it tells; without, if the compiler does not know a name at the end of the file."""
        unit = f"unit{number}"
        for told in ("".join(_telling(number, visible)), f"void sorrel_tell_{number}(void) {{}}\n"):
            text = f'#include "{source}"\n{told}'
            (self._folder / f"{unit}.c").write_text(text, encoding="utf-8")
            words = [*self._words, *self._flags, f"-I{Path.cwd()}", "-c", f"{unit}.c", "-o", f"{unit}.o"]
            problem = self._made(words)
            if not problem:
                self.units.append(unit)
                return
        raise NotCompiled(problem)

    def _made(self, words: Sequence[str]) -> str:
        """What the compiler complains about; empty if nothing."""
        try:
            done = subprocess.run(
                words, cwd=self._folder, capture_output=True, text=True, errors="replace", timeout=COMPILE_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            return f"{shlex.join(words)}: {problem}"
        if done.returncode == 0:
            return ""
        return next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:300]) or "?"

    def run(self, choices: Sequence[ChosenValue], texts: Sequence[str]) -> CompiledRun | None:
        """The run on these values; None if it does not end in time."""
        observers = _OBSERVERS.format(
            declarations="".join(f"void sorrel_tell_{number}(void);\n" for number in range(len(self.units))),
            calls="".join(f"  sorrel_tell_{number}();\n" for number in range(len(self.units))),
            file=_GLOBALS,
            dump=f"void sorrel_dump(void) LABEL({coverage.DUMP});" if self._gcov else "#define sorrel_dump()",
            unseen="".join(f"void un{name}(void) LABEL({name}) WEAK;\nvoid un{name}(void) {{}}\n" for name in _UNSEEN),
            allocating=noticing(DIVERGED) if self._allocates else "",
        )
        heading = "/* Runs a program on given values, to be compared with a run of the interpreter. */"
        text, mark = with_a_mark_of_its_own(harness_text(heading, choices, texts, observers=observers))
        (self._folder / "harness.c").write_text(text, encoding="utf-8")
        units = [f"{unit}.o" for unit in self.units]
        flags = WRAPPING if self._allocates else ()
        problem = self._made([*self._words, *self._flags, "harness.c", *units, "-o", "program", "-lm", *flags])
        if problem:
            raise NotCompiled(problem)
        coverage.forget(self._folder)
        (self._folder / _GLOBALS).unlink(missing_ok=True)
        try:
            done = subprocess.run(
                [str(self._folder / "program")],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=RUN_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        said = [line for line in done.stderr.decode(errors="replace").split("\n") if line.startswith(mark)]
        return CompiledRun(
            status,
            said[-1].removeprefix(mark).strip() if said else "",
            done.stdout,
            done.stderr,
            self._values(),
            self._lines(),
        )

    def _values(self) -> dict[int, tuple[int, ...]]:
        path = self._folder / _GLOBALS
        found: dict[int, tuple[int, ...]] = {}
        for line in path.read_text().splitlines() if path.exists() else ():
            position, *values = map(int, line.split())
            found[position] = tuple(values)
        return found

    def _lines(self) -> dict[str, dict[int, coverage.LineCount]]:
        """By the name that the task has for the file."""
        found: dict[str, dict[int, coverage.LineCount]] = {}
        if not self._gcov:
            return found
        for number, (unit, source) in enumerate(zip(self.units, self._task.sources, strict=True)):
            path = self._folder / f"source{number}.c" if source.text is not None else Path(source.path).absolute()
            for file, lines in coverage.counts(self._gcov, self._folder, unit).items():
                if (self._folder / file).resolve() == path.resolve():
                    found.setdefault(source.name, {}).update(lines)
        return found


def _telling(number: int, visible: Mapping[int, VisibleVariable]) -> Iterator[str]:
    """A function that tells the variables, a line for each."""
    for each in visible.values():
        yield f"#undef {each.parts[0]}\n"
    yield "void sorrel_tell_begin(int), sorrel_tell_number(long long), sorrel_tell_end(void);\n"
    yield f"__attribute__((no_instrument_function)) void sorrel_tell_{number}(void) {{\n"
    yield "  unsigned long sorrel_i[16];\n"
    for position, each in visible.items():
        expression, level = "", 0
        yield f"  sorrel_tell_begin({position});\n  "
        for part in each.parts:
            if isinstance(part, int):
                index = f"sorrel_i[{level}]"
                yield f"for ({index} = 0; {index} < {part}; {index}++) "
                expression, level = f"{expression}[{index}]", level + 1
            else:
                expression += part
        yield f"sorrel_tell_number((long long)({expression}));\n  sorrel_tell_end();\n"
    yield "}\n"


_OBSERVERS = """
static FILE *sorrel_globals;
{declarations}
QUIET void sorrel_tell_begin(int position) {{ fprintf(sorrel_globals, "%d", position); }}
QUIET void sorrel_tell_number(long long value) {{ fprintf(sorrel_globals, " %lld", value); }}
QUIET void sorrel_tell_end(void) {{ fputc('\\n', sorrel_globals); }}
QUIET static void sorrel_tell(void) {{
  if (sorrel_globals || !(sorrel_globals = fopen("{file}", "w")))
    return;
{calls}  fclose(sorrel_globals);
}}
{dump}
{allocating}
QUIET static void sorrel_tell_and_dump(void) {{
  sorrel_tell();
  sorrel_dump();
}}
{unseen}
QUIET __attribute__((constructor)) static void sorrel_begin(void) {{
  atexit(sorrel_tell);
  sorrel_before_end = sorrel_tell_and_dump;
}}
"""
