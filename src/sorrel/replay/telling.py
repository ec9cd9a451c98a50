"""A run of the interpreter, told in the user's names: what happened line by line, and which values were chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.outcome import ChosenValue, EventKind, RunEvent, ValueOrigin, Violation
from sorrel.program.interpreter import Branched, Entered, Event, Observed, Passed, Returned, Run, Used, Violated, Wrote
from sorrel.program.program import LIBRARY, Program
from sorrel.program.statement import Choice, Kind
from sorrel.program.types import Array, Unbounded
from sorrel.program.value import ArrayValue, Value, zero

MOST_EVENTS = 10_000
"""Of a longer run, the beginning and the end are told."""
MOST_ELEMENTS = 12
_SENTENCES = {
    Kind.ERROR_CALL: "an error function is called",
    Kind.ASSERTION: "assertion violated",
    Kind.OVERFLOW: "signed overflow",
    Kind.BOUNDS: "access outside its object",
    Kind.DIVISION: "division by zero",
    Kind.LEAK: "two runs differ where they should agree",
}


def violation(end: Violated) -> Violation:
    """Which assertion failed, in words."""
    assertion = end.assertion
    message = assertion.message or _SENTENCES[assertion.kind]
    if assertion.kind is Kind.ASSERTION and assertion.message:
        message = f"{_SENTENCES[assertion.kind]}: {assertion.message.removeprefix('assertion ')}"
    return Violation(str(assertion.kind), message, assertion.span, end.procedure)


def tell(program: Program, run: Run) -> tuple[RunEvent, ...]:
    """The events that a user can follow, ending with the violation if there is one."""
    events = list(_Teller(program).tell(_shortened(run.events)))
    if isinstance(run.end, Violated):
        found = violation(run.end)
        depth = run.events[-1].depth if run.events else 0
        events.append(RunEvent(EventKind.VIOLATION, found.span, found.procedure, depth, found.message))
    return tuple(events)


def _shortened(events: tuple[Event, ...]) -> tuple[Event, ...]:
    if len(events) <= MOST_EVENTS:
        return events
    return (*events[: MOST_EVENTS // 2], *events[-(MOST_EVENTS // 2) :])


def chosen(program: Program, run: Run) -> tuple[ChosenValue, ...]:
    """The values of everything that the program left open, in the order in which the run took them."""
    writes = [event for event in run.events if isinstance(event, Wrote)]
    at = 0
    found = []
    for used in run.used:
        variable = name_of(program, used.procedure, used.source)
        if used.source.startswith("*") and isinstance(used.type, Unbounded):
            variable = f"length of {used.source[1:]}"
        while at < len(writes) and writes[at].choice is None:
            at += 1
        if at < len(writes) and _same(used, writes[at]):
            variable = _first_name(program, writes, at) or variable
            at += 1
        origin = ValueOrigin(used.choice)
        found.append(ChosenValue(origin, used.source, variable, str(used.type), show(used.value), used.span))
    return tuple(found)


def _same(used: Used, wrote: Wrote) -> bool:
    return used.choice is wrote.choice and used.span == wrote.span and used.value == wrote.value


def _first_name(program: Program, writes: Sequence[Wrote], at: int) -> str:
    """The user's variable that gets the value: written itself, or on the same line from a variable of ours."""
    start = writes[at]
    for write in writes[at : at + 3]:
        name = name_of(program, write.procedure, write.variable.name)
        same = write.procedure == start.procedure and write.span.line == start.span.line
        if same and write.value == start.value and "." not in name and name != "\\result":
            return name
    return ""


def name_of(program: Program, procedure: str, variable: str) -> str:
    """The name in the user's text."""
    found = program.procedure.get(procedure)
    return found.source_names.get(variable, variable) if found else variable


def show(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case ArrayValue():
            entries = list(value.entries.items())
            shown = [f"[{index}] = {show(element)}" for index, element in entries[:MOST_ELEMENTS]]
            more = ["…"] if len(entries) > MOST_ELEMENTS else []
            return "{" + ", ".join([*shown, *more, f"others {show(value.default)}"]) + "}"
        case _:
            return str(value)


class _Teller:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._arrays: dict[tuple[int, str], ArrayValue] = {}

    def tell(self, events: tuple[Event, ...]) -> Iterator[RunEvent]:
        for event in events:
            if not isinstance(event, Passed) and event.procedure.startswith(LIBRARY):
                continue  # nothing of it stands in the user's text
            match event:
                case Wrote():
                    yield from self._wrote(event)
                case Branched(procedure, depth, span, taken):
                    if span.line:
                        text = f"the condition is {show(taken)}"
                        yield RunEvent(EventKind.BRANCH, span, procedure, depth, text, value=show(taken))
                case Entered(procedure, depth, span, arguments):
                    if "." in procedure:
                        continue  # stands for all callers of a function
                    yield RunEvent(EventKind.CALL, span, procedure, depth, self._call(procedure, arguments))
                case Returned(procedure, depth, span, outputs):
                    if "." in procedure:
                        continue
                    value = self._result(procedure, outputs)
                    text = f"{procedure} returns {value}" if value else f"{procedure} returns"
                    yield RunEvent(EventKind.RETURN, span, procedure, depth, text, value=value)
                case Observed(procedure, depth, span, statement, value):
                    text = f"{statement.purpose}: {show(value)}"
                    yield RunEvent(EventKind.OBSERVE, span, procedure, depth, text, value=show(value))
                case Passed():
                    pass

    def _call(self, procedure: str, arguments: tuple[Value, ...]) -> str:
        parameters = self._program.procedure[procedure].parameters
        shown: dict[str, None] = {}
        for parameter, value in zip(parameters, arguments, strict=True):
            name = name_of(self._program, procedure, parameter.name)
            if isinstance(parameter.type, Unbounded) and name != parameter.name:
                shown[name] = None  # a pointer: where it points to is a matter of ours
            elif "." not in name or not isinstance(parameter.type, Unbounded):
                shown[f"{name} = {show(value)}"] = None
        return f"{procedure}({', '.join(shown)})"

    def _result(self, procedure: str, outputs: tuple[Value, ...]) -> str:
        """What the function returns; what it writes through pointers was told where it did."""
        for variable, value in zip(self._program.procedure[procedure].outputs, outputs, strict=True):
            if name_of(self._program, procedure, variable.name) == "\\result":
                return show(value)
        return ""

    def _wrote(self, event: Wrote) -> Iterator[RunEvent]:
        name = name_of(self._program, event.procedure, event.variable.name)
        free = event.choice is Choice.UNINITIALISED and event.value == zero(event.variable.type)
        if "." in name or name == "\\result" or free or not event.span.line:
            return
        kind = EventKind.ASSIGN if event.choice is None else EventKind.CHOOSE
        changed = self._element(event, name) if isinstance(event.variable.type, Array) else (name, show(event.value))
        if changed is not None:
            place, value = changed
            text = f"{place} = {value}"
            yield RunEvent(kind, event.span, event.procedure, event.depth, text, place, value)

    def _element(self, event: Wrote, name: str) -> tuple[str, str] | None:
        """For an array that differs in one element from what it was, that element."""
        key = (event.depth, event.variable.name)
        before, after = self._arrays.get(key), event.value
        if not isinstance(after, ArrayValue):
            return name, show(after)
        self._arrays[key] = after
        if before is None or before.default != after.default:
            return name, show(after)
        old, new = before.entries, after.entries
        different = [index for index in {*old, *new} if old.get(index, before.default) != new.get(index, after.default)]
        if len(different) == 1:
            return f"{name}[{different[0]}]", show(after[different[0]])
        return (name, show(after)) if different else None
