"""Projections of random formulas lie on the side that they promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import z3
from hypothesis import assume, given
from hypothesis import strategies as st

from sorrel.logic import terms, walk
from sorrel.logic.evaluate import assignment_from
from sorrel.logic.terms import Term
from sorrel.smt.projection import project_cube, project_exact, project_over
from sorrel.smt.solver import Oracle, Sat, Unsat

Draw = Callable[[st.SearchStrategy[int]], int]


@dataclass(frozen=True)
class Vocabulary:
    """Shared variables first, then the ones to eliminate; `atom` draws an atom over all of them."""

    shared: tuple[Term, ...]
    eliminate: tuple[Term, ...]
    atom: Callable[[Draw, tuple[Term, ...]], Term]


def number(draw: Draw, low: int = -4, high: int = 4) -> int:
    return draw(st.integers(low, high))


def pick(draw: Draw, variables: tuple[Term, ...]) -> Term:
    return variables[draw(st.integers(0, len(variables) - 1))]


def linear(draw: Draw, variables: tuple[Term, ...]) -> Term:
    return sum((number(draw, -3, 3) * v for v in variables), terms.default_value(variables[0].sort())) + number(draw)


def integer_atom(draw: Draw, variables: tuple[Term, ...]) -> Term:
    left = linear(draw, variables)
    shapes = (
        lambda: left <= number(draw),
        lambda: left == number(draw),
        lambda: left != pick(draw, variables),
        lambda: left % number(draw, 2, 4) == number(draw, 0, 1),
        lambda: left / number(draw, 2, 3) < pick(draw, variables),
        lambda: z3.If(left > 0, pick(draw, variables), left) >= pick(draw, variables),
    )
    return shapes[number(draw, 0, len(shapes) - 1)]()


def real_atom(draw: Draw, variables: tuple[Term, ...]) -> Term:
    left = linear(draw, variables)
    shapes = (
        lambda: left < 0,
        lambda: left <= pick(draw, variables) / 2,
        lambda: left == 0,
        lambda: left != 1,
    )
    return shapes[number(draw, 0, len(shapes) - 1)]()


def bitvector_atom(draw: Draw, variables: tuple[Term, ...]) -> Term:
    left = linear(draw, variables)
    right = pick(draw, variables)
    shapes = (
        lambda: z3.ULT(left, right),
        lambda: left <= right,
        lambda: left == right * number(draw, 1, 3),
        lambda: left & right == number(draw, 0, 3),
        lambda: left >> 1 != right,
    )
    return shapes[number(draw, 0, len(shapes) - 1)]()


def array_atom(draw: Draw, variables: tuple[Term, ...]) -> Term:
    arrays = tuple(v for v in variables if z3.is_array(v))
    numbers = tuple(v for v in variables if not z3.is_array(v))
    index = pick(draw, numbers) + number(draw, 0, 2)
    array = pick(draw, arrays)
    shapes = (
        lambda: array[index] > pick(draw, numbers),
        lambda: z3.Store(array, pick(draw, numbers), index)[pick(draw, numbers)] == pick(draw, numbers),
        lambda: pick(draw, arrays) == z3.Store(array, index, pick(draw, numbers)),
        lambda: pick(draw, numbers) < index,
    )
    return shapes[number(draw, 0, len(shapes) - 1)]()


def mixed_atom(draw: Draw, variables: tuple[Term, ...]) -> Term:
    flags = tuple(v for v in variables if z3.is_bool(v))
    numbers = tuple(v for v in variables if z3.is_int(v))
    shapes = (
        lambda: pick(draw, flags),
        lambda: pick(draw, flags) == (linear(draw, numbers) > 0),
        lambda: z3.If(pick(draw, flags), linear(draw, numbers), pick(draw, numbers)) == number(draw),
        lambda: pick(draw, numbers) * pick(draw, numbers) < linear(draw, numbers),
    )
    return shapes[number(draw, 0, len(shapes) - 1)]()


INTEGERS = Vocabulary(tuple(z3.Ints("x y")), tuple(z3.Ints("u v")), integer_atom)
REALS = Vocabulary(tuple(z3.Reals("x y")), tuple(z3.Reals("u v")), real_atom)
BITVECTORS = Vocabulary(tuple(z3.BitVecs("x y", 3)), tuple(z3.BitVecs("u v", 3)), bitvector_atom)
_array = z3.ArraySort(z3.IntSort(), z3.IntSort())
ARRAYS = Vocabulary((*z3.Ints("x y"), z3.Const("a", _array)), (z3.Int("u"), z3.Const("b", _array)), array_atom)
MIXED = Vocabulary((*z3.Ints("x y"), z3.Bool("p")), (z3.Int("u"), z3.Bool("q")), mixed_atom)
VOCABULARIES = {
    "integers": INTEGERS,
    "reals": REALS,
    "bitvectors": BITVECTORS,
    "arrays": ARRAYS,
    "mixed": MIXED,
}


@st.composite
def formulas(draw: Draw, vocabulary: Vocabulary, depth: int = 2) -> Term:
    """Boolean structure over atoms that may mention every variable."""
    variables = vocabulary.shared + vocabulary.eliminate
    layer = [vocabulary.atom(draw, variables) for _ in range(1 << depth)]
    while len(layer) > 1:
        layer = [_combine(draw, left, right) for left, right in zip(layer[::2], layer[1::2], strict=True)]
    return layer[0]


def _combine(draw: Draw, left: Term, right: Term) -> Term:
    shapes = (
        lambda: z3.And(left, right),
        lambda: z3.And(left, right),
        lambda: z3.Or(left, right),
        lambda: z3.Implies(left, right),
        lambda: z3.And(z3.Not(left), right),
        lambda: left == right,
    )
    return shapes[number(draw, 0, len(shapes) - 1)]()


every_vocabulary = pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES.keys())


def assert_within(result: Term, formula: Term, vocabulary: Vocabulary) -> None:
    """result ⇒ ∃ eliminate. formula: by a quantified query, and at three points where that is undecided."""
    oracle = Oracle(query_seconds=0.05)
    if not any(map(z3.is_array, vocabulary.eliminate)):  # with arrays z3 may overlook its time limit
        outside = terms.forall(vocabulary.eliminate, terms.negation(formula))
        match oracle.check(result, outside):
            case Unsat():
                return
            case Sat(model):
                assert_at(model, formula, vocabulary)
    session = oracle.session()
    session.add(result)
    for _ in range(3):
        match session.check():
            case Sat(model):
                session.add(z3.Not(z3.And(assert_at(model, formula, vocabulary))))
            case _:
                return


def assert_at(model: z3.ModelRef, formula: Term, vocabulary: Vocabulary) -> list[Term]:
    """The formula has a model with these values of the shared variables."""
    point = [variable == value for variable, value in assignment_from(model, vocabulary.shared).items()]
    assert not isinstance(Oracle(query_seconds=2.0).check(formula, *point), Unsat), point
    return point


def is_compound(literal: Term) -> bool:
    return any(z3.is_app_of(literal, kind) for kind in (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES, z3.Z3_OP_ITE))


def assert_speaks_of_shared(result: Term, vocabulary: Vocabulary) -> None:
    assert not walk.has_quantifier(result)
    assert {v.decl().name() for v in walk.free_variables(result)} <= {v.decl().name() for v in vocabulary.shared}


@every_vocabulary
@given(st.data())
def test_projection_around_a_model_is_true_there_and_within(vocabulary: Vocabulary, data: st.DataObject) -> None:
    formula = data.draw(formulas(vocabulary))
    oracle = Oracle()
    answer = oracle.check(formula)
    assume(isinstance(answer, Sat))
    assert isinstance(answer, Sat)
    cube = project_cube(oracle, formula, answer.model, vocabulary.eliminate)
    assert not any(map(is_compound, cube))
    result = terms.conjunction(cube)
    assert_speaks_of_shared(result, vocabulary)
    assert terms.is_true(answer.model.eval(result, model_completion=True))
    assert_within(result, formula, vocabulary)


@every_vocabulary
@given(st.data(), st.sampled_from([0, 4]))
def test_exact_projection_is_equivalent(vocabulary: Vocabulary, data: st.DataObject, cubes: int) -> None:
    formula = data.draw(formulas(vocabulary))
    result = project_exact(Oracle(), formula, vocabulary.eliminate, seconds=0.1, cubes=cubes)
    if result is None:
        return  # not found in time
    assert_speaks_of_shared(result, vocabulary)
    assert Oracle().entails(formula, result) is not False
    assert_within(result, formula, vocabulary)


@every_vocabulary
@given(st.data(), st.sampled_from([0.0, 0.1]))
def test_over_approximation_is_implied(vocabulary: Vocabulary, data: st.DataObject, seconds: float) -> None:
    formula = data.draw(formulas(vocabulary))
    result = project_over(Oracle(), formula, vocabulary.eliminate, seconds)
    assert_speaks_of_shared(result, vocabulary)
    assert Oracle().entails(formula, result) is not False
