"""Facts about a loop that is not written out: guessed from runs, and those kept that every round keeps (Houdini:
Flanagan and Leino, FME 2001), where a round is followed for all states at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from operator import ge, le

from sorrel.encode.unrolling import Ending
from sorrel.evidence.following import Following, asked, some
from sorrel.logic.graph_model import Model
from sorrel.model.budget import Clock
from sorrel.program.cutting import Cut, Fact, cut_at
from sorrel.program.expression import Binary, Constant, Expression, Operator, Select, Variable
from sorrel.program.liveness import live_variables
from sorrel.program.program import Program
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Machine, Type, Unbounded
from sorrel.program.value import ArrayValue
from sorrel.smt.word_solver import WordSolver
from sorrel.testing.loop_states import LoopState, loop_states

NEAREST = 3
"""So many numbers next to those seen are guessed to be bounds, on either side."""
MOST_PAIRS, MOST_ELEMENTS = 150, 256
QUESTION_SECONDS, EACH_SECONDS = 6.0, 0.5
ROUND_SHARE = 0.5


def kept_facts(program: Program, label: str, beside: tuple[Cut, ...], clock: Clock, seed: int) -> Cut | None:
    """The loop with facts that every round keeps; None if there was no time to find them. `beside` are other loops."""
    cut = cut_at(program, label)
    if cut is None:
        return None
    numbers = _numbers(program)
    states = loop_states(program, label, numbers, seed)
    facts = tuple(_guessed(program, cut, states, numbers)) if states else ()
    while not clock.expired():
        search = Following(clock.share(ROUND_SHARE), looking=False)
        others = {each.label: each for each in beside}
        if not search.follow(program, False, {**others, label: Cut(label, cut.changed, facts)}):
            return None
        lost = _lost(search, clock)
        if not lost:
            return Cut(label, cut.changed, facts)
        facts = tuple(fact for fact in facts if fact not in lost)
    return None


def _lost(search: Following, clock: Clock) -> list[Fact]:
    """Facts that some round does not keep, or of which that is not known in time."""
    left, lost = list(search.runs.broken), list[Fact]()

    def drop(model: Model) -> None:
        nonlocal left
        lost.extend(fact for fact, ending in left if model.holds(ending.guard))
        left = [(fact, ending) for fact, ending in left if fact not in lost]

    for model in search.models:
        drop(model)
    solver = WordSolver()
    while left:
        found = asked(solver, [some(search.runs.graph, [ending for _, ending in left])], clock, QUESTION_SECONDS)
        if found is False:
            return lost
        if found is None:
            return lost + _unclear(search, left, clock)
        known = solver.model()
        before = len(left)
        drop(Model(lambda node, known=known: known[node] if node in known else max(0, node.low)))  # type: ignore[misc]
        if len(left) == before:
            return lost + [fact for fact, _ in left]
    return lost


def _unclear(search: Following, left: list[tuple[Fact, Ending]], clock: Clock) -> list[Fact]:
    """One by one, and those that are not clear soon are given up."""
    solver = WordSolver()
    return [fact for fact, each in left if asked(solver, [each.guard], clock, EACH_SECONDS) is not False]


# Guesses


def _numbers(program: Program) -> tuple[int, ...]:
    """Those that the program speaks of, and their neighbours."""
    found = {0, 1, -1}
    for procedure in program.procedures:
        for block in procedure.blocks:
            for step in steps(block):
                for whole in expressions(step):
                    for each in subexpressions(whole):
                        if isinstance(each, Constant) and isinstance(each.value, int):
                            found |= {int(each.value) - 1, int(each.value), int(each.value) + 1}
    return tuple(sorted(found))


def _guessed(program: Program, cut: Cut, states: list[LoopState], numbers: tuple[int, ...]) -> Iterator[Fact]:
    """What all states that were seen have in common."""
    main = program.procedure[program.main]
    live = {variable.name for variable in live_variables(main)[cut.label]}
    own = {variable.name for variable in main.variables}
    changed = [each for each in cut.changed if each.name in live or each.name not in own]
    integers = [each for each in changed if isinstance(each.type, Machine | Unbounded)]
    for variable in integers:
        yield from _between(variable, [state[variable.name] for state in states], numbers)  # type: ignore[misc]
    for variable in changed:
        if isinstance(variable.type, Array) and isinstance(variable.type.element, Machine | Unbounded):
            yield from _elements(variable, variable.type.element, states, numbers, integers)
    others = [each for each in main.variables if each.name in live and each not in changed]
    pairs = combinations([*integers, *(each for each in others if isinstance(each.type, Machine))], 2)
    alike = [(x, y) for x, y in pairs if x.type == y.type and (x in integers or y in integers)]
    for left, right in alike[:MOST_PAIRS]:
        yield from _compared(left, right, states)


def _between(term: Expression, seen: list[int], numbers: tuple[int, ...]) -> Iterator[Fact]:
    for operator, number in _bounds(term.type, seen, numbers, NEAREST):
        yield (_comparison(operator, term, number),)


def _bounds(type: Type, seen: list[int], numbers: tuple[int, ...], most: int) -> Iterator[tuple[Operator, int]]:
    """The nearest numbers around what was seen that say more than the type does."""
    inside = [each for each in numbers if not isinstance(type, Machine) or type.smallest < each < type.largest]
    for number in [each for each in inside if each <= min(seen)][-most:]:
        yield Operator.AT_LEAST, number
    for number in [each for each in inside if each >= max(seen)][:most]:
        yield Operator.AT_MOST, number


def _elements(
    array: Variable, type: Type, states: list[LoopState], numbers: tuple[int, ...], beside: list[Variable]
) -> Iterator[Fact]:
    """Bounds of the first elements, as many as some number of the program says: numbers, and variables beside."""
    seen = [(state, value) for state in states if isinstance(value := state[array.name], ArrayValue)]
    last = max((max(value.entries, default=-1) for _, value in seen), default=-1)
    for size in [each for each in numbers if max(last, 0) < each <= MOST_ELEMENTS][:2]:
        values = [int(value[index]) for _, value in seen for index in range(size)]  # type: ignore[arg-type]
        parts = [Select(array, Constant(index, UNBOUNDED), type) for index in range(size)]
        for operator, number in _bounds(type, values, numbers, NEAREST - 1):
            yield tuple(_comparison(operator, part, number) for part in parts)
        for variable in beside:
            if variable.type != type:
                continue
            scalars = [(value, int(state[variable.name])) for state, value in seen]  # type: ignore[arg-type]
            sides = [(int(value[i]), scalar) for value, scalar in scalars for i in range(size)]  # type: ignore[arg-type]
            for operator, holds in ((Operator.AT_MOST, ge), (Operator.AT_LEAST, le)):
                if all(holds(scalar, element) for element, scalar in sides):
                    yield tuple(Binary(operator, part, variable, BOOLEAN) for part in parts)


def _compared(left: Variable, right: Variable, states: list[LoopState]) -> Iterator[Fact]:
    pairs = [(int(state[left.name]), int(state[right.name])) for state in states]  # type: ignore[arg-type]
    if all(x == y for x, y in pairs):
        yield (Binary(Operator.EQUAL, left, right, BOOLEAN),)
    elif all(x <= y for x, y in pairs):
        yield (Binary(Operator.AT_MOST, left, right, BOOLEAN),)
    elif all(x >= y for x, y in pairs):
        yield (Binary(Operator.AT_LEAST, left, right, BOOLEAN),)


def _comparison(operator: Operator, term: Expression, number: int) -> Expression:
    return Binary(operator, term, Constant(number, term.type), BOOLEAN)
