"""One cell and two, at the strides of arrays: what they prove is accepted on the clauses that were read."""

from __future__ import annotations

import pytest

from folders import PROGRAMS
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unknown, Verdict
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle
from sorrel.transform.aligned import aligned_cells, two_cells
from sorrel.transform.lift import Transformed
from sorrel.transform.numbers import open_numbers
from sorrel.transform.strides import Flow, lanes

OWN = PROGRAMS / "cells"


def system_of(name: str) -> HornSystem:
    return read_text((OWN / f"{name}.smt2").read_text())


def solve(system: HornSystem, passes: str, seconds: float = 60) -> Verdict:
    options = SpacerOptions(guidance=True, restarts=True, inlining=False, passes=passes)
    verdict = Spacer(options).solve(system, Circumstances(Budget(seconds=seconds).start()), {})
    if isinstance(verdict, Safe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


@pytest.mark.parametrize("name", ["ascending", "test-and-set", "unique-identity"])
def test_what_relates_two_elements_is_proved_with_two_cells(name: str) -> None:
    verdict = solve(system_of(name), "pair")
    assert isinstance(verdict, Safe)
    assert all(len(terms.bound_variables(said)) == 2 for said in verdict.summaries.values())


def test_what_relates_two_elements_is_not_proved_with_one() -> None:
    assert isinstance(solve(system_of("test-and-set"), "aligned"), Unknown)


@pytest.mark.parametrize("name", ["swap-two-bases", "reverse-copy"])
def test_arrays_with_other_beginnings_and_directions_are_proved_with_one_cell_at_their_strides(name: str) -> None:
    assert isinstance(solve(system_of(name), "cell"), Unknown)
    assert isinstance(solve(system_of(name), "aligned"), Safe)


@pytest.mark.parametrize("name", ["words-of-four", "records"])
def test_loops_to_large_numbers_are_proved_for_all_of_them(name: str) -> None:
    verdict = solve(system_of(name), "numbers+aligned")
    assert isinstance(verdict, Safe)
    assert {"n"}.isdisjoint(str(v) for said in verdict.summaries.values() for v in walk.free_variables(said))


@pytest.mark.parametrize("name", ["swap-two-bases-bug", "test-and-set-bug"])
@pytest.mark.parametrize("passes", ["aligned", "pair", "numbers+pair"])
def test_a_refutation_over_cells_says_nothing(name: str, passes: str) -> None:
    assert isinstance(solve(system_of(name), passes), Unknown)


@pytest.mark.parametrize("name", ["ascending", "test-and-set", "tickets", "swap-two-bases", "records"])
@pytest.mark.parametrize("prepared", [aligned_cells, two_cells])
def test_no_array_is_left_in_clauses_about_cells(name: str, prepared: type) -> None:
    found: Transformed | None = prepared(system_of(name), Oracle())
    assert found is not None
    assert not any(terms.is_array(v) for clause in found.system.clauses for v in clause.variables)


def test_clauses_without_arrays_are_left_alone() -> None:
    plain = read_text(
        "(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))"
    )
    assert aligned_cells(plain, Oracle()) is None
    assert two_cells(plain, Oracle()) is None
    assert open_numbers(plain, Oracle()) is None


def test_in_each_case_a_swap_asks_one_call() -> None:
    found = aligned_cells(system_of("swap-two-bases"), Oracle())
    assert found is not None
    assert len(found.system.clauses) > 3
    assert all(len(clause.body) <= 1 for clause in found.system.clauses)


TRANSPOSED = """(set-logic HORN)
(declare-fun P (Int Int Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (o Int) (a (Array Int Int)) (b (Array Int Int))) (P 0 0 n o a b)))
(assert (forall ((i Int) (j Int) (n Int) (o Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P i j n o a b) (< j n))
      (P i (+ j 1) n o a (store b (+ (* 4 n j) (* 4 i)) (select a (+ o (* 4 n i) (* 4 j))))))))
(assert (forall ((i Int) (j Int) (n Int) (o Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P i j n o a b) (>= j n)) (P (+ i 1) 0 n o a b))))
(assert (forall ((i Int) (j Int) (n Int) (o Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P i j n o a b) (< (select b (+ (* 4 n j) (* 4 i))) (select a (+ o (* 4 n i) (* 4 j))))) false)))
"""


def test_rows_of_one_matrix_are_at_the_place_of_columns_of_its_transpose() -> None:
    system = read_text(TRANSPOSED)
    found = lanes(system.clauses, Flow.of(system))
    (first,), (second,) = found["P", 4], found["P", 5]
    assert len(first.strides[0].steps) == len(second.strides[0].steps) == 2
    assert first.numbers[0] == second.numbers[0][::-1]


def mutations(said: Term) -> list[Term]:
    """The claim for all places with one comparison turned around."""
    variables = [terms.variable(name, sort) for name, sort in terms.bound_variables(said)]
    body = terms.open_quantifier(said, variables)
    atoms = {terms.identity(t): t for t in walk.subterms(body) if terms.is_comparison(t)}
    return [terms.forall(variables, terms.substitute(body, [(t, terms.negation(t))])) for t in atoms.values()]


def test_mutated_claims_about_two_cells_are_rejected() -> None:
    system = system_of("test-and-set")
    verdict = solve(system, "pair")
    assert isinstance(verdict, Safe)

    def accepted(said: Term) -> bool:
        return isinstance(check_summaries(system, {"lock": said}, seconds=0.5), Accepted)

    changed = mutations(verdict.summaries["lock"])
    assert len(changed) > 1
    assert accepted(verdict.summaries["lock"])
    assert sum(map(accepted, changed)) < len(changed) / 2
    assert not accepted(terms.TRUE)
    assert not accepted(terms.FALSE)


COUNTED = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (< x {number})) (P (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (>= x {number}) (distinct y {claimed})) false)))
"""


def test_a_number_that_becomes_an_argument_comes_back_as_itself() -> None:
    system = read_text(COUNTED.format(number=100000, claimed=100000))
    found = open_numbers(system, Oracle())
    assert found is not None
    assert not any(abs(n) > 31 for clause in found.system.clauses for n in walk.numerals(clause.constraint))
    assert isinstance(solve(system, "numbers"), Safe)


def test_neighbours_and_multiples_of_a_number_are_told_by_it() -> None:
    found = open_numbers(read_text(COUNTED.format(number=1000, claimed=2001)), Oracle())
    assert found is not None
    assert [len(p.arguments) for p in found.system.predicates] == [3]


def test_what_fails_at_its_own_number_alone_is_not_refuted_by_others() -> None:
    assert isinstance(solve(read_text(COUNTED.format(number=1000, claimed=999)), "numbers", seconds=2), Unknown)


def test_small_numbers_stay() -> None:
    assert open_numbers(read_text(COUNTED.format(number=10, claimed=10)), Oracle()) is None


def test_an_argument_that_no_clause_mentions_stands_for_itself() -> None:
    system = read_text("""(set-logic HORN)
        (declare-fun p (Int Int) Bool)
        (assert (forall ((x Int)) (=> (p x 0) false)))
        (check-sat)""")
    (predicate,) = system.predicates
    flow = Flow.of(system)
    assert flow.stays(("p", 1)) == ("p", 1)
    assert flow.formal(predicate, ("p", 1)) is not None
