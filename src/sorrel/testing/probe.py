"""Looking before thinking: a few concrete runs of a program, which find shallow errors and settle closed programs.

A run that violates the property is a counterexample like any other. A program that needs no value from outside has one
run only, whatever its variables hold before they are written; if that ends without an error, it has been checked by
executing it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from sorrel.evidence.only_run import MOST_STEPS, run_alone
from sorrel.evidence.run import MOST_RECORDED, recorded, smallest
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.program.checks import unwatched
from sorrel.program.exploration import find_violation
from sorrel.program.expression import Constant
from sorrel.program.interpreter import Prepared, run
from sorrel.program.liveness import is_determined
from sorrel.program.program import Program
from sorrel.program.rounding import converted, rounded
from sorrel.program.run import Exhausted, Finished, Run, Starved, Stopped, Violated
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.types import Array, Boolean, Float, Machine, Real, Type, Unbounded
from sorrel.program.value import ArrayValue, Value, zero

FIRST_STEPS = 20_000
MOST_RUNS, MOST_CONSTANTS = 200, 40


@dataclass(frozen=True, slots=True)
class Probe:
    """`violated` is a recorded run into an error; `only` is the whole behaviour of a program without inputs."""

    violated: Run | None = None
    only: Run | None = None


def probe(program: Program, seconds: float, *, most: int = MOST_STEPS) -> Probe:
    """Run the program with values that often make trouble, for a while; for so many steps if it asks for none."""
    deadline = METER.now() + seconds
    alone = run_alone(program, most)
    if isinstance(alone.end, Finished | Stopped):
        return Probe(only=alone)
    if isinstance(alone.end, Exhausted):
        return Probe()  # another run would be the same
    if isinstance(alone.end, Violated) and is_determined(program):
        return Probe(violated=alone if alone.steps > MOST_RECORDED else recorded(program, (), MOST_STEPS))
    closed = not isinstance(alone.end, Starved)
    prepared: Prepared = {}
    for choose in choosers(constants_of(program)):
        tried = run(program, choose, steps=most if closed else FIRST_STEPS, prepared=prepared)
        if isinstance(tried.end, Violated):
            return Probe(violated=smallest(program, [used.value for used in tried.used], MOST_STEPS))
        if closed or METER.now() > deadline:
            break
    return Probe()


def prints_what_is_there(program: Program) -> bool:
    """Whether the only run of a program without inputs ends, and all that it prints is modelled and there."""
    alone = run_alone(unwatched(program))
    return isinstance(alone.end, Finished | Stopped) and not any(text.unknown for text in alone.written.values())


def explored_violation(program: Program, clock: Clock) -> Run | None:
    """A recorded run into an error, by following runs from state to state; None if none was found in time."""
    choices = find_violation(program, constants_of(program), lambda: not clock.expired())
    if choices is None:
        return None
    found = smallest(program, choices, MOST_STEPS)
    return found if isinstance(found.end, Violated) else None


def constants_of(program: Program) -> list[int]:
    """Numbers that the program mentions: what it compares its inputs with is often among them."""
    blocks = (block for procedure in program.procedures for block in procedure.blocks)
    parts = (expression for block in blocks for step in steps(block) for expression in expressions(step))
    nodes = (node for expression in parts for node in subexpressions(expression))
    values = (n.value for n in nodes if isinstance(n, Constant))
    found = {int(value): None for value in values if isinstance(value, int) or value.denominator == 1}
    return list(found)[:MOST_CONSTANTS]


def choosers(constants: Sequence[int], most: int = MOST_RUNS, seed: int = 0) -> Iterator[Callable[[Type], Value]]:
    """Nothing but zeros, nothing but ones or another constant, small numbers, and now and then the ends of a type."""
    yield zero
    for constant in dict.fromkeys((1, *constants)):
        yield _constantly(constant)
    chance = random.Random(seed)
    near = [0, 1, 2, 3, -1, *(c + d for c in constants for d in (-1, 0, 1))]
    for number in range(most):
        yield _at_random(chance, near, extreme=number % 3 == 2)


def _constantly(number: int) -> Callable[[Type], Value]:
    return lambda type: fitting(type, number)


def _at_random(chance: random.Random, near: Sequence[int], *, extreme: bool) -> Callable[[Type], Value]:
    def choose(type: Type) -> Value:
        match type:
            case Machine() if extreme and chance.random() < 0.7:
                return chance.choice((type.largest, type.largest - 1, type.smallest, type.smallest + 1))
            case Float() if chance.random() < 0.7:
                return _fraction(chance, type, chance.choice(near), extreme=extreme)
            case _:
                far = chance.randint(-20, 20) if chance.random() < 0.5 else chance.randint(0, 1000)
                return fitting(type, chance.choice(near) if chance.random() < 0.6 else far)

    return choose


def _fraction(chance: random.Random, type: Float, number: int, *, extreme: bool) -> float:
    """What rounding makes trouble with: next to a number, parts of it, and the ends of the type, or what is none."""
    least, largest = math.ldexp(1.0, type.smallest_exponent), float(type.largest)
    if extreme:
        return chance.choice((math.nan, math.inf, -math.inf, least, -least, largest, -largest, -0.0))
    unit = math.ldexp(1.0, 1 - type.precision) * max(1.0, abs(number))
    exact = chance.choice((number + unit, number - unit, number / 10, number / 2, number * chance.random(), least))
    return rounded(exact, type)


def fitting(type: Type, number: int) -> Value:
    match type:
        case Boolean():
            return bool(number % 2)
        case Machine():
            return number if type.contains(number) else type.wrap(number)
        case Unbounded():
            return number
        case Real():
            return Fraction(number)
        case Float():
            return converted(number, type)
        case Array(element):
            return ArrayValue(fitting(element, number))
