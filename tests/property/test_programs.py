"""Claims about all programs: text, loops, checks, and loops turned into recursion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from programs import (
    ODD_NAMES,
    TYPES,
    Draw,
    choices,
    expression,
    failing_guard,
    flow_graphs,
    programs,
    undefined_in,
)
from sorrel.program import stretches
from sorrel.program.checks import MANAGED, instrument
from sorrel.program.expression import Expression, Variable
from sorrel.program.graph import immediate_dominators, reverse_postorder
from sorrel.program.interpreter import NOBODYS, run
from sorrel.program.loops import Irreducible, loops
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.recursion import LoopOrigin, loops_as_procedures
from sorrel.program.run import End, Exhausted, Finished, Refused, Run, Undefined, Violated
from sorrel.program.statement import Choice, Kind
from sorrel.program.tails import loops_as_tail_calls
from sorrel.program.text import read, write
from sorrel.program.traversal import rename, rewrite_terminator, substitute
from sorrel.program.validate import validate

STEPS = 3_000
SCOPE = tuple(Variable(f"v{position}", type) for position, type in enumerate((*TYPES, *TYPES)))
seeds = st.integers(0, 1000)


def _values(result: Run) -> list[object]:
    return [(used.value, used.type) for used in result.used]


def _told(end: End) -> tuple[object, ...]:
    """An end without the name of the procedure that it happened in."""
    match end:
        case Finished(outputs, globals):
            return ("finished", outputs, globals)
        case Violated(assertion):
            return ("violated", assertion.kind, assertion.message, assertion.span)
        case Undefined(kind, message, _, span):
            return ("undefined", kind, message, span)
        case Refused(_, span, reason):
            return ("refused", span, reason)
        case _:
            return (type(end).__name__, end.span)


# Text


@given(programs())
def test_drawn_programs_are_valid_and_can_be_read_back(program: Program) -> None:
    validate(program)
    text = write(program)
    again = read(text, "drawn")
    assert again == program
    assert write(again) == text


@given(programs(procedures=2), st.permutations(ODD_NAMES))
def test_odd_names_can_be_read_back(program: Program, names: list[str]) -> None:
    odd = replace(program, procedures=tuple(_renamed(each, names) for each in program.procedures))
    validate(odd)
    assert read(write(odd), "drawn") == odd


def _renamed(procedure: Procedure, names: list[str]) -> Procedure:
    """The first few locals with other names."""
    to = {old: Variable(name, old.type) for old, name in zip(procedure.locals, names, strict=False)}
    blocks = []
    for block in procedure.blocks:
        statements = tuple(rename(statement, to) for statement in block.statements)
        terminator = rewrite_terminator(block.terminator, lambda expression: substitute(expression, to))
        blocks.append(replace(block, statements=statements, terminator=terminator))
    return replace(procedure, blocks=tuple(blocks), locals=tuple(to.get(each, each) for each in procedure.locals))


# Runs


@given(programs(), seeds)
def test_runs_are_replayed_by_their_choices(program: Program, seed: int) -> None:
    first = run(program, choices(seed), steps=STEPS, record=True)
    assert run(program, [used.value for used in first.used], steps=STEPS, record=True) == first


@given(programs(), seeds, st.integers(0, STEPS), st.sampled_from(((), NOBODYS)))
def test_steps_that_are_taken_together_are_the_same_steps(
    program: Program, seed: int, most: int, indeterminate: tuple[Choice, ...]
) -> None:
    """What is recorded is taken step by step."""
    with patch.object(stretches, "OFTEN", 1):
        together = run(program, choices(seed), steps=most, indeterminate=indeterminate)
    alone = run(program, choices(seed), steps=most, indeterminate=indeterminate, record=True)
    assert (type(together.end), together.steps) == (type(alone.end), alone.steps)
    if not indeterminate:  # values that nobody chose are not to be compared
        assert together == replace(alone, events=())


# Guards may apply uninterpreted functions in another order, so that the same choices mean other functions.
@given(programs(functions=False), seeds)
def test_explicit_checks_fail_where_operations_are_undefined(program: Program, seed: int) -> None:
    checked = instrument(program, frozenset(Kind) - {Kind.UNINITIALISED})  # that one adds variables to watch with
    validate(checked)
    before = run(program, choices(seed), steps=STEPS)
    assume(not isinstance(before.end, Exhausted))
    after = run(checked, choices(seed), steps=20 * STEPS)
    if isinstance(before.end, Undefined):
        assert _told(after.end) == ("violated", *_told(before.end)[1:])
    else:
        assert _told(after.end) == _told(before.end)
    assert _values(before) == _values(after)


@st.composite
def _expressions(draw: Draw) -> Expression:
    return expression(draw, draw(st.sampled_from(TYPES)), SCOPE, functions=False, depth=3)


@given(_expressions(), seeds)
def test_the_first_guard_that_fails_is_the_first_operation_undefined(drawn: Expression, seed: int) -> None:
    choose = choices(seed)
    for _ in range(20):
        values = {variable.name: choose(variable.type) for variable in SCOPE}
        assert failing_guard(drawn, values) == undefined_in(drawn, values)


@given(programs(functions=False), seeds, st.sets(st.sampled_from(Kind)))
def test_kinds_that_are_not_selected_are_never_violated(program: Program, seed: int, kinds: set[Kind]) -> None:
    before = run(program, choices(seed), steps=STEPS)
    assume(not isinstance(before.end, Exhausted))
    after = run(instrument(program, frozenset(kinds)), choices(seed), steps=20 * STEPS).end
    assert not isinstance(after, Violated) or after.assertion.kind in kinds
    match before.end:
        case Violated(assertion) if assertion.kind in MANAGED - kinds:
            pass  # nothing is assumed of it: the run goes on
        case Violated(assertion):
            assert isinstance(after, Violated if assertion.kind in kinds else Refused)
        case Undefined(kind):
            expected = Violated if kind in kinds else Refused if kind is Kind.DIVISION else Undefined
            assert isinstance(after, expected)
        case _:
            assert _told(after) == _told(before.end)


Loopless = Callable[[Program], tuple[Program, Mapping[str, LoopOrigin]]]
LOOPLESS = pytest.mark.parametrize("loopless", [loops_as_procedures, loops_as_tail_calls])


@LOOPLESS
@given(programs(), seeds)
def test_loops_as_procedures_have_the_same_runs(loopless: Loopless, program: Program, seed: int) -> None:
    _same_runs(loopless, program, seed)


@LOOPLESS
@given(flow_graphs(), seeds)
def test_loops_of_any_shape_as_procedures_have_the_same_runs(
    loopless: Loopless, procedure: Procedure, seed: int
) -> None:
    try:
        loops(procedure)
    except Irreducible:
        assume(False)
    _same_runs(loopless, Program((procedure,)), seed)


def _same_runs(loopless: Loopless, program: Program, seed: int) -> None:
    recursive, origins = loopless(program)
    validate(recursive)
    assert all(not loops(procedure) for procedure in recursive.procedures)
    originals = {(each.name, loop.header): loop for each in program.procedures for loop in loops(each)}
    assert {(origin.procedure, origin.header) for origin in origins.values()} == set(originals)
    labels = {each.name: set(each.block) for each in program.procedures}
    assert all(set(origin.exits) <= labels[origin.procedure] for origin in origins.values())
    before = run(program, choices(seed), steps=STEPS)
    assume(not isinstance(before.end, Exhausted))
    after = run(recursive, choices(seed), steps=20 * STEPS)
    assert _told(after.end) == _told(before.end)
    assert _values(after) == _values(before)


# Loops


@given(flow_graphs())
def test_dominators_are_passed_on_every_way(procedure: Procedure) -> None:
    reached = _reached(procedure, without=None)
    assert reached == set(reverse_postorder(procedure))
    nearest = immediate_dominators(procedure)
    for label in reached:
        found, walk = {label}, label
        while nearest[walk] != walk:
            walk = nearest[walk]
            found.add(walk)
        assert found == {each for each in reached if label not in _reached(procedure, without=each)}


@given(flow_graphs())
def test_loops_are_all_there_is_of_cycles(procedure: Procedure) -> None:
    """Without the edges back to a dominator, a flow graph has cycles exactly if it is irreducible."""
    reached = _reached(procedure, without=None)
    edges = {(label, to) for label in reached for to in successors(procedure.block[label].terminator)}
    back = {(label, to) for label, to in edges if label not in _reached(procedure, without=to)}
    cyclic = _has_cycle(edges - back)
    try:
        found = loops(procedure)
    except Irreducible:
        assert cyclic
        return
    assert not cyclic
    assert {loop.header for loop in found} == {to for _, to in back}
    for loop in found:
        inside = set(loop.body)
        # The header is the only way in, and every block leads back to it.
        assert all(to == loop.header for label, to in edges if to in inside and label not in inside)
        assert all(loop.header in _closure(label, edges, inside) for label in inside)
        around = [other for other in found if loop.header in other.body and other is not loop]
        smallest = min(around, key=lambda other: len(other.body), default=None)
        assert loop.parent == (smallest.header if smallest else None)


def _reached(procedure: Procedure, without: str | None) -> set[str]:
    if procedure.entry == without:
        return set()
    seen, stack = {procedure.entry}, [procedure.entry]
    while stack:
        for label in successors(procedure.block[stack.pop()].terminator):
            if label != without and label not in seen:
                seen.add(label)
                stack.append(label)
    return seen


def _closure(label: str, edges: set[tuple[str, str]], inside: set[str]) -> set[str]:
    """What is reached from the label in one step or more, without leaving."""
    seen: set[str] = set()
    stack = [label]
    while stack:
        here = stack.pop()
        ahead = {to for source, to in edges if source == here and to in inside} - seen
        seen |= ahead
        stack.extend(ahead)
    return seen


def _has_cycle(edges: set[tuple[str, str]]) -> bool:
    labels = {label for edge in edges for label in edge}
    return any(label in _closure(label, edges, labels) for label in labels)
