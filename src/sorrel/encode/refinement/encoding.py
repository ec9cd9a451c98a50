"""A functional program as a system of Horn clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from sorrel.encode.refinement.applications import Escapes
from sorrel.encode.refinement.precision import MOST_GHOSTS, Precision
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.values import FunctionRefinement
from sorrel.encode.refinement.walk import Walk
from sorrel.functional.execution import Kind
from sorrel.functional.operator import Operator
from sorrel.functional.program import Program
from sorrel.functional.term import Operation, subterms
from sorrel.horn.system import HornSystem
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """If `system` has a solution, no run does what is forbidden. If it has none, nothing follows.

    `functions` are the refinement types of functions by their names: one for each place where the walk came to them.
    `finer` are more precise types of this program, in the order in which they are worth trying.
    """

    system: HornSystem
    shapes: Shapes
    functions: Mapping[str, Sequence[FunctionRefinement]]
    finer: tuple[Precision, ...]


_COMPARISONS = frozenset({Operator.LESS, Operator.AT_MOST, Operator.GREATER, Operator.AT_LEAST})
_W = TypeVar("_W", bound=Walk)


def followed(make: Callable[[frozenset[int]], _W]) -> _W:
    """The walk, run to its end. References are followed while they stay in sight; others are known by their types."""
    shared: frozenset[int] = frozenset()
    while True:
        walk = make(shared)
        try:
            walk.run()
        except Escapes as escape:
            shared |= {escape.cell}
            continue
        return walk


def encode(program: Program, forbidden: frozenset[Kind], precision: Precision | None = None) -> Encoding:
    wanted = precision or Precision()
    walk = followed(lambda shared: Walk(program, forbidden, shared, wanted))
    system = HornSystem(walk.predicates, walk.clauses)
    ghosts = {
        name: tuple(min(count, MOST_GHOSTS) for count in each) for name, each in walk.captured.items() if any(each)
    }
    haunted = (Precision(True, ghosts),) if ghosts else ()
    measured = (Precision(measures=group) for group in _likely_first(walk.shapes.groups, program))
    finer = (*measured, Precision(True), *haunted, Precision(True, ghosts, unfolded=True))
    return Encoding(system, walk.shapes, walk.functions, finer)


def _likely_first(groups: Sequence[str], program: Program) -> list[str]:
    """Order matters to who compares numbers, and hardly to others."""
    operators = {each.operator for each in subterms(program.body) if isinstance(each, Operation)}
    return sorted(groups, key=lambda group: (group == "orders") is operators.isdisjoint(_COMPARISONS))
