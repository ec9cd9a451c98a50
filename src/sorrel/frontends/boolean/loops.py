"""Loops become recursive functions, one for each loop (Fig. 1 of the paper)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
    Return,
    Statement,
    Truth,
    Unary,
    Variable,
    While,
)
from sorrel.logic.listing import BOOLEAN

_RETURNED = "returned!now"


def without_loops(function: Function) -> list[Function]:
    """The function and one for each of its loops, none with a loop."""
    function = replace(function, body=_explicit(function.body, function))
    lifter = _Lifter(function)
    body = lifter.block(function.body)
    declared = (*function.declared, *lifter.declared)
    return [replace(function, body=body, declared=declared), *lifter.functions]


def _explicit(block: Block, function: Function) -> Block:
    """`return;` returns the results by their names."""
    found: list[Statement] = []
    for statement in block:
        match statement:
            case Return((), at):
                found.append(Return(tuple(Name(r.name, at) for r in function.results), at))
            case If(condition, then, otherwise, at):
                found.append(If(condition, _explicit(then, function), _explicit(otherwise, function), at))
            case While(condition, body, at):
                found.append(While(condition, _explicit(body, function), at))
            case _:
                found.append(statement)
    return tuple(found)


class _Lifter:
    def __init__(self, function: Function) -> None:
        self._function = function
        self.functions: list[Function] = []
        self.declared: list[Variable] = []
        self._count = 0

    def block(self, block: Block) -> Block:
        found: list[Statement] = []
        for statement in block:
            match statement:
                case If(condition, then, otherwise, at):
                    found.append(If(condition, self.block(then), self.block(otherwise), at))
                case While():
                    found += self._loop(statement)
                case _:
                    found.append(statement)
        return tuple(found)

    def _loop(self, loop: While) -> list[Statement]:
        """x̄ := loop(ȳ), and if the body returns, what it returned."""
        self._count += 1
        number = self._count
        widths = self._function.widths
        used = list(dict.fromkeys((*_read(loop.condition), *_mentioned(loop.body))))
        changed = list(dict.fromkeys(_assigned(loop.body)))
        returns = any(isinstance(s, Return) for s in _statements(loop.body))
        name = f"{self._function.name}_loop{number}"
        at = loop.at
        results = [Variable(f"{x}!after", widths.get(x, BOOLEAN), at) for x in changed]
        targets = list(changed)
        if returns:
            own = self._function.results
            results += [Variable(f"{_RETURNED}!after", BOOLEAN, at)]
            results += [Variable(f"{r.name}!returned!after", r.width, at) for r in own]
            targets += [_RETURNED, *(f"{r.name}!returned" for r in own)]
            self.declared += [Variable(_RETURNED, BOOLEAN, at)]
            self.declared += [Variable(f"{r.name}!returned", r.width, at) for r in own]
        call = CallStatement(tuple(Name(x, at) for x in targets), Name(name, at), tuple(Name(x, at) for x in used), at)
        body = self._iteration(loop, call, changed, returns)
        parameters = tuple(Variable(x, widths.get(x, BOOLEAN), at) for x in used)
        hidden = {p.name for p in parameters} | {r.name for r in results}
        declared = (*self._function.declared, *self._function.results, *self.declared)
        local = tuple(v for v in {v.name: v for v in declared}.values() if v.name not in hidden)
        self.functions.append(Function(name, parameters, tuple(results), True, local, body, at))
        return [call, *([self._leave(at)] if returns else [])]

    def _leave(self, at: int) -> If:
        values = tuple(Name(f"{r.name}!returned", at) for r in self._function.results)
        return If(Name(_RETURNED, at), (Return(values, at),), (), at)

    def _iteration(self, loop: While, call: CallStatement, changed: list[str], returns: bool) -> Block:
        at = loop.at
        own = [f"{r.name}!returned" for r in self._function.results] if returns else []
        flags: list[Expression] = [Truth(False, at), *(Name(x, at) for x in own)] if returns else []
        done = Return((*(Name(x, at) for x in changed), *flags), at)
        body = self.block(loop.body)
        if returns:
            body = tuple(_redirected(body, changed))
        again = Return(tuple(call.targets), at)
        return (If(loop.condition, (*body, call, again), (done,), at),)


def _redirected(block: Block, changed: list[str]) -> Iterator[Statement]:
    """A return of the function becomes one of the loop's, which says so."""
    for statement in block:
        match statement:
            case Return(values, at):
                yield Return((*(Name(x, at) for x in changed), Truth(True, at), *values), at)
            case If(condition, then, otherwise, at):
                yield If(condition, tuple(_redirected(then, changed)), tuple(_redirected(otherwise, changed)), at)
            case _:
                yield statement


def _statements(block: Block) -> Iterator[Statement]:
    stack = list(reversed(block))
    while stack:
        statement = stack.pop()
        yield statement
        match statement:
            case If(_, then, otherwise):
                stack.extend(reversed((*then, *otherwise)))
            case While(_, body):
                stack.extend(reversed(body))
            case _:
                pass


def _assigned(block: Block) -> Iterator[str]:
    for statement in _statements(block):
        match statement:
            case Assign(target):
                yield target.name
            case CallStatement(targets):
                yield from (target.name for target in targets)
            case _:
                pass


def _mentioned(block: Block) -> Iterator[str]:
    for statement in _statements(block):
        match statement:
            case Assign(target, value):
                yield from (target.name, *_read(value))
            case CallStatement(targets, _, arguments):
                yield from (target.name for target in targets)
                yield from (name for argument in arguments for name in _read(argument))
            case Return(values):
                yield from (name for value in values for name in _read(value))
            case Assume(condition) | If(condition) | While(condition):
                yield from _read(condition)


def _read(expression: Expression) -> Iterator[str]:
    stack = [expression]
    while stack:
        match stack.pop():
            case Name(name):
                yield name
            case Unary(_, operand):
                stack.append(operand)
            case Binary(_, left, right):
                stack += [right, left]
            case _:
                pass
