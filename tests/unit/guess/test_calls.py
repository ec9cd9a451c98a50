"""Contracts with several comparisons, from bounds before and after the calls that happen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.engine import Circumstances
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends import c
from sorrel.guess.bodies import bodies
from sorrel.guess.bounds import Bounded, ContextBounds, Form, Looked
from sorrel.guess.calls import contracts_of_calls
from sorrel.guess.cases import MOST_VALUES, Cases, CaseTable
from sorrel.guess.contexts import ContextHoudini, Frame, Side
from sorrel.guess.lattice import Literal
from sorrel.guess.sentinels import element_like
from sorrel.guess.sums import compared, limits_of, sums
from sorrel.horn.clause import Argument, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries
from sorrel.logic import terms, walk
from sorrel.model.budget import Budget
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.statement import Kind
from sorrel.smt.solver import Oracle
from sorrel.transform.simplify import simplify

DECLARATIONS = """
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void abort(void);
void reach_error(void) { abort(); }
void check(int index, int length) { if (!(0 <= index && index < length)) reach_error(); }
int place(int row, int column, int rows, int columns) {
  check(row, rows); check(column, columns);
  return row * 9 + column;
}
int size(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(1 <= n && n <= 9); return n; }
"""
# The index is within the array because the callers of two procedures see to it.
NESTED = """
int row(int i, int rows, int columns) {
  int sum = 0;
  for (int j = 0; j < columns; j++) { int at = place(i, j, rows, columns); check(at, LIMIT); sum = sum + at; }
  return sum;
}
int main(void) {
  int rows = size(), columns = size(), sum = 0;
  for (int i = 0; i < rows; i++) sum = sum + row(i, rows, columns);
  return sum;
}"""
# j + shift is an index: a sum of two arguments, bounded by a third.
SHIFTED = """
void walk(int length, int shift, int last) { for (int j = -shift; j < last; j++) check(j + shift, length); }
int main(void) {
  int length = size(), shift = __VERIFIER_nondet_int(), last = __VERIFIER_nondet_int();
  __VERIFIER_assume(last + shift <= length);
  walk(length, shift, last);
}"""
# Nothing but an element that is large enough ends the walk.
STOPPED = """
int values[9];
int get(int index, int length) { check(index, length); return values[index]; }
int find(int key, int length) { int i = 0; while (get(i, length) < key) i = i + 1; return i; }
int main(void) {
  int length = size(), at = __VERIFIER_nondet_int();
  for (int i = 0; i < length; i++) values[i] = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= at && at < length);
  int found = find(values[at] + MORE, length);
}"""
# Blocks of two halves fill the array, because its length is a power of two.
HALVES = """
void pass(int length) {
  for (int half = 1; half < length; half = 2 * half)
    for (int i = 0; i < length; i = i + 2 * half) check(i + half, length);
}
int main(void) {
  int length = 1;
  while (length < 8 && __VERIFIER_nondet_int()) length = FACTOR * length;
  pass(length);
}"""


def system_of(text: str) -> HornSystem:
    source = Source("", DECLARATIONS + text)
    program = c.read((source,), c.CSettings(c.DataModel.LP64, (), (), "main"))
    return encode(instrument(program, frozenset({Kind.ERROR_CALL})), Arithmetic.IDEAL).system


def oracle(seconds: float = 60) -> Oracle:
    return Oracle(Budget(seconds=seconds).start(), query_seconds=5.0)


def solved(text: str) -> tuple[HornSystem, Summaries | None]:
    system = simplify(system_of(text)).system
    return system, contracts_of_calls(system, oracle(), {})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(NESTED.replace("LIMIT", "81"), marks=pytest.mark.long),
        SHIFTED,
        STOPPED.replace("MORE", "0"),
        pytest.param(HALVES.replace("FACTOR", "2"), marks=pytest.mark.long),
    ],
)
def test_an_index_is_within_its_array_at_every_call(text: str) -> None:
    system, found = solved(text)
    assert found is not None
    assert isinstance(check(system, Safe(found)), Accepted)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(NESTED.replace("LIMIT", "80"), marks=pytest.mark.long),
        pytest.param(STOPPED.replace("MORE", "1"), marks=pytest.mark.long),
        HALVES.replace("FACTOR", "3"),
    ],
)
def test_there_are_no_contracts_where_a_call_fails(text: str) -> None:
    assert solved(text)[1] is None


def test_clover_tries_bounds_before_anything_else() -> None:
    system = simplify(system_of(NESTED.replace("LIMIT", "81"))).system
    verdict = Clover(CloverOptions()).solve(system, Circumstances(Budget(seconds=60).start()), {})
    assert isinstance(verdict, Safe)
    assert verdict.notes == ("decided by bounds of calls",)


def test_bodies_of_procedures_without_loops_are_inductive_summaries_over_their_formals() -> None:
    system = system_of(NESTED.replace("LIMIT", "81"))
    found = bodies(system, oracle())
    assert {"check", "place"} <= set(found)
    assert "row" not in found
    without_queries = system.with_clauses(clause for clause in system.clauses if not clause.is_query)
    total = {p.name: found.get(p.name, terms.TRUE) for p in system.predicates}
    assert isinstance(check(without_queries, Safe(total)), Accepted)


def test_a_body_says_all_that_the_clauses_say() -> None:
    system = system_of(NESTED.replace("LIMIT", "81"))
    place = system.predicate["place"]
    row, column, rows, columns, value, ok = place.formals
    inside = terms.conjunction([row >= 0, row < rows, column >= 0, column < columns])
    result = terms.implication(ok, terms.equal(value, 9 * row + column))
    exact = terms.conjunction([terms.equal(ok, inside), result])
    assert oracle().equivalent(bodies(system, oracle())["place"], exact)


def test_only_arguments_that_decide_comparisons_are_looked_at() -> None:
    system = system_of(NESTED.replace("LIMIT", "81"))
    names = {
        name: {system.predicate[name].arguments[place].name for place in places}
        for name, places in compared(system).items()
    }
    loop = next(found for name, found in names.items() if name.startswith("row@"))
    assert loop == {"i", "rows", "columns", "j"}


def test_elements_and_what_is_compared_with_them_are_told_from_indices() -> None:
    system = system_of(STOPPED.replace("MORE", "0"))
    known = bodies(system, oracle())
    loop = next(p for p in system.predicates if p.name.startswith("find@"))
    assert {loop.arguments[place].name for place in element_like(system, known)[loop.name]} == {"key"}


def test_limits_are_the_numbers_of_the_clauses_and_their_neighbours() -> None:
    assert {8, 9, 10, -9, -1, 0, 1} <= set(limits_of(system_of(NESTED.replace("LIMIT", "81"))))


def test_sums_of_many_arguments_are_not_looked_at() -> None:
    wide = Predicate("wide", tuple(Argument(f"x{i}", terms.INT, Role.INPUT) for i in range(30)))
    relevant = {"wide": frozenset(range(30))}
    (bounded,) = sums(HornSystem((wide,), ()), ["wide"], relevant, (0, 1), 3).values()
    assert {len(form.parts) for form in bounded.after.forms} == {1}


def test_limits_are_raised_no_further_than_the_clauses_ask_for() -> None:
    system = system_of("int main(void) { for (int i = 0; i < 5; i++) check(i, 9); }")
    loop = next(p for p in system.predicates if p.name.startswith("main@"))
    forms = tuple(Form(((0, sign),), tuple(range(-9, 10))) for sign in (1, -1))
    bounds = ContextBounds(system, {loop.name: Bounded(Looked(()), Looked(forms))}, oracle(), bodies(system, oracle()))
    assert bounds.settle()
    (i,) = loop.formals
    upper, lower = bounds.found(loop.name, Side.AFTER)
    assert oracle().equivalent(terms.conjunction([upper.body, lower.body]), terms.conjunction([i <= 5, i >= 0]))


def test_some_index_is_shown_by_one_of_the_clause_and_assumed_of_an_unknown_one() -> None:
    """A contract that there is an element of at least the key ahead of i."""
    system = system_of(STOPPED.replace("MORE", "0"))
    loop = next(p for p in system.predicates if p.name.startswith("find@"))
    formal = {argument.name: argument.formal for argument in loop.arguments}
    k = terms.variable("k", terms.INT)
    element = terms.select(formal["values"], k)

    def ahead(first: terms.Term) -> Literal:
        inside = terms.conjunction([first <= k, k < formal["length"], element >= formal["key"]])
        return Literal(inside, k, some=True)

    assert walk.has_quantifier(ahead(formal["i"]).closed)
    frames = {
        "find": Frame(terms.TRUE, (ahead(terms.integer(0)),), ()),
        loop.name: Frame(terms.TRUE, (ahead(terms.integer(0)),), (ahead(formal["i"]), ahead(formal["i"] + 1))),
    }
    houdini = ContextHoudini(system, frames, oracle(), bodies(system, oracle()))
    assert houdini.run()
    assert terms.is_implication(houdini.summaries()[loop.name])
    assert len(terms.conjuncts(terms.children(houdini.summaries()[loop.name])[1])) == 1


def test_a_case_keeps_the_class_that_all_its_sums_are_in() -> None:
    """Where the first argument is 1, the second is 2 modulo 4; where it is 5, it is 7."""
    table = CaseTable(Cases(0, (((1, 1),),)))
    assert all([table.admit({0: 1, 1: 6}), table.admit({0: 5, 1: 7}), table.admit({0: 1, 1: 14})])
    assert table.admit({0: 1, 1: 2})
    assert not table.admit({0: 1, 1: -2})
    assert table.known == {1: [(4, 2)], 5: [(0, 7)]}


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=12))
def test_what_a_table_of_cases_says_holds_of_all_that_it_allows_for(rows: list[tuple[int, int, int]]) -> None:
    table = CaseTable(Cases(0, (((1, 1),), ((1, 1), (2, -1)))))
    for row in rows:
        table.admit(dict(enumerate(row)))
    for row in rows:
        said = table.formulas([terms.integer(value) for value in row])
        assert all(terms.is_true(terms.simplify(formula)) for formula in said)


def test_too_many_values_are_no_cases() -> None:
    table = CaseTable(Cases(0, ()))
    assert [table.admit({0: value}) for value in range(MOST_VALUES + 2)] == [True] * (MOST_VALUES + 1) + [False]
    assert list(table.formulas([terms.integer(0)])) == []
