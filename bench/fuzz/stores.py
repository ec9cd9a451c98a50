"""Stores of a project that holds and of one that does not, damaged or forged: no wrong verdict, no failure of ours."""

from __future__ import annotations

import os
import time
import traceback
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.corruption import CHANGES, PROGRAM, Project, proved
from bench.fuzz.report import Report, Trial
from sorrel.model.property import Property
from sorrel.project.result import Verdict
from sorrel.store import lockfile

_LIMITS = {"right": 10, "wrong": 11}
_TRUE = {"right": Verdict.PROVED, "wrong": Verdict.REFUTED}
_FALSE = {"right": Verdict.REFUTED, "wrong": Verdict.PROVED}


def run(seed: int, seconds: float, folder: Path) -> Report:
    here = os.getcwd()
    trials: list[Trial] = []
    failures: list[Path] = []
    with TemporaryDirectory(prefix="sorrel-stores-") as place:
        try:
            projects = {
                name: proved(Path(place) / name, Property.ASSERTIONS, limit, _TRUE[name])
                for name, limit in _LIMITS.items()
            }
            started = time.monotonic()
            while time.monotonic() - started < seconds:
                chance = Random(f"stores/{seed}/{len(trials)}")
                name, other = chance.sample(sorted(projects), 2)
                change = chance.choice(CHANGES)
                data = change(projects[name].store, chance, projects[other].store)
                trial = _tried(projects[name], name, change.__name__, data)
                trials.append(trial)
                if trial.wrong:
                    failures.append(_saved(folder, f"{seed}-{len(trials)}", name, data, trial.wrong))
        except SystemExit as busy:  # the projects were not proved in time
            return Report("stores", seed, (), 0.0, skipped=str(busy))
        finally:
            os.chdir(here)  # projects are checked where they are
    return Report("stores", seed, tuple(trials), time.monotonic() - started, tuple(failures))


def _tried(project: Project, name: str, how: str, data: bytes) -> Trial:
    started = time.monotonic()
    verdict, wrong = "", ""
    try:
        found = project.verdict(data)
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
