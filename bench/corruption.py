"""Stores that are damaged or forged at random: never a wrong verdict, never a failure of ours.

    python -m bench.corruption [--rounds 2000] [--seed 0] [--termination]

Two small projects are proved, one of which the property holds and one of which it does not. Their stores are then
changed in one of many ways and checked: what is proved of the second is wrong, and so is what is refuted of the first.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sorrel.model.property import Property
from sorrel.modular.coordinator import perform
from sorrel.modular.inquiry import inquire
from sorrel.modular.reading import Reading, read
from sorrel.project.result import ProjectResult, Verdict
from sorrel.project.settings import Limits, Settings
from sorrel.project.sources import sources
from sorrel.store import lockfile
from sorrel.store.block import Block, Claim

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int state;
int clamp(int x, int lo, int hi) { assert(lo <= hi); if (x < lo) return lo; if (x > hi) return hi; return x; }
int count(int n) { int s = 0; for (int i = 0; i < n; i++) s++; return s; }
int down(int n) { if (n <= 0) return 0; return down(n - 1); }
void note(int x) { state = x; }
int main(void) {
  int x = clamp(__VERIFIER_nondet_int(), 0, LIMIT);
  note(count(x));
  assert(down(x) == 0);
  assert(x <= 10);
  assert(state >= 0);
  return 0;
}
"""

ENDING = """extern int __VERIFIER_nondet_int(void);
int state;
int odd(int n);
int even(int n) { if (n <= 0) return 1; return odd(n - 1); }
int odd(int n) { if (n <= 0) return 0; return even(n - 1); }
int down(int n) { while (n != 0) { if (n != LIMIT) n--; } return n; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  state = even(x);
  if (x < 0) x = 0;
  if (x > 10) x = 10;
  return down(x);
}
"""
PROGRAMS = {Property.ASSERTIONS: (PROGRAM, 10, 11), Property.TERMINATION: (ENDING, -1, 5)}
"""For each property a text, the limit for which it holds of it, and one for which it does not."""
ATTEMPTS = 4
Change = Callable[[bytes, random.Random, bytes], bytes]


def flipped(data: bytes, chance: random.Random, _: bytes) -> bytes:
    changed = bytearray(data)
    for _number in range(chance.randint(1, 4)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def removed(data: bytes, chance: random.Random, _: bytes) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.randint(1, 200) :]


def cut(data: bytes, chance: random.Random, _: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def doubled(data: bytes, chance: random.Random, _: bytes) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start : start + 300] + data[start:]


def foreign(data: bytes, _: random.Random, other: bytes) -> bytes:
    return data + other


def forged(change: Callable[[list[Block], random.Random], list[Block]]) -> Change:
    """A change of blocks, whose digests are then right."""

    def changed(data: bytes, chance: random.Random, other: bytes) -> bytes:
        path = Path(lockfile.NAME)  # in its folder: long contracts stand in files beside it
        path.write_bytes(data + other if chance.random() < 0.3 else data)
        blocks = [block for found in lockfile.read(path).blocks.values() for block in found]
        lines = [line for block in change(blocks, chance) for line in ("", *block.lines())]
        return ("\n".join([lockfile.TITLE, *lines]) + "\n").encode()

    changed.__name__ = change.__name__
    return changed


def swapped_contracts(blocks: list[Block], chance: random.Random) -> list[Block]:
    contracts = [block.contract for block in blocks]
    chance.shuffle(contracts)
    return [replace(block, contract=contract) for block, contract in zip(blocks, contracts, strict=True)]


def swapped_names(blocks: list[Block], chance: random.Random) -> list[Block]:
    names = [block.id for block in blocks]
    chance.shuffle(names)
    return [replace(block, id=name) for block, name in zip(blocks, names, strict=True)]


def all_proved(blocks: list[Block], _: random.Random) -> list[Block]:
    return [replace(block, verdict=Claim.PROVED, values=()) for block in blocks]


def all_refuted(blocks: list[Block], chance: random.Random) -> list[Block]:
    values = tuple(str(chance.choice([0, 7, -1, 11, 2**31, 2**70, "true", '"1/0"', "[]", "{}"])) for _ in range(3))
    return [replace(block, verdict=Claim.REFUTED, values=values) for block in blocks]


def weakened(blocks: list[Block], chance: random.Random) -> list[Block]:
    return [_with(block, "true") if chance.random() < 0.4 else block for block in blocks]


def strengthened(blocks: list[Block], chance: random.Random) -> list[Block]:
    words = [
        "false",
        "(and false (= a0 a0))",
        "(= a0 0)",
        "(<= a0 10)",
        "(exists ((b Int)) (= b a0))",
        "(= a0 (div 1 0))",
    ]
    return [_with(block, chance.choice(words)) if chance.random() < 0.6 else block for block in blocks]


