"""python -m bench.conformance c-testsuite FOLDER | csmith --seeds 1..300 | interpret FILE | differs FILE"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.conformance import c_testsuite, csmith
from bench.conformance.behaviour import interpreted, tell


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    suite = commands.add_parser("c-testsuite", help="programs with expected outputs")
    suite.add_argument("folder", type=Path)
    suite.add_argument("--jobs", type=int, default=1)
    suite.add_argument("--seconds", type=float, default=c_testsuite.VERIFY_SECONDS, help="for a proof (default 10)")
    generated = commands.add_parser("csmith", help="programs that Csmith generates")
    generated.add_argument("--seeds", default="1..300", metavar="A..B")
    generated.add_argument("--runtime", default="", metavar="DIR", help="the folder of another csmith.h")
    generated.add_argument("--keep", type=Path, default=Path("csmith-differences"), metavar="DIR")
    generated.add_argument(
        "--reduce", action=argparse.BooleanOptionalAction, default=True, help="make what differs small (default)"
    )
    generated.add_argument("--jobs", type=int, default=1)
    generated.add_argument("--record", type=Path, metavar="FILE", help="results so far: call it again, and it goes on")
    for name in ("interpret", "differs"):
        single = commands.add_parser(name)
        single.add_argument("file", type=Path)
        single.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args(arguments)
    match options.command:
        case "c-testsuite":
            return c_testsuite.main(options.folder, options.jobs, options.seconds)
        case "csmith":
            chosen = csmith.seeds(options.seeds)
            how = (options.reduce, options.jobs, options.record)
            plan = csmith.Plan(chosen, options.runtime, options.keep, *how)
            return csmith.main(plan)
        case "interpret":
            print(tell(interpreted(options.file, options.include)))
            return 0
        case _:
            return 0 if csmith.differs(options.file, options.include) else 1


if __name__ == "__main__":
    raise SystemExit(main())
