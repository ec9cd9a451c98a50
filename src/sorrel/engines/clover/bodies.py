"""Over-approximate bodies (appendix B.3): what a procedure does if its callees do no more than is known of them."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.engines.clover.goal import Over
from sorrel.engines.clover.plan import PLAN
from sorrel.engines.clover.rules import Rules
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.interpolation import interpolate
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Oracle

LARGEST_BODY, LARGEST_WHOLE_BODY = 150, 1500
"""Nodes of a term; more for procedures without recursion, whose bodies say all that can be said of them."""


class Bodies:
    """Learns bodies, and keeps those of procedures without recursion up to date with their callees."""

    def __init__(self, system: HornSystem, rules: Rules, over: Over, oracle: Oracle) -> None:
        self._system = system
        self._rules = rules
        self._over = over
        self._oracle = oracle
        self._learned: dict[str, tuple[int, ...]] = {}  # for which versions of the callees
        self._whole: set[str] = set()

    def learn(self, predicate: Predicate) -> Term | None:
        """The body, if it was found and says something new; it is part of O then."""
        name = predicate.name
        recursive = name in self._system.call_graph.recursive
        self._learned[name] = self._versions(name)
        body = self._body(name, LARGEST_BODY if recursive else LARGEST_WHOLE_BODY)
        if body is not None and not recursive and not self._has_quantified_callees(name):
            self._whole.add(name)
        else:
            self._whole.discard(name)
        return body if body is not None and self._over.refine(name, body, self._oracle) else None

    def renew(self) -> Iterator[tuple[str, Term]]:
        """Bodies of procedures without recursion again, where more is known of their callees by now; callees first."""
        for name in (name for group in self._system.call_graph.components for name in group):
            if name in self._system.call_graph.recursive or name not in self._learned:
                continue
            if self._learned[name] != self._versions(name):
                body = self.learn(self._system.predicate[name])
                if body is not None:
                    yield name, body

    def tell_all(self, name: str) -> bool:
        """Is all that O says of the callees in the body, so that no invariant could say more?"""
        return name in self._whole and self._learned[name] == self._versions(name)

    def interpolant(self, predicate: Predicate, environment: Term) -> Term | None:
        """𝕀 with π̂_O ⇒ 𝕀 and 𝕀 ⇒ ¬b̂, over the formals: what OO and UO ask for; None if none is found."""
        cases = []
        for number, rule in enumerate(self._rules.by_predicate[predicate.name]):
            apart = rule.instance(predicate.formals, -1 - number)  # no level of an environment has such a number
            cases.append(terms.conjunction([apart.constraint, *(self._over.plain_at(call) for call in apart.calls)]))
        return interpolate(self._oracle, terms.disjunction(cases), environment, predicate.formals, PLAN.interpolation)

    def _versions(self, name: str) -> tuple[int, ...]:
        return tuple(self._over.version[callee] for callee in self._system.call_graph.callees[name])

    def _has_quantified_callees(self, name: str) -> bool:
        """Projection leaves quantifiers out, so that the body says less than it could."""
        callees = self._system.call_graph.callees[name]
        return any(walk.has_quantifier(conjunct) for callee in callees for conjunct in self._over.conjuncts[callee])

    def _body(self, name: str, largest: int) -> Term | None:
        """∃loc. π̂_O for all rules together, if it is found and not too large."""
        cases = []
        for rule in self._rules.by_predicate[name]:
            body = terms.conjunction([rule.constraint, *(self._over.plain_at(c) for c in rule.calls)])
            exact = project_exact(self._oracle, body, list(rule.local), seconds=PLAN.body) if rule.local else body
            if exact is None:
                return None
            cases.append(exact)
        learned = terms.simplify(terms.disjunction(cases))
        return learned if walk.size(learned) <= largest else None
