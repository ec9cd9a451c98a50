"""A run of the interpreter, told in the user's names: what happened line by line, and which values were chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from sorrel.model.errors import Span
from sorrel.model.outcome import Binding, ChosenValue, EventKind, RunEvent, ValueOrigin, Violation
from sorrel.program.expression import Convert, Expression, Variable
from sorrel.program.program import LIBRARY, Program
from sorrel.program.run import Branched, Entered, Event, Observed, Passed, Returned, Run, Used, Violated, Wrote
from sorrel.program.statement import READS, Assert, Branch, Choice, Havoc, Kind, Observe, Purpose
from sorrel.program.types import Unbounded
from sorrel.program.value import ArrayValue, Value, zero
from sorrel.program.visible import EntryKind, EntryPart, VisibleVariable
from sorrel.relate.observing import BRANCHES, ELEMENTS, STEP_COUNTS
from sorrel.replay.blocks import OBJECT, OFFSET, Blocks, one_value, pointer_stem
from sorrel.replay.elements import Elements, drawn, element_name, initialised, position, show

MOST_EVENTS = 10_000
"""Of a longer run, the beginning and the end are told."""
RESULT = "\\result"
RETURNED_OBJECT = "return.value.object"
_SENTENCES = {
    Kind.ERROR_CALL: "an error function is called",
    Kind.ASSERTION: "assertion violated",
    Kind.OVERFLOW: "signed overflow",
    Kind.BOUNDS: "access out of bounds",
    Kind.DIVISION: "division by zero",
    Kind.LIFETIME: "use of an object after its lifetime",
    Kind.UNINITIALISED: "read of an uninitialised value",
    Kind.FREE: "free of a pointer that is not a live allocation",
    Kind.UNTRACKED: "memory leak: no pointer to the allocation is left",
    Kind.NOT_FREED: "memory leak: the allocation is not freed at exit",
    Kind.LEAK: "two runs differ where they should agree",
    Kind.RACE: "data race",
    Kind.POSSIBLE_RACE: "possible data race",
    Kind.DEADLOCK: "deadlock",
    Kind.DESCENT: "no ranking function is known",
}
_PURPOSES = {
    Purpose.LOW: "public",
    Purpose.RELEASED: "declassified",
    Purpose.COMPARED: "observed",
    Purpose.READ: "read",
    Purpose.UNSET: "not set",
}


_KINDS = {BRANCHES: "condition", ELEMENTS: "index", STEP_COUNTS: "steps"}
"""What is compared where no value of the program is."""


def _word(observed: Observe) -> str:
    return _KINDS.get(observed.message, _PURPOSES[observed.purpose])


def violation(end: Violated) -> Violation:
    """Which assertion failed, in words."""
    said = violated(end.assertion)
    if end.why:
        said = f"{said}: {end.why}"
    return Violation(str(end.assertion.kind), said, end.assertion.span, end.procedure, end.why)


def violated(assertion: Assert) -> str:
    """What went wrong, in words."""
    if assertion.kind is Kind.ASSERTION and assertion.message:
        return f"{_SENTENCES[assertion.kind]}: {assertion.message.removeprefix('assertion ')}"
    return assertion.message or _SENTENCES[assertion.kind]


def tell(program: Program, run: Run) -> tuple[RunEvent, ...]:
    """The events that a user can follow, ending with the violation if there is one."""
    events = list(_without_repetition(_Teller(program).tell(_shortened(run.events))))
    if isinstance(run.end, Violated):
        found = violation(run.end)
        depth = run.events[-1].depth if run.events else 0
        events.append(RunEvent(EventKind.VIOLATION, found.span, found.procedure, depth, found.message))
    return tuple(events)


def _without_repetition(events: Iterator[RunEvent]) -> Iterator[RunEvent]:
    """An initialisation may write the same value to the same place several times: that is one step of the user's."""
    known: set[tuple[str, str, str]] = set()
    before: tuple[object, ...] = ()
    for event in events:
        here = (event.span.file, event.span.line, event.frame, event.kind is EventKind.ASSIGN)
        if here != before or event.kind is not EventKind.ASSIGN:
            known.clear()
        before, place = here, event.variable
        if (place, event.value, event.text) in known:
            continue
        known = {each for each in known if each[0] != place} | {(place, event.value, event.text)}
        yield event


