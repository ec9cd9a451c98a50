"""Cells of arrays at one place, seen from where each array begins and counted in the steps that go through it.

P(x, a, b) becomes P(x, k, a[base + 4 · k], b[n - 1 - k]): cells that a program treats together are told together.
"""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import cells, monomials
from sorrel.logic.monomials import Monomial
from sorrel.logic.terms import Sort, Term
from sorrel.smt.solver import Oracle
from sorrel.transform.cells import over_cells, with_arrays
from sorrel.transform.equations import solve_for_guarded
from sorrel.transform.lift import Transformed, joined
from sorrel.transform.shapes import Line, Place, Shape, Step, View, plain
from sorrel.transform.simplify import simplify
from sorrel.transform.strides import Flow, Lane, Position, Product, Stride, lanes


def aligned_cells(system: HornSystem, oracle: Oracle) -> Transformed | None:
    """One place for all arrays; None if no predicate has any."""
    return _with_lanes(system, 1, oracle)


def two_cells(system: HornSystem, oracle: Oracle) -> Transformed | None:
    """Two cells of every array, at places of their own: for what relates elements of one array to each other."""
    return _with_lanes(system, 2, oracle)


def _with_lanes(system: HornSystem, several: int, oracle: Oracle) -> Transformed | None:
    """Clauses are simplified before: what is computed on the way to an index is then in one clause with it."""
    if not with_arrays(system):
        return None
    inlined = simplify(system, merging=False)
    # Solved, clauses tell which arguments are constants.
    solved = inlined.system.with_clauses(map(solve_for_guarded, inlined.system.clauses))
    simpler = simplify(solved, merging=False)
    clauses = [solve_for_guarded(clause) for clause in simpler.system.clauses]
    flow = Flow.of(simpler.system.with_clauses(clauses))
    made = _Making(flow, lanes(clauses, flow), several)
    shapes = {p.name: made.shape(p) for p in with_arrays(simpler.system)}
    over = over_cells(simpler.system, clauses, shapes, oracle)
    return joined([inlined, simpler, over]) if over else None


class _Making:
    """Shapes from lanes."""

    def __init__(self, flow: Flow, found: Mapping[Position, list[Lane]], several: int) -> None:
        self._flow = flow
        self._lanes = found
        self._several = several

    def shape(self, predicate: Predicate) -> Shape:
        places: dict[Place, Sort] = {}
        views = []
        for copy in range(self._several):
            for position, sort in enumerate(predicate.sorts):
                dimensions = cells.dimensions(sort)
                for lane in self._lanes.get(self._flow.one((predicate.name, position)), []) if dimensions else []:
                    index = self._index(predicate, lane, dimensions, copy)
                    if index is not None and (copy == 0 or any(line.steps for line in index)):
                        views.append(View(position, index))
                        places |= {
                            step.place: s for line, s in zip(index, dimensions, strict=True) for step in line.steps
                        }
        return Shape.of(predicate, places, views)

    def _index(self, predicate: Predicate, lane: Lane, sorts: list[Sort], copy: int) -> tuple[Line, ...] | None:
        """None if what it is made of is no argument of the predicate."""
        lines = []
        for stride, numbers, sort in zip(lane.strides, lane.numbers, sorts, strict=True):
            places = [(number, str(sort), copy) for number in numbers]
            line = plain(places[0]) if stride.is_plain else self._line(predicate, stride, places)
            if line is None:
                return None
            lines.append(line)
        return tuple(lines)

    def _line(self, predicate: Predicate, stride: Stride, places: list[Place]) -> Line | None:
        base = [Monomial(stride.constant, ())]
        for product, number in stride.base:
            factors = self._formals(predicate, product)
            if factors is None:
                return None
            base.append(Monomial(number, factors))
        steps = []
        for (product, number), place in zip(stride.steps, places, strict=True):
            factors = self._formals(predicate, product)
            if factors is None:
                return None
            steps.append(Step(number, factors, place))
        return Line(monomials.total(base), tuple(steps))

    def _formals(self, predicate: Predicate, product: Product) -> tuple[Term, ...] | None:
        found = [self._flow.formal(predicate, one) for one in product]
        return None if any(each is None for each in found) else tuple(each for each in found if each is not None)
