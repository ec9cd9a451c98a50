"""Interpolants of a derivation tree by Farkas' lemma.

The constraints of the whole tree add up to a contradiction, each with a multiplier. What the constraints below a
node add up to speaks only of the node's arguments, because everything else cancels out: that sum is the node's
interpolant. Few multipliers make interpolants that say little, which is what generalises.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.smt.linear import Inequality, combination, inequalities, refutation
from sorrel.smt.solver import Oracle


def by_farkas(system: HornSystem, oracle: Oracle, seconds: float) -> Summaries | None:
    """A solution of a system that is a derivation tree: one query, one clause for each predicate, one use of each.

    None for other systems, and where the linear inequalities among the constraints are no contradiction over
    the rationals; other constraints are left out, which is sound: what follows without them follows with them.
    """
    if not _is_tree(system):
        return None
    tree = _Tree(system)
    multipliers = refutation(oracle, tree.inequalities, seconds)
    if multipliers is None:
        return None
    return {p.name: tree.below(p.name, multipliers) for p in system.predicates}


def _is_tree(system: HornSystem) -> bool:
    uses = [atom.predicate.name for clause in system.clauses for atom in clause.body]
    return (
        len(system.queries) == 1
        and len(uses) == len(set(uses)) == len(system.predicates)
        and all(len(clauses) == 1 for clauses in system.defining.values())
    )


class _Tree:
    """The inequalities of all clauses over variables of their own; between a call and its clause, the formals."""

    def __init__(self, system: HornSystem) -> None:
        self.inequalities: list[Inequality] = []
        self._system = system
        self._names = Names()
        self._arguments: dict[str, list[tuple[Term, Term]]] = {}  # a node's arguments in the tree, and its formals
        self._owned: dict[str, tuple[int, int]] = {}  # the inequalities below a node are neighbours
        self._visit(system.queries[0])

    def _visit(self, query: Clause) -> None:
        """Clauses in post-order, so that what is below a node stands together."""
        stack: list[tuple[Clause, int]] = [(query, -1)]
        while stack:
            clause, started = stack.pop()
            if started < 0:
                stack.append((clause, len(self.inequalities)))
                stack.extend((self._system.defining[atom.predicate.name][0], -1) for atom in clause.body)
                continue
            self._add(clause)
            if clause.head:
                self._owned[clause.head.predicate.name] = (started, len(self.inequalities))

    def _add(self, clause: Clause) -> None:
        fresh, _ = clause.rename_apart(self._names)
        literals = terms.conjuncts(fresh.constraint)
        for atom in fresh.body:
            literals += [
                terms.equal(a, v) for a, (v, _) in zip(atom.arguments, self._at(atom.predicate.name), strict=True)
            ]
        if fresh.head:
            own = self._at(fresh.head.predicate.name)
            literals += [terms.equal(a, v) for a, (v, _) in zip(fresh.head.arguments, own, strict=True)]
        for literal in literals:
            self.inequalities += inequalities(literal) or []

    def _at(self, name: str) -> list[tuple[Term, Term]]:
        if name not in self._arguments:
            formals = self._system.predicate[name].formals
            self._arguments[name] = [(copy, formal) for formal, copy in self._names.variables_like(formals)]
        return self._arguments[name]

    def below(self, name: str, multipliers: Sequence[Fraction]) -> Term:
        """What the inequalities below a node add up to, over its formals."""
        start, end = self._owned[name]
        total = combination(self.inequalities[start:end], multipliers[start:end])
        return terms.substitute(total.at_least_zero(), self._at(name))
