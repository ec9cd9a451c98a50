"""Files of every form that Sorrel reads, with some bytes changed: they are read, or refused with words.

A failure is any exception but the two that say what is wrong with the input. What is read is not judged here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.corruption import PROGRAM, cut, doubled, flipped, removed
from bench.fuzz import warm
from bench.fuzz.report import Report, Trial
from sorrel.cli.report import run_report
from sorrel.frontends import ocaml
from sorrel.methods.reading import read_program
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program.text import write
from sorrel.project import settings
from sorrel.project.discovery import settings_text
from sorrel.store import lockfile

LIMIT = 10.0
_ROOT = Path(__file__).parents[2]
_LONGEST = 20_000
_WORDS = rb"""( ) { } [ ] ; , * & -> . " ' / \ # @ ? : = < > ~ ! % ^ | + - 0 1 -1 99999999999999999999 0x 1e999 int char
    void struct union enum typedef static extern sizeof return if while switch case goto _Generic _Bool class new null
    this let rec match with fun type forall exists assert declare-fun Int true false {} []""".split()
_BYTES = [b"\xff", b"\x00", b"\xe2\x82", b"\n"]
_JAVA = """import java.util.Comparator;
class Pair {
  int first; long second; String name; boolean flag;
  static int f(Pair a, Pair b) {
    if (a.flag != b.flag) return a.flag ? 1 : -1;
    int order = Integer.compare(a.first, b.first);
    for (int i = 0; i < 2 && order == 0; i++) order = Long.compare(a.second >>> i, b.second >>> i);
    switch (order) { case 0: return a.name.compareTo(b.name); default: return order; }
  }
}
"""


@dataclass(frozen=True, slots=True)
class Form:
    """How files of a form are called, some of them, and what reads one."""

    name: str
    examples: Callable[[], list[bytes]]
    read: Callable[[Path], object]


def _files(folder: str, suffix: str) -> Callable[[], list[bytes]]:
    found = sorted((_ROOT / folder).rglob(f"*{suffix}"))
    return lambda: [file.read_bytes() for file in found if file.stat().st_size <= _LONGEST]


def _program(path: Path) -> object:
    return read_program(Task((Source(str(path)),)))


def _method(path: Path) -> object:
    return read_program(Task((Source(str(path)),), function="Pair.f"))


def _clauses() -> Source:
    return Source(str(_ROOT / "examples" / "mccarthy91.smt2"))


def _average() -> Task:
    return Task((Source(str(_ROOT / "examples" / "average.c")),))


def _certificate() -> list[bytes]:
    reply = warm.ask(lambda: pipeline.solve(_clauses(), Options("spacer", budget=Budget(LIMIT, 2000))), LIMIT)
    return [reply.outcome.certificate.encode()] if reply.outcome else []


def _outcome() -> list[bytes]:
    reply = warm.verify(_average(), LIMIT)
    return [reply.outcome.dumps().encode()] if reply.outcome else []


def _page(path: Path) -> object:
    return run_report(argparse.Namespace(outcome=str(path), output=str(path.with_suffix(".html"))))


def _store() -> list[bytes]:
    with TemporaryDirectory(prefix="sorrel-texts-") as folder:
        (Path(folder) / "a.c").write_text(PROGRAM.replace("LIMIT", "10"), encoding="utf-8")
        (Path(folder) / settings.NAME).write_text(settings_text(Path(folder)), encoding="utf-8")
        words = [sys.executable, "-m", "sorrel", "prove"]  # not here: a process that solved something cannot fork
        subprocess.run(words, cwd=folder, capture_output=True, timeout=300, check=False)
        return [(Path(folder) / lockfile.NAME).read_bytes()]


FORMS = (
    Form("program.c", _files("tests/corpus/c/safe", ".c"), _program),
    Form("program.ml", _files("bench/programs/ocaml", ".ml"), lambda path: ocaml.read((Source(str(path)),), "main")),
    Form("Pair.java", lambda: [_JAVA.encode()], _method),
    Form("clauses.smt2", _files("tests/corpus/safe", ".smt2"), lambda path: pipeline.read(Source(str(path)))),
    Form("program.sorrel", lambda: [write(read_program(_average())).encode()], _program),
    Form(
        "certificate.smt2",
        _certificate,
        lambda path: pipeline.check_certificate(
            _clauses(), Source(str(path)), Options("check", budget=Budget(LIMIT, 2000))
        ),
    ),
    Form("outcome.json", _outcome, _page),
    Form(lockfile.NAME, _store, lockfile.read),
    Form(settings.NAME, lambda: [settings_text(_ROOT / "examples").encode()], settings.load),
)


@cache
def examples(name: str) -> list[bytes]:
    return next(form.examples() for form in FORMS if form.name == name)


def run(seed: int, seconds: float, folder: Path) -> Report:
    started = time.monotonic()
    trials: list[Trial] = []
    failures: list[Path] = []
    while time.monotonic() - started < seconds:
        chance = Random(f"texts/{seed}/{len(trials)}")
        form = chance.choice(FORMS)
        how, data = changed(chance, chance.choice(examples(form.name)))
        trial = tried(form, how, data)
        trials.append(trial)
        if trial.wrong:
            failures.append(_saved(folder, form, smaller(form, data), f"{seed}-{len(trials)}", trial.wrong))
    return Report("texts", seed, tuple(trials), time.monotonic() - started, tuple(failures))


def tried(form: Form, how: str, data: bytes) -> Trial:
    with TemporaryDirectory(prefix="sorrel-texts-") as place:
        path = Path(place) / form.name
        path.write_bytes(data)
        reply = warm.ask(lambda: _read(form, path), LIMIT)
    verdict = {"": "read", "input": "refused"}.get(reply.problem, "")
    return Trial(form.name, verdict, reply.problem, reply.wrong(Answer.UNKNOWN), frozenset({how}), reply.seconds)


def _read(form: Form, path: Path) -> Outcome:
    form.read(path)
    return Outcome(Answer.UNKNOWN)


def _saved(folder: Path, form: Form, data: bytes, name: str, wrong: str) -> Path:
    place = folder / f"texts-{name}"
    place.mkdir(parents=True, exist_ok=True)
    (place / form.name).write_bytes(data)
    (place / "failure.txt").write_text(wrong + "\n", encoding="utf-8")
    return place


# Changes


def changed(chance: Random, data: bytes) -> tuple[str, bytes]:
    """Bytes that differ in one place, or in a few, and how."""
    forms: tuple[tuple[str, Callable[[bytes, Random, bytes], bytes]], ...] = (
        ("bytes replaced", flipped),
        ("piece left out", removed),
        ("piece doubled", doubled),
        ("cut off", cut),
        ("word put in", _with_word),
        ("word replaced", _other_word),
    )
    how, change = chance.choice(forms)
    return how, change(data, chance, b"")


def _with_word(data: bytes, chance: Random, _: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + b" " + chance.choice(_WORDS + _BYTES) + b" " + data[at:]


def _other_word(data: bytes, chance: Random, _: bytes) -> bytes:
    words = data.split(b" ")
    words[chance.randrange(len(words))] = chance.choice([*_WORDS, *words])
    return b" ".join(words)


# Making what fails small


def smaller(form: Form, data: bytes, seconds: float = 60.0) -> bytes:
    """Without pieces, the longest first, as long as reading still fails."""
    deadline = time.monotonic() + seconds
    size = len(data) // 2
    while size >= 1 and time.monotonic() < deadline:
        for candidate in _without_piece(data, size):
            if time.monotonic() < deadline and tried(form, "", candidate).wrong:
                data = candidate
                break
        else:
            size //= 2
        size = min(size, max(1, len(data) // 2))
    return data


def _without_piece(data: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[:start] + data[start + size :]
