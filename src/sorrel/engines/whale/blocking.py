"""A summary between the executions that are there and the returns that would violate the caller's contract.

Violations are excluded cube by cube. From a cube a literal is left out only if its opposite seems to violate as well,
which is tried at a few values: so the summary speaks of what makes a violation, and not of what happens to be different
in the few executions that are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.budget import Clock
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, assignment_from
from sorrel.logic.terms import Term
from sorrel.smt.projection import project_cube
from sorrel.smt.solver import Oracle, Sat, Unsat

MOST_CUBES = 40


def block(
    oracle: Oracle, executions: Sequence[Term], violations: Sequence[Term], formals: Sequence[Term], clock: Clock
) -> Term | None:
    """A formula over the formals that the executions imply and that contradicts the violations; None if not found."""
    return _Blocking(oracle, executions, violations, formals, clock).run()


class _Blocking:
    def __init__(
        self,
        oracle: Oracle,
        executions: Sequence[Term],
        violations: Sequence[Term],
        formals: Sequence[Term],
        clock: Clock,
    ) -> None:
        self._oracle = oracle
        self._clock = clock
        self._formula = terms.joined(violations)
        shared = {formal.get_id() for formal in formals}
        self._eliminate = [v for v in walk.free_variables(self._formula) if v.get_id() not in shared]
        self._shared = shared
        self._formals = formals
        self._executions = oracle.session("whale.block")
        self._executions.add(*executions)
        self._violations = oracle.session("whale.block")
        self._violations.add(self._formula)
        self._open = oracle.session("whale.block")
        self._open.add(self._formula)

    def run(self) -> Term | None:
        clauses: list[Term] = []
        for _ in range(MOST_CUBES):
            match self._open.check(seconds=self._clock.remaining()):
                case Unsat():
                    return terms.conjunction(clauses)
                case Sat(model):
                    cube = project_cube(self._oracle, self._formula, model, self._eliminate)
                    kept = self._generalised([half for literal in cube for half in _halves(literal)], model)
                    if kept is None:
                        return None
                    clauses.append(terms.disjunction(map(terms.negation, kept)))
                    self._open.add(clauses[-1])
                case _:
                    return None
        return None

    def _generalised(self, cube: list[Term], model: Model) -> list[Term] | None:
        """Literals of the cube that already exclude all executions."""
        if any(v.get_id() not in self._shared for v in walk.free_variables(*cube)) or not self._excludes(cube):
            return None
        at = assignment_from(model, self._formals)
        kept = cube
        for literal in cube:
            rest = [other for other in kept if other is not literal]
            if self._is_irrelevant(literal, rest, at) and self._excludes(rest):
                kept = rest
        return kept

    def _is_irrelevant(self, literal: Term, rest: Sequence[Term], at: Mapping[Term, Term]) -> bool:
        """Does the opposite of the literal violate, at the values of the violation otherwise, and at any others?"""
        free = {variable.get_id() for variable in walk.free_variables(literal)}
        same = [terms.equal(formal, value) for formal, value in at.items() if formal.get_id() not in free]
        opposite = terms.negation(literal)
        if not self._is_violated([opposite, *same]):
            return False
        match self._oracle.check(opposite, *rest, kind="whale.block", seconds=self._clock.remaining()):
            case Sat(model):
                values = assignment_from(model, self._formals)
                return self._is_violated([terms.equal(formal, value) for formal, value in values.items()])
        return False

    def _is_violated(self, cube: Sequence[Term]) -> bool:
        self._violations.push()
        self._violations.add(*cube)
        answer = self._violations.check(seconds=self._clock.remaining())
        self._violations.pop()
        return isinstance(answer, Sat)

    def _excludes(self, cube: Sequence[Term]) -> bool:
        self._executions.push()
        self._executions.add(*cube)
        answer = self._executions.check(seconds=self._clock.remaining())
        self._executions.pop()
        return isinstance(answer, Unsat)


def _halves(literal: Term) -> list[Term]:
    """An equation between numbers as two inequalities: often one of them is enough."""
    if not terms.is_equation(literal):
        return [literal]
    left, right = terms.children(literal)
    return [left <= right, left >= right] if terms.is_arithmetic(left) else [literal]
