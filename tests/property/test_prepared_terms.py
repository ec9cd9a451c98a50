"""Bit-vectors as integers and back have the same value everywhere; instances and cells only ever weaken."""

from __future__ import annotations

from typing import Any

import z3
from hypothesis import assume, given
from hypothesis import strategies as st

from sorrel.logic import terms, walk
from sorrel.logic.cells import Cells
from sorrel.logic.evaluate import evaluate
from sorrel.logic.instances import without_quantifiers
from sorrel.logic.names import Names
from sorrel.logic.residues import Integers
from sorrel.logic.terms import Term
from sorrel.logic.widening import NotBits, Widening

WIDTH = 5
X, Y, Z = z3.BitVecs("x y z", WIDTH)
BINARY = (
    *(lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, z3.UDiv, z3.URem, lambda a, b: a / b, z3.SRem),
    *(lambda a, b: z3.Extract(WIDTH - 1, 0, z3.Concat(a, b)), lambda a, b: z3.Extract(WIDTH, 1, z3.Concat(a, b))),
    *(lambda a, b: z3.Extract(WIDTH - 1, 0, z3.SignExt(3, a) + z3.ZeroExt(3, b)),),
)
UNARY = (
    *(lambda a: -a, lambda a: ~a, lambda a: a << 2, lambda a: z3.LShR(a, 1), lambda a: a >> 2, lambda a: a & 3),
    *(lambda a: a * 29, lambda a: a + 17),
)
COMPARED = (
    *(lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a <= b, lambda a, b: a < b, lambda a, b: a > b),
    *(z3.ULE, z3.ULT, z3.UGE, lambda a, b: a >= b),
)


def words() -> st.SearchStrategy[Any]:
    leaves = st.one_of(st.sampled_from([X, Y, Z]), st.integers(0, 31).map(lambda n: z3.BitVecVal(n, WIDTH)))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(lambda f, a: f(a), st.sampled_from(UNARY), inner),
            st.builds(lambda f, a, b: f(a, b), st.sampled_from(BINARY), inner, inner),
            st.builds(lambda f, a, b, c: z3.If(f(a, b), a, c), st.sampled_from(COMPARED), inner, inner, inner),
        ),
        max_leaves=6,
    )


formulas = st.builds(lambda f, a, b: f(a, b), st.sampled_from(COMPARED), words(), words())
points = st.tuples(*[st.integers(0, 31)] * 3)


def signed(value: int) -> int:
    return value - 32 if value >= 16 else value


@given(formula=formulas, point=points)
def test_a_formula_about_bits_has_the_same_value_over_integers_and_over_wider_bits(
    formula: Term, point: tuple[int, int, int]
) -> None:
    integers = Integers()
    over_integers = integers.formula(formula)
    assert not any(map(terms.is_bitvector, walk.subterms(over_integers)))
    bits = [(v, z3.BitVecVal(n, WIDTH)) for v, n in zip((X, Y, Z), point, strict=True)]
    numbers = [(terms.variable(str(v), terms.INT), z3.IntVal(signed(n))) for v, n in zip((X, Y, Z), point, strict=True)]
    expected = evaluate(formula, bits)
    assert terms.same(evaluate(over_integers, numbers), expected)
    try:
        wide = Widening({number: word for word, number in integers.variables.items()}).formula(over_integers)
    except NotBits:
        assume(False)
    assert terms.same(evaluate(wide, bits), expected)


A, B = (z3.Array(name, z3.IntSort(), z3.IntSort()) for name in "ab")
M, J = z3.Ints("i j")


def arrays() -> st.SearchStrategy[Any]:
    indices = st.sampled_from([M, J, M + 1, z3.IntVal(0)])
    return st.recursive(
        st.sampled_from([A, B, z3.K(z3.IntSort(), z3.IntVal(3))]),
        lambda inner: st.one_of(
            st.builds(z3.Store, inner, indices, st.sampled_from([M, J, A[M], B[J + 1]])),
            st.builds(lambda a, b: z3.If(M < J, a, b), inner, inner),
        ),
        max_leaves=3,
    )


array_formulas = st.one_of(
    st.builds(lambda a, b: a[M] <= b[J], arrays(), arrays()),
    st.builds(lambda a, b: a == b, arrays(), arrays()),
    st.builds(lambda a, b: z3.And(a != b, a[J] == b[J]), arrays(), arrays()),
    st.builds(lambda a, b: z3.Or(a == b, a[M] < 0), arrays(), arrays()),
)


@given(first=array_formulas, second=array_formulas)
def test_what_has_no_model_over_cells_has_none_over_arrays(first: Term, second: Term) -> None:
    found = Cells(Names(["i", "j", "a", "b"]))
    parts = [found.scalar(first), found.scalar(second)]
    parts += found.agreements([(M,), (J,)])
    parts += found.congruence()
    assert not any(map(terms.is_array, (s for p in parts for s in walk.subterms(p))))
    if z3_check(*parts) == z3.unsat:
        assert z3_check(first, second) == z3.unsat


@given(first=array_formulas, second=array_formulas, low=st.integers(-2, 2))
def test_instances_refute_only_what_has_no_model(first: Term, second: Term, low: int) -> None:
    k = z3.Int("k")
    claim = z3.ForAll([k], z3.Implies(k >= low, A[k] == B[k] + low))
    formula = z3.And(first, claim, z3.Or(second, z3.Not(z3.ForAll([k], A[k] >= B[k]))))
    weaker = without_quantifiers(formula)
    assert weaker is not None
    assert not walk.has_quantifier(weaker)
    if z3_check(weaker) == z3.unsat:
        assert z3_check(formula) != z3.sat


def z3_check(*formulas: Term) -> z3.CheckSatResult:
    solver = z3.Solver()
    solver.set("timeout", 2000)
    solver.add(*formulas)
    return solver.check()
