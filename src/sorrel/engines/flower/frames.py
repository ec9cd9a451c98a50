"""What contracts for the calls that happen may be made of: cells within ranges, beside equations and bounds.

A cell property speaks of one index in all copies: that arrays agree there, or whatever a clause claims of two runs
under a condition on the same cells. A range is bounded by arguments and constants that the program compares indices
with, or not at all on one side or on both (section 5.6.1 of Pick's dissertation has ranges from a counter to a bound).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sorrel.engines.flower.grammar import HOLE, Vocabulary, once, vocabularies
from sorrel.engines.flower.product import Pair, Tagging
from sorrel.guess.contexts import Frame
from sorrel.guess.lattice import Literal
from sorrel.horn.clause import Atom, Clause, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_LIMITS = 10
MOST_CONSTANTS, MOST_RANGE_CONSTANTS = 8, 4
MOST_CELLS = 6

Arrays = Mapping[str, tuple[Term, Term]]
"""By base name, an array of the program in two copies."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A property of the cells at `HOLE` in two copies of the arrays with these names; variables stand for them."""

    bases: tuple[str, ...]
    claim: Term

    @property
    def is_plain(self) -> bool:
        """That cells agree is offered anyway."""
        return terms.is_equation(self.claim) and all(map(_is_cell, terms.children(self.claim)))

    def about(self, arrays: Arrays) -> Term | None:
        """The property of these arrays; None if one of them is missing or of another sort."""
        pairs: list[tuple[Term, Term]] = []
        for base in self.bases:
            if base not in arrays:
                return None
            pairs += zip(_placeholders(base, arrays[base][0]), arrays[base], strict=True)
        moved = terms.substitute(self.claim, pairs)
        left = {v.get_id() for v in walk.free_variables(moved)} - {HOLE.get_id()}
        return moved if left <= {array.get_id() for both in arrays.values() for array in both} else None


def _placeholders(base: str, array: Term) -> tuple[Term, Term]:
    sort = terms.sort_of(array)
    return terms.variable(f"{base}!first", sort), terms.variable(f"{base}!other", sort)


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """What the whole system offers: cell properties, and for each predicate which arguments indices are compared
    with; constants that they are compared with, and others."""

    cells: tuple[Cell, ...]
    limits: Mapping[str, frozenset[int]]
    range_constants: tuple[int, ...]
    constants: tuple[int, ...]


