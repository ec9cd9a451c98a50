"""Golden contracts of well-known functions, up to equivalence, with at most three conjuncts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from c_expressions import holds
from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, ContractKind, Outcome, ProgramContract
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline

MCCARTHY = "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }"
EVEN = (
    "int f(int n); int g(int n) { if (n == 0) return 0; return f(n - 1); }"
    "int f(int n) { if (n == 0) return 1; return g(n - 1); }"
)
FIBONACCI = "int f(int n) { if (n < 1) return 0; if (n == 1) return 1; return f(n - 1) + f(n - 2); }"
ACKERMANN = (
    "int f(int m, int n) { if (m == 0) return n + 1; if (n == 0) return f(m - 1, 1); return f(m - 1, f(m, n - 1)); }"
)
GCD = "int f(int a, int b) { if (a == b) return a; if (a > b) return f(a - b, b); return f(a, b - a); }"
SUM = "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }"
GOLDEN = [
    pytest.param(MCCARTHY, r"\result == (n > 100 ? n - 10 : 91)", "1", id="mccarthy"),
    pytest.param(EVEN, r"\result == (n % 2 == 0)", "n >= 0", id="even"),
    pytest.param(FIBONACCI, r"\result >= n - 1", "1", id="fibonacci"),
    pytest.param(ACKERMANN, r"\result > n", "m >= 0 && n >= 0", id="ackermann"),
    pytest.param(
        GCD, r"1 <= \result && \result <= a && \result <= b", "a > 0 && b > 0", id="gcd", marks=pytest.mark.long
    ),
    pytest.param(SUM, r"\result >= n", "n >= 0", id="sum"),
]


def names(function: str) -> list[str]:
    parameters = function[: function.index("{")].rsplit("f(", 1)[1].split(")")[0]
    return [word.split()[-1] for word in parameters.split(",")]


def grid(function: str) -> Iterator[dict[str, int]]:
    numbers = (-102, -3, -2, -1, 0, 1, 2, 3, 4, 7, 90, 91, 92, 100, 101, 102, 113)
    for values in product(numbers, repeat=len(names(function)) + 1):
        yield dict(zip([*names(function), "\\result"], values, strict=True))


def contract_of(outcome: Outcome) -> ProgramContract:
    (found,) = [c for c in outcome.program_contracts if c.procedure == "f" and c.kind is ContractKind.FUNCTION]
    return found


def says(contract: ProgramContract, values: dict[str, int]) -> bool:
    return all(holds(conjunct, values) for conjunct in contract.conjuncts)


@pytest.mark.parametrize(
    ("function", "golden", "domain"),
    [each for each in GOLDEN if each.id not in ("mccarthy", "fibonacci", "ackermann")]
    + [pytest.param(*GOLDEN[at].values, marks=pytest.mark.long, id=GOLDEN[at].id) for at in (0, 2, 3)],
)
def test_a_contract_without_a_property_says_at_least_the_golden_one(function: str, golden: str, domain: str) -> None:
    arguments = ", ".join("3" for _ in names(function))
    text = f"{function}\nint main(void) {{ return f({arguments}); }}\n"
    outcome = pipeline.summarize(Task((Source(text=text),)), Options(budget=Budget(60.0)))
    contract = contract_of(outcome)
    assert 1 <= len(contract.conjuncts) <= 3
    for values in grid(function):
        if holds(domain, values) and says(contract, values):
            assert holds(golden, values), (contract.conjuncts, values)


@pytest.mark.parametrize(
    ("function", "golden", "domain"),
    [
        GOLDEN[2],
        *(pytest.param(*each.values, marks=pytest.mark.long, id=each.id) for each in GOLDEN if each != GOLDEN[2]),
    ],
)
def test_a_proof_of_the_golden_contract_needs_just_that(function: str, golden: str, domain: str) -> None:
    """Where the property is the contract, the contract that is told is equivalent to it."""
    reads = "".join(f"int {name} = __VERIFIER_nondet_int(); " for name in names(function))
    claim = golden.replace("\\result", "result")
    text = (
        "extern int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);\n"
        f"{function}\nint main(void) {{ {reads} if (!({domain})) return 0;\n"
        f"  int result = f({', '.join(names(function))}); __VERIFIER_assert({claim}); return 0; }}\n"
    )
    options = Options(engine="clover", budget=Budget(100.0), assuming=("overflow",))
    outcome = pipeline.verify(Task((Source(text=text),)), options)
    assert outcome.answer in (Answer.SAFE, Answer.ASSUMING), outcome.reason
    contract = contract_of(outcome)
    assert 1 <= len(contract.conjuncts) <= 3
    for values in grid(function):
        if holds(domain, values):
            assert says(contract, values) == holds(golden, values), (contract.conjuncts, values)


@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        pytest.param("int f(int x, int low) { return x < low ? low : x; }", False, marks=pytest.mark.long),
        ("int f(unsigned char a, unsigned char b) { return a + b; }", False),
        pytest.param("unsigned f(unsigned a, unsigned b) { return a + b; }", False, marks=pytest.mark.long),
        pytest.param("int f(int a, int b) { return a + b; }", True, marks=pytest.mark.long),
        ("int f(int a) { return -a; }", True),
    ],
)
def test_no_overflow_is_assumed_where_nothing_can_overflow(text: str, assumed: bool) -> None:
    outcome = pipeline.summarize(Task((Source(text=text),)), Options(budget=Budget(60.0)))
    assert any(each.kind is AssumptionKind.OVERFLOW for each in outcome.assumptions) is assumed


WRAPPING = [
    ("unsigned f(unsigned x) { return x + 1; }", r"\result == (unsigned int)(x + 1)"),
    pytest.param("unsigned f(unsigned x) { return -x; }", r"\result == (unsigned int)(-x)", marks=pytest.mark.long),
    pytest.param(
        "unsigned f(unsigned a, unsigned b) { return a + b; }",
        r"\result == (unsigned int)(a + b)",
        marks=pytest.mark.long,
    ),
    ("unsigned f(unsigned a, unsigned b) { return a - b; }", r"\result == (unsigned int)(a - b)"),
    pytest.param(
        "unsigned f(unsigned x) { return x * 4; }", r"\result == (unsigned int)(4 * x)", marks=pytest.mark.long
    ),
    ("unsigned char f(unsigned char c) { return c + 1; }", r"\result == (unsigned char)(c + 1)"),
    pytest.param(
        "unsigned f(unsigned x) { if (x == 16) return x; return x + 1; }",
        r"\result == (x == 16 ? 16 : (unsigned int)(x + 1))",
        marks=pytest.mark.long,
    ),
    pytest.param(
        "unsigned f(unsigned x) { return x < 100 ? x + 1 : x; }",
        r"\result == (x >= 100 ? x : x + 1)",
        marks=pytest.mark.long,
    ),
    ("unsigned f(unsigned x) { return x & 255; }", r"\result == x % 256"),
]


@pytest.mark.parametrize(("text", "told"), WRAPPING)
def test_results_that_wrap_are_told_with_a_conversion(text: str, told: str) -> None:
    outcome = pipeline.summarize(Task((Source(text=text),)), Options(budget=Budget(60.0)))
    assert contract_of(outcome).conjuncts == (told,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("int f(int n) { return n / 2; }", r"\result == n / 2", marks=pytest.mark.long),
        ("int f(int n) { if (n < 0) return 0; return n / 3; }", r"\result == (n >= 0 ? n / 3 : 0)"),
        pytest.param("int f(int n) { return n % 7; }", r"\result == n % 7", marks=pytest.mark.long),
        ("int f(int n) { return n >> 2; }", r"\result == (n >> 2)"),
    ],
)
def test_quotients_remainders_and_shifts_are_written_as_the_program_has_them(text: str, told: str) -> None:
    found = pipeline.summarize(Task((Source(text=text),)), Options(budget=Budget(60.0)))
    assert [each.conjuncts for each in found.program_contracts] == [(told,)]
