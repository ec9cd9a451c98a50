"""`sorrel prove` killed at random moments: the next run goes on, and nothing that was stored is lost.

A run that has ended before it was to be killed does not count; the store is then removed.

python -m bench.killing [--rounds 50] [--functions 40] [--seed 0]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.project import generate
from sorrel.store import lockfile


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--functions", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=8.0, help="the longest time before a kill")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with TemporaryDirectory() as place:
        folder = Path(place)
        generate(folder, given.functions, 6, given.seed)
        path = folder / lockfile.NAME
        known: set[tuple[str, str]] = set()
        finished = number = 0
        while number < given.rounds:
            ended = _killed(folder, chance.uniform(0.5, given.seconds))
            found = lockfile.read(path)
            if found.ignored or not known <= set(found.blocks):
                raise SystemExit(f"round {number}: {found.ignored}, lost {known - set(found.blocks)}")
            known = set(found.blocks)
            if ended:  # nothing is left to do: from the beginning
                finished += 1
                path.unlink()
                known = set()
                continue
            number += 1
            print(f"round {number}: {len(known)} blocks", flush=True)
        done = subprocess.run(_words(folder), capture_output=True, text=True, check=False)
        print(done.stdout)
        if done.returncode not in (0, 3):
            raise SystemExit(f"the last run ended with {done.returncode}")
        left = [file.name for file in folder.glob(".sorrel.lock.*.tmp")]
        print(f"{given.rounds} kills ({finished} runs ended before), nothing lost; temporary files left: {len(left)}")


def _words(folder: Path) -> list[str]:
    return [sys.executable, "-m", "sorrel", "prove", str(folder), "--jobs", "2"]


def _killed(folder: Path, seconds: float) -> bool:
    """Kill the command and the process that coordinates, at once; whether they had ended before."""
    running = subprocess.Popen(_words(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    if running.poll() is not None:
        return True
    for child in _children(running.pid):
        _kill(child)
    _kill(running.pid)
    running.wait()
    return False


def _children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    main()
