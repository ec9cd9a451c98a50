"""Walks over shared terms: every node once, with an explicit stack, on bare pointers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sorrel.logic import pointers
from sorrel.logic.terms import Term


def subterms(term: Term) -> Iterator[Term]:
    """Every distinct subterm once, parents first."""
    return (pointers.term(node) for node in pointers.nodes(pointers.address(term)))


def size(term: Term) -> int:
    """Number of distinct nodes."""
    return sum(1 for _ in pointers.nodes(pointers.address(term)))


def free_variables(*terms: Term) -> list[Term]:
    """The uninterpreted constants of the terms, in order of first occurrence."""
    found: dict[int, Term] = {}
    seen: set[int] = set()
    for term in terms:
        stack = [pointers.address(term)]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            children = pointers.children(node)
            if children:
                stack.extend(reversed(children))
            elif node not in found and pointers.is_variable(node):
                found[node] = pointers.term(node)
    return list(found.values())


def uninterpreted_applications(term: Term) -> list[Term]:
    """Applications of uninterpreted functions and predicates to at least one argument."""
    return [
        pointers.term(node)
        for node in pointers.nodes(pointers.address(term))
        if pointers.operator(node) == pointers.UNINTERPRETED and pointers.arity(node)
    ]


def has_quantifier(term: Term) -> bool:
    return any(pointers.kind(node) == pointers.QUANTIFIER for node in pointers.nodes(pointers.address(term)))


def any_node(term: Term, test: Callable[[Term], bool]) -> bool:
    return any(test(subterm) for subterm in subterms(term))


class Mentions:
    """Which subterms of some terms apply one of the named predicates; each node is looked at once.

    Holds the terms it was given: addresses are reused once a term is freed.
    """

    def __init__(self, term: Term, names: frozenset[str]) -> None:
        self._names = names
        self._held: list[Term] = []
        self._known: dict[int, bool] = {}
        self._declarations: dict[int, bool] = {}
        self.add(term)

    def add(self, term: Term) -> None:
        """Look at another term as well, one that came to be while the first was taken apart."""
        self._held.append(term)
        known = self._known
        stack = [pointers.address(term)]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            if self._is_hit(node):
                known[node] = True
                # What stands below is asked for as well: a predicate inside an argument is an error.
                stack.extend(child for child in pointers.children(node) if child not in known)
                continue
            children = pointers.children(node)
            open_children = [child for child in children if child not in known]
            if open_children:
                stack.extend(open_children)
                continue
            known[node] = any(known[child] for child in children)
            stack.pop()

    def _is_hit(self, node: int) -> bool:
        if not pointers.is_application(node):
            return False
        declaration = pointers.declaration(node)
        hit = self._declarations.get(declaration)
        if hit is None:
            hit = (
                pointers.operator_of(declaration) == pointers.UNINTERPRETED
                and pointers.name_of(declaration) in self._names
            )
            self._declarations[declaration] = hit
        return hit

    def __call__(self, subterm: Term) -> bool:
        return self._known.get(pointers.address(subterm), False)
