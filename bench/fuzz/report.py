"""What a run of random examples tried, what was answered, and what of it was wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sorrel.bench.summary import table


@dataclass(frozen=True, slots=True)
class Trial:
    """One example: what was asked of it, what was answered, and what it was made of.

    `verdict` is empty where nothing was decided, and `reason` says why; `wrong` says what is wrong with the answer.
    """

    group: str
    verdict: str = ""
    reason: str = ""
    wrong: str = ""
    constructs: frozenset[str] = frozenset()
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "constructs": sorted(self.constructs)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Trial:
        return Trial(**{**data, "constructs": frozenset(data["constructs"])})


@dataclass(frozen=True, slots=True)
class Report:
    """The trials of one kind, and the folders in which what failed was saved."""

    kind: str
    seed: int
    trials: tuple[Trial, ...]
    seconds: float
    failures: tuple[Path, ...] = ()
    skipped: str = ""

    @property
    def tried(self) -> int:
        return len(self.trials)

    @property
    def decided(self) -> Counter[str]:
        return Counter(trial.verdict for trial in self.trials if trial.verdict)

    @property
    def undecided(self) -> Counter[str]:
        return Counter(trial.reason for trial in self.trials if not trial.verdict)

    @property
    def wrong(self) -> int:
        return sum(bool(trial.wrong) for trial in self.trials)

    @property
    def constructs(self) -> Counter[str]:
        """In how many examples each occurred."""
        return Counter(name for trial in self.trials for name in trial.constructs)

    def text(self) -> str:
        """For people: verdicts for each group, reasons, constructs."""
        if self.skipped:
            return f"## {self.kind}\n\nskipped: {self.skipped}"
        parts = [
            f"## {self.kind} (seed {self.seed}, {self.seconds:.0f} s)",
            f"{self.tried} tried, {sum(self.decided.values())} decided, {self.wrong} wrong",
            _verdicts(self.trials),
        ]
        if self.undecided:
            parts.append(table(("undecided because", "number"), self.undecided.most_common(12)))
        if self.constructs:
            parts.append(table(("construct", "examples"), self.constructs.most_common()))
        parts.extend(f"saved: {folder}" for folder in self.failures)
        return "\n\n".join(parts)


def _verdicts(trials: Sequence[Trial]) -> str:
    """One row for each group: how many, each verdict, how many undecided and wrong."""
    verdicts = sorted({trial.verdict for trial in trials if trial.verdict})
    rows = []
    for group in [*sorted({trial.group for trial in trials}), ""]:
        own = [trial for trial in trials if trial.group == group] if group else list(trials)
        found = Counter(trial.verdict for trial in own)
        wrong = sum(bool(trial.wrong) for trial in own)
        rows.append((group or "all", len(own), *(found[verdict] for verdict in verdicts), found[""], wrong))
    return table(("asked", "tried", *verdicts, "undecided", "wrong"), rows)


def save(folder: Path, kind: str, name: str, files: Mapping[str, str], *, seed: int, command: str, wrong: str) -> Path:
    """A failing example in a folder of its own: its files, and how to see it again."""
    place = folder / f"{kind}-{name}"
    place.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (place / file).write_text(text, encoding="utf-8")
    told = {"kind": kind, "seed": seed, "command": command, "wrong": wrong}
    (place / "failure.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return place


def joined(reports: Iterable[Report]) -> str:
    """All kinds, one after the other."""
    return "\n\n".join(report.text() for report in reports) + "\n"
