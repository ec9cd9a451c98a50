"""Which of many true facts make a good contract: few, and together excluding most of what does not happen.

Facts compete on tuples of values: derivable points with other outputs, and arbitrary ones. The fact that excludes most
of what the chosen ones let through is chosen next (greedy set cover). What is left out is still true, only not told;
facts about inputs alone, which say for which of them a function returns, are never told.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from sorrel.guess.facts import Subject
from sorrel.guess.points import Number, Point
from sorrel.guess.templates import Guess
from sorrel.logic import terms

MOST_FACTS = 3
WORTH = 0.01
"""A fact that excludes a smaller part of the tuples than this is not worth subject."""
_TUPLES = 600


def select(subject: Subject, facts: Sequence[Guess], most: int = MOST_FACTS) -> list[Guess]:
    """At most so many facts, the most telling first; simpler ones win where they exclude as much."""
    facts = [fact for fact in facts if not subject.outputs.isdisjoint(fact.about)]
    tuples = _tuples(subject)
    excluded = {id(fact): {i for i, t in enumerate(tuples) if not fact.holds(t)} for fact in facts}
    open_ = set(range(len(tuples)))
    chosen: list[Guess] = []
    while len(chosen) < most and facts:
        best = max(facts, key=lambda fact: (len(excluded[id(fact)] & open_), -len(fact.text)))
        gain = excluded[id(best)] & open_
        if len(gain) < WORTH * len(tuples):
            break
        chosen.append(best)
        open_ -= gain
    return chosen


def _tuples(subject: Subject) -> list[Point]:
    """Deterministic: the same facts give the same contract."""
    chance = random.Random(0)
    formals = subject.predicate.formals
    reach = 2 + 2 * max((abs(c) for c in subject.words.constants), default=1)
    outputs = sorted(subject.outputs)
    found: list[Point] = []
    for index in range(_TUPLES):
        if subject.points and index % 2:
            point = list(subject.points[chance.randrange(len(subject.points))])
            for position in outputs:
                point[position] = _near(point[position], chance)
        else:
            point = [_anything(formal, reach, chance) for formal in formals]
        found.append(tuple(point))
    return found


def _near(number: Number | None, chance: random.Random) -> Number | None:
    if isinstance(number, bool):
        return not number
    return None if number is None else number + chance.choice((-1, 1)) * chance.choice((1, 2, 3, 5, 10, 100))


def _anything(formal: terms.Term, reach: int, chance: random.Random) -> Number | None:
    if terms.is_boolean(formal):
        return chance.random() < 0.5
    return chance.randint(-reach, reach) if terms.is_arithmetic(formal) else None
