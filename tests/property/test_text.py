"""Whatever crosses a border as text is the same on the other side."""

from __future__ import annotations

import z3
from hypothesis import given
from hypothesis import strategies as st

from property.strategies import BOOL, SORTS, horn_systems, terms_of, values_of, variables_of
from sorrel.frontends.smtlib import read_text
from sorrel.horn.clause import Argument, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.text import Facts, read_certificate, write_derivation, write_summaries, write_system
from sorrel.horn.verdict import Derivation, Safe, Step, Unsafe
from sorrel.logic import terms
from sorrel.logic.terms import Term, name_of
from sorrel.model.errors import Span

ALL_VARIABLES = [v for sort in SORTS for v in variables_of(sort)]
EVERYTHING = Predicate(
    "every thing", tuple(Argument(name_of(v), v.sort(), Role.INPUT, 1, "base name") for v in ALL_VARIABLES)
)


def around(constraint: Term) -> HornSystem:
    """A system in which the formula stands as a constraint."""
    origin = Span('odd "name" |with| bars.c', 1, 2, 3, 4)
    step = Clause("a step", EVERYTHING(*ALL_VARIABLES), (EVERYTHING(*ALL_VARIABLES),), constraint, origin)
    return HornSystem((EVERYTHING,), (step, Clause("q", None, (EVERYTHING(*ALL_VARIABLES),), constraint)))


@given(terms_of(BOOL, quantifiers=True))
def test_any_constraint_survives_writing_and_reading(constraint: Term) -> None:
    original = around(constraint)
    once = read_text(write_system(original))
    # z3 reads some sums and numerals as other terms than were written; from then on nothing changes.
    twice = read_text(write_system(once))
    assert write_system(twice) == write_system(once)
    assert once.predicates[0].arguments == EVERYTHING.arguments
    assert once.clauses[0].origin == original.clauses[0].origin
    solver = z3.Solver()
    solver.set("timeout", 3000)
    solver.add(once.clauses[0].constraint != constraint)
    assert solver.check() != z3.sat


@given(terms_of(BOOL, quantifiers=True), st.sampled_from(("safe", "facts")))
def test_any_summary_survives_writing_and_reading(summary: Term, kind: str) -> None:
    owner = around(terms.TRUE)
    once = read_certificate(owner, write_summaries(owner, {"every thing": summary}, kind))
    assert isinstance(once, Safe if kind == "safe" else Facts)
    text = write_summaries(owner, once.summaries, kind)
    twice = read_certificate(owner, text)
    assert isinstance(twice, Safe | Facts)
    assert write_summaries(owner, twice.summaries, kind) == text
    solver = z3.Solver()
    solver.set("timeout", 3000)
    solver.add(once.summaries["every thing"] != summary)
    assert solver.check() != z3.sat


@given(st.data())
def test_values_of_every_sort_survive_writing_and_reading(data: st.DataObject) -> None:
    owner = around(terms.TRUE)
    values = {v: data.draw(values_of(v.sort())) for v in ALL_VARIABLES}
    derivation = Derivation((Step("a step", values, (0,)), Step("q", {}, (0,))))
    again = read_certificate(owner, write_derivation(owner, derivation))
    assert isinstance(again, Unsafe)
    for variable, value in values.items():
        assert terms.same(again.derivation.steps[0].values[variable], terms.simplify(value))


@given(horn_systems())
def test_systems_survive_writing_and_reading(system: HornSystem) -> None:
    text = write_system(system)
    again = read_text(text)
    assert write_system(again) == text
    assert [p.arguments for p in again.predicates] == [p.arguments for p in system.predicates]
    assert [c.origin for c in again.clauses] == [c.origin for c in system.clauses]
