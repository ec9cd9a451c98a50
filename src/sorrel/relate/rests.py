"""Where a run of a function can rest beside others: at decisions, at heads of loops, at its end.

From one rest to the next a run does the same whatever its values are. Runs that are explored together are moved from
rest to rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.program.expression import Conditional, Expression, Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.inline import without_calls
from sorrel.program.liveness import live_variables
from sorrel.program.loops import Loop, loops
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Assign, Assume, Block, Branch, Call, Goto, Return, Statement, Stop
from sorrel.program.traversal import written
from sorrel.relate.predication import predicated
from sorrel.relate.unrolling import LIMIT, unrolled

RETURN, STOP = "return", "stop"
"""Rests that no label names: the run is over; it ended before its time, so that it is compared with nothing.

`LIMIT` is that of a loop which goes on for more rounds than are followed.
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """A run that rests here goes on at `then` if the condition holds, else at `otherwise`."""

    condition: Expression
    then: str
    otherwise: str


@dataclass(frozen=True, slots=True)
class Path:
    """What a run does between two rests, and the rest that it comes to.

    `length` is the number of the function's own statements: not of those that make up its inputs.
    """

    statements: tuple[Statement, ...]
    rest: str
    length: int


@dataclass(frozen=True)
class Course:
    """A function without calls. `paths` start at the entry, after decisions, and at the heads of loops."""

    program: Program
    procedure: Procedure
    decisions: Mapping[str, Decision]
    loops: Mapping[str, Loop]
    paths: Mapping[str, Path]

    @cached_property
    def settled(self) -> Mapping[str, frozenset[Variable]]:
        """For each rest the variables that no longer change."""
        everything = frozenset((*self.procedure.variables, *self.program.globals))
        found = {RETURN: everything, STOP: everything, LIMIT: everything}
        for label in (*self.decisions, *self.loops):
            found[label] = everything - self._written_from(label)
        return found

    def _written_from(self, start: str) -> set[Variable]:
        seen, work = {start}, [start]
        changed: set[Variable] = set()
        while work:
            block = self.procedure.block[work.pop()]
            changed.update(v for statement in block.statements for v in written(statement))
            for target in successors(block.terminator):
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return changed

    def modified(self, header: str) -> tuple[Variable, ...]:
        """The variables that the loop writes."""
        blocks = (self.procedure.block[label] for label in self.loops[header].body)
        found = {v: None for block in blocks for statement in block.statements for v in written(statement)}
        return tuple(found)

    @cached_property
    def live(self) -> Mapping[str, frozenset[Variable]]:
        return live_variables(self.procedure, at_return=self.program.globals)

    def is_inside(self, place: str, header: str) -> bool:
        """Whether a run that rests at the place is within a round of the loop."""
        return place != header and place in self.loops[header].body


@dataclass(frozen=True, slots=True)
class Cutting:
    """How a function is cut at its rests.

    Helpers that it calls with at most `ways` through them are one step. With `rounds` loops are followed for so many.
    With `conditionals` a value that is assigned under a condition is a decision.
    """

    ways: int
    rounds: int | None = None
    conditionals: bool = False


def courses(programs: Sequence[Program], cutting: Cutting) -> tuple[Course, ...] | None:
    """Runs of one function share their course, so that they can be exchanged; None if some would be too large."""
    made: dict[int, Course] = {}
    for program in programs:
        if id(program) not in made:
            found = course(program, cutting)
            if found is None:
                return None
            made[id(program)] = found
    return tuple(made[id(program)] for program in programs)


def course(program: Program, cutting: Cutting) -> Course | None:
    """The main procedure of the program with its calls replaced by what they do."""
    kept = {program.main, *program.procedure[program.main].callees}
    flat, _ = without_calls(program, lambda p: p if p.name in kept else predicated(p, cutting.ways))
    main = _with_names(flat.procedure[flat.main], program)
    calls = [s.procedure for block in main.blocks for s in block.statements if isinstance(s, Call)]
    if calls:
        raise InputError(f"{calls[0]} is recursive, and runs of recursive functions are not explored side by side")
    if cutting.conditionals:
        main = _lifted(main)
    limited = main if cutting.rounds is None else unrolled(main, cutting.rounds)
    if limited is None:
        return None
    decided, decisions = _decided(limited)
    found = {loop.header: loop for loop in loops(decided)}
    rests = frozenset((*decisions, *found))
    starts = [decided.entry, *found]
    starts += [label for decision in decisions.values() for label in (decision.then, decision.otherwise)]
    own = _Own(program.procedure[program.main])
    paths = {label: _path(decided, label, rests, own) for label in starts}
    return Course(flat, decided, decisions, found, paths)


