"""Witnesses of other verifiers (SV-COMP, formats 2.0 and 2.1): what they say of a program, put where they say it.

A correctness witness becomes claims, which are assertions in the program: it is accepted if the program with them is
safe. A violation witness becomes the values that inputs have on the way to the error.
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
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.effects import effects
from sorrel.program.program import CONTRACT, Procedure, Program
from sorrel.program.statement import Kind

_LOOPS = ("loop_invariant",)
_RESULT = re.compile(r"\s*\(?\s*\\result\s*==\s*\(?\s*(?P<value>-?\s*\d+)(?:[uUlL]*)\s*\)?\s*\)?\s*")


@dataclass(frozen=True, slots=True)
class Said:
    """A condition, and the place that it is about: `function` for a contract, else a loop."""

    place: Span
    text: str
    function: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """The value that a call returned on the way to the error."""

    place: Span
    value: int


@dataclass(frozen=True, slots=True)
class Witness:
    """`ignored` are parts that are not looked at, by their kinds: for a violation they only narrow the way."""

    is_violation: bool
    said: tuple[Said, ...] = ()
    inputs: tuple[Input, ...] = ()
    ignored: tuple[str, ...] = ()


def read_witness(text: str, name: str) -> Witness:
    import yaml  # few runs read one

    try:
        entries = yaml.safe_load(text)
        found = [_entry(entry) for entry in entries]
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as problem:
        told = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise InputError(f"{name}: this is no witness of format 2: {told}") from None
    if not found or len({each.is_violation for each in found}) > 1:
        raise InputError(f"{name}: a witness is about one verdict, and this has {'several' if found else 'none'}")
    return Witness(
        found[0].is_violation,
        tuple(said for each in found for said in each.said),
        tuple(value for each in found for value in each.inputs),
        tuple(dict.fromkeys(kind for each in found for kind in each.ignored)),
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
        elif "contract" in item and str(item["contract"].get("requires", "1")).strip() in ("1", "(1)"):
            said.append(Said(_place(item["contract"]), str(item["contract"]["ensures"]), function=True))
        else:
            ignored.append(str(next(iter(item.values()))["type"]))
    return Witness(False, said=tuple(said), ignored=tuple(ignored))


def _violation(content: Sequence[Mapping[str, Any]]) -> Witness:
    inputs: list[Input] = []
    ignored: list[str] = []
    for segment in content:
        for point in (each["waypoint"] for each in segment["segment"]):
            value = _RESULT.fullmatch(str(point.get("constraint", {}).get("value", "")))
            if point["type"] == "function_return" and point["action"] == "follow" and value:
                inputs.append(Input(_place(point), int(value["value"].replace(" ", ""))))
            elif point["type"] != "target":
                ignored.append(str(point["type"]))
    return Witness(True, inputs=tuple(inputs), ignored=tuple(ignored))


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
            held = meaning(said.text, Dialect.C, known, said.place)
            told = f"what the witness says does not hold: {said.text}"
            found.append(Claim(procedure.name, label, held, told, said.place, kind=Kind.ERROR_CALL))
    return tuple(found)


def _places(program: Program, said: Said) -> Iterator[tuple[Procedure, str]]:
    for procedure in program.procedures:
        if said.function and is_at(procedure.span, said.place, any_column=True):
            yield procedure, CONTRACT
        for label, scope in ({} if said.function else procedure.scopes or {}).items():
            if label != CONTRACT and is_at(scope.span, said.place):
                yield procedure, label


def is_at(span: Span, place: Span, *, any_column: bool = False) -> bool:
    """Files are the same if their names are: witnesses are made in other folders."""
    same = PurePath(span.file).name == PurePath(place.file).name and span.line == place.line
    return same and (any_column or not place.column or not span.column or span.column == place.column)
