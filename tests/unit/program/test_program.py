"""Loops, effects, liveness, validity and checks of programs written by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from programs import failing_guard, undefined_in
from sorrel.model.errors import InternalError, Span
from sorrel.program.checks import REASONS, guards, instrument
from sorrel.program.construction import FALSE, TRUE, binary
from sorrel.program.effects import Effects, effects
from sorrel.program.evaluation import DIVISION_BY_ZERO, overflow
from sorrel.program.expression import (
    COMPARISONS,
    CONNECTIVES,
    Apply,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Select,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.graph import immediate_dominators, reached_only, reverse_postorder
from sorrel.program.liveness import live_variables, open_starts
from sorrel.program.loops import Irreducible, loops
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Goto,
    Havoc,
    Kind,
    Return,
    Statement,
    Stop,
)
from sorrel.program.traversal import free_variables, rewrite, subexpressions, substitute
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Machine
from sorrel.program.validate import complaints, validate

INT, BYTE, SMALL = Machine(32, True), Machine(8, False), Machine(8, True)
x, y, z, g, h = (Variable(name, INT) for name in "xyzgh")
ONE, ZERO = Constant(1, INT), Constant(0, INT)
POSITIVE = binary(Operator.MORE, x, ZERO)


def graph(edges: dict[str, str], entry: str = "a") -> Procedure:
    """A procedure with these blocks; a block with two successors branches on x."""
    blocks = []
    for label, targets in edges.items():
        match targets.split():
            case [one]:
                blocks.append(Block(label, (), Goto(one)))
            case [one, two]:
                blocks.append(Block(label, (), Branch(POSITIVE, one, two)))
            case _:
                blocks.append(Block(label, (), Return()))
    return Procedure("main", (x,), (), (), tuple(blocks), entry)


def block(*statements: Statement, main: str = "main") -> Procedure:
    return Procedure(main, (x,), (), (y, z), (Block("start", statements, Return()),), "start")


# Loops


def test_dominators_and_order() -> None:
    procedure = graph({"a": "b c", "b": "d", "c": "d", "d": "", "lost": "d"})
    assert reverse_postorder(procedure) == ("a", "b", "c", "d")
    assert immediate_dominators(procedure) == {"a": "a", "b": "a", "c": "a", "d": "a"}
    assert [each.label for each in reached_only(procedure).blocks] == ["a", "b", "c", "d"]


def test_nested_loops_know_their_bodies_and_parents() -> None:
    procedure = graph({"a": "b", "b": "c out", "c": "d e", "d": "c", "e": "b again", "again": "b", "out": ""})
    found = {loop.header: loop for loop in loops(procedure)}
    assert list(found) == ["b", "c"]
    assert set(found["b"].body) == {"b", "c", "d", "e", "again"}
    assert found["b"].body[0] == "b"
    assert set(found["c"].body) == {"c", "d"}
    assert (found["b"].parent, found["c"].parent) == (None, "b")


def test_a_block_that_loops_on_itself() -> None:
    (loop,) = loops(graph({"a": "a b", "b": ""}))
    assert loop.body == ("a",)


def test_the_span_of_a_loop_is_that_of_the_way_in() -> None:
    span, condition = Span("f.c", 3, 3, 5, 4), Span("f.c", 3, 10, 3, 15)
    head = Block("b", (), Branch(POSITIVE, "b", "c", condition))
    entered = Procedure("main", (x,), (), (), (Block("a", (), Goto("b", span)), head, Block("c", (), Return())), "a")
    assert loops(entered)[0].span == span
    assert loops(replace(entered, entry="b"))[0].span == condition


def test_a_jump_into_a_loop_is_named() -> None:
    with pytest.raises(Irreducible, match="jumps into the middle of a loop: b, c") as caught:
        loops(graph({"a": "b c", "b": "c out", "c": "b", "out": ""}))
    assert caught.value.labels == ("b", "c")


# Liveness and effects


def test_liveness_follows_all_ways() -> None:
    body = Block(
        "body", (Assign(z, binary(Operator.ADD, z, y)), Assign(x, binary(Operator.SUBTRACT, x, ONE))), Goto("head")
    )
    head = Block("head", (), Branch(POSITIVE, "body", "end"))
    procedure = Procedure("main", (x,), (z,), (y,), (head, body, Block("end", (), Return())), "head")
    live = live_variables(procedure)
    assert live == {"head": {x, y, z}, "body": {x, y, z}, "end": {z}}
    assert open_starts(procedure) == (z, y)
    assert g in live_variables(procedure, at_return=[g])["head"]


def test_effects_are_those_of_callees_too() -> None:
    main = block(Call("f", (x,), ()))
    f = block(Call("k", (g,), ()), Call("f", (x,), ()), main="f")
    k = block(Assign(h, x), Assert(TRUE), main="k")
    other = block(main="other")
    program = Program((main, f, k, other), (h, g))
    validate(program)
    assert effects(program) == {
        "main": Effects((g,), (h,), True),
        "f": Effects((g,), (h,), True),
        "k": Effects((), (h,), True),
        "other": Effects((), (), False),
    }


# Validity


def _ill_formed() -> dict[str, Program]:
    mixed = Binary(Operator.ADD, x, Constant(1, BYTE), INT)
    far = Constant(300, BYTE)
    return {
        "there is no procedure main": Program(()),
        "operands of + differ: i32 and u8": Program((block(Assign(y, mixed)),)),
        "300 is not a value of type u8": Program((block(Assign(Variable("y", BYTE), far)),)),
        "the variable w is not declared": Program((block(Assign(y, Variable("w", INT))),)),
        "variable y is of type i32 and used as u8": Program((block(Havoc(Variable("y", BYTE))),)),
        "type bool is assigned to y": Program((block(Assign(y, TRUE)),)),
        "the condition is of type i32": Program((block(Assume(x)),)),
        "no procedure f to call": Program((block(Call("f", ())),)),
        "called with 0 arguments and has 1": Program((block(Call("main", ())),)),
        "1 results are taken": Program((block(Call("main", (x,), (y,))),)),
        "main takes i32 for x and is given bool": Program((block(Call("main", (TRUE,), ())),)),
        "no block b to go to": Program((graph({"a": "b"}),)),
        "no block a to start with": Program((graph({"b": ""}),)),
        "two blocks are labelled start": Program((replace(block(), blocks=block().blocks * 2),)),
        "two variables are called x": Program((block(),), (x,)),
        "y is declared twice": Program((replace(block(), locals=(y, y)),)),
        "the local x is also": Program((replace(block(), locals=(x,)),)),
        "two procedures are called main": Program((block(), block())),
        "g has an initial value but is not a global": Program((block(),), (), {"g": ONE}),
        "initial value is undefined": Program((block(),), (g,), {"g": binary(Operator.DIVIDE, ONE, ZERO)}),
        "the variable h is not declared": Program((block(),), (g, h), {"g": h}),
        "initial value applies": Program((block(),), (g,), {"g": Apply("f", (), INT)}),
        "type i32 is indexed": Program((block(Assign(y, Select(x, ZERO, INT))),)),
        "gives i32, not bool": Program((block(Assume(Unary(UnaryOperator.NEGATE, x, BOOLEAN))),)),
        "nothing is converted to bool": Program((block(Assume(Convert(x, BOOLEAN))),)),
        "sides of ?: differ": Program((block(Assign(y, Conditional(TRUE, x, TRUE, INT))),)),
    }


@pytest.mark.parametrize(("message", "program"), _ill_formed().items())
def test_ill_formed_programs_are_named(message: str, program: Program) -> None:
    with pytest.raises(InternalError, match=re.escape(message)):
        validate(program)


def test_complaints_say_where() -> None:
    wrong = Assume(x, span=Span("f.c", 7, 2))
    (complaint,) = complaints(Program((block(Assign(y, x), wrong),)))
    assert complaint.subject is wrong
    assert str(complaint) == "procedure main, block start, f.c:7:2: the condition is of type i32, not bool"


# Traversal


def test_substitution_is_simultaneous() -> None:
    swapped = substitute(binary(Operator.SUBTRACT, x, y), {x: y, y: x})
    assert swapped == binary(Operator.SUBTRACT, y, x)
    assert free_variables(swapped) == (y, x)


def test_shared_expressions_are_walked_once() -> None:
    expression: Expression = x
    for _ in range(200):
        expression = binary(Operator.BIT_AND, expression, expression)
    assert len(list(subexpressions(expression))) == 201
    assert len(list(subexpressions(rewrite(expression, lambda node: y if node is x else node)))) == 201


# Checks


def _guarded(expression: Expression) -> list[tuple[Kind, Expression]]:
    return [(guard.kind, guard.condition) for guard in guards(expression)]


def test_operations_that_cannot_fail_are_not_guarded() -> None:
    small = Convert(Variable("c", SMALL), INT)
    assert not _guarded(binary(Operator.MULTIPLY, small, small))
    assert not _guarded(binary(Operator.ADD, Constant(1, INT), Constant(2, INT)))
    assert not _guarded(binary(Operator.DIVIDE, x, Constant(2, INT)))
    assert not _guarded(binary(Operator.SHIFT_RIGHT, x, Constant(31, INT)))
    assert not _guarded(binary(Operator.ADD, Variable("b", BYTE), Variable("b", BYTE)))
    assert not _guarded(binary(Operator.MULTIPLY, Variable("n", UNBOUNDED), Variable("n", UNBOUNDED)))


def test_guards_are_in_the_order_of_evaluation() -> None:
    negated = Unary(UnaryOperator.NEGATE, z, INT)
    messages = [guard.message for guard in guards(binary(Operator.ADD, binary(Operator.DIVIDE, x, y), negated))]
    assert messages == [DIVISION_BY_ZERO, overflow("/"), overflow("-"), overflow("+")]


def _three_bits(name: str, value: int) -> tuple[list[Expression], dict[str, int]]:
    """Operands in all the forms that bounds are read off from, and the values of their variables."""
    three, two, natural = Machine(3, True), Machine(2, True), Machine(3, False)
    variables = [Variable(f"{name}{type}", type) for type in (three, two, natural)]
    constant = Constant(value, three)
    operands: list[Expression] = [variables[0], Convert(variables[1], three), Convert(variables[2], three), constant]
    return [*operands, Convert(constant, three)], {each.name: _wrapped(each, value) for each in variables}


def _wrapped(variable: Variable, value: int) -> int:
    assert isinstance(variable.type, Machine)
    return variable.type.wrap(value)


@pytest.mark.parametrize("operator", [each for each in Operator if each not in COMPARISONS | CONNECTIVES])
def test_guards_are_exact_for_all_operands_of_three_bits(operator: Operator) -> None:
    for left, right in product(range(-4, 4), repeat=2):
        lefts, values = _three_bits("left", left)
        rights, others = _three_bits("right", right)
        for one, other in product(lefts, rights):
            expression = binary(operator, one, other)
            assert failing_guard(expression, values | others) == undefined_in(expression, values | others)


def test_guards_of_negation_are_exact() -> None:
    for value in range(-4, 4):
        operands, values = _three_bits("x", value)
        for operand in operands:
            expression = Unary(UnaryOperator.NEGATE, operand, operand.type)
            assert failing_guard(expression, values) == undefined_in(expression, values)


def test_guards_hold_under_the_conditions_of_evaluation() -> None:
    nonzero = binary(Operator.DIFFERENT, y, ZERO)
    safe = binary(Operator.EQUAL, binary(Operator.DIVIDE, Constant(6, INT), y), ONE)
    assert _guarded(binary(Operator.AND, nonzero, safe)) == [
        (Kind.DIVISION, binary(Operator.IMPLIES, nonzero, nonzero))
    ]
    either = _guarded(binary(Operator.OR, nonzero, safe))[0][1]
    assert either == binary(Operator.IMPLIES, Unary(UnaryOperator.NOT, nonzero, BOOLEAN), nonzero)


def test_unselected_kinds_are_assumed() -> None:
    quotient = Assign(y, binary(Operator.DIVIDE, ONE, x), Span("f.c", 2, 1))
    program = Program((block(quotient, Assert(FALSE, Kind.ERROR_CALL), Assert(TRUE, Kind.BOUNDS)),))
    (only,) = instrument(program, frozenset({Kind.ERROR_CALL})).procedures
    nonzero = binary(Operator.DIFFERENT, x, ZERO)
    assert only.blocks[0].statements == (
        Assume(nonzero, REASONS[Kind.DIVISION], quotient.span),
        quotient,
        Assert(FALSE, Kind.ERROR_CALL),
        Assume(TRUE, REASONS[Kind.BOUNDS]),
    )


def test_terminators_are_guarded_too() -> None:
    condition = binary(Operator.MORE, binary(Operator.ADD, x, ONE), ZERO)
    start = Block("start", (), Branch(condition, "end", "end", Span("f.c", 4, 2)))
    procedure = Procedure("main", (x,), (), (), (start, Block("end", (), Stop())), "start")
    (first, _) = instrument(Program((procedure,)), frozenset({Kind.OVERFLOW})).procedures[0].blocks
    (check,) = first.statements
    assert isinstance(check, Assert)
    assert (check.kind, check.span, check.message) == (Kind.OVERFLOW, Span("f.c", 4, 2), "signed overflow in +")


def test_arrays_of_arrays_are_typed() -> None:
    rows = Variable("rows", Array(Array(INT)))
    cell = Select(Select(rows, ONE, Array(INT)), ZERO, INT)
    program = Program((block(Assign(y, cell)),), (rows,))
    validate(program)
