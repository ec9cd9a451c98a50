"""So many generated programs, recorded one by one: call it again, and it goes on where it stopped.

python -m bench.fuzz.campaign --programs 10000 --seed 1 --folder fuzz-results
python -m bench.fuzz.campaign --report fuzz-results/*.jsonl      what several of them found together
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.fuzz.c import campaign as c
from bench.fuzz.report import Report, Trial


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("fuzz-results"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many; the default is never")
    parser.add_argument(
        "--report", type=Path, nargs="+", metavar="RECORD", help="tell what is recorded, and run nothing"
    )
    options = parser.parse_args(arguments)
    if options.report:
        trials = tuple(trial for record in options.report for _, trial in recorded(record))
        print(Report("c", options.seed, trials, sum(trial.seconds for trial in trials)).text())
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    record = options.folder / f"campaign-{options.seed}.jsonl"
    report = carried_on(record, options.seed, options.programs, options.seconds, options.folder)
    text = report.text()
    record.with_suffix(".md").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 1 if report.wrong else 0


def carried_on(record: Path, seed: int, programs: int, seconds: float, folder: Path) -> Report:
    """Programs that are recorded already are not asked again."""
    started = time.monotonic()
    known = dict(recorded(record))
    trials = list(known.values())
    failures: list[Path] = []
    with record.open("a", encoding="utf-8") as lines:
        for example in _examples(seed, max(known, default=0) // c.BATCH):
            if len(trials) >= programs or time.monotonic() - started > seconds:
                break
            if example.number in known:
                continue
            trial, saved = c.tried(example, seed, folder)
            trials.append(trial)
            failures += saved
            lines.write(json.dumps({"number": example.number, **trial.to_json()}) + "\n")
            lines.flush()
    return Report("c", seed, tuple(trials), sum(trial.seconds for trial in trials), tuple(failures))


def _examples(seed: int, batch: int) -> Iterator[c.Example]:
    while True:
        yield from c.examples(seed, batch)
        batch += 1


def recorded(record: Path) -> Iterator[tuple[int, Trial]]:
    """What an earlier call wrote; a last line that was cut off is not there."""
    if not record.exists():
        return
    for line in record.read_text(encoding="utf-8").splitlines():
        try:
            data = json.loads(line)
        except json.JSONDecodeError:
            continue
        yield data.pop("number"), Trial.from_json(data)


if __name__ == "__main__":
    sys.exit(main())
