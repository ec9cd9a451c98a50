"""Released entries of a secret array, as a product of two runs, with arrays of growing bounds.

After the benchmark of Costanzo and Shao (POST 2014) by which figure 5.5 of Pick's dissertation *Scaling Automatic
Modular Verification* (Princeton, 2022) compares how tools take larger arrays: which entries are zero is released, and
the zero entries are counted. The contract that proves it is the same for every bound, and for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FAMILY = "entries"
BOUNDS = (2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class EntriesTask:
    """The array has so many entries; without a bound, the runs are told how many, the same number."""

    bound: int | None
    family: str = FAMILY
    safe: bool | None = True
    reason: str = "counted are entries that are known to be zero"

    @property
    def name(self) -> str:
        return "entries_unbounded" if self.bound is None else f"entries_{self.bound}"

    def write(self) -> str:
        length = "" if self.bound is not None else "(n1 Int) (n2 Int) "
        passed = "" if self.bound is not None else "n1 n2 "
        ends = [str(self.bound) if self.bound is not None else f"n{run}" for run in (1, 2)]
        return _TEXT.format(
            sorts="Int Int " if self.bound is None else "",
            length=length,
            passed=passed,
            inside1=f"(and p1 (< i1 {ends[0]}))",
            inside2=f"(and p2 (< i2 {ends[1]}))",
            same="(= n1 n2)" if self.bound is None else "true",
        )


def tasks() -> Sequence[EntriesTask]:
    return [*(EntriesTask(bound) for bound in BOUNDS), EntriesTask(None)]


_TEXT = """(set-logic HORN)
(declare-fun release (Bool Bool Int Int {sorts}(Array Int Int) (Array Int Int)) Bool)
(declare-fun count (Bool Bool Int Int {sorts}Int Int (Array Int Int) (Array Int Int) Int Int) Bool)
; release: in each round it becomes known whether the entry is zero
(assert (forall ((p1 Bool) (p2 Bool) (i1 Int) (i2 Int) {length}(a1 (Array Int Int)) (a2 (Array Int Int)))
  (=> (and (not {inside1}) (not {inside2}))
      (release p1 p2 i1 i2 {passed}a1 a2))))
(assert (forall ((p1 Bool) (p2 Bool) (q1 Bool) (q2 Bool) (i1 Int) (i2 Int) {length}
                 (a1 (Array Int Int)) (a2 (Array Int Int)))
  (=> (and (= q1 {inside1}) (= q2 {inside2}) (or q1 q2)
           (=> (and q1 q2) (= (= (select a1 i1) 0) (= (select a2 i2) 0)))
           (release q1 q2 (+ i1 1) (+ i2 1) {passed}a1 a2))
      (release p1 p2 i1 i2 {passed}a1 a2))))
; count: of entries that are zero
(assert (forall ((p1 Bool) (p2 Bool) (i1 Int) (i2 Int) {length}(s1 Int) (s2 Int)
                 (a1 (Array Int Int)) (a2 (Array Int Int)))
  (=> (and (not {inside1}) (not {inside2}))
      (count p1 p2 i1 i2 {passed}s1 s2 a1 a2 s1 s2))))
(assert (forall ((p1 Bool) (p2 Bool) (q1 Bool) (q2 Bool) (i1 Int) (i2 Int) {length}(s1 Int) (s2 Int) (t1 Int) (t2 Int)
                 (a1 (Array Int Int)) (a2 (Array Int Int)) (r1 Int) (r2 Int))
  (=> (and (= q1 {inside1}) (= q2 {inside2}) (or q1 q2)
           (= t1 (ite (and q1 (= (select a1 i1) 0)) (+ s1 1) s1))
           (= t2 (ite (and q2 (= (select a2 i2) 0)) (+ s2 1) s2))
           (count q1 q2 (+ i1 1) (+ i2 1) {passed}t1 t2 a1 a2 r1 r2))
      (count p1 p2 i1 i2 {passed}s1 s2 a1 a2 r1 r2))))
(assert (forall ({length}(a1 (Array Int Int)) (a2 (Array Int Int)) (r1 Int) (r2 Int))
  (=> (and {same} (release true true 0 0 {passed}a1 a2) (count true true 0 0 {passed}0 0 a1 a2 r1 r2)
           (not (= r1 r2)))
      false)))
(check-sat)
"""
