"""The order in which variants have their turn: what decides a kind of clauses soon comes soon."""

from __future__ import annotations

from typing import Any

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SlicesOptions
from sorrel.engines.slices import MEASURED, ONE_CELL, ROUND, TWO_CELLS, Slices
from sorrel.frontends import smtlib
from sorrel.model.budget import Budget

NUMBERS = """
(set-logic HORN)
(declare-fun times (Int Int Int) Bool)
(assert (forall ((x Int)) (times x 0 0)))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (times x y r) (>= y 0)) (times x (+ y 1) (+ r x)))))
(assert (forall ((x Int) (y Int) (r Int) (s Int)) (=> (and (times x y r) (times y x s) (not (= r s))) false)))
"""
LISTS = """
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((h Int) (t List) (y List) (z List)) (=> (append t y z) (append (cons h t) y (cons h z)))))
(assert (forall ((x List) (y List) (z List) (a List)) (=> (and (append x y z) (append y x a) (not (= a z))) false)))
"""
ARRAYS = """
(set-logic HORN)
(declare-fun p (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (p 0 a)))
(assert (forall ((i Int) (a (Array Int Int))) (=> (p i a) (p (+ i 1) (store a i i)))))
(assert (forall ((i Int) (j Int) (a (Array Int Int)))
  (=> (and (p i a) (<= 0 j) (< j i) (not (= (select a j) j))) false)))
"""


class Enough(Exception):
    """As many turns as are looked at."""


def turns(text: str, count: int) -> list[str]:
    """Who has the first turns, if they are too short to decide anything."""
    seen: list[str] = []

    def progress(told: dict[str, Any]) -> None:
        if told.get("phase") in {each.name for each in (*ROUND, *MEASURED)}:
            seen.append(told["phase"])
        if len(seen) == count:
            raise Enough

    run = Circumstances(clock=Budget(seconds=60.0).start(), progress=progress, all_evidence=True)
    with pytest.raises(Enough):
        Slices(SlicesOptions(slice=0.0001)).solve(smtlib.read_text(text, "p.smt2"), run, {})
    return seen


def test_data_are_measured_before_longer_slices_of_what_knows_nothing_of_them() -> None:
    assert turns(LISTS, 1 + len(MEASURED)) == [ROUND[0].name, *(each.name for each in MEASURED)]


def test_numbers_are_neither_measured_nor_looked_at_as_cells() -> None:
    plain = [each.name for each in ROUND if each not in (ONE_CELL, TWO_CELLS)]
    assert turns(NUMBERS, len(plain)) == plain


def test_arrays_have_a_turn_as_one_cell_at_once() -> None:
    assert turns(ARRAYS, 2)[1] == ONE_CELL.name
