"""Guess and check: what survives is inductive, and what points refute is never built."""

from __future__ import annotations

from sorrel.evidence.result import Accepted
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends.smtlib import read_text
from sorrel.guess.houdini import Houdini
from sorrel.guess.points import sample
from sorrel.guess.pool import pool
from sorrel.guess.roles import with_roles
from sorrel.guess.templates import guarded, guesses
from sorrel.guess.views import frame
from sorrel.guess.vocabulary import vocabularies, vocabulary
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle

LOOP = """(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (forall ((i Int) (s Int)) (=> (and (= i 0) (= s 0)) (loop i s))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i 10)) (loop (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (not (= s (* 2 i)))) false)))
(check-sat)
"""
PARITY = """(set-logic HORN)
(declare-fun even (Int Bool) Bool)
(declare-fun odd (Int Bool) Bool)
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) r) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) (not r)) (odd x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (> x 0) (odd (- x 1) r)) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (> x 0) (even (- x 1) r)) (odd x r))))
(assert (forall ((x Int)) (=> (and (even x true) (odd x true)) false)))
(check-sat)
"""


def oracle() -> Oracle:
    return Oracle(Budget(seconds=30).start())


def parities(system: HornSystem) -> dict[str, list[dict[terms.Term, terms.Term]]]:
    """Some derivable values of even and odd."""
    found: dict[str, list[dict[terms.Term, terms.Term]]] = {}
    for name, rest in (("even", 0), ("odd", 1)):
        x, r = system.predicate[name].formals
        truth = {True: terms.TRUE, False: terms.FALSE}
        found[name] = [{x: terms.integer(n), r: truth[n % 2 == rest]} for n in range(3)]
    return found


def without_queries(system: HornSystem) -> HornSystem:
    return system.with_clauses(c for c in system.clauses if not c.is_query)


def test_houdini_keeps_the_largest_inductive_subset() -> None:
    system = read_text(LOOP)
    i, s = system.predicate["loop"].formals
    good = [i >= 0, i <= 10, s == 2 * i]
    bad = [i <= 9, s >= 5, i < s]
    survivors = Houdini(system, {"loop": [*bad, *good]}, oracle(), {}).run()
    assert [str(term) for term in survivors["loop"]] == [str(term) for term in good]


def test_survivors_are_accepted_as_summaries() -> None:
    system = read_text(PARITY)
    x, r = system.predicate["even"].formals
    y, t = system.predicate["odd"].formals
    candidates = {
        "even": [terms.implication(r, x % 2 == 0), x >= 0, x >= 1],
        "odd": [terms.implication(t, y % 2 == 1), y >= 0, terms.negation(t)],
    }
    survivors = Houdini(system, candidates, oracle(), {}).run()
    summaries = {name: terms.conjunction(kept) for name, kept in survivors.items()}
    assert {name: len(kept) for name, kept in survivors.items()} == {"even": 2, "odd": 2}
    assert isinstance(check_summaries(without_queries(system), summaries), Accepted)


def test_support_is_a_solution_by_itself() -> None:
    system = read_text(LOOP)
    i, s = system.predicate["loop"].formals
    houdini = Houdini(system, {"loop": [i >= 0, i <= 10, s == 2 * i, s >= 0]}, oracle(), {})
    houdini.run()
    support = houdini.support()
    assert support is not None
    assert [str(term) for term in support["loop"]] == [str(s == 2 * i)]


def test_a_part_of_the_survivors_is_inductive_by_itself() -> None:
    system = read_text(LOOP)
    i, s = system.predicate["loop"].formals
    houdini = Houdini(system, {"loop": [s >= 0, i <= 10, s == 2 * i, i >= 0]}, oracle(), {})
    houdini.run()
    part = {name: terms.conjunction(found) for name, found in houdini.part(1).items()}
    assert isinstance(check_summaries(without_queries(system), part), Accepted)


def test_no_time_leaves_no_survivors() -> None:
    system = read_text(LOOP)
    i, _ = system.predicate["loop"].formals
    survivors = Houdini(system, {"loop": [i >= 0]}, Oracle(Budget(seconds=0).start()), {}).run()
    assert survivors == {"loop": []}


def test_points_refute_guesses() -> None:
    system = read_text(PARITY)
    predicate = system.predicate["even"]
    words = vocabulary(system)
    points = [(0, True), (1, False), (2, True), (7, False)]
    kept = {guess.text for guess in guesses(frame(predicate), points, words)}
    assert "1*x >= 0" in kept
    assert "1*x <= 2" not in kept
    assert "r" not in kept
    implied = {guess.text for guess in guarded(frame(predicate), points, words, [])}
    assert "r => 1*x = 0 mod 2" in implied
    assert "r => 1*x = 1 mod 2" not in implied


