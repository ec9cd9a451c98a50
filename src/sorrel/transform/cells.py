"""Arrays replaced by one cell that stands for all: P(x, a, b) becomes P(x, k, a[k], b[k]) for every k.

A clause takes a fresh k for its head, and its calls once for every index that it looks at (Monniaux and Gonnord, Cell
morphing, SAS 2016, with one distinguished cell). A solution goes back as "for all k"; a refutation says nothing: the
calls at different indices need not be about the same arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import cells, terms, walk
from sorrel.logic.cells import Cell, Cells, NotCells
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle
from sorrel.transform.equations import solve_equations
from sorrel.transform.lift import Transformed

MOST_COPIES = 12
"""Of one call. Leaving some out makes the clauses weaker, which is allowed."""

Level = tuple[int, str]
"""A dimension, outermost 0, and the sort of its indices by name."""


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """A predicate with arrays, and what it becomes: its scalars, indices, and a cell of each array."""

    whole: Predicate
    levels: Mapping[Level, Sort]
    predicate: Predicate

    @staticmethod
    def of(whole: Predicate) -> _Shape:
        levels = {(depth, str(s)): s for sort in whole.sorts for depth, s in enumerate(cells.dimensions(sort))}
        names = Names(argument.name for argument in whole.arguments)
        scalars = [a for a in whole.arguments if not cells.dimensions(a.sort)]
        indices = [Argument(names.fresh("k"), sort) for sort in levels.values()]
        held = [
            Argument(names.fresh(f"{a.name}@k"), cells.element(a.sort))
            for a in whole.arguments
            if cells.dimensions(a.sort)
        ]
        return _Shape(whole, levels, Predicate(whole.name, (*scalars, *indices, *held)))

    def path(self, sort: Sort) -> list[Level]:
        """The levels that the indices of an array belong to."""
        return [(depth, str(each)) for depth, each in enumerate(cells.dimensions(sort))]

    def atom(self, atom: Atom, index: Mapping[Level, Term], found: Cells) -> Atom:
        """The call at one index."""
        scalars = [found.scalar(a) for a in atom.arguments if not terms.is_array(a)]
        held = [
            found.cell(a, tuple(index[level] for level in self.path(terms.sort_of(a))))
            for a in atom.arguments
            if terms.is_array(a)
        ]
        return Atom(self.predicate, (*scalars, *(index[level] for level in self.levels), *held))

    def summary(self, said: Term) -> Term:
        """For all indices what is said about the cells there."""
        own = self.predicate.formals
        scalars = [f for f in self.whole.formals if not terms.is_array(f)]
        arrays = [f for f in self.whole.formals if terms.is_array(f)]
        names = Names(argument.name for argument in self.whole.arguments)
        bound = {level: names.variable("k", sort) for level, sort in self.levels.items()}
        held = [cells.at(a, [bound[level] for level in self.path(terms.sort_of(a))]) for a in arrays]
        pairs = list(zip(own, [*scalars, *bound.values(), *held], strict=True))
        return terms.forall(list(bound.values()), terms.substitute(said, pairs))


def one_cell(system: HornSystem, _: Oracle) -> Transformed | None:
    """One distinguished cell instead of arrays; None if no predicate has any, or a clause does something else."""
    shapes = {p.name: _Shape.of(p) for p in system.predicates if any(map(cells.dimensions, p.sorts))}
    if not shapes or system.obligations:
        return None
    try:
        clauses = [_Clause(solve_equations(clause), shapes).rewritten() for clause in system.clauses]
    except NotCells:
        return None
    predicates = tuple(shapes[p.name].predicate if p.name in shapes else p for p in system.predicates)

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        return {
            name: shapes[name].summary(found.get(name, terms.TRUE)) if name in shapes else found.get(name, terms.TRUE)
            for name in system.predicate
        }

    def derivation(_: Derivation) -> Derivation:
        raise InternalError("a refutation of clauses about single cells says nothing")

    return Transformed(HornSystem(predicates, tuple(clauses)), summaries, derivation, exact=False)


class _Clause:
    """A clause on its way from arrays to cells."""

    def __init__(self, clause: Clause, shapes: Mapping[str, _Shape]) -> None:
        self._clause = clause
        self._shapes = shapes
        self._names = Names(terms.name_of(v) for v in clause.variables)
        self._unseen: list[Cell] = []
        self._found = Cells(self._names, self._unseen.append)
        self._copies: dict[tuple[int, ...], Atom] = {}
        self._own: dict[Level, Term] = {}

    def rewritten(self) -> Clause:
        clause, found = self._clause, self._found
        constraint = [found.scalar(clause.constraint)]
        head = self._head()
        plain = [self._plain(atom) for atom in clause.body if atom.predicate.name not in self._shapes]
        constraint += self._copy_until_all_is_seen()
        for position, atom in enumerate(clause.body):
            if atom.predicate.name in self._shapes and not self._copied(position):
                self._copy(position, atom, {})  # nobody looks into its arrays, but its scalars matter
        constraint += self._copy_until_all_is_seen()
        constraint += found.congruence()
        body = (*plain, *self._copies.values())
        return Clause(clause.name, head, body, terms.simplify(terms.conjunction(constraint)), clause.origin)

    def _head(self) -> Atom | None:
        head = self._clause.head
        if head is None:
            return None
        if head.predicate.name not in self._shapes:
            return self._plain(head)
        shape = self._shapes[head.predicate.name]
        self._own = {level: self._names.variable("k", sort) for level, sort in shape.levels.items()}
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
        """The calls that pass an array, at an index where its cell is looked at."""
        for position, atom in enumerate(self._clause.body):
            if atom.predicate.name not in self._shapes or not _mentions(atom, cell.array):
                continue
            path = self._shapes[atom.predicate.name].path(terms.sort_of(cell.array))
            self._copy(position, atom, dict(zip(path, cell.index, strict=True)))

    def _copy(self, position: int, atom: Atom, index: Mapping[Level, Term]) -> None:
        shape = self._shapes[atom.predicate.name]
        full = {
            level: index.get(level, self._own.get(level, terms.default_value(sort)))
            for level, sort in shape.levels.items()
        }
        key = (position, *map(terms.identity, full.values()))
        if key not in self._copies and self._copied(position) < MOST_COPIES:
            self._copies[key] = shape.atom(atom, full, self._found)


def _mentions(atom: Atom, array: Term) -> bool:
    identity = terms.identity(array)
    arrays: Sequence[Term] = [a for a in atom.arguments if terms.is_array(a)]
    return any(terms.identity(v) == identity for v in walk.free_variables(*arrays))
