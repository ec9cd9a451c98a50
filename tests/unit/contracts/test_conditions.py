"""Conditions in ACSL and in C are read as these languages define them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.contracts.meaning import meaning
from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import Infix
from sorrel.contracts.vocabulary import Vocabulary, saved
from sorrel.contracts.writing import Style, in_c
from sorrel.model.errors import InputError, Span
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Variable
from sorrel.program.types import Array, Machine
from sorrel.program.value import ArrayValue, Value

INT, UNSIGNED, BYTE = Machine(32, True), Machine(32, False), Machine(8, False)
KNOWN = Vocabulary(
    {
        "\\result": Variable("return.value", INT),
        "g": Variable("g", INT),
        "*p": Variable("p.value", INT),
        "s->a": Variable("s.a", INT),
        "v": Variable("v", Array(INT)),
    },
    {
        "x": Variable("x", INT),
        "u": Variable("u", UNSIGNED),
        "c": Variable("c", BYTE),
        "g": Variable("g", INT),
        "*p": Variable("p.value", INT),
    },
    of_contract=True,
)


def truth(text: str, dialect: Dialect, values: dict[str, int]) -> bool:
    state: dict[str, Value] = {"return.value": 0, "g": 0, "p.value": 0, "s.a": 0, "v": ArrayValue(0, {2: 7})}
    state |= {saved(variable).name: 0 for variable in KNOWN.before.values()}
    state |= {name if name in state else f"entry..{name}": value for name, value in values.items()}
    said = meaning(text, dialect, KNOWN)
    assert not said.bound

    def no_function(*_: object) -> Value:
        raise AssertionError

    return bool(evaluate(compile(said.holds, frozenset()), state, {}, no_function))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x + 1 > x", {"x": 2147483647}),
        ("u - 1 < 0", {"u": 0}),
        ("x < u", {"x": -1}),
        ("-7 / 2 == -3 && -7 % 2 == -1", {}),
        ("x * x == 4611686014132420609", {"x": 2147483647}),
        ("(int)(x + 1) == -2147483648", {"x": 2147483647}),
        ("(unsigned)x == 4294967295", {"x": -1}),
        ("\\old(g) == 3 && g == 0", {"entry..g": 3}),
        ("x == 3 && \\old(x) == 3", {"x": 3}),
        ("0 <= x < 10 && !(10 <= x < 20)", {"x": 5}),
        ("x == 1 ==> x == 2 ==> \\false", {"x": 1}),
        ("x > 100 ? \\result == x - 10 : \\result == 91", {"x": 5, "return.value": 91}),
        ("x > 0 <==> g > 0", {"x": 1, "g": 2}),
        ("*p + s->a == 5 && v[2] == 7", {"p.value": 2, "s.a": 3}),
        ("(x & 6) == 4 && (x | 1) == 13 && (x ^ 1) == 13 && ~x == -13", {"x": 12}),
        ("c - 1 == -1", {"c": 0}),
        ("(x >> 1) == -4 && (x * u >> 2) == -7516192767", {"x": -7, "u": 4294967295}),
        ("(x << 4) == 34359738352", {"x": 2147483647}),
        ("(x & 15) == 9 && (signed char)(x + 200) == -63", {"x": -7}),
    ],
)
def test_acsl_computes_with_exact_numbers(text: str, values: dict[str, int]) -> None:
    assert truth(text, Dialect.ACSL, values)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("u - 1 > 0", {"u": 0}),
        ("!(x < u)", {"x": -1}),
        ("c - 1 == -1", {"c": 0}),
        ("-1 > 0u", {}),
        ("(long long)x < u", {"x": -1}),
        ("4294967295 > x && 2147483648 - 1 == 2147483647", {"x": -1}),
        ("(x < 5) + 1 == 2", {"x": 1}),
        ("1 < x < 1 == 0", {"x": 9}),
        ("x << 3 == 8 && -1 >> 1 == -1", {"x": 1}),
        ("x ? g == 0 : g == 1", {"x": 4}),
        ("x & 1 == 1", {"x": 1}),
    ],
)
def test_c_computes_with_the_numbers_of_the_machine(text: str, values: dict[str, int]) -> None:
    assert truth(text, Dialect.C, values)


def test_what_overflows_in_c_has_no_value() -> None:
    with pytest.raises(UndefinedOperation):
        truth("x + 1 > x", Dialect.C, {"x": 2147483647})


@pytest.mark.parametrize("text", ["(x >> g) == 0", "(x << -1) == 0", "(x >> 256) == 0"])
def test_exact_numbers_are_shifted_by_small_numbers_only(text: str) -> None:
    with pytest.raises(InputError, match="shifted by a small number"):
        meaning(text, Dialect.ACSL, KNOWN)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("text", "column"),
    [("x +", 4), ("(x", 3), ("x y", 3), ("x @ 1", 3), ("unknown == 1", 1), ("x == 1 &&", 10), ("v == 1", 1), ("", 1)],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, column: int, dialect: Dialect) -> None:
    with pytest.raises(InputError) as problem:
        meaning(text, dialect, KNOWN, Span("a.c", 3, 5))
    assert (problem.value.span.file, problem.value.span.line) == ("a.c", 3)
    assert problem.value.span.column == 5 + column - 1


@pytest.mark.parametrize("text", ["\\old(g) == 1", "x == 1 ==> x == 1", "\\forall integer k; k == k", "\\true"])
def test_c_has_of_acsl_only_results_and_values_at_the_entry(text: str) -> None:
    with pytest.raises(InputError):
        read(text, Dialect.C)


def test_a_result_has_no_past_and_a_local_none_at_the_entry() -> None:
    for text in ("\\old(\\result) == 1", "\\old(v[0]) == 1"):
        with pytest.raises(InputError, match="means nothing"):
            meaning(text, Dialect.ACSL, KNOWN)


def test_quantifiers_stand_where_they_can_be_left_open() -> None:
    said = meaning("x > 0 ==> \\forall integer k; 0 <= k && k < x ==> v[k] == 0", Dialect.ACSL, KNOWN)
    assert len(said.bound) == 1
    with pytest.raises(InputError, match="quantifier"):
        meaning("(\\forall integer k; v[k] == 0) ==> x > 0", Dialect.ACSL, KNOWN)


def test_deep_nesting_is_refused_and_not_a_crash() -> None:
    for text in ("(" * 5000 + "x" + ")" * 5000, "!" * 5000 + "x", "-" * 5000 + "x"):
        with pytest.raises(InputError, match="deeply"):
            read(text, Dialect.ACSL)


_LEAVES = st.sampled_from(["x", "u", "c", "g", "3", "0", "2147483647"])
_SIGNS = st.sampled_from(["+", "-", "*", "<", "<=", "==", "!=", "&&", "||", "&", "|", "^", "%"])


def _infix(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, _SIGNS, inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})")
    return st.one_of(pair, inner.map(lambda t: f"!({t})"), inner.map(lambda t: f"-({t})"))


@given(text=st.recursive(_LEAVES, _infix, max_leaves=8))
def test_a_condition_written_with_few_parentheses_is_the_same(text: str) -> None:
    tree = read(text, Dialect.C)
    again = read(in_c(tree, Style(str)), Dialect.C)
    assert meaning(in_c(tree, Style(str)), Dialect.C, KNOWN) == meaning(text, Dialect.C, KNOWN)
    assert isinstance(again, type(tree))


def test_implications_become_c() -> None:
    tree = read("(x > 0 ==> g > 0) ==> x < 1 <==> g < 2", Dialect.ACSL)
    assert isinstance(tree, Infix)
    assert in_c(tree, Style(str)) == "!(!(!(x > 0) || g > 0) || x < 1) == !(g < 2)"
