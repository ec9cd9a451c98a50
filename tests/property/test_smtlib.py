"""Reading Horn clauses loses nothing: the clauses say exactly what was asserted."""

from __future__ import annotations

import z3
from hypothesis import assume, example, given
from hypothesis import strategies as st

from property.strategies import horn_scripts
from sorrel.frontends.smtlib import read_text
from sorrel.frontends.smtlib.formulas import HornCase, NotHornError, horn_clauses
from sorrel.horn.clause import Clause
from sorrel.horn.text import write_system
from sorrel.logic import terms, walk
from sorrel.logic.printing_smtlib import smtlib
from sorrel.logic.terms import Term

X, Y = z3.Ints("x y")
B = z3.Bool("b")
P = z3.Function("p", z3.IntSort(), z3.BoolSort())
Q = z3.Bool("q")  # a nullary predicate
PREDICATES = {"p": P, "q": Q.decl()}

ATOMS = st.sampled_from(
    [P(X), P(Y), P(X + 1), P(z3.IntVal(3)), Q, X > 0, X == Y, B, z3.BoolVal(True), z3.BoolVal(False)]
)


def _combine(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(z3.And),
        st.lists(inner, min_size=1, max_size=3).map(z3.Or),
        inner.map(z3.Not),
        st.builds(z3.Implies, inner, inner),
        st.builds(lambda a, b: a == b, inner, inner),
        st.builds(z3.Xor, inner, inner),
        st.builds(z3.If, inner, inner, inner),
        inner.map(lambda f: z3.ForAll([X], f)),
        inner.map(lambda f: z3.Exists([Y], f)),
    )


FORMULAS = st.recursive(ATOMS, _combine, max_leaves=6)


def _closed(case: HornCase) -> Term:
    def atom(name: str, arguments: tuple[Term, ...]) -> Term:
        return PREDICATES[name](*arguments)

    head, body, constraint = case
    premise = z3.And([constraint, *(atom(*b) for b in body)])
    clause = z3.Implies(premise, atom(*head) if head else z3.BoolVal(False))
    free = [v for v in walk.free_variables(clause) if terms.name_of(v) != "q"]
    return terms.forall(free, clause)


@example(z3.Implies(z3.Or(P(X), X > 0, X == Y), Q))
@example(z3.Implies(z3.Exists([X], P(X)), P(X)))
@given(FORMULAS)
def test_clauses_of_an_assertion_are_equivalent_to_it(formula: Term) -> None:
    free = [v for v in walk.free_variables(formula) if terms.name_of(v) != "q"]
    asserted = terms.forall(free, formula)
    try:
        cases = list(horn_clauses(asserted, frozenset(PREDICATES)))
    except NotHornError:
        assume(False)
    clauses = z3.And([_closed(case) for case in cases])
    solver = z3.Solver()
    solver.set("timeout", 3000)
    solver.add(asserted != clauses)
    assert solver.check() != z3.sat


@example(z3.Or(X > 0, z3.ForAll([X], P(X))))
@given(FORMULAS)
def test_free_variables_are_not_captured_by_bound_ones(formula: Term) -> None:
    """Without the quantifier around it: the formula is about whatever x, y and b are."""
    try:
        cases = list(horn_clauses(formula, frozenset(PREDICATES)))
    except NotHornError:
        assume(False)
    outer = walk.free_variables(formula)
    clauses = z3.And([_closed_over(case, outer) for case in cases])
    solver = z3.Solver()
    solver.set("timeout", 3000)
    solver.add(formula != clauses)
    assert solver.check() != z3.sat


def _closed_over(case: HornCase, outer: list[Term]) -> Term:
    closed = _closed(case)
    if not terms.is_forall(closed):
        return closed
    bound = [terms.variable(name, sort) for name, sort in terms.bound_variables(closed)]
    inner = [v for v in bound if not any(terms.same(v, o) for o in outer)]
    return terms.forall(inner, terms.open_quantifier(closed, bound))


@given(horn_scripts())
def test_a_system_survives_writing_and_reading(script: str) -> None:
    system = read_text(script)
    once = write_system(system)
    again = read_text(once)
    assert write_system(again) == once
    assert [c.name for c in again.clauses] == [c.name for c in system.clauses]
    assert [len(c.body) for c in again.clauses] == [len(c.body) for c in system.clauses]


@given(horn_scripts())
def test_both_dialects_read_the_same_system(script: str) -> None:
    """The same file in the words of the other dialect."""
    system = read_text(script)
    declared = script.replace("declare-fun", "declare-rel").replace(") Bool)\n", "))\n")
    rules = declared.replace("(assert (forall", "(rule (forall").replace("(check-sat)\n", "")
    other = read_text(rules)
    assert [_key(c) for c in other.clauses] == [_key(c) for c in system.clauses]


def _key(clause: Clause) -> tuple[str, ...]:
    return (
        smtlib(clause.head.term) if clause.head else "false",
        *(smtlib(atom.term) for atom in clause.body),
        smtlib(clause.constraint),
    )


NESTED = st.lists(st.lists(st.sampled_from(["exists", "not forall"]), min_size=1, max_size=4), min_size=1, max_size=6)


@given(NESTED)
def test_no_atom_under_directly_nested_quantifiers_is_lost(shapes: list[list[str]]) -> None:
    """Each conjunct of the body is one call under quantifiers that open one after the other."""
    conjuncts = []
    for number, shape in enumerate(shapes):
        text = f"(p {number})"
        for depth, word in enumerate(shape):
            binder = f"((v{depth} Int))"
            text = f"(exists {binder} {text})" if word == "exists" else f"(not (forall {binder} (not {text})))"
        conjuncts.append(text)
    script = f"(declare-fun p (Int) Bool) (assert (=> (and {' '.join(conjuncts)}) false))"
    (query,) = read_text(script).clauses
    assert [atom.arguments[0].as_long() for atom in query.body] == list(range(len(shapes)))
