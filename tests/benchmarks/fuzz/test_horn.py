"""Generated Horn systems and certificates: what is counted about them, and what is accepted of them."""

from __future__ import annotations

import random

import pytest
import z3

from bench.fuzz.certificates import is_solution, mutants, tried
from bench.fuzz.horn.campaign import asked
from bench.fuzz.horn.system import Atom, Clause, System, Term, drawn, least_solution

X = Term("x")
UP_TO_TWO = Clause(
    {"x": "Number"}, (Atom("p", (X,)),), Term("<", (X, Term("2"))), Atom("p", (Term("+", (X, Term("1"))),))
)


def counting(limit: int) -> System:
    """0, 1 and 2 follow; is some number above the limit among them?"""
    start = Clause({}, (), Term("true"), Atom("p", (Term("0"),)))
    query = Clause({"x": "Number"}, (Atom("p", (X,)),), Term("<", (Term(str(limit)), X)), None)
    return System({"p": ("Number",)}, (start, UP_TO_TWO, query), False)


def test_all_facts_that_follow_are_found() -> None:
    facts, wrong = least_solution(counting(2))
    assert facts == {("p", (0,)), ("p", (1,)), ("p", (2,))}
    assert not wrong
    assert least_solution(counting(1))[1]


@pytest.mark.parametrize("number", range(30))
def test_enumeration_agrees_with_z3(number: int) -> None:
    system, _ = drawn(random.Random(f"test/{number}"))
    solver = z3.SolverFor("HORN")
    solver.set("timeout", 5000)
    solver.from_string(system.text)
    answer = solver.check()
    if answer != z3.unknown:
        assert (answer == z3.unsat) is least_solution(system)[1]


def test_definitions_are_judged_by_every_instance() -> None:
    header = "(set-info :sorrel-certificate safe)"
    assert is_solution(counting(2), f"{header}(define-fun p ((x Int)) Bool (<= x 2))")
    assert not is_solution(counting(2), f"{header}(define-fun p ((x Int)) Bool (<= x 1))")
    assert not is_solution(counting(2), f"{header}(define-fun p ((x Int)) Bool (<= x 3))")


def test_each_change_is_in_one_place() -> None:
    text = "(set-info :sorrel-certificate safe)\n(define-fun p ((x Int)) Bool (<= x 2))\n"
    found = dict(mutants(random.Random(1), text, 60))
    assert len(found) >= 6
    assert all(changed.split() != text.split() for changed in found.values())


def test_changed_certificates_are_rejected_without_a_traceback() -> None:
    system = counting(2)
    outcome = asked(system.text, "spacer").outcome
    assert outcome is not None
    for how, changed in mutants(random.Random(2), outcome.certificate, 12):
        assert not tried(system, changed, how).wrong
    assert tried(system, outcome.certificate, "nothing").verdict == "accepted, valid"


def test_a_certificate_that_leaves_a_predicate_out_is_no_certificate() -> None:
    assert tried(counting(2), "(set-info :sorrel-certificate safe)", "bare").verdict == "rejected"