def test_affine_equations_are_found_from_points() -> None:
    system = read_text(LOOP)
    points = [(0, 0), (1, 2), (2, 4), (5, 10)]
    texts = [guess.text for guess in guesses(frame(system.predicate["loop"]), points, vocabulary(system))]
    assert "2*i + -1*s == 0" in texts


def test_samples_satisfy_their_formula_and_differ() -> None:
    x = terms.variable("x", terms.INT)
    points = list(sample(terms.conjunction([x >= 3, x <= 9]), [x], oracle()))
    values = [terms.as_number(point[x]) for point in points]
    assert len(set(values)) == len(values) >= 2
    assert all(value is not None and 3 <= value <= 9 for value in values)


def test_the_pool_relates_two_calls() -> None:
    system = read_text(PARITY)
    points = parities(system)
    harvest = pool(system, points, oracle())
    assert harvest.solution is not None
    assert isinstance(check_summaries(system, harvest.solution), Accepted)


def test_facts_of_the_pool_are_inductive_even_if_they_settle_nothing() -> None:
    system = read_text(PARITY.replace("(odd x true)", "(odd (+ x 1) true)"))
    points = parities(system)
    harvest = pool(system, points, oracle())
    assert harvest.solution is None
    facts = {name: terms.conjunction(found) for name, found in harvest.facts.items()}
    assert isinstance(check_summaries(without_queries(system), facts), Accepted)


FILL = """(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (>= i n) (fill a i n a))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (b (Array Int Int)))
  (=> (and (< i n) (fill a (+ i 1) n b)) (fill a i n (store b i 7)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (b (Array Int Int)) (k Int))
  (=> (and (fill a i n b) (<= i k) (< k n) (distinct (select b k) 7)) false)))
(check-sat)
"""


def test_a_summary_about_all_elements_is_found_and_accepted() -> None:
    """The index of the claim is no argument: only a quantified summary will do."""
    system = read_text(FILL)
    _, i, n, b = system.predicate["fill"].formals
    index = terms.variable("index!", terms.INT)
    inside = terms.conjunction([index >= i, index < n])
    all_set = terms.forall([index], terms.implication(inside, terms.select(b, index) == 7))
    houdini = Houdini(system, {"fill": [all_set, n > i]}, oracle(), {})
    assert [terms.is_forall(term) for term in houdini.run()["fill"]] == [True]
    support = houdini.support()
    assert support is not None
    summaries = {name: terms.conjunction(found) for name, found in support.items()}
    assert isinstance(check_summaries(system, summaries), Accepted)


def test_moduli_are_tried_where_the_points_speak_for_them() -> None:
    system = read_text(LOOP.replace("(+ s 2)", "(+ s 5)"))
    fives = {"loop": [(i, 5 * i) for i in range(8)]}
    anything = {"loop": [(i, i * i) for i in range(8)]}
    assert any(5 in words.moduli for words in vocabularies(system, {"loop": [(i, 6 * i) for i in range(8)]}))
    assert any(4 in words.moduli for words in vocabularies(system, fives))
    assert len(vocabularies(system, anything)) == 1


def test_bit_vectors_have_templates_of_their_own() -> None:
    system = read_text(
        """(set-logic HORN)
(declare-fun step ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (=> (= x #x00) (step x))))
(assert (forall ((x (_ BitVec 8))) (=> (step x) (step (bvadd x #x02)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (step x) (= x #x07)) false)))
(check-sat)
"""
    )
    (x,) = system.predicate["step"].formals
    values = [{x: terms.bitvector(n, 8)} for n in (0, 2, 4, 254)]
    harvest = pool(system, {"step": values}, oracle())
    assert harvest.solution is not None
    assert isinstance(check_summaries(system, harvest.solution), Accepted)


def test_results_are_what_the_arguments_before_them_determine() -> None:
    system = read_text("""(set-logic HORN)
        (declare-fun divide (Int Int Int Int) Bool)
        (declare-fun below (Int Int) Bool)
        (assert (forall ((q Int) (r Int)) (=> (and (<= 0 r) (< r 3)) (divide (+ (* 3 q) r) 3 q r))))
        (assert (forall ((x Int) (y Int)) (=> (< y x) (below x y))))""")
    points: dict[str, list[tuple[int, ...]]] = {
        "divide": [(7, 3, 2, 1), (8, 3, 2, 2), (9, 3, 3, 0)],
        "below": [(3, 1), (3, 2), (4, 2)],
    }
    samples = {
        name: [dict(zip(system.predicate[name].formals, map(terms.integer, point), strict=True)) for point in found]
        for name, found in points.items()
    }
    roles = {p.name: [str(a.role) for a in p.arguments] for p in with_roles(system, samples).predicates}
    # Where the dividend alone tells the rest, a constant divisor passes for a result, too.
    assert roles["divide"] == ["input", "output", "output", "output"]
    assert roles["below"] == ["input", "input"]