def strange(blocks: list[Block], chance: random.Random) -> list[Block]:
    words = [
        "(let ((a0 1)) (= a0 1))",
        "b",
        "(f a0)",
        "(_ bv1 3)",
        "((as const (Array Int Int)) 0)",
        "(forall ((a0 Int)) (= a0 a0))",
        "(! true :pattern (a0))",
        "|",
        "(" * 500,
        '"text"',
        "(= a0 1.5)",
    ]
    return [_with(block, chance.choice(words)) for block in blocks]


def nonsense(blocks: list[Block], chance: random.Random) -> list[Block]:
    lines = [
        "",
        "(define-fun",
        "(assert false)",
        "(set-info :sorrel-certificate unsafe)",
        "(step 0 |main#0| () ())",
        "\0\ud7ff",
    ]
    return [replace(block, contract=tuple(chance.choices(lines, k=3))) for block in blocks]


def other_measures(blocks: list[Block], chance: random.Random) -> list[Block]:
    words = ["0", "1*#0 0", "-1*#0 3", "1*#0 -7", "1*#1 0", "1*state 0", "cut 1*#0 0; 1*#0 0", "1*#0 0; 0", "9*x", ""]
    names = ("even", "odd", "down.loop.1", "down", "main")
    found = []
    for block in blocks:
        measures = tuple(f"{chance.choice(names)}: {chance.choice(words)}" for _ in range(chance.randint(0, 4)))
        found.append(replace(block, measures=measures) if chance.random() < 0.7 else block)
    return found


def other_version(blocks: list[Block], chance: random.Random) -> list[Block]:
    return [replace(block, about=block.about + "7", clauses="0" * 32) for block in blocks if chance.random() < 0.8]


def _with(block: Block, body: str) -> Block:
    heads = [line.split(" Bool ", 1)[0] for line in block.contract]
    return replace(block, contract=tuple(f"{head} Bool {body})" for head in heads))


CHANGES: tuple[Change, ...] = (
    flipped,
    removed,
    cut,
    doubled,
    foreign,
    *map(
        forged,
        (
            swapped_contracts,
            swapped_names,
            all_proved,
            all_refuted,
            weakened,
            strengthened,
            strange,
            nonsense,
            other_measures,
            other_version,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Project:
    """A program that is read once; its store is read again each time."""

    goal: Property
    settings: Settings
    reading: Reading
    store: bytes

    def verdict(self, data: bytes) -> Verdict:
        """What is said of main by who checks this store."""
        os.chdir(self.settings.folder)
        path = Path(lockfile.NAME)
        path.write_bytes(data)
        asked = inquire(self.goal, self.settings, self.reading, lockfile.read(path))
        asked.prove(None, lambda _: None, lambda: False, lambda: None)
        return asked.results["main"].verdict


def proved(folder: Path, goal: Property, limit: int, wanted: Verdict) -> Project:
    """A project with what was found of it."""
    folder.mkdir()
    (folder / "a.c").write_text(PROGRAMS[goal][0].replace("LIMIT", str(limit)))
    settings = Settings(str(folder), ("a.c",), properties=(str(goal),), limits=Limits(seconds=30))
    job: dict[str, Any] = {"settings": settings.to_json(), "kind": "prove", "jobs": 2, "paths": [], "retry": True}
    for _ in range(ATTEMPTS):
        found = ProjectResult.from_json(perform({**job, "cluster": ""}, lambda _: None, lambda: False))
        if any(each.function == "main" and each.verdict is wanted for each in found.functions):
            return Project(goal, settings, read(settings, sources(settings)), (folder / lockfile.NAME).read_bytes())
    raise SystemExit(f"{folder}: main is not {wanted} after {ATTEMPTS} attempts; is the machine busy?")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--termination", action="store_true", help="whether runs end, in place of assertions")
    given = parser.parse_args()
    goal = Property.TERMINATION if given.termination else Property.ASSERTIONS
    _, right, wrong = PROGRAMS[goal]
    wanted = {"right": (right, Verdict.PROVED), "wrong": (wrong, Verdict.REFUTED)}
    chance = random.Random(given.seed)
    here = os.getcwd()
    with TemporaryDirectory() as place:
        projects = {name: proved(Path(place) / name, goal, *given_to) for name, given_to in wanted.items()}
        for name, (_, verdict) in wanted.items():
            if projects[name].verdict(projects[name].store) is not verdict:
                raise SystemExit(f"{name}: what was stored is not even enough for what is so")
        counts: Counter[str] = Counter()
        for _ in range(given.rounds):
            name = chance.choice(list(projects))
            change = chance.choice(CHANGES)
            other = projects["wrong" if name == "right" else "right"].store
            os.chdir(projects[name].settings.folder)
            verdict = projects[name].verdict(change(projects[name].store, chance, other))
            if verdict is (Verdict.REFUTED if name == "right" else Verdict.PROVED):
                raise SystemExit(f"{change.__name__}: {name} is {verdict}")
            counts[f"{change.__name__}: {name} {verdict}"] += 1
        os.chdir(here)
    for line, count in sorted(counts.items()):
        print(f"{count:5} {line}")
    print(f"{given.rounds} stores, no wrong verdict and no failure")


if __name__ == "__main__":
    main()
