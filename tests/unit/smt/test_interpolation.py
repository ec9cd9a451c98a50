"""Interpolants of particular contradictions: each way finds one, and the first one that does answers."""

from __future__ import annotations

import pytest
import z3

from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.smt import interpolation
from sorrel.smt.interpolation import interpolate
from sorrel.smt.solver import Oracle, Unsat

x, y, u, v = z3.Ints("x y u v")
p, q = z3.Bools("p q")
b, c, d = z3.BitVecs("b c d", 8)

METHODS = ["interpolate.cube", "interpolate.weakest", "interpolate.spacer", "interpolate.strongest"]
CONTRADICTIONS = {
    "parity": (z3.And(x == 2 * u, u > 3), x == 2 * v + 1),
    "bounds": (z3.And(x >= u, u >= 0, y > x), z3.And(y <= v, v <= 0)),
    "cases": (
        z3.Or(z3.And(x == 0, y == 1), z3.And(x == u + 1, y == 2 * u + 3, u >= 0)),
        z3.And(y < v, v <= x),
    ),
    "flags": (z3.And(p == (x > 0), z3.Or(p, q), u > 0, z3.Not(q)), z3.And(x + v == 0, v >= 0)),
}
every_contradiction = pytest.mark.parametrize("name", CONTRADICTIONS)


def assert_interpolant(found: Term | None, body: Term, environment: Term, *shared: Term) -> None:
    assert found is not None
    assert not walk.has_quantifier(found)
    assert {v.decl().name() for v in walk.free_variables(found)} <= {v.decl().name() for v in shared}
    assert Oracle().entails(body, found) is True
    assert isinstance(Oracle().check(found, environment), Unsat)


def answered(oracle: Oracle) -> list[str]:
    tallies = oracle.statistics.tallies
    return [kind for kind in METHODS if kind in tallies and tallies[kind].count > tallies[kind].undecided]


@every_contradiction
@pytest.mark.parametrize("method", METHODS)
def test_every_way_finds_one(name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body, environment = CONTRADICTIONS[name]
    only = tuple(pair for pair in interpolation._METHODS if pair[0] == method)
    monkeypatch.setattr(interpolation, "_METHODS", only)
    oracle = Oracle()
    assert_interpolant(interpolate(oracle, body, environment, seconds=5.0), body, environment, x, y)
    assert answered(oracle) == [method]


@every_contradiction
def test_cheapest_way_answers_first(name: str) -> None:
    oracle = Oracle()
    interpolate(oracle, *CONTRADICTIONS[name])
    assert answered(oracle) == ["interpolate.cube"]


def test_spacer_generalises_where_cubes_only_enumerate() -> None:
    oracle = Oracle()
    found = interpolate(oracle, b == 2 * c, b == 2 * d + 1, seconds=10.0)
    assert_interpolant(found, b == 2 * c, b == 2 * d + 1, b)
    assert answered(oracle) == ["interpolate.spacer"]
    assert found is not None
    assert walk.size(found) < 10


def test_bit_tests_of_spacer_become_smtlib(monkeypatch: pytest.MonkeyPatch) -> None:
    only = tuple(pair for pair in interpolation._METHODS if pair[0] == "interpolate.spacer")
    monkeypatch.setattr(interpolation, "_METHODS", only)
    found = interpolate(Oracle(), b == c + c, z3.Extract(0, 0, b) == 1, seconds=5.0)
    assert found is not None
    assert "bit2bool" not in found.sexpr()


def test_literals_and_clauses_without_use_are_dropped() -> None:
    body = z3.And(x > 5, y > 5, u == x + y)
    found = interpolate(Oracle(), body, z3.And(x < 3, y < 40, v > x))
    assert_interpolant(found, body, z3.And(x < 3, y < 40, v > x), x)


def test_half_of_an_equation_is_enough() -> None:
    found = interpolate(Oracle(), z3.And(x > u, u > 5), x == 3)
    assert_interpolant(found, x > 6, x < 4, x)


def test_nothing_lies_between_formulas_with_a_common_model() -> None:
    oracle = Oracle()
    assert interpolate(oracle, x > u, x < v) is None
    assert "interpolate.spacer" not in oracle.statistics.tallies


def test_nothing_lies_between_when_the_decisive_variable_is_withheld() -> None:
    assert interpolate(Oracle(), z3.And(x > 3, y > 3), z3.And(x > 3, y < 3), [x]) is None


def test_contradictory_sides_give_constants() -> None:
    nothing = interpolate(Oracle(), z3.And(u > 0, u < 0), x > 0)
    everything = interpolate(Oracle(), x > 0, z3.And(v > 0, v < 0))
    assert nothing is not None
    assert everything is not None
    assert terms.is_false(nothing)
    assert terms.is_true(everything)


def test_no_time_means_no_interpolant() -> None:
    assert interpolate(Oracle(Budget(seconds=0.0).start()), x > 3, x < 3) is None
    assert interpolate(Oracle(), x > 3, x < 3, seconds=0.0) is None