def _with_names(main: Procedure, program: Program) -> Procedure:
    """The variables of the function itself are called as in the source."""
    shown = dict(main.source_names)
    for callee in program.procedure[program.main].callees:
        function = program.procedure[callee]
        for variable in function.variables:
            text = function.user_name(variable.name)
            if text:
                shown[f"{callee}.1.{variable.name}"] = text
    return replace(main, source_names=shown)


def _lifted(procedure: Procedure) -> Procedure:
    """Assignments of a conditional value in the source as decisions, so that runs part there as at an if."""
    blocks: list[Block] = []
    waiting = list(reversed(procedure.blocks))
    while waiting:
        block = waiting.pop()
        for position, statement in enumerate(block.statements):
            if isinstance(statement, Assign) and isinstance(statement.value, Conditional) and statement.span.line:
                value, span = statement.value, statement.span
                names = [f"{block.label}.{word}" for word in ("if", "unless", "on")]
                blocks.append(
                    Block(block.label, block.statements[:position], Branch(value.condition, names[0], names[1], span))
                )
                waiting.append(Block(names[2], block.statements[position + 1 :], block.terminator))
                for name, side in zip(names, (value.then, value.otherwise), strict=False):
                    waiting.append(Block(name, (replace(statement, value=side),), Goto(names[2], span)))
                break
        else:
            blocks.append(block)
    return replace(procedure, blocks=tuple(blocks))


def _decided(procedure: Procedure) -> tuple[Procedure, Mapping[str, Decision]]:
    """Each decision in a block of its own, and a block for each of its sides."""
    blocks: list[Block] = []
    decisions: dict[str, Decision] = {}
    for label in reverse_postorder(procedure):
        block = procedure.block[label]
        match block.terminator:
            case Branch(condition, then, otherwise, span) if then != otherwise:
                names = [f"{label}.{word}" for word in ("decide", "then", "else")]
                decisions[names[0]] = Decision(condition, names[1], names[2])
                blocks += [
                    Block(label, block.statements, Goto(names[0], span)),
                    Block(names[0], (), Branch(condition, names[1], names[2], span)),
                    Block(names[1], (), Goto(then, span)),
                    Block(names[2], (), Goto(otherwise, span)),
                ]
            case Branch(_, then, _, span):
                blocks.append(Block(label, block.statements, Goto(then, span)))
            case _:
                blocks.append(block)
    return replace(procedure, blocks=tuple(blocks)), decisions


class _Own:
    """What is the function's own: neither of the blocks of the procedure that calls it nor about its variables."""

    def __init__(self, caller: Procedure) -> None:
        self._labels = tuple(block.label for block in caller.blocks)
        self._variables = frozenset(caller.variables)

    def count(self, block: Block) -> int:
        label = block.label
        if label in self._labels or any(label.startswith(f"{each}.call.") for each in self._labels):
            return 0
        counted = [s for s in block.statements if not isinstance(s, Assume)]
        counted = [s for s in counted if not self._variables.issuperset(written(s))]
        # What one statement of the source became, as the passing of arguments, is one.
        return len({s.span if s.span.line else position for position, s in enumerate(counted)})


def _path(procedure: Procedure, start: str, rests: frozenset[str], own: _Own) -> Path:
    statements: list[Statement] = []
    length = 0
    label = start
    rest = ""
    while not rest:
        block = procedure.block[label]
        if label == LIMIT:
            rest = LIMIT
            break
        statements += block.statements
        length += own.count(block)
        match block.terminator:
            case Goto(target):
                rest, label = (target, label) if target in rests else ("", target)
            case Return():
                rest = RETURN
            case Stop():
                rest = STOP
            case Branch():
                rest = label
    return Path(tuple(statements), rest, length)
