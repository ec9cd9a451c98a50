"""The grammars of sections 5.5 and 5.6.1: what a summary about information flow may be made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from sorrel.engines.flower.product import Pair, Tagging
from sorrel.guess.lattice import Literal, Shape
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_CONSTANTS = 6
TRANSFERS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Terminals of the grammar for one predicate, over its formals.

    `relations` are equations between the copies that clauses assume of runs that are both active: what is declassified.
    `cells` are such relations about one cell, with `HOLE` for its index in both copies; `context` are cells that are
    spoken of beside a call. `bounds` are terms that a counter is compared with.
    """

    constants: tuple[int, ...]
    relations: tuple[Term, ...]
    cells: tuple[Term, ...]
    context: tuple[Term, ...]
    bounds: tuple[Term, ...]


HOLE = terms.variable("cell!", terms.INT)


def shape_of(product: Tagging, words: Vocabulary) -> Shape:
    """GETQFGUESSES and GETQUANTIFIEDGUESSES: any of these antecedents, each of these consequents."""
    inputs = [Literal(pair.equal) for pair in product.inputs]
    outputs = [Literal(pair.equal) for pair in product.outputs]
    at_counters = list(_equal_cells(product, product.inputs))
    stated = list(_ranges(product, words.cells, words, from_zero=True))
    context = list(_ranges(product, words.context, words, from_zero=True))
    cells = [*stated, *context, *_ranges(product, _same_cells(product.inputs), words)]
    known = {literal.body.get_id() for literal in inputs}
    relations = [Literal(relation) for relation in words.relations if relation.get_id() not in known]
    simple = once([*inputs, *relations])
    relational = once([*simple, *at_counters, *cells])
    antecedents = once([*relational, *_inequalities(product, words)])
    tiers = (len(simple), len(relational), len(antecedents))
    consequents = [*outputs, *_equal_cells(product, product.outputs), *relations, *stated]
    consequents += _ranges(product, _same_cells(product.outputs), words)
    if product.ok is not None:
        consequents.append(Literal(product.ok))
    consequents = once(consequents)
    # Which runs are active when the procedure returns at all is worth knowing where nothing relational holds.
    unguarded = len(consequents)
    consequents.append(Literal(terms.disjunction(product.activations)))
    always = terms.conjunction(product.activations)
    return Shape(
        always, tuple(antecedents), tuple(consequents), tiers, frozenset({unguarded}), _alike(antecedents, consequents)
    )


def plain_shape_of(product: Tagging, words: Vocabulary) -> Shape:
    """The part of the grammar without cells, ranges and constants: which inputs an output depends on.

    It is a small part, and often enough.
    """
    inputs = [Literal(pair.equal) for pair in product.inputs]
    relations = [Literal(relation) for relation in words.relations]
    antecedents = once([*inputs, *relations])
    consequents = [*(Literal(pair.equal) for pair in product.outputs), *relations]
    consequents += [Literal(product.ok)] if product.ok is not None else []
    consequents = once(consequents)
    always = terms.conjunction(product.activations)
    return Shape(
        always, tuple(antecedents), tuple(consequents), (len(antecedents),), trivial=_alike(antecedents, consequents)
    )


def _alike(antecedents: Sequence[Literal], consequents: Sequence[Literal]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (i, j)
        for i, left in enumerate(antecedents)
        for j, right in enumerate(consequents)
        if terms.same(left.closed, right.closed)
    )


def once(literals: Iterable[Literal]) -> list[Literal]:
    # The closed terms are kept while they are compared: z3 gives the number of a freed term to a new one.
    kept = [(literal.closed, literal) for literal in literals]
    return list({closed.get_id(): literal for closed, literal in reversed(kept)}.values())[::-1]


def _counters(product: Tagging) -> Iterator[Pair]:
    return (pair for pair in product.inputs if terms.is_integer(pair.first))


def _arrays(pairs: Iterable[Pair]) -> Iterator[Pair]:
    return (pair for pair in pairs if terms.is_integer_indexed(pair.first))


def _equal_cells(product: Tagging, pairs: Iterable[Pair]) -> Iterator[Literal]:
    """EqArr: the cells that a counter points to."""
    for array in _arrays(pairs):
        for counter in _counters(product):
            left, right = terms.select(array.first, counter.first), terms.select(array.other, counter.other)
            yield Literal(terms.equal(left, right))


def _same_cells(pairs: Iterable[Pair]) -> list[Term]:
    return [terms.equal(terms.select(a.first, HOLE), terms.select(a.other, HOLE)) for a in _arrays(pairs)]


def _ranges(
    product: Tagging, properties: Iterable[Term], words: Vocabulary, from_zero: bool = False
) -> Iterator[Literal]:
    """A property of the cells from a counter up to a bound, or down to it; or of those from zero to a bound."""
    for claim in properties:
        for bound in words.bounds:
            for counter in _counters(product):
                if not terms.same(bound, counter.first):
                    yield _within(counter.first <= HOLE, bound > HOLE, claim)
                    yield _within(bound < HOLE, counter.first >= HOLE, claim)
            if from_zero:
                yield _within(HOLE >= 0, bound > HOLE, claim)


def _within(low: Term, high: Term, claim: Term) -> Literal:
    return Literal(terms.implication(terms.conjunction([low, high]), claim), HOLE)


