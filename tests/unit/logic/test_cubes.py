"""Cubes are equivalent without what their other literals say, and short."""

from __future__ import annotations

import random

import z3

from sorrel.logic import terms
from sorrel.logic.cubes import only_point, without_implied
from sorrel.logic.terms import Term

X, Y, Z = (terms.variable(name, terms.INT) for name in "xyz")
B = terms.variable("b", terms.BOOL)


def equivalent(left: list[Term], right: list[Term]) -> bool:
    solver = z3.Solver()
    solver.add(terms.conjunction(left) != terms.conjunction(right))
    return bool(solver.check() == z3.unsat)


def test_values_decide_what_is_said_beside_them() -> None:
    cube = [z3.Not(X <= 3), X == 10, Y - X == -4, z3.Not(Y <= 5), X % 3 == 1, z3.Or(B, X > 2), X + Y <= 16]
    assert without_implied(cube) == [X == 10, Y - X == -4]


def test_of_bounds_on_one_sum_the_sharpest_is_left() -> None:
    cube = [z3.Not(X <= 0), z3.Not(X <= 1), X - Y <= 4, Y - X >= -3, z3.Not(X == 1), z3.Not(X == 7), 2 * X - 2 * Y <= 7]
    left = without_implied(cube)
    assert equivalent(cube, left)
    assert len(left) == 3


def test_cubes_stay_equivalent() -> None:
    chance = random.Random(7)
    for _ in range(150):
        cube = [literal(chance) for _ in range(chance.randint(1, 9))]
        left = without_implied(cube)
        assert len(left) <= len(cube)
        assert equivalent(cube, left), cube


def literal(chance: random.Random) -> Term:
    sum_ = chance.choice([-2, -1, 0, 1, 1, 2]) * X + chance.choice([-1, 0, 0, 1]) * Y + chance.choice([0, 0, 1]) * Z
    number = chance.randint(-3, 3)
    kind = chance.randint(0, 5)
    if kind == 5:
        return chance.choice([B, z3.Not(B), X % 2 == 0, z3.Or(B, number > X)])
    return [sum_ <= number, sum_ == number, z3.Not(sum_ == number), z3.Not(sum_ <= number), sum_ > number][kind]


def test_a_cube_that_fixes_everything_is_a_point() -> None:
    assert only_point(terms.conjunction([X == 4, Y - X == 1, z3.Not(B), Y > 2]), [X, Y, B]) == {
        X: terms.integer(4),
        Y: terms.integer(5),
        B: terms.FALSE,
    }
    assert only_point(terms.conjunction([X == 4, Y >= 1, B]), [X, Y, B]) is None
    assert only_point(terms.conjunction([X == 4, X > 5, B]), [X, B]) is None
