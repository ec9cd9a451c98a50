"""Every interpolant of a random contradiction is one: the body implies it, the environment excludes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.interpolation import interpolate
from sorrel.smt.solver import Oracle, Unsat

Draw = Callable[[st.SearchStrategy[int]], int]


def linear(draw: Draw, variables: list[Term]) -> Term:
    constant = draw(st.integers(-4, 4))
    return sum((draw(st.integers(-2, 2)) * v for v in variables), terms.default_value(variables[0].sort())) + constant


def integer_atom(draw: Draw, variables: list[Term]) -> Term:
    term = linear(draw, variables)
    modulus = draw(st.integers(2, 4))
    return (term <= 0, term == 0, term % modulus == 0, term / modulus >= 1)[draw(st.integers(0, 3))]


def real_atom(draw: Draw, variables: list[Term]) -> Term:
    term = linear(draw, variables)
    return (term <= 0, term < 0, term == 0)[draw(st.integers(0, 2))]


def bitvector_atom(draw: Draw, variables: list[Term]) -> Term:
    term = linear(draw, variables)
    return (z3.ULE(term, 3), term <= 0, term == 1, term & 1 == 0)[draw(st.integers(0, 3))]


def array_atom(draw: Draw, variables: list[Term]) -> Term:
    array, *numbers = variables
    term = linear(draw, numbers)
    index = numbers[draw(st.integers(0, len(numbers) - 1))]
    return (array[index] <= term, array[index] == 0, term <= 0, array[term] != 1)[draw(st.integers(0, 3))]


def flag_atom(draw: Draw, variables: list[Term]) -> Term:
    flag, *numbers = variables
    term = linear(draw, numbers)
    return (flag, flag == (term > 0), z3.If(flag, term, numbers[0]) <= 0, term == 0)[draw(st.integers(0, 3))]


_array = z3.Array("a", z3.IntSort(), z3.IntSort())
# Name: how atoms look, shared variables, one local of the body, one of the environment.
THEORIES = {
    "integers": (integer_atom, z3.Ints("x y"), z3.Int("u"), z3.Int("v")),
    "reals": (real_atom, z3.Reals("x y"), z3.Real("u"), z3.Real("v")),
    "bitvectors": (bitvector_atom, z3.BitVecs("x y", 4), z3.BitVec("u", 4), z3.BitVec("v", 4)),
    "arrays": (array_atom, [_array, *z3.Ints("x y")], z3.Int("u"), z3.Int("v")),
    "flags": (flag_atom, [z3.Bool("p"), *z3.Ints("x y")], z3.Int("u"), z3.Int("v")),
}


@st.composite
def contradictions(draw: Draw, theory: str) -> tuple[Term, Term]:
    """A body that implies some formula over the shared variables, and an environment that excludes it."""
    atom, shared, of_body, of_environment = THEORIES[theory]
    between = [atom(draw, shared) for _ in range(draw(st.integers(1, 2)))]
    left = [atom(draw, [*shared, of_body]) for _ in range(draw(st.integers(1, 3)))]
    right = [atom(draw, [*shared, of_environment]) for _ in range(draw(st.integers(1, 3)))]
    body = z3.Or(*(z3.And(part, *between) for part in left))
    return body, z3.And(z3.Or(*right), z3.Not(z3.And(*between)))


def assert_interpolant(found: Term, body: Term, environment: Term, shared: list[Term]) -> None:
    oracle = Oracle()
    assert not walk.has_quantifier(found)
    assert {v.decl().name() for v in walk.free_variables(found)} <= {v.decl().name() for v in shared}
    assert oracle.entails(body, found) is True
    assert isinstance(oracle.check(found, environment), Unsat)


@pytest.mark.parametrize("theory", THEORIES)
@given(st.data())
def test_interpolant_lies_between(theory: str, data: st.DataObject) -> None:
    body, environment = data.draw(contradictions(theory))
    found = interpolate(Oracle(), body, environment, seconds=0.3)
    if found is None:
        return  # not found in time
    assert_interpolant(found, body, environment, THEORIES[theory][1])


@pytest.mark.parametrize("theory", ["integers", "flags"])
@given(st.data())
def test_interpolant_keeps_to_the_variables_it_is_given(theory: str, data: st.DataObject) -> None:
    """The last shared variable is withheld; where that leaves nothing between, the answer is None."""
    body, environment = data.draw(contradictions(theory))
    shared = THEORIES[theory][1][:-1]
    found = interpolate(Oracle(), body, environment, shared, seconds=0.1)
    if found is None:
        return  # there is none, or it was not found in time
    assert_interpolant(found, body, environment, shared)


@given(st.data())
def test_small_linear_contradictions_always_have_an_answer(data: st.DataObject) -> None:
    body, environment = data.draw(contradictions("reals"))
    assert interpolate(Oracle(), body, environment) is not None
