"""Ranges: limits from the facts on, of numbers, sums and elements."""

from __future__ import annotations

import pytest

from asking import verified
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import NoOptions
from sorrel.engines.ranges.alternatives import one_by_one
from sorrel.engines.ranges.cases import cases, few_values
from sorrel.engines.ranges.engine import RangesEngine
from sorrel.engines.ranges.forms import Form, Template, ends_of_ranges
from sorrel.engines.ranges.hull import Hull
from sorrel.engines.ranges.levels import PATIENCE, Levels
from sorrel.engines.ranges.names import Survey
from sorrel.engines.ranges.order import ranks
from sorrel.engines.ranges.sums import compared_sums
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unknown
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.outcome import Answer

# Elements are written up to i, between 0 and 7; each says which one is read next.
TABLE = """(set-logic HORN)
(declare-fun fill ((Array Int Int) Int) Bool)
(declare-fun walk ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int))) (fill a 0)))
(assert (forall ((a (Array Int Int)) (i Int) (v Int))
  (=> (and (fill a i) (< i 16) (<= 0 v) (<= v 7)) (fill (store a i v) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (fill a i) (>= i 16)) (walk a 0 0))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (s Int))
  (=> (and (walk a i n) (= s (select a i))) (walk a s (+ n 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (walk a i n) (or (< i 0) (> i {most}))) false)))
(check-sat)
"""
# Used is what was put in without what was taken out.
COUNTS = """(set-logic HORN)
(declare-fun table (Int Int Int) Bool)
(assert (table 0 0 0))
(assert (forall ((used Int) (puts Int) (gone Int)) (=> (table used puts gone) (table (+ used 1) (+ puts 1) gone))))
(assert (forall ((used Int) (puts Int) (gone Int)) (=> (table used puts gone) (table (- used 1) puts (+ gone 1)))))
(assert (forall ((used Int) (puts Int) (gone Int))
  (=> (and (table used puts gone) (not (= used (- puts gone)))) false)))
(check-sat)
"""
PICTURE = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
    if (width < 1 || height < 1 || width > 30 || height > 40)
        return 1;
    unsigned char *pixel = malloc((size_t)(width * height));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            pixel[y * width + x] = 0;
    free(pixel);
    return 0;
}
"""
PLACING = """
static int order[6], used[6], found;
static void place(int at) {
    if (at == 6) {
        found = order[0];
        return;
    }
    for (int i = 0; i < 6; i++)
        if (!used[i]) {
            used[i] = 1;
            order[at] = i;
            place(at + 1);
            used[i] = 0;
        }
}
int main(void) {
    place(0);
    return found;
}
"""
RING = """
extern int __VERIFIER_nondet_int(void);
static int data[16], head;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        data[head] = 1;
        head++;
        if (head == 16) head = 0;
    }
    return 0;
}
"""
# Three read, four written, as long as three are left: there is room for 40 because 3 * o = 4 * i.
QUOTA = """(set-logic HORN)
(declare-fun pack (Int Int) Bool)
(assert (pack 0 0))
(assert (forall ((i Int) (o Int)) (=> (and (pack i o) (< (+ i 2) 30)) (pack (+ i 3) (+ o 4)))))
(assert (forall ((i Int) (o Int)) (=> (and (pack i o) (< (+ i 2) 30) (> (+ o 3) 39)) false)))
(check-sat)
"""
# Numbers below next are given out, one of them is watched: 0 as long as it is not, 1 while it is in use, then 2.
OWNERS = """(set-logic HORN)
(declare-fun heap (Int Int Int Int) Bool)
(assert (forall ((w Int)) (heap w 0 10 0)))
(assert (forall ((w Int) (p Int) (next Int) (s Int))
  (=> (and (heap w p next s) (= p 0)) (heap w next (+ next 1) (ite (= w next) 1 s)))))
(assert (forall ((w Int) (p Int) (next Int) (s Int))
  (=> (and (heap w p next s) (not (= p 0))) (heap w 0 next (ite (= w p) 2 s)))))
(assert (forall ((w Int) (p Int) (next Int) (s Int))
  (=> (and (heap w p next s) (not (= p 0)) (= w p) (= s 2)) false)))
