"""Reachability by interpolation: what is reached, as weak as what leads to errors in a few steps allows.

States with an error at most k steps away are computed backward. What the facts derive, and then what that leads to, is
replaced by an interpolant between it and these states, until nothing new is reached; if something is reached from
which an error is near, k grows (docs/engines/interpolation.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.engines.backward import Backward, search_backward
from sorrel.engines.engine import Circumstances
from sorrel.engines.one_call import no_paths
from sorrel.engines.options import BackwardOptions
from sorrel.engines.prepared import joined
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Unknown, Verdict
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.smt.interpolation import interpolate

BY = "reachability by interpolation"
MOST_ROUNDS = 40
"""Images that are taken before errors are looked for one step further away."""


class Interpolation:
    """Proofs of linear clauses; where it meets an error on the way it asks for the path to it."""

    def __init__(self, options: BackwardOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return no_paths(system)

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        def closed(backward: Backward, _: bool) -> Summaries | None:
            return _Forward(backward).closed()

        found = search_backward(system, run, seeds, self._options.levels, closed)
        return found if isinstance(found, Unknown) else replace(found, by=BY)


class _Forward:
    """What is reached, over-approximated predicate by predicate."""

    def __init__(self, backward: Backward) -> None:
        self._system = backward.system
        self._facts = backward.facts
        self._backward = backward
        self._oracle = backward.oracle

    def closed(self) -> Summaries | None:
        """Summaries that are inductive and exclude errors; None if what is reached comes too near to them."""
        reached: dict[str, Term] = dict.fromkeys(self._system.predicate, terms.FALSE)
        for _ in range(MOST_ROUNDS):
            if self._oracle.clock.expired():
                return None
            grown = False
            for name in self._system.predicate:
                more = self._image(name, reached)
                if self._oracle.entails(more, reached[name], "interpolation"):
                    continue
                between = interpolate(
                    self._oracle, more, self._backward.near(name), self._system.predicate[name].formals
                )
                if between is None:
                    return None
                reached[name] = terms.disjunction([reached[name], between])
                grown = True
            if not grown:
                return joined(reached, self._facts)
        return None

    def _image(self, name: str, reached: Mapping[str, Term]) -> Term:
        """What clauses for the predicate derive from what is reached, over its formals and variables of the clauses."""
        formals = self._system.predicate[name].formals
        cases: list[Term] = []
        for clause in self._system.defining[name]:
            fresh, _ = clause.rename_apart(Names(terms.name(formal) for formal in formals))
            parts = [fresh.constraint]
            for call in fresh.body:
                known = terms.conjunction(
                    [reached[call.predicate.name], self._facts.get(call.predicate.name, terms.TRUE)]
                )
                parts.append(terms.substitute(known, call.bind()))
            head = fresh.head.arguments if fresh.head else ()
            parts += [terms.equal(formal, argument) for formal, argument in zip(formals, head, strict=True)]
            cases.append(terms.conjunction(parts))
        return terms.conjunction([terms.disjunction(cases), self._facts.get(name, terms.TRUE)])
