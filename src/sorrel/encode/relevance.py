"""Which variables matter at each place: those whose value can still decide what a run does or what it returns.

This is liveness in the strong sense (Giegerich, Möncke, Wilhelm, Invariance of approximative semantics with respect to
program transformations, 1981): a counter that only counts itself does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sorrel.program.effects import Effects
from sorrel.program.expression import Binary, Expression, Operator, Unary, UnaryOperator
from sorrel.program.graph import predecessors, reverse_postorder
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Branch,
    Call,
    Goto,
    Havoc,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.traversal import free_variables, steps, subexpressions
from sorrel.program.types import Machine


@dataclass(frozen=True, slots=True)
class Relevance:
    """`at[label]`: the names of the variables that matter at the start of the block.

    `idle[label]`: the positions of the assignments there that need not be looked at.
    """

    at: Mapping[str, frozenset[str]]
    idle: Mapping[str, frozenset[int]]
    entry: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a procedure's analysis needs to know about the rest of the program."""

    effects: Mapping[str, Effects]
    entries: Mapping[str, frozenset[str]]
    program: Program
    partial_matters: bool
    at_return: frozenset[str]


def relevance(
    program: Program, effects: Mapping[str, Effects], names: Iterable[str], *, partial_matters: bool
) -> Mapping[str, Relevance]:
    """For each named procedure; all that they call are among them. Least solution over all of them together.

    `partial_matters`: an operation that may have no value ends the run, so its operands matter even if the result does
    not. Otherwise it is taken to have some value.
    """
    chosen = [program.procedure[name] for name in names]
    callers: dict[str, list[str]] = {procedure.name: [] for procedure in chosen}
    for procedure in chosen:
        for callee in procedure.callees:
            callers[callee].append(procedure.name)
    found: dict[str, Relevance] = {}
    entries: dict[str, frozenset[str]] = {procedure.name: frozenset() for procedure in chosen}
    work = dict.fromkeys(reversed([procedure.name for procedure in chosen]))
    while work:
        name, _ = work.popitem()
        procedure = program.procedure[name]
        last = frozenset(v.name for v in (*procedure.outputs, *effects[name].writes))
        found[name] = of_procedure(program, effects, entries, name, last, partial_matters=partial_matters)
        if found[name].entry != entries[name]:
            entries[name] = found[name].entry
            work.update(dict.fromkeys(callers[name]))
    return found


def of_procedure(
    program: Program,
    effects: Mapping[str, Effects],
    entries: Mapping[str, frozenset[str]],
    name: str,
    at_return: frozenset[str],
    *,
    partial_matters: bool,
) -> Relevance:
    """One procedure, given what matters at the entry of the others and what matters after it returns."""
    procedure = program.procedure[name]
    around = _Surroundings(effects, entries, program, partial_matters, at_return)
    before = predecessors(procedure)
    order = reverse_postorder(procedure)
    at: dict[str, frozenset[str]] = {label: frozenset() for label in order}
    work = dict.fromkeys(order)
    while work:
        label, _ = work.popitem()
        now = _through_block(procedure, label, at, around)
        if now != at[label]:
            at[label] = now
            work.update(dict.fromkeys(before[label]))
    idle = {label: frozenset(_idle(procedure, label, at, around)) for label in order}
    return Relevance(at, idle, at[procedure.entry])


def _after_block(procedure: Procedure, label: str, at: Mapping[str, frozenset[str]]) -> set[str]:
    matters: set[str] = set()
    for target in successors(procedure.block[label].terminator):
        matters |= at[target]
    return matters


def _through_block(
    procedure: Procedure, label: str, at: Mapping[str, frozenset[str]], around: _Surroundings
) -> frozenset[str]:
    matters = _after_block(procedure, label, at)
    for step in reversed(steps(procedure.block[label])):
        _through_step(step, matters, around)
    return frozenset(matters)


def _idle(procedure: Procedure, label: str, at: Mapping[str, frozenset[str]], around: _Surroundings) -> Iterator[int]:
    matters = _after_block(procedure, label, at)
    for position, step in reversed(list(enumerate(steps(procedure.block[label])))):
        if isinstance(step, Assign) and not _is_wanted(step, matters, around):
            yield position
        _through_step(step, matters, around)


def _is_wanted(assignment: Assign, matters: set[str], around: _Surroundings) -> bool:
    return assignment.target.name in matters or (around.partial_matters and may_have_no_value(assignment.value))


def _through_step(step: Statement | Terminator, matters: set[str], around: _Surroundings) -> None:
    """From what matters after the step to what matters before it."""
    match step:
        case Assign(target, value):
            wanted = _is_wanted(step, matters, around)
            matters.discard(target.name)
            if wanted:
                matters |= _names(value)
        case Havoc(target):
            matters.discard(target.name)
        case Assume(condition) | Assert(condition) | Branch(condition):
            matters |= _names(condition)
        case Call(callee, arguments, results):
            matters.difference_update(result.name for result in results if result is not None)
            matters.difference_update(written.name for written in around.effects[callee].writes)
            matters |= _read_by_call(callee, arguments, around)
        case Return():
            matters |= around.at_return
        case Goto() | Stop():
            pass


def _read_by_call(callee: str, arguments: tuple[Expression, ...], around: _Surroundings) -> frozenset[str]:
    entry = around.entries[callee]
    procedure = around.program.procedure[callee]
    own = {v.name for v in procedure.variables}
    found = set(entry - own)
    for parameter, argument in zip(procedure.parameters, arguments, strict=True):
        if parameter.name in entry or (around.partial_matters and may_have_no_value(argument)):
            found |= _names(argument)
    return frozenset(found)


def _names(*expressions: Expression) -> frozenset[str]:
    return frozenset(variable.name for variable in free_variables(*expressions))


_PARTIAL = frozenset(
    {
        Operator.ADD,
        Operator.SUBTRACT,
        Operator.MULTIPLY,
        Operator.DIVIDE,
        Operator.REMAINDER,
        Operator.SHIFT_LEFT,
        Operator.SHIFT_RIGHT,
    }
)
_ALWAYS_PARTIAL = frozenset({Operator.DIVIDE, Operator.REMAINDER, Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT})


def may_have_no_value(expression: Expression) -> bool:
    return any(_is_partial(node) for node in subexpressions(expression))


def _is_partial(node: Expression) -> bool:
    match node:
        case Binary(operator, left, _, _):
            signed = isinstance(left.type, Machine) and left.type.signed
            return operator in _ALWAYS_PARTIAL or (signed and operator in _PARTIAL)
        case Unary(UnaryOperator.NEGATE, _, Machine(signed=True)):
            return True
        case _:
            return False
