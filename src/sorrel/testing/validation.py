"""The front end as a translation that is validated: runs of the interpreter beside runs of the compiled program.

Both get the same values. Whatever can be seen must agree: how the run ends, what it prints, the global variables at the
end, which lines are executed, and how often each branch goes which way. A run is not compared where the compiled
program may do as it likes: from undefined behaviour on, and where it depends on what is not modelled.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from pathlib import Path

from sorrel.frontends.c import CSettings, read_with_globals
from sorrel.model.budget import Clock
from sorrel.model.errors import Span
from sorrel.model.source import lines_of
from sorrel.model.task import Task, data_model_here
from sorrel.model.values import dataclass
from sorrel.program.checks import unwatched
from sorrel.program.expression import Constant
from sorrel.program.interpreter import NOBODYS, ByVariable, Prepared, run
from sorrel.program.places import passed
from sorrel.program.program import Program
from sorrel.program.run import Branched, Entered, Event, Finished, Run, Stopped, Violated, Wrote
from sorrel.program.statement import Assign, Branch, Call, Choice, Kind, Statement, Stream, Terminator
from sorrel.program.threads import has_threads
from sorrel.program.traversal import steps
from sorrel.program.types import Type
from sorrel.program.value import INDETERMINATE, ArrayValue, Value
from sorrel.program.visible import VisibleVariable
from sorrel.replay.allocations import NO_MEMORY
from sorrel.replay.compiled_program import CompiledProgram, CompiledRun, NotCompiled
from sorrel.replay.compiler import compiler, texts
from sorrel.replay.coverage import LineCount
from sorrel.replay.feeding import unfed
from sorrel.replay.harness import REACHED
from sorrel.replay.telling import chosen
from sorrel.testing.extents import extents
from sorrel.testing.lifetimes import misused
from sorrel.testing.probe import choosers, constants_of, fitting

RUNS, STEPS = 5, 100_000
_FED = "__VERIFIER_nondet_"
_WORD = 1 << 64
_DECISION = re.compile(r"\b(if|while|for|do|switch|case)\b")
_LEAVES = re.compile(r"\b(return|break|continue|goto)\b")
_MORE_DECISIONS = re.compile(r"\?|&&|\|\||\b[A-Z][A-Z0-9_]*\s*\(|\bassert\b")


@dataclass(frozen=True, slots=True)
class Validated:
    """How many runs agree; why others were not compared; and what differs, which is a mistake of ours."""

    agreeing: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    difference: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell of it."""
        told = [f"validated: {self.agreeing} runs agree with the compiled program"] if self.agreeing else []
        return (*told, *(f"not validated ({count}): {reason}" for reason, count in self.skipped.items()))


def validate(task: Task, clock: Clock, runs: int = RUNS) -> Validated:
    """Compare some runs of the program that the task is about."""
    if not task.is_whole_c:
        return _not_at_all("only whole programs in C are compiled and run")
    if not compiler():
        return _not_at_all("there is no C compiler")
    if task.data_model != data_model_here():
        return _not_at_all(f"the machine is not {task.data_model}")
    settings = CSettings.of(task)
    read, visible = read_with_globals(task.sources, settings)
    program = unwatched(read)
    named = dict(zip((source.name for source in task.sources), texts(task), strict=True))
    if has_threads(program):
        return _not_at_all("threads take turns as they like")
    with tempfile.TemporaryDirectory(prefix="sorrel-validation-") as folder:
        try:
            return compared(program, visible, CompiledProgram(task, visible, Path(folder)), named, clock, runs)
        except NotCompiled as problem:
            return _not_at_all(f"the program does not compile: {problem}")


def _not_at_all(reason: str) -> Validated:
    return Validated(skipped={reason: 1})


