"""Measures that go down from call to nested call, as assertions of a program whose loops are procedures.

Without loops an activation makes finitely many calls, so a run without end has calls that nest forever, from some depth
on within one group of procedures that call each other. Where each of these calls brings the group's measure down, there
is no such run (docs/modular-evidence.md). A measure is a lexicographic one, of linear forms over what a procedure is
given. Nobody has to trust it: wrong measures are assertions that fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sorrel.model.components import strongly_connected
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, binary, every, unbounded
from sorrel.program.expression import Conditional, Constant, Expression, Operator, Variable
from sorrel.program.graph import called
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assert, Assign, Block, Call, Kind, Statement
from sorrel.program.types import UNBOUNDED, Boolean, Machine, Unbounded

ENTRY = "entry of "
"""Begins the names of variables that keep what a procedure was given."""
MOST_FORMS, LONGEST = 16, 4_000
"""Of a measure, and characters of its text: longer ones were not written by us."""
_PARAMETER = re.compile(r"#(\d{1,4})")
_SUMMAND = re.compile(r"(-?\d{1,40})(?:\*(\S+))?")


@dataclass(frozen=True, slots=True)
class Form:
    """Σ weight · input + offset, where an input is `#position` of a parameter, or a global; `cut`: −1 below zero."""

    weights: tuple[tuple[str, int], ...]
    offset: int
    cut: bool = False

    def __str__(self) -> str:
        words = [f"{weight}*{name}" for name, weight in self.weights]
        return " ".join([*(["cut"] if self.cut else []), *words, str(self.offset)])


Measure: TypeAlias = tuple[Form, ...]
Measures: TypeAlias = Mapping[str, Measure]
"""By procedure; those of a group have as many forms each."""


def write_measure(procedure: str, measure: Measure) -> str:
    return f"{procedure}: {'; '.join(map(str, measure))}"


def read_measure(text: str) -> tuple[str, Measure] | None:
    """What `write_measure` wrote; None for any other text."""
    procedure, colon, rest = text.rpartition(": ")
    if len(text) > LONGEST or rest.count(";") >= MOST_FORMS:
        return None
    forms = [_form(part) for part in rest.split("; ")]
    found = tuple(form for form in forms if form is not None)
    return (procedure, found) if colon and procedure and len(found) == len(forms) else None


def _form(text: str) -> Form | None:
    words = text.split(" ")
    cut = words[:1] == ["cut"]
    weights: dict[str, int] = {}
    offset = 0
    for word in words[cut:]:
        found = _SUMMAND.fullmatch(word)
        if found is None:
            return None
        number, name = int(found[1]), found[2]
        if name:
            weights[name] = weights.get(name, 0) + number
        else:
            offset += number
    return Form(tuple(weights.items()), offset, cut)


def groups(program: Program) -> list[tuple[str, ...]]:
    """The procedures that runs can enter and that call themselves, alone or together; callees first."""
    calls = {name: program.procedure[name].callees for name in called(program)}
    return [group for group in strongly_connected(calls) if len(group) > 1 or group[0] in calls[group[0]]]


def descending(program: Program, measures: Measures) -> Program:
    """The program, which has no loops, with an assertion before each call within a group that its measure goes down.

    A group without a measure, or with one that is not about what its procedures are given, has none that goes down.
    """
    inside = {name: _usable(program, group, measures) for group in groups(program) for name in group}
    members = {name: group for group in groups(program) for name in group}
    done = [
        _Descending(program, each, members[each.name], inside[each.name]).procedure() if each.name in members else each
        for each in program.procedures
    ]
    return replace(program, procedures=tuple(done))


def _usable(program: Program, group: Sequence[str], measures: Measures) -> Measures:
    lengths = {len(measures.get(name, ())) for name in group}
    known = all(_inputs(program, program.procedure[name], measures.get(name, ())) is not None for name in group)
    return {name: measures[name] for name in group} if known and len(lengths) == 1 and lengths != {0} else {}


def _inputs(program: Program, procedure: Procedure, measure: Measure) -> dict[str, Variable] | None:
    """The variables that a measure speaks of, by what it calls them; None if there is one that it cannot speak of."""
    globals = {variable.name: variable for variable in program.globals}
    found: dict[str, Variable] = {}
    for name, _ in (pair for form in measure for pair in form.weights):
        position = _PARAMETER.fullmatch(name)
        if position is None:
            variable = globals.get(name)
        else:
            own = procedure.parameters
            variable = own[int(position[1])] if int(position[1]) < len(own) else None
        if variable is None or not isinstance(variable.type, Boolean | Machine | Unbounded):
            return None
        found[name] = variable
    return found


@dataclass(frozen=True, slots=True)
class _Descending:
    program: Program
    own: Procedure
    group: Sequence[str]
    measures: Measures

    def procedure(self) -> Procedure:
        kept = self._kept()
        blocks = [self._block(block, kept) for block in self.own.blocks]
        return replace(self.own, locals=(*self.own.locals, *kept.values()), blocks=tuple(blocks))

    def _kept(self) -> Mapping[str, Variable]:
        """What the measure speaks of, in variables that nobody writes."""
        inputs = _inputs(self.program, self.own, self.measures.get(self.own.name, ())) or {}
        return {name: Variable(f"{ENTRY}{variable.name}", variable.type) for name, variable in inputs.items()}

    def _block(self, block: Block, kept: Mapping[str, Variable]) -> Block:
        statements: list[Statement] = []
        if block.label == self.own.entry:  # no way leads back to it: there are no loops
            inputs = _inputs(self.program, self.own, self.measures.get(self.own.name, ())) or {}
            statements += [Assign(kept[name], variable, self.own.span) for name, variable in inputs.items()]
        for statement in block.statements:
            if isinstance(statement, Call) and statement.procedure in self.group:
                message = f"no ranking function is known for each call of {statement.procedure}"
                statements.append(Assert(self._goes_down(statement, kept), Kind.DESCENT, message, statement.span))
            statements.append(statement)
        return replace(block, statements=tuple(statements))

    def _goes_down(self, call: Call, kept: Mapping[str, Variable]) -> Expression:
        if not self.measures:
            return FALSE
        before = [_value(form, lambda name: kept[name]) for form in self.measures[self.own.name]]
        after = [_value(form, self._given(call)) for form in self.measures[call.procedure]]
        cases: list[Expression] = []
        for position, (here, there) in enumerate(zip(before, after, strict=True)):
            kept_down = [binary(Operator.AT_MOST, b, a) for a, b in zip(before[:position], after, strict=False)]
            smaller = binary(Operator.LESS, there, here)
            cases.append(every([*kept_down, binary(Operator.AT_LEAST, here, Constant(0, UNBOUNDED)), smaller]))
        found = cases[0]
        for case in cases[1:]:
            found = binary(Operator.OR, found, case)
        return found

    def _given(self, call: Call) -> Callable[[str], Expression]:
        """What an input of the called procedure is at the call."""
        inputs = _inputs(self.program, self.program.procedure[call.procedure], self.measures[call.procedure]) or {}

        def given(name: str) -> Expression:
            position = _PARAMETER.fullmatch(name)
            return inputs[name] if position is None else call.arguments[int(position[1])]

        return given


def _value(form: Form, given: Callable[[str], Expression]) -> Expression:
    parts = list(_summands(form, given))
    found = parts[0]
    for part in parts[1:]:
        found = binary(Operator.ADD, found, part)
    if not form.cut:
        return found
    negative = binary(Operator.LESS, found, Constant(0, UNBOUNDED))
    return Conditional(negative, Constant(-1, UNBOUNDED), found, UNBOUNDED)


def _summands(form: Form, given: Callable[[str], Expression]) -> Iterator[Expression]:
    yield Constant(form.offset, UNBOUNDED)
    for name, weight in form.weights:
        yield binary(Operator.MULTIPLY, Constant(weight, UNBOUNDED), unbounded(given(name)))
