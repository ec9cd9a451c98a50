"""What hypothesis draws programs from.

`programs()` are well-typed structured programs: several procedures with recursion, nested loops with break, continue
and early return, arrays, machine integers, mathematical integers and reals, with values left open. Counters bound all
loops and the depth of all recursion, so that runs end, although some take long. `flow_graphs()` are single procedures
with arbitrary jumps, reducible or not. Every statement has a line of its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.errors import Span
from sorrel.program.checks import guards
from sorrel.program.construction import binary, negation, zero
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import (
    COMPARISONS,
    CONNECTIVES,
    Apply,
    Conditional,
    Constant,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.graph import reached_only
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Choice,
    Goto,
    Havoc,
    Kind,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.types import BOOLEAN, REAL, UNBOUNDED, Array, Machine, Type, is_integer
from sorrel.program.typing import binary_complaint
from sorrel.program.value import ArrayValue, Value

Draw = Callable[[st.SearchStrategy[Any]], Any]

SMALL, BYTE, INT, UNSIGNED = Machine(8, True), Machine(8, False), Machine(32, True), Machine(32, False)
SMALLS, ROWS = Array(SMALL), Array(Array(UNBOUNDED))
TYPES: tuple[Type, ...] = (BOOLEAN, SMALL, BYTE, INT, UNSIGNED, UNBOUNDED, REAL, SMALLS, ROWS)
NUMBERS: tuple[Type, ...] = (SMALL, BYTE, INT, UNSIGNED, UNBOUNDED, REAL)

# Names that the text form must get right.
ODD_NAMES = ("i.2", "*p", "entry", "two words", "u8", "_", "é", 'say "`"', "$t", "\\")


# Rounds of a loop, depth of recursion: what hypothesis takes for simplest is what tells most.
TIMES = st.sampled_from((2, 3, 1, 0))
_PLACES = st.sampled_from(((), (Span("drawn.c", 3, 1, 3, 9), Span("other.c", 1, 2))))


def random_value(type: Type, source: random.Random) -> Value:
    """Small numbers mostly, and now and then one at the edge of its type."""
    match type:
        case Machine():
            edge = source.choice((type.smallest, type.largest, 0, 1))
            return source.choice((edge, max(type.smallest, source.randint(-3, 5)), source.randint(0, 5)))
        case Array(element):
            entries = {index: random_value(element, source) for index in range(3)}
            return ArrayValue(random_value(element, source), entries)
    if type == BOOLEAN:
        return source.random() < 0.5
    return Fraction(source.randint(-4, 4), source.randint(1, 3)) if type == REAL else source.randint(-4, 6)


def choices(seed: int) -> Callable[[Type], Value]:
    """Any values, the same for the same seed."""
    source = random.Random(seed)
    return lambda type: random_value(type, source)


# Expressions


def constants(draw: Draw, type: Type) -> Expression:
    match type:
        case Machine():
            near = st.integers(max(type.smallest, -3), min(type.largest, 9))
            return Constant(draw(st.one_of(near, st.sampled_from((type.smallest, type.largest)))), type)
        case Array(element):
            return Filled(constants(draw, element), type)
    if type == BOOLEAN:
        return Constant(draw(st.booleans()), type)
    if type == REAL:
        return Constant(Fraction(draw(st.integers(-5, 5)), draw(st.integers(1, 4))), type)
    return Constant(draw(st.integers(-5, 12)), type)


def expression(
    draw: Draw, type: Type, scope: tuple[Variable, ...], functions: bool = True, depth: int = 2
) -> Expression:
    """Any expression of the type over the variables, with or without uninterpreted functions."""
    fitting = [variable for variable in scope if variable.type == type]
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(fitting)) if fitting and draw(st.booleans()) else constants(draw, type)

    def inner(wanted: Type) -> Expression:
        return expression(draw, wanted, scope, functions, depth - 1)

    kind = draw(st.sampled_from(("operator", "operator", "operator", "conditional", "select", "apply")))
    if kind == "conditional":
        return Conditional(inner(BOOLEAN), inner(type), inner(type), type)
    if kind == "apply" and functions:
        return Apply("f", (inner(SMALL),), type) if draw(st.booleans()) else Apply("odd name", (), type)
    if kind == "select" and type in (SMALL, Array(UNBOUNDED)):
        return Select(inner(Array(type)), inner(draw(st.sampled_from((UNBOUNDED, SMALL)))), type)
    return _operation(draw, type, inner)


def _operation(draw: Draw, type: Type, inner: Callable[[Type], Expression]) -> Expression:
    match type:
        case Array(element):
            return Store(inner(type), inner(UNBOUNDED), inner(element), type)
    if type == BOOLEAN:
        operator = draw(st.sampled_from(sorted(COMPARISONS | CONNECTIVES)))
        if operator in CONNECTIVES:
            return binary(operator, inner(BOOLEAN), inner(BOOLEAN))
        fitting = [each for each in TYPES if not binary_complaint(operator, each, each)]
        operand = draw(st.sampled_from(fitting))
        compared = binary(operator, inner(operand), inner(operand))
        return compared if draw(st.booleans()) else negation(compared)
    if is_integer(type) and draw(st.integers(0, 4)) == 0:
        return Convert(inner(draw(st.sampled_from((BOOLEAN, SMALL, BYTE, INT, UNBOUNDED)))), type)
    if draw(st.integers(0, 6)) == 0:
        complement = isinstance(type, Machine) and draw(st.booleans())
        return Unary(UnaryOperator.COMPLEMENT if complement else UnaryOperator.NEGATE, inner(type), type)
    return _arithmetic(draw, type, inner)


def _arithmetic(draw: Draw, type: Type, inner: Callable[[Type], Expression]) -> Expression:
    usual = (Operator.ADD, Operator.SUBTRACT, Operator.ADD, Operator.MULTIPLY)
    fitting = [each for each in Operator if each not in COMPARISONS and not binary_complaint(each, type, type)]
    operator = draw(st.sampled_from((*usual, *fitting)))
    shift = operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT)
    right = inner(draw(st.sampled_from((type, SMALL, BYTE)))) if shift else inner(type)
    return binary(operator, inner(type), right)


# What can go wrong in them


def undefined_in(expression: Expression, values: Mapping[str, Value]) -> tuple[Kind, str] | None:
    """The first operation that has no value, when the expression is evaluated; None if all have one."""
    try:
        evaluate(compile(expression, frozenset()), values, {}, _no_function)
    except UndefinedOperation as undefined:
        return undefined.kind, undefined.message
    return None


def failing_guard(expression: Expression, values: Mapping[str, Value]) -> tuple[Kind, str] | None:
    """The first guard of the expression that is false; None if all hold."""
    for guard in guards(expression):
        if not evaluate(compile(guard.condition, frozenset()), values, {}, _no_function):
            return guard.kind, guard.message
    return None


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise AssertionError(f"{function} has no value")


# Structured programs


@dataclass(slots=True)
class _Builder:
    """The blocks of a procedure under construction; the last one is open."""

    line: int
    label: str = "start"
    statements: list[Statement] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    locals: list[Variable] = field(default_factory=list)
    count: int = 0

    def span(self) -> Span:
        self.line += 1
        return Span("drawn.c", self.line, 3, self.line, 20)

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    def counter(self) -> Variable:
        variable = Variable(self.fresh("counter."), UNBOUNDED)
        self.locals.append(variable)
        return variable

    def close(self, terminator: Terminator, following: str) -> None:
        self.blocks.append(Block(self.label, tuple(self.statements), terminator))
        self.label, self.statements = following, []


@dataclass(frozen=True, slots=True)
class _Signature:
    name: str
    parameters: tuple[Variable, ...]
    outputs: tuple[Variable, ...]


@dataclass(slots=True)
class _Body:
    """Draws the statements of one procedure. `loops` are the labels for continue and break, innermost last."""

    draw: Draw
    builder: _Builder
    scope: tuple[Variable, ...]
    signatures: tuple[_Signature, ...]
    fuel: Variable
    functions: bool
    loops: list[tuple[str, str]] = field(default_factory=list)

    def expression(self, type: Type) -> Expression:
        return expression(self.draw, type, self.scope, self.functions)

    def target(self) -> Variable:
        variable: Variable = self.draw(st.sampled_from(self.scope))
        return variable

    def sequence(self, depth: int) -> None:
        kinds = ["assign"] * 4 + ["havoc", "assume", "assert", "call", "call", "jump"]
        kinds += ["if", "while", "while", "while"] if depth else []
        for kind in self.draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=4)):
            match kind:
                case "if":
                    self.conditional(depth - 1)
                case "while":
                    self.loop(depth - 1)
                case "call":
                    self.call()
                case "jump":
                    self.jump()
                case _:
                    self.builder.statements.append(self.simple(kind))

    def simple(self, kind: str) -> Statement:
        span = self.builder.span()
        target = self.target()
        match kind:
            case "havoc":
                return Havoc(target, self.draw(st.sampled_from(Choice)), self.draw(st.sampled_from(("", "f"))), span)
            case "assume":
                usual = binary(Operator.OR, self.expression(BOOLEAN), self.expression(BOOLEAN))
                return Assume(usual, self.draw(st.sampled_from(("", "so it is"))), span)
            case "assert":
                usual = binary(Operator.OR, self.expression(BOOLEAN), self.expression(BOOLEAN))
                return Assert(usual, self.draw(st.sampled_from(Kind)), self.draw(st.sampled_from(("", "bad"))), span)
            case _:
                return Assign(target, self.expression(target.type), span)

    def conditional(self, depth: int) -> None:
        builder = self.builder
        then, otherwise, after = builder.fresh("then"), builder.fresh("else"), builder.fresh("after")
        builder.close(Branch(self.expression(BOOLEAN), then, otherwise, builder.span()), then)
        self.sequence(depth)
        builder.close(Goto(after, builder.span()), otherwise)
        if self.draw(st.booleans()):
            self.sequence(depth)
        builder.close(Goto(after, builder.span()), after)

    def loop(self, depth: int) -> None:
        builder = self.builder
        head, body, after = builder.fresh("head"), builder.fresh("body"), builder.fresh("after")
        counter, none = builder.counter(), Constant(0, UNBOUNDED)
        builder.statements.append(Assign(counter, Constant(self.draw(TIMES), UNBOUNDED), builder.span()))
        builder.close(Goto(head, builder.span()), head)
        more = binary(Operator.MORE, counter, none)
        if self.draw(st.integers(0, 3)) == 3:
            more = binary(Operator.AND, more, self.expression(BOOLEAN))
        builder.close(Branch(more, body, after, builder.span()), body)
        less = binary(Operator.SUBTRACT, counter, Constant(1, UNBOUNDED))
        builder.statements.append(Assign(counter, less, builder.span()))
        self.loops.append((head, after))
        self.sequence(depth)
        self.loops.pop()
        builder.close(Goto(head, builder.span()), after)

    def call(self) -> None:
        """Only while there is fuel, of which the callee gets less."""
        builder = self.builder
        called, after = builder.fresh("call"), builder.fresh("after")
        callee: _Signature = self.draw(st.sampled_from(self.signatures))
        enough = binary(Operator.MORE, self.fuel, Constant(0, UNBOUNDED))
        builder.close(Branch(enough, called, after, builder.span()), called)
        less = binary(Operator.SUBTRACT, self.fuel, Constant(1, UNBOUNDED))
        arguments = (less, *(self.expression(each.type) for each in callee.parameters[1:]))
        builder.statements.append(Call(callee.name, arguments, self.results(callee), builder.span()))
        builder.close(Goto(after, builder.span()), after)

    def results(self, callee: _Signature) -> tuple[Variable | None, ...]:
        results: list[Variable | None] = []
        for output in callee.outputs:
            fitting = [each for each in self.scope if each.type == output.type and each not in results]
            results.append(self.draw(st.sampled_from([None, *fitting])))
        return tuple(results)

    def jump(self) -> None:
        """Out of the middle, under a condition: break, continue (of any loop around), return, stop."""
        builder = self.builder
        leave, stay = builder.fresh("leave"), builder.fresh("stay")
        builder.close(Branch(self.expression(BOOLEAN), leave, stay, builder.span()), leave)
        targets = [label for loop in self.loops for label in loop]
        kind = self.draw(st.sampled_from([*targets, *targets, "return", "stop"]))
        span = builder.span()
        builder.close(Return(span) if kind == "return" else Stop(span) if kind == "stop" else Goto(kind, span), stay)


def _variables(draw: Draw, prefix: str, most: int) -> tuple[Variable, ...]:
    types = draw(st.lists(st.sampled_from(TYPES), max_size=most))
    return tuple(Variable(f"{prefix}{position}", type) for position, type in enumerate(types))


def _procedure(
    draw: Draw,
    signature: _Signature,
    globals: tuple[Variable, ...],
    signatures: tuple[_Signature, ...],
    functions: bool,
    line: int,
) -> Procedure:
    """The main procedure has no parameters: its fuel is a local."""
    builder = _Builder(line)
    start = builder.span()
    locals = (Variable("x", SMALL), Variable("y", UNBOUNDED), *_variables(draw, "v", 2))
    fuel = signature.parameters[0] if signature.parameters else Variable("fuel", UNBOUNDED)
    if not signature.parameters:
        builder.locals.append(fuel)
        builder.statements.append(Assign(fuel, Constant(draw(TIMES), UNBOUNDED), start))
    if draw(st.booleans()):  # otherwise they start with any value
        builder.statements += [Assign(each, zero(each.type), builder.span()) for each in locals]
    scope = (*signature.parameters[1:], *signature.outputs, *locals, *globals)
    _Body(draw, builder, scope, signatures, fuel, functions).sequence(2)
    builder.close(Return(builder.span()), "")
    outputs, shown = signature.outputs, {each.name: f"*{each.name}" for each in locals[2:]}
    procedure = Procedure(
        signature.name,
        signature.parameters,
        outputs,
        (*locals, *builder.locals),
        tuple(builder.blocks),
        "start",
        Span("drawn.c", start.line, 1, builder.line, 2),
        shown,
    )
    return reached_only(procedure)


@st.composite
def programs(draw: Draw, procedures: int = 3, functions: bool = True) -> Program:
    globals = _variables(draw, "g", 3)
    initial = {each.name: constants(draw, each.type) for each in globals if draw(st.booleans())}
    signatures = [_Signature("main", (), _variables(draw, "out", 2))]
    for number in range(draw(st.integers(1, procedures - 1))):
        parameters = (Variable("fuel", UNBOUNDED), *_variables(draw, "p", 2))
        outputs = _variables(draw, "r", 2)
        # A parameter may be an output too: it goes in and comes out.
        both = parameters[1:] if draw(st.booleans()) else ()
        signatures.append(_Signature(f"f{number}", parameters, (*outputs, *both)))
    callees = tuple(signatures[1:])
    bodies = [_procedure(draw, each, globals, callees, functions, 1000 * at) for at, each in enumerate(signatures)]
    told = draw(st.lists(st.builds(Premise, st.sampled_from(AssumptionKind), st.just("so it is"), _PLACES), max_size=1))
    return Program(tuple(bodies), globals, initial, "main", tuple(told))


# Arbitrary jumps


@st.composite
def flow_graphs(draw: Draw, most: int = 7) -> Procedure:
    """A procedure without parameters whose blocks jump anywhere; branches depend on values left open."""
    labels = [f"b{number}" for number in range(draw(st.integers(1, most)))]
    scope = (Variable("x", SMALL), Variable("y", UNBOUNDED), Variable("z", BOOLEAN))
    builder = _Builder(0)
    blocks = []
    for label in labels:
        body = _Body(draw, builder, scope, (), scope[1], True)
        kinds = draw(st.lists(st.sampled_from(("assign", "havoc", "assert")), max_size=2))
        statements = tuple(body.simple(kind) for kind in kinds)
        targets = draw(st.lists(st.sampled_from(labels), min_size=0, max_size=2))
        blocks.append(Block(label, statements, _terminator(body, targets)))
    return Procedure("main", (), scope[:1], scope[1:], tuple(blocks), labels[0])


def _terminator(body: _Body, targets: list[str]) -> Terminator:
    span = body.builder.span()
    match targets:
        case [one]:
            return Goto(one, span)
        case [one, two]:
            return Branch(body.expression(BOOLEAN), one, two, span)
        case _:
            return Return(span)