def _shortened(events: tuple[Event, ...]) -> tuple[Event, ...]:
    if len(events) <= MOST_EVENTS:
        return events
    return (*events[: MOST_EVENTS // 2], *events[-(MOST_EVENTS // 2) :])


def chosen(program: Program, run: Run) -> tuple[ChosenValue, ...]:
    """The values of everything that the program left open, in the order in which the run took them."""
    writes = [event for event in run.events if isinstance(event, Wrote)]
    elements = Elements(program)
    parts = {part.variable: part for part in program.entry_parts}
    at = 0
    found = []
    for used in run.used:
        variable = name_of(program, used.procedure, used.source)
        part = parts.get(used.target) if used.procedure == program.main else None
        if part is not None and part.kind is EntryKind.LENGTH:
            variable = f"length of {part.text}"
        while at < len(writes) and writes[at].choice is None:
            at += 1
        if at < len(writes) and _same(used, writes[at]):
            variable = _first_name(program, elements, writes, at) or variable
            at += 1
        origin = ValueOrigin(used.choice)
        value = _pointer(part, used.value) if part is not None and part.kind is EntryKind.POINTER else show(used.value)
        found.append(ChosenValue(origin, used.source, variable, str(used.type), value, used.span))
    return tuple(found)


def _pointer(part: EntryPart, value: Value) -> str:
    """Where a pointer leads before the call."""
    if value in part.others:
        return part.others[int(str(value))]
    if not isinstance(value, int) or (part.crowd and value < -1):
        return "one of many objects"
    return "an object of its own" if value and part.own else "NULL"


def _same(used: Used, wrote: Wrote) -> bool:
    return used.choice is wrote.choice and used.span == wrote.span and used.value == wrote.value


def _first_name(program: Program, elements: Elements, writes: Sequence[Wrote], at: int) -> str:
    """The user's variable that gets the value: written itself, or on the same line from a variable of ours."""
    start = writes[at]
    for place in range(at, min(at + 3, len(writes))):
        write = writes[place]
        if write is not start and (write.choice is not None or write.span.line != start.span.line):
            break
        name = own_name(program, write.procedure, write.variable.name)
        index = write.index if write.index is not None else _changed(_before(writes, place), write.value)
        kept = elements.of(write.procedure, write.variable.name, index, (write.procedure,))
        if not (name or kept) or name.startswith(RESULT) or write.procedure != start.procedure:
            continue
        if write.value == start.value:
            return name if kept is None else kept.every
        if isinstance(write.value, ArrayValue) and index is not None and write.value[index] == start.value:
            return element_name(name, kept, index)
    return ""


def _before(writes: Sequence[Wrote], position: int) -> Value | None:
    """What the variable that is written there held until then, as far as is known."""
    write = writes[position]
    earlier = (each for each in reversed(writes[:position]) if each.variable == write.variable)
    return next((each.value for each in earlier if each.depth == write.depth), None)


def _changed(before: Value | None, after: Value) -> int | None:
    """For an array that differs in one element from what it was, that element."""
    if not isinstance(before, ArrayValue) or not isinstance(after, ArrayValue) or before.default != after.default:
        return None
    old, new = before.entries, after.entries
    different = [index for index in {*old, *new} if old.get(index, before.default) != new.get(index, after.default)]
    return different[0] if len(different) == 1 else None


def name_of(program: Program, procedure: str, variable: str) -> str:
    """The name in the user's text."""
    found = program.procedure.get(procedure)
    return found.source_names.get(variable, variable) if found else variable


def own_name(program: Program, procedure: str, variable: str) -> str:
    """The name in the user's text; nothing for a variable of ours."""
    name = name_of(program, procedure, variable)
    return "" if name == variable and "." in name and not _is_named(program, procedure, variable) else name


def _is_named(program: Program, procedure: str, variable: str) -> bool:
    found = program.procedure.get(procedure)
    return found is not None and variable in found.source_names


def _shown(value: Value | None) -> str:
    return "" if value is None or isinstance(value, ArrayValue) else show(value)


class _Teller:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._arrays: dict[tuple[int, str], ArrayValue] = {}
        self._blocks = Blocks()
        self._elements = Elements(program)
        self._drawn: set[tuple[int, str]] = set()
        self._frames = [("", 0)]
        self._calls = 0
        self._conditions = {
            id(block.terminator.condition)
            for procedure in program.procedures
            for block in procedure.blocks
            if isinstance(block.terminator, Branch)
        }
        self._compared: Span | None = None

    def tell(self, events: tuple[Event, ...]) -> Iterator[RunEvent]:
        for event in initialised(events):
            if isinstance(event, Entered):
                self._calls += 1
                self._frames = [*self._frames[: event.depth], (event.procedure, self._calls)]
            if isinstance(event, Wrote):
                self._blocks.see(event)
            if not isinstance(event, Passed) and event.procedure.startswith(LIBRARY):
                continue  # nothing of it stands in the user's text
            frame = self._frame(event)
            yield from (replace(told, frame=frame) for told in self._told(event))
            if isinstance(event, Returned):
                self._frames = self._frames[: max(1, event.depth)]

    def _frame(self, event: Event) -> int:
        """The call that the step is in; the call whose local was written, else none where all procedures write it."""
        if not isinstance(event, Wrote) or event.variable not in self._program.globals:
            return self._frames[-1][1]
        kept = self._kept(event, event.index)
        owner = kept.procedure if kept is not None else ""
        return next((number for name, number in reversed(self._frames) if owner and name == owner), 0)

    def _kept(self, event: Wrote, index: int | None) -> VisibleVariable | None:
        return self._elements.of(event.procedure, event.variable.name, index, [name for name, _ in self._frames])

    def _told(self, event: Event) -> Iterator[RunEvent]:
        match event:
            case Wrote():
                yield from self._wrote(event)
            case Branched(span=span) if span.line and span == self._compared:
                self._compared = None  # it was told when it was compared
            case Branched(procedure, depth, span, taken) if span.line:
                text = f"the condition is {show(taken)}"
                yield RunEvent(EventKind.BRANCH, span, procedure, depth, text, value=show(taken))
            case Entered(procedure, depth, span, arguments) if "." not in procedure:  # else it is for all callers
                given, text = self._call(procedure, arguments)
                yield RunEvent(EventKind.CALL, span, procedure, depth, text, arguments=given)
            case Returned(procedure, depth, span, outputs) if "." not in procedure:
                value = self._result(procedure, outputs)
                text = f"{procedure} returns {value}" if value else f"{procedure} returns"
                yield RunEvent(EventKind.RETURN, span, procedure, depth, text, value=value)
            case Observed(procedure, depth, span, statement, value) if id(statement.value) in self._conditions:
                self._compared, text = span, f"the condition is {show(value)}"
                yield RunEvent(EventKind.BRANCH, span, procedure, depth, text, value=show(value))
            case Observed(procedure, depth, span, statement, value):
                text = f"{_word(statement)}: {self._named(procedure, statement.value)}{show(value)}"
                yield RunEvent(EventKind.OBSERVE, span, procedure, depth, text, value=show(value))

    def _named(self, procedure: str, observed: Expression) -> str:
        while isinstance(observed, Convert):
            observed = observed.operand
        if not isinstance(observed, Variable):
            return ""
        name = own_name(self._program, procedure, observed.name) or self._brought_in(procedure, observed)
        name = name or self._entry_part(procedure, observed.name)
        return f"{name} = " if name else ""

    def _entry_part(self, procedure: str, variable: str) -> str:
        """What a variable of ours holds of an object that a pointer leads to before the call."""
        for part in self._program.entry_parts if procedure == self._program.main else ():
            if part.variable == variable and part.kind is EntryKind.LENGTH:
                return f"length of {part.text}"
            if part.variable == variable and part.kind is EntryKind.CONTENTS and part.path != "?":
                return f"{part.text}[]{part.path}"
        return ""

    def _brought_in(self, procedure: str, variable: Variable) -> str:
        """The name of the input, where a variable of ours holds it for a call."""
        steps = (s for block in self._program.procedure[procedure].blocks for s in block.statements)
        sources = (s.source.removeprefix(READS) for s in steps if isinstance(s, Havoc) and s.target == variable)
        return next((source for source in sources if source.isidentifier()), "")

    def _call(self, procedure: str, arguments: tuple[Value, ...]) -> tuple[tuple[Binding, ...], str]:
        """The arguments, and the call as text; a pointer has its name only: where it points to is a matter of ours."""
        parameters = self._program.procedure[procedure].parameters
        shown: dict[str, Binding] = {}
        for parameter, value in zip(parameters, arguments, strict=True):
            name = own_name(self._program, procedure, parameter.name)
            pointer = self._pointer_name(procedure, parameter.name)
            leads = self._blocks.pointer(value) if parameter.name.endswith(OBJECT) else ""
            if pointer and leads and not self._has_offset(procedure, parameter.name):
                shown[pointer] = Binding(pointer, leads)
            elif isinstance(parameter.type, Unbounded) and name != parameter.name:
                shown.setdefault(name, Binding(name, ""))
            elif name:
                shown[name] = Binding(name, show(value), drawn(value))
        given = tuple(binding for name, binding in shown.items() if name)
        texts = (f"{each.name} = {each.value}" if each.value else each.name for each in given)
        return given, f"{procedure}({', '.join(texts)})"

    def _result(self, procedure: str, outputs: tuple[Value, ...]) -> str:
        """What the function returns; what it writes through pointers was told where it did."""
        for variable, value in zip(self._program.procedure[procedure].outputs, outputs, strict=True):
            if name_of(self._program, procedure, variable.name) == RESULT:
                return show(value)
            if variable.name == RETURNED_OBJECT and not self._has_offset(procedure, variable.name):
                return self._blocks.pointer(value)
        return ""

    def _pointer_name(self, procedure: str, variable: str) -> str:
        """The user's name of the pointer that this is a part of."""
        stem = pointer_stem(variable)
        return own_name(self._program, procedure, stem) if stem else ""

    def _has_offset(self, procedure: str, variable: str) -> bool:
        """Whether more is kept of the pointer than its object."""
        found, name = self._program.procedure[procedure], pointer_stem(variable) + OFFSET
        of_all = (*found.parameters, *found.locals, *found.outputs, *self._program.globals)
        return any(each.name == name for each in of_all)

    def _wrote(self, event: Wrote) -> Iterator[RunEvent]:
        name = own_name(self._program, event.procedure, event.variable.name)
        free = event.choice is Choice.UNINITIALISED and event.value == zero(event.variable.type)
        if free or not event.span.line or name.startswith(RESULT):
            return
        known = self._arrays.get((event.depth, event.variable.name))
        index = event.index if event.index is not None else _changed(known, event.value)
        kept = self._kept(event, index)
        if not name and kept is None:
            yield from self._indirectly(event)
            return
        kind = EventKind.ASSIGN if event.choice is None else EventKind.CHOOSE
        event_of = partial(RunEvent, kind, event.span, event.procedure, event.depth)
        if isinstance(event.value, ArrayValue) and index is not None:
            value, whole = show(event.value[index]), element_name(name, kept, index)
            base = name if kept is None else kept.base
            first = None if (event.depth, base) in self._drawn else drawn(event.value, kept)
            self._drawn.add((event.depth, base))
            yield event_of(f"{whole} = {value}", whole, value, base, position(kept, index), first)
        elif not self._is_repeated(event):
            value, whole = show(event.value, kept), name if kept is None else kept.every
            base = "" if kept is None or kept.is_row else kept.base
            yield event_of(f"{whole} = {value}", whole, value, base, array=drawn(event.value, kept))
        if isinstance(event.value, ArrayValue):
            self._arrays[event.depth, event.variable.name] = event.value

    def _indirectly(self, event: Wrote) -> Iterator[RunEvent]:
        """A pointer that was set, or what was written to allocated memory."""
        event_of = partial(RunEvent, EventKind.ASSIGN, event.span, event.procedure, event.depth)
        is_pointer = bool(pointer_stem(event.variable.name))
        value = (
            self._blocks.leads(event, has_offset=self._has_offset(event.procedure, event.variable.name))
            if is_pointer
            else _shown(one_value(event))
        )
        if not value or event.choice is not None:
            return
        if is_pointer and (name := self._pointer_name(event.procedure, event.variable.name)):
            index = "" if event.index is None else str(event.index)
            whole = f"{name}[{index}]" if index else name
            yield event_of(f"{whole} = {value}", whole, value, name if index else "", index)
        elif place := self._blocks.place(event):
            block, part = place
            yield event_of(f"{block} ({part}) = {value}", f"{block} ({part})", value, block, part)

    def _is_repeated(self, event: Wrote) -> bool:
        return self._arrays.get((event.depth, event.variable.name)) == event.value
