"""Arrays replaced by cells that stand for all: P(x, a, b) becomes P(x, k, a[k], b[k]) for every k.

A clause takes fresh places for its head, and its calls once for every place that it looks at (Monniaux and Gonnord,
Cell morphing, SAS 2016). A solution goes back as "for all k"; a refutation says nothing: the calls at different places
need not be about the same arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import cells, terms, walk
from sorrel.logic.cells import Cell, Cells, NotCells
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import InternalError
from sorrel.smt.solver import Oracle
from sorrel.transform.cases import in_cases
from sorrel.transform.equations import solve_equations
from sorrel.transform.lift import Transformed
from sorrel.transform.shapes import Place, Places, Shape, View, plain

MOST_COPIES = 12
"""Of one call. Leaving some out makes the clauses weaker, which is allowed."""

MOST_CELLS = 60
"""Of a clause that is told in cases: each is compared with each."""


def one_cell(system: HornSystem, _: Oracle) -> Transformed | None:
    """One distinguished cell instead of arrays; None if no predicate has any, or a clause does something else."""
    clauses = [solve_equations(clause) for clause in system.clauses]
    return over_cells(system, clauses, {p.name: _same_index(p) for p in with_arrays(system)})


def with_arrays(system: HornSystem) -> list[Predicate]:
    return [p for p in system.predicates if any(map(cells.dimensions, p.sorts))]


def _same_index(whole: Predicate) -> Shape:
    """Every array at the same index."""
    dimensions = {p: cells.dimensions(sort) for p, sort in enumerate(whole.sorts) if cells.dimensions(sort)}
    places: dict[Place, Sort] = {
        (depth, str(s), 0): s for found in dimensions.values() for depth, s in enumerate(found)
    }
    views = [
        View(position, tuple(plain((depth, str(s), 0)) for depth, s in enumerate(found)))
        for position, found in dimensions.items()
    ]
    return Shape.of(whole, places, views)


def over_cells(
    system: HornSystem, clauses: Sequence[Clause], shapes: Mapping[str, Shape], cases: Oracle | None = None
) -> Transformed | None:
    """The clauses, which are those of the system in other words, about what the shapes view; in cases if asked for."""
    if not shapes or system.obligations:
        return None
    rewritten: list[Clause] = []
    for clause in clauses:
        try:
            rewritten += _Clause(clause, shapes).rewritten(cases)
        except NotCells:
            return None
        if cases is not None and cases.clock.expired():
            return None
    predicates = tuple(shapes[p.name].predicate if p.name in shapes else p for p in system.predicates)

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        return {
            name: shapes[name].summary(found.get(name, terms.TRUE)) if name in shapes else found.get(name, terms.TRUE)
            for name in system.predicate
        }

    def derivation(_: Derivation) -> Derivation:
        raise InternalError("a refutation of clauses about single cells says nothing")

    return Transformed(HornSystem(predicates, tuple(rewritten)), summaries, derivation, exact=False)


class _Clause:
    """A clause on its way from arrays to cells."""

    def __init__(self, clause: Clause, shapes: Mapping[str, Shape]) -> None:
        self._clause = clause
        self._shapes = shapes
        self._names = Names(terms.name_of(v) for v in clause.variables)
        self._unseen: list[Cell] = []
        self._found = Cells(self._names, self._unseen.append)
        self._copies: dict[tuple[int, ...], Atom] = {}
        self._own: dict[Place, Term] = {}
        self._met: dict[int, dict[int, dict[tuple[int, ...], Places]]] = {}
        """The places at which a call is looked at, for each of the cells that it is about."""

    def rewritten(self, cases: Oracle | None) -> list[Clause]:
        clause, found = self._clause, self._found
        constraint = [found.scalar(clause.constraint)]
        head = self._head()
        plain = [self._plain(atom) for atom in clause.body if atom.predicate.name not in self._shapes]
        constraint += self._copy_until_all_is_seen()
        for position, atom in enumerate(clause.body):
            if atom.predicate.name in self._shapes and not self._copied(position):
                self._copy(position, atom, {})  # nobody looks into its arrays, but its scalars matter
        constraint += self._copy_until_all_is_seen()
        if cases is not None and len(found.cells) > MOST_CELLS:
            raise NotCells("too many cells")
        constraint += found.congruence()
        body = (*plain, *self._copies.values())
        whole = Clause(clause.name, head, body, terms.conjunction(constraint), clause.origin)
        if cases is None:
            return [Clause(whole.name, head, body, terms.simplify(whole.constraint), whole.origin)]
        places = set(map(terms.identity, self._own.values()))
        held = {terms.identity(cell.variable) for cell in found.cells.values()}
        return in_cases(whole, found.comparisons, places, held, cases)

    def _head(self) -> Atom | None:
        head = self._clause.head
        if head is None:
            return None
        if head.predicate.name not in self._shapes:
            return self._plain(head)
        shape = self._shapes[head.predicate.name]
        self._own = {place: self._names.variable("k", terms.sort_of(v)) for place, v in shape.places.items()}
        return shape.atom(head, self._own, self._found)

    def _plain(self, atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(map(self._found.scalar, atom.arguments)))

    def _copy_until_all_is_seen(self) -> list[Term]:
        """Calls at all indices that are looked at; what the equations between arrays say there."""
        said = self._found.agreements([])
        while self._unseen:
            seen, self._unseen[:] = list(self._unseen), []
            said += self._found.agreements([cell.index for cell in seen])
            for cell in seen:
                self._copy_for(cell)
        return said

    def _copied(self, position: int) -> int:
        return sum(1 for known in self._copies if known[0] == position)

    def _copy_for(self, cell: Cell) -> None:
        """The calls that pass an array, at places where its cell is looked at."""
        for position, atom in enumerate(self._clause.body):
            if atom.predicate.name not in self._shapes:
                continue
            shape = self._shapes[atom.predicate.name]
            for view in shape.views:
                if _mentions(atom.arguments[view.position], cell.array):
                    where = shape.where(view, atom, cell, self._found)
                    if where is not None:
                        self._copy(position, atom, where)

    def _copy(self, position: int, atom: Atom, where: Mapping[Place, Term]) -> None:
        """The call at these places of one cell, beside each choice of places for the other cells that it is about."""
        shape = self._shapes[atom.predicate.name]
        full = {place: where.get(place, own) for place, own in self._default(shape).items()}
        parts: dict[int, dict[Place, Term]] = {}
        for place, term in full.items():
            parts.setdefault(place[2], {})[place] = term
        met = self._met.setdefault(position, {})
        for number, part in parts.items():
            known = met.setdefault(number, {})
            if self._own or not where or any(place in where for place in part):
                known.setdefault(tuple(map(terms.identity, part.values())), part)
        for chosen in product(*(met[number].values() for number in sorted(met))):
            self._copy_at(position, atom, {place: term for part in chosen for place, term in part.items()})

    def _copy_at(self, position: int, atom: Atom, at: Mapping[Place, Term]) -> None:
        key = (position, *map(terms.identity, at.values()))
        if key not in self._copies and self._copied(position) < MOST_COPIES:
            self._copies[key] = self._shapes[atom.predicate.name].atom(atom, at, self._found)

    def _default(self, shape: Shape) -> dict[Place, Term]:
        """The places of the head."""
        return {
            place: self._own.get(place, terms.default_value(terms.sort_of(variable)))
            for place, variable in shape.places.items()
        }


def _mentions(array: Term, variable: Term) -> bool:
    return any(terms.same(v, variable) for v in walk.free_variables(array))
