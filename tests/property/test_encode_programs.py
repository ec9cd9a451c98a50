"""Encodings of small programs against the interpreter, which tries every choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from programs import choices, flow_graphs, programs
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.door import AllRuns, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.text import write_system
from sorrel.horn.verdict import Safe, Unsafe, Verdict
from sorrel.model.budget import Budget
from sorrel.model.errors import Span
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.construction import binary, negation
from sorrel.program.expression import COMPARISONS, Conditional, Constant, Convert, Expression, Operator, Variable
from sorrel.program.interpreter import run
from sorrel.program.program import Procedure, Program
from sorrel.program.run import Starved, Undefined, Violated
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Goto,
    Havoc,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.types import BOOLEAN, Machine, Type
from sorrel.program.validate import validate
from sorrel.program.value import Value

Draw = Callable[[st.SearchStrategy[Any]], Any]
SIGNED, UNSIGNED = Machine(8, True), Machine(8, False)
NUMBERS = (SIGNED, SIGNED, UNSIGNED)
CHOICES = (0, 1, 2)


def number(value: int, type: Type) -> Constant:
    return Constant(value, type)


def tame(draw: Draw, type: Type, scope: tuple[Variable, ...], depth: int = 2) -> Expression:
    """Expressions that solvers like: linear, with constant divisors and masks."""
    fitting = [each for each in scope if each.type == type]
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        if fitting and draw(st.integers(0, 3)):
            chosen: Variable = draw(st.sampled_from(fitting))
            return chosen
        return Constant(draw(st.booleans()), type) if type == BOOLEAN else number(draw(st.integers(0, 6)), type)
    if draw(st.integers(0, 5)) == 0:
        condition = tame(draw, BOOLEAN, scope, depth - 1)
        return Conditional(condition, tame(draw, type, scope, depth - 1), tame(draw, type, scope, depth - 1), type)
    if type == BOOLEAN:
        operator = draw(st.sampled_from([*sorted(COMPARISONS), Operator.AND, Operator.OR]))
        inner = draw(st.sampled_from(NUMBERS)) if operator in COMPARISONS else BOOLEAN
        made = binary(operator, tame(draw, inner, scope, depth - 1), tame(draw, inner, scope, depth - 1))
        return made if draw(st.booleans()) else negation(made)
    left = tame(draw, type, scope, depth - 1)
    match draw(st.integers(0, 6)):
        case 0:
            other = draw(st.sampled_from([each for each in (SIGNED, UNSIGNED, BOOLEAN) if each != type]))
            return Convert(tame(draw, other, scope, depth - 1), type)
        case 1:
            operators = (Operator.DIVIDE, Operator.REMAINDER, Operator.MULTIPLY, Operator.BIT_AND, Operator.SHIFT_RIGHT)
            return binary(draw(st.sampled_from(operators)), left, number(draw(st.integers(1, 4)), type))
        case _:
            operator = draw(st.sampled_from((Operator.ADD, Operator.SUBTRACT)))
            return binary(operator, left, tame(draw, type, scope, depth - 1))


@dataclass(slots=True)
class Builder:
    """Draws the blocks of a procedure; the last one is open."""

    draw: Draw
    scope: tuple[Variable, ...]
    callees: Mapping[str, tuple[tuple[Variable, ...], tuple[Variable, ...]]]
    fuel: Variable
    label: str = "start"
    statements: list[Statement] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    counters: list[Variable] = field(default_factory=list)
    exits: list[str] = field(default_factory=list)
    count: int = 0

    def close(self, terminator: Terminator, following: str) -> None:
        self.blocks.append(Block(self.label, tuple(self.statements), terminator))
        self.label, self.statements = following, []

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    def sequence(self, depth: int) -> None:
        kinds = ["assign", "assign", "assign", "havoc", "assume", "assert", "call", "jump"]
        kinds += ["if", "if", "while", "while"] if depth else []
        for kind in self.draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3)):
            getattr(self, f"draw_{kind}")(depth)

    def draw_assign(self, depth: int) -> None:
        target = self.draw(st.sampled_from(self.scope))
        self.statements.append(Assign(target, tame(self.draw, target.type, self.scope)))

    def draw_havoc(self, depth: int) -> None:
        target = self.draw(st.sampled_from([each for each in self.scope if each.type != BOOLEAN]))
        small = binary(
            Operator.AND,
            binary(Operator.AT_MOST, number(0, target.type), target),
            binary(Operator.AT_MOST, target, number(max(CHOICES), target.type)),
        )
        self.statements += [Havoc(target), Assume(small)]

    def draw_assume(self, depth: int) -> None:
        self.statements.append(Assume(tame(self.draw, BOOLEAN, self.scope)))

    def draw_assert(self, depth: int) -> None:
        self.statements.append(
            Assert(tame(self.draw, BOOLEAN, self.scope), span=Span("drawn.c", len(self.blocks) + 1, 1))
        )

    def draw_if(self, depth: int) -> None:
        then, otherwise, after = self.fresh("then"), self.fresh("else"), self.fresh("after")
        self.close(Branch(tame(self.draw, BOOLEAN, self.scope), then, otherwise), then)
        self.sequence(depth - 1)
        self.close(Goto(after), otherwise)
        if self.draw(st.booleans()):
            self.sequence(depth - 1)
        self.close(Goto(after), after)

    def draw_while(self, depth: int) -> None:
        head, body, after = self.fresh("head"), self.fresh("body"), self.fresh("after")
        counter = Variable(self.fresh("counter."), SIGNED)
        self.counters.append(counter)
        self.statements.append(Assign(counter, number(self.draw(st.integers(0, 3)), SIGNED)))
        self.close(Goto(head), head)
        more = binary(Operator.MORE, counter, number(0, SIGNED))
        if self.draw(st.booleans()):
            more = binary(Operator.AND, more, tame(self.draw, BOOLEAN, self.scope))
        self.close(Branch(more, body, after), body)
        self.statements.append(Assign(counter, binary(Operator.SUBTRACT, counter, number(1, SIGNED))))
        self.exits += [head, after]
        self.sequence(depth - 1)
        del self.exits[-2:]
        self.close(Goto(head), after)

    def draw_call(self, depth: int) -> None:
        """Only while there is fuel, of which the callee gets less."""
        called, after = self.fresh("call"), self.fresh("after")
        name = self.draw(st.sampled_from(sorted(self.callees)))
        parameters, outputs = self.callees[name]
        self.close(Branch(binary(Operator.MORE, self.fuel, number(0, SIGNED)), called, after), called)
        less = binary(Operator.SUBTRACT, self.fuel, number(1, SIGNED))
        arguments = (less, *(tame(self.draw, each.type, self.scope, 1) for each in parameters[1:]))
        results: list[Variable | None] = []
        for output in outputs:
            fitting = [each for each in self.scope if each.type == output.type and each not in results]
            results.append(self.draw(st.sampled_from([None, *fitting])))
        self.statements.append(Call(name, arguments, tuple(results)))
        self.close(Goto(after), after)

    def draw_jump(self, depth: int) -> None:
        """break, continue, return or stop, under a condition."""
        leave, stay = self.fresh("leave"), self.fresh("stay")
        self.close(Branch(tame(self.draw, BOOLEAN, self.scope), leave, stay), leave)
        kind = self.draw(st.sampled_from([*self.exits, *self.exits, "return", "stop"]))
        ends: dict[str, Terminator] = {"return": Return(), "stop": Stop()}
        self.close(ends.get(kind) or Goto(kind), stay)


@st.composite
def small_programs(draw: Draw) -> Program:
    globals_ = (Variable("g", SIGNED), Variable("h", draw(st.sampled_from((UNSIGNED, BOOLEAN)))))
    initial = {
        "g": number(draw(st.integers(0, 3)), SIGNED),
        "h": Constant(0 if globals_[1].type != BOOLEAN else False, globals_[1].type),
    }
    fuel = Variable("fuel", SIGNED)
    signatures = {
        name: ((fuel, Variable("p", draw(st.sampled_from(NUMBERS)))), (Variable("r", draw(st.sampled_from(NUMBERS))),))
        for name in ("f", "k")[: draw(st.integers(1, 2))]
    }
    bodies = []
    for name, (parameters, outputs) in [("main", ((), ())), *signatures.items()]:
        locals_ = (Variable("x", SIGNED), Variable("u", UNSIGNED), Variable("b", BOOLEAN))
        own = (*parameters[1:], *outputs, *locals_)
        builder = Builder(draw, (*own, *globals_), signatures, fuel)
        if name == "main":
            builder.statements.append(Assign(fuel, number(draw(st.integers(0, 2)), SIGNED)))
        zeros = [
            Assign(v, Constant(False, v.type) if v.type == BOOLEAN else number(0, v.type)) for v in (*outputs, *locals_)
        ]
        builder.statements += zeros
        builder.sequence(2)
        if name == "main":
            builder.draw_assert(0)
        builder.close(Return(), "")
        extra = (fuel,) if name == "main" else ()
        bodies.append(
            Procedure(name, parameters, outputs, (*locals_, *extra, *builder.counters), tuple(builder.blocks), "start")
        )
    return Program(tuple(bodies), globals_, initial)


def endings(program: Program, most: int = 400) -> Iterator[object]:
    """How the runs end, over all sequences of choices; stops early if there are too many."""
    waiting: list[tuple[Value, ...]] = [()]
    for _ in range(most):
        if not waiting:
            return
        chosen = waiting.pop()
        end = run(program, chosen, steps=20_000).end
        if isinstance(end, Starved):
            waiting.extend((*chosen, value) for value in CHOICES)
        else:
            yield end
    raise TooMany


class TooMany(Exception):
    pass


def verdict_of(program: Program, arithmetic: Arithmetic, seconds: float = 3.0) -> tuple[Encoding, Verdict]:
    encoding = encode(program, arithmetic)
    verdict = Spacer(SpacerOptions()).solve(encoding.system, Circumstances(Budget(seconds=seconds).start()), {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(encoding.system, verdict), Accepted)
    return encoding, verdict


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
@given(program=small_programs())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_the_verdict_is_what_trying_every_choice_finds(arithmetic: Arithmetic, program: Program) -> None:
    validate(program)
    try:
        violated = any(isinstance(end, Violated) for end in endings(program))
    except TooMany:
        return
    encoding, verdict = verdict_of(program, arithmetic)
    if isinstance(verdict, Safe):
        assert not violated
    if isinstance(verdict, Unsafe):
        end = run(program, encoding.choices(verdict.derivation)).end
        if arithmetic is Arithmetic.IDEAL and not violated:
            assert not isinstance(end, Violated)  # a number left its type
        elif not encoding.abstractions:
            assert violated
            assert isinstance(end, Violated) or (arithmetic is Arithmetic.IDEAL and isinstance(end, Undefined))


def followed(program: Program) -> Outcome:
    options = Options(budget=Budget(seconds=20))
    effort = Effort(options, options.budget.start(), lambda _: None)
    return accept(AllRuns(program, Task((Source("drawn.c", ""),)), Arithmetic.EXACT), effort)


@given(program=small_programs())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_following_all_runs_finds_what_trying_every_choice_finds(program: Program) -> None:
    try:
        violated = any(isinstance(end, Violated) for end in endings(program))
    except TooMany:
        return
    answer = followed(program).answer
    assert answer in ((Answer.UNSAFE, Answer.UNKNOWN) if violated else (Answer.SAFE, Answer.UNKNOWN))


@given(program=programs(), seed=st.integers(0, 1000))
def test_a_program_of_which_all_runs_were_followed_has_no_run_that_fails(program: Program, seed: int) -> None:
    if followed(program).answer is Answer.SAFE:
        assert not isinstance(run(program, choices(seed), steps=50_000).end, Violated)


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
@given(program=programs())
def test_every_program_has_an_encoding_that_can_be_read_back(arithmetic: Arithmetic, program: Program) -> None:
    encoding = encode(program, arithmetic)
    again = read_text(write_system(encoding.system))
    assert len(again.clauses) == len(encoding.system.clauses)
    assert {p.name for p in again.predicates} == set(encoding.points)


@given(graph=flow_graphs())
def test_jumps_into_loops_are_encoded_too(graph: Procedure) -> None:
    program = Program((graph,))
    encoding, verdict = verdict_of(program, Arithmetic.RANGED, 1.0)
    if isinstance(verdict, Unsafe) and not encoding.abstractions:
        assert isinstance(run(program, encoding.choices(verdict.derivation)).end, Violated)
