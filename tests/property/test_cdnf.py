"""Random Boolean programs: what an interpreter of the syntax sees on all inputs is what the engine says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sorrel.engines.cdnf.engine import Cdnf
from sorrel.engines.cdnf.options import CdnfOptions
from sorrel.engines.engine import Circumstances
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.finite.horn import horn_system
from sorrel.frontends.boolean import Overflow, read_program
from sorrel.frontends.boolean.parser import parse_program
from sorrel.frontends.boolean.syntax import (
    Assign,
    Assume,
    Binary,
    Block,
    CallStatement,
    Expression,
    Function,
    If,
    Name,
    Number,
    Program,
    Return,
    Truth,
    Unary,
    While,
)
from sorrel.horn.verdict import Safe, Unknown
from sorrel.logic.sexpr import Text
from sorrel.model.budget import Budget

WIDTH = 2
TOP = 1 << WIDTH


class NoResult(Exception):
    """The run is discarded, stuck, or repeats itself."""


class Interpreter:
    """Runs the syntax directly: no paths, no loops as functions, no terms."""

    def __init__(self, program: Program, overflow: str) -> None:
        self.program = program
        self.discard = overflow == "discard"
        self.functions = {f.name: f for f in program.functions}
        self.under_way: list[tuple[str, tuple[int, ...]]] = []

    def call(self, name: str, arguments: tuple[int, ...]) -> tuple[int, ...]:
        if (name, arguments) in self.under_way or len(self.under_way) > 60:
            raise NoResult
        self.under_way.append((name, arguments))
        try:
            return self.body(self.functions[name], arguments)
        finally:
            self.under_way.pop()

    def body(self, function: Function, arguments: tuple[int, ...]) -> tuple[int, ...]:
        state = {v.name: (1 << max(1, v.width)) - 1 for v in (*function.declared, *function.results)}
        state |= {p.name: a for p, a in zip(function.parameters, arguments, strict=True)}
        returned = self.block(function.body, state, function)
        return returned if returned is not None else tuple(state[r.name] for r in function.results)

    def block(self, block: Block, state: dict[str, int], function: Function) -> tuple[int, ...] | None:
        for statement in block:
            returned = None
            match statement:
                case Assign(target, value):
                    state[target.name] = self.value(value, state)
                case Assume(condition):
                    if not self.value(condition, state):
                        raise NoResult
                case Return(values):
                    return tuple(self.value(v, state) for v in values)
                case If(condition, then, otherwise):
                    returned = self.block(then if self.value(condition, state) else otherwise, state, function)
                case CallStatement(targets, name, arguments):
                    results = self.call(name.name, tuple(self.value(a, state) for a in arguments))
                    state.update(zip((t.name for t in targets), results, strict=True))
                case While(condition, body):
                    seen = []
                    while returned is None and self.value(condition, state):
                        if state in seen:
                            raise NoResult
                        seen.append(dict(state))
                        returned = self.block(body, state, function)
            if returned is not None:
                return returned
        return None

    def value(self, expression: Expression, state: dict[str, int]) -> int:
        match expression:
            case Number(value):
                return value
            case Truth(truth):
                return int(truth)
            case Name(name):
                return state.get(name, 1)
            case Unary("~", Name() | Binary("=" | "<" | "&" | "|") as operand):
                return 1 - self.value(operand, state)
            case Binary(operator, left, right):
                return self.operation(operator, self.value(left, state), self.value(right, state))
        raise AssertionError(expression)

    def operation(self, operator: str, a: int, b: int) -> int:
        match operator:
            case "=":
                return int(a == b)
            case "<":
                return int(a < b)
            case "&" | "|":
                return a & b if operator == "&" else a | b
        exact = a + b if operator == "+" else a - b
        if self.discard and not 0 <= exact < TOP:
            raise NoResult
        return exact % TOP


def words(depth: int) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["x", "y", "0", "1", "3"])
    if not depth:
        return leaf
    below = words(depth - 1)
    return st.one_of(leaf, st.builds("({} {} {})".format, below, st.sampled_from("+-"), below))


def conditions(depth: int) -> st.SearchStrategy[str]:
    atom = st.one_of(
        st.just("b"), st.builds("({} {} {})".format, st.sampled_from("xy"), st.sampled_from("=<"), words(1))
    )
    if not depth:
        return atom
    below = conditions(depth - 1)
    return st.one_of(
        atom, st.builds("({} {} {})".format, below, st.sampled_from("&|"), below), st.builds("~({} & b)".format, below)
    )


def statements(depth: int) -> st.SearchStrategy[str]:
    simple = st.one_of(
        st.builds("x := {};".format, words(1)),
        st.builds("y := {};".format, words(1)),
        st.builds("b := {};".format, conditions(0)),
        st.builds("y, b := {}({}, {});".format, st.sampled_from(["f", "g"]), words(1), conditions(0)),
        st.builds("assume {};".format, conditions(1)),
        st.builds("if {} then return {}, {}; fi".format, conditions(0), words(0), conditions(0)),
    )
    if not depth:
        return simple
    inside = st.lists(statements(depth - 1), max_size=2).map(" ".join)
    return st.one_of(
        simple,
        st.builds("if {} then {} else {} fi".format, conditions(1), inside, inside),
        st.builds("while {} do {} od".format, conditions(1), inside),
    )


def function(name: str) -> st.SearchStrategy[str]:
    body = st.lists(statements(1), max_size=4).map(" ".join)
    head = f"{name}(x: word, b: bool) returns (s: word, c: bool) {{{{ var y: word; "
    return st.builds((head + "{} s := y; c := b; }}").format, body)


def programs() -> st.SearchStrategy[str]:
    return st.builds("{}\n{}\nproperty {};".format, function("f"), function("g"), _properties())


def _properties() -> st.SearchStrategy[str]:
    return st.sampled_from(["c | ~(s = x)", "~(s = 3) | c", "s = x | x = 0", "s < 3 | b", "x = x", "~(c & b)"])


OPTIONS = (
    CdnfOptions(),
    CdnfOptions(templates=False),
    CdnfOptions(templates=False, facts=False),
    CdnfOptions(templates=False, start=False, facts=False, generalise=False),
)


def violated(program: Program, overflow: str, inputs: Sequence[tuple[int, int]]) -> bool:
    """Properties wrap around whatever runs do."""
    for x, b in inputs:
        try:
            s, c = Interpreter(program, overflow).call("f", (x, b))
        except NoResult:
            continue
        if not Interpreter(program, "wrap").value(program.properties[0], {"x": x, "b": b, "s": s, "c": c}):
            return True
    return False


@given(programs(), st.sampled_from(["wrap", "discard"]), st.sampled_from(OPTIONS))
def test_the_verdict_is_what_all_runs_say(text: str, overflow: str, options: CdnfOptions) -> None:
    system = horn_system(read_program(text, width=WIDTH, overflow=Overflow(overflow)))
    engine = Cdnf(replace(options, steps=200))
    assert engine.unsupported(system) == ""
    verdict = engine.solve(system, Circumstances(Budget(seconds=10).start()), {})
    assert not isinstance(verdict, Unknown), verdict.reason
    assert isinstance(check(system, verdict), Accepted)
    program = parse_program(Text(text), WIDTH)
    inputs = list(product(range(TOP), (0, 1)))
    assert isinstance(verdict, Safe) != violated(program, overflow, inputs)
