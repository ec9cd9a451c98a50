"""Loops without an end over a few small numbers: answers with guessed facts against all states that can be reached."""

from __future__ import annotations

from random import Random

import pytest

from asking import asked
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.program.text import read

MOST = 4
"""Numbers are smaller: x, y and the elements of an array of two."""
NAMES = ("x", "y", "a[0]", "a[1]")
State = tuple[int, int, int, int]


class _Loop:
    """Rounds that do one of three things by an input, each under a condition; what is asserted before each round."""

    def __init__(self, seed: int) -> None:
        chance = Random(seed)
        self.start: State = (chance.randrange(2), 0, 0, chance.randrange(2))
        self.ways = [
            ((chance.randrange(4), chance.choice("<="), chance.randrange(MOST)), self._changes(chance))
            for _ in range(3)
        ]
        self.claim = (chance.sample(range(4), 2), chance.choice("<<="), chance.randrange(2, 2 * MOST))

    def _changes(self, chance: Random) -> list[tuple[int, int, int]]:
        """Of a place: that plus a number, or what stands at another one."""
        return [
            (place, chance.choice((place, chance.randrange(4))), chance.choice((0, 1, 1, 3)))
            for place in chance.sample(range(4), 2)
        ]

    def next(self, state: State, way: int) -> State:
        (about, operator, number), changes = self.ways[way]
        if not (state[about] < number if operator == "<" else state[about] == number):
            return state
        after = list(state)
        for place, source, more in changes:
            after[place] = (after[source] + more) % MOST
        return (after[0], after[1], after[2], after[3])

    def fails(self, state: State) -> bool:
        (left, right), operator, number = self.claim
        total = state[left] + state[right]
        return not (total < number if operator == "<" else total != number)

    def is_safe(self) -> bool:
        reached, ahead = {self.start}, [self.start]
        while ahead:
            state = ahead.pop()
            for after in {self.next(state, way) for way in range(3)} - reached:
                reached.add(after)
                ahead.append(after)
        return not any(map(self.fails, reached))

    def text(self) -> str:
        lines = ["procedure main() {", "  local x: u8;", "  local y: u8;", "  local a: [u8];", "  local way: u8;"]
        lines += ["start:", *(_set(name, f"{value}u8") for name, value in zip(NAMES, self.start, strict=True))]
        (left, right), operator, number = self.claim
        claim = f"{NAMES[left]} + {NAMES[right]} {'<' if operator == '<' else '!='} {number}u8"
        lines += ["  goto head;", "head:", f"  assert {claim};", "  havoc way input;"]
        lines += ["  if way < 3u8 goto choose0 else out;"]
        for way, ((about, operator, number), changes) in enumerate(self.ways):
            lines += [f"choose{way}:", f"  if way == {way}u8 goto test{way} else choose{way + 1};", f"test{way}:"]
            lines += [f"  if {NAMES[about]} {'<' if operator == '<' else '=='} {number}u8 goto do{way} else head;"]
            lines += [f"do{way}:"]
            for place, source, more in changes:
                lines.append(_set(NAMES[place], f"({NAMES[source]} + {more}u8) % {MOST}u8"))
            lines.append("  goto head;")
        return "\n".join([*lines, "choose3:", "  goto head;", "out:", "  return;", "}", ""])


def _set(name: str, value: str) -> str:
    return f"  a = a[{name[2]} := {value}];" if "[" in name else f"  {name} = {value};"


@pytest.mark.parametrize("first", [0, pytest.param(12, marks=pytest.mark.long)])
def test_no_answer_contradicts_the_states_that_are_reached(first: int) -> None:
    loops = [_Loop(9401 + seed) for seed in range(first, first + (2 if not first else 60))]
    answers = [
        (loop.is_safe(), asked(read(loop.text(), "loop.sorrel"), Property.ASSERTIONS, seconds=4.0, engine="unrolling"))
        for loop in loops
    ]
    assert all(outcome.answer is not (Answer.UNSAFE if is_safe else Answer.SAFE) for is_safe, outcome in answers)
    assert any(outcome.answer is Answer.SAFE for _, outcome in answers)


def test_loops_of_both_kinds_are_asked_about() -> None:
    assert {_Loop(9401 + seed).is_safe() for seed in range(12)} == {True, False}
