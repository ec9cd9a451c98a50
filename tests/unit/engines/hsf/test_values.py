"""Arguments with few values: which they are, and that the loop keeps their values."""

from __future__ import annotations

from sorrel.engines.engine import Circumstances
from sorrel.engines.hsf.abstraction import Abstraction
from sorrel.engines.hsf.engine import Hsf
from sorrel.engines.hsf.options import HsfOptions
from sorrel.engines.hsf.predicates import MOST_VALUES, Predicates
from sorrel.engines.hsf.rules import rules_of
from sorrel.engines.hsf.tracking import matched, sources, trackable
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.smt.solver import Oracle

MACHINE = """
(set-logic HORN)
(declare-fun machine (Int Int Int Int) Bool)
(assert (forall ((n Int)) (machine 0 0 0 n)))
(assert (forall ((f Int) (c Int) (n Int)) (=> (machine 0 f c n) (machine 1 1 (+ c 1) n))))
(assert (forall ((f Int) (c Int) (n Int) (b Bool)) (=> (machine 1 f c n) (machine (ite b 2 1) f c n))))
(assert (forall ((s Int) (f Int) (c Int) (n Int)) (=> (and (machine s f c n) (= s 2) (not (= f 1))) false)))
"""
STATE, FLAG, COUNT, INPUT = (("machine", position) for position in range(4))


def test_states_and_flags_have_few_values_and_counters_and_inputs_do_not() -> None:
    system = read_text(MACHINE)
    assert set(trackable(system)) == {STATE, FLAG}
    assert set(matched(system)) == {STATE}


def test_who_tracks_a_copy_tracks_what_it_is_a_copy_of() -> None:
    given = {STATE: frozenset({FLAG}), FLAG: frozenset({STATE})}
    assert sources(STATE, given) == {STATE, FLAG}


def test_each_value_of_a_tracked_argument_is_a_fact_of_its_own() -> None:
    system = read_text(MACHINE)
    table = Predicates(system)
    table.track(*STATE)
    start, first, again, _ = rules_of(system.clauses, {}, 1)
    abstraction = Abstraction(table, Oracle())
    (zero,) = abstraction.apply(start, ())
    (one,) = abstraction.apply(first, (zero,))
    values = [table.values_of("machine", chosen) for chosen in abstraction.apply(again, (one,))]
    assert {terms.as_number(value) for found in values for _, value in found} == {1, 2}
    assert abstraction.apply(again, (zero,)) == ()


def test_what_a_rule_leaves_alone_stays_known_without_a_question() -> None:
    system = read_text(MACHINE)
    table = Predicates(system)
    table.track(*STATE)
    n = system.predicate["machine"].formals[3]
    table.add("machine", n >= 7)
    oracle = Oracle()
    abstraction = Abstraction(table, oracle)
    start, first, *_ = rules_of(system.clauses, {}, 1)
    (zero,) = abstraction.apply(start, ())
    (one,) = abstraction.apply(first, (zero,))
    asked = oracle.statistics.tally("hsf.abstract").count
    assert abstraction.apply(first, (zero | 1,)) == (one | 1,)
    assert oracle.statistics.tally("hsf.abstract").count == asked


def test_an_argument_with_too_many_values_has_no_predicate_for_the_next() -> None:
    system = read_text(MACHINE)
    table = Predicates(system)
    table.track(*STATE)
    indices = [table.value(*STATE, terms.integer(number)) for number in range(MOST_VALUES + 1)]
    assert indices == [*range(MOST_VALUES), None]


def test_a_machine_is_proved_by_the_values_of_its_flag_alone() -> None:
    system = read_text(MACHINE)
    verdict = Hsf(HsfOptions()).solve(system, Circumstances(explain=True), {})
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)
    assert {step.rule for step in verdict.explanation.deductions} == {"ADDPREDS, its values"}
