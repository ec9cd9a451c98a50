"""Random programs over a short array, run in all ways: what is proved with cells is true, whatever cells are chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unknown
from sorrel.model.budget import Budget

LENGTH = 3
INDICES: dict[str, Callable[[int], int]] = {
    "i": lambda i: i,
    "(- 2 i)": lambda i: 2 - i,
    "(+ i 1)": lambda i: i + 1,
    "0": lambda _: 0,
    "(* 2 i)": lambda i: 2 * i,
}
VALUES = ("i", "7", "(+ 1 (select a {}))", "(select a {})")
CLAIMS: dict[str, Callable[[int, int], bool]] = {
    "(= x y)": lambda x, y: x == y,
    "(< y x)": lambda x, y: y < x,
    "(and (= x 7) (= y 7))": lambda x, y: x == y == 7,
    "(> (+ x y) 9)": lambda x, y: x + y > 9,
}


@dataclass(frozen=True)
class Step:
    """store(a, at, value); values 2 and 3 read what is at `read`."""

    at: str
    value: int
    read: str
    guarded: bool  # only where the element at `at` is 0

    def clause(self) -> str:
        value = VALUES[self.value].format(self.read)
        guard = f"(= (select a {self.at}) 0)" if self.guarded else "true"
        return f"""(assert (forall ((i Int) (a (Array Int Int)))
  (=> (and (run i a) (< i {LENGTH}) {guard}) (run (+ i 1) (store a {self.at} {value})))))"""

    def after(self, i: int, array: dict[int, int]) -> dict[int, int] | None:
        at, read = INDICES[self.at](i), INDICES[self.read](i)
        if self.guarded and array.get(at, 0):
            return None
        value = (i, 7, array.get(read, 0) + 1, array.get(read, 0))[self.value]
        return {**array, at: value}


steps = st.builds(Step, st.sampled_from([*INDICES]), st.integers(0, 3), st.sampled_from([*INDICES]), st.booleans())


def fails(chosen: list[Step], claim: str, apart: bool) -> bool:
    """Whether a run of all steps in any order ends with two elements of which the claim is true."""
    arrays: list[dict[int, int]] = [{}]
    for i in range(LENGTH):
        following = [step.after(i, array) for step, array in product(chosen, arrays)]
        arrays = [array for array in following if array is not None]
    pairs = [(p, q) for p, q in product(range(LENGTH), repeat=2) if not apart or p < q]
    return any(CLAIMS[claim](array.get(p, 0), array.get(q, 0)) for array in arrays for p, q in pairs)


@pytest.mark.parametrize("passes", ["aligned", "pair", "numbers+pair"])
@given(chosen=st.lists(steps, min_size=1, max_size=2), claim=st.sampled_from([*CLAIMS]), apart=st.booleans())
def test_what_is_proved_with_cells_holds_in_all_runs(passes: str, chosen: list[Step], claim: str, apart: bool) -> None:
    order = "(< p q)" if apart else "true"
    text = f"""(set-logic HORN)
(declare-fun run (Int (Array Int Int)) Bool)
(assert (run 0 ((as const (Array Int Int)) 0)))
{"".join(step.clause() for step in chosen)}
(assert (forall ((i Int) (a (Array Int Int)) (p Int) (q Int) (x Int) (y Int))
  (=> (and (run i a) (>= i {LENGTH}) (<= 0 p) (< p {LENGTH}) (<= 0 q) (< q {LENGTH}) {order}
           (= x (select a p)) (= y (select a q)) {claim}) false)))"""
    system = read_text(text)
    options = SpacerOptions(guidance=True, restarts=True, inlining=False, passes=passes)
    verdict = Spacer(options).solve(system, Circumstances(Budget(seconds=1).start()), {})
    assert isinstance(verdict, Safe | Unknown)
    if isinstance(verdict, Safe):
        assert isinstance(check(system, verdict), Accepted)
        assert not fails(chosen, claim, apart)