def _inequalities(product: Tagging, words: Vocabulary) -> Iterator[Literal]:
    for counter in _counters(product):
        for constant in words.constants:
            yield Literal(counter.first >= constant)
            yield Literal(counter.first <= constant)


# Reading the clauses


def vocabularies(system: HornSystem, products: Mapping[str, Tagging]) -> dict[str, Vocabulary]:
    """For each predicate what its own clauses offer, and what is said of the same actual arguments beside a call."""
    own = {name: vocabulary(system, system.predicate[name], product) for name, product in products.items()}
    for _ in range(TRANSFERS):
        received: dict[str, dict[int, Term]] = {name: {} for name in own}
        for clause in system.clauses:
            atoms = [a for a in (*clause.body, *([clause.head] if clause.head else [])) if a.predicate.name in own]
            for source, target in permutations(atoms, 2):
                words = own[source.predicate.name]
                for cell in (*words.cells, *words.context):
                    moved = _transferred(cell, source, target)
                    if moved is not None:
                        received[target.predicate.name][moved.get_id()] = moved
        own = {name: _with_context(words, received[name].values()) for name, words in own.items()}
    return own


def _transferred(formula: Term, source: Atom, target: Atom) -> Term | None:
    """What the formula says of the source's arguments, over the formals of a target that has the same ones."""
    here = terms.substitute(formula, source.bind())
    back = [(actual, formal) for formal, actual in target.bind() if terms.is_variable(actual)]
    moved = terms.substitute(here, back)
    allowed = {HOLE.get_id(), *(formal.get_id() for formal in target.predicate.formals)}
    return moved if all(v.get_id() in allowed for v in walk.free_variables(moved)) else None


def _with_context(words: Vocabulary, more: Iterable[Term]) -> Vocabulary:
    own = {cell.get_id() for cell in words.cells}
    context = {cell.get_id(): cell for cell in (*words.context, *more) if cell.get_id() not in own}
    return replace(words, context=tuple(context.values()))


def vocabulary(system: HornSystem, predicate: Predicate, product: Tagging, extra: Iterable[Term] = ()) -> Vocabulary:
    """Constants, relations and bounds from the clauses that define the predicate, and constants of `extra`."""
    constants: dict[int, None] = {}
    relations: dict[int, Term] = {}
    bounds: dict[int, Term] = {}
    first = {pair.first.get_id() for pair in product.pairs}
    for clause in system.defining[predicate.name]:
        to_formals = _to_formals(clause)
        for term in walk.subterms(clause.constraint):
            for relation in _agreement(term):
                stated = terms.substitute(relation, to_formals)
                if _speaks_only_of(stated, predicate):
                    relations[stated.get_id()] = stated
            for bound in _compared(term):
                stated = terms.substitute(bound, to_formals)
                variables = walk.free_variables(stated)
                if all(v.get_id() in first for v in variables):
                    bounds[stated.get_id()] = stated
        constants.update(dict.fromkeys(walk.numerals(clause.constraint)))
    for formula in extra:
        constants.update(dict.fromkeys(walk.numerals(formula)))
    cells = {}
    for relation in relations.values():
        for cell in _as_cells(relation, product):
            cells[cell.get_id()] = cell
    return Vocabulary(
        tuple(list(constants)[:MOST_CONSTANTS]),
        tuple(relations.values()),
        tuple(cells.values()),
        (),
        tuple(bounds.values()),
    )


def _to_formals(clause: Clause) -> list[tuple[Term, Term]]:
    """Variables of the clause that stand in its head, as the formals they are passed for."""
    if clause.head is None:
        return []
    return [
        (argument, formal)
        for formal, argument in clause.head.bind()
        if terms.is_variable(argument) and not terms.same(formal, argument)
    ]


def _speaks_only_of(formula: Term, predicate: Predicate) -> bool:
    formals = {formal.get_id() for formal in predicate.formals}
    return all(variable.get_id() in formals for variable in walk.free_variables(formula))


def _agreement(term: Term) -> Iterator[Term]:
    """The consequent e₁ = e₂ of b₁ ∧ b₂ ⇒ e₁ = e₂, also as ¬b₁ ∨ ¬b₂ ∨ e₁ = e₂."""
    if terms.is_implication(term):
        condition, consequent = terms.children(term)
        flags = terms.conjuncts(condition)
        consequents = [consequent]
    elif terms.is_or(term):
        parts = terms.disjuncts(term)
        flags = [terms.negation(part) for part in parts if terms.is_not(part)]
        consequents = [part for part in parts if not terms.is_not(part)]
    else:
        return
    if len(flags) >= 2 and all(map(terms.is_variable, flags)) and len(consequents) == 1:
        yield from (c for c in consequents if terms.is_equation(c))


def _compared(term: Term) -> Iterator[Term]:
    if terms.is_comparison(term):
        for side in terms.children(term):
            if terms.is_integer(side):
                yield side


def _as_cells(relation: Term, product: Tagging) -> Iterator[Term]:
    """The relation about cells of one index in both copies, with that index left open."""
    for counter in product.pairs:
        if not terms.is_integer(counter.first):
            continue
        opened = terms.substitute(relation, [(counter.first, HOLE), (counter.other, HOLE)])
        if not terms.same(opened, relation) and any(terms.same(i, HOLE) for i in walk.array_indices(opened)):
            yield opened
