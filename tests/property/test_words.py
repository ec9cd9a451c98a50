"""Words: terms, what is known of them and what the solver says of them, against the interpreter."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from programs import BYTE, INT, SMALL, SMALLS, UNSIGNED, expression, random_value
from sorrel.encode.expressions import Evaluation
from sorrel.encode.scope import Scope
from sorrel.encode.word_knowledge import WordKnowledge
from sorrel.encode.words import Words
from sorrel.logic import operations, terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Expression, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Return
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Type
from sorrel.program.value import ArrayValue, Value
from sorrel.smt.word_solver import WordSolver

TYPES: tuple[Type, ...] = (BOOLEAN, SMALL, BYTE, INT, UNSIGNED, UNBOUNDED, SMALLS)
SCOPE = tuple(Variable(f"{letter}{number}", type) for number, type in enumerate(TYPES) for letter in "ab")


def semantics_for(drawn: Expression) -> Words:
    statements = (Assign(Variable("target", drawn.type), drawn),)
    return Words(Program((Procedure("main", (), (), SCOPE, (Block("start", statements, Return()),), "start"),)))


def as_term(semantics: Words, value: Value, type: Type) -> Term:
    if isinstance(type, Array):
        assert isinstance(value, ArrayValue)
        result = operations.filled(semantics.index_sort, as_term(semantics, value.default, type.element))
        for index, element in value.entries.items():
            place = operations.bits(index, semantics.index_sort.size())
            result = operations.store(result, place, as_term(semantics, element, type.element))
        return result
    assert not isinstance(value, ArrayValue | float)
    return semantics.constant(value, type)


@given(data=st.data(), seed=st.integers(0, 1000))
def test_the_solver_has_the_value_that_a_run_computes_and_it_is_among_those_that_are_known(
    data: st.DataObject, seed: int
) -> None:
    type = data.draw(st.sampled_from([each for each in TYPES if not isinstance(each, Array)]))
    drawn = expression(data.draw, type, SCOPE, functions=False, depth=3)
    if any(word in str(drawn) for word in ("Real()", "Array(element=Array")):
        return
    semantics, source = semantics_for(drawn), random.Random(seed)
    values = {each.name: random_value(each.type, source) for each in SCOPE}
    variables = {each.name: terms.variable(each.name, semantics.sort(each.type)) for each in SCOPE}
    scope = Scope(Names(variables), WordKnowledge())
    found = Evaluation(semantics, variables, scope).run(drawn)
    solver = WordSolver()
    for each in SCOPE:
        solver.add(operations.equal(variables[each.name], as_term(semantics, values[each.name], each.type)))
    if not solver.ask(scope.obligations, lambda: False):
        return
    try:
        wanted = evaluate(compile(drawn, frozenset()), values, {}, _no_function)
    except UndefinedOperation:
        assert not solver.ask(scope.assumptions, lambda: False)
        return
    assert solver.ask(scope.assumptions, lambda: False)
    assert semantics.value(solver.value(found), type) == wanted
    if operations.is_bitvector(found):
        knowledge = WordKnowledge()
        knowledge.remember(found)
        signed = int(terms.as_number(solver.value(found)) or 0)
        size = operations.width(found)
        signed -= (signed >> (size - 1)) << size
        for interval in (knowledge.of(found), scope.knowledge.of(found)):
            assert interval.low is not None
            assert interval.high is not None
            assert interval.low <= signed <= interval.high


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise AssertionError(function)
