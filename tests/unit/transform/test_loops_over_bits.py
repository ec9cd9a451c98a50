"""Deep counterexamples of bit-vectors: loops that wrap around as they do, compared with all states of small widths."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import PathsOptions
from sorrel.engines.paths import Paths
from sorrel.evidence.certificate import check
from sorrel.evidence.recheck import recheck
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.horn.text import read_certificate, write_derivation
from sorrel.horn.verdict import Derivation, Unsafe
from sorrel.model.budget import Budget
from sorrel.model.values import dataclass


@dataclass(frozen=True)
class Counting:
    """x and y from where they start, x as long as it is less than a limit (or: is not one), to where both must be."""

    width: int
    start: tuple[int, int]
    steps: tuple[int, int]
    until: str  # a comparison
    limit: int
    end: tuple[int, int]

    @property
    def text(self) -> str:
        x0, y0, dx, dy, limit, x1, y1 = map(self._bits, (*self.start, *self.steps, self.limit, *self.end))
        sort = f"(_ BitVec {self.width})"
        both = f"((x {sort}) (y {sort}))"
        goes_on = f"(not (= x {limit}))" if self.until == "=" else f"({self.until} x {limit})"
        return f"""(set-logic HORN)
(declare-fun P ({sort} {sort}) Bool)
(assert (P {x0} {y0}))
(assert (forall {both} (=> (and (P x y) {goes_on}) (P (bvadd x {dx}) (bvadd y {dy})))))
(assert (forall {both} (=> (and (P x y) (= x {x1}) (= y {y1})) false)))
(check-sat)
"""

    def _bits(self, number: int) -> str:
        return f"(_ bv{number % (1 << self.width)} {self.width})"

    def _goes_on(self, x: int) -> bool:
        limit, half = self.limit % (1 << self.width), 1 << (self.width - 1)
        match self.until:
            case "=":
                return x != limit
            case "bvult":
                return x < limit
            case _:
                return (x ^ half) < (limit ^ half)

    def is_reached(self) -> bool:
        """By going through all states, one after the other."""
        whole = (1 << self.width) - 1
        here, seen = (self.start[0] & whole, self.start[1] & whole), set()
        end = (self.end[0] & whole, self.end[1] & whole)
        while here not in seen:
            if here == end:
                return True
            seen.add(here)
            if not self._goes_on(here[0]):
                return False
            here = ((here[0] + self.steps[0]) & whole, (here[1] + self.steps[1]) & whole)
        return False


def refuted(text: str) -> tuple[HornSystem, Derivation | None]:
    system = read_text(text)
    run = Circumstances(Budget(seconds=30).start(), all_evidence=True)
    verdict = Paths(PathsOptions(levels=24, passes="loops")).solve(system, run, {})
    return system, verdict.derivation if isinstance(verdict, Unsafe) else None


DEEP = {
    "a counter without a sign": Counting(32, (0, 0), (1, 0), "bvult", 100_000, (100_000, 0)),
    "a counter with a sign": Counting(32, (-500_000, 5), (1, 3), "bvslt", 500_000, (500_000, 3_000_005)),
    "all the way round": Counting(16, (1, 0), (1, 2), "=", 0, (0, 65_534)),
    "a number that wraps around on the way": Counting(20, (0, 0), (1, 3), "bvult", 700_000, (700_000, 2_100_000)),
}


@pytest.mark.parametrize("counting", DEEP.values(), ids=DEEP)
def test_deep_counterexamples_are_confirmed_by_both_solvers(counting: Counting) -> None:
    system, derivation = refuted(counting.text)
    assert derivation is not None
    assert len(derivation.steps) < 20
    again = read_certificate(system, write_derivation(system, derivation))
    assert isinstance(again, Unsafe)
    assert isinstance(check(system, again), Accepted)
    for checker in ("z3", "cvc5"):
        assert isinstance(recheck(counting.text, system, again, checker, 60), Accepted)


def some_counting(chance: random.Random) -> Counting:
    width = chance.choice((3, 4, 5))
    pick = range(-(1 << width), 1 << width)
    start, end = ((chance.choice(pick), chance.choice(pick)) for _ in range(2))
    steps = chance.choice((1, -1, 2, 3)), chance.choice((0, 1, 2, -1, 5))
    made = Counting(width, start, steps, chance.choice(("=", "bvult", "bvslt")), chance.choice(pick), end)
    rounds = chance.randrange(1, 1 << width)
    there = tuple(a + rounds * b for a, b in zip(start, steps, strict=True))
    return replace(made, end=(there[0], there[1])) if chance.random() < 0.7 else made


def accepted(text: str, derivation: Derivation, checkers: tuple[str, ...]) -> bool:
    """By any of our checkers."""
    system = read_text(text)
    results = [check(system, Unsafe(derivation))]
    results += [recheck(text, system, Unsafe(derivation), each, 10) for each in checkers]
    return any(isinstance(result, Accepted) for result in results)


@pytest.mark.parametrize("seed", range(4))
def test_no_other_end_is_reached_than_by_going_there(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        counting = some_counting(chance)
        _, derivation = refuted(counting.text)
        if derivation is None:
            continue
        assert counting.is_reached()
        loops = [replace(each, count=max(1, each.count + chance.choice((-1, 1)))) for each in derivation.loops]
        other = replace(counting, limit=counting.limit + chance.choice((-3, -1, 1, 2)))
        further = replace(counting, end=(counting.end[0] + 1, counting.end[1]))
        for forged in (derivation, replace(derivation, loops=tuple(loops))):
            for claim in (counting, other, further):
                assert claim.is_reached() or not accepted(claim.text, forged, ("z3",))
