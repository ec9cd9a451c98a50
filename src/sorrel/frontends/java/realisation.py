"""Runs of real strings: a violation that a solver made up is repeated with strings that exist.

To a solver, strings are numbers, and what is asked about them are functions. Here each of these numbers gets a text,
and the program is run again with what the methods return for the texts. If the property is violated all the same, the
run is one of a machine; else other texts are tried. A run that asks for what is not modelled is none.
"""

from __future__ import annotations

import json
import random
import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sorrel.frontends.java.context import OPEN
from sorrel.frontends.java.strings import (
    CONTENT,
    DISTANCE,
    FOLDED,
    FOLDED_DISTANCE,
    OF_NUMBER,
    STRING_CLASS,
    units,
)
from sorrel.frontends.java.texts import DERIVED, EXACT, difference, folded
from sorrel.model.outcome import FunctionValue
from sorrel.model.values import dataclass
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Application, Functions, Run, Violated
from sorrel.program.types import Type
from sorrel.program.value import Value, zero

SECONDS, MOST_TRIES, MOST_ROUNDS = 3.0, 400, 6
SHOWN = 40
"""Characters of a text that are shown."""
MOST_STEPS = 500_000
"""Steps of a run that is tried: with other strings it may go on for ever."""
LONGEST = 200_000
"""Characters of a text that is tried."""
_PREFIX = f"{STRING_CLASS}."
_POOL = ("", "A", "AA", "AB", "Aa", "B", "Ba", "a", "aA", "aB", "aa", "ab", "b", "bA", "ba", "c", "z", "~")
_LETTERS = "abcdefghjklmnopqrstuvwxyz"
_JAVA, _BOXED, _HELD = "java.lang.", ".valueOf", ".value"
Texts = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Realised:
    """A run of real strings, the values of all functions, and the texts by their numbers."""

    run: Run
    functions: Functions
    texts: Texts

    def doubt(self, runs: Sequence[Run]) -> str:
        """What runs with these functions asked for that has no value here, in words; nothing if all is known."""
        missing = next(filter(None, (not_modelled(each.functions) for each in runs)), "")
        if isinstance(self.functions, _Library):
            missing = missing or self.functions.missing
            is_settled = self.functions.known <= set(self.texts.values())
            return missing if is_settled else missing or "the runs make other strings when they are repeated"
        return missing

    def told(self, values: Sequence[FunctionValue]) -> tuple[FunctionValue, ...]:
        """Strings by their texts, from which follows what their methods return."""
        return tuple(self._told(each) for each in values if _is_state(each.function))

    def _told(self, value: FunctionValue) -> FunctionValue:
        if value.function not in (CONTENT, OF_NUMBER):
            return value
        text = self.texts[int(value.value)]
        shown = json.dumps(text) if len(text) <= SHOWN else f"{json.dumps(text[:SHOWN])}… ({len(text)} characters)"
        return replace(value, value=shown)


def realised(program: Program, found: Run, most: int) -> Realised | str:
    """The run with strings that exist, if it violates the property with them; else why it is none of a machine."""
    if not _is_about_strings(found):
        missing = not_modelled(found.functions)
        return missing or Realised(found, found.functions, {})
    deadline = time.monotonic() + SECONDS
    reasons: dict[str, None] = {}
    for texts in _candidates(found):
        tried = _tried(program, found, texts, most)
        if isinstance(tried, Realised):
            return tried
        reasons[tried] = None
        if time.monotonic() > deadline:
            break
    named = next((reason for reason in reasons if reason), "")
    return named or f"no strings were found that {_methods(found)} has these values for"


def not_modelled(functions: Functions) -> str:
    """What a run asked for that is not modelled, in words; nothing if there is none."""
    for name, _, _ in functions:
        if name.startswith(OPEN):
            return f"the run depends on {name[len(OPEN) :]}, which is not modelled"
    return ""


def _is_about_strings(found: Run) -> bool:
    return any(name.startswith((_PREFIX, '"')) for name, _, _ in found.functions)


def _methods(found: Run) -> str:
    names = (name.removeprefix(_PREFIX) for name, _, _ in found.functions if name.startswith(_PREFIX))
    return ", ".join(dict.fromkeys(f"String.{name.partition('(')[0]}" for name in names if name not in _STATE))


_STATE = ("content", "ofNumber")


def _is_state(function: str) -> bool:
    return not function.startswith((_PREFIX, '"')) or function.removeprefix(_PREFIX) in _STATE


def _tried(program: Program, found: Run, texts: Texts, most: int) -> Realised | str:
    """The run with these texts; else why it is none, if that can be said."""
    own = [used.value for used in found.used if used.arguments is None]
    made = with_texts(program, own, found.functions, texts, min(most, MOST_STEPS))
    if made is None or not isinstance(made.run.end, Violated):
        return ""
    return made.doubt([made.run]) or made


