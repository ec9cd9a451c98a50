"""Witnesses of other verifiers (SV-COMP, formats 2.0 and 2.1): what they say of a program, put where they say it.

A correctness witness becomes claims, which are assertions in the program: it is accepted if the program with them is
safe. A violation witness becomes the values that inputs have on the way to the error, and where that is. What is not
looked at is named: nobody may say that a witness holds of which he has seen a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from sorrel.contracts.checks import Claim
from sorrel.contracts.meaning import meaning
from sorrel.contracts.reading import Dialect
from sorrel.contracts.vocabulary import vocabulary
from sorrel.model.errors import NOWHERE, InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.effects import effects
from sorrel.program.program import CONTRACT, Procedure, Program
from sorrel.program.statement import Kind
from sorrel.program.types import Boolean, Machine, Type
from sorrel.program.value import Value

_LOOPS = ("loop_invariant",)
_RESULT = re.compile(r"\s*\(?\s*\\result\s*==\s*\(?\s*(?P<value>-?\s*\d+)(?P<kind>[uUlL]*)\s*\)?\s*\)?\s*")
_INT = 32
"""Bits of `int`, in which smaller numbers are compared."""


@dataclass(frozen=True, slots=True)
class Said:
    """A condition, and the place that it is about: `function` for a contract, else a loop.

    `at_entry`: what a contract demands of callers.
    """

    place: Span
    text: str
    function: bool = False
    at_entry: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """The value that a call returned on the way to the error; whether it is written as an unsigned number."""

    place: Span
    value: int
    is_unsigned: bool = False

    def fitting(self, type: Type) -> Value | None:
        """The value of that type that C calls equal to the number; None if there is none."""
        match type:
            case Boolean():
                return bool(self.value) if self.value in (0, 1) else None
            case Machine(bits, signed) if not type.smallest <= self.value <= type.largest:
                # The other one is converted where both have the type's width, or a word of it holds the number.
                smallest = -(1 << (max(bits, _INT) - 1))
                negative = not signed and bits >= _INT and smallest <= self.value < 0
                unsigned = signed and bits >= _INT and self.is_unsigned and 0 <= self.value < 1 << bits
                return type.wrap(self.value) if negative or unsigned else None
            case _:
                return self.value


@dataclass(frozen=True, slots=True)
class Witness:
    """`ignored` are parts that are not looked at, by their kinds; `target` is where the property is violated."""

    is_violation: bool
    said: tuple[Said, ...] = ()
    inputs: tuple[Input, ...] = ()
    ignored: tuple[str, ...] = ()
    target: Span = NOWHERE


def read_witness(text: str, name: str) -> Witness:
    import yaml  # few runs read one

    try:
        entries = yaml.safe_load(text)
        found = [_entry(entry) for entry in entries]
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as problem:
        told = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise InputError(f"{name}: this is not a witness in format 2: {told}") from None
    if not found or len({each.is_violation for each in found}) > 1:
        raise InputError(f"{name}: a witness is about one verdict, and this has {'several' if found else 'none'}")
    if found[0].is_violation:
        if len(found) > 1:
            raise InputError(f"{name}: a witness with several violation sequences is not supported")
        return found[0]
    return Witness(
        False,
        said=tuple(said for each in found for said in each.said),
        ignored=tuple(dict.fromkeys(kind for each in found for kind in each.ignored)),
    )


def _entry(entry: Mapping[str, Any]) -> Witness:
    match entry["entry_type"]:
        case "invariant_set":
            return _correctness(entry["content"])
        case "violation_sequence":
            return _violation(entry["content"])
        case other:
            raise ValueError(f"entries of type {other} are not supported")


def _correctness(content: Sequence[Mapping[str, Any]]) -> Witness:
    said: list[Said] = []
    ignored: list[str] = []
    for item in content:
        if "invariant" in item and item["invariant"]["type"] in _LOOPS:
            said.append(Said(_place(item["invariant"]), str(item["invariant"]["value"])))
        elif "contract" in item:
            contract = item["contract"]
            place, demanded = _place(contract), str(contract.get("requires", "1")).strip()
            if demanded not in ("1", "(1)"):
                said.append(Said(place, demanded, function=True, at_entry=True))
            said.append(Said(place, str(contract.get("ensures", "1")), function=True))
        else:
            ignored.append(str(next(iter(item.values()))["type"]))
    return Witness(False, said=tuple(said), ignored=tuple(dict.fromkeys(ignored)))


def _violation(content: Sequence[Mapping[str, Any]]) -> Witness:
    inputs: list[Input] = []
    ignored: list[str] = []
    targets: list[Span] = []
    for segment in content:
        for point in (each["waypoint"] for each in segment["segment"]):
            value = _RESULT.fullmatch(str((point.get("constraint") or {}).get("value", "")))
            if point["action"] != "follow":
                ignored.append(f"{point['type']} to {point['action']}")
            elif point["type"] == "function_return" and value:
                number = int(value["value"].replace(" ", ""))
                inputs.append(Input(_place(point), number, "u" in value["kind"].lower()))
            elif point["type"] == "target":
                targets.append(_place(point))
            else:
                ignored.append(str(point["type"]))
    if len(targets) != 1:
        raise ValueError("a violation sequence has one target")
    return Witness(True, inputs=tuple(inputs), ignored=tuple(dict.fromkeys(ignored)), target=targets[0])


def _place(item: Mapping[str, Any]) -> Span:
    location = item["location"]
    return Span(str(location["file_name"]), int(location["line"]), int(location.get("column", 0)))


def claims(program: Program, witness: Witness) -> tuple[Claim, ...]:
    """What the witness says; an error if it speaks of a place that is none, or in words that mean nothing there.

    They count as calls of the error function: the program's own assertions are asked about only if the property is.
    """
    does = effects(program)
    found: list[Claim] = []
    for said in witness.said:
        places = list(_places(program, said))
        if not places:
            what = "function" if said.function else "loop"
            raise InputError("the witness speaks of a place where no " + what + " is", said.place)
        for procedure, label in places:
            known = vocabulary(program, procedure, label, does[procedure.name])
            if known is None:
                raise InputError("nothing can be said at the place that the witness names", said.place)
            held = meaning(said.text, Dialect.C, known.at_entry if said.at_entry else known, said.place)
            told = f"what the witness says does not hold: {said.text}"
            at = said.at_entry
            found.append(Claim(procedure.name, label, held, told, said.place, at_entry=at, kind=Kind.ERROR_CALL))
    return tuple(found)


def _places(program: Program, said: Said) -> Iterator[tuple[Procedure, str]]:
    """The function or the loop that is meant; a front end may have made several of it."""
    found: list[tuple[Span, Procedure, str]] = []
    for procedure in program.procedures:
        if said.function:
            found.append((procedure.span, procedure, CONTRACT))
        else:
            scopes = (procedure.scopes or {}).items()
            found += [(scope.span, procedure, label) for label, scope in scopes if label != CONTRACT]
    on_line = [each for each in found if is_on_line(each[0], said.place)]
    columns = sorted(span.column for span, _, _ in on_line)
    if said.function:  # its declaration begins before its name
        column = next((each for each in columns if each >= said.place.column), columns[-1] if columns else 0)
    else:
        column = said.place.column or (columns[0] if columns else 0)
    yield from ((procedure, label) for span, procedure, label in on_line if not span.column or span.column == column)


def is_on_line(span: Span, place: Span) -> bool:
    """Files are the same if their names are: witnesses are made in other folders."""
    return PurePath(span.file).name == PurePath(place.file).name and span.line == place.line


def end_of_call(lines: Sequence[str], span: Span, function: str) -> Span | None:
    """Where the closing parenthesis of the call that begins at the span stands; None if no such call is written there.

    That is where the format wants a returned value. Columns count bytes.
    """
    rest = "\n".join(lines[span.line - 1 : span.line + 20]).encode() if span.line else b""
    start = max(0, span.column - 1)
    call = re.compile(rb"%s\s*\(" % re.escape(function.encode())).match(rest, start) if function else None
    depth = 0
    for index in range(call.end() - 1, len(rest)) if call else ():
        depth += {b"(": 1, b")": -1}.get(rest[index : index + 1], 0)
        if depth == 0:
            line = span.line + rest.count(b"\n", 0, index)
            return Span(span.file, line, index - rest.rfind(b"\n", 0, index))
    return None
