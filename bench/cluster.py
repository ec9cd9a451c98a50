"""A project proved on a cluster of this machine: beside processes of our own, with workers that are killed, with liars.

    python -m bench.cluster FOLDER [--rounds 1] [--kill-every SECONDS] [--liars]

The folder is one that `python -m bench.project generate` made. Each run starts without a store. With `--liars` every
worker claims that whatever it is asked is so, and its opposite: then nothing may be proved or refuted that is not so.
With several rounds, here and there take turns, and the shortest time of each counts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sorrel.bench.process import as_installed

WORKERS = 2
MOST_OVERHEAD = 0.25
LIES = """
from sorrel.modular import cluster

honest = getattr(cluster.ask, "honest", cluster.ask)  # this is loaded more than once

def lie(question, memory):
    answer = honest(question, memory)
    text = str(answer.get("summaries", "")).replace(" Bool ", " Bool (and false ").replace(")\\n", "))\\n")
    return {**answer, "summaries": text, "settled": True, "exact": True}

lie.honest = honest
cluster.ask = lie
"""


def proved(folder: Path, *options: str) -> dict[str, Any]:
    """A run without a store, with what it took and what was found of each function."""
    (folder / "sorrel.lock").unlink(missing_ok=True)
    shutil.rmtree(folder / "sorrel.lock.d", ignore_errors=True)
    started = time.monotonic()
    running = started_run(folder, *options)
    output, errors = running.communicate()
    return told(running.returncode, output, errors, time.monotonic() - started)


def started_run(folder: Path, *options: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "sorrel", "prove", str(folder), "--json", *options]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(code: int, output: str, errors: str, seconds: float) -> dict[str, Any]:
    result = json.loads(output) if output.startswith("{") else {}
    if code not in (0, 3, 5, 10):
        raise SystemExit(f"sorrel prove ended with {code}:\n{errors}\n{result.get('problems', output[-2000:])}")
    verdicts = {f"{each['function']} {each['entry']}": each["verdict"] for each in result["functions"]}
    found = {"seconds": round(seconds, 1), "answer": result["answer"], "verdicts": verdicts}
    return {**found, "notes": result["notes"]} if result["notes"] else found


def on_cluster(folder: Path, kill_every: float, preload: str = "") -> dict[str, Any]:
    import dask.config
    from distributed import LocalCluster

    given = {"preload": [preload]} if preload else {}
    # A worker that happens to be away, killed once more, this long after it was killed would be given up for good.
    patience = dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})
    with (
        patience,
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", **given
        ) as cluster,
    ):
        (folder / "sorrel.lock").unlink(missing_ok=True)
        shutil.rmtree(folder / "sorrel.lock.d", ignore_errors=True)
        started, killed = time.monotonic(), 0
        running = started_run(folder, "--cluster", cluster.scheduler_address)
        chance = random.Random(0)
        while kill_every:
            with suppress(subprocess.TimeoutExpired):
                running.wait(kill_every)
            if running.poll() is not None:
                break
            pids = [nanny.pid for nanny in cluster.workers.values() if _is_up(nanny)]
            if pids:
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(pids), signal.SIGKILL)
                killed += 1
        output, errors = running.communicate()
        found = told(running.returncode, output, errors, time.monotonic() - started)
    return {**found, "killed": killed}


def _is_up(nanny: Any) -> bool:
    """Dask waits forever for a worker that is killed while it is starting, though its nanny is running then."""
    return nanny.status.name == "running" and nanny.process is not None and nanny.process.status.name == "running"


def _both(given: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    here = {} if given.liars else proved(given.folder, "--jobs", str(WORKERS))
    with TemporaryDirectory() as place:
        lies = Path(place) / "lies.py"
        lies.write_text(LIES)
        there = on_cluster(given.folder, given.kill_every, str(lies) if given.liars else "")
    print(f"here {here.get('seconds', '-')} s, on the cluster {there['seconds']} s", flush=True)
    return here, there


def compared(here: float, there: float) -> str:
    """What the cluster costs, beside what it may cost."""
    over = there / here - 1
    told = f"ratio: {there / here:.2f} ({there:.1f} s on the cluster, {here:.1f} s with --jobs {WORKERS})"
    verdict = "within" if over <= MOST_OVERHEAD else "above"
    return f"{told}; overhead {over:+.0%}, {verdict} the {MOST_OVERHEAD:.0%} that are asked for"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--kill-every", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--liars", action="store_true")
    given = parser.parse_args()
    for name in set(os.environ) - set(as_installed()):  # the cluster's workers have the environment of this process
        del os.environ[name]
    pairs = [_both(given) for _ in range(given.rounds)]
    here, there = (min(found, key=lambda each: each.get("seconds", 0.0)) for found in zip(*pairs, strict=True))
    for name, found in (("here", here), ("cluster", there)):
        if found:
            counts = list(found["verdicts"].values())
            row = {key: value for key, value in found.items() if key != "verdicts"}
            print(f"{name:8} {json.dumps({**row, **{word: counts.count(word) for word in dict.fromkeys(counts)}})}")
    if here:
        other = [name for name, verdict in here["verdicts"].items() if there["verdicts"].get(name) != verdict]
        print(f"{len(other)} verdicts differ: {', '.join(other[:10])}")
        print(compared(here["seconds"], there["seconds"]))
    print(f"largest process: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10} MiB")


if __name__ == "__main__":
    main()
