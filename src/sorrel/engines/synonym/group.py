"""Symmetries of a specification: permutations of the runs under which its violations stay violations.

Two ways to find them. Semantic: each permutation is a question to the solver, for few runs all of them. Syntactic
(section 3.2.3.1 of Pick's dissertation): automorphisms of a graph of the formula's syntax, whose generators the solver
confirms all the same. The graph is undirected with one vertex that nothing else looks like at its root; children whose
order matters hang on vertices that say which child they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import permutations
from math import factorial
from typing import Any

from sorrel.horn.flow import Question
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import UsageError
from sorrel.relate.alignment import Permutation, composed
from sorrel.smt.solver import Oracle

MOST_TRIED = 120
"""Permutations that are tried one by one: those of five runs."""
_UNORDERED = frozenset({"and", "or", "=", "+", "*", "distinct"})


def identity(count: int) -> Permutation:
    return tuple(range(count))


def symmetries(question: Question, detection: str, oracle: Oracle) -> frozenset[Permutation]:
    """The group of permutations of runs of the same function that leave the violations of the specification as they
    are; only those that the solver confirms.
    """
    count = len(question.flows)
    violated = question.violation
    if detection == "syntactic":
        candidates: Iterable[Permutation] = _automorphisms(question, violated)
    elif detection == "semantic":
        candidates = permutations(range(count)) if factorial(count) <= MOST_TRIED else ()
    else:
        raise UsageError(f"option detection takes semantic or syntactic, not {detection!r}")
    kept = {identity(count)}
    for permutation in candidates:
        if permutation in kept or not _same_functions(question, permutation):
            continue
        if oracle.equivalent(violated, question.permuted(violated, permutation), "symmetry") is True:
            kept = closure([*kept, permutation])
    return frozenset(kept)


def closure(generators: Iterable[Permutation]) -> set[Permutation]:
    """The group that they generate; a finite set closed under composition has the inverses, too."""
    own = list(generators)
    found, work = set(own), list(own)
    while work:
        one = work.pop()
        for other in own:
            made = composed(one, other)
            if made not in found:
                found.add(made)
                work.append(made)
    return found


def _same_functions(question: Question, permutation: Permutation) -> bool:
    return all(question.flows[run] is question.flows[image] for run, image in enumerate(permutation))


def lex_leader(conditions: Sequence[Term], group: Iterable[Permutation], runs: Sequence[int]) -> Term:
    """The decision is the least of those that differ from it by the order of the runs; false is less than true.

    The predicate of Crawford and others for propositional formulas, with conditions in place of variables.
    """
    at = dict(zip(runs, conditions, strict=True))
    parts = []
    for permutation in group:
        result = terms.TRUE
        for run in reversed(runs):
            mine, theirs = at[run], at[permutation[run]]
            if terms.same(mine, theirs):
                continue
            less = terms.conjunction([terms.negation(mine), theirs])
            equal = terms.equal(mine, theirs)
            result = terms.disjunction([less, terms.conjunction([equal, result])])
        parts.append(result)
    return terms.conjunction(parts)


# The graph of a formula


def _automorphisms(question: Question, formula: Term) -> list[Permutation]:
    """Permutations of the runs that automorphisms of the formula's graph induce."""
    try:
        nauty: Any = import_module("pynauty")
    except ImportError:
        raise UsageError("syntactic symmetries need pynauty: pip install 'sorrel[symmetry]'") from None
    graph = _Graph(question)
    graph.add(terms.simplify(formula))
    made = nauty.Graph(len(graph.colours), directed=False, adjacency_dict=graph.edges, vertex_coloring=graph.classes())
    generators = nauty.autgrp(made)[0]
    count = len(question.flows)
    return [tuple(generator[run] for run in range(count)) for generator in generators]


class _Graph:
    """The first vertices are the runs. A variable of a run is a vertex with its name, linked to its run."""

    def __init__(self, question: Question) -> None:
        self._owner = {terms.identity(v): key for key, v in question.formals.items()}
        self.colours: list[str] = [f"run {id(flow.course)}" for flow in question.flows]
        self.edges: dict[int, list[int]] = {}
        self._known: dict[int, int] = {}
        self._held: list[Term] = []

    def add(self, formula: Term) -> None:
        root = self._vertex("root")
        work: list[Term] = [formula]
        order: list[Term] = []
        while work:
            term = work.pop()
            if terms.identity(term) not in self._known:
                self._known[terms.identity(term)] = self._vertex(self._colour(term))
                self._held.append(term)
                order.append(term)
                if terms.is_application(term) and terms.identity(term) not in self._owner:
                    work += terms.children(term)
        for term in order:
            self._link(term)
        self._edge(root, self._known[terms.identity(formula)])

    def _colour(self, term: Term) -> str:
        owner = self._owner.get(terms.identity(term))
        if owner is not None:
            return f"variable {owner[1]}"
        if terms.is_value(term) or not terms.children(term):
            return f"constant {term}"
        return f"operator {term.decl()} {terms.sort_name(term)}"

    def _link(self, term: Term) -> None:
        here = self._known[terms.identity(term)]
        owner = self._owner.get(terms.identity(term))
        if owner is not None:
            self._edge(here, owner[0])
            return
        unordered = term.decl().name() in _UNORDERED if terms.is_application(term) else False
        for position, child in enumerate(terms.children(term)):
            between = self._vertex("child" if unordered else f"child {position}")
            self._edge(here, between)
            self._edge(between, self._known[terms.identity(child)])

    def _vertex(self, colour: str) -> int:
        self.colours.append(colour)
        return len(self.colours) - 1

    def _edge(self, one: int, other: int) -> None:
        self.edges.setdefault(one, []).append(other)

    def classes(self) -> list[set[int]]:
        found: dict[str, set[int]] = {}
        for vertex, colour in enumerate(self.colours):
            found.setdefault(colour, set()).add(vertex)
        return list(found.values())
