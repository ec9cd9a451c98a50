"""Terms of expressions against the interpreter: the same value, and an assumption that fails where there is none."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import SMALL, SMALLS, TYPES, expression, random_value
from sorrel.encode.bitvectors import BitVectors
from sorrel.encode.expressions import Evaluation
from sorrel.encode.integers import Integers
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.logic import operations, terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Expression, Select, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Return
from sorrel.program.types import Array, Type
from sorrel.program.value import ArrayValue, Value
from sorrel.smt.solver import Oracle, Sat, Undecided

SCOPE = tuple(Variable(f"{letter}{number}", type) for number, type in enumerate(TYPES) for letter in "ab")


def semantics_for(name: str, drawn: Expression) -> Semantics:
    if name != "exact":
        return Integers(ranged=name == "ranged")
    target, looked_up = Variable("target", drawn.type), Variable("looked_up", SMALL)
    array, index = Variable("array", SMALLS), Variable("index", SMALL)  # so that small indices fit in any case
    statements = (Assign(target, drawn), Assign(looked_up, Select(array, index, SMALL)))
    variables = (target, looked_up, array, index, *SCOPE)
    return BitVectors(
        Program((Procedure("main", (), (), variables, (Block("start", statements, Return()),), "start"),))
    )


def as_term(semantics: Semantics, value: Value, type: Type) -> Term:
    if isinstance(type, Array):
        assert isinstance(value, ArrayValue)
        result = operations.filled(semantics.index_sort, as_term(semantics, value.default, type.element))
        for index, element in value.entries.items():
            place = terms.integer(index)
            if not semantics.index_sort.eq(terms.INT):
                place = operations.bits(index, semantics.index_sort.size())
            result = operations.store(result, place, as_term(semantics, element, type.element))
        return result
    assert not isinstance(value, ArrayValue | float)
    return semantics.constant(value, type)


class Functions:
    """Uninterpreted functions with values that are drawn once."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self.known: dict[tuple[str, tuple[Value, ...], Type], Value] = {}

    def __call__(self, function: str, arguments: tuple[Value, ...], type: Type) -> Value:
        key = (function, arguments, type)
        if key not in self.known:
            self.known[key] = random_value(type, self._source)
        return self.known[key]


def expected(drawn: Expression, values: Mapping[str, Value], functions: Functions) -> Value | None:
    try:
        return evaluate(compile(drawn, frozenset()), values, {}, functions)
    except UndefinedOperation:
        return None


@pytest.mark.parametrize("reading", ["ideal", "ranged", "exact"])
@given(data=st.data(), seed=st.integers(0, 1000))
def test_a_term_has_the_value_that_a_run_computes(reading: str, data: st.DataObject, seed: int) -> None:
    type = data.draw(st.sampled_from(TYPES))
    drawn = expression(data.draw, type, SCOPE, depth=3)
    semantics = semantics_for(reading, drawn)
    source = random.Random(seed)
    values = {each.name: random_value(each.type, source) for each in SCOPE}
    wanted = expected(drawn, values, Functions(source))
    variables = {each.name: terms.variable(each.name, semantics.sort(each.type)) for each in SCOPE}
    scope = Scope(Names(variables), Knowledge())
    found = Evaluation(semantics, variables, scope).run(drawn)
    pairs = [(variables[each.name], as_term(semantics, values[each.name], each.type)) for each in SCOPE]
    given_ = [operations.equal(variable, value) for variable, value in pairs]
    assumed = terms.conjunction([*given_, *scope.assumptions])
    if wanted is None:
        assert reading == "ideal" or scope.abstractions or not is_possible(assumed)
        return
    right = operations.equal(found, as_term(semantics, wanted, type))
    assert is_possible(terms.conjunction([assumed, right]))
    assert scope.abstractions or not is_possible(terms.conjunction([assumed, terms.negation(right)]))


def is_possible(formula: Term) -> bool:
    result = Oracle().check(formula)
    assert not isinstance(result, Undecided)
    return isinstance(result, Sat)
