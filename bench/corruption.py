"""Stores that are damaged or forged at random: never a wrong verdict, never a failure of ours.

    python -m bench.corruption [--rounds 2000] [--seed 0]

Two small projects are proved, one that holds and one that does not. Their stores are then changed in one of many ways
and checked: what is proved of the second is wrong, and so is what is refuted of the first.
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
            other_version,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Project:
    """A program that is read once; its store is read again each time."""

    settings: Settings
    reading: Reading
    store: bytes

    def verdict(self, data: bytes) -> Verdict:
        """What is said of main by who checks this store."""
        os.chdir(self.settings.folder)
        path = Path(lockfile.NAME)
        path.write_bytes(data)
        asked = inquire(Property.ASSERTIONS, self.settings, self.reading, lockfile.read(path))
        asked.prove(None, lambda _: None, lambda: False, lambda: None)
        return asked.results["main"].verdict


def proved(folder: Path, limit: int) -> Project:
    """A project whose property holds for the limit 10 and no larger one."""
    folder.mkdir()
    (folder / "a.c").write_text(PROGRAM.replace("LIMIT", str(limit)))
    settings = Settings(str(folder), ("a.c",), limits=Limits(seconds=30))
    job: dict[str, Any] = {"settings": settings.to_json(), "kind": "prove", "jobs": 2, "paths": [], "retry": True}
    wanted = Verdict.PROVED if limit <= 10 else Verdict.REFUTED
    for _ in range(ATTEMPTS):
        found = ProjectResult.from_json(perform({**job, "cluster": ""}, lambda _: None, lambda: False))
        if any(each.function == "main" and each.verdict is wanted for each in found.functions):
            return Project(settings, read(settings, sources(settings)), (folder / lockfile.NAME).read_bytes())
    raise SystemExit(f"{folder}: main is not {wanted} after {ATTEMPTS} attempts; is the machine busy?")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    here = os.getcwd()
    with TemporaryDirectory() as place:
        projects = {name: proved(Path(place) / name, limit) for name, limit in (("right", 10), ("wrong", 11))}
        for name, wanted in (("right", Verdict.PROVED), ("wrong", Verdict.REFUTED)):
            if projects[name].verdict(projects[name].store) is not wanted:
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
