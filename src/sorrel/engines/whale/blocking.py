"""A summary between the executions that are there and the returns that would violate the caller's contract.

Violations are excluded cube by cube, and a cube is generalised by leaving out literals. Executions alone are bad advice
for that: in the few that are there many things happen to be different. So a literal is left out only if its opposite
seems to violate as well; then we look for a generalisation that is inductive, with which the callee is shown and
covered at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, islice

from sorrel.engines.whale.cube import cube_around
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, assignment_from, evaluate
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.smt.solver import Oracle, Sat, Session, Unsat

MOST_CUBES = 40
MOST_PAIRS = 15


class Blocking:
    """`executions` and `violations` share the variables `formals`; `is_inductive` asks about a formula over them.

    `path_of` has the conjuncts of the violations that matter around a model, `points` are executions that are known.
    """

    def __init__(
        self,
        oracle: Oracle,
        executions: Sequence[Term],
        violations: Sequence[Term],
        path_of: Callable[[Model], Sequence[Term]],
        formals: Sequence[Term],
        points: Iterable[Mapping[Term, Term]],
        is_inductive: Callable[[Term], bool],
        clock: Clock,
    ) -> None:
        self._oracle = oracle
        self._clock = clock
        self._formals = formals
        self._is_inductive = is_inductive
        self._shared = {formal.get_id() for formal in formals}
        self._path_of = path_of
        self._points: list[Mapping[Term, Term]] = list(points)
        self._executions = self._session(executions)
        self._violations = self._session(violations)
        self._open = self._session(violations)

    def _session(self, formulas: Iterable[Term]) -> Session:
        session = self._oracle.session("whale.block")
        session.add(*formulas)
        return session

    def run(self) -> Term | None:
        """A formula that the executions imply and that contradicts the violations; None if none was found."""
        clauses: list[Term] = []
        for _ in range(MOST_CUBES):
            match self._open.check(seconds=self._clock.remaining()):
                case Unsat():
                    return terms.conjunction(clauses)
                case Sat(model):
                    kept = self._generalised(self._cube(model), model)
                    if kept is None:
                        return None
                    clauses.append(_clause(kept))
                    self._open.add(clauses[-1])
                case _:
                    return None
        return None

    def _cube(self, model: Model) -> list[Term]:
        """Literals about the formals, true in the model, that make a violation."""
        cube = cube_around(self._oracle, self._path_of(model), model, self._shared)
        return self._oracle.without_redundant([half for literal in cube for half in _halves(literal)], "whale.block")

    def _generalised(self, cube: list[Term], model: Model) -> list[Term] | None:
        """Literals of the cube that already exclude all executions."""
        if any(v.get_id() not in self._shared for v in walk.free_variables(*cube)) or not self._excludes(cube):
            return None
        relevant = self._relevant_part(cube, assignment_from(model, self._formals))
        return self._inductive_part(relevant) or relevant

    def _inductive_part(self, cube: list[Term]) -> list[Term] | None:
        """Fewer literals whose exclusion is inductive, or None: first without some of the variables, then greedily."""
        start = cube if self._is_inductive(_clause(cube)) else self._without_variables(cube)
        kept = start
        for literal in start or ():
            rest = [other for other in kept or () if other is not literal]
            if self._can_stay(rest):
                kept = rest
        return kept

    def _without_variables(self, cube: list[Term]) -> list[Term] | None:
        """Literals whose exclusion is inductive, without those about one or two variables."""
        variables = walk.free_variables(*cube)
        for dropped in [*combinations(variables, 1), *islice(combinations(variables, 2), MOST_PAIRS)]:
            rest = [literal for literal in cube if not any(_mentions(literal, variable) for variable in dropped)]
            if self._can_stay(rest):
                return rest
        return None

    def _can_stay(self, cube: list[Term]) -> bool:
        return bool(cube) and self._excludes(cube) and self._is_inductive(_clause(cube))

    def _relevant_part(self, cube: list[Term], at: Mapping[Term, Term]) -> list[Term]:
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
        """Is no execution in the cube? Those that were met before are looked at first."""
        formula = terms.joined(cube)
        if any(terms.is_true(evaluate(formula, point)) for point in self._points):
            return False
        self._executions.push()
        self._executions.add(formula)
        answer = self._executions.check(seconds=self._clock.remaining())
        self._executions.pop()
        if isinstance(answer, Sat):
            self._points.append(assignment_from(answer.model, self._formals))
        return isinstance(answer, Unsat)


def _clause(cube: Sequence[Term]) -> Term:
    return terms.disjunction(map(terms.negation, cube))


def _mentions(literal: Term, variable: Term) -> bool:
    return any(v.get_id() == variable.get_id() for v in walk.free_variables(literal))


def _halves(literal: Term) -> list[Term]:
    """An equation between numbers as two inequalities: often one of them is enough."""
    if not terms.is_equation(literal):
        return [literal]
    left, right = terms.children(literal)
    return [left <= right, left >= right] if terms.is_arithmetic(left) else [literal]
