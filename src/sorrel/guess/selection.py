"""Which of many true facts make a good contract: few, simple, and together excluding most of what does not happen.

Facts compete on tuples of values: derivable points with other outputs, and arbitrary ones. What is left out is still
true, only not told; facts about inputs alone, which say for which of them a function returns, are never told.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from sorrel.guess.atoms import Guess
from sorrel.guess.facts import Sampled
from sorrel.guess.points import Number, Point
from sorrel.logic import terms

MOST_FACTS = 3
MOST_COMPARED = 40
_TUPLES = 800
_LEAST_REACH = 12
"""Arbitrary numbers go so far at least: among smaller ones, a fact about one value would seem to say much."""
_PLAIN, _CONDITIONAL_EQUATION, _CONDITIONAL = 0.01, 0.02, 0.1
"""The part of the tuples that a fact must exclude to be worth reading."""


def select(subject: Sampled, facts: Sequence[Guess], most: int = MOST_FACTS) -> list[Guess]:
    """The facts, at most so many, that exclude most tuples for what it costs to read them."""
    tuples, outputs = _tuples(subject), subject.outputs
    told = [fact for fact in facts if not outputs.isdisjoint(fact.about)]
    excluded = {fact.text: sum(1 << i for i, t in enumerate(tuples) if not fact.holds(t)) for fact in told}

    weighed = [(fact, excluded[fact.text], _cost(fact)) for fact in told]

    def worth(chosen: Sequence[tuple[Guess, int, float]]) -> float:
        together, costs = 0, 0.0
        for _, out, cost in chosen:
            together |= out
            costs += cost
        return together.bit_count() / len(tuples) - costs

    weighed.sort(key=lambda one: worth([one]), reverse=True)
    sets = (chosen for size in range(1, most + 1) for chosen in combinations(weighed[:MOST_COMPARED], size))
    best = max(sets, key=worth, default=())
    return [fact for fact, _, _ in best] if best and worth(best) > 0 else []


def select_plain(subject: Sampled, facts: Sequence[Guess]) -> list[Guess]:
    """As `select`, but facts under conditions only where they are all that is told, as the cases of a function are."""
    chosen = select(subject, facts)
    if all(_is_conditional(fact) for fact in chosen):
        return chosen
    return select(subject, [fact for fact in facts if not _is_conditional(fact)])


def _is_conditional(fact: Guess) -> bool:
    return " => " in fact.text


def _cost(fact: Guess) -> float:
    """Longer ones cost a little more, so that of two that say the same the simpler one is told."""
    if not _is_conditional(fact):
        return _PLAIN + len(fact.text) * 1e-5
    equation = "==" in fact.text.split(" => ")[1] or " " not in fact.text.split(" => ")[1]
    return (_CONDITIONAL_EQUATION if equation else _CONDITIONAL) + len(fact.text) * 1e-5


def _tuples(subject: Sampled) -> list[Point]:
    """Deterministic: the same facts give the same contract."""
    chance = random.Random(0)
    outputs = sorted(subject.outputs)
    formals = [(formal, i in outputs) for i, formal in enumerate(subject.predicate.formals)]
    reach = max(_LEAST_REACH, 2 + 2 * max((abs(c) for c in subject.words.constants), default=1))
    found: list[Point] = []
    for index in range(_TUPLES):
        if subject.points and index % 2:
            point = list(subject.points[chance.randrange(len(subject.points))])
            # One output at a time, so that a fact about one leaves something to say of the others.
            for position in outputs if index % 4 == 1 or not outputs else [chance.choice(outputs)]:
                point[position] = _near(point[position], chance)
        else:
            point = [_anything(formal, is_output, reach, chance) for formal, is_output in formals]
        found.append(tuple(point))
    return found


def _near(number: Number | None, chance: random.Random) -> Number | None:
    if isinstance(number, bool):
        return not number
    return None if number is None else number + chance.choice((-1, 1)) * chance.choice((1, 2, 3, 5, 10, 100))


def _anything(formal: terms.Term, output: bool, reach: int, chance: random.Random) -> Number | None:
    """Contracts are mostly read for inputs that are not negative."""
    if terms.is_boolean(formal):
        return chance.random() < 0.5
    if not terms.is_arithmetic(formal):
        return None
    return chance.randint(-reach if output or chance.random() < 0.2 else 0, reach)
