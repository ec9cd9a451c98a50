"""Contracts are weighed by their texts: what is said twice is found, and so is what callers miss."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.evidence.effort import Effort
from sorrel.explain.economy import Callers, callers, redundant
from sorrel.explain.inference import Inferred, infer
from sorrel.explain.telling import short
from sorrel.frontends import c
from sorrel.model.budget import Budget
from sorrel.model.errors import Span
from sorrel.model.options import Options
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.smt.solver import Oracle

CALLED = "int one(unsigned char n) { return n + 1; } int f(unsigned char n) { return one(n) + 1; }"
GOLDEN = [
    "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }",
    "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }",
    "int f(int a, int b, int c) { int m = a; if (b > m) m = b; if (c > m) m = c; return m; }",
    "struct r { int head, data[16]; }; int f(struct r *r) { if (r->head > 15) return -1; r->head++; return 0; }",
    "int f(int d) { switch (d) { case 0: return 31; case 1: return 28; case 2: return 31; default: return 0; } }",
    CALLED,
]
HANDED_ON = """struct ctx { unsigned fill, other; };
static void pad(struct ctx *c) { c->fill = 0; }
void f(struct ctx *context, struct ctx *other) { pad(context); }"""


def inferred(text: str) -> tuple[Encoding, Inferred, Oracle]:
    program = c.read([Source("f.c", text)], c.CSettings(c.DataModel.LP64, function="f"))
    options = Options(budget=Budget(seconds=20.0))
    effort = Effort(options, options.budget.start(), lambda _: None)
    encoding = encode(instrument(program, frozenset()), Arithmetic.IDEAL, alone=True)
    return encoding, infer(encoding.system, effort), Oracle(effort.clock, query_seconds=2.0)


@pytest.mark.parametrize("text", [*(pytest.param(text, marks=pytest.mark.long) for text in GOLDEN[:4]), *GOLDEN[4:]])
def test_a_contract_has_three_lines_at_most_and_says_nothing_twice(text: str) -> None:
    encoding, found, oracle = inferred(text)
    told = encoding.told(found.told, oracle)
    assert told
    for each in told:
        (contract,) = short([each.contract])
        assert len(contract.clauses) <= 3
        assert not redundant(encoding, replace(each, contract=contract), oracle)


def test_what_another_fact_or_the_type_implies_is_found() -> None:
    encoding, found, oracle = inferred(CALLED)
    (told,) = [each for each in encoding.told(found.told, oracle) if each.point.procedure == "one"]
    said = ("\\result == n + 1", "\\result >= n", "n <= 255")
    padded = replace(told, contract=replace(told.contract, conjuncts=said))
    assert redundant(encoding, padded, oracle) == ["\\result >= n", "n <= 255"]


def test_a_caller_that_needs_more_than_is_told_is_found() -> None:
    encoding, found, oracle = inferred(CALLED)
    told = encoding.told(found.told, oracle)
    assert callers(encoding, found.proved, told, oracle) == Callers(valid=1, need_more=0)
    silent = [
        replace(each, contract=replace(each.contract, conjuncts=())) if each.point.procedure == "one" else each
        for each in told
    ]
    assert callers(encoding, found.proved, silent, oracle) == Callers(valid=1, need_more=1)


def test_what_a_pointer_that_is_handed_on_leads_to_has_the_callees_name_for_it() -> None:
    encoding, found, oracle = inferred(HANDED_ON)
    told = encoding.told(found.told, oracle)
    said = {each.point.procedure: each.contract.conjuncts for each in told}
    assert said == {"pad": ("c->fill == 0",), "f": ("context->fill == 0",)}
    assert callers(encoding, found.proved, told, oracle) == Callers(valid=1, need_more=0)


def test_what_a_pointer_to_one_of_two_objects_leads_to_has_no_name() -> None:
    encoding, found, oracle = inferred(HANDED_ON.replace("{ pad(context); }", "{ pad(context); pad(other); }"))
    assert not [
        each
        for each in encoding.told(found.told, oracle)
        if each.point.procedure == "pad" and "->" in str(each.contract.conjuncts)
    ]


def test_what_is_longest_is_left_out() -> None:
    contract = ProgramContract(
        "f", ContractKind.FUNCTION, Span("f.c", 1, 1), ("a > 0", "b ==> c > 1", "x ==> y > 2"), assigns=()
    )
    assert short([contract])[0].conjuncts == ("a > 0", "b ==> c > 1")
