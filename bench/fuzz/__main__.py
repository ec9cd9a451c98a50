"""Random examples of every kind for a while: python -m bench.fuzz --seconds 300"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.fuzz.registry import KINDS, load
from bench.fuzz.report import joined


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="for all kinds together (default 300)")
    parser.add_argument("--seed", type=int, help="default: a new one, which is printed")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-results"), help="where what fails is saved")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"of {', '.join(KINDS)} (default: all)")
    options = parser.parse_args(arguments)
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    names = options.kinds.split(",")
    if unknown := [name for name in names if name not in KINDS]:
        parser.error(f"there is no kind {', '.join(unknown)}; there are: {', '.join(KINDS)}")
    print(f"seed {seed}", flush=True)
    reports = []
    for name in names:
        reports.append(load(name)(seed, options.seconds / len(names), options.folder))
        print(reports[-1].text() + "\n", flush=True)
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "report.md").write_text(joined(reports), encoding="utf-8")
    return 1 if any(report.wrong or report.failures for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