def frames(system: HornSystem, products: Mapping[str, Tagging]) -> dict[str, Frame]:
    """What may be guessed of each predicate."""
    words = words_of(system, products)
    own = vocabularies(system, products)
    return {name: _Offer(product, words, words.limits[name], own[name]).frame() for name, product in products.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _Offer:
    """The grammar for one predicate; `limits` are those of its arguments that indices are compared with."""

    product: Tagging
    words: Words
    limits: frozenset[int]
    own: Vocabulary

    def frame(self) -> Frame:
        product = self.product
        guard = terms.conjunction(product.activations)
        agreements = list(map(_agreement, product.inputs))
        cells = list(self._cells(product.inputs, self._ends(self._inputs)))
        simple, relational = len(once(agreements)), len(once([*agreements, *cells]))
        before = once([*agreements, *cells, *_bounds(self._inputs, self._inputs, self.words)])
        return Frame(guard, tuple(before), tuple(self._after()), tuple(_always(product, guard)), (simple, relational))

    def _after(self) -> list[Literal]:
        """Of inputs too: what runs that come to an end have agreed upon is known from there on."""
        product, known = self.product, [*self._inputs, *self._outputs]
        after = [Literal(product.ok)] if product.ok is not None else []
        after += [*map(_agreement, (*product.outputs, *product.inputs)), *map(Literal, self.own.relations)]
        after += self._cells(product.outputs, self._ends(known))
        after += self._cells(product.inputs, self._ends(self._inputs))
        return once([*after, *_bounds(self._outputs, known, self.words)])

    @property
    def _inputs(self) -> list[Term]:
        return [pair.first for pair in self.product.inputs if terms.is_integer(pair.first)]

    @property
    def _outputs(self) -> list[Term]:
        pairs = (pair for pair in self.product.outputs if pair.role is Role.OUTPUT)
        return [pair.first for pair in pairs if terms.is_integer(pair.first)]

    def _ends(self, arguments: Sequence[Term]) -> list[Term]:
        named = [argument for argument in arguments if argument.get_id() in self.limits]
        return [*named[:MOST_LIMITS], *map(terms.integer, self.words.range_constants)]

    def _cells(self, pairs: Sequence[Pair], ends: Sequence[Term]) -> Iterator[Literal]:
        """That cells of these variables agree, and what is stated about cells, for other arrays as they were before."""
        arrays = {p.name: (p.first, p.other) for p in (*self.product.inputs, *pairs) if terms.is_array(p.first)}
        about = (cell.about(arrays) for cell in self.words.cells)
        stated = [claim for claim in about if claim is not None]
        yield from (Literal(claim, HOLE) for claim in stated)
        yield from _ranged([*map(_same_cell, filter(_is_array, pairs)), *stated], ends)


def _agreement(pair: Pair) -> Literal:
    """That the copies are equal; of arrays, cell by cell, since that is how it is shown."""
    if not _is_array(pair):
        return Literal(pair.equal)
    return Literal(_same_cell(pair), HOLE, pair.equal)


def _same_cell(pair: Pair) -> Term:
    return terms.equal(terms.select(pair.first, HOLE), terms.select(pair.other, HOLE))


def _is_array(pair: Pair) -> bool:
    return terms.is_integer_indexed(pair.first)


def _ranged(claims: Iterable[Term], ends: Sequence[Term]) -> Iterator[Literal]:
    """Each property for the indices on one side of each end, and for those between two ends."""
    for claim in claims:
        for end in ends:
            yield Literal(terms.implication(end <= HOLE, claim), HOLE)
            yield Literal(terms.implication(end > HOLE, claim), HOLE)
        for low in ends:
            for high in ends:
                if not _is_empty(low, high):
                    inside = terms.conjunction([low <= HOLE, high > HOLE])
                    yield Literal(terms.implication(inside, claim), HOLE)


def _is_empty(low: Term, high: Term) -> bool:
    """No index is between these, or none that a program would use."""
    if terms.is_value(high):
        return (terms.as_number(high) or 0) <= (terms.as_number(low) or 0 if terms.is_value(low) else 0)
    return terms.same(low, high)


def _bounds(subjects: Sequence[Term], others: Sequence[Term], words: Words) -> Iterator[Literal]:
    """Bounds of the first copy, by constants and by other arguments."""
    for subject in subjects:
        for constant in words.constants:
            yield Literal(subject >= constant)
            yield Literal(subject <= constant)
        for other in others:
            if not terms.same(subject, other):
                yield Literal(subject <= other)
                yield Literal(subject >= other)
                yield Literal(subject < other)


def _always(product: Tagging, guard: Term) -> Iterator[Literal]:
    """Of calls in which not all runs are: no assertion fails, and runs that are elsewhere change nothing."""
    if product.ok is not None:
        yield Literal(terms.disjunction([guard, product.ok]))
    before = {pair.name: pair for pair in product.inputs}
    for pair in product.outputs:
        old = before.get(pair.name)
        if pair.role is Role.OUTPUT and old is not None and len(product.activations) == 2:
            first, other = product.activations
            yield Literal(terms.disjunction([first, terms.equal(pair.first, old.first)]))
            yield Literal(terms.disjunction([other, terms.equal(pair.other, old.other)]))


# Reading the clauses


def words_of(system: HornSystem, products: Mapping[str, Tagging]) -> Words:
    limits, range_constants = _limits(system)
    constants = dict.fromkeys([0, 1])
    for clause in system.clauses:
        for value in walk.numerals(clause.constraint):
            constants.setdefault(value)
            constants.setdefault(value - 1)
    cells: dict[int, Cell] = {}
    for clause in system.clauses:
        for cell in _stated_cells(clause, products):
            if not cell.is_plain:
                cells.setdefault(cell.claim.get_id(), cell)
    return Words(
        tuple(cells.values())[:MOST_CELLS],
        limits,
        tuple(range_constants[:MOST_RANGE_CONSTANTS]),
        tuple(constants)[:MOST_CONSTANTS],
    )


def _limits(system: HornSystem) -> tuple[dict[str, frozenset[int]], list[int]]:
    """For each predicate the arguments that are indices or compared with indices anywhere, and constants that are.

    A least fixpoint: an argument is one if a clause passes it something that has a variable that is one.
    """
    marked: dict[str, set[int]] = {p.name: set() for p in system.predicates}
    constants: dict[int, None] = {}
    changed = True
    while changed:
        changed = False
        for clause in system.clauses:
            variables = _index_like(clause, marked, constants)
            for atom in _atoms(clause):
                for formal, argument in atom.bind():
                    known = marked[atom.predicate.name]
                    passed = terms.is_variable(argument) and argument.get_id() in variables
                    if passed and formal.get_id() not in known and terms.is_integer(formal):
                        known.add(formal.get_id())
                        changed = True
    return {name: frozenset(found) for name, found in marked.items()}, sorted(constants)


def _index_like(clause: Clause, marked: Mapping[str, set[int]], constants: dict[int, None]) -> set[int]:
    """Variables of the clause that are indices, or that are compared with one."""
    formulas = [clause.constraint, *(argument for atom in _atoms(clause) for argument in atom.arguments)]
    indices = walk.array_indices(*formulas)
    at = {index.get_id() for index in indices}
    found = {v.get_id() for v in walk.free_variables(*indices) if terms.is_integer(v)}
    for atom in _atoms(clause):
        for formal, argument in atom.bind():
            if formal.get_id() in marked[atom.predicate.name]:
                found |= {v.get_id() for v in walk.free_variables(argument) if terms.is_integer(v)}
    for formula in formulas:
        for term in walk.subterms(formula):
            if terms.is_comparison(term):
                left, right = terms.children(term)
                for side, other in ((left, right), (right, left)):
                    inside = walk.free_variables(side)
                    is_element = any(map(terms.is_array, inside))
                    if side.get_id() in at or (not is_element and found & {v.get_id() for v in inside}):
                        found |= {v.get_id() for v in walk.free_variables(other) if terms.is_integer(v)}
                        if terms.is_value(other) and terms.is_integer(other):
                            constants.setdefault(int(terms.as_number(other) or 0))
    return found


def _atoms(clause: Clause) -> list[Atom]:
    return [*clause.body, *([clause.head] if clause.head else [])]


def _stated_cells(clause: Clause, products: Mapping[str, Tagging]) -> Iterator[Cell]:
    """What the clause says of two runs and cells of one index: as a formula, or under conditions on the same cells."""
    arrays = _array_names(clause, products)
    if not arrays:
        return
    for formula in (clause.constraint, *(argument for atom in _atoms(clause) for argument in atom.arguments)):
        for term in walk.subterms(formula):
            if terms.is_boolean(term) and not terms.is_variable(term) and not terms.is_not(term):
                claim = _opened(term, arrays) or _under_conditions(term, arrays)
                if claim is not None and claim.is_about_both:
                    yield claim.cell


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """A formula about cells, with the index left open and placeholders for the arrays; and what these are."""

    formula: Term
    arrays: frozenset[tuple[str, int]]

    @property
    def is_about_both(self) -> bool:
        return len({copy for _, copy in self.arrays}) > 1

    @property
    def cell(self) -> Cell:
        return Cell(tuple(dict.fromkeys(name for name, _ in sorted(self.arrays))), self.formula)


def _opened(formula: Term, arrays: Mapping[int, tuple[str, int, Term]]) -> _Opened | None:
    """The formula if it speaks of nothing but cells of these arrays."""
    indices = walk.array_indices(formula)
    if not indices:
        return None
    formula = terms.substitute(formula, [(index, HOLE) for index in indices])
    named: set[tuple[str, int]] = set()
    renaming: list[tuple[Term, Term]] = []
    for variable in walk.free_variables(formula):
        if variable.get_id() in arrays:
            name, copy, array = arrays[variable.get_id()]
            named.add((name, copy))
            renaming.append((array, _placeholders(name, array)[copy]))
        elif variable.get_id() != HOLE.get_id():
            return None
    return _Opened(terms.substitute(formula, renaming), frozenset(named))


def _under_conditions(term: Term, arrays: Mapping[int, tuple[str, int, Term]]) -> _Opened | None:
    """The only claim about cells of an implication, under those of its conditions that are about cells too."""
    if terms.is_implication(term):
        condition, conclusion = terms.children(term)
        parts = [terms.negation(condition), *terms.disjuncts(conclusion)]
    elif terms.is_or(term):
        parts = terms.disjuncts(term)
    else:
        return None
    opened = [_opened(part, arrays) for part in parts]
    claims = [claim for claim in opened if claim is not None and claim.is_about_both]
    if len(claims) != 1:
        return None
    others = (part for part, claim in zip(parts, opened, strict=True) if claim is not claims[0])
    assumed = (_opened(c, arrays) for part in others for c in terms.conjuncts(terms.negation(part)))
    conditions = [condition for condition in assumed if condition is not None]
    if not conditions:
        return None
    formula = terms.implication(terms.conjunction(c.formula for c in conditions), claims[0].formula)
    return _Opened(formula, claims[0].arrays.union(*(c.arrays for c in conditions)))


def _array_names(clause: Clause, products: Mapping[str, Tagging]) -> dict[int, tuple[str, int, Term]]:
    """What the arrays that stand as arguments are called, and which copy they are."""
    found: dict[int, tuple[str, int, Term]] = {}
    for atom in _atoms(clause):
        product = products.get(atom.predicate.name)
        actual = {formal.get_id(): argument for formal, argument in atom.bind()}
        for pair in product.pairs if product else ():
            if terms.is_integer_indexed(pair.first):
                for copy, formal in enumerate((pair.first, pair.other)):
                    argument = actual[formal.get_id()]
                    if terms.is_variable(argument):
                        found.setdefault(argument.get_id(), (pair.name, copy, argument))
    return found


def _is_cell(term: Term) -> bool:
    return any(map(terms.is_integer_indexed, terms.children(term)))
