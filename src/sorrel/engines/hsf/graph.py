"""MAKECEX for large derivations: one predicate for each abstract fact, however often it is used.

As a tree such a derivation may have more nodes than can be written down. The graph is a Horn system without
recursion, which Spacer solves or refutes as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.engines.hsf.counterexample import Undecided
from sorrel.engines.hsf.inference import AbstractFact, Violation
from sorrel.engines.hsf.rules import Rule
from sorrel.engines.spacer import rebuild
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt import fixedpoint
from sorrel.smt.recursion_free import is_plain_solution
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import replay


@dataclass(frozen=True, slots=True, eq=False)
class GraphDerivation:
    """The violation is real."""

    derivation: Derivation


@dataclass(frozen=True, slots=True, eq=False)
class GraphSolution:
    """The violation is due to the abstraction: for each fact its query symbol and a formula over its formals."""

    solutions: list[tuple[str, Term]]


SMALL_TREE, LARGE_TREE = 24, 300
MOST_USES = 2.5


def is_better_as_graph(violation: Violation) -> bool:
    """Has the tree too many nodes, or many more than there are facts? Otherwise a tree has the better cores."""
    if violation.size <= SMALL_TREE:
        return False
    return violation.size > LARGE_TREE or violation.size > MOST_USES * len(_ancestors(violation.parents))


class DerivationGraph:
    """The facts behind a violation, parents before children, and the system they form."""

    def __init__(self, original: HornSystem, violation: Violation) -> None:
        self._original = original
        self._facts = _ancestors(violation.parents)
        self._predicates = {
            fact.number: Predicate(f"fact!{fact.number}", original.predicate[fact.name].arguments)
            for fact in self._facts
        }
        self._rules: dict[str, Rule] = {}
        clauses = [self._clause(fact.rule, fact.parents, fact) for fact in self._facts]
        clauses.append(self._clause(violation.rule, violation.parents, None))
        self.system = HornSystem(tuple(self._predicates.values()), tuple(clauses))

    def _clause(self, rule: Rule, parents: Sequence[AbstractFact], fact: AbstractFact | None) -> Clause:
        name = f"apply!{fact.number}" if fact else "apply!query"
        self._rules[name] = rule
        body = [Atom(self._predicates[p.number], a.arguments) for p, a in zip(parents, rule.body, strict=True)]
        head = Atom(self._predicates[fact.number], rule.head.arguments) if fact and rule.head else None
        return Clause(name, head, tuple(body), terms.conjunction(rule.parts))

    def examine(self, oracle: Oracle, seconds: float) -> GraphDerivation | GraphSolution | Undecided:
        match fixedpoint.refute(self.system, oracle, seconds=seconds):
            case fixedpoint.Solved(summaries) if is_plain_solution(self.system, summaries, oracle):
                return GraphSolution([(f.name, summaries[self._predicates[f.number].name]) for f in self._facts])
            case fixedpoint.Refuted(facts):
                derivation = rebuild(self.system, facts, oracle)
                if derivation is not None:
                    return GraphDerivation(self._lift(derivation))
        return Undecided("a large derivation was neither solved nor shown to be feasible")

    def _lift(self, derivation: Derivation) -> Derivation:
        """The same steps by the clauses of the original system."""
        steps = [Step(self._rules[s.clause].clause.name, s.values, s.premises) for s in derivation.steps]
        return replay(self._original, steps)


def _ancestors(roots: Sequence[AbstractFact]) -> list[AbstractFact]:
    """All facts that the roots were inferred from, and the roots; numbers grow from parents to children."""
    found: dict[int, AbstractFact] = {}
    stack = list(roots)
    while stack:
        fact = stack.pop()
        if fact.number not in found:
            found[fact.number] = fact
            stack.extend(fact.parents)
    return [found[number] for number in sorted(found)]
