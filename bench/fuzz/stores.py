"""Stores of a project that holds and of one that does not, damaged or forged: no wrong verdict, no failure of ours."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.corruption import CHANGES, PROGRAM, checked
from bench.fuzz.report import Report, Trial
from sorrel.project.result import Verdict
from sorrel.store import lockfile

_LIMITS: Mapping[str, int] = {"right": 10, "wrong": 11}
_FALSE = {"right": Verdict.REFUTED, "wrong": Verdict.PROVED}


def run(seed: int, seconds: float, folder: Path) -> Report:
    started, here = time.monotonic(), os.getcwd()
    trials: list[Trial] = []
    failures: list[Path] = []
    with TemporaryDirectory(prefix="sorrel-stores-") as place:
        try:
            stores = {name: _proved(Path(place) / name, limit) for name, limit in _LIMITS.items()}
            while time.monotonic() - started < seconds:
                chance = Random(f"stores/{seed}/{len(trials)}")
                name, other = chance.sample(sorted(stores), 2)
                change = chance.choice(CHANGES)
                data = change(stores[name], chance, stores[other])
                trial = _tried(Path(place) / name, name, change.__name__, data)
                trials.append(trial)
                if trial.wrong:
                    failures.append(_saved(folder, f"{seed}-{len(trials)}", name, data, trial.wrong))
        finally:
            os.chdir(here)  # projects are checked where they are
    return Report("stores", seed, tuple(trials), time.monotonic() - started, tuple(failures))


def _proved(folder: Path, limit: int) -> bytes:
    """The store of a project whose assertion holds up to 10."""
    folder.mkdir()
    (folder / "a.c").write_text(PROGRAM.replace("LIMIT", str(limit)), encoding="utf-8")
    checked(folder, "prove")
    return (folder / lockfile.NAME).read_bytes()


def _tried(folder: Path, name: str, how: str, data: bytes) -> Trial:
    started = time.monotonic()
    (folder / lockfile.NAME).write_bytes(data)
    verdict, wrong = "", ""
    try:
        found = next(each.verdict for each in checked(folder, "check").functions if each.function == "main")
        verdict = str(found)
        wrong = f"{name} is {found}" if found is _FALSE[name] else ""
    except Exception as problem:  # any is a failure
        wrong = "".join(traceback.format_exception_only(problem)).strip()
    return Trial(name, verdict, "", wrong, frozenset({how}), time.monotonic() - started)


def _saved(folder: Path, name: str, project: str, data: bytes, wrong: str) -> Path:
    place = folder / f"stores-{name}"
    place.mkdir(parents=True, exist_ok=True)
    (place / "a.c").write_text(PROGRAM.replace("LIMIT", str(_LIMITS[project])), encoding="utf-8")
    (place / lockfile.NAME).write_bytes(data)
    (place / "failure.txt").write_text(wrong + "\n", encoding="utf-8")
    return place
