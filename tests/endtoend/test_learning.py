"""Functions in C as finite functions: the same behaviours and verdicts as the Boolean programs, and what is refused."""

from __future__ import annotations

import re
from itertools import product

import pytest

import sorrel
from bench.families import finite
from samples import some
from sorrel.engines.cdnf.engine import Cdnf
from sorrel.engines.cdnf.options import CdnfOptions
from sorrel.engines.engine import Circumstances
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.finite.simulate import NoReturn, Returned, Simulator
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Finite, Options
from sorrel.model.outcome import Answer
from sorrel.model.source import Source
from sorrel.process.pipeline import read, solve
from sorrel.process.request import finite_request

pytestmark = pytest.mark.usefixtures("in_this_process")

FUNCTIONS = ["fibonacci", "hanoi", "sum", "gcd", "combination"]


def in_c(text: str) -> str:
    """A property of a Boolean program as C writes it."""
    text = re.sub(r"(?<![!<>=])=(?!=)", "==", text)
    return re.sub(r"\br\b", r"\\result", text.replace("|", "||"))


def asked(function: str, width: int, overflow: str, *properties: str) -> Finite:
    return Finite(width, overflow, properties, function, "LP64")


def learned(text: str, function: str, width: int, overflow: str, *properties: str) -> Verdict:
    _, system = read(Source(text=text), asked(function, width, overflow, *properties))
    engine = Cdnf(CdnfOptions())
    assert engine.unsupported(system) == ""
    verdict = engine.solve(system, Circumstances(Budget(seconds=30.0).start()), {})
    assert not isinstance(verdict, Unknown), verdict.reason
    assert isinstance(check(system, verdict), Accepted)
    return verdict


def example(function: str) -> str:
    return (finite.PROGRAMS / f"{function}.c").read_text()


def behaviours(text: str, function: str, width: int, overflow: str, wanted: str) -> dict[tuple[int, ...], object]:
    """What the function returns for all arguments, None where no run returns."""
    from sorrel.finite.functional import functions

    _, system = read(Source(text=text), asked(function, width, overflow, wanted))
    program = functions(system)
    simulator = Simulator(program)
    found: dict[tuple[int, ...], object] = {}
    for arguments in product(range(1 << width), repeat=len(program.function[function].parameters)):
        match simulator.run(function, arguments, 10_000):
            case Returned(values):
                found[arguments] = values[0]
            case NoReturn():
                found[arguments] = None
            case _:
                raise AssertionError("more steps are needed")
    return found


