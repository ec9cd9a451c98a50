"""Walks over expressions and statements: one place knows what each kind is made of.

Expressions can be deep, so nothing here recurses; a shared sub-expression is rewritten once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

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
    Variable,
)
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Goto,
    Havoc,
    Observe,
    Print,
    Return,
    Statement,
    Stop,
    Terminator,
)

# Expressions


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The direct sub-expressions, in the order in which they are evaluated."""
    return _OPERANDS[type(expression)](expression)


# A table: every pass over a program asks this of every expression, and patterns are tried one after the other.
_OPERANDS: dict[type[Expression], Callable[[Any], tuple[Expression, ...]]] = {
    Constant: lambda _: (),
    Variable: lambda _: (),
    Unary: lambda node: (node.operand,),
    Convert: lambda node: (node.operand,),
    Filled: lambda node: (node.value,),
    Binary: lambda node: (node.left, node.right),
    Conditional: lambda node: (node.condition, node.then, node.otherwise),
    Select: lambda node: (node.array, node.index),
    Store: lambda node: (node.array, node.index, node.value),
    Apply: lambda node: node.arguments,
}


def with_operands(expression: Expression, new: tuple[Expression, ...]) -> Expression:
    """The same operation on other operands; the expression itself if they are the same ones."""
    if all(mine is given for mine, given in zip(operands(expression), new, strict=True)):
        return expression
    match expression:
        case Constant() | Variable():
            return expression
        case Unary(operator, _, type):
            return Unary(operator, new[0], type)
        case Convert(_, type):
            return Convert(new[0], type)
        case Filled(_, type):
            return Filled(new[0], type)
        case Binary(operator, _, _, type):
            return Binary(operator, new[0], new[1], type)
        case Conditional(_, _, _, type):
            return Conditional(new[0], new[1], new[2], type)
        case Select(_, _, type):
            return Select(new[0], new[1], type)
        case Store(_, _, _, type):
            return Store(new[0], new[1], new[2], type)
        case Apply(function, _, type):
            return Apply(function, new, type)


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """Every sub-expression with itself, operands first, in the order of evaluation; a shared one once."""
    seen: set[int] = set()
    stack: list[Expression | None] = [expression]  # None: the operands of what is below it have been visited
    while stack:
        node = stack.pop()
        if node is None:
            ready = stack.pop()
            if ready is not None:
                yield ready
        elif id(node) not in seen:
            seen.add(id(node))
            inner = operands(node)
            if inner:
                stack.append(node)
                stack.append(None)
                stack.extend(inner[::-1])
            else:
                yield node


def rewrite(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Each sub-expression, operands first, replaced by what `change` makes of it."""
    done: dict[int, Expression] = {}
    for node in subexpressions(expression):
        done[id(node)] = change(with_operands(node, tuple(done[id(operand)] for operand in operands(node))))
    return done[id(expression)]


def free_variables(*expressions: Expression) -> tuple[Variable, ...]:
    """The variables of the expressions, each once, in order of first occurrence."""
    found: dict[Variable, None] = {}
    seen: set[int] = set()
    stack = list(expressions[::-1])
    while stack:
        node = stack.pop()
        if isinstance(node, Variable):
            found[node] = None
        elif id(node) not in seen:
            seen.add(id(node))
            stack.extend(operands(node)[::-1])
    return tuple(found)


def substitute(expression: Expression, values: Mapping[Variable, Expression]) -> Expression:
    """All at once: what is put in is not looked at again."""

    def change(node: Expression) -> Expression:
        return values.get(node, node) if isinstance(node, Variable) else node

    return rewrite(expression, change)


# Statements


def expressions(statement: Statement | Terminator) -> tuple[Expression, ...]:
    """What the statement evaluates, in order."""
    match statement:
        case Assign(_, value) | Observe(value):
            return (value,)
        case Assume(condition) | Assert(condition) | Branch(condition):
            return (condition,)
        case Call(_, arguments) | Print(_, arguments):
            return arguments
        case Stop(_, status):
            return () if status is None else (status,)
        case Havoc() | Goto() | Return():
            return ()


def read(statement: Statement | Terminator) -> tuple[Variable, ...]:
    """The variables that the statement itself reads; what a callee reads, and outputs at Return, are not among them."""
    return free_variables(*expressions(statement))


def written(statement: Statement | Terminator) -> tuple[Variable, ...]:
    """The variables that the statement itself writes; what a callee writes is not among them."""
    match statement:
        case Assign(target) | Havoc(target):
            return (target,)
        case Call(_, _, results):
            return tuple(variable for variable in results if variable is not None)
        case _:
            return ()


def rewrite_statement(statement: Statement, change: Callable[[Expression], Expression]) -> Statement:
    """The statement with each expression that it evaluates replaced as a whole; what it writes stays."""
    match statement:
        case Assign(_, value) | Observe(value):
            return replace(statement, value=change(value))
        case Assume(condition) | Assert(condition):
            return replace(statement, condition=change(condition))
        case Call(_, arguments) | Print(_, arguments):
            return replace(statement, arguments=tuple(map(change, arguments)))
        case Havoc():
            return statement


def rewrite_terminator(terminator: Terminator, change: Callable[[Expression], Expression]) -> Terminator:
    match terminator:
        case Branch(condition):
            return replace(terminator, condition=change(condition))
        case Stop(_, status) if status is not None:
            return replace(terminator, status=change(status))
        case Goto() | Return() | Stop():
            return terminator


def rename(statement: Statement, names: Mapping[Variable, Variable]) -> Statement:
    """The statement over other variables, in what it reads and in what it writes."""

    def change(expression: Expression) -> Expression:
        return substitute(expression, names)

    changed = rewrite_statement(statement, change)
    match changed:
        case Assign(target) | Havoc(target):
            return replace(changed, target=names.get(target, target))
        case Call(_, _, results):
            return replace(changed, results=tuple(names.get(each, each) if each else None for each in results))
        case Assume() | Assert() | Observe() | Print():
            return changed


def retarget(terminator: Terminator, label: Callable[[str], str]) -> Terminator:
    """The terminator with each label that it names replaced."""
    match terminator:
        case Goto(target):
            return replace(terminator, target=label(target))
        case Branch(_, then, otherwise):
            return replace(terminator, then=label(then), otherwise=label(otherwise))
        case Return() | Stop():
            return terminator


def steps(block: Block) -> tuple[Statement | Terminator, ...]:
    """The statements of the block and its terminator."""
    return (*block.statements, block.terminator)
