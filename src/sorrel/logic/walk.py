"""Walks over shared terms: every node once, with an explicit stack, on bare pointers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

import z3

from sorrel.logic import pointers, terms
from sorrel.logic.terms import Term

T = TypeVar("T")


def subterms(term: Term) -> Iterator[Term]:
    """Every distinct subterm once, parents first."""
    return (pointers.term(node) for node in pointers.nodes(pointers.address(term)))


def size(term: Term) -> int:
    """Number of distinct nodes."""
    return sum(1 for _ in pointers.nodes(pointers.address(term)))


def free_variables(*formulas: Term) -> list[Term]:
    """The uninterpreted constants of the terms, in order of first occurrence."""
    return [pointers.term(node) for node in pointers.variables(map(pointers.address, formulas))]


def uninterpreted_applications(term: Term) -> list[Term]:
    """Applications of uninterpreted functions and predicates to at least one argument."""
    return [
        pointers.term(node)
        for node in pointers.nodes(pointers.address(term))
        if pointers.operator(node) == pointers.UNINTERPRETED and pointers.arity(node)
    ]


_NAMED = frozenset((pointers.UNINTERPRETED, pointers.CONSTRUCTOR, pointers.ACCESSOR))


def function_names(term: Term) -> set[str]:
    """Names of the declared functions in a term, those with arguments, and of the constructors."""
    declared = {
        pointers.declaration(node)
        for node in pointers.nodes(pointers.address(term))
        if pointers.operator(node) in _NAMED and not pointers.is_variable(node)
    }
    return set(map(pointers.name_of, declared))


def one_of_each_sort(term: Term) -> list[Term]:
    """A subterm for each sort that occurs in a term."""
    found: dict[int, int] = {}
    for node in pointers.nodes(pointers.address(term)):
        if pointers.kind(node) != pointers.QUANTIFIER:
            found.setdefault(pointers.sort_of(node), node)
    return [pointers.term(node) for node in found.values()]


def has_quantifier(term: Term) -> bool:
    return any(pointers.kind(node) == pointers.QUANTIFIER for node in pointers.nodes(pointers.address(term)))


def has_bound_variable(term: Term) -> bool:
    """Whether a variable that a quantifier outside of the term binds occurs in it, or one that it binds itself."""
    return any(pointers.kind(node) == pointers.BOUND for node in pointers.nodes(pointers.address(term)))


def any_node(term: Term, test: Callable[[Term], bool]) -> bool:
    return any(test(subterm) for subterm in subterms(term))


class Rewriting(Generic[T]):
    """What terms become, `parts` of a node before itself and each node once, with an explicit stack.

    `made` may ask for others on the way. Holds the terms it was asked about: identities are reused once they are freed.
    """

    def __init__(self, parts: Callable[[Term], Iterable[Term]], made: Callable[[Term], T]) -> None:
        self._parts = parts
        self._made = made
        self._known: dict[int, T] = {}
        self._held: list[Term] = []

    def __call__(self, term: Term) -> T:
        stack = [term]
        while stack:
            current = stack[-1]
            if terms.identity(current) in self._known:
                stack.pop()
                continue
            waiting = [part for part in self._parts(current) if terms.identity(part) not in self._known]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            self._held.append(current)
            self._known[terms.identity(current)] = self._made(current)
        return self._known[terms.identity(term)]


def with_arguments(term: Term, arguments: Sequence[Term]) -> Term:
    """The same operator applied to others; the term itself if they are its own."""
    if all(map(terms.same, arguments, terms.children(term))):
        return term
    return pointers.application(pointers.declaration(pointers.address(term)), arguments)


class Mentions:
    """Does a term apply one of the named predicates? Each node is looked at once, over all questions.

    Holds the terms it was asked about, and the one it was made for, whose subterms they are as a rule:
    addresses are reused once a term is freed.
    """

    def __init__(self, term: Term | None, names: frozenset[str]) -> None:
        self._names = names
        self._held: list[Term] = [] if term is None else [term]
        self._known: dict[int, bool] = {}
        self._declarations: dict[int, bool] = {}

    def __call__(self, term: Term) -> bool:
        node = pointers.address(term)
        found = self._known.get(node)
        if found is None:
            self._held.append(term)
            pointers.mark_applications(node, self._is_named, self._declarations, self._known)
            found = self._known[node]
        return found

    def _is_named(self, declaration: int) -> bool:
        return (
            pointers.operator_of(declaration) == pointers.UNINTERPRETED and pointers.name_of(declaration) in self._names
        )


def numerals(term: Term) -> list[int]:
    """The integer literals of a term, in order of first occurrence."""
    return [t.as_long() for t in subterms(term) if z3.is_int_value(t)]


def real_numerals(term: Term) -> list[Fraction]:
    """The rational literals of a term, in order of first occurrence."""
    values = (t for t in subterms(term) if z3.is_rational_value(t))
    return [Fraction(v.numerator_as_long(), v.denominator_as_long()) for v in values]


def bitvector_numerals(term: Term) -> list[int]:
    """The bit-vector literals of a term, without a sign."""
    return [t.as_long() for t in subterms(term) if z3.is_bv_value(t)]


def divisors(term: Term) -> list[int]:
    """The literals that something is divided by in a term."""
    return [divisor for _, divisor in divisions(term)]


def divisions(term: Term) -> list[tuple[Term, int]]:
    """What is divided in a term, and by which literal."""
    found = [t for t in subterms(term) if z3.is_app_of(t, z3.Z3_OP_MOD) or z3.is_app_of(t, z3.Z3_OP_IDIV)]
    return [(t.arg(0), t.arg(1).as_long()) for t in found if z3.is_int_value(t.arg(1))]


def array_indices(*formulas: Term) -> list[Term]:
    """The terms at which arrays are read or written, in order of first occurrence."""
    found: dict[int, Term] = {}
    for formula in formulas:
        for node in pointers.nodes(pointers.address(formula)):
            if pointers.operator(node) in (z3.Z3_OP_SELECT, z3.Z3_OP_STORE):
                index = pointers.arguments(node)[1]
                if index not in found:
                    found[index] = pointers.term(index)
    return list(found.values())