(check-sat)
"""
# Room for a number of bits in words, and the word of each of them.
WORDS = """(set-logic HORN)
(declare-fun bits (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (and (< 0 n) (< n 1000)) (bits n (div (+ n 31) 32) 0))))
(assert (forall ((n Int) (c Int) (i Int)) (=> (and (bits n c i) (< i n)) (bits n c (+ i 1)))))
(assert (forall ((n Int) (c Int) (i Int)) (=> (and (bits n c i) (< i n) (>= (div i 32) c)) false)))
(check-sat)
"""
# A zero is written somewhere; whoever looks for it stays inside, and so does who goes on behind what is no zero.
TEXT = """(set-logic HORN)
(declare-fun scan ((Array Int Int) Int) Bool)
(declare-fun rest ((Array Int Int) (Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (and (<= 0 n) (< n {size})) (scan (store a n 0) 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (scan a i) (< i 12) (= (select a i) 32)) (scan a (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (scan a i) (< i 12) (= (select a i) 91)) (rest a a (+ i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
  (=> (and (rest a b i) (< i 12) (not (= (select b i) 0))) (rest a b (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (scan a i) (or (< i 0) (>= i 12))) false)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (rest a b i) (>= i 12)) false)))
(check-sat)
"""
# While data are awaited (1), fewer have come than were announced.
FRAMES = """(set-logic HORN)
(declare-fun receive (Int Int Int) Bool)
(assert (receive 0 0 0))
(assert (forall ((s Int) (n Int) (i Int) (m Int))
  (=> (and (receive s n i) (= s 0) (< 0 m) (<= m 16)) (receive 1 m 0))))
(assert (forall ((s Int) (n Int) (i Int))
  (=> (and (receive s n i) (= s 1)) (receive (ite (= (+ i 1) n) 0 1) n (+ i 1)))))
(assert (forall ((s Int) (n Int) (i Int)) (=> (and (receive s n i) (= s 1) (>= i 16)) false)))
(check-sat)
"""
# The best place so far is none before the first round alone.
BEST = """(set-logic HORN)
(declare-fun search (Int Int) Bool)
(assert (search 0 (- 1)))
(assert (forall ((i Int) (p Int) (b Bool))
  (=> (and (search i p) (< i 8)) (search (+ i 1) (ite (or (< p 0) b) i p)))))
(assert (forall ((i Int) (p Int)) (=> (and (search i p) (>= i 8) (< p 0)) false)))
(check-sat)
"""
# Room is left for as many as are to be written, by a comparison that wraps around.
COPY = """(set-logic HORN)
(declare-fun ask (Int) Bool)
(declare-fun copy (Int Int Int) Bool)
(assert (ask 0))
(assert (forall ((n Int) (m Int))
  (=> (and (ask n) (<= 0 n) (<= 0 m) (<= m (ite (<= n 40) (- 40 n) (- 1000 n)))) (copy n m 0))))
(assert (forall ((n Int) (m Int) (i Int)) (=> (and (copy n m i) (< i m)) (copy (+ n 1) m (+ i 1)))))
(assert (forall ((n Int) (m Int) (i Int)) (=> (and (copy n m i) (>= i m)) (ask n))))
(assert (forall ((n Int) (m Int) (i Int)) (=> (and (copy n m i) (< i m) (>= n 40)) false)))
(check-sat)
"""
# What is given for a parameter and the parameter are one number.
PARAMETER = """(set-logic HORN)
(declare-fun loop (Int Int Int Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 0 n) (<= n 12)) (loop n n 0 0))))
(assert (forall ((n Int) (m Int) (i Int) (o Int) (k Int))
  (=> (and (loop n m i o) (< i m) (<= 1 k) (<= k 3)) (loop n m (+ i 1) (+ o k)))))
(assert (forall ((n Int) (m Int) (i Int) (o Int)) (=> (and (loop n m i o) (> o (* 3 n))) false)))
(check-sat)
"""
TEXTS = {
    "ends of texts": TEXT.format(size=12),
    "flags": FRAMES,
    "counters": BEST,
    "balance": COPY,
    "twins": PARAMETER,
    "elements": TABLE.format(most=7),
    "sums": COUNTS,
    "equations": QUOTA,
    "cases": OWNERS,
    "quotients": WORDS,
}
# As many words as it takes for so many bits.
SIZES = """(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 1 n) (<= n 1024)) (p n (div (+ n 31) 32)))))
(assert (forall ((n Int) (w Int) (i Int)) (=> (and (p n w) (<= 0 i) (< i n) (>= (div i 32) w)) false)))
(check-sat)
"""
# A state changes on one of two ways between the same places, and only if the object is the one that is watched.
WAYS = """(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((w Int)) (p (ite (= w 5) 1 0) w 0)))
(assert (forall ((s Int) (w Int) (i Int) (t Int) (v Int) (j Int))
  (=> (and (p s w i) (or (and (= t s) (= v w) (= j (+ i 1))) (and (= t 2) (= v w) (= w 7) (= j i)))) (p t v j))))
