"""Invariants with cases, sums and remainders are learned from points; what is derived so is a counterexample."""

from __future__ import annotations

from random import Random

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import TreesOptions
from sorrel.engines.trees.engine import Trees
from sorrel.engines.trees.learner import Learner
from sorrel.engines.trees.samples import Samples
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.model.budget import Budget

LOOP = """(set-logic HORN)
(declare-fun P ({sorts}) Bool)
(assert (forall ({vars}) (=> {first} (P {names}))))
(assert (forall ({vars}) (=> (and (P {names}) {guard}) (P {next}))))
(assert (forall ({vars}) (=> (and (P {names}) {bad}) false)))
"""


def loop(names: str, first: str, guard: str, following: str, bad: str) -> str:
    each = names.split()
    declared = " ".join(f"({name} Int)" for name in each)
    return LOOP.format(
        sorts=" ".join("Int" for _ in each),
        vars=declared,
        names=names,
        first=first,
        guard=guard,
        next=following,
        bad=bad,
    )


UP_THEN_DOWN = loop(
    "x y",
    "(and (= x 0) (= y 5))",
    "(< x 10)",
    "(+ x 1) (ite (< x 5) y (+ y 1))",
    "(and (= x 10) (not (= y 10)))",
)
THREE = loop("x y z", "(and (= x 0) (= y 0) (= z 0))", "true", "(+ x 1) (+ y 2) (+ z 3)", "(not (= (+ x y) z))")
EVEN = loop("x", "(= x 0)", "(< x 1000)", "(+ x 2)", "(= x 501)")
ODD = loop("x", "(= x 0)", "(< x 9)", "(+ x 2)", "(= x 8)")
CALLS = """(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (<= n 0) (= r 0)) (f n r))))
(assert (forall ((n Int) (r Int) (s Int)) (=> (and (> n 0) (f (- n 1) r) (f (- n 1) s)) (f n (+ r s {more})))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) {bad}) false)))
"""


def solved(text: str, seconds: float = 20) -> Verdict:
    system = read_text(text)
    verdict = Trees(TreesOptions()).solve(system, Circumstances(Budget(seconds=seconds).start()), {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


@pytest.mark.parametrize(
    "text",
    [UP_THEN_DOWN, pytest.param(THREE, marks=pytest.mark.long), EVEN, CALLS.format(more=1, bad="(< r 0)")],
    ids=["cases", "a sum of three", "remainders", "several calls"],
)
def test_a_tree_is_a_solution(text: str) -> None:
    assert isinstance(solved(text), Safe)


@pytest.mark.parametrize("text", [ODD, CALLS.format(more=1, bad="(= r 3)")], ids=["a loop", "several calls"])
def test_points_that_follow_from_each_other_are_a_derivation(text: str) -> None:
    assert isinstance(solved(text), Unsafe)


def test_where_time_ends_nothing_is_said() -> None:
    assert isinstance(solved(loop("x y", "(and (= x 1) (= y 1))", "true", "y (+ x y)", "(= x 46367)"), 0.2), Unknown)


def test_bit_vectors_have_no_runs_but_an_answer() -> None:
    text = """(set-logic HORN)
    (declare-fun P ((_ BitVec 8)) Bool)
    (assert (forall ((x (_ BitVec 8))) (=> (= (bvxor x #x01) #x00) (P x))))
    (assert (forall ((x (_ BitVec 8))) (=> (P x) (P (bvadd x #x02)))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (P x) (= x #x04)) false)))
    """
    assert isinstance(solved(text, 3), Unknown)


def test_trees_agree_with_all_implications() -> None:
    system = read_text(EVEN)
    first, step, bad = system.clauses
    samples = Samples()

    def add(clause: object, value: int) -> None:
        chosen = next(each for each in system.clauses if each is clause)
        samples.add(chosen, {variable: terms.integer(value) for variable in chosen.variables})

    add(first, 0)
    for value in (0, 2, 40, 501, 499):
        add(step, value)
    add(bad, 501)
    (predicate,) = system.predicates
    candidate = Learner.of(system, samples).candidate()
    assert candidate is not None

    def says(value: int) -> bool:
        return terms.is_true(evaluate(candidate[predicate.name], [(predicate.formals[0], terms.integer(value))]))

    assert [says(value) for value in (0, 2, 4)] == [True] * 3
    assert [says(value) for value in (501, 499)] == [False] * 2
    assert says(42) or not says(40)


TWO_PREMISES = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (P x)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (P x) (P y)) (P z))))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) false)))
"""
Seen = tuple[tuple[int, ...], int | None]


def closure(seen: list[Seen], true: set[int]) -> dict[int, bool] | None:
    """All that follows, by looking at everything again and again; None if there is a contradiction."""
    labels = dict.fromkeys(true, True)
    while True:
        before = dict(labels)
        for premises, conclusion in seen:
            open_ = {point for point in premises if point not in labels}
            is_met = all(labels.get(point, True) for point in premises)
            wrong = conclusion is None or labels.get(conclusion) is False
            if is_met and not open_ and wrong:
                return None
            if is_met and not open_ and conclusion is not None:
                labels[conclusion] = True
            if is_met and len(open_) == 1 and wrong:
                labels[open_.pop()] = False
        if labels == before:
            return labels


@pytest.mark.parametrize("seed", range(8))
def test_labels_are_all_that_follows_from_what_was_seen(seed: int) -> None:
    system = read_text(TWO_PREMISES)
    chance, samples = Random(seed), Samples()
    seen: list[Seen] = []
    supposed: set[int] = set()
    for _ in range(40):
        clause = chance.choices(system.clauses, weights=[1, 6, 3])[0]
        values = [chance.randrange(12) for _ in clause.variables]
        if chance.random() < 0.1:
            samples.suppose("P", (terms.integer(values[0]),))
            supposed.add(values[0])
            continue
        at = dict(zip(clause.variables, map(terms.integer, values), strict=True))
        if not samples.add(clause, at):
            continue
        atoms = [int(str(evaluate(atom.arguments[0], at))) for atom in clause.body]
        head = int(str(evaluate(clause.head.arguments[0], at))) if clause.head else None
        seen.append((tuple(atoms), head))
        if samples.refuted is not None:
            return
        told = {int(samples.points[point][0]): label for point, label in samples.labels.items()}  # type: ignore[arg-type]
        everything = closure(seen, supposed)
        if everything is not None:
            assert told == everything
        else:
            assert all(told.values())