def with_texts(
    program: Program, choices: Sequence[Value], functions: Functions, texts: Texts, most: int
) -> Realised | None:
    """A run in which strings are the texts of their numbers, and their methods return what they do in Java.

    The texts that come up in it get their places in the order, until there are no more; None if there always are.
    """
    literals = _literals(functions)
    known, folds = set(texts.values()) | set(literals.values()), set[str]()
    for _ in range(MOST_ROUNDS):
        library = _Library(functions, texts, literals, sorted(known), sorted(folds))
        result = run(program, choices, steps=most, functions=library)
        if library.known <= known and library.folds <= folds:
            return Realised(result, library, dict(enumerate(sorted(known))))
        known |= library.known
        folds |= library.folds
    return None


class _Library(Mapping[Application, Value]):
    """The values of all functions: those of strings as they are, all others as they were found."""

    def __init__(
        self,
        given: Functions,
        texts: Texts,
        literals: Mapping[int, str],
        known: Sequence[str],
        folds: Sequence[str],
    ) -> None:
        self._given = given
        self._texts = texts
        self._objects = dict(literals)
        self._order, self._folded_order = list(known), list(folds)
        numbers = [abs(v) for v in (*given.values(), *(a for _, own, _ in given for a in own)) if isinstance(v, int)]
        self._free = max(numbers, default=0) + 1
        self._held: dict[tuple[str, int], Value] = {}
        self.known: set[str] = set()
        self.folds: set[str] = set()
        self.missing = ""

    def __contains__(self, application: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Application]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, application: Application) -> Value:
        name, arguments, type = application
        if name == CONTENT and arguments[0] in self._objects:
            return self._place(self._objects[_whole(arguments[0])])
        if name in (CONTENT, OF_NUMBER):
            return self._place(self._texts.get(_whole(self._value(application)), ""))
        if name == FOLDED:
            return self._fold(self._text(arguments[0]))
        if name in (DISTANCE, FOLDED_DISTANCE):
            order = self._order if name == DISTANCE else self._folded_order
            low, high = (_at(order, each) for each in arguments)
            return abs(difference(low, high))
        if name.startswith(_PREFIX):
            return self._method(name.removeprefix(_PREFIX), arguments, type)
        if name.startswith('"'):
            return self._object(_text_of(name))
        if name.startswith(_JAVA) and name.endswith((_BOXED, _HELD)):
            return self._box(application)
        return self._value(application)

    def _box(self, application: Application) -> Value:
        """An object that was made for a value holds that value."""
        name, (given,), _ = application
        if name.endswith(_HELD):
            return self._held.get((name, _whole(given)), self._value(application))
        held = f"{name.removesuffix(_BOXED)}{_HELD}"
        for (box, number), value in self._held.items():
            if (box, value) == (held, given):
                return number
        self._free += 1
        self._held[held, self._free] = given
        return self._free

    def _value(self, application: Application) -> Value:
        return self._given[application] if application in self._given else zero(application[2])

    def _place(self, text: str) -> int:
        self.known.add(text)
        return bisect_left(self._order, text)

    def _fold(self, text: str) -> int:
        found = folded(text)
        if found is None:
            self.missing = "the run depends on the case of letters that are not modelled"
            return 0
        self.folds.add(found)
        return bisect_left(self._folded_order, found)

    def _text(self, place: Value) -> str:
        return _at(self._order, place)

    def _object(self, text: str) -> int:
        """The object of a literal, or one that a method made."""
        for number, known in self._objects.items():
            if known == text:
                return number
        self._free += 1
        self._objects[self._free] = text
        return self._free

    def _method(self, name: str, arguments: tuple[Value, ...], type: Type) -> Value:
        kinds = ["String", *name.partition("(")[2].rstrip(")").split(",")]
        given = [self._text(each) if at == 0 or kinds[at] == "String" else each for at, each in enumerate(arguments)]
        if name in DERIVED:
            text = DERIVED[name](*given)
            if text is not None and len(text) <= LONGEST:
                return self._object(text)
        elif name in EXACT:
            value: Value | None = EXACT[name](*given)
            if value is not None:
                return value
        self.missing = f"the run depends on String.{name.partition('(')[0]}, which is not modelled"
        return zero(type)


def _whole(value: Value) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value} is not the number of a string")
    return value


def _at(order: Sequence[str], place: Value) -> str:
    number = _whole(place)
    return order[number] if 0 <= number < len(order) else ""