(assert (forall ((s Int) (w Int) (i Int)) (=> (and (p s w i) (= w 5) (not (= s 1))) false)))
(check-sat)
"""
# A search begins with its upper end at the number of elements; what it finds is where one is put.
SEARCH = """(set-logic HORN)
(declare-fun search (Int Int Int) Bool)
(declare-fun shift (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 0 n) (<= n 12)) (search n 0 n))))
(assert (forall ((n Int) (l Int) (h Int) (m Int))
  (=> (and (search n l h) (< l h) (= m (div (+ l h) 2))) (search n (+ m 1) h))))
(assert (forall ((n Int) (l Int) (h Int) (m Int))
  (=> (and (search n l h) (< l h) (= m (div (+ l h) 2))) (search n l m))))
(assert (forall ((n Int) (l Int) (h Int)) (=> (and (search n l h) (>= l h)) (shift l n))))
(assert (forall ((l Int) (n Int)) (=> (and (shift l n) (> l n)) false)))
(check-sat)
"""
# Fields are read from a buffer of 256 bits, byte by byte; how many are left is compared with a wrap around.
FIELDS = """(set-logic HORN)
(declare-fun next (Int Int) Bool)
(declare-fun read (Int Int Int) Bool)
(assert (next 0 0))
(assert (forall ((a Int) (i Int) (w Int))
  (=> (and (next a i) (<= 0 a) (<= 0 w) (<= w 32) (<= w (ite (<= a 256) (- 256 a) (- 4294967552 a)))) (read a w i))))
(assert (forall ((a Int) (w Int) (p Int) (i Int))
  (=> (and (read a w i) (> w 0) (= p (ite (< w (- 8 (mod a 8))) w (- 8 (mod a 8))))) (read (+ a p) (- w p) i))))
(assert (forall ((a Int) (w Int) (i Int)) (=> (and (read a w i) (<= w 0) (< i 24)) (next a (+ i 1)))))
(assert (forall ((a Int) (w Int) (i Int)) (=> (and (read a w i) (> w 0) (>= (div a 8) 32)) false)))
(check-sat)
"""
# Two characters for each of six numbers, and one between them.
WRITING = """(set-logic HORN)
(declare-fun write (Int Int) Bool)
(assert (write 0 0))
(assert (forall ((i Int) (o Int)) (=> (and (write i o) (< i 6)) (write (+ i 1) (+ o (ite (> i 0) 3 2))))))
(assert (forall ((i Int) (o Int)) (=> (and (write i o) (>= i 6) (> o 17)) false)))
(check-sat)
"""
# One name for arguments of several sorts.
SORTS = """(set-logic HORN)
(declare-fun p (Bool Int) Bool)
(declare-fun q (Int (Array Int Int)) Bool)
(declare-fun r (Int Int) Bool)
(assert (forall ((x Bool) (y Int)) (=> (= y 0) (p x y))))
(assert (forall ((c Bool) (x Int) (y (Array Int Int)) (n Int))
  (=> (and (p c n) (= c (= x n)) c (= (select y x) n)) (q x y))))
