"""Products as arguments: where x and y are arguments and x·y is looked at, P(x, y) becomes P(x, y, x·y).

What is known of a product is known beyond the clause that computes it: that a block has as many elements as rows times
columns. A solution goes back with the product in place of the argument; a derivation says less, since whoever takes
products for variables has forgotten what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.foreign import nonlinear_terms
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed

MOST_PRODUCTS = 4
"""Of one predicate."""

Pair = tuple[int, int]
"""Two arguments by position, the first one first."""


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    pairs: tuple[Pair, ...]
    predicate: Predicate

    @staticmethod
    def of(whole: Predicate, pairs: tuple[Pair, ...]) -> _Shape:
        names = Names(argument.name for argument in whole.arguments)
        own = (
            Argument(names.fresh(f"{whole.arguments[one].name}*{whole.arguments[other].name}"), terms.INT)
            for one, other in pairs
        )
        return _Shape(pairs, Predicate(whole.name, (*whole.arguments, *own)))

    def atom(self, atom: Atom) -> Atom:
        made = (atom.arguments[one] * atom.arguments[other] for one, other in self.pairs)
        return Atom(self.predicate, (*atom.arguments, *made))


def with_products(system: HornSystem) -> Transformed | None:
    """None if no clause multiplies two variables that are arguments of one predicate."""
    found = _products(system)
    shapes = {p.name: _Shape.of(p, tuple(found[p.name])[:MOST_PRODUCTS]) for p in system.predicates}
    if system.obligations or not any(found.values()):
        return None
    clauses = tuple(
        Clause(
            clause.name,
            shapes[clause.head.predicate.name].atom(clause.head) if clause.head else None,
            tuple(shapes[atom.predicate.name].atom(atom) for atom in clause.body),
            clause.constraint,
            clause.origin,
        )
        for clause in system.clauses
    )

    def summaries(said: Summaries, _: Oracle) -> Summaries:
        back: dict[str, Term] = {}
        for whole in system.predicates:
            if whole.name in said:
                shape = shapes[whole.name]
                own = shape.predicate.formals[len(whole.formals) :]
                made = (whole.formals[one] * whole.formals[other] for one, other in shape.pairs)
                back[whole.name] = terms.substitute(said[whole.name], list(zip(own, made, strict=True)))
        return back

    def derivation(_: Derivation) -> Derivation:
        raise InternalError("a refutation of clauses in which products are variables says nothing")

    whole = HornSystem(tuple(shape.predicate for shape in shapes.values()), clauses)
    return Transformed(whole, summaries, derivation, exact=False)


def _products(system: HornSystem) -> dict[str, dict[Pair, None]]:
    """Those that clauses compute of arguments, and those that these come from or lead to."""
    found: dict[str, dict[Pair, None]] = {p.name: {} for p in system.predicates}
    views = [_View.of(clause) for clause in system.clauses]
    for view in views:
        for one, other in view.computed:
            view.note(one, other, found)
    changed = True
    while changed:
        changed = False
        for view in views:
            for one, other in list(view.known(found)):
                changed |= view.note(one, other, found)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A clause: products of variables in it, and at which position its atoms have a variable, by name."""

    computed: tuple[tuple[str, str], ...]
    atoms: tuple[tuple[str, Mapping[str, int]], ...]

    @staticmethod
    def of(clause: Clause) -> _View:
        atoms = (*clause.body, *([clause.head] if clause.head else []))
        formulas = (clause.constraint, *(argument for atom in atoms for argument in atom.arguments))
        computed = dict.fromkeys(pair for formula in formulas for pair in _pairs(formula))
        return _View(tuple(computed), tuple((atom.predicate.name, _positions(atom)) for atom in atoms))

    def note(self, one: str, other: str, found: dict[str, dict[Pair, None]]) -> bool:
        """The product of these variables at every atom that has both; is any of them new?"""
        new = False
        for predicate, position in self.atoms:
            if one in position and other in position:
                first, second = sorted((position[one], position[other]))
                new |= (first, second) not in found[predicate]
                found[predicate].setdefault((first, second))
        return new

    def known(self, found: Mapping[str, Mapping[Pair, None]]) -> Iterator[tuple[str, str]]:
        for predicate, position in self.atoms:
            name_at = {number: name for name, number in position.items()}
            for first, second in found[predicate]:
                if first in name_at and second in name_at:
                    yield name_at[first], name_at[second]


def _pairs(formula: Term) -> Iterator[tuple[str, str]]:
    for term in nonlinear_terms(formula):
        variables = [terms.name(factor) for factor in terms.children(term) if terms.is_variable(factor)]
        if terms.name_of(term) == "*" and terms.is_integer(term) and len(variables) == 2:
            yield variables[0], variables[1]


def _positions(atom: Atom) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, argument in enumerate(atom.arguments):
        if terms.is_variable(argument) and terms.is_integer(argument):
            found.setdefault(terms.name(argument), number)
    return found
