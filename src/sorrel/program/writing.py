"""Programs to text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from sorrel.model.assumption import Premise
from sorrel.model.errors import NOWHERE, Span
from sorrel.program.expression import (
    Apply,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Filled,
    Select,
    Store,
    Unary,
    UnaryOperator,
    Variable,
)
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
    Observe,
    Print,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.syntax import (
    CONDITIONAL_LEVEL,
    LEVELS,
    PLAIN_NAME,
    PREFIX_LEVEL,
    PRIMARY_LEVEL,
    groups_right,
    is_reserved,
)
from sorrel.program.traversal import steps
from sorrel.program.types import Float, Machine, Real


def write(program: Program) -> str:
    """The text form of a valid program; `read` gives the same program back."""
    lines = [_note(premise) for premise in program.assumptions]
    if program.main != "main":
        lines.append(f"entry {name(program.main)};")
    for variable in program.globals:
        initial = program.initial.get(variable.name)
        value = f" = {write_expression(initial)}" if initial is not None else ""
        lines.append(f"global {_declared(variable)}{value};")
    for procedure in program.procedures:
        lines += [*([""] if lines else []), *_procedure(procedure)]
    return "\n".join(lines) + "\n"


def _note(premise: Premise) -> str:
    places = "".join(_span(place, "") for place in premise.places)
    return f"note {premise.kind} {_string(premise.text)}{places};"


def _procedure(procedure: Procedure) -> Iterator[str]:
    parameters = ", ".join(map(_declared, procedure.parameters))
    returns = f" returns ({', '.join(map(_declared, procedure.outputs))})" if procedure.outputs else ""
    yield f"procedure {name(procedure.name)}({parameters}){returns}{_span(procedure.span, '')} {{"
    yield from (f"  local {_declared(variable)};" for variable in procedure.locals)
    yield from (f"  source {name(inner)} {_string(shown)};" for inner, shown in procedure.source_names.items())
    if procedure.entry != procedure.blocks[0].label:
        yield f"  entry {name(procedure.entry)};"
    for block in procedure.blocks:
        yield from _block(block, procedure.span.file)
    yield "}"


def _block(block: Block, file: str) -> Iterator[str]:
    yield f"{name(block.label)}:"
    for step in steps(block):
        yield f"  {write_step(step)}{_span(step.span, file)};"


def write_step(step: Statement | Terminator) -> str:
    """A statement or terminator, without its place."""
    match step:
        case Assign(target, value):
            return f"{name(target.name)} = {write_expression(value)}"
        case Havoc(target, choice, source):
            return f"havoc {name(target.name)} {choice}{_optional(source)}"
        case Assume(condition, reason):
            return f"assume {write_expression(condition)}{' because' + _optional(reason) if reason else ''}"
        case Assert(condition, kind, message):
            told = f" as {kind}{_optional(message)}" if message or kind is not Kind.ASSERTION else ""
            return f"assert {write_expression(condition)}{told}"
        case Observe(value, purpose, message):
            return f"observe {write_expression(value)} as {purpose}{_optional(message)}"
        case Print(format, arguments, stream):
            given = "".join(f", {write_expression(each)}" for each in arguments)
            return f"print {stream} {_string(format)}{given}"
        case Call(procedure, arguments, results):
            taken = ", ".join("_" if result is None else name(result.name) for result in results)
            given = ", ".join(map(write_expression, arguments))
            return f"{taken + ' = ' if results else ''}call {name(procedure)}({given})"
        case Goto(target):
            return f"goto {name(target)}"
        case Branch(condition, then, otherwise):
            return f"if {write_expression(condition)} goto {name(then)} else {name(otherwise)}"
        case Return():
            return "return"
        case Stop(_, status):
            return "stop" if status is None else f"stop with {write_expression(status)}"


def _declared(variable: Variable) -> str:
    return f"{name(variable.name)}: {variable.type}"


def name(text: str) -> str:
    """The name as it is if the reader takes it for one, else in backticks."""
    if PLAIN_NAME.fullmatch(text) and not is_reserved(text):
        return text
    return "`" + json.dumps(text)[1:-1].replace("`", "\\u0060") + "`"


def _string(text: str) -> str:
    return json.dumps(text)


def _optional(text: str) -> str:
    return f" {_string(text)}" if text else ""


def _span(span: Span, file: str) -> str:
    """The file is left out where it is that of the procedure."""
    if span == NOWHERE:
        return ""
    place = f"{span.line}:{span.column}"
    named = "" if span.file == file else f"{_string(span.file)}:"
    end = f"-{span.end_line}:{span.end_column}" if span.end_line or span.end_column else ""
    return f" @{named}{place}{end}"


# Expressions

_Piece: TypeAlias = str | tuple[Expression, int]


def write_expression(expression: Expression) -> str:
    """With as few parentheses as the reader needs."""
    text: list[str] = []
    work: list[_Piece] = [(expression, CONDITIONAL_LEVEL)]
    while work:
        piece = work.pop()
        if isinstance(piece, str):
            text.append(piece)
            continue
        inner, wanted = piece
        pieces = _pieces(inner)
        work.extend(reversed(["(", *pieces, ")"] if _level(inner) < wanted else pieces))
    return "".join(text)


def _level(expression: Expression) -> int:
    match expression:
        case Conditional():
            return CONDITIONAL_LEVEL
        case Binary(operator):
            return LEVELS[operator]
        case Unary():
            return PREFIX_LEVEL
        case _:
            return PRIMARY_LEVEL


def _pieces(expression: Expression) -> list[_Piece]:
    """The text, and the operands with the level that each has to have to stand without parentheses."""
    match expression:
        case Constant():
            return [_constant(expression)]
        case Variable(text):
            return [name(text)]
        case Unary(UnaryOperator.NEGATE, Constant() as operand):  # a minus before digits is part of a number
            return ["-(", _constant(operand), ")"]
        case Unary(unary, operand):
            return [unary, (operand, PREFIX_LEVEL)]
        case Binary(operator, left, right):
            level, right_groups = LEVELS[operator], groups_right(operator)
            return [(left, level + right_groups), f" {operator} ", (right, level + (not right_groups))]
        case Conditional(condition, then, otherwise):
            return [(condition, 1), " ? ", (then, CONDITIONAL_LEVEL), " : ", (otherwise, CONDITIONAL_LEVEL)]
        case Convert(operand, type):
            return [f"{type}(", (operand, CONDITIONAL_LEVEL), ")"]
        case Select(array, index):
            return [(array, PRIMARY_LEVEL), "[", (index, CONDITIONAL_LEVEL), "]"]
        case Store(array, index, value):
            return [(array, PRIMARY_LEVEL), "[", (index, CONDITIONAL_LEVEL), " := ", (value, CONDITIONAL_LEVEL), "]"]
        case Filled(value):
            return ["filled(", (value, CONDITIONAL_LEVEL), ")"]
        case Apply(function, arguments, type):
            return [f"apply {type} {name(function)}(", *_separated(arguments), ")"]


def _separated(arguments: tuple[Expression, ...]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for argument in arguments:
        pieces += [*([", "] if pieces else []), (argument, CONDITIONAL_LEVEL)]
    return pieces


def _constant(constant: Constant) -> str:
    value, type = constant.value, constant.type
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(type, Float):
        return f"{Fraction(value)}{type}"
    if isinstance(type, Real):
        return f"{Fraction(value)}r"
    return f"{value}{type if isinstance(type, Machine) else ''}"
