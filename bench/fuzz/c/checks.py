"""What is asked of a generated program: a check over values that were seen, tight enough to be of interest.

Where all runs are known, a check can be made that fails in some of them or in none. What is true in the end is
decided by the compiled program with its check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bench.fuzz.c.judge import End, Run
from bench.fuzz.c.program import Draft
from sorrel.model.property import Property


@dataclass(frozen=True, slots=True)
class Check:
    """Lines for the end of main, declarations and functions that they need, and what they are made of."""

    lines: tuple[str, ...]
    extra: str = ""
    helpers: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    constructs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """The values that one watched expression has in the runs that reach the check."""

    text: str
    values: tuple[int, ...]

    @property
    def low(self) -> int:
        return min(self.values)

    @property
    def high(self) -> int:
        return max(self.values)


@dataclass(frozen=True, slots=True)
class Watched:
    """All of them that were seen in some run; `tag` is for names of file scope."""

    tag: str
    each: tuple[Seen, ...]

    def varied(self, chance: Random) -> Seen:
        """One that has several values, if there is one."""
        several = [each for each in self.each if len(set(each.values)) > 1]
        return chance.choice(several or self.each)


def observing(program: Draft) -> Check:
    """Shows the watched values to whoever runs the program."""
    return Check(tuple(f"observe({slot}, {each.text});" for slot, each in enumerate(program.watched)))


def watched(program: Draft, runs: Sequence[Run]) -> Watched:
    found: dict[int, list[int]] = {}
    for run in runs:
        for slot, value in run.seen:
            if slot < len(program.watched):
                found.setdefault(slot, []).append(value)
    return Watched(program.tag, tuple(Seen(program.watched[at].text, tuple(own)) for at, own in sorted(found.items())))


# Assertions


def _error(chance: Random, condition: str) -> Check:
    """reach_error where a condition holds, in one of the ways to say so."""
    form = chance.randrange(4)
    if form == 0:
        return Check((f"if (!({condition})) ; else reach_error();",))
    if form == 1:
        return Check((f"assert(!({condition}));",), headers=("assert.h",), constructs=("assert",))
    return Check((f"if ({condition}) reach_error();",))


def assertion(chance: Random, watched: Watched, violated: bool) -> Check:
    one = watched.varied(chance)
    values = sorted(set(one.values))
    if violated:
        value = chance.choice(values)
        forms = [f"{one.text} == {value}"]
        if len(values) > 1:
            forms += [f"{one.text} > {values[-2]}", f"{one.text} < {values[1]}"]
        return _error(chance, chance.choice(forms))
    missing = [number for number in range(one.low - 1, one.high + 2) if number not in values]
    forms = [f"{one.text} < {one.low}", f"{one.text} > {one.high}", f"{one.text} == {chance.choice(missing)}"]
    return _error(chance, chance.choice(forms))


# Undefined behaviour


def overflow(chance: Random, watched: Watched, violated: bool) -> Check:
    """Close to an end of int; from a variable, since gcc computes `2147483647 + (x > y)` without looking."""
    one = watched.varied(chance)
    if one.high <= 0:
        limit = -(2**31) - one.low - int(violated)
        near = f"int near = {max(limit, 1 - 2**31)}{' - 1' if limit < 1 - 2**31 else ''};"
        return Check((near, f"near += {one.text};"), constructs=("compound assignment",))
    limit = 2**31 - 1 - one.high + int(violated)
    form = chance.randrange(3)
    if form == 0:
        return Check((f"int near = {limit};", f"near += {one.text};"), constructs=("compound assignment",))
    if form == 1:
        return Check((f"int edge = {limit};", f"int near = edge + ({one.text});"))
    return Check((f"int edge = {-limit};", f"int near = edge - ({one.text});", f"near = near - {1 if limit else 0};"))


def division(chance: Random, watched: Watched, violated: bool) -> Check:
    one = watched.varied(chance)
    values = set(one.values)
    missing = [number for number in range(one.low - 1, one.high + 2) if number not in values]
    number = chance.choice(sorted(values) if violated else missing)
    operator = chance.choice("/%")
    return Check((f"int part = 100 {operator} ({one.text} - ({number}));",), constructs=("division",))


def access(chance: Random, watched: Watched, violated: bool) -> Check:
    """An element of an array that is long enough, or short of one."""
    one = min((watched.varied(chance) for _ in range(3)), key=lambda each: each.high - each.low)
    length = one.high - one.low + 1 - int(violated)
    shift = f"{one.text} - ({one.low})"
    if length < 1 or length > 400:
        length, shift = 2, f"({one.text} - ({one.low})) * {0 if not violated else 3} + {2 if violated else 1}"
    form = chance.randrange(4)
    if form == 0:
        return Check((f"int room[{length}] = {{ 0 }};", f"room[{shift}] = 1;"))
    if form == 1:
        return Check(
            (f"int room[{length}] = {{ 0 }};", f"int part = *(room + ({shift}));"), constructs=("pointer arithmetic",)
        )
    if form == 2:
        name = f"element_{watched.tag}"
        helper = f"static int {name}(int *a, int i) {{ return a[i]; }}"
        return Check((f"int room[{length}] = {{ 0 }};", f"int part = {name}(room, {shift});"), helpers=(helper,))
    return Check((f"struct {{ int room[{length}]; int next; }} held = {{ {{ 0 }}, 1 }};", f"held.room[{shift}] = 1;"))


# Termination


def ending(chance: Random, watched: Watched, violated: bool) -> Check:
    """A loop that stands still, or that walks to a place by steps that may miss it."""
    one = watched.varied(chance)
    values = set(one.values)
    missing = [number for number in range(one.low - 1, one.high + 2) if number not in values]
    number = chance.choice(sorted(values) if violated else missing)
    form = chance.randrange(3)
    if form == 0:
        return Check((f"while ({one.text} == {number}) ;",), constructs=("while",))
    if form == 1:
        return Check((f"int left = {one.text};", f"for (;;) {{ if (left != {number}) break; }}"), constructs=("for",))
    start = f"int left = {one.text}, goal = {chance.randint(one.low, one.high)};"
    step = 2 if violated else 1
    loop = f"while (left != goal) {{ if (left < goal) left += {step}; else left -= {step}; }}"
    return Check((start, loop), constructs=("while",))


# Several runs

FLOW = "extern void sorrel_low(long);\nextern void sorrel_assert_low(long);\n"


def flow(program: Draft, chance: Random, runs: Sequence[Run], violated: bool) -> Check | None:
    """All inputs but the last are low: what is compared depends on the last one, or on none."""
    secret = len(program.inputs) - 1
    if secret < 0:
        return None
    depending: list[str] = []
    others: list[str] = []
    for slot, each in enumerate(program.watched):
        (depending if _depends(runs, slot, secret) else others).append(each.text)
    chosen = depending if violated else others
    if not chosen:
        return None
    told = tuple(f"sorrel_low({each.name});" for each in program.inputs[:secret])
    return Check((*told, f"sorrel_assert_low({chance.choice(chosen)});"), extra=FLOW, constructs=("information flow",))


def _depends(runs: Sequence[Run], slot: int, secret: int) -> bool:
    known: dict[tuple[int, ...], list[int]] = {}
    for run in runs:
        if run.end is not End.RETURNED:
            continue
        values = [value for at, value in run.seen if at == slot]
        if known.setdefault(run.inputs[:secret], values) != values:
            return True
    return False


def leaks(runs: Sequence[Run]) -> bool:
    """Whether two runs with the same low values differ in what is compared."""
    known: dict[tuple[int, ...], list[int]] = {}
    for run in runs:
        low = tuple(value for at, value in run.seen if at == 100)
        compared = [value for at, value in run.seen if at == 101]
        if compared and known.setdefault(low, compared) != compared:
            return True
    return False


CHECKS: Mapping[Property, Callable[[Random, Watched, bool], Check]] = {
    Property.ASSERTIONS: assertion,
    Property.NO_OVERFLOW: overflow,
    Property.NO_DIVISION_BY_ZERO: division,
    Property.VALID_DEREF: access,
    Property.TERMINATION: ending,
}
VIOLATES: Mapping[Property, End] = {
    Property.ASSERTIONS: End.ERROR,
    Property.UNREACH_CALL: End.ERROR,
    Property.NO_OVERFLOW: End.OVERFLOW,
    Property.NO_DIVISION_BY_ZERO: End.DIVISION,
    Property.VALID_DEREF: End.BOUNDS,
    Property.TERMINATION: End.LATE,
}
