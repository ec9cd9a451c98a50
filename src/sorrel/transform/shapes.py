"""What a predicate with arrays becomes: its scalars, places, and cells of its arrays at indices that depend on both.

A view is an array argument with an index, which speaks of the scalars of the predicate and of places. What is said
about all views at some places is carried back as a claim for all places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.horn.clause import Argument, Atom, Predicate
from sorrel.logic import cells, operations, terms
from sorrel.logic.cells import Cell, Cells
from sorrel.logic.monomials import Monomial, expanded, polynomial, total
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.model.values import dataclass

Place = tuple[int, str, int]
"""A number, the sort of its values by name, and which of several cells it is for, 0 first."""
Places = Mapping[Place, Term]
Pairs = Sequence[tuple[Term, Term]]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """number · times · place; `times` are formals."""

    number: int
    times: tuple[Term, ...]
    place: Place

    def along(self, variable: Term) -> Term:
        return Monomial(self.number, (*self.times, variable)).term()


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One dimension of an index: base + Σ steps. Without a base it is the place of its only step, of any sort."""

    base: Term | None
    steps: tuple[Step, ...]

    def at(self, places: Places) -> Term:
        if self.base is None:
            return places[self.steps[0].place]
        moved = self.base
        for step in self.steps:
            moved = operations.add(moved, step.along(places[step.place]))
        return moved

    def where(self, wanted: Term, known: Pairs) -> dict[Place, Term] | None:
        """The places at which it is the wanted term; None if none are told by its sums and products."""
        if self.base is None:
            return {self.steps[0].place: wanted}
        left = polynomial(operations.subtract(wanted, terms.substitute(self.base, known)))
        # The most special first: what is left for the last steps is small, as columns are beside rows.
        steps = sorted(self.steps, key=lambda step: (-len(step.times), -abs(step.number)))
        taken: dict[Place, list[Monomial]] = {step.place: [] for step in steps}
        for part in left.values():
            rest = part.number
            for step in steps:
                factors = part.without(terms.substitute(each, known) for each in step.times)
                if factors is None or (part.factors and rest % step.number):
                    continue
                times = int(rest / step.number)
                taken[step.place].append(Monomial(times, factors))
                rest -= times * step.number
            if rest:
                return None
        return {place: total(parts) for place, parts in taken.items()}


def plain(place: Place) -> Line:
    """A place as an index."""
    return Line(None, (Step(1, (), place),))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A cell of the array at a position of the arguments: a line for each dimension, outermost first."""

    position: int
    index: tuple[Line, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A predicate with arrays, and what it becomes."""

    whole: Predicate
    places: Places
    views: tuple[View, ...]
    predicate: Predicate

    @staticmethod
    def of(whole: Predicate, places: Mapping[Place, Sort], views: Sequence[View]) -> Shape:
        names = Names(argument.name for argument in whole.arguments)
        variables = {place: names.variable("k", sort) for place, sort in places.items()}
        scalars = [a for a in whole.arguments if not cells.dimensions(a.sort)]
        indices = [Argument(terms.name_of(v), terms.sort_of(v)) for v in variables.values()]
        seen = [whole.arguments[view.position] for view in views]
        held = [Argument(names.fresh(f"{a.name}@k"), cells.element(a.sort)) for a in seen]
        return Shape(whole, variables, tuple(views), Predicate(whole.name, (*scalars, *indices, *held)))

    def atom(self, atom: Atom, at: Places, found: Cells) -> Atom:
        """The call at one choice of places."""
        scalars = self.scalars(atom, found)
        known = [*scalars, *((variable, at[place]) for place, variable in self.places.items())]
        held = [
            found.cell(
                atom.arguments[view.position],
                tuple(expanded(terms.substitute(line.at(self.places), known)) for line in view.index),
            )
            for view in self.views
        ]
        return Atom(self.predicate, (*(a for _, a in scalars), *(at[place] for place in self.places), *held))

    def scalars(self, atom: Atom, found: Cells) -> Pairs:
        return [(f, found.scalar(a)) for f, a in atom.bind() if not terms.is_array(a)]

    def where(self, view: View, atom: Atom, cell: Cell, found: Cells) -> dict[Place, Term] | None:
        """The places at which a call views a cell; None if it does so nowhere, as far as sums and products tell."""
        chosen: dict[Place, Term] = {}
        known = self.scalars(atom, found)
        for line, wanted in zip(view.index, cell.index, strict=True):
            told = line.where(wanted, known)
            if told is None or any(not terms.same(chosen.get(place, term), term) for place, term in told.items()):
                return None
            chosen |= told
        return chosen

    def summary(self, said: Term) -> Term:
        """For all places what is said about what is viewed there."""
        scalars = [f for f in self.whole.formals if not terms.is_array(f)]
        held = [
            cells.at(self.whole.formals[view.position], [line.at(self.places) for line in view.index])
            for view in self.views
        ]
        pairs = list(zip(self.predicate.formals, [*scalars, *self.places.values(), *held], strict=True))
        return terms.forall(list(self.places.values()), terms.substitute(said, pairs))
