"""A cube around a model: literals about shared variables that a path implies there."""

from __future__ import annotations

from collections.abc import Sequence, Set

from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.smt.projection import project_cube
from sorrel.smt.solver import Oracle


def cube_around(oracle: Oracle, path: Sequence[Term], model: Model, shared: Set[int]) -> list[Term]:
    """The path without its other variables; `shared` are the ids of those that stay."""
    formula = terms.joined(path)
    eliminate = [v for v in walk.free_variables(formula) if v.get_id() not in shared]
    return project_cube(oracle, formula, model, eliminate)
