"""So many generated programs in all languages, recorded one by one: call it again, and it goes on where it stopped.

python -m bench.fuzz.campaign --programs 10000 --seed 1 --folder fuzz-results
python -m bench.fuzz.campaign --programs 500 --languages java,ocaml
python -m bench.fuzz.campaign --report fuzz-results/*.jsonl      what several of them found together
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.fuzz.registry import LANGUAGES, stream
from bench.fuzz.report import Report, Trial
from bench.fuzz.stream import Numbered, Stream

SHARES: Mapping[str, int] = {"c": 55, "horn": 20, "java": 10, "ocaml": 15}
"""Of a hundred programs how many are in each language."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=10_000, help="of all languages together")
    parser.add_argument("--languages", default=",".join(LANGUAGES), help=f"of {', '.join(LANGUAGES)} (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("fuzz-results"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many; the default is never")
    parser.add_argument(
        "--report", type=Path, nargs="+", metavar="RECORD", help="tell what is recorded, and run nothing"
    )
    options = parser.parse_args(arguments)
    if options.report:
        print(_together(options.report, options.seed).text())
        return 0
    chosen = options.languages.split(",")
    if unknown := [name for name in chosen if name not in LANGUAGES]:
        parser.error(f"there is no language {', '.join(unknown)}; there are: {', '.join(LANGUAGES)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    records = []
    ends = time.monotonic() + options.seconds
    for name in chosen:
        if why := stream(name).missing():
            print(f"{name} is skipped: {why}")
            continue
        records.append(options.folder / f"campaign-{name}-{options.seed}.jsonl")
        wanted = options.programs * SHARES[name] // sum(SHARES[each] for each in chosen)
        for path in carried_on(records[-1], stream(name), options.seed, wanted, ends):
            print(f"wrong, and saved: {path}", flush=True)
    report = _together(records, options.seed)
    (options.folder / f"campaign-{options.seed}.md").write_text(report.text() + "\n", encoding="utf-8")
    print(report.text())
    return 1 if report.wrong else 0


def carried_on(record: Path, source: Stream, seed: int, wanted: int, ends: float) -> Iterator[Path]:
    """Until so many are recorded, or the time is over; what fails is yielded as it comes."""
    known = {number for number, _ in recorded(record)}
    if len(known) >= wanted:
        return
    was_cut_off = record.exists() and not record.read_bytes().endswith(b"\n")
    with record.open("a", encoding="utf-8") as lines:
        lines.write("\n" if was_cut_off else "")
        for each in source.trials(seed, record.parent, frozenset(known)):
            known.add(each.number)
            lines.write(_line(each) + "\n")
            lines.flush()
            yield from each.saved
            if len(known) >= wanted or time.monotonic() > ends:
                return


def _line(each: Numbered) -> str:
    return json.dumps({"number": each.number, **each.trial.to_json()})


def _together(records: Sequence[Path], seed: int) -> Report:
    """What is recorded in all of them; groups and constructs carry the language where it is not C."""
    trials = [_named(record, trial) for record in records for _, trial in recorded(record)]
    return Report("campaign", seed, tuple(trials), sum(trial.seconds for trial in trials))


def _named(record: Path, trial: Trial) -> Trial:
    language = record.stem.split("-")[1]
    return replace(
        trial,
        group=f"{language}: {trial.group}",
        constructs=frozenset(name if language == "c" else f"{language}: {name}" for name in trial.constructs),
    )


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
