"""Tables of procedures and pieces of functions: each entry is proved, and gives up where values do not settle it."""

from __future__ import annotations

from sorrel.evidence.result import Accepted
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends.smtlib import read_text
from sorrel.guess.pieces import Sample, limits, polynomial_pieces, signature
from sorrel.guess.tabulation import tabulate
from sorrel.guess.vocabulary import vocabulary
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle

FIBONACCI = """(set-logic HORN)
(declare-fun fib (Int Int Bool) Bool)
(set-info :sorrel-predicate "fib (n input) (r output) (ok ok)")
(assert (forall ((n Int)) (=> (<= n 0) (fib n 0 true))))
(assert (fib 1 1 true))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (> n 1) (<= (+ a b) 8) (fib (- n 1) a true) (fib (- n 2) b true)) (fib n (+ a b) true))))
(assert (forall ((n Int) (a Int) (b Int) (r Int))
  (=> (and (> n 1) (> (+ a b) 8) (fib (- n 1) a true) (fib (- n 2) b true)) (fib n r false))))
(assert (forall ((n Int) (a Int) (r Int)) (=> (and (> n 1) (fib (- n 1) a false)) (fib n r false))))
(assert (forall ((n Int) (a Int) (b Int) (r Int))
  (=> (and (> n 1) (fib (- n 1) a true) (fib (- n 2) b false)) (fib n r false))))
(assert (forall ((n Int) (r Int)) (=> (and (<= n LIMIT) (fib n r false)) false)))
(check-sat)
"""
ADDITION = """(set-logic HORN)
(declare-fun add (Int Int Int Bool) Bool)
(set-info :sorrel-predicate "add (m input) (n input) (r output) (ok ok)")
(assert (forall ((m Int)) (add m 0 m true)))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (> n 0) (>= m 127)) (add m n r false))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (> n 0) (< m 127) (add (+ m 1) (- n 1) r true)) (add m n r true))))
(assert (forall ((m Int) (n Int) (r Int) (s Int))
  (=> (and (> n 0) (< m 127) (add (+ m 1) (- n 1) s false)) (add m n r false))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (<= 0 m 60) (<= 0 n 60) (add m n r false)) false)))
(check-sat)
"""
PRODUCT = """(set-logic HORN)
(declare-fun mult (Int Int Int) Bool)
(set-info :sorrel-predicate "mult (n input) (m input) (r output)")
(assert (forall ((n Int)) (mult n 0 0)))
(assert (forall ((n Int) (m Int) (r Int)) (=> (and (> m 0) (mult n (- m 1) r)) (mult n m (+ n r)))))
(assert (forall ((n Int) (m Int) (r Int) (s Int))
  (=> (and (> n 0) (> m 0) (mult n m r) (mult m n s) (distinct r s)) false)))
(check-sat)
"""
COUNTER = """(set-logic HORN)
(declare-fun move (Int Int Int) Bool)
(set-info :sorrel-predicate "move (n input) (count input) (after output)")
(assert (forall ((c Int)) (move 0 c c)))
(assert (forall ((n Int) (c Int) (d Int) (e Int))
  (=> (and (> n 0) (move (- n 1) (+ c 1) d) (move (- n 1) d e)) (move n c e))))
(assert (forall ((n Int) (c Int) (e Int)) (=> (and (= n 4) (move n c e) (distinct e (+ c 15))) false)))
(check-sat)
"""


def solved(text: str) -> tuple[HornSystem, Summaries | None]:
    system = read_text(text)
    return system, tabulate(system, Oracle(Budget(seconds=120).start(), query_seconds=20.0))


def accepted(text: str) -> bool:
    system, found = solved(text)
    assert found is not None
    return isinstance(check_summaries(system, found), Accepted)


def test_a_table_settles_what_is_asked_of_finitely_many_inputs() -> None:
    assert accepted(FIBONACCI.replace("LIMIT", "6"))


def test_there_is_no_table_with_an_input_that_fails() -> None:
    assert solved(FIBONACCI.replace("LIMIT", "7"))[1] is None


def test_a_sum_is_returned_as_long_as_it_is_within_its_type() -> None:
    assert accepted(ADDITION)


def test_a_product_is_the_same_in_either_order() -> None:
    assert accepted(PRODUCT)


def test_an_entry_holds_for_every_value_of_a_counter() -> None:
    assert accepted(COUNTER)


def test_limits_are_those_of_types_that_the_clauses_mention() -> None:
    assert limits(read_text(ADDITION)) == [(-128, 127)]


def test_a_function_of_samples_is_guarded_by_the_range_of_its_value() -> None:
    system = read_text(ADDITION)
    (predicate,) = system.predicates
    about = signature(predicate)
    assert about is not None
    assert about.ok == 3
    samples = [Sample((m, n), (m + n,)) for m in range(3) for n in range(3)]
    m, n, r, ok = predicate.formals
    wanted = terms.implication(
        terms.conjunction([m + n >= -128, m + n <= 127]), terms.conjunction([terms.equal(r, m + n), ok])
    )
    guessed = polynomial_pieces(about, samples, vocabulary(system), limits(system), 1)
    assert any(terms.same(piece.formula, wanted) for piece in guessed)


def test_procedures_without_roles_have_no_table() -> None:
    system = read_text("\n".join(line for line in PRODUCT.splitlines() if "set-info" not in line))
    assert signature(system.predicates[0]) is None
    assert tabulate(system, Oracle(Budget(seconds=5).start())) is None