def _text_of(literal: str) -> str:
    return "".join(map(chr, units(literal[1:-1])))


def _literals(functions: Functions) -> dict[int, str]:
    """The objects of literals."""
    return {_whole(value): _text_of(name) for (name, _, _), value in functions.items() if name.startswith('"')}


# Texts that may do


def _candidates(found: Run) -> Iterator[Texts]:
    """Texts for the numbers of strings: as the solver's functions want them, else short ones, in the same order."""
    numbers = sorted({_whole(v) for (name, _, _), v in found.functions.items() if name in (CONTENT, OF_NUMBER)})
    fixed = {
        _whole(found.functions[application]): text
        for number, text in _literals(found.functions).items()
        if (application := _content_of(found, number)) is not None
    }
    yield from (_kept(fixed, made) for made in _by_folds(found))
    yield from (_kept(fixed, made) for made in _by_characters(found, numbers))
    yield from (_kept(fixed, made) for made in _by_distances(found, numbers))
    choose = random.Random(len(numbers))
    pool = sorted({*_POOL, *(variant for text in fixed.values() for variant in _variants(text))})
    for attempt in range(MOST_TRIES):
        size = min(len(numbers), len(pool))
        chosen = sorted(choose.sample(pool, size)) if attempt % 4 else [choose.choice(pool) for _ in range(size)]
        yield _kept(fixed, dict(zip(numbers, chosen, strict=False)))


def _content_of(found: Run, number: int) -> Application | None:
    return next((each for each in found.functions if each[0] == CONTENT and each[1] == (number,)), None)


def _kept(fixed: Texts, made: Texts) -> Texts:
    return {**made, **fixed}


def _variants(text: str) -> Iterator[str]:
    yield from (text, text.lower(), text.upper(), text[:-1], f"{text}a")


def _by_folds(found: Run) -> Iterator[Texts]:
    """Texts that are in the order that was asked for when case does not matter; those that are equal then differ."""
    folds = {_whole(a[0]): _whole(value) for (name, a, _), value in found.functions.items() if name == FOLDED}
    places = {fold: place for place, fold in enumerate(sorted(set(folds.values())))}
    if not folds or len(places) > len(_LETTERS):
        return
    for cases in (range(8), [7] * 8, range(7, -1, -1)):
        made, used = {}, dict.fromkeys(places, 0)
        for number in sorted(folds):
            fold = folds[number]
            pattern = cases[used[fold] % len(cases)]
            used[fold] += 1
            letter = _LETTERS[places[fold]]
            made[number] = "".join(letter if pattern >> bit & 1 else letter.upper() for bit in (2, 1, 0))
        yield made
    for step in (1, LONGEST // max(len(places), 1)):
        yield {number: "a" * (step * places[fold]) for number, fold in folds.items()}


def _by_characters(found: Run, numbers: Sequence[int]) -> Iterator[Texts]:
    """Texts of the lengths and characters that were asked for."""
    lengths: dict[int, int] = {}
    characters: dict[int, dict[int, str]] = {}
    for (name, arguments, _), value in found.functions.items():
        if name == f"{_PREFIX}length":
            lengths[_whole(arguments[0])] = _whole(value)
        elif name == f"{_PREFIX}charAt":
            characters.setdefault(_whole(arguments[0]), {})[_whole(arguments[1])] = chr(_whole(value))
    if not lengths or max(lengths.values()) > LONGEST:
        return
    for filling in ("a", "b", "\0", "A"):
        made = {}
        for number in numbers:
            own = [filling] * lengths.get(number, 1)
            for index, character in characters.get(number, {}).items():
                if 0 <= index < len(own):
                    own[index] = character
            made[number] = "".join(own)
        yield made


def _by_distances(found: Run, numbers: Sequence[int]) -> Iterator[Texts]:
    """Texts that are so far apart as was asked for: of other lengths, or of other characters."""
    apart = {
        (_whole(arguments[0]), _whole(arguments[1])): _whole(value)
        for (name, arguments, _), value in found.functions.items()
        if name in (DISTANCE, FOLDED_DISTANCE)
    }
    for least in (1, 0x20, 0x100):
        places = [0]
        for low, high in pairwise(numbers):
            places.append(places[-1] + max(apart.get((low, high), least), 1))
        if places[-1] < 1 << 16:
            yield {number: chr(place) for number, place in zip(numbers, places, strict=False)}
            yield {number: "b" + chr(place) for number, place in zip(numbers, places, strict=False)}
        if places[-1] <= LONGEST:
            yield {number: "a" * place for number, place in zip(numbers, places, strict=False)}
    for (low, high), distance in apart.items():
        if distance <= LONGEST:
            yield {low: "", high: "a" * distance}
