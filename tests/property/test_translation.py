"""Expressions as functions of Python against the stack machine: the same value, or the same reason for none."""

from __future__ import annotations

import random
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from programs import ODD_NAMES, TYPES, expression, random_value
from sorrel.program.evaluation import OFTEN, Code, UndefinedOperation, compile, evaluate
from sorrel.program.expression import Expression, Variable
from sorrel.program.types import Machine, Type
from sorrel.program.value import IndeterminateRead, Value, indeterminate
from sorrel.testing.traced import Listener, Traced

LOCALS = tuple(
    Variable(f"{name}{number}", type) for number, type in enumerate(TYPES) for name in ("a", ODD_NAMES[number])
)
GLOBALS = tuple(Variable(f"global{{}}{number}", type) for number, type in enumerate(TYPES))
NAMES = frozenset(each.name for each in GLOBALS)


def applied(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    return random_value(type, random.Random(f"{function} {arguments}"))


def came_to(code: Code, locals: Mapping[str, Value], globals: Mapping[str, Value]) -> object:
    try:
        return repr(evaluate(code, locals, globals, applied))
    except UndefinedOperation as undefined:
        return undefined.kind, undefined.message
    except IndeterminateRead:
        return "needs what nobody chose"


def function_of(drawn: Expression) -> Code:
    """As it is after many evaluations."""
    code = compile(drawn, NAMES)
    for _ in range(OFTEN):
        code.used()
    assert code.function is not None
    return code


@given(data=st.data(), seed=st.integers(0, 1000))
def test_a_function_has_the_values_of_the_stack_machine(data: st.DataObject, seed: int) -> None:
    drawn = expression(data.draw, data.draw(st.sampled_from(TYPES)), LOCALS + GLOBALS, depth=4)
    translated, source = function_of(drawn), random.Random(seed)
    for open in (0.0, 0.0, 0.0, 0.2):
        locals, globals = (
            {
                each.name: indeterminate(each.type) if source.random() < open else random_value(each.type, source)
                for each in variables
            }
            for variables in (LOCALS, GLOBALS)
        )
        assert came_to(translated, locals, globals) == came_to(compile(drawn, NAMES), locals, globals)


def into(telling: list[tuple[int, dict[int, int]]]) -> Listener:
    return lambda difference, factors: telling.append((difference, dict(factors)))


@given(data=st.data(), seed=st.integers(0, 1000))
def test_traced_numbers_hear_of_the_same_comparisons(data: st.DataObject, seed: int) -> None:
    drawn = expression(data.draw, data.draw(st.sampled_from(TYPES)), LOCALS, depth=3)
    heard: list[list[tuple[int, dict[int, int]]]] = [[], []]
    for code, telling in zip((function_of(drawn), compile(drawn, NAMES)), heard, strict=True):
        source = random.Random(seed)
        values = {each.name: random_value(each.type, source) for each in LOCALS}
        for position, each in enumerate(LOCALS):
            value = values[each.name]
            if isinstance(each.type, Machine) and isinstance(value, int):
                values[each.name] = Traced.of(value, {position: 1}, into(telling))
        came_to(code, values, {})
    assert heard[0] == heard[1]
