"""Guesses about loops among runs that were followed once, and which of them every round keeps together.

Nothing is taken for granted while the runs are followed, so that a guess that is given up costs a question and not
another walk. That is Houdini (Flanagan and Leino, FME 2001) with the guesses as assumptions of one solver.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from sorrel.encode.unrolling import Arrival, Unrolled
from sorrel.evidence.following import asked
from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.nearby import nearby
from sorrel.logic.node import Node, Truth
from sorrel.methods.plan import LOOPS
from sorrel.model.budget import Clock
from sorrel.program.cutting import Fact
from sorrel.smt.word_solver import WordSolver

NEAR = 200
"""Nodes around a guess that are looked at first."""

Guess: TypeAlias = tuple[str, Fact]
"""A fact at the head of a loop."""


class Claim:
    """A guess among the runs that were followed: when it is true before any round, and which runs break it."""

    def __init__(self, guess: Guess, runs: Unrolled) -> None:
        self.guess = guess
        self._runs = runs

    def _all(self, arrival: Arrival) -> Truth:
        found: Truth = True
        for part in self.guess[1]:
            found = self._runs.graph.conjunction(found, self._runs.claim(arrival.state, part))
        return found

    def _arrivals(self, begins: bool) -> Iterable[Arrival]:
        return (each for each in self._runs.arrivals if each.label == self.guess[0] and each.begins is begins)

    @cached_property
    def holds(self) -> Truth:
        found: Truth = True
        for each in self._arrivals(begins=True):
            here = self._runs.graph.implication(each.state.path.guard, self._all(each))
            found = self._runs.graph.conjunction(found, here)
        return found

    @cached_property
    def breaks(self) -> Truth:
        found: Truth = False
        for each in self._arrivals(begins=False):
            here = self._runs.graph.conjunction(each.state.path.guard, self._runs.graph.negation(self._all(each)))
            found = self._runs.graph.disjunction(found, here)
        return found


def model_of(solver: WordSolver) -> Model:
    """What the last question of the solver has shown to exist; what was not asked for is small."""
    known = solver.model()
    return Model(lambda node: known[node] if node in known else max(0, node.low))


def any_of(graph: Graph, conditions: Iterable[Truth]) -> Truth:
    found: Truth = False
    for each in conditions:
        found = graph.disjunction(found, each)
    return found


def kept_together(runs: Unrolled, guesses: Iterable[Guess], clock: Clock) -> list[Guess] | None:
    """Those that hold at first and after any round from a state of which all of them are true; None: not in time."""
    left, solver = [Claim(each, runs) for each in guesses], WordSolver()
    alone = {each for each in left if not clock.expired() and _keeps_itself(each, runs.graph, clock)}
    while not clock.expired():
        known = [each.holds for each in left]
        doubtful = [each for each in left if each not in alone]
        found = asked(
            solver, [*known, any_of(runs.graph, (each.breaks for each in doubtful))], clock, LOOPS.kept_question
        )
        if found is None:
            broken = _one_by_one(doubtful, known, solver, clock)
        else:
            broken = _broken_in(model_of(solver), doubtful) if found else set()
        if not broken:
            return [each.guess for each in left]
        left = [each for each in left if each not in broken]
    return None


def _keeps_itself(claim: Claim, graph: Graph, clock: Clock) -> bool:
    """Whether what lies around shows that no round breaks it that begins with it: most bounds and orders are so."""
    return is_excluded_near(graph.conjunction(claim.holds, claim.breaks), clock)


def is_excluded_near(condition: Truth, clock: Clock) -> bool:
    """Whether what lies around shows that it never holds."""
    near = nearby(condition, NEAR) if isinstance(condition, Node) else None
    return condition is False or (near is not None and asked(WordSolver(), [near], clock, LOOPS.kept_each) is False)


def _broken_in(model: Model, claims: list[Claim]) -> set[Claim]:
    return {each for each in claims if model.holds(each.breaks)}


def _one_by_one(claims: list[Claim], known: list[Truth], solver: WordSolver, clock: Clock) -> set[Claim]:
    """Those that some round breaks, or of which that is not clear soon."""
    broken = set[Claim]()
    for each in claims:
        if each in broken:
            continue
        found = asked(solver, [*known, each.breaks], clock, LOOPS.kept_each)
        if found is not False:
            broken |= {each, *(_broken_in(model_of(solver), claims) if found else ())}
    return broken