def compared(
    program: Program,
    visible: Sequence[VisibleVariable],
    compiled: CompiledProgram,
    named: Mapping[str, str],
    clock: Clock,
    runs: int,
) -> Validated:
    agreeing, skipped = 0, Counter[str]()
    looked = Comparison(program, visible, named)
    seen: set[tuple[Value, ...]] = set()
    prepared: Prepared = {}
    for choose in islice(choosers(constants_of(program)), runs):
        supply = _supply(program, choose)
        ours = run(program, supply, steps=STEPS, record=True, prepared=prepared, indeterminate=NOBODYS)
        values = tuple(used.value for used in ours.used)
        if clock.expired() or (seen and not values):
            break
        if values in seen:
            continue
        seen.add(values)
        reason = _incomparable(ours, program)
        theirs = None if reason else compiled.run(chosen(program, ours), list(named.values()))
        if theirs is None:
            skipped[reason or "the compiled program does not end in time"] += 1
            continue
        difference = next(looked.differences(ours, theirs), "")
        reason = _undefined(program, ours, theirs, clock) if difference else ""
        if reason:
            skipped[reason] += 1
            continue
        if difference:
            inputs = ", ".join(f"{used.source} = {used.value}" for used in ours.used[:20])
            return Validated(agreeing, skipped, f"{difference} (inputs: {inputs or 'none'})")
        agreeing += 1
    return Validated(agreeing, skipped)


def _supply(program: Program, choose: Callable[[Type], Value]) -> ByVariable:
    """The compiled program has no arguments but its name."""
    own = _parameters(program)
    return ByVariable(lambda type, target: fitting(type, 1) if target in own else choose(type))


def _parameters(program: Program) -> frozenset[str]:
    return frozenset(parameter.name for parameter in program.procedure[program.main].parameters)


def _incomparable(ours: Run, program: Program) -> str:
    """Why the compiled program need not do the same; empty if it must."""
    own = _parameters(program)
    for used in ours.used:
        if used.choice is Choice.ABSTRACTION or used.arguments is not None:
            return f"{used.source} is not modelled"
        if used.choice is Choice.INPUT and used.source not in own and not used.source.startswith(_FED):
            return f"{used.source} is not for a harness to choose"
    beyond = unfed(ours.used)
    if beyond:
        return f"{beyond} is not for a harness to choose"
    places = [place for premise in program.assumptions for place in premise.places]
    for place in passed(places, ours.events):
        return f"the order in which {place} is evaluated is open"
    match ours.end:
        case Finished() | Stopped():
            return ""
        case Violated(assertion) if assertion.kind in (Kind.ERROR_CALL, Kind.ASSERTION):
            return ""
        case end:
            return f"the run ends as {type(end).__name__.lower()}"


def _undefined(program: Program, ours: Run, theirs: CompiledRun, clock: Clock) -> str:
    """Why a compiled program that does something else is no wonder; empty if it is."""
    if theirs.said == NO_MEMORY:
        return "an allocation gives null"
    found = misused(program, ours, clock)
    if found is None:
        return "there was no time to see whether it uses memory that has ended"
    return "the run uses memory that has ended, or frees it again" if found else ""


# What is seen


