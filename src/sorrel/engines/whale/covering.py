"""A summary between the executions that are there and the returns that would violate the caller's contract.

The other way round than `blocking`: executions are covered cube by cube. The way that one execution takes is a cube
over the formals; of its literals only those stay that exclude violations, so that it covers other ways as well. Bodies
without recursion have few ways that differ in what matters, however large they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorrel.engines.whale.cube import cube_around
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat, Session, Unsat

MOST_CUBES = 60


class Covering:
    """`executions` and `violations` share the variables `formals`.

    `path_of` has the conjuncts of the executions that matter around a model.
    """

    def __init__(
        self,
        oracle: Oracle,
        executions: Sequence[Term],
        violations: Sequence[Term],
        path_of: Callable[[Model], Sequence[Term]],
        formals: Sequence[Term],
    ) -> None:
        self._oracle = oracle
        self._path_of = path_of
        self._shared = {formal.get_id() for formal in formals}
        self._open = self._session(executions)
        self._violations = self._session(violations)
        self._violations.minimize_cores()
        self._labels: dict[int, tuple[Term, Term]] = {}

    def _session(self, formulas: Sequence[Term]) -> Session:
        session = self._oracle.session("whale.cover-cube")
        session.add(*formulas)
        return session

    def run(self) -> Term | None:
        """A formula that the executions imply and that contradicts the violations; None if none was found."""
        cubes: list[Term] = []
        for _ in range(MOST_CUBES):
            match self._open.check():
                case Unsat():
                    return terms.disjunction(cubes)
                case Sat(model):
                    kept = self._needed(self._cube(model))
                    if kept is None:
                        return None
                    cubes.append(terms.conjunction(kept))
                    self._open.add(terms.negation(cubes[-1]))
                case _:
                    return None
        return None

    def _cube(self, model: Model) -> list[Term]:
        """Literals about the formals, true in the model, all of whose points are executions."""
        return cube_around(self._oracle, self._path_of(model), model, self._shared)

    def _needed(self, cube: Sequence[Term]) -> list[Term] | None:
        """Literals of the cube that already exclude all violations."""
        if any(v.get_id() not in self._shared for v in walk.free_variables(*cube)):
            return None
        labels = [self._label(literal) for literal in cube]
        match self._violations.check(labels):
            case Unsat(core):
                chosen = {terms.name_of(label) for label in core}
                return [each for each, label in zip(cube, labels, strict=True) if terms.name_of(label) in chosen]
        return None

    def _label(self, literal: Term) -> Term:
        key = terms.identity(literal)
        if key not in self._labels:
            label = terms.variable(f"whale!literal{len(self._labels)}", terms.BOOL)
            self._labels[key] = (label, literal)
            self._violations.add(terms.implication(label, literal))
        return self._labels[key][0]
