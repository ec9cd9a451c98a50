"""Bit-vector terms run as Python and as circuits give what z3 gives."""

from __future__ import annotations

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from sorrel.logic.compiled import compiled
from sorrel.logic.listing import NotListed, listing, width_of
from sorrel.smt.bits import constant, encode
from sorrel.smt.sat import Circuit
from sorrel.smt.statistics import Statistics

WIDTH = 5
X, Y = z3.BitVecs("x y", WIDTH)
B = z3.Bool("b")
VARIABLES = [X, Y, B]

_WORD_OPERATORS = [
    *(lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a & b, lambda a, b: a | b),
    *(lambda a, b: a ^ b, z3.UDiv, z3.URem, lambda a, b: a << b, z3.LShR, lambda a, b: a >> b),
    lambda a, b: z3.Extract(WIDTH - 1, 0, z3.ZeroExt(3, a) * z3.SignExt(3, b)),
    lambda a, b: z3.Concat(z3.Extract(1, 0, a), z3.Extract(WIDTH - 1, 2, b)),
    lambda a, b: z3.Extract(WIDTH, 1, z3.SignExt(4, a) + z3.ZeroExt(4, b)),
]
_RELATIONS = [
    *(lambda a, b: a == b, z3.ULT, z3.ULE, z3.UGT, z3.UGE, lambda a, b: a < b, lambda a, b: a <= b),
    *(lambda a, b: a > b, lambda a, b: a >= b, lambda a, b: z3.Distinct(a, b, X)),
]
_CONNECTIVES = [
    z3.And,
    z3.Or,
    z3.Xor,
    z3.Implies,
    lambda p, q: p == q,
    lambda p, q: z3.Not(p) if q is p else z3.And(p, q),
]


def words(depth: int) -> st.SearchStrategy[z3.ExprRef]:
    leaf = st.one_of(st.sampled_from([X, Y]), st.integers(0, 2**WIDTH - 1).map(lambda n: z3.BitVecVal(n, WIDTH)))
    if not depth:
        return leaf
    below = words(depth - 1)
    return st.one_of(
        leaf,
        st.builds(lambda op, a, b: op(a, b), st.sampled_from(_WORD_OPERATORS), below, below),
        st.builds(lambda a: ~a, below),
        st.builds(lambda a: -a, below),
        st.builds(lambda c, a, b: z3.If(c, a, b), formulas(depth - 1), below, below),
    )


def formulas(depth: int) -> st.SearchStrategy[z3.BoolRef]:
    relation = st.builds(
        lambda op, a, b: op(a, b), st.sampled_from(_RELATIONS), words(max(0, depth - 1)), words(max(0, depth - 1))
    )
    if not depth:
        return st.one_of(st.just(B), relation)
    below = formulas(depth - 1)
    return st.one_of(
        relation,
        st.builds(lambda op, a, b: op(a, b), st.sampled_from(_CONNECTIVES), below, below),
        st.builds(z3.Not, below),
    )


@given(words(3), formulas(2), st.lists(st.tuples(*[st.integers(0, 31)] * 2, st.integers(0, 1)), min_size=4, max_size=4))
def test_running_and_encoding_agree_with_z3(
    word: z3.BitVecRef, formula: z3.BoolRef, points: list[tuple[int, int, int]]
) -> None:
    run = compiled(VARIABLES, [word, formula])
    circuit = Circuit(Statistics())
    bits = [circuit.variables(WIDTH), circuit.variables(WIDTH), circuit.variables(1)]
    word_bits, formula_bits = encode(circuit, listing(VARIABLES, [word, formula]), bits)
    for x, y, b in points:
        pairs = [(X, z3.BitVecVal(x, WIDTH)), (Y, z3.BitVecVal(y, WIDTH)), (B, z3.BoolVal(bool(b)))]
        expected_word = z3.simplify(z3.substitute(word, *pairs)).as_long()
        expected_formula = int(z3.is_true(z3.simplify(z3.substitute(formula, *pairs))))
        assert run((x, y, b)) == (expected_word, expected_formula)
        wanted = [*constant(x, WIDTH), *constant(y, WIDTH), *constant(b, 1)]
        fixed = [bit * sign for bit, sign in zip((b for w in bits for b in w), wanted, strict=True)]
        assert circuit.solve(fixed, "test")
        assert circuit.number(word_bits) == expected_word
        assert circuit.number(formula_bits) == expected_formula
        folded = encode(circuit, listing(VARIABLES, [word]), [constant(v, n) for v, n in ((x, 5), (y, 5), (b, 1))])
        assert list(folded[0]) == constant(expected_word, WIDTH)


def test_other_sorts_and_operators_are_refused() -> None:
    integer = z3.Int("n")
    with pytest.raises(NotListed):
        listing([integer], [integer + 1])
    with pytest.raises(NotListed):
        width_of(z3.IntSort())
    with pytest.raises(NotListed):
        listing([X], [z3.ForAll([X], X == X)])
    with pytest.raises(NotListed):
        listing([X], [X + Y])