(assert (forall ((x Int) (y Int) (a (Array Int Int))) (=> (and (q x a) (= x y) (= (select a y) y)) (r x y))))
(assert (forall ((x Int) (y Int)) (=> (and (r x y) (not (= x y))) false)))
(check-sat)
"""
TEXTS |= {"sorts": SORTS, "sizes": SIZES, "ways": WAYS, "beginnings": SEARCH, "fields": FIELDS, "positions": WRITING}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_what_ranges_prove_is_accepted_as_a_certificate(text: str) -> None:
    system = read_text(text)
    verdict = RangesEngine(NoOptions()).solve(system, Circumstances(Budget(seconds=20).start()), {})
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)


def test_what_does_not_follow_from_ranges_is_not_known() -> None:
    system = read_text(TABLE.format(most=6))
    verdict = RangesEngine(NoOptions()).solve(system, Circumstances(Budget(seconds=20).start()), {})
    assert isinstance(verdict, Unknown)


def test_a_text_whose_zero_may_be_behind_the_buffer_is_not_known_to_end() -> None:
    system = read_text(TEXT.format(size=13))
    verdict = RangesEngine(NoOptions()).solve(system, Circumstances(Budget(seconds=5).start()), {})
    assert isinstance(verdict, Unknown)


def test_sums_are_those_that_clauses_compare_and_then_what_moves_together() -> None:
    (sums,) = compared_sums(Survey(read_text(COUNTS))).values()
    assert [[factor for _, factor in sum] for sum in sums] == [[1, -1, 1], [1, -1], [1, 1]]


def test_ranges_of_indices_end_at_indices_and_at_what_these_are_compared_with() -> None:
    ends = ends_of_ranges(Survey(read_text(TABLE.format(most=7))))
    assert all(16 in each and any(isinstance(end, str) for end in each) for each in ends.values())


def test_accesses_of_a_ring_buffer_are_within_it_for_any_number_of_rounds() -> None:
    outcome = verified(RING, goal="valid-deref", engine="ranges")
    assert outcome.answer is Answer.SAFE


def test_accesses_of_a_procedure_that_calls_itself_are_within_bounds_for_calls_that_are_made() -> None:
    outcome = verified(PLACING, goal="valid-deref", engine="ranges")
    assert outcome.answer is Answer.SAFE
    wrong = PLACING.replace("at == 6", "at == 7")
    assert verified(wrong, goal="valid-deref", engine="ranges", timeout=5).answer is not Answer.SAFE


def test_accesses_by_row_and_column_are_within_a_block_of_so_many_rows_and_columns() -> None:
    outcome = verified(PICTURE, goal="valid-deref", engine="ranges")
    assert outcome.answer is Answer.ASSUMING  # that malloc gives memory
    wrong = PICTURE.replace("y * width", "y * height")
    assert verified(wrong, goal="valid-deref", engine="ranges", timeout=5).answer is Answer.UNKNOWN


def test_ranges_prove_no_ring_buffer_whose_index_grows_too_far() -> None:
    wrong = RING.replace("head == 16", "head == 17")
    assert verified(wrong, goal="valid-deref", engine="ranges", timeout=5).answer is not Answer.SAFE


def test_an_affine_space_grows_by_points_outside_it_alone() -> None:
    hull = Hull()
    assert [hull.add(point) for point in ((0, 0, 5), (3, 4, 5), (6, 8, 5))] == [True, True, False]
    assert hull.equations() == [((-4, 3, 0), 0), ((0, 0, 1), 5)]


def test_an_equation_by_accident_hides_no_other() -> None:
    hull = Hull()
    for point in ((0, 0, 0), (1, 4095, 2), (2, 77, 4)):
        hull.add(point)
    assert hull.equations() == [((-2, 0, 1), 0)]


def test_numbers_that_are_equal_stay_so_when_one_is_taken_out() -> None:
    hull = Hull()
    for point in ((1, 1, 33, 0), (2, 2, 64, 0), (5, 5, 131, 0), (6, 6, 167, 1)):
        hull.add(point)
    assert ((-1, 1, 0, 0), 0) in hull.equations()
    assert hull.add((7, 8, 0, 0))
    assert ((-1, 1, 0, 0), 0) not in hull.equations()


def test_a_number_that_is_a_quotient_is_bounded_by_what_was_divided() -> None:
    (sums,) = compared_sums(Survey(read_text(SIZES))).values()
    assert [1, -32] in [[factor for _, factor in weights] for weights in sums]


def test_each_way_of_a_clause_says_what_its_head_is() -> None:
    system = one_by_one(read_text(WAYS))
    ways = [clause for clause in system.clauses if clause.name.endswith(("|0", "|1"))]
    assert [[str(each) for each in way.head.arguments] for way in ways if way.head] == [
        ["s", "w", "i + 1"],
        ["2", "w", "i"],
    ]
    assert few_values(system).keys() == {("p", terms.name(system.predicates[0].formals[0]))}


def test_states_of_objects_are_arguments_with_few_values() -> None:
    (found,) = cases(Survey(read_text(OWNERS))).values()
    excluded = {str(what) for what, _ in found}
    assert len(excluded) == 3
    assert len(found) > len(excluded)


def test_loops_within_loops_come_first() -> None:
    nested = """(set-logic HORN)
(declare-fun outer (Int) Bool)
(declare-fun inner (Int) Bool)
(assert (outer 0))
(assert (forall ((i Int)) (=> (outer i) (inner i))))
(assert (forall ((i Int)) (=> (inner i) (inner (+ i 1)))))
(assert (forall ((i Int)) (=> (inner i) (outer i))))
(assert (forall ((i Int)) (=> (and (outer i) (< i 0)) false)))
(check-sat)
"""
    found = ranks(read_text(nested))
    assert found["inner"] < found["outer"]


def test_cases_are_looked_at_apart_from_what_has_a_limit() -> None:
    number, case = Form(terms.integer(0), (0,)), Form(terms.integer(1), (0,), is_case=True)
    made = Template([number, case], (terms.integer(0),))
    assert list(made.plain().forms) == [number]
    assert list(made.with_cases().without({number}).forms) == [case]


def test_limits_that_were_raised_too_far_are_known_to_be_loose() -> None:
    levels = Levels(Template([Form(terms.integer(0), tuple(range(64)))]))
    for _ in range(PATIENCE):
        levels.widen([0])
    assert not levels.loose
    levels.widen([0])
    assert levels.loose == {0}
