"""Which variables matter at each place: those whose value can still decide what a run does or what it returns.

This is liveness in the strong sense (Giegerich, Möncke, Wilhelm, Invariance of approximative semantics with respect to
program transformations, 1981): a counter that only counts itself does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import chain

from sorrel.model.components import strongly_connected
from sorrel.model.values import dataclass
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
    Observe,
    Print,
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
class Relevances:
    """Of called procedures, and of the main procedure as the start of runs, after which nothing matters.

    `after[name]`: the globals that the procedure writes and that matter to some caller once it has returned.
    """

    called: Mapping[str, Relevance]
    main: Relevance
    after: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a procedure's analysis needs to know about the rest of the program, and what it finds out for others."""

    program: Program
    effects: Mapping[str, Effects]
    partial_matters: bool
    entries: dict[str, frozenset[str]]
    after: dict[str, set[str]]
    _read: dict[int, frozenset[str]] = field(default_factory=dict)

    def names(self, expression: Expression) -> frozenset[str]:
        """The variables of an expression of the program, which is looked at again and again."""
        found = self._read.get(id(expression))
        if found is None:
            found = self._read[id(expression)] = frozenset(each.name for each in free_variables(expression))
        return found


def relevance(
    program: Program,
    effects: Mapping[str, Effects],
    called: Iterable[str],
    *,
    partial_matters: bool,
    alone: bool = False,
    relations: Iterable[str] = (),
) -> Relevances:
    """Least solution over the called procedures and the main one together.

    `partial_matters`: an operation that may have no value ends the run, so its operands matter even if the result does
    not. Otherwise it is taken to have some value. `alone`: what matters after a procedure is all that it writes,
    whoever calls it. `relations` are procedures to which all that they are given matters.
    """
    names = list(called)
    after: dict[str, set[str]] = {n: {v.name for v in effects[n].writes} if alone else set() for n in names}
    entries = {n: frozenset[str]() for n in names}
    for helper in relations:
        entries[helper] = frozenset(v.name for v in program.procedure[helper].parameters)
        after[helper] = set()
    around = _Surroundings(program, effects, partial_matters, entries, after)
    callers = _callers(program, names)
    found: dict[str | None, Relevance] = {}
    # Callees first: what matters to them matters to their callers. None: the main procedure, where runs start.
    upwards = chain.from_iterable(strongly_connected({name: program.procedure[name].callees for name in names}))
    work: dict[str | None, None] = dict.fromkeys([None, *reversed(list(upwards))])
    while work:
        name, _ = work.popitem()
        procedure = program.procedure[program.main if name is None else name]
        before = {callee: len(around.after[callee]) for callee in procedure.callees if callee in callers}
        last = frozenset() if name is None else frozenset(v.name for v in procedure.outputs) | around.after[name]
        found[name] = _of_procedure(procedure, last, around)
        work.update((callee, None) for callee, size in before.items() if len(around.after[callee]) > size)
        if name is not None and found[name].entry != around.entries[name]:
            around.entries[name] = found[name].entry
            work.update(dict.fromkeys(callers[name]))
    left = {name: frozenset(known) for name, known in around.after.items()}
    return Relevances({name: found[name] for name in names}, found[None], left)


def _callers(program: Program, names: Iterable[str]) -> Mapping[str, list[str | None]]:
    found: dict[str, list[str | None]] = {name: [] for name in names}
    for caller in (None, *found):
        for callee in program.procedure[program.main if caller is None else caller].callees:
            if callee in found:
                found[callee].append(caller)
    return found


def _of_procedure(procedure: Procedure, at_return: frozenset[str], around: _Surroundings) -> Relevance:
    """One procedure, given what matters at the entry of the others and what matters after it returns."""
    before = predecessors(procedure)
    order = reverse_postorder(procedure)
    at: dict[str, frozenset[str]] = {label: frozenset() for label in order}
    work = dict.fromkeys(order)
    while work:
        label, _ = work.popitem()
        now = _through_block(procedure, label, at, at_return, around)
        if now != at[label]:
            at[label] = now
            work.update(dict.fromkeys(before[label]))
    idle = {label: frozenset(_idle(procedure, label, at, at_return, around)) for label in order}
    return Relevance(at, idle, at[procedure.entry])


def _after_block(
    procedure: Procedure, label: str, at: Mapping[str, frozenset[str]], at_return: frozenset[str]
) -> set[str]:
    matters = set(at_return) if isinstance(procedure.block[label].terminator, Return) else set()
    for target in successors(procedure.block[label].terminator):
        matters |= at[target]
    return matters


def _through_block(
    procedure: Procedure, label: str, at: Mapping[str, frozenset[str]], at_return: frozenset[str], around: _Surroundings
) -> frozenset[str]:
    matters = _after_block(procedure, label, at, at_return)
    for step in reversed(steps(procedure.block[label])):
        _through_step(step, matters, around)
    return frozenset(matters)


def _idle(
    procedure: Procedure, label: str, at: Mapping[str, frozenset[str]], at_return: frozenset[str], around: _Surroundings
) -> Iterator[int]:
    matters = _after_block(procedure, label, at, at_return)
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
                matters |= around.names(value)
        case Havoc(target):
            matters.discard(target.name)
        case Assume(condition) | Assert(condition) | Branch(condition):
            matters |= around.names(condition)
        case Call(callee, arguments, results):
            matters.difference_update(result.name for result in results if result is not None)
            written = {variable.name for variable in around.effects[callee].writes}
            around.after[callee] |= matters & written
            matters -= written
            matters |= _read_by_call(callee, arguments, around)
        case Goto() | Return() | Stop() | Observe() | Print():
            pass


def _read_by_call(callee: str, arguments: tuple[Expression, ...], around: _Surroundings) -> frozenset[str]:
    entry = around.entries[callee]
    procedure = around.program.procedure[callee]
    own = {v.name for v in procedure.variables}
    found = set(entry - own)
    for parameter, argument in zip(procedure.parameters, arguments, strict=True):
        if parameter.name in entry or (around.partial_matters and may_have_no_value(argument)):
            found |= around.names(argument)
    return frozenset(found)


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
