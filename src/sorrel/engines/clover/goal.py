"""The state of a proof: O, U and L (definition 13), and the steps that led to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from sorrel.engines.clover.plan import PLAN
from sorrel.horn.clause import Atom, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.printing import infix
from sorrel.logic.terms import Term
from sorrel.model.explanation import Deduction
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Unsat


class Over:
    """O: for each predicate conjuncts that hold of every derivable fact. Always inductive as a whole."""

    def __init__(self, system: HornSystem, seeds: dict[str, Term]) -> None:
        self.conjuncts = {p.name: terms.conjuncts(seeds.get(p.name, terms.TRUE)) for p in system.predicates}
        self.version = dict.fromkeys(self.conjuncts, 0)

    def of(self, name: str) -> Term:
        return terms.conjunction(self.conjuncts[name])

    def at(self, call: Atom) -> Term:
        return terms.substitute(self.of(call.predicate.name), call.bind())

    def plain_at(self, call: Atom) -> Term:
        """What is known of a call without quantifiers, for those who project: less is known, nothing wrong."""
        plain = [conjunct for conjunct in self.conjuncts[call.predicate.name] if not walk.has_quantifier(conjunct)]
        return terms.substitute(terms.conjunction(plain), call.bind())

    def refine(self, name: str, conjunct: Term, oracle: Oracle) -> bool:
        """Add a conjunct, unless it says nothing new (appendix B.4: only semantic updates)."""
        if oracle.entails(self.of(name), conjunct, "redundant") is True:
            return False
        seconds = PLAN.redundant
        weaker = [c for c in self.conjuncts[name] if not oracle.entails(conjunct, c, "redundant", seconds=seconds)]
        self.conjuncts[name] = [*weaker, conjunct]
        self.version[name] += 1
        return True

    def adopt(self, name: str, facts: Sequence[Term], oracle: Oracle) -> bool:
        """Add facts that are inductive together with O; only what the ones before imply may be left out."""
        session = oracle.session("redundant")
        session.add(self.of(name))
        kept: list[Term] = []
        for fact in facts:
            session.push()
            session.add(terms.negation(fact))
            implied = isinstance(session.check(seconds=PLAN.implied), Unsat)
            session.pop()
            if not implied:
                session.add(fact)
                kept.append(fact)
        if kept:
            self.conjuncts[name] = [*self.conjuncts[name], *kept]
            self.version[name] += 1
        return bool(kept)

    def summaries(self) -> dict[str, Term]:
        return {name: self.of(name) for name in self.conjuncts}


@dataclass(frozen=True, slots=True, eq=False)
class Lemma:
    """An EC lemma: if every assumption q ⇒ a holds, then p ⇒ fact (definition 12)."""

    predicate: str
    fact: Term
    assumptions: tuple[tuple[str, Term], ...]


@dataclass
class Trace:
    """The steps of the reasoning, if anybody wants to see them: printing large formulas takes time."""

    wanted: bool = False
    deductions: list[Deduction] = field(default_factory=list)

    def add(self, path: Sequence[str], environment: str, target: str, rule: str, text: Callable[[], str]) -> None:
        if self.wanted:
            self.deductions.append(Deduction(tuple(path), environment, target, rule, text()))


class Lemmas:
    """L, and its discharge: lemmas that support each other's assumptions hold together (RL and EL, to a fixpoint)."""

    def __init__(self) -> None:
        self.known: list[Lemma] = []

    def about(self, name: str) -> Iterable[Term]:
        return [lemma.fact for lemma in self.known if lemma.predicate == name]

    def add(self, lemma: Lemma) -> bool:
        if any(old.predicate == lemma.predicate and terms.same(old.fact, lemma.fact) for old in self.known):
            return False
        self.known.append(lemma)
        return True

    def discharge(self, over: Over, oracle: Oracle) -> list[Lemma]:
        """The largest set of lemmas whose assumptions follow from O and from the set itself.

        Sound by induction on the height of derivations: every lemma was proved clause by clause, its
        assumptions being used only at calls, whose derivations are smaller.
        """
        kept = list(self.known)
        while True:
            facts: dict[str, list[Term]] = {}
            for lemma in kept:
                facts.setdefault(lemma.predicate, []).append(lemma.fact)
            supported = [lemma for lemma in kept if self._supported(lemma, facts, over, oracle)]
            if len(supported) == len(kept):
                break
            kept = supported
        for lemma in kept:
            self.known.remove(lemma)
        return kept

    @staticmethod
    def _supported(lemma: Lemma, facts: dict[str, list[Term]], over: Over, oracle: Oracle) -> bool:
        return all(
            oracle.entails(terms.conjunction([over.of(q), *facts.get(q, [])]), assumed, "discharge") is True
            for q, assumed in lemma.assumptions
        )


def readable(predicate: Predicate, fact: Term, assumptions: Sequence[tuple[str, Term]] = ()) -> str:
    """p(x, y) ⇒ fact, under assumptions about other procedures if there are any."""
    claim = f"{predicate.name}({', '.join(a.name for a in predicate.arguments)}) ⇒ {infix(fact)}"
    premises = " ∧ ".join(f"({name} ⇒ {infix(assumed)})" for name, assumed in assumptions)
    return f"{premises} ⇒ ({claim})" if premises else claim