@pytest.mark.parametrize("overflow", ["wrap", "discard"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_in_c_has_the_behaviours_of_the_boolean_program(function: str, overflow: str) -> None:
    expected = {run[:-1]: run[-1] for run in finite.behaviours(function, 4, overflow)}
    for arguments, result in behaviours(example(function), function, 4, overflow, r"\result == \result").items():
        assert result == expected.get(arguments)


@pytest.mark.parametrize("overflow", ["wrap", "discard"])
@pytest.mark.parametrize("row", some(finite.ROWS, 5), ids=lambda row: f"{row.function}-{row.number}")
def test_every_row_of_the_table_from_c_at_4_bits(row: finite.Row, overflow: str) -> None:
    verdict = learned(example(row.function), row.function, 4, overflow, in_c(row.text))
    safe, _ = finite.expected(row, 4, overflow)
    assert isinstance(verdict, Safe if safe else Unsafe)


@pytest.mark.parametrize(
    "row",
    [finite.ROWS[2], finite.ROWS[8], finite.ROWS[10], finite.ROWS[14]],
    ids=lambda row: f"{row.function}-{row.number}",
)
def test_rows_from_c_at_32_bits(row: finite.Row) -> None:
    assert isinstance(learned(example(row.function), row.function, 32, "discard", in_c(row.text)), Safe)


MCCARTHY = """
#include <assert.h>
int mc91(int n) {
  int r;
  if (n > 100) r = n - 10; else r = mc91(mc91(n + 11));
  assert(n > 101 || r == 91);
  return r;
}
"""


@pytest.mark.parametrize("overflow", ["wrap", pytest.param("discard", marks=pytest.mark.long)])
def test_the_summary_of_mccarthy_91_is_arithmetic(overflow: str) -> None:
    outcome = sorrel.learn(MCCARTHY, function="mc91", width=10, overflow=overflow, timeout=60)
    assert outcome.answer is Answer.SAFE, outcome.reason
    (contract,) = outcome.contracts
    assert contract.arguments == ("n", "result", "failed")
    assert "result = n - 10" in contract.infix
    assert "result = 91" in contract.infix


def test_an_assertion_that_fails_below_is_reported_with_a_run() -> None:
    text = "#include <assert.h>\nint f(int n) { assert(n != 3); if (n <= 0) return 0; return f(n - 1); }"
    outcome = sorrel.learn(text, function="f", width=8, timeout=30)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.trace[-1].clause == "assertions"
    assert "failed" in outcome.horn


def test_signed_overflow_wraps_or_ends_the_run_as_the_user_says() -> None:
    text = "int next(int n) { return n + 1; }"
    assert isinstance(learned(text, "next", 8, "wrap", r"\result > n"), Unsafe)
    assert isinstance(learned(text, "next", 8, "discard", r"\result > n"), Safe)
    text = "unsigned next(unsigned n) { return n << 1; }"
    assert isinstance(learned(text, "next", 8, "wrap", r"\result >= n"), Unsafe)
    assert isinstance(learned(text, "next", 8, "discard", r"\result >= n"), Safe)


def test_division_is_that_of_c() -> None:
    text = "int f(int a, int b) { return a / b + a % b; }"
    expected = {}
    for a, b in product(range(16), repeat=2):
        x, y = (n - 16 if n > 7 else n for n in (a, b))
        if y:
            quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            expected[a, b] = (quotient + x - quotient * y) % 16
    found = behaviours(text, "f", 4, "wrap", r"\result == \result")
    assert {arguments: result for arguments, result in found.items() if result is not None} == expected


def test_loops_globals_and_several_functions() -> None:
    text = """
    int counter;
    static int twice(int x) { return x + x; }
    void bump(int n) { while (n > 0) { counter++; n--; if (counter == 40) return; } }
    int f(int n) { counter = 0; bump(n); return twice(counter); }
    """
    found = behaviours(text, "f", 7, "wrap", r"\result == \result")
    assert found == {(n, c): (2 * min(n, 40) if n < 64 else 0) for n in range(128) for c in range(128)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int nd(void);\nint f(int n) {\n  int x = nd();\n  return x;\n}", "3:11: nd may return any value"),
        ("int f(int n) {\n  int t;\n  if (n) t = 1;\n  return t;\n}", "2:3: t is used before it is set"),
        ("int f(int n) { return n + 100; }", "1:16: 100 does not fit into 4 bits"),
        ("int f(int n) {\n  int a[2] = {1, 2};\n  return a[n & 1];\n}", "not supported"),
        ("int f(int n) { return n; }", "there is no property of f to prove"),
    ],
)
def test_what_is_no_finite_function_is_named_with_its_place(text: str, words: str) -> None:
    properties = () if "no property" in words else (r"\result == 1",)
    with pytest.raises(InputError) as caught:
        read(Source(text=text), asked("f", 4, "wrap", *properties))
    assert words in str(caught.value)


def test_values_that_are_open_but_not_used_do_no_harm() -> None:
    text = "int nd(void);\nint f(int n) { int x = nd(); int y; if (n > 0) { y = n; return y; } return 0; }"
    assert isinstance(learned(text, "f", 8, "wrap", r"\result >= 0"), Safe)


@pytest.mark.parametrize("wanted", [r"r > 0", r"\result >", r"n / m == 1", r"\result / 0 == 1"])
def test_a_property_that_cannot_be_read_is_an_input_error(wanted: str) -> None:
    with pytest.raises(InputError):
        read(Source(text=example("sum")), asked("sum", 8, "wrap", wanted))


def test_c_needs_the_name_of_a_function() -> None:
    with pytest.raises(UsageError, match="--function"):
        finite_request([Source("f.c")], Finite())
    with pytest.raises(UsageError, match="data model"):
        finite_request([Source("f.c")], Finite(function="f", data_model="ILP16"))


@pytest.mark.parametrize(("wanted", "answer"), [(r"n <= 3 || \result != n", "safe"), (r"\result != 34", "unsafe")])
def test_cvc5_confirms_what_was_learned_of_c(wanted: str, answer: str) -> None:
    pytest.importorskip("cvc5")
    finite_options = asked("fibonacci", 8, "discard", wanted)
    options = Options("cdnf", budget=Budget(seconds=60), recheck="cvc5", finite=finite_options)
    outcome = solve(Source(str(finite.PROGRAMS / "fibonacci.c")), options)
    assert outcome.answer is Answer(answer), outcome.reason
    assert [c.accepted for c in outcome.confirmations] == [True, True]


def test_other_engines_take_the_same_clauses() -> None:
    _, system = read(Source(text=example("sum")), asked("sum", 4, "discard", r"\result > 0"))
    assert {each.name for each in system.predicates} == {"sum"}
    assert [clause.name for clause in system.clauses][-1] == "property_0"
