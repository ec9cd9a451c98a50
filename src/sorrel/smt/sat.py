"""A SAT solver (CaDiCaL through python-sat), and Boolean circuits as clauses in it.

A literal is a non-zero integer, as in the DIMACS format. Gates are shared: the same gate over the same inputs
is one literal, so a formula that occurs on several paths is encoded once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from sorrel.model.errors import UsageError
from sorrel.model.work import METER, QUESTION
from sorrel.smt.statistics import Statistics

Literal: TypeAlias = int
TRUE: Literal = 1
FALSE: Literal = -1
PROPAGATIONS = 2
"""As many take about as long as a unit of work."""


class Circuit:
    """An incremental solver with gates. Literal 1 is true."""

    def __init__(self, statistics: Statistics) -> None:
        self._solver = _solver()
        self._statistics = statistics
        self._variables = 1
        self._clauses = 0
        self._ands: dict[tuple[int, ...], int] = {}
        self._exclusives: dict[tuple[int, int], int] = {}
        self._choices: dict[tuple[int, int, int], int] = {}
        self._majorities: dict[tuple[int, ...], int] = {}
        self._model: list[int] = []
        self._propagations = 0
        self.clause(TRUE)

    @property
    def size(self) -> int:
        return self._clauses

    def variable(self) -> Literal:
        self._variables += 1
        return self._variables

    def variables(self, count: int) -> list[Literal]:
        return [self.variable() for _ in range(count)]

    def clause(self, *literals: Literal) -> None:
        self._clauses += 1
        self._solver.add_clause(literals)

    def solve(self, assumptions: Sequence[Literal], kind: str) -> bool:
        with self._statistics.timed(kind, self._clauses):
            answer = bool(self._solver.solve(assumptions=list(assumptions)))
        self._charge()
        if answer:
            self._model = self._solver.get_model()
        return answer

    def _charge(self) -> None:
        """What was propagated is what takes time; a solver counts it the same way each time."""
        count = self._solver.accum_stats()["propagations"]
        METER.add(QUESTION // 10 + (count - self._propagations) // PROPAGATIONS)
        self._propagations = count

    def core(self) -> set[Literal]:
        """Assumptions of the last question, answered no, that already contradict the clauses."""
        return set(self._solver.get_core() or ())

    def value(self, literal: Literal) -> bool:
        """In the model of the last question, answered yes."""
        index = abs(literal) - 1
        positive = index < len(self._model) and self._model[index] > 0
        return positive == (literal > 0)

    def number(self, bits: Sequence[Literal]) -> int:
        """The value of bits, lowest first, in the model."""
        return sum(1 << place for place, bit in enumerate(bits) if self.value(bit))

    # Gates

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        parts = sorted(set(literals) - {TRUE})
        if FALSE in parts or any(-part in parts for part in parts if part < 0):
            return FALSE
        if len(parts) < 2:
            return parts[0] if parts else TRUE
        key = tuple(parts)
        gate = self._ands.get(key)
        if gate is None:
            gate = self._ands[key] = self.variable()
            for part in parts:
                self.clause(-gate, part)
            self.clause(gate, *(-part for part in parts))
        return gate

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        return -self.all_of(-literal for literal in literals)

    def exclusive(self, a: Literal, b: Literal) -> Literal:
        """a ≠ b."""
        if abs(a) == 1 or abs(b) == 1:
            constant, other = (a, b) if abs(a) == 1 else (b, a)
            return -other if constant == TRUE else other
        if abs(a) == abs(b):
            return FALSE if a == b else TRUE
        sign = (a < 0) != (b < 0)
        a, b = sorted((abs(a), abs(b)))
        gate = self._exclusives.get((a, b))
        if gate is None:
            gate = self._exclusives[a, b] = self.variable()
            for clause in ((-gate, a, b), (-gate, -a, -b), (gate, -a, b), (gate, a, -b)):
                self.clause(*clause)
        return -gate if sign else gate

    def same(self, a: Literal, b: Literal) -> Literal:
        return -self.exclusive(a, b)

    def choice(self, condition: Literal, then: Literal, otherwise: Literal) -> Literal:
        if abs(condition) == 1:
            return then if condition == TRUE else otherwise
        if then == otherwise:
            return then
        if condition < 0:
            condition, then, otherwise = -condition, otherwise, then
        if TRUE in (abs(then), abs(otherwise)):
            return self._choice_with_constant(condition, then, otherwise)
        if then == -otherwise:
            return self.same(condition, then)
        key = (condition, then, otherwise)
        gate = self._choices.get(key)
        if gate is None:
            gate = self._choices[key] = self.variable()
            self.clause(-condition, -then, gate)
            self.clause(-condition, then, -gate)
            self.clause(condition, -otherwise, gate)
            self.clause(condition, otherwise, -gate)
        return gate

    def _choice_with_constant(self, condition: Literal, then: Literal, otherwise: Literal) -> Literal:
        return self.any_of(
            [
                self.all_of([condition, then]),
                self.all_of([-condition, otherwise]),
            ]
        )

    def majority(self, a: Literal, b: Literal, c: Literal) -> Literal:
        """At least two of three: the carry of an addition."""
        if TRUE in map(abs, (a, b, c)):
            constant = next(part for part in (a, b, c) if abs(part) == 1)
            rest = [a, b, c]
            rest.remove(constant)
            return self.any_of(rest) if constant == TRUE else self.all_of(rest)
        key = tuple(sorted((a, b, c)))
        gate = self._majorities.get(key)
        if gate is None:
            gate = self._majorities[key] = self.variable()
            for x, y in ((a, b), (a, c), (b, c)):
                self.clause(-x, -y, gate)
                self.clause(x, y, -gate)
        return gate


def _solver() -> Any:
    try:
        from pysat.solvers import Cadical195
    except ImportError:
        raise UsageError("engine cdnf needs python-sat; pip install 'sorrel[cdnf]' brings it") from None
    return Cadical195()