class Comparison:
    def __init__(self, program: Program, visible: Sequence[VisibleVariable], named: Mapping[str, str]) -> None:
        self._program = program
        self._visible = visible
        self._places = {variable.name: position for position, variable in enumerate(program.globals)}
        self._steps = _by_line(program)
        self._texts = {name: lines_of(text) for name, text in named.items()}
        self._extents = {name: extents(lines) for name, lines in self._texts.items()}

    def differences(self, ours: Run, theirs: CompiledRun) -> Iterator[str]:
        yield from self._ends(ours, theirs)
        yield from self._printed(ours, theirs)
        if isinstance(ours.end, Finished):
            yield from self._globals(ours.end, theirs)
        if isinstance(ours.end, Finished | Violated):
            yield from self._ways(ours.events, theirs)

    def _ends(self, ours: Run, theirs: CompiledRun) -> Iterator[str]:
        if isinstance(ours.end, Violated):
            if theirs.status != REACHED or not theirs.said:
                yield f"{ours.end.span}: the error is reached, in the compiled program it is not: {theirs.said}"
        elif theirs.said:
            yield f"the run ends normally, the compiled program does not: {theirs.said}"
        elif ours.status is not None and ours.status != theirs.status:
            yield f"the status is {ours.status}, that of the compiled program {theirs.status}"

    def _printed(self, ours: Run, theirs: CompiledRun) -> Iterator[str]:
        pairs = [(Stream.OUTPUT, theirs.output)]
        if not theirs.said:
            pairs.append((Stream.ERRORS, theirs.errors))
        for stream, text in pairs:
            written = ours.written.get(stream)
            own = bytes(written.text) if written else b""
            known = len(own) if written and written.unknown else max(len(own), len(text))
            if own[:known] != text[:known]:
                yield f"what is printed differs: {own[:200]!r}, the compiled program's {text[:200]!r}"

    def _globals(self, end: Finished, theirs: CompiledRun) -> Iterator[str]:
        for position, each in enumerate(self._visible):
            place = self._places.get(each.variable)
            told = theirs.values.get(position)
            if place is None or told is None:
                continue
            for index, (own, other) in enumerate(zip(_values(end.globals[place], each), told, strict=True)):
                if own is not INDETERMINATE and (int(_number(own)) - other) % _WORD:
                    name = "".join(f"[{part}]" if isinstance(part, int) else part for part in each.parts)
                    yield f"{name}, number {index}: {own} at the end, in the compiled program {other}"

    # Which lines and branches

    def _ways(self, events: Sequence[Event], theirs: CompiledRun) -> Iterator[str]:
        executed: dict[tuple[str, int], Counter[bool]] = {}
        for event in events:
            if isinstance(event, Wrote | Branched | Entered) and not _is_start(event) and not self._is_case(event):
                counter = executed.setdefault((event.span.file, event.span.line), Counter())
                if isinstance(event, Branched):
                    counter[event.taken] += 1
        for file, lines in theirs.lines.items():
            for line, counted in lines.items():
                ways = executed.get((file, line))
                together = self._together(file, line)
                if ways is not None and not any(lines[other].count for other in together if other in lines):
                    yield f"{file}:{line}: executed, in the compiled program it is not"
                seen = any((file, other) in executed for other in together)
                if not seen and counted.count and self._must_be_seen(file, line):
                    yield f"{file}:{line}: not executed, in the compiled program it is"
                if ways is not None and self._is_one_decision(file, line, counted):
                    own = sorted((ways[True], ways[False]))
                    if own != sorted(counted.branches):
                        yield f"{file}:{line}: branches {own}, in the compiled program {sorted(counted.branches)}"

    def _together(self, file: str, line: int) -> range:
        """The lines of the expression that the line is part of."""
        known = self._extents.get(file, [])
        return known[line - 1] if 0 < line <= len(known) else range(line, line + 1)

    def _must_be_seen(self, file: str, line: int) -> bool:
        """Whether the first thing that happens on the line is one that we would have seen.

        Where a block is left, compilers count the ends of its variables, also for those who leave it elsewhere.
        """
        if _LEAVES.search(self._text_at(Span(file, line, 1))):
            return False
        seen = [step for step in self._steps.get((file, line), ()) if isinstance(step, Assign | Call | Branch)]
        return any(not self._is_case(step) for step in seen)

    def _is_case(self, step: Statement | Terminator | Event) -> bool:
        """Whether it tests a label of a switch, which a compiler does not do there."""
        return isinstance(step, Branch | Branched) and self._text_at(step.span).startswith("case")

    def _text_at(self, span: Span) -> str:
        """The rest of the line."""
        lines = self._texts.get(span.file, [])
        return lines[span.line - 1][max(0, span.column - 1) :] if 0 < span.line <= len(lines) else ""

    def _is_one_decision(self, file: str, line: int, counted: LineCount) -> bool:
        """Whether the line has one decision, for us and for the compiler, and it is the same one."""
        branches = [step for step in self._steps.get((file, line), ()) if isinstance(step, Branch)]
        if (
            len(self._together(file, line)) > 1
            or len(branches) != 1
            or len(counted.branches) != 2
            or isinstance(branches[0].condition, Constant)
        ):
            return False
        text = self._text_at(Span(file, line, 1))
        starts = _DECISION.match(self._text_at(branches[0].span))
        plain = len(_DECISION.findall(text)) == 1 and not _MORE_DECISIONS.search(text)
        return plain and starts is not None and starts.group() in ("if", "while", "for")


def _is_start(event: Wrote | Branched | Entered) -> bool:
    """A variable gets the value that it starts with: nothing of the program's is executed."""
    return isinstance(event, Wrote) and event.choice is Choice.UNINITIALISED


def _by_line(program: Program) -> dict[tuple[str, int], list[Statement | Terminator]]:
    found: dict[tuple[str, int], list[Statement | Terminator]] = {}
    for procedure in program.procedures:
        for block in procedure.blocks:
            for step in steps(block):
                found.setdefault((step.span.file, step.span.line), []).append(step)
    return found


def _values(value: Value, visible: VisibleVariable) -> list[Value]:
    if visible.first is None or not isinstance(value, ArrayValue):
        return [value]
    return [value[visible.first + index] for index in range(visible.count)]


def _number(value: Value) -> int:
    return int(value) if isinstance(value, int) else 0
