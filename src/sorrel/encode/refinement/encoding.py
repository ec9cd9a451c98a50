"""A functional program as a system of Horn clauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.values import FunctionRefinement
from sorrel.encode.refinement.walk import Escapes, Walk
from sorrel.functional.interpreter import Kind
from sorrel.functional.program import Program
from sorrel.horn.system import HornSystem


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """If `system` has a solution, no run does what is forbidden. If it has none, nothing follows.

    `functions` are the refinement types of the functions that have one, by what people call them.
    """

    system: HornSystem
    shapes: Shapes
    functions: Mapping[str, FunctionRefinement]


def encode(program: Program, forbidden: frozenset[Kind]) -> Encoding:
    """References are followed as far as they stay in sight; one that does not is known by its type."""
    shared: frozenset[int] = frozenset()
    while True:
        walk = Walk(program, forbidden, shared)
        try:
            walk.run()
        except Escapes as escape:
            shared |= {escape.cell}
            continue
        return Encoding(HornSystem(walk.predicates, tuple(walk.clauses)), walk.shapes, walk.functions)
