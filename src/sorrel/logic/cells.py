"""Formulas about arrays as formulas about single cells of them.

An element that is read is looked up through writes and choices down to a variable; there it becomes a scalar variable,
one for each array and index. Equality of arrays becomes a truth value: where it is true they agree at every index that
is looked at, where it is false they differ at an index of its own. Congruence ties cells with equal indices together.
The result is implied by the formula: it forgets the cells that nobody looks at, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

import z3

from sorrel.logic import monomials, operations, pointers, terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.model.values import dataclass
from sorrel.model.work import METER

COMPARING = 1_000
"""Units of work for taking the difference of two indices apart."""

Index = tuple[Term, ...]
"""One term for each dimension, outermost first."""


class NotCells(Exception):
    """An array that is not built from variables by writes, choices and constants."""


def dimensions(sort: Sort) -> list[Sort]:
    """The sorts of the indices, outermost first; none for a scalar."""
    found = []
    while sort.kind() == z3.Z3_ARRAY_SORT:
        found.append(sort.domain())
        sort = sort.range()
    return found


def element(sort: Sort) -> Sort:
    """The sort of the scalars in an array of any number of dimensions."""
    while sort.kind() == z3.Z3_ARRAY_SORT:
        sort = sort.range()
    return sort


def is_write(term: Term) -> bool:
    return pointers.operator(pointers.address(term)) == z3.Z3_OP_STORE


def at(array: Term, index: Sequence[Term]) -> Term:
    """The element at an index of all dimensions."""
    for each in index:
        array = z3.Select(array, each)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """The variable that stands for an element of an array variable."""

    array: Term
    index: Index
    variable: Term


@dataclass(slots=True)
class Cells:
    """The cells of one clause, as they are asked for. `congruence` and `agreements` tell what is known of them."""

    names: Names
    read: Callable[[Cell], None] = lambda _: None
    """Told about every new cell."""
    cells: dict[tuple[int, ...], Cell] = field(default_factory=dict)
    comparisons: list[Term] = field(default_factory=list)
    """Equations between indices, on which it depends what the cells are."""
    _scalars: walk.Rewriting[Term] = field(init=False)
    _equations: dict[int, tuple[Term, Term, Term, Index]] = field(default_factory=dict)
    _agreed: set[tuple[int, ...]] = field(default_factory=set)
    _truths: dict[tuple[int, int], tuple[Term, Term, Term]] = field(default_factory=dict)
    """Of comparisons, with the terms compared: identities are reused once terms are freed."""
    _compared: list[Term] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._scalars = walk.Rewriting(self._parts, self._rebuilt)

    def scalar(self, term: Term) -> Term:
        """A term without arrays that has the same value; children first, each node once."""
        return self._scalars(term)

    def _parts(self, term: Term) -> list[Term]:
        """The scalar terms that must be rewritten first: those inside of arrays are found when cells are looked up."""
        if terms.is_quantifier(term):
            raise NotCells("a quantifier")
        return [child for child in terms.children(term) if not terms.is_array(child)]

    def _rebuilt(self, term: Term) -> Term:
        children = terms.children(term)
        if terms.is_select(term):
            return self.cell(children[0], (self._index(children[1]),))
        if any(map(terms.is_array, children)):
            return self._equality(term, children)
        return walk.with_arguments(term, list(map(self.scalar, children)))

    def cell(self, array: Term, index: Index) -> Term:
        """The scalar at an index of all dimensions that the array has."""
        operator = pointers.operator(pointers.address(array))
        if terms.is_variable(array):
            return self._named(array, index)
        children = terms.children(array)
        if operator == z3.Z3_OP_STORE:
            below, place, value = children
            inner = self.cell(value, index[1:]) if terms.is_array(value) else self.scalar(value)
            here = self._same(self._index(place), index[0])
            if terms.is_true(here):
                return inner
            rest = self.cell(below, index)
            return rest if terms.is_false(here) else terms.ite(here, inner, rest)
        if operator == z3.Z3_OP_CONST_ARRAY:
            value = children[0]
            return self.cell(value, index[1:]) if terms.is_array(value) else self.scalar(value)
        if operator == z3.Z3_OP_ITE:
            then, otherwise = (self.cell(child, index) for child in children[1:])
            return terms.ite(self.scalar(children[0]), then, otherwise)
        if operator == z3.Z3_OP_SELECT:
            return self.cell(children[0], (self._index(children[1]), *index))
        raise NotCells(terms.name_of(array))

    def _index(self, term: Term) -> Term:
        """The same term for the same index, as far as multiplication tells."""
        return monomials.expanded(self.scalar(term))

    def _named(self, array: Term, index: Index) -> Term:
        key = (terms.identity(array), *map(terms.identity, index))
        if key not in self.cells:
            variable = self.names.variable(f"{terms.name_of(array)}@", element(array.sort()))
            self.cells[key] = Cell(array, index, variable)
            self.read(self.cells[key])
        return self.cells[key].variable

    def _equality(self, term: Term, children: Sequence[Term]) -> Term:
        operator = pointers.operator(pointers.address(term))
        if operator not in (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT) or len(children) != 2:
            raise NotCells(terms.name_of(term))
        left, right = children
        truth = self.names.variable("equal@", terms.BOOL)
        witness = tuple(self.names.variable("differ@", sort) for sort in dimensions(left.sort()))
        self._equations[terms.identity(truth)] = (truth, left, right, witness)
        return truth if operator == z3.Z3_OP_EQ else terms.negation(truth)

    def agreements(self, indices: Sequence[Index]) -> list[Term]:
        """What the equations between arrays say at these indices, and where they do not hold; each said once."""
        said = []
        for identity, (truth, left, right, witness) in list(self._equations.items()):
            depth = len(witness)
            for index in (*indices, witness):
                key = (identity, *map(terms.identity, index[:depth]))
                if len(index) < depth or key in self._agreed or not _fits(index, witness):
                    continue
                self._agreed.add(key)
                same = terms.equal(self.cell(left, index[:depth]), self.cell(right, index[:depth]))
                said.append(terms.disjunction([terms.negation(truth), same]))
                if index is witness:
                    said.append(terms.disjunction([truth, terms.negation(same)]))
        return said

    def congruence(self) -> list[Term]:
        """Cells of one array at equal indices are equal; and what is known of indices that were compared."""
        by_array: dict[int, list[Cell]] = {}
        for cell in self.cells.values():
            by_array.setdefault(terms.identity(cell.array), []).append(cell)
        said: list[Term] = []
        for group in by_array.values():
            for position, one in enumerate(group):
                for other in group[:position]:
                    same = [self._same(a, b) for a, b in zip(one.index, other.index, strict=True)]
                    if not any(map(terms.is_false, same)):
                        different = [terms.negation(each) for each in same]
                        said.append(terms.disjunction([*different, terms.equal(one.variable, other.variable)]))
        return said + self._compared

    def _same(self, left: Term, right: Term) -> Term:
        """Whether two indices are the same: one term for both orders, and a value where their difference tells."""
        key = (terms.identity(left), terms.identity(right))
        if key not in self._truths:
            _, _, truth = self._truths.get(key[::-1]) or (left, right, self._compare(left, right))
            self._truths[key] = (left, right, truth)
        return self._truths[key][2]

    def _compare(self, left: Term, right: Term) -> Term:
        METER.add(COMPARING)
        if terms.same(left, right):
            return terms.TRUE
        if not terms.is_integer(left):
            if terms.is_value(left) and terms.is_value(right):
                return terms.FALSE
            return self._noted(terms.equal(left, right))
        rows = monomials.rows(left, right)
        return self._noted(monomials.equation(left, right)) if rows is None else self._same_in_rows(*rows)

    def _noted(self, comparison: Term) -> Term:
        if not terms.is_value(comparison) and not any(terms.same(comparison, known) for known in self.comparisons):
            self.comparisons.append(comparison)
        return comparison

    def _same_in_rows(self, length: Term, row: Term, column: Term) -> Term:
        """Whether length · row + column is 0, without the product: so it is if both are, and only then in one row."""
        truth = self.names.variable("same@", terms.BOOL)
        zero = terms.integer(0)
        in_row = self._noted(monomials.equation(row, zero))
        both = terms.conjunction([in_row, self._noted(monomials.equation(column, zero))])
        near = terms.conjunction([operations.less(column, length), operations.less(operations.negate(length), column)])
        self._compared += [
            terms.disjunction([terms.negation(both), truth]),
            terms.disjunction([terms.negation(truth), terms.negation(near), both]),
            terms.disjunction([terms.negation(truth), terms.negation(in_row), both]),
        ]
        return truth


def _fits(index: Index, witness: Index) -> bool:
    return all(terms.same_sort(a, b) for a, b in zip(index, witness, strict=False))
